"""Marks, flags, grades and the promises that hold for any text."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askcore.base.values import Cell, Claim, ClaimStatus
from askcore.checks.provenance import Provenance, cells_from_json, trace_numbers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "provenance"
CELLS, ENTITIES = cells_from_json(json.loads((FIXTURES / "tea_cells.json").read_text(encoding="utf-8")))
WORDS = {
    "grossAmt": ["营业额", "gross sales"],
    "validOrderCnt": ["有效订单", "orders"],
    "visitRate": ["进店率", "visit rate"],
    "visitUv": ["进店人数", "进店"],
    "aov": ["客单价"],
    "rebuyRate30d": ["近30日复购率"],
}


def trace(text: str) -> Provenance:
    return trace_numbers(text, cells=CELLS, entities=ENTITIES)


def exempt(text: str) -> list[tuple[str, str]]:
    return [(i.text, i.flags[0]) for i in trace(text).items if i.status == "exempt"]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("7号公馆店", [("7号公馆店", "entity")]),
        ("2026-10-11至2026-10-17", [("2026-10-11", "date"), ("2026-10-17", "date")]),
        ("2026年10月11日-17日", [("2026年10月11日-17日", "date")]),
        ("2026-10-17T09:30:00Z", [("2026-10-17", "date"), ("T09:30:00Z", "time")]),
        ("10 月 12 日", [("10 月 12 日", "date")]),
        ("on Oct 12, 2026", [("Oct 12, 2026", "date")]),
        ("近七天", [("近七天", "window")]),
        ("T-1", [("T-1", "window")]),
        ("前三名与后2家", [("前三名", "top_n"), ("后2家", "top_n")]),
        ("`SELECT 42`", [("`SELECT 42`", "code")]),
        ("[t2]", [("[t2]", "reference")]),
        ("https://x.cn/a?b=12", [("https://x.cn/a?b=12", "url")]),
        ("评分满分5分", [("满分5分", "scale")]),
        ("有3个原因", [("3个原因", "list")]),
        ("gpt-4.1", [("gpt-4.1", "identifier")]),
        ("v1.2.3", [("v1.2.3", "version")]),
    ],
)
def test_what_is_no_figure_is_exempt_with_its_reason(text: str, spans: list[tuple[str, str]]) -> None:
    assert exempt(text) == spans
    assert trace(text).claims == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("目前 85 家", "85 家"),
        ("QoQ-12.0%", "-12.0%"),
        ("10/12 家", "12 家"),
        ("up12%", "12%"),
        ("较前 5.2%", "5.2%"),
        ("1.5万单", "1.5万单"),
        ("## 48.6万元", "48.6万元"),
        ("9.12%", "9.12%"),
        ("评分3/5家", "5家"),
    ],
)
def test_figures_that_look_like_something_else_are_read(text: str, number: str) -> None:
    assert number in [i.text for i in trace(text).items if i.status != "exempt"]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("百分之十二", 0.12, "pct"),
        ("一亿二千万元", 1.2e8, "money"),
        ("六十一万", 610_000, "plain"),
        ("一点五万单", 15_000, "count"),
        ("三成半", 0.35, "pct"),
        ("四家", 4, "count"),
        ("12‰", 0.012, "pct"),
        ("95bps", 0.0095, "pp"),
        ("2.5个百分点", 0.025, "pp"),
        ("1.2亿元", 1.2e8, "money"),
        ("30秒", 0.5, "min"),
        ("-3,210元", -3210, "money"),
        ("¥-3,210", -3210, "money"),
        ("3.2bn", 3.2e9, "plain"),
        ("#3", 3, "rank"),
        ("halved", 0.5, "pct"),
    ],
)
def test_a_figure_is_read_with_value_and_unit(text: str, value: float, unit: str) -> None:
    (claim,) = (i for i in trace(text).items if i.status != "exempt")
    assert claim.value == pytest.approx(value)
    assert claim.unit == unit


def test_range_lends_unit_and_multiplier_to_its_left_end() -> None:
    left, right = trace("营业额8-20万元").items
    assert (left.value, left.unit) == (80_000, "money")
    assert (right.value, right.unit) == (200_000, "money")


def test_range_dash_is_no_minus() -> None:
    assert [i.value for i in trace("订单1600-2000单").items] == [1600, 2000]


@pytest.mark.parametrize(
    ("window", "mismatch"),
    [
        ("近7天", False), ("近一周", False), ("过去七天", False), ("last 7 days", False),
        ("past week", False), ("近30天", True), ("近2周", True), ("last month", False),
        ("last 3 months", True), ("前30天", False), ("连续3天", False),
    ],
)  # fmt: skip
def test_window_is_held_against_the_executed_range(window: str, mismatch: bool) -> None:
    traced = trace(f"{window}营业额持平。")
    assert any("window_mismatch" in i.flags for i in traced.items) == mismatch
    assert traced.status == ("warn" if mismatch else "pass")


def test_window_is_not_judged_without_a_known_range() -> None:
    traced = trace_numbers("近30天持平", cells=(), entities=())
    assert traced.items[0].flags == ("window",)


def test_metric_name_with_digits_is_no_window() -> None:
    traced = trace_numbers("近30日复购率持平", cells=CELLS, entities=(), metric_words=WORDS)
    assert [i.flags for i in traced.items] == [("metric",)]


def test_unit_that_was_not_written_is_flagged() -> None:
    (claim,) = trace("整体进店率 7.50").items
    assert (claim.status, claim.flags) == ("exact", ("unit_assumed",))


def test_mean_of_ratios_names_the_weighted_value() -> None:
    claim = trace("平均进店率7.40%").items[0]
    assert claim.status == "unweighted_mean"
    assert "t1:visitRate = 0.075" in claim.formula


def test_derived_claim_shows_cells_and_formula() -> None:
    (claim,) = trace("花园桥店占总营业额的25.0%").items
    assert claim.source == "t1:花园桥店.grossAmt, t1:grossAmt"
    assert claim.formula == "t1:花园桥店.grossAmt / t1:grossAmt"


def test_metric_without_cells_does_not_lend_its_value() -> None:
    traced = trace_numbers("望江路店客单价40.00元", cells=CELLS, entities=ENTITIES, metric_words=WORDS)
    assert [i.status for i in traced.items] == ["derived"]


def test_short_name_may_stand_for_the_longer_one() -> None:
    text = "望江路店其余91.0%的顾客未进店"
    traced = trace_numbers(text, cells=CELLS, entities=ENTITIES, metric_words=WORDS)
    assert [i.status for i in traced.items] == ["derived"]


def test_only_entity_of_a_run_is_the_total() -> None:
    cells = [
        Cell(value=500.0, unit="money", metric="grossAmt", entity="Shop A"),
        Cell(value=-0.125, unit="pct", metric="grossAmt", role="pctchg"),
    ]
    traced = trace_numbers("Shop A sales fell 12.5%.", cells=cells, entities=())
    assert traced.exact == 1


def test_negative_level_needs_its_sign() -> None:
    cells = [Cell(value=1234.5, unit="money", metric="grossAmt", role="total")]
    assert trace_numbers("营业额 1,234.50 元", cells=cells, entities=()).exact == 1
    assert trace_numbers("营业额 -1,234.50 元", cells=cells, entities=()).sign_conflict == 1
    assert trace_numbers("营业额-1,234.50元", cells=cells, entities=()).exact == 1


def item(status: ClaimStatus, *flags: str) -> Claim:
    return Claim(text="1", value=1.0, unit="plain", status=status, flags=flags)


@pytest.mark.parametrize(
    ("statuses", "grade", "coverage"),
    [
        ([], "pass", None),
        (["exempt"], "pass", None),
        (["exact", "derived"], "pass", 1.0),
        (["exact", "weak"], "warn", 0.5),
        (["exact"] * 4 + ["untraced"], "warn", 0.8),
        (["exact", "exact", "untraced"], "fail", 2 / 3),
        (["exact"] * 9 + ["sign_conflict"], "fail", 0.9),
        (["unweighted_mean"], "fail", 0.0),
    ],
)
def test_grade(statuses: list[ClaimStatus], grade: str, coverage: float | None) -> None:
    traced = Provenance(items=tuple(item(s) for s in statuses))
    assert traced.status == grade
    assert traced.coverage == coverage


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    payload = json.loads(json.dumps(trace("营业额20.0万元，10月17日").as_json(), allow_nan=False))
    assert list(payload) == [
        "claims", "exact", "derived", "weak", "untraced", "sign_conflict", "unweighted_mean",
        "coverage", "items",
    ]  # fmt: skip
    assert payload["claims"] == 1
    assert [i["status"] for i in payload["items"]] == ["exact", "exempt"]


# --- any text -----------------------------------------------------------------------------------

ALPHABET = (
    "0123456789.,，、:/-+%‰万亿千百十一二三两成半点元单店家天月日年近前后第名约超下升降至为比的"
    " \n|`#[](vtTk¥\x01\uff10\uff19\uff05\u2212"
)
TEXTS = st.text(alphabet=st.one_of(st.sampled_from(ALPHABET), st.characters()), max_size=80)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_any_text_is_graded_and_indices_point_at_the_words(text: str) -> None:
    traced = trace(text)
    for claim in traced.items:
        assert text[claim.start : claim.end] == claim.text
        assert claim.text.strip()
    starts = [c.start for c in traced.items]
    assert starts == sorted(starts)
    json.dumps(traced.as_json(), allow_nan=False)


FORMATS = {
    "money": [
        lambda v: f"{v:,.2f}元", lambda v: f"¥{v:,.2f}", lambda v: f"{v:.2f}",
        lambda v: f"{v / 1e4:.2f}万元", lambda v: f"{v / 1e4:.1f}万", lambda v: f"{v / 1e8:.4f}亿元",
        lambda v: f"{v / 1e3:.1f}k", lambda v: f"{v / 1e6:.3f}m", lambda v: f"{v / 1e6:.2f} million",
    ],
    "count": [lambda v: f"{v:,.0f}单", lambda v: f"{v / 1e4:.2f}万单", lambda v: f"{v:,.0f} orders"],
    "pct": [lambda v: f"{v:.2%}", lambda v: f"{v:.1%}", lambda v: f"{v * 100:.2f}\uff05"],
    "pp": [lambda v: f"{v * 100:+.2f}pp", lambda v: f"{v * 100:.2f}个百分点",
           lambda v: f"{v * 1e4:.1f} bps"],
}  # fmt: skip
METRICS = {"money": ("grossAmt", "营业额"), "count": ("validOrderCnt", "订单"),
           "pct": ("visitRate", "进店率"), "pp": ("visitRate", "进店率")}  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(data=st.data(), unit=st.sampled_from(sorted(FORMATS)))
def test_a_cell_in_any_usual_format_is_exact(data: st.DataObject, unit: str) -> None:
    bounds = {"money": (12.0, 9e8), "count": (10, 9e7), "pct": (0.01, 0.99), "pp": (-0.2, 0.2)}
    low, high = bounds[unit]
    value = data.draw(st.floats(low, high, allow_nan=False))
    if unit == "count":
        value = float(round(value))
    metric, word = METRICS[unit]
    role = "delta" if unit == "pp" else "value"
    cell = Cell(value=value, unit=unit, metric=metric, entity="花园桥店", role=role)  # type: ignore[arg-type]
    written = data.draw(st.sampled_from(FORMATS[unit]))(value)
    (claim,) = trace_numbers(f"花园桥店{word} {written}", cells=[cell], entities=[]).items
    assert (claim.status, written.lstrip("+")) == ("exact", claim.text.lstrip("+"))


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10_000,
        "1," * 5_000,
        "1,111" * 2_000,
        "1.1" * 3_000,
        "`" * 10_000,
        "``` `" * 2_000,
        "](" * 5_000,
        "a" * 10_000,
        "a-1" * 3_000,
        "|1\n" * 3_000,
        "一" * 10_000,
        "百分之" * 3_000,
        "第" * 10_000,
        "近" * 5_000 + "7天",
        "# 1." * 2_000,
        "1. " * 3_000,
        "jan " * 2_500,
        "花园桥店" * 2_500,
        "营业额1，" * 2_000,
        " " * 10_000 + "1",
        "\n" * 10_000,
        "-" * 10_000 + "1",
        "2026-" * 2_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_hostile_text_ends_within_a_second(text: str) -> None:
    """Of its own work: a busy machine is not the text's fault."""
    start = time.process_time()
    trace(text)
    assert time.process_time() - start < 1.0


