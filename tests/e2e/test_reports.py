"""Reports as they leave the product: figures, formats, verification after a load, hostile cells."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import pypdfium2
import pytest
from deltalake import DeltaTable

from askcore.base.config import Settings
from askcore.base.errors import BadRequest
from askcore.base.reports import GridBlock, Report, ReportOptions, TableBlock, TextBlock
from askcore.base.values import Column, Period, Table
from askcore.report.markup import paragraphs
from askcore.service import Service

WEEK = Period(start=date(2026, 10, 5), end=date(2026, 10, 11))
BEFORE = Period(start=date(2026, 9, 28), end=date(2026, 10, 4))


@pytest.fixture(scope="module")
def reports(demo: Service) -> dict[str, Report]:
    return {lang: demo.report_of_kind("weekly", viewer="test", lang=lang) for lang in ("zh", "en")}


def by_sql(home: Path, sql: str) -> dict[str, float]:
    """Straight from the lake's files, as the table `fact`."""
    fact = DeltaTable(home / "lake" / "demo" / "facts").to_pyarrow_table()
    with duckdb.connect() as con:
        con.register("fact", fact)
        return {key: float(value) for key, value in con.execute(sql).fetchall()}


def tables(report: Report) -> dict[str, Table]:
    return {s.title: b.table for s in report.sections for b in s.blocks if isinstance(b, TableBlock)}


def said(report: Report) -> str:
    return "\n".join(
        p.plain for s in report.sections for b in s.blocks if isinstance(b, TextBlock) for p in b.paragraphs
    )


def extracted(pdf: bytes) -> str:
    """What a reader can copy out, without the spaces of the layout."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        found = "".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()
    return re.sub(r"\s", "", found)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_newest_whole_week_is_reported_with_the_lakes_own_numbers(demo, reports, lang):
    report = reports[lang]
    assert (report.kind, report.period, report.entity) == ("weekly", WEEK, "悦食餐饮")
    assert report.is_synthetic
    where = '"companyId" = \'E01\' AND "_dup_n" = 1'
    sales = by_sql(
        demo.settings.home,
        f'SELECT "chainId", sum("grossAmt") FROM fact WHERE scope = \'chain\' AND {where}'
        f" AND date BETWEEN '{WEEK.start}' AND '{WEEK.end}' GROUP BY 1",
    )
    before = by_sql(
        demo.settings.home,
        f'SELECT "chainId", sum("grossAmt") FROM fact WHERE scope = \'chain\' AND {where}'
        f" AND date BETWEEN '{BEFORE.start}' AND '{BEFORE.end}' GROUP BY 1",
    )
    by_chain = next(t for name, t in tables(report).items() if "连锁" in name or "Chain" in name)
    shown = {r["chainId"]: r["grossAmt"] for r in by_chain.rows}
    assert shown == pytest.approx(sales)
    assert {r["chainId"]: r["grossAmt__prev"] for r in by_chain.rows} == pytest.approx(before)
    days = by_sql(
        demo.settings.home,
        f"SELECT date, \"grossAmt\" FROM fact WHERE scope = 'company' AND {where}"
        f" AND date BETWEEN '{WEEK.start}' AND '{WEEK.end}'",
    )
    trend = tables(report)["按天走势" if lang == "zh" else "Day by day"]
    assert {str(r["date"]): r["grossAmt"] for r in trend.rows} == pytest.approx(
        {str(day): value for day, value in days.items()}
    )
    assert f"{sum(days.values()):,.2f}" in said(report)


def test_every_chapter_is_answered_and_every_number_in_it_has_a_source(demo, reports):
    for report in reports.values():
        assert len(report.sections) == 6
        for section in report.sections:
            run = demo.snapshot(section.run_id, viewer="test")
            assert run.status == "done", section.title
            assert run.provenance["coverage"] in (None, 1.0)
            assert run.provenance["words"]["contradicted"] == 0
            assert section.figures


def test_a_failing_check_stands_before_every_figure_and_marks_its_own(demo, reports):
    page = demo.write_report(reports["zh"], "html").decode()
    zero_row = next(v for v in reports["zh"].failed if v.check == "all_zero_rows")
    assert page.index("role=alert") < page.index("<section")
    assert zero_row.note in page[: page.index("<section")].replace("&quot;", '"')
    assert re.search(r"⚠ v\d", page)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_pdf_can_be_read_out_whole(demo, reports, lang):
    report = reports[lang]
    text = extracted(demo.write_report(report, "pdf"))
    for block in (b for s in report.sections for b in s.blocks):
        if isinstance(block, TextBlock):
            for paragraph in block.paragraphs:
                hanzi = set(re.findall(r"[\u3400-\u9fff]", paragraph.plain))
                assert hanzi <= set(text)
        elif isinstance(block, TableBlock):
            for row in block.table.rows:
                assert all(re.sub(r"\s", "", str(row[d])) in text for d in block.table.dimensions[-1:])
    assert "\u3013" not in text


def test_the_workbook_holds_typed_numbers_and_days(demo, reports):
    report = reports["zh"]
    book = openpyxl.load_workbook(io.BytesIO(demo.write_report(report, "xlsx")))
    trend = next(s for s in report.sections if s.title == "按天走势")
    sheet = book[f"{trend.id} {trend.title}"]
    head, *rows = sheet.iter_rows(values_only=True)
    table = tables(report)["按天走势"]
    assert list(head) == [c.label for c in table.columns]
    assert [r[0].date() for r in rows[:-1]] == [date.fromisoformat(str(r["date"])) for r in table.rows]
    assert [r[1] for r in rows[:-1]] == pytest.approx([r["grossAmt"] for r in table.rows])
    assert rows[-1][1] == pytest.approx(table.totals["grossAmt"])


def test_the_options_choose_title_order_and_appendices(demo, reports):
    report = reports["en"]
    kept = (report.sections[3].id, report.sections[0].id)
    chosen = demo.report_of_kind(
        "weekly", viewer="test", lang="en", options=ReportOptions(title="Mine", order=kept, provenance=False)
    )
    assert chosen.title == "Mine"
    assert [s.title for s in chosen.sections] == [report.sections[3].title, report.sections[0].title]
    page = demo.write_report(chosen, "html").decode()
    assert "<details" not in page
    assert "SELECT" in demo.write_report(replace(report, has_sql=True), "html").decode()
    with pytest.raises(BadRequest):
        demo.report_of_kind("weekly", viewer="test", lang="en", options=ReportOptions(order=("s99",)))


@pytest.mark.parametrize(
    ("period", "kind"),
    [(Period(start=date(2026, 9, 1), end=date(2026, 9, 30)), "monthly"), (None, "monthly")],
)
def test_a_month_is_compared_with_the_month_before(demo, period, kind):
    report = demo.report_of_kind(kind, viewer="test", lang="zh", period=period)
    assert report.period == Period(start=date(2026, 9, 1), end=date(2026, 9, 30))
    assert "2026-08-01" in said(report)


def test_answers_are_collected_as_they_were_given(demo):
    asked = ["上周各品牌营业额", "上周下单率"]
    runs = [demo.ask(q, viewer="test", planner="rules")["run_id"] for q in asked]
    report = demo.report_of_runs(runs, viewer="test", lang="zh")
    assert [s.title for s in report.sections] == asked
    refused = demo.ask("把上周营业额改成5000", viewer="test", planner="rules")["run_id"]
    with pytest.raises(BadRequest):
        demo.report_of_runs([refused], viewer="test", lang="zh")
    with pytest.raises(BadRequest):
        demo.report_of_runs(runs, viewer="somebody else", lang="zh")


# --- verification --------------------------------------------------------------------------------


def _edited(out: Path, day: str, shop: str) -> Path:
    """A delivery of one shop's day, its sales and what makes them up half as much again."""
    rows = pd.read_csv(out / "delivery.csv", dtype=str)
    row = rows[(rows["date"] == day) & (rows["shopId"] == shop)].copy()
    assert len(row) == 1
    for column in ("grossAmt", "incomeAmt", "expenseAmt"):
        row[column] = str(round(float(row[column].item()) * 1.5, 2))
    path = out / "edited.csv"
    row.to_csv(path, index=False)
    return path


