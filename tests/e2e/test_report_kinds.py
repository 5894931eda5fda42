"""Data health and peer reports: figures against the lake's files, verification after a load, hostile names."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pypdfium2
import pytest
from deltalake import DeltaTable

from askcore.base.config import Settings
from askcore.base.errors import BadRequest, Cancelled
from askcore.base.reports import GridBlock, HeadlineBlock, Report, ReportOptions, Section, TableBlock
from askcore.base.values import Period
from askcore.lake import Delivery
from askcore.service import REPORT_KINDS, Service

KINDS = ("health", "peers")
PEER_WEEK = Period(start=date(2026, 10, 11), end=date(2026, 10, 17))
WEEK = Period(start=date(2026, 10, 5), end=date(2026, 10, 11))


@pytest.fixture(scope="module")
def made(demo: Service) -> dict[tuple[str, str], Report]:
    options = ReportOptions(sql=True)
    return {
        (kind, lang): demo.report_of_kind(kind, viewer="test", lang=lang, options=options)
        for kind in KINDS
        for lang in ("zh", "en")
    }


def facts(home: Path, dataset: str = "demo") -> pd.DataFrame:
    """The lake's files as they lie on disk."""
    table = DeltaTable(home / "lake" / dataset / "facts").to_pyarrow_table()
    with duckdb.connect() as con:
        con.register("fact", table)
        return con.execute("SELECT * FROM fact").df()


def tables(section: Section) -> list[TableBlock]:
    return [b for b in section.blocks if isinstance(b, TableBlock)]


def by_title(report: Report, start: str) -> Section:
    return next(s for s in report.sections if s.title.startswith(start))


def said(report: Report) -> str:
    """All prose of the report."""
    blocks = (b for s in report.sections for b in s.blocks)
    return "\n".join(p.plain for b in blocks for p in getattr(b, "paragraphs", ()))