# --- chance matches in a big table --------------------------------------------------------------

SHOPS = [f"蓝天{i}店" for i in range(1, 61)]
BIG_METRICS = {
    "grossAmt": ("money", 20_000, 160_000), "incomeAmt": ("money", 10_000, 90_000),
    "validOrderCnt": ("count", 500, 4_000), "exposureUv": ("count", 20_000, 200_000),
    "visitRate": ("pct", 0.06, 0.11), "orderRate": ("pct", 0.15, 0.30),
}  # fmt: skip


def big_table(rng: random.Random) -> list[Cell]:
    cells = []
    for period in ("cur", "prev"):
        for metric, (unit, low, high) in BIG_METRICS.items():
            additivity = "ratio" if unit == "pct" else "sum"
            values = [rng.uniform(low, high) for _ in SHOPS]
            rows = [*zip(SHOPS, values, strict=True)]
            total = sum(values) / (len(values) if unit == "pct" else 1)
            for shop, value in (*rows, ("", total * 1.003)):
                role = "value" if shop else "total"
                cells.append(
                    Cell(value=value if unit == "pct" else round(value, 2), unit=unit,  # type: ignore[arg-type]
                         metric=metric, entity=shop, period=period, role=role,  # type: ignore[arg-type]
                         additivity=additivity)
                )  # fmt: skip
    return cells