def test_verification_names_exactly_the_figures_that_a_load_moved(tmp_path):
    service = Service(Settings(home=tmp_path / "home"))
    service.install_demo(out=tmp_path / "out")
    try:
        asked = "2026-10-05至2026-10-11各门店营业额"
        run = service.ask(asked, viewer="t", planner="rules")["run_id"]
        report = service.report_of_runs([run], viewer="t", lang="zh")
        written = service.write_report(report, "html")
        same = service.verify_report(written)
        assert (same["drifted"], same["unreachable"]) == (0, 0)
        assert same["same"] == len(report.figures)
        edited = _edited(tmp_path / "out", "2026-10-07", "S0202")
        service.ingest([edited], model=str(tmp_path / "out" / "model.yaml"), dataset="demo")
        moved = service.verify_report(written)
        assert moved["version"] != moved["was_version"]
        assert moved["unreachable"] == 0
        drifted = {f["address"] for f in moved["figures"]}
        table = next(b.table for b in report.sections[0].blocks if isinstance(b, TableBlock))
        shown = [
            f
            for f in report.figures
            if "total" in f.address or "S0202" in f.address or "金融街店" in f.address
        ]
        assert drifted <= {f.address for f in shown}
        assert any("S0202" in address for address in drifted)
        assert table.row_count > len(drifted)
    finally:
        service.close()


def test_a_report_that_was_changed_is_refused(demo, reports):
    written = demo.write_report(reports["zh"], "html").decode()
    found = re.search(r'id="asklake-report">(.*?)</script>', written, re.DOTALL)
    assert found is not None
    told = json.loads(found.group(1))
    told["sources"][0]["args"]["from"] = "2026-01-01"
    changed = written.replace(found.group(1), json.dumps(told))
    with pytest.raises(BadRequest):
        demo.verify_report(changed.encode())
    for nothing in (b"", b"<html>", b"\xff\xfe\x00", written[:-3000].encode()[:50000]):
        with pytest.raises(BadRequest):
            demo.verify_report(nothing)