def extracted(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        found = "".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()
    return re.sub(r"\s", "", found)


def value_of(report: Report, end: str) -> float:
    """The one value that all figures of this address have."""
    (found,) = {f.value for f in report.figures if f.address.partition(":")[2] == end}
    return found


# --- what a report states ------------------------------------------------------------------------


def test_the_kinds_are_those_of_the_contract():
    assert REPORT_KINDS == ("weekly", "monthly", "health", "peers")


def test_an_unknown_kind_is_refused(demo):
    with pytest.raises(BadRequest):
        demo.report_of_kind("yearly", viewer="test", lang="zh")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_of_a_table_or_a_strip_is_a_figure_of_its_section(made, kind, lang):
    records = {"muted"}
    for section in made[kind, lang].sections:
        known = [f.value for f in section.figures]
        for block in tables(section):
            for row in block.paper_rows:
                for key in set(block.table.measures) - records:
                    if row.get(key) is not None:
                        assert row[key] == pytest.approx(min(known, key=lambda v, n=row[key]: abs(v - n)))
        strips = [b for b in section.blocks if isinstance(b, HeadlineBlock)]
        for item in (i for strip in strips for i in strip.items):
            for number in re.findall(r"[\d,]+", item.value):
                assert float(number.replace(",", "")) in known


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_of_a_fresh_report_is_the_same(demo, made, kind):
    for lang in ("zh", "en"):
        report = made[kind, lang]
        found = demo.verify_report(demo.write_report(report, "html"))
        assert (found["drifted"], found["unreachable"]) == (0, 0), found["figures"][:3]
        assert found["same"] == len(report.figures) > 200


@pytest.mark.parametrize("kind", KINDS)
def test_a_chapter_alone_can_be_verified(demo, kind):
    """Chapters share a call; one that is taken out takes its call along."""
    options = ReportOptions(order=("s2",))
    report = demo.report_of_kind(kind, viewer="test", lang="en", options=options)
    found = demo.verify_report(demo.write_report(report, "html"))
    assert (found["drifted"], found["unreachable"]) == (0, 0)
    assert found["same"] == len(report.figures) > 0


def test_the_issues_are_what_the_lakes_files_say(demo, made):
    rows = facts(demo.settings.home)
    once = rows[rows["_dup_n"] == 1]
    shops = once[once["scope"] == "shop"]
    gap = once["incomeAmt"].astype(float) + once["expenseAmt"].astype(float) - once["grossAmt"].astype(float)
    counts = ["grossAmt", "incomeAmt", "expenseAmt", "validOrderCnt", "exposureUv", "visitUv", "orderUv"]
    zero = shops[(shops[counts].astype(float) == 0).all(axis=1)]
    spans = shops.groupby("shopId")["date"].agg(["min", "max", "count"])
    expected = (pd.to_datetime(spans["max"]) - pd.to_datetime(spans["min"])).dt.days + 1
    report = made["health", "zh"]
    assert value_of(report, "dup_keys.n_bad[verdict]") == (rows["_dup_n"] == 2).sum() == 1
    assert value_of(report, "dup_keys.n_checked[verdict]") == len(once)
    assert value_of(report, "identity:income_expense_gross.n_bad[verdict]") == (gap.abs() > 0.05).sum() == 1
    assert value_of(report, "all_zero_rows.n_bad[verdict]") == len(zero) == 3
    assert value_of(report, "all_zero_rows.entities[verdict]") == zero["shopId"].nunique()
    assert value_of(report, "missing_days.n_bad[verdict]") == (expected - spans["count"]).sum() == 1
    listed = tables(by_title(report, "全零行"))[0].table
    assert {(str(r["date"]), r["id"], r["name"]) for r in listed.rows} == {
        (str(pd.Timestamp(r["date"]).date()), r["shopId"], r["shopName"]) for _, r in zero.iterrows()
    }


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_places_count_each_finding_of_a_check_that_does_not_only_inform(demo, made, lang):
    found = demo.health("demo", viewer="test", lang=lang)
    told = [v for v in found.verdicts if v.status in ("fail", "warn") and v.severity != "info"]
    keys = [(v.status, k) for v in told for k in v.keys]
    months = Counter(k["date"][:7] for _, k in keys)
    owners = Counter(k["shopId"] or k["chainId"] or k["companyId"] for _, k in keys)
    entities, by_month = tables(by_title(made["health", lang], "问题分布" if lang == "zh" else "Where"))
    assert {r["id"]: r["all"] for r in entities.table.rows} == owners
    assert {r["month"]: r["all"] for r in by_month.table.rows} == months
    assert sum(r["fail"] for r in entities.table.rows) == sum(status == "fail" for status, _ in keys)


def test_issues_stand_by_severity_each_with_meaning_remedy_and_rows(made):
    report = made["health", "en"]
    statuses = [s.title.rpartition(" · ")[2] for s in report.sections if " · " in s.title]
    assert statuses == ["Failed"] * 3 + ["Warning"] * 6
    assert [v.check for v in report.failed] == ["all_zero_rows", "missing_days", "unit_drift"]
    for section in (s for s in report.sections if " · " in s.title):
        text = "\n".join(p.plain for b in section.blocks for p in getattr(b, "paragraphs", ()))
        assert "Impact" in text
        assert "Remedy" in text
        assert tables(section)[0].table.rows
        assert section.sources[0].sql


def test_long_evidence_is_cut_on_pages_and_whole_in_the_workbook(demo, made):
    report = made["health", "en"]
    section = by_title(report, "Nulls")
    block = tables(section)[0]
    assert len(block.table.rows) == block.table.row_count > 2000
    assert "10 of 2214 rows" in demo.write_report(report, "html").decode()
    book = openpyxl.load_workbook(io.BytesIO(demo.write_report(report, "xlsx")), read_only=True)
    sheet = next(s for s in book if s.title.startswith(f"{section.id} "))
    assert sum(1 for _ in sheet.iter_rows()) == 1 + len(block.table.rows)


def test_what_was_not_evaluated_is_told_and_never_counted_as_passed(made):
    report = made["health", "zh"]
    assert value_of(report, "verdicts.skip[rows]") == 1
    assert [v.check for v in report.verdicts if v.status == "skip"] == ["schema_drift"]


def test_no_chapter_shows_a_bare_check_id_as_a_name(made):
    for lang in ("zh", "en"):
        for section in made["health", lang].sections:
            assert not re.search(r"[a-z]_[a-z]|:", section.title)
        issues = tables(made["health", lang].sections[0])[0].table
        assert not [r["check"] for r in issues.rows if re.search(r"[a-z]_[a-z]|:", r["check"])]


def test_a_clean_lake_is_said_to_have_nothing_wrong(tmp_path):
    service = Service(Settings(home=tmp_path / "home"))
    try:
        service.install_demo(clean=True)
        for lang, sentence in (("zh", "没有发现问题"), ("en", "Nothing was found wrong")):
            report = service.report_of_kind("health", viewer="t", lang=lang)
            told = service.health("demo", viewer="t", lang=lang).counts
            assert (told["fail"], told["warn"]) == (0, 0)
            assert report.failed == ()
            assert sentence in said(report)
            assert "role=alert" not in service.write_report(report, "html").decode()
    finally:
        service.close()


def peer_fields(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame([json.loads(text) for text in rows["raw"]], index=rows.index)


def test_standings_are_what_the_delivery_says(tmp_path, demo, made):
    """Own exposure, its peers' sum over the same days and the newest rank, by pandas over the CSV."""
    service = Service(Settings(home=tmp_path / "home"))
    service.install_demo(out=tmp_path / "out")
    service.close()
    rows = pd.read_csv(tmp_path / "out" / "delivery.csv", dtype=str)
    days = [str(PEER_WEEK.start + timedelta(days=n)) for n in range(7)]
    rows = rows[(rows["scope"] == "shop") & rows["date"].isin(days)].drop_duplicates(["date", "shopId"])
    rows = rows.join(peer_fields(rows).add_prefix("src."))
    mean, rank = "src.exp_uv_mall_avg", "src.exp_uv_mall_avg_rank"
    shown = tables(by_title(made["peers", "zh"], "曝光人数"))[0].table
    assert len(shown.rows) == rows["shopId"].nunique() == 17
    for row in shown.rows:
        own = rows[rows["shopId"] == row["id"]].sort_values("date")
        assert row["own"] == pytest.approx(own["exposureUv"].astype(float).sum())
        assert row["peer"] == pytest.approx(own[mean].astype(float).sum())
        assert row["gap"] == pytest.approx(row["own"] / row["peer"] - 1)
        assert row["rank"].split("/")[0] == str(own[rank].iloc[-1]).split("/")[0]
        place, group = map(int, row["rank"].split("/"))
        assert row["percentile"] == pytest.approx((group - place) / (group - 1))
        assert row["side"] == ("领先" if row["gap"] > 0 else "落后")


def test_the_parts_of_a_change_add_up_to_it(made):
    for report in (made["peers", "zh"], made["peers", "en"]):
        splits = [
            b for s in report.sections for b in tables(s) if any(c.key == "market" for c in b.table.columns)
        ]
        assert len(splits) == 3
        for row in (r for b in splits for r in b.table.rows):
            assert row["market"] + row["own_part"] == pytest.approx(row["change"])
            assert row["after"] - row["before"] == pytest.approx(row["change"])


def test_a_report_can_be_narrowed_to_a_company(demo):
    health = demo.report_of_kind("health", viewer="test", lang="zh", entity="禾味集团")
    assert (health.entity, health.failed) == ("禾味集团", ())
    peers = demo.report_of_kind("peers", viewer="test", lang="zh", entity="E02", period=WEEK)
    shops = {r["id"] for r in tables(peers.sections[1])[0].table.rows}
    rows = facts(demo.settings.home)
    assert shops == set(rows[(rows["companyId"] == "E02") & (rows["scope"] == "shop")]["shopId"])
    assert peers.period == WEEK
    for report in (health, peers):
        found = demo.verify_report(demo.write_report(report, "html"))
        assert found["same"] == len(report.figures)
    with pytest.raises(BadRequest):
        demo.report_of_kind("health", viewer="test", lang="zh", entity="E99")


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_tells_its_progress_and_can_be_cancelled(demo, kind):
    told: list[tuple[str, float]] = []

    def count(chapter: str, share: float) -> bool:
        told.append((chapter, share))
        return True

    demo.report_of_kind(kind, viewer="test", lang="zh", progress=count)
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert told[-1] == ("", 1.0)
    for stop in (0, len(told) - 2):
        left = [stop]

        def go_on(chapter: str, share: float, left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] >= 0

        with pytest.raises(Cancelled):
            demo.report_of_kind(kind, viewer="test", lang="zh", progress=go_on)


# --- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_pdf_holds_every_sentence_and_shown_row(demo, made, kind, lang):
    report = made[kind, lang]
    text = extracted(demo.write_report(report, "pdf"))
    hanzi = set(re.findall(r"[\u3400-\u9fff]", said(report)))
    assert hanzi <= set(text)
    for block in (b for s in report.sections for b in tables(s)):
        for row in block.paper_rows:
            assert (
                re.sub(r"\s", "", str(row["name" if "name" in row else block.table.columns[0].key])) in text
            )
    assert "\u3013" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_the_workbook_holds_typed_numbers(demo, made, kind):
    report = made[kind, "en"]
    book = openpyxl.load_workbook(io.BytesIO(demo.write_report(report, "xlsx")))
    for section in report.sections:
        blocks = tables(section)
        if not blocks:
            continue
        table = blocks[0].table
        sheet = next(s for s in book if s.title.startswith(f"{section.id} "))
        head, *rows = sheet.iter_rows(values_only=True)
        assert list(head) == [c.label for c in table.columns]
        for at, column in enumerate(table.columns):
            if column.key in table.measures:
                wanted = [r.get(column.key) for r in table.rows]
                assert [r[at] for r in rows] == pytest.approx(wanted)


# --- after a load --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, dict[str, Report]]]:
    """Both reports of a lake into which a row was loaded after them: S0202's 10-14 with other figures."""
    tmp_path = tmp_path_factory.mktemp("edited")
    service = Service(Settings(home=tmp_path / "home"))
    service.install_demo(out=tmp_path / "out")
    reports = {kind: service.report_of_kind(kind, viewer="t", lang="en") for kind in KINDS}
    rows = pd.read_csv(tmp_path / "out" / "delivery.csv", dtype=str)
    row = rows[(rows["date"] == "2026-10-14") & (rows["shopId"] == "S0202")].copy()
    assert len(row) == 1
    row["incomeAmt"] = str(float(row["incomeAmt"].item()) + 500)  # no longer adds up to the gross sales
    row["exposureUv"] = str(int(float(row["exposureUv"].item())) + 700)
    row.to_csv(tmp_path / "edited.csv", index=False)
    service.ingest([tmp_path / "edited.csv"], model=str(tmp_path / "out" / "model.yaml"), dataset="demo")
    yield service, reports
    service.close()


def moved(service: Service, report: Report) -> dict[str, tuple[float, float]]:
    found = service.verify_report(service.write_report(report, "html"))
    assert found["unreachable"] == 0, [f for f in found["figures"] if f["status"] == "unreachable"]
    assert found["version"] != found["was_version"]
    assert found["same"] + found["drifted"] == len(report.figures)
    return {f["address"]: (f["was"], f["now"]) for f in found["figures"]}


def test_a_load_moves_exactly_the_health_figures_that_it_touched(edited):
    service, reports = edited
    drifted = moved(service, reports["health"])
    by_cell = {address.partition(":")[2]: change for address, change in drifted.items()}
    assert by_cell["identity:income_expense_gross.n_bad[verdict]"] == (1, 2)
    place = "金融街店.shop.S0202.findings.warn[verdict]"
    assert by_cell[place][1] - by_cell[place][0] >= 1
    still = ("all_zero_rows.", "missing_days.", "dup_keys.", "nulls.", "uv_bound.n_checked", "orphans.")
    assert not [cell for cell in by_cell if cell.startswith(still)]
    places = {cell for cell in by_cell if ".findings." in cell}
    assert all("S0202" in cell or "@2026-10" in cell for cell in places)
    again = service.report_of_kind("health", viewer="t", lang="en")
    now = {f.address.partition(":")[2]: f.value for f in again.figures}
    was = {f.address.partition(":")[2]: f.value for f in reports["health"].figures}
    assert {cell for cell in was if cell in now and now[cell] != pytest.approx(was[cell])} == by_cell.keys()


def test_a_load_moves_exactly_the_peer_figures_that_it_touched(edited):
    service, reports = edited
    drifted = moved(service, reports["peers"])
    standings = {a: c for a, c in drifted.items() if re.match(r"S\d{4}\.", a.partition(":")[2])}
    assert standings
    assert all(":S0202." in a for a in standings)
    was, now = standings["s2.t1:S0202.exposureUv"]
    assert now - was == 700
    assert not [a for a in standings if "orderRate" in a]  # made of visits, which did not change


def test_what_a_load_brought_is_told(edited):
    service, _ = edited
    report = service.report_of_kind("health", viewer="t", lang="en")
    grids = [b for s in report.sections for b in s.blocks if isinstance(b, GridBlock)]
    loads = next(b for b in grids if b.title == "By load")
    assert [row[0] for row in loads.rows] == ["2", "1"]
    brought = next(b for b in grids if b.title == "Appeared in version 2")
    assert any(row[1:] == ("金融街店", "S0202", "2026-10-14") for row in brought.rows)


def test_muted_findings_are_listed_with_reason_and_end_and_stay_counted(tmp_path):
    service = Service(Settings(home=tmp_path / "home"))
    try:
        service.install_demo()
        key = {"shopId": "S0301"}
        service.mute("demo", "all_zero_rows", days=5, reason="resync asked", viewer="li", lang="en", key=key)
        report = service.report_of_kind("health", viewer="t", lang="en")
        (grid,) = by_title(report, "Muted").blocks[1:]
        assert grid.rows == (("All-zero rows", "老城店 · S0301", "resync asked", "2026-10-22", "li"),)
        assert "until 2026-10-22: resync asked (li)" in said(report)
        assert value_of(report, "all_zero_rows.n_bad[verdict]") == 3
        assert "all_zero_rows" in {v.check for v in report.failed}
    finally:
        service.close()


# --- other lakes and hostile names ---------------------------------------------------------------


@pytest.fixture(scope="module")
def wards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two wards over July 2026, without the money of one on 07-20, in columns of their own; no peers."""
    home = tmp_path_factory.mktemp("wards")
    with (home / "wards.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("日期", "病区", "入院人数", "医疗费用"))
        for n in range(31):
            for ward in ("骨科病区", "儿科病区"):
                money = "" if (n, ward) == (19, "儿科病区") else 900.5 + n
                out.writerow((date(2026, 7, 1) + timedelta(days=n), ward, 5 + n % 3, money))
    service = Service(Settings(home=home / "home"))
    service.ingest([home / "wards.csv"], dataset="wards")
    yield service
    service.close()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_lake_of_another_trade_has_its_health_report(wards, lang):
    report = wards.report_of_kind("health", viewer="t", lang=lang, dataset="wards")
    assert value_of(report, "nulls.n_bad[verdict]") == 1
    found = wards.verify_report(wards.write_report(report, "html"))
    assert found["same"] == len(report.figures) > 0
    text = extracted(wards.write_report(report, "pdf"))
    assert "医疗费用" in text
    assert "2026-07-20" in text
    for text in (said(report), *(s.title for s in report.sections)):
        assert not re.search(r"[{}]|None", text)


def test_a_lake_without_peers_is_declined_with_the_reason(wards):
    with pytest.raises(BadRequest, match="没有同行数据"):
        wards.report_of_kind("peers", viewer="t", lang="zh", dataset="wards")
    answer = wards.ask("出一份同行对标报告", viewer="t", dataset="wards", planner="rules")
    assert answer["status"] == "refused"
    assert wards.made_reports(viewer="t") == ()


NAMES = {
    "A": "<script>alert(1)</script>",
    "B": '=HYPERLINK("http://127.0.0.1/","x")',
    "C": '#panic("x") $x$ | a:b.c/d \\',
    "D": "同名",
    "E": "同名",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, takeaway_model) -> Iterator[Service]:
    """Five shops over two weeks, sales without orders on the third day; A cooks slower than its peers, the others
    faster; D has too few peers.
    """
    rows = []
    for n in range(14):
        for at, shop in enumerate(NAMES):
            raw = {
                "exp_uv_mall_avg": 100 + n,
                "exp_uv_mall_avg_rank": 9 + (n // 7) * at,
                "cookingMin__peer_avg": 10,
                "cookingMin__peer_rank": 2,
                "peer_shop_cnt": 3 if shop == "D" else 40,
            }
            rows.append(
                {
                    "date": date(2026, 10, 1) + timedelta(days=n),
                    "scope": "shop",
                    "companyId": "E1",
                    "companyName": "@SUM(1)",
                    "chainId": "K1",
                    "chainName": "-1+1",
                    "shopId": shop,
                    "shopName": NAMES[shop],
                    "exposureUv": 0 if (n, shop) == (3, "A") else 90 + 5 * at,
                    "visitUv": 0 if (n, shop) == (3, "A") else 40,
                    "grossAmt": 100.0,
                    "validOrderCnt": 0 if n == 2 else 5,
                    "cookingMin": 12.0 if shop == "A" else 8.0,
                    "raw": json.dumps(raw),
                }
            )
    service = Service(Settings(home=tmp_path_factory.mktemp("hostile")), clock=lambda: 1792000000.0)
    service.lake.load("p", Delivery(table=pa.Table.from_pylist(rows)), takeaway_model)
    yield service
    service.close()


@pytest.fixture(scope="module")
def hostile_reports(hostile: Service) -> dict[str, Report]:
    period = Period(start=date(2026, 10, 8), end=date(2026, 10, 14))
    return {
        kind: hostile.report_of_kind(
            kind, viewer="t", lang="en", dataset="p", period=period if kind == "peers" else None
        )
        for kind in KINDS
    }


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_do_no_harm_in_any_format(hostile, hostile_reports, kind):
    report = hostile_reports[kind]
    page = hostile.write_report(report, "html")
    assert b"<script>alert" not in page
    assert page.count(b"<script") == 2
    book = openpyxl.load_workbook(io.BytesIO(hostile.write_report(report, "xlsx")))
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row if c.value is not None]
    assert not [c for c in cells if c.data_type == "f" or c.hyperlink]
    assert NAMES["B"] in {c.value for c in cells}
    assert re.sub(r"\s", "", NAMES["C"]) in extracted(hostile.write_report(report, "pdf"))
    assert "<script>" not in hostile.write_report(report, "md").decode()
    found = hostile.verify_report(page)
    assert (found["drifted"], found["unreachable"]) == (0, 0)
    assert found["same"] == len(report.figures)


def test_less_is_better_where_the_metric_says_so(hostile_reports):
    section = next(s for s in hostile_reports["peers"].sections if "ooking" in s.title)
    rows = tables(section)[0].table.rows
    assert (rows[0]["id"], rows[0]["side"]) == ("A", "behind")
    assert {r["side"] for r in rows[1:]} == {"ahead"}
    assert rows[0]["gap"] == pytest.approx(0.2)


def test_a_small_group_is_hidden_and_counted(hostile_reports):
    report = hostile_reports["peers"]
    for section in report.sections[1:-1]:
        assert "D" not in {r["id"] for r in tables(section)[0].table.rows}
        assert "1 hidden" in "".join(p.plain for p in section.blocks[0].paragraphs)


# --- asked for in words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind", "period"),
    [
        ("出一份数据体检报告", "health", Period(start=date(2025, 8, 1), end=date(2026, 10, 17))),
        ("a report on data quality for last week", "health", WEEK),
        ("同行对标报告", "peers", PEER_WEEK),
        ("peer report for last week as PDF", "peers", WEEK),
        ("同行周报", "peers", WEEK),
    ],
)
def test_a_report_asked_for_is_written_and_kept(demo, question, kind, period):
    answer = demo.ask(question, viewer="kinds", planner="rules")
    assert answer["status"] == "done", answer["error"]
    assert [s["tool"] for s in answer["steps"]] == ["build_report"]
    assert answer["steps"][0]["args"] == {"kind": kind, **period.as_json()}
    assert answer["provenance"]["coverage"] == 1.0
    kept = next(m for m in demo.made_reports(viewer="kinds") if m.report_id == answer["report"]["id"])
    assert (kept.kind, kept.period, kept.entity) == (kind, period, "悦食餐饮")
    assert demo.report_file(kept.report_id, "pdf", viewer="kinds").startswith(b"%PDF")
    found = demo.verify_report(demo.report_file(kept.report_id, "html", viewer="kinds"))
    assert found["same"] == kept.figures


@pytest.mark.parametrize(
    "question",
    [
        "蜀小馆的同行对标报告",
        "曝光人数的同行报告",
        "出一份周报和同行报告",
        "出一份周报，对比同行",
        "S0301的数据体检报告",
    ],
)
def test_what_such_a_report_cannot_be_is_declined(demo, question):
    answer = demo.ask(question, viewer="declined", planner="rules")
    assert answer["status"] == "refused"
    assert answer["error"]["hint"]
    assert demo.made_reports(viewer="declined") == ()