def chance_sentence(kind: str, rng: random.Random) -> str:
    shop = rng.choice(SHOPS)
    return {
        "amount, all named": f"{shop}营业额{rng.uniform(2, 16):.1f}万元",
        "amount, metric named": f"营业额{rng.uniform(2, 16):.1f}万元",
        "change, all named": f"{shop}营业额下降{rng.uniform(0, 60):.1f}%",
        "change, metric named": f"订单上升{rng.uniform(0, 60):.1f}%",
        "whole change": f"{shop}订单下降{rng.uniform(0, 60):.0f}%",
        "rate, all named": f"{shop}进店率{rng.uniform(6, 11):.2f}%",
        "orders, all named": f"{shop}订单{rng.randint(500, 4000)}单",
        "thousands": f"Gross sales of {shop} were {rng.uniform(20, 160):.1f}k.",
    }[kind]


def test_random_numbers_in_a_big_table_are_seldom_accepted() -> None:
    rng = random.Random(20261018)  # noqa: S311 - a fixed seed is the point
    cells = big_table(rng)
    kinds = [
        "amount, all named", "amount, metric named", "change, all named", "change, metric named",
        "whole change", "rate, all named", "orders, all named", "thousands",
    ]  # fmt: skip
    accepted: Counter[str] = Counter()
    for kind in kinds:
        text = "\n".join(chance_sentence(kind, rng) for _ in range(400))
        traced = trace_numbers(text, cells=cells, entities=SHOPS)
        assert traced.claims == 400
        accepted[kind] = traced.exact + traced.derived
    assert {k: n for k, n in accepted.items() if n > 0.05 * 400} == {}


def test_big_table_is_traced_quickly() -> None:
    rng = random.Random(3)  # noqa: S311 - a fixed seed is the point
    cells = big_table(rng)
    text = "\n".join(chance_sentence("amount, all named", rng) for _ in range(10))
    trace_numbers(text, cells=cells, entities=SHOPS)
    times = []
    for _ in range(5):
        start = time.process_time()
        trace_numbers(text, cells=cells, entities=SHOPS)
        times.append(time.process_time() - start)
    assert min(times) < 0.5  # about 25 ms on a quiet machine; tracing each cell anew would take seconds


@pytest.mark.parametrize(
    "text",
    [
        "老城店 10-08..10-10 缺数。",
        "Gate 10-08..10-10 10-13 is missing.",
        "09-28..10-04 and 2026-10-08..2026-10-10",
    ],
)
def test_a_range_of_days_is_no_figure(text: str) -> None:
    items = trace_numbers(text, cells=(), entities=()).as_json()["items"]
    assert [i["text"] for i in items if i["status"] != "exempt"] == []
