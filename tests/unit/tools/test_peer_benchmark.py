"""`peer_benchmark` on four shops over two windows of two days, added up by hand, and on the demo lake.

Baseline 10-01, 10-02; current 10-03, 10-04. Peers as the source gives them:

| shop | exposure    | peer exposure | visits     | peer visit rate | rank     | peers    | cooking / peers' |
| A    | 100 100 50 150 | 100 100 100 100 | 10 10 10 15 | .1 .1 .2 .1  | 8 8 31 31   | 69        | 12 / 10 |
| B    | 200 200 100 100 | 100 100 50 50 | 20 20 10 10 | .2 .2 .2 .2 | 20 20 10 8 | 40 40 50 50 | 8 / 10 |
| C    | 60 60 30 30    | 40 40 - 40     | 6 6 3 3    | .1 .1 - .1  | 5 5 - 9    | 20        | 9 / 9  |
| D    | 10 everywhere  | 20             | 1          | .1          | 3          | 3         | 9 / 10 |
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Delivery, Lake
from askcore.lake.demo.build import build_demo
from askcore.semantic.parse import parse_model
from askcore.tools import peer_benchmark
from askcore.tools.base import ToolContext, call

FIRST = date(2026, 10, 1)
WINDOWS = {
    "current": {"from": "2026-10-03", "to": "2026-10-04"},
    "baseline": {"from": "2026-10-01", "to": "2026-10-02"},
}
EXPOSURE = {"A": (100, 100, 50, 150), "B": (200, 200, 100, 100), "C": (60, 60, 30, 30), "D": (10,) * 4}
VISITS = {"A": (10, 10, 10, 15), "B": (20, 20, 10, 10), "C": (6, 6, 3, 3), "D": (1,) * 4}
PEERS = {"A": (100, 100, 100, 100), "B": (100, 100, 50, 50), "C": (40, 40, None, 40), "D": (20,) * 4}
RATES = {"A": (0.1, 0.1, 0.2, 0.1), "B": (0.2,) * 4, "C": (0.1, 0.1, None, 0.1), "D": (0.1,) * 4}
RANKS = {"A": (8, 8, 31, 31), "B": (20, 20, 10, 8), "C": (5, 5, None, 9), "D": (3,) * 4}
COUNTS = {"A": (69,) * 4, "B": (40, 40, 50, 50), "C": (20,) * 4, "D": (3,) * 4}
COOKING = {"A": (12, 10), "B": (8, 10), "C": (9, 9), "D": (9, 10)}


def delivery(change=None, names=None) -> pa.Table:
    """change: called with (shop, day index, raw fields) before they are written."""
    rows = []
    for shop in "ABCD":
        for i in range(4):
            raw = {
                "exp_uv_mall_avg": PEERS[shop][i],
                "exp_uv_mall_avg_rank": RANKS[shop][i],
                "clk_exp_rate_mall_avg": RATES[shop][i],
                "cookingMin__peer_avg": COOKING[shop][1],
                "cookingMin__peer_rank": 2,
                "peer_shop_cnt": COUNTS[shop][i],
            }
            if change is not None:
                change(shop, i, raw)
            rows.append(
                {
                    "date": FIRST + timedelta(days=i),
                    "scope": "shop",
                    "companyId": "E1",
                    "companyName": "Company",
                    "chainId": "K1",
                    "chainName": "Chain",
                    "shopId": shop,
                    "shopName": (names or {}).get(shop, f"Shop {shop}"),
                    "exposureUv": EXPOSURE[shop][i],
                    "visitUv": VISITS[shop][i],
                    "grossAmt": 100.0,
                    "validOrderCnt": 5,
                    "cookingMin": float(COOKING[shop][0]),
                    "raw": json.dumps({k: v for k, v in raw.items() if v is not None}) if raw else None,
                }
            )
    return pa.Table.from_pylist(rows)


@pytest.fixture(scope="module")
def opened(tmp_path_factory, takeaway_model):
    """Opens lakes of a delivery; closes them all."""
    lakes: list[Lake] = []

    def open_lake(table: pa.Table, model=takeaway_model):
        lake = Lake(Settings(home=tmp_path_factory.mktemp("peers")))
        lake.load("p", Delivery(table=table), model)
        lakes.append(lake)
        return lake.open("p")

    yield open_lake
    for lake in lakes:
        lake.close()


@pytest.fixture(scope="module")
def view(opened):
    return opened(delivery())


def ask(view, *, lang="en", as_of=date(2026, 10, 5), entity="E1", **args):
    ctx = ToolContext(view=view, lang=lang, as_of=as_of, viewer="u", entity=entity)
    return call(peer_benchmark.TOOL, args, ctx)


def rows_of(result) -> dict[str, dict]:
    assert result.ok, result.error
    return {r["shopId"]: dict(r) for r in result.table.rows}


def verdict(result, check, target=None):
    return next(v for v in result.verdicts if v.check == check and target in (None, v.target))


def test_sums_and_rates_are_compared_over_the_days_that_have_both(view):
    rows = rows_of(ask(view, metrics=["exposureUv", "visitRate"], **WINDOWS))
    assert (rows["A"]["exposureUv"], rows["A"]["exposureUv__peer"], rows["A"]["exposureUv__gap"]) == (
        200,
        200,
        0,
    )
    assert (rows["B"]["exposureUv"], rows["B"]["exposureUv__peer"], rows["B"]["exposureUv__gap"]) == (
        200,
        100,
        1,
    )
    assert (rows["C"]["exposureUv"], rows["C"]["exposureUv__peer"]) == (30, 40)
    assert rows["C"]["exposureUv__gap"] == -0.25


def test_the_mix_of_days_makes_no_gap_in_a_rate(view):
    row = rows_of(ask(view, metrics=["visitRate"], **WINDOWS))["A"]
    assert row["visitRate"] == 0.125  # 25 of 200
    assert row["visitRate__peer"] == 0.125  # (.2 * 50 + .1 * 150) / 200; the plain mean would be .15
    assert row["visitRate__gap"] == 0


def test_a_gap_of_a_rate_is_a_difference_and_never_a_percentage_of_it(view):
    result = ask(view, metrics=["visitRate"], **WINDOWS)
    assert rows_of(result)["B"]["visitRate__gap"] == pytest.approx(-0.1)
    assert next(c for c in result.table.columns if c.key == "visitRate__gap").unit == "pp"
    assert {c.unit for c in result.cells if c.role == "delta" and c.metric == "visitRate"} == {"pp"}


def test_rank_of_the_newest_day_with_its_group_and_the_mean(view):
    row = rows_of(ask(view, metrics=["exposureUv"], **WINDOWS))["B"]
    assert (row["exposureUv__rank"], row["exposureUv__peers"], row["exposureUv__rank_mean"]) == (8, 50, 9)
    assert (row["exposureUv__rank_mean_prev"], row["exposureUv__rank_change"]) == (20, 11)
    assert (
        ask(view, metrics=["exposureUv"], **WINDOWS).facts["metrics"]["exposureUv"]["ahead"][0]["rank"]
        == "8/50"
    )


def test_moving_to_a_smaller_rank_is_an_improvement(view):
    swapped = {"current": WINDOWS["baseline"], "baseline": WINDOWS["current"]}
    assert rows_of(ask(view, metrics=["exposureUv"], **swapped))["A"]["exposureUv__rank_change"] == 23
    assert rows_of(ask(view, metrics=["exposureUv"], **WINDOWS))["A"]["exposureUv__rank_change"] == -23


def test_a_fallen_rank_is_a_finding_with_its_peers_and_the_days_as_keys(view):
    result = ask(view, metrics=["exposureUv"], **WINDOWS)
    found = verdict(result, "peer_rank")
    assert (found.status, found.n_bad) == ("warn", 1)
    assert [(k["date"], k["shopId"]) for k in found.keys] == [("2026-10-03", "A"), ("2026-10-04", "A")]
    assert result.facts["findings"][0]["kind"] == "rank_fell"  # the peers of A stayed at 100
    assert "8 to 31" in found.note and "20%" in found.tolerance


def test_peers_that_fall_too_are_said(opened):
    def halve(shop, i, raw):
        if shop == "A" and i >= 2:
            raw["exp_uv_mall_avg"] = 50

    result = ask(opened(delivery(halve)), metrics=["exposureUv"], **WINDOWS)
    finding = result.facts["findings"][0]
    assert (finding["kind"], finding["id"], finding["peer_change"]) == ("rank_fell_with_peers", "A", -0.5)
    assert "the peer mean fell too, by 50.00%" in finding["text"]


def test_a_group_that_changed_by_more_than_a_tenth_is_not_compared(view):
    found = verdict(ask(view, metrics=["exposureUv"], **WINDOWS), "peer_group")
    assert (found.status, [k["shopId"] for k in found.keys]) == ("warn", ["B"])
    assert "+25.0%" in found.note


def test_small_groups_are_hidden_with_the_reason(view):
    result = ask(view, metrics=["exposureUv"], **WINDOWS)
    row = rows_of(result)["D"]
    assert {row[f"exposureUv{s}"] for s in ("", "__peer", "__gap", "__rank", "__rank_mean")} == {None}
    assert not [c for c in result.cells if c.entity == "Shop D" and c.metric == "exposureUv"]
    assert "Shop D" in verdict(result, "peer_gap").note
    assert result.facts["metrics"]["exposureUv"]["hidden_small"] == [{"id": "D", "name": "Shop D"}]


def test_days_without_peers_are_counted_and_said(view):
    result = ask(view, metrics=["exposureUv"], **WINDOWS)
    assert result.facts["days"]["without_peers"] == 1
    assert any("1 shop-day without peer data" in n.text for n in result.notes)


def test_who_is_behind_is_told_by_polarity(view):
    result = ask(view, metrics=["cookingMin"], **WINDOWS)
    counts = result.facts["metrics"]["cookingMin"]["counts"]
    assert (counts["behind"], counts["ahead"], counts["level"]) == (1, 1, 1)
    assert [e["id"] for e in result.facts["metrics"]["cookingMin"]["behind"]] == [
        "A"
    ]  # slower than its peers
    assert "lower is better" in verdict(result, "peer_rank").note
    assert rows_of(result)["A"]["cookingMin__gap"] == pytest.approx(0.2)


def test_peer_gap_counts_shops_per_metric(view):
    found = verdict(ask(view, metrics=["exposureUv", "visitRate"], **WINDOWS), "peer_gap", "Exposure users")
    assert (found.kind, found.n_checked, found.n_bad, found.status) == ("peer", 3, 1, "warn")
    assert [k["shopId"] for k in found.keys] == ["C"]


@pytest.mark.parametrize(
    ("args", "shown", "count"),
    [
        ({"filter": "below_peer"}, ["C"], 1),
        ({"filter": "above_peer"}, ["B"], 1),
        ({"sort": "rank_change"}, ["B", "C", "A", "D"], 4),
        ({"sort": "-rank_change"}, ["A", "C", "B", "D"], 4),
        ({"sort": "gap"}, ["C", "A", "B", "D"], 4),
        ({"sort": "-gap", "limit": 1}, ["B"], 4),
        ({"sort": "rank"}, ["B", "C", "A", "D"], 4),
        ({"sort": "-exposureUv"}, ["A", "B", "C", "D"], 4),
        ({"sort": "exposureUv__peer_change"}, ["B", "A", "C", "D"], 4),
        ({}, ["C", "A", "B", "D"], 4),
    ],
)
def test_filter_sort_and_limit(view, args, shown, count):
    result = ask(view, metrics=["exposureUv"], **WINDOWS, **args)
    assert [r["shopId"] for r in result.table.rows] == shown
    assert (result.row_count, result.shown) == (count, len(shown))


def test_peer_rates_in_percent_are_converted(opened, view):
    def percent(shop, i, raw):
        if raw["clk_exp_rate_mall_avg"] is not None:
            raw["clk_exp_rate_mall_avg"] *= 100

    def one_day(shop, i, raw):
        if i == 3:
            percent(shop, i, raw)

    plain = rows_of(ask(view, metrics=["visitRate"], **WINDOWS))
    for change in (percent, one_day):
        result = ask(opened(delivery(change)), metrics=["visitRate"], **WINDOWS)
        for shop, row in rows_of(result).items():
            assert row["visitRate__peer"] == pytest.approx(plain[shop]["visitRate__peer"]), shop
        assert result.facts["as_percent"] == ["visitRate"]
        assert any("percentage" in n.text for n in result.notes)


def test_ranks_and_rates_written_as_text_are_read(opened, view):
    def as_text(shop, i, raw):
        if raw["exp_uv_mall_avg_rank"] is not None:
            raw["exp_uv_mall_avg_rank"] = f"{raw['exp_uv_mall_avg_rank']}/{raw['peer_shop_cnt']}"
            raw["clk_exp_rate_mall_avg"] = f"{raw['clk_exp_rate_mall_avg']:.1%}"
        del raw["peer_shop_cnt"]

    args = {"metrics": ["exposureUv", "visitRate"], **WINDOWS}
    plain, read = rows_of(ask(view, **args)), rows_of(ask(opened(delivery(as_text)), **args))
    for shop in "ABC":
        assert read[shop] == pytest.approx(plain[shop]), shop
    assert read["D"]["exposureUv__gap"] is None


def test_one_changed_peer_value_moves_exactly_that_shop(opened, view):
    def change(shop, i, raw):
        if shop == "B" and i == 3:
            raw["exp_uv_mall_avg"] = 350

    before = rows_of(ask(view, metrics=["exposureUv"], **WINDOWS))
    result = ask(opened(delivery(change)), metrics=["exposureUv"], **WINDOWS)
    after = rows_of(result)
    assert [s for s in "ABCD" if after[s] != before[s]] == ["B"]
    assert (after["B"]["exposureUv__peer"], after["B"]["exposureUv__gap"]) == (400, -0.5)
    assert verdict(result, "peer_gap").n_bad == 2


def test_metrics_without_peers_are_named_with_those_that_have_them(view):
    mixed = ask(view, metrics=["exposureUv", "grossAmt"], **WINDOWS)
    assert mixed.ok and mixed.args["metrics"] == ["exposureUv"]
    assert any(n.code == "reserved_column" and "Gross sales" in n.text for n in mixed.notes)
    alone = ask(view, metrics=["grossAmt"], **WINDOWS)
    assert alone.error.error_class == "empty"
    assert "Not available in this source" in alone.error.message and "Exposure users" in alone.error.message


def test_default_metrics_are_those_with_peers_and_default_days_end_at_t_minus_1(view):
    result = ask(view)
    assert result.args["metrics"] == ["exposureUv", "visitRate", "cookingMin"]
    assert (result.args["from"], result.args["to"]) == ("2026-10-01", "2026-10-04")
    assert result.args["baseline"] is None
    assert verdict(result, "peer_rank").status == verdict(result, "peer_group").status == "skip"
    assert "exposureUv__rank_change" not in {c.key for c in result.table.columns}


def test_unsettled_days_are_cut_and_said(view):
    result = ask(view, metrics=["exposureUv"], **{"from": "2026-10-04", "to": "2026-10-09"})
    assert (result.args["from"], result.args["to"]) == ("2026-10-04", "2026-10-04")
    assert [(c.arg, c.after) for c in result.clamped] == [("to", "2026-10-04")]


@pytest.mark.parametrize(
    ("args", "error_class"),
    [
        ({"metrics": ["exposreUv"]}, "unknown_name"),
        ({"metrics": ["exposureUv"], "shops": ["Shop Z"]}, "unknown_name"),
        ({"metrics": ["exposureUv"], "sort": "gapp"}, "unknown_name"),
        ({"metrics": ["exposureUv"], "sort": "grossAmt__gap"}, "unknown_name"),
        ({"metrics": ["exposureUv"], "filter": "beside"}, "bad_args"),
        ({"metrics": ["exposureUv"], "limit": 0}, "bad_args"),
        ({"metrics": ["exposureUv"], "scope": "'; DROP TABLE fact"}, "unknown_name"),
        ({"metrics": ["exposureUv"], "from": "2026-10-04", "to": "2026-10-01"}, "bad_args"),
        ({"metrics": ["exposureUv"], "from": "2026-10-04", **WINDOWS}, "bad_args"),
        ({"metrics": ["exposureUv"], "peers": True}, "bad_args"),
    ],
)
def test_arguments_that_cannot_be_run_are_refused(view, args, error_class):
    result = ask(view, **args)
    assert not result.ok and result.error.error_class == error_class, result.error


def test_a_coarser_scope_is_read_at_the_shops_and_said(view):
    result = ask(view, metrics=["exposureUv"], scope="chain", **WINDOWS)
    assert result.args["scope"] == "shop"
    assert [c.arg for c in result.clamped] == ["scope"]


def test_a_period_without_data_says_so(view):
    result = ask(view, metrics=["exposureUv"], **{"from": "2025-01-01", "to": "2025-01-07"})
    assert result.ok and result.table is None
    assert [n.code for n in result.notes] == ["outside_coverage"]


def test_a_source_without_raw_fields_has_no_peers(opened):
    table = delivery().drop_columns(["raw"])
    result = ask(opened(table), metrics=["exposureUv"], **WINDOWS)
    assert result.error.error_class == "empty" and "no peer data" in result.error.message


def test_ranks_that_cannot_be_are_not_used(opened):
    def absurd(shop, i, raw):
        if shop == "B" and i == 3:
            raw["exp_uv_mall_avg_rank"] = 400

    result = ask(opened(delivery(absurd)), metrics=["exposureUv"], **WINDOWS)
    assert rows_of(result)["B"]["exposureUv__rank"] == 10
    assert result.facts["days"]["bad_ranks"] == 1


def test_other_names_change_nothing(opened, view):
    names = {"A": "店'一\"", "B": "31/69", "C": "100%", "D": "{x}"}
    plain = rows_of(ask(view, metrics=["exposureUv"], **WINDOWS))
    result = ask(opened(delivery(names=names)), metrics=["exposureUv"], lang="zh", **WINDOWS)
    for shop, row in rows_of(result).items():
        assert {k: v for k, v in row.items() if k != "shopName"} == {
            k: v for k, v in plain[shop].items() if k != "shopName"
        }
    assert result.facts["findings"][0]["name"] == names["A"]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("args", [{}, {"limit": 1, "sort": "-gap"}, {"metrics": ["exposureUv", "visitRate"]}])
def test_the_sentences_of_the_verdicts_are_traced(view, lang, args):
    result = ask(view, lang=lang, **{"metrics": ["exposureUv"], **WINDOWS, **args})
    words = {m.key: m.words() for m in view.model.metrics}
    texts = [t for v in result.verdicts for t in (v.note, v.actual)] + [n.text for n in result.notes]
    for text in (*texts, result.facts["findings"][0]["text"]):
        names = [f"Shop {s}" for s in "ABCD"]
        found = trace_numbers(text, cells=result.cells, entities=names, metric_words=words).as_json()
        assert [i["text"] for i in found["items"] if i["status"] not in ("exact", "exempt")] == [], text
    json.dumps(result.facts)


def test_peers_of_another_level_are_read_there(opened):
    table = delivery()
    chains = [
        {
            **r,
            "scope": "chain",
            "chainId": r["shopId"],
            "chainName": r["shopName"],
            "shopId": "",
            "shopName": "",
        }
        for r in table.to_pylist()
    ]
    result = ask(opened(pa.Table.from_pylist(chains)), metrics=["exposureUv"], **WINDOWS)
    assert result.args["scope"] == "chain"
    assert {r["chainId"]: r["exposureUv__gap"] for r in result.table.rows}["C"] == -0.25


def test_a_dataset_without_levels_is_one_row(opened):
    model = parse_model(
        """
        model: plain
        dataset: {time: {column: day}}
        metrics:
        - {key: sales, label: {en: Sales, zh: Sales}, unit: CNY, polarity: up, additivity: {kind: sum}}
        """
    )
    days = [FIRST + timedelta(days=i) for i in range(4)]
    raw = [json.dumps({"sales__peer_avg": 40.0, "sales__peer_rank": 2}) for _ in days]
    view = opened(pa.table({"date": days, "sales": [10.0, 20.0, 30.0, 50.0], "raw": raw}), model)
    result = ask(view, entity=None, **WINDOWS)
    assert result.table.rows[0]["sales__gap"] == 0
    assert result.table.rows[0]["sales__peer_change"] == 0
    assert verdict(result, "peer_rank").status == verdict(result, "peer_group").status == "skip"  # no counts


def test_weekly_rows_and_rows_split_by_a_dimension(opened):
    model = parse_model(
        """
        model: weekly
        dataset:
          time: {column: date, grain: week}
          levels: [{key: store, en: Store, zh: Store, id: storeId, name: storeId}]
          dimensions: [{key: channel, column: channel, label: {en: Channel, zh: Channel}}]
        metrics:
        - {key: sales, label: {en: Sales, zh: Sales}, unit: CNY, polarity: up, additivity: {kind: sum}}
        """
    )
    rows = [
        {
            "date": date(2026, 9, 4) + timedelta(days=7 * week),
            "scope": "store",
            "storeId": "S",
            "channel": channel,
            "sales": sales,
            "raw": json.dumps({"sales__peer_avg": 10.0, "sales__peer_rank": 1, "peerShopCnt": 9}),
        }
        for week in range(4)
        for channel, sales in (("app", 10.0), ("web", 5.0))
    ]
    result = ask(opened(pa.Table.from_pylist(rows), model), entity=None, as_of=date(2026, 9, 27))
    (row,) = result.table.rows
    assert result.ok and (row["sales"], row["sales__peer"], row["sales__peers"]) == (60, 80, 9)


# the demo lake ---------------------------------------------------------------------------------


def _demo(tmp: Path, seed: int, clean: bool):
    data = build_demo(seed, clean)
    lake = Lake(Settings(home=tmp))
    lake.load("demo", Delivery(table=data.delivery_table), data.model)
    return lake, data


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Iterator[tuple[Lake, object]]:
    lake, data = _demo(tmp_path_factory.mktemp("peer-demo"), 0, clean=False)
    yield lake, data
    lake.close()


def test_the_demo_agrees_with_pandas_over_the_delivered_rows(demo):
    lake, data = demo
    result = ask(
        lake.open("demo"),
        as_of=date(2026, 10, 18),
        entity="E01",
        **{"from": "2026-10-11", "to": "2026-10-17"},
    )
    frame = data.delivery_table.to_pandas()
    frame = frame[(frame.scope == "shop") & (frame.companyId == "E01")].drop_duplicates(["date", "shopId"])
    raw = pd.DataFrame([json.loads(r) for r in frame["raw"]], index=frame.index)
    frame = frame.assign(day=pd.to_datetime(frame["date"]), **raw.add_prefix("r_"))
    part = frame[frame.day.between("2026-10-11", "2026-10-17")]
    assert set(rows_of(result)) == set(part.shopId)
    for shop, own in part.groupby("shopId"):
        row = rows_of(result)[shop]
        assert row["exposureUv"] == own.exposureUv.sum()
        assert row["exposureUv__gap"] == pytest.approx(own.exposureUv.sum() / own.r_exp_uv_mall_avg.sum() - 1)
        rate = (own.r_clk_exp_rate_mall_avg * own.exposureUv).sum() / own.exposureUv.sum()
        assert row["visitRate__gap"] == pytest.approx(own.visitUv.sum() / own.exposureUv.sum() - rate)
        newest = own.sort_values("day").iloc[-1]
        assert row["orderRate__rank"] == newest.r_ord_clk_rate_mall_avg_rank
        assert row["orderRate__peers"] == newest.r_peer_shop_cnt
        assert row["orderRate__rank_mean"] == pytest.approx(own.r_ord_clk_rate_mall_avg_rank.mean())


@pytest.mark.parametrize(("seed", "clean"), [(0, False), (3, False), (4, False), (2, True)])
def test_exactly_the_planted_rank_is_found(tmp_path, seed, clean):
    lake, data = _demo(tmp_path, seed, clean)
    view = lake.open("demo")
    fault = next((f for f in data.manifest.faults if f.id == "F10"), None)
    windows = {"current": {"from": "2026-10-01", "to": "2026-10-07"}}
    windows["baseline"] = {"from": "2026-09-24", "to": "2026-09-30"}
    if fault is not None:
        windows = {"current": fault.detail["during"], "baseline": fault.detail["before"]}
    keys, findings = [], []
    for company in view.catalog.by_level["company"]:
        result = ask(view, as_of=date(2026, 10, 18), entity=company.id, **windows)
        keys += [dict(k) for k in verdict(result, "peer_rank").keys]
        findings += result.facts["findings"]
    lake.close()
    assert keys == ([] if fault is None else [dict(k) for k in fault.keys])
    if fault is not None:
        assert [(f["kind"], f["metric"]) for f in findings] == [("rank_fell_with_peers", "exposureUv")]
        assert (findings[0]["rank_mean_before"], findings[0]["rank_mean"]) == (8, 31)


def test_rows_of_zeros_that_the_chain_contradicts_are_no_fall(demo):
    lake, data = demo
    fault = next(f for f in data.manifest.faults if f.id == "F1")
    shop = fault.keys[0]["shopId"]
    result = ask(
        lake.open("demo"),
        as_of=date(2026, 10, 18),
        entity="E01",
        metrics=["exposureUv"],
        current={"from": "2026-10-08", "to": "2026-10-14"},
    )
    assert {z["date"] for z in result.facts["days"]["contradicted_zeros"]} == {k["date"] for k in fault.keys}
    assert shop not in {k["shopId"] for k in verdict(result, "peer_rank").keys}
    assert rows_of(result)[shop]["exposureUv__gap"] > -0.3
