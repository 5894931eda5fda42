"""Identities over the stored types against exact fractions: nulls, ties, huge values, every kind of expression."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import numpy as np
import pytest

from askcore.base.values import Period
from askcore.checks.frame import Frame
from askcore.checks.identity import terms_of
from askcore.checks.limits import Limits
from askcore.checks.native import native, tightened
from askcore.semantic.catalog import Catalog
from askcore.semantic.parse import parse_model

MODEL = """
model: types
dataset:
  time: {column: date}
metrics:
- {key: a, label: {zh: 甲, en: A}, unit: CNY, additivity: {kind: sum}}
- {key: b, label: {zh: 乙, en: B}, unit: CNY, additivity: {kind: sum}}
- {key: c, label: {zh: 丙, en: C}, unit: CNY, additivity: {kind: sum}}
- {key: n, label: {zh: 单, en: N}, unit: order, additivity: {kind: sum}}
- {key: m, label: {zh: 客, en: M}, unit: order, additivity: {kind: sum}}
- {key: lost, label: {zh: 失, en: Lost}, unit: order, additivity: {kind: sum}}
- {key: all_n, label: {zh: 总, en: All}, unit: order, additivity: {kind: derived_sum, expr: n + m}}
- {key: rate, label: {zh: 率, en: Rate}, unit: ratio, additivity: {kind: ratio, numerator: n, denominator: m}}
identities:
"""
COLUMNS = ("a", "b", "c", "n", "m")
TYPES = dict.fromkeys("abc", "DECIMAL(18,4)") | dict.fromkeys("nm", "BIGINT")
Row = dict[str, Fraction | None]


def plus(*parts: Fraction | None) -> Fraction | None:
    return None if None in parts else sum(p for p in parts if p is not None)


def compared(test: Callable[[Any, Any], bool], x: Fraction | None, y: Fraction | None) -> bool | None:
    return None if x is None or y is None else test(x, y)


def both(x: bool | None, y: bool | None) -> bool | None:
    return False if x is False or y is False else None if x is None or y is None else True


def either(x: bool | None, y: bool | None) -> bool | None:
    return True if x is True or y is True else None if x is None or y is None else False


def times(x: Fraction | None, factor: str) -> Fraction | None:
    return None if x is None else x * Fraction(factor)


def le(x: Fraction | None, y: Fraction | None) -> bool | None:
    return compared(lambda p, q: p <= q, x, y)


def zero(x: Fraction | None) -> Fraction:
    return Fraction(0) if x is None else x


INEQUALITIES: dict[str, Callable[[Row], bool | None]] = {
    "a <= b": lambda r: le(r["a"], r["b"]),
    "a + b >= c": lambda r: le(r["c"], plus(r["a"], r["b"])),
    "n >= m AND m >= 0": lambda r: both(le(r["m"], r["n"]), le(Fraction(0), r["m"])),
    "n > 0 OR a = 0": lambda r: either(
        compared(lambda p, q: p > q, r["n"], Fraction(0)), compared(lambda p, q: p == q, r["a"], Fraction(0))
    ),
    "coalesce(a,0)+coalesce(b,0) <= c*1.005 + 0.05": lambda r: le(
        zero(r["a"]) + zero(r["b"]), plus(times(r["c"], "1.005"), Fraction("0.05"))
    ),
    "a * 1.5 >= b": lambda r: le(r["b"], times(r["a"], "1.5")),
    "a <= 0.9 * b": lambda r: le(r["a"], times(r["b"], "0.9")),
    "a - 1 <= b": lambda r: le(plus(r["a"], Fraction(-1)), r["b"]),
    "a <= b + n": lambda r: le(r["a"], plus(r["b"], r["n"])),
    "all_n >= m": lambda r: le(r["m"], plus(r["n"], r["m"])),
    "abs(a - b) <= c": lambda r: le(
        None if (gap := plus(r["a"], times(r["b"], "-1"))) is None else abs(gap), r["c"]
    ),
    "coalesce(lost, 0) <= n": lambda r: le(Fraction(0), r["n"]),
    "NOT a > b": lambda r: le(r["a"], r["b"]),
}


def rows() -> list[Row]:
    """Few distinct values, so that ties are frequent; nulls; values as large as the types hold."""
    rng = np.random.default_rng(7)
    money = ["0", "0.05", "1", "100", "100.05", "100.5", "100.55", "150", "-3", "99999999999999.9999"]
    money += ["-99999999999999.9999"]
    counts = ["0", "1", "2", "3", "-1", str(2**53 - 1)]
    found = []
    for _ in range(4000):
        row: Row = {k: Fraction(str(rng.choice(money))) for k in "abc"}
        row |= {k: Fraction(str(rng.choice(counts))) for k in "nm"}
        found.append({k: None if rng.random() < 0.1 else v for k, v in row.items()})
    return found


ROWS = rows()


def exactly(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(value.numerator) / Decimal(value.denominator)


@pytest.fixture(scope="module")
def con():
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE fact (i INTEGER, {', '.join(f'{k} {t}' for k, t in TYPES.items())})")
        values = [(i, *(exactly(row[k]) for k in COLUMNS)) for i, row in enumerate(ROWS)]
        con.executemany("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?)", values)
        yield con


class View:
    """As much of a view as writing SQL takes."""

    raw_fields = ()

    def __init__(self, model):
        self.model = model
        self.catalog = Catalog(dataset="d", version=1, period=None, columns=("date", *COLUMNS))


def terms(identity: str):
    model = parse_model(MODEL + identity)
    day = date(2026, 1, 1)
    frame = Frame(view=View(model), period=Period(start=day, end=day), as_of=day, lang="en", limits=Limits())
    return terms_of(model.identities[0], frame), frame


def selected(con, condition: str) -> set[int]:
    return {i for (i,) in con.execute(f"SELECT i FROM fact f WHERE {condition}").fetchall()}


@pytest.mark.parametrize("text", INEQUALITIES)
def test_an_inequality_fails_and_is_evaluated_where_fractions_say_so(con, text):
    found, _ = terms(f"- {{id: x, kind: inequality, expr: '{text}'}}")
    holds = {i: INEQUALITIES[text](row) for i, row in enumerate(ROWS)}
    assert selected(con, found.bad) == {i for i, value in holds.items() if value is False}
    assert selected(con, found.evaluable) == {i for i, value in holds.items() if value is not None}


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ("a + b", "c", lambda r: (plus(r["a"], r["b"]), r["c"])),
        ("n + m", "all_n", lambda r: (plus(r["n"], r["m"]), plus(r["n"], r["m"]))),
        ("n * 2", "m", lambda r: (times(r["n"], "2"), r["m"])),
        ("a / n", "b", lambda r: (r["a"] / r["n"] if r["a"] is not None and r["n"] else None, r["b"])),
        ("a + n", "coalesce(b, 0)", lambda r: (plus(r["a"], r["n"]), zero(r["b"]))),
    ],
)
@pytest.mark.parametrize("tolerance", ["{abs: 0.05, rel: 0.001}", "{abs: 1}", "{abs: 0}"])
def test_an_equality_is_broken_where_fractions_say_so(con, left, right, value, tolerance):
    found, _ = terms(f"- {{id: x, left: '{left}', right: '{right}', row_tol: {tolerance}}}")
    limit = found.identity.row_tol
    expected, evaluated, doubtful = set(), set(), set()
    for i, row in enumerate(ROWS):
        one, other = value(row)
        if one is None or other is None:
            continue
        evaluated.add(i)
        allowed = max(Fraction(str(limit.abs)), Fraction(str(limit.rel)) * abs(other))
        gap = abs(one - other)
        if gap > allowed:
            expected.add(i)
        # DOUBLE holds 16 digits: of huge values that differ, so small a gap cannot be told
        if 0 < abs(gap - allowed) < max(Fraction(1, 10**8), max(abs(one), abs(other)) / 10**14):
            doubtful.add(i)
    assert selected(con, found.evaluable) == evaluated
    assert selected(con, found.bad) - doubtful == expected - doubtful
    assert len(doubtful) < len(evaluated) / 2


@pytest.mark.parametrize(
    "text", ["a / b > 1", "rate > 0.5", "missing > 1", "a * b > c", "src.a = a", "a % 2 = 0"]
)
def test_what_would_differ_or_is_unknown_is_not_written_over_stored_types(text):
    _, frame = terms("- {id: x, kind: inequality, expr: 'a <= b'}")
    assert native(text, frame.expressions) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <= b*1.005 + 0.05", "(a <= (b)) AND ((b) >= 0)"),
        ("2*(a+b) + 1 > c", "((a + b) > c) AND ((a + b) >= 0)"),
        ("a <= 0.9*b", None),
        ("a <= b - 1", None),
        ("a = b*2", None),
        ("a <= b AND b <= c*2", None),
    ],
)
def test_only_slack_is_taken_off(text, expected):
    assert tightened(text) == expected
