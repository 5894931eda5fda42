"""Every figure twice: again from the lake's own files by statements that no query builder wrote.

The first path is the query builder over the serving file; the second reads the Delta files with flat sums and
divides here. A fan-out join, a wrong level or a serving file that differs from its files shows as a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.base.text import say
from askcore.base.values import Column, Lang, Table, Verdict
from askcore.checks.frame import DAY, Frame
from askcore.checks.parts import pieces
from askcore.checks.sql import Binder, MissingInput, all_of, fill, listed, quote, readable
from askcore.semantic.averages import resolve
from askcore.semantic.model import Level, Metric, Model

NAME = "second_path"
_REL = 1e-9  # both paths add the same stored values; only the order of the additions differs
_MAX_FIGURES = 4000
_BUCKETS = {
    "date": "strftime(@{day}, '%Y-%m-%d')",
    "week": "strftime(date_trunc('week', @{day}), '%Y-%m-%d')",
    "month": "strftime(@{day}, '%Y-%m')",
    "quarter": "concat(strftime(@{day}, '%Y'), '-Q', quarter(@{day}))",
    "year": "strftime(@{day}, '%Y')",
}
_ONE = "SELECT @{columns} FROM stored f WHERE @{where}"
_SPLIT = "SELECT @{keys}, @{columns} FROM stored f WHERE @{where} GROUP BY ALL"

Place = tuple[str, ...]
"""Ids, dimension values and time buckets of a row; () = the total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """One metric at one place, from the files."""

    top: float | None
    bottom: float | None = None
    """None for plain sums."""
    is_quotient: bool = False

    @property
    def value(self) -> float | None:
        """The metric; None without rows, and without a denominator: no visits is no rate."""
        if not self.is_quotient or self.top is None:
            return self.top
        return self.top / self.bottom if self.bottom else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A figure on both paths."""

    metric: str
    place: Place
    first: float
    second: float | None

    @property
    def is_same(self) -> bool:
        """Whether both paths agree but for the order of additions."""
        gap = None if self.second is None else abs(self.first - self.second)
        return gap is not None and gap <= _REL * max(abs(self.first), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioParts:
    """A rate's own numerator and denominator beside the mistake that people make with it."""

    metric: str
    top: float
    bottom: float
    naive: float
    """Plain mean of the rows' rates."""
    rows: int
    """Rows with a denominator that `naive` averages."""
    level: str
    """Level of those rows."""

    @property
    def weighted(self) -> float:
        """The rate: Σ numerator / Σ denominator."""
        return self.top / self.bottom

    @property
    def gap(self) -> float:
        """What plain averaging would be off by; a difference of rates."""
        return self.naive - self.weighted


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """What the second path found."""

    compared: tuple[Compared, ...] = ()
    ratios: tuple[RatioParts, ...] = ()
    left_out: tuple[str, ...] = ()
    """Metric keys that are no sums and have no second path."""
    sql: str = ""


def second_path(frame: Frame, metrics: Sequence[str], by: Sequence[str], table: Table) -> Second:
    """Totals and rows of a result again.

    frame: the rows that the result read, its scope being the level that was read. table: with its totals.
    Raises: BadRequest, LakeError when the files cannot be read; Cancelled.
    """
    expressions, left_out = _expressions(frame, metrics)
    if not expressions:
        return Second(left_out=left_out)
    bind, rates = Binder(), _rates(frame, expressions)
    total_sql = fill(_ONE, columns=listed(_flat(expressions)), where=_where(frame, bind))
    read, means = _read(frame, expressions, rates)
    totals = _totals(frame, read, expressions)
    found = [
        Compared(metric=key, place=(), first=float(value), second=totals[key].value)
        for key in expressions
        if (value := _number(table.totals.get(key))) is not None
    ]
    found += _rows(frame, expressions, by, table)
    sql = readable(total_sql, bind.values)
    ratios = tuple(_ratio_parts(frame, rates, totals, means))
    return Second(compared=tuple(found), ratios=ratios, left_out=left_out, sql=sql)


