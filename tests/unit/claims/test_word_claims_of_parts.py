"""Parts of a change are changes too, and nothing on some days is not nothing in the period."""

from __future__ import annotations

from askcore.base.values import Cell
from askcore.checks.claims import check_words

WORDS = {"closing": ("成交率", "closing rate"), "takings": ("进账", "takings")}


def cell(value: float, **how: object) -> Cell:
    given = {"unit": "pct", "metric": "closing", "entity": "Harbour", **how}
    return Cell(value=value, **given)  # type: ignore[arg-type]


CELLS = [
    cell(0.2400),
    cell(0.2373, period="prev"),
    cell(0.0012, unit="pp", role="delta", period="rate"),
    cell(0.0119, unit="pp", role="delta", period="mix"),
    cell(812.5, unit="money", metric="takings"),
    cell(903.0, unit="money", metric="takings", period="prev"),
    cell(-41.2, unit="money", metric="takings", role="delta", period="market"),
]


def refuted(text: str) -> list[str]:
    report = check_words(text, cells=CELLS, entities=["Harbour", "Hill"], metric_words=WORDS)
    return [item.text for item in report.contradicted]


def test_a_contribution_of_the_named_one_is_supported() -> None:
    assert refuted("Harbour: closing rate +0.12 pp of its own, +1.19 pp by weight.") == []
    assert refuted("Harbour 成交率自身 +0.12 个百分点，结构 +1.19 个百分点。") == []
    assert refuted("Harbour 进账受大盘影响减少 41.20 元。") == []


def test_a_bound_is_nobody_to_compare_with() -> None:
    halls = [cell(v, unit="money", metric="takings", entity=n) for n, v in (("Hill", 6e3), ("Quay", 4e3))]
    total = cell(1e4, unit="money", metric="takings", entity="", role="total")
    for text, refuted_kinds in (
        ("Hill contributed more than half of the total takings.", []),
        ("Quay contributed more than half of the total takings.", ["share"]),
        ("Quay took less than half of the takings.", []),
    ):
        report = check_words(text, cells=[*halls, total], entities=["Hill", "Quay"], metric_words=WORDS)
        assert [c.kind for c in report.contradicted] == refuted_kinds, text


def test_everyone_but_one() -> None:
    steps = (("Hill", 6e3, 5e3), ("Quay", 4e3, 3e3), ("Ford", 2e3, 2.5e3))
    cells = [
        cell(v, unit="money", metric="takings", entity=n, period=p)
        for n, now, before in steps
        for v, p in ((now, "cur"), (before, "prev"))
    ]
    names = [n for n, _, _ in steps]
    text = "Everyone but Ford grew in takings."
    report = check_words(text, cells=cells, entities=names, metric_words=WORDS, groups={"halls": names})
    assert not report.contradicted


def test_what_a_question_says_is_not_claimed() -> None:
    assert refuted("The question speaks of a rise, but over these periods takings of Harbour fell.") == []
    assert refuted("问题里说的是上升，但按这两个期间，Harbour 的进账是下降的。") == []
    assert refuted("Takings of Harbour rose.") == ["rose"]


def test_a_bare_bound_needs_something_to_be_bound() -> None:
    assert refuted("Takings of Harbour fell. Data ends 5 days before; at most 7 is normal.") == []
    assert refuted("Takings of Harbour are at most 700.") != []


def test_zero_on_named_days_is_not_judged_by_the_total() -> None:
    assert refuted("Takings: Harbour is all zero on 2026-10-08..2026-10-10.") == []
    assert refuted("Harbour 的进账在 2026-10-08 至 2026-10-10 全为零。") == []


def test_zero_of_the_whole_period_is() -> None:
    assert refuted("Harbour had no takings.") != []


def test_what_was_usual_is_no_other_days_value() -> None:
    people = {"unit": "count", "metric": "takings"}
    cells = [
        cell(12_120.0, period="2026-09-21", **people),
        cell(10_118.0, period="2026-10-11", **people),
        cell(18_483.0, period="2026-09-21", role="arg", **people),
        cell(12_120.0, period="2026-10-11", role="arg", **people),
    ]
    text = "Harbour 的进账约从 10-11 起下降 16.52%：平常一天由 12,120 变为 10,118。"
    report = check_words(text, cells=cells, entities=["Harbour"], metric_words=WORDS)
    assert not report.contradicted


def test_a_share_that_a_result_gives_is_no_slip_of_the_unit() -> None:
    cells = [
        cell(-22.5, unit="money", metric="takings", role="delta"),
        cell(0.2598, unit="pct", metric="takings", role="share"),
        cell(0.02598, unit="pct", metric="closing", period="cur"),
    ]
    text = "按门店拆，进账的变化来自：Harbour 减少 22.50 元（占变化的 25.98%）。"
    assert not check_words(text, cells=cells, entities=["Harbour"], metric_words=WORDS).contradicted
