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


def test_zero_on_named_days_is_not_judged_by_the_total() -> None:
    assert refuted("Takings: Harbour is all zero on 2026-10-08..2026-10-10.") == []
    assert refuted("Harbour 的进账在 2026-10-08 至 2026-10-10 全为零。") == []


def test_zero_of_the_whole_period_is() -> None:
    assert refuted("Harbour had no takings.") != []