def _expressions(frame: Frame, metrics: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Metric key -> row expressions; and the keys that have none."""
    found: dict[str, tuple[str, ...]] = {}
    left: list[str] = []
    for key in dict.fromkeys(metrics):
        try:
            parts = _pieces(resolve(frame.model, key), frame)
        except MissingInput:
            parts = ()
        if parts:
            found[key] = parts
        else:
            left.append(key)
    return found, tuple(left)


def _pieces(metric: Metric, frame: Frame) -> tuple[str, ...]:
    return tuple(f"sum({p})" for p in pieces(metric, frame.expressions)) or _per_counted(metric, frame)


def _per_counted(metric: Metric, frame: Frame) -> tuple[str, ...]:
    """An average over days or entities: Σ / distinct days or entities that have a value."""
    a = metric.additivity
    if a.kind != "ratio" or not a.numerator or not a.column:
        return ()
    top = frame.expressions.metric(a.numerator)
    column = DAY if a.column == frame.model.time.column else a.column
    return f"sum({top})", f"count(DISTINCT CASE WHEN ({top}) IS NOT NULL THEN f.{quote(column)} END)"


def _flat(expressions: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [part for parts in expressions.values() for part in parts]


def _where(frame: Frame, bind: Binder, scope: str | None = None) -> str:
    return all_of((frame.where(bind, scope=scope),))


def _rates(frame: Frame, expressions: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Metrics with a numerator and a denominator of their own."""
    own = {m.key for m in frame.model.metrics if m.additivity.kind == "ratio" and m.additivity.denominator}
    return tuple(key for key in expressions if key in own)


def _read(
    frame: Frame, expressions: Mapping[str, tuple[str, ...]], rates: Sequence[str]
) -> tuple[Sequence[Any], Sequence[Any]]:
    """(the totals' values, means and counts of the finest rows' rates).

    Opening the files costs more than adding up, so both are one statement where they are of the same rows.
    """
    sums = _flat(expressions)
    means = [_naive(frame.model.by_key[key], frame) for key in rates]
    finest = None if frame.leaf is None else frame.leaf.key
    if frame.scope == finest or not means:
        row = _first(frame, [*sums, *means], frame.scope)
        return row[: len(sums)], row[len(sums) :]
    return _first(frame, sums, frame.scope), _first(frame, means, finest)


def _first(frame: Frame, columns: Sequence[str], scope: str | None) -> Sequence[Any]:
    """The only row of aggregates over the files."""
    bind = Binder()
    sql = fill(_ONE, columns=listed(columns), where=_where(frame, bind, scope))
    rows = frame.view.run_stored(sql, bind.values, frame.period).rows
    return rows[0] if rows else ()


def _totals(frame: Frame, read: Sequence[Any], expressions: Mapping[str, tuple[str, ...]]) -> dict[str, Sums]:
    """The totals at the level that was read; what that level does not hold comes from the finest one."""
    found = _sums(read, expressions)
    missing = {key: parts for key, parts in expressions.items() if found[key].top is None}
    leaf = frame.leaf
    if not missing or leaf is None or leaf.key == frame.scope:
        return found
    return {**found, **_sums(_first(frame, _flat(missing), leaf.key), missing)}


def _sums(row: Sequence[Any], expressions: Mapping[str, tuple[str, ...]]) -> dict[str, Sums]:
    """Aggregates in the order of the expressions."""
    values = iter(row)
    found = {}
    for key, parts in expressions.items():
        read = [_number(next(values, None)) for _ in parts]
        quotient = len(parts) > 1
        found[key] = Sums(top=read[0], bottom=read[1] if quotient else None, is_quotient=quotient)
    return found


def _number(value: Any) -> float | None:
    return None if value is None or isinstance(value, str | bool) else float(value)


def _rows(
    frame: Frame, expressions: Mapping[str, tuple[str, ...]], by: Sequence[str], table: Table
) -> Iterator[Compared]:
    """Every figure of the rows that are shown."""
    keys = _keys(frame, by, table.columns)
    if not keys or not table.rows or len(table.rows) * len(expressions) > _MAX_FIGURES:
        return
    bind = Binder()
    where = all_of((_where(frame, bind), *_shown_only(keys, table, bind)))
    select = listed(f"CAST({sql} AS VARCHAR)" for sql in keys.values())
    sql = fill(_SPLIT, keys=select, columns=listed(_flat(expressions)), where=where)
    again = {
        tuple(str(v) for v in row[: len(keys)]): _sums(row[len(keys) :], expressions)
        for row in frame.view.run_stored(sql, bind.values, frame.period).rows
    }
    for row in table.rows:
        place = tuple(str(row.get(column)) for column in keys)
        for key in expressions:
            first = _number(row.get(key))
            if first is not None and place in again and again[place][key].top is not None:
                yield Compared(metric=key, place=place, first=first, second=again[place][key].value)
            elif first is not None and place not in again:
                yield Compared(metric=key, place=place, first=first, second=None)


def _keys(frame: Frame, by: Sequence[str], columns: Sequence[Column]) -> dict[str, str]:
    """Column of the table that identifies a row -> SQL of the same in the files; {} when one is unknown."""
    shown = {c.key for c in columns}
    found: dict[str, str] = {}
    for name in by:
        level, dimension = frame.model.levels_by_key.get(name), frame.model.dimensions_by_key.get(name)
        if name in _BUCKETS:
            found[name] = fill(_BUCKETS[name], day=f"f.{DAY}")
        elif level is not None:
            found[level.id] = f"f.{quote(level.id)}"
        elif dimension is not None:
            found[name if name in shown else dimension.column] = f"f.{quote(dimension.column)}"
    return found if len(found) == len(by) and set(found) <= shown else {}


def _shown_only(keys: Mapping[str, str], table: Table, bind: Binder) -> Iterator[str]:
    """A cut table names few of many rows: only those are added up again."""
    if table.shown >= table.row_count:
        return
    for column, sql in keys.items():
        values = list(dict.fromkeys(str(row.get(column)) for row in table.rows))
        yield f"CAST({sql} AS VARCHAR) IN ({bind.all(values)})"


def _ratio_parts(
    frame: Frame, rates: Sequence[str], totals: Mapping[str, Sums], means: Sequence[Any]
) -> Iterator[RatioParts]:
    """Numerator, denominator and the plain mean of the finest rows, of each rate that has them.

    means: mean and count of each rate in turn.
    """
    values = iter(means)
    for key in rates:
        naive, count = _number(next(values, None)), next(values, 0) or 0
        top, bottom = totals[key].top, totals[key].bottom
        if naive is not None and top is not None and bottom:
            yield RatioParts(
                metric=key,
                top=top,
                bottom=bottom,
                naive=naive,
                rows=int(count),
                level=_level_key(frame.leaf),
            )


def _naive(metric: Metric, frame: Frame) -> str:
    top, bottom = pieces(metric, frame.expressions)
    rate = f"({top}) / NULLIF({bottom}, 0)"
    return f"avg({rate}), count({rate})"


def _level_key(level: Level | None) -> str:
    return "" if level is None else level.key


def verdict_of(found: Sequence[Second], model: Model, lang: Lang) -> Verdict | None:
    """pass: every figure came out the same; fail: some did not; skip: no second path; None: no figure at all.

    found: one a period of the result.
    """
    compared = [c for one in found for c in one.compared]
    left = dict.fromkeys(key for one in found for key in one.left_out)
    if not compared:
        labels = [resolve(model, key).label[lang] for key in left]
        return (
            skipped(say(lang, "slip.no_sum", names=say(lang, "slip.comma").join(labels)), lang)
            if left
            else None
        )
    bad, count = [c for c in compared if not c.is_same], len(compared)
    return Verdict(
        id="",
        kind="cross-layer",
        check=NAME,
        status="fail" if bad else "pass",
        severity="critical" if bad else "info",
        target=say(lang, "slip.target"),
        expect=say(lang, "slip.expect"),
        actual=say(lang, "slip.actual", n=count - len(bad), all=count),
        n_checked=count,
        n_bad=len(bad),
        tolerance=say(lang, "slip.tolerance"),
        note=_difference(bad, count, model, lang) if bad else say(lang, "slip.same", n=count),
        remedy=say(lang, "slip.remedy") if bad else "",
        sql=";\n".join(one.sql for one in found if one.sql),
    )


def _difference(bad: Sequence[Compared], count: int, model: Model, lang: Lang) -> str:
    """The sentence about the largest gap."""
    worst = max(bad, key=lambda c: abs(c.first - (c.second or 0.0)))
    return say(
        lang,
        "slip.differs",
        bad=len(bad),
        all=count,
        figure=" ".join((resolve(model, worst.metric).label[lang], *worst.place)),
        first=f"{worst.first:,.4f}",
        second=say(lang, "slip.nothing") if worst.second is None else f"{worst.second:,.4f}",
    )


def skipped(why: str, lang: Lang) -> Verdict:
    """No second path: not evaluated, never green."""
    return Verdict(
        id="",
        kind="cross-layer",
        check=NAME,
        status="skip",
        target=say(lang, "slip.target"),
        note=say(lang, "slip.skipped", why=why),
    )