# --- hostile cells -------------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    '#import "/etc/passwd"; #panic("x") $x$ *b* _i_ @ref <label> \\',
    "=1+1",
    '=HYPERLINK("http://127.0.0.1/","x")',
    "@SUM(1)",
    "+1",
    "-1",
    "http://127.0.0.1:9/",
    "| a | b |\n|---|",
    "😀👨‍👩‍👧 ok",
    "𪚥龘㐀",
    "\x00\x07\u202e\u200bx",
    "长" * 10_000,
)


@pytest.fixture(scope="module")
def hostile(reports) -> Report:
    rows = tuple({"name": text, "n": 1.0} for text in HOSTILE)
    columns = (Column(key="name", label=HOSTILE[1]), Column(key="n", label="=n", unit="CNY"))
    table = Table(columns=columns, rows=rows, row_count=len(rows))
    first = reports["zh"].sections[0]
    blocks = (
        TextBlock(paragraphs=paragraphs("\n".join(HOSTILE))),
        TableBlock(title=HOSTILE[0], table=table, source="s1.t1"),
        GridBlock(title=HOSTILE[2], heads=HOSTILE[:2], rows=tuple((h, h) for h in HOSTILE)),
    )
    section = replace(first, title=HOSTILE[1], question=HOSTILE[2], blocks=blocks, evidence=blocks)
    return replace(reports["zh"], title=HOSTILE[0], sections=(section,))


def test_hostile_cells_do_no_harm_in_html(demo, hostile):
    page = demo.write_report(hostile, "html").decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("<script") == 2
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_hostile_cells_do_no_harm_in_a_workbook(demo, hostile):
    book = openpyxl.load_workbook(io.BytesIO(demo.write_report(hostile, "xlsx")))
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row if c.value is not None]
    assert not [c for c in cells if c.data_type == "f" or c.hyperlink]
    texts = {c.value for c in cells}
    assert {"=1+1", "@SUM(1)", "😀👨‍👩‍👧 ok", "𪚥龘㐀"} <= texts


def test_hostile_cells_do_no_harm_in_a_pdf(demo, hostile):
    text = extracted(demo.write_report(hostile, "pdf"))
    assert "<script>alert(1)</script>" in text
    assert "#panic" in text
    assert "龘" in text
    assert "\u3013" in text  # emoji stand as the printer's mark
    assert "U+1F600" in text
    assert "\x07" not in text


def test_hostile_cells_are_no_markup_in_markdown(demo, hostile):
    text = demo.write_report(hostile, "md").decode()
    assert "<script>" not in text
    assert "\\<script\\>" in text
    assert "| a | b |" not in text


# --- asked for in words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind", "period"),
    [
        ("出一份上周的经营周报，能打印的", "weekly", WEEK),
        ("9月的月报", "monthly", Period(start=date(2026, 9, 1), end=date(2026, 9, 30))),
        ("write a weekly business report for last week", "weekly", WEEK),
        ("给我一份报告", "weekly", WEEK),
    ],
)
def test_a_report_asked_for_is_written_and_kept(demo, question, kind, period):
    answer = demo.ask(question, viewer="reader", planner="rules")
    assert answer["status"] == "done", answer["error"]
    assert [s["tool"] for s in answer["steps"]] == ["build_report"]
    assert answer["steps"][0]["args"] == {"kind": kind, **period.as_json()}
    assert answer["provenance"]["coverage"] == 1.0
    found = answer["report"]
    made = next(m for m in demo.made_reports(viewer="reader") if m.report_id == found["id"])
    assert (made.kind, made.period, found["kind"]) == (kind, period, kind)
    assert (demo.settings.state_dir / found["html"]).read_bytes() == demo.report_file(
        found["id"], "html", viewer="reader"
    )
    assert demo.report_file(found["id"], "pdf", viewer="reader").startswith(b"%PDF")
    failing = {v["check"] for v in answer["verdicts"] if v["status"] == "fail"}
    assert all(note in answer["answer"] for note in made.failed) or len(made.failed) > len(failing)


def test_a_kept_report_is_its_makers_own(demo):
    demo.ask("给我一份周报", viewer="owner", planner="rules")
    made = demo.made_reports(viewer="owner")[0]
    assert demo.made_reports(viewer="other") == ()
    for report_id, file_format, viewer in (
        (made.report_id, "html", "other"),
        (made.report_id, "exe", "owner"),
        ("../../etc/passwd", "html", "owner"),
        ("p000000000000", "html", "owner"),
    ):
        with pytest.raises(BadRequest):
            demo.report_file(report_id, file_format, viewer=viewer)


@pytest.mark.parametrize(
    "question",
    [
        "生成上周蜀小馆的周报",
        "上周营业额周报",
        "出一份季报",
        "导出上周各品牌营业额",
        "weekly report for 科技园店",
    ],
)
def test_what_a_report_cannot_be_is_declined_not_written(demo, question):
    answer = demo.ask(question, viewer="nobody", planner="rules")
    assert answer["status"] == "refused"
    assert answer["error"]["hint"]
    assert demo.made_reports(viewer="nobody") == ()
