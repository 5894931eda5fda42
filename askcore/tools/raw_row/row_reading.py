"""Reads one row: the source's fields and the lake's own values, all doubled rows, and the days near it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from askcore.checks.sql import Binder, Expressions, MissingInput, listed, quote, readable
from askcore.semantic.model import Model, TimeGrain
from askcore.tools.raw_row.agreement import Compared, agreement, tolerance_of
from askcore.tools.raw_row.raw_fields import RawField
from askcore.tools.raw_row.row_key import RowKey

if TYPE_CHECKING:
    from askcore.lake import LakeView

_MAX_ROWS = 20
_NEAR = 3  # days shown on each side of a day without a row
_STEP_DAYS: Mapping[TimeGrain, int] = {"day": 1, "week": 7, "month": 0, "quarter": 0, "year": 0}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeliveredRow:
    """One delivered row of the key."""

    number: int
    """1, 2 … in the order delivered."""
    copy: int
    """1 is the row that every query reads; 2 … were delivered again with the same key."""
    fields: Mapping[str, Any]
    """{} when the source gave no fields of its own with the row."""
    lake: Mapping[str, float | None]
    """Metric key -> the lake's own value."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowReader:
    """Reads rows of one key from a view."""

    view: LakeView
    key: RowKey

    @property
    def model(self) -> Model:
        """The model of the view."""
        return self.view.model

    def rows(self) -> tuple[tuple[DeliveredRow, ...], str]:
        """All rows of the key, doubled ones too, and the statement."""
        metrics = self._expressions()
        binder = Binder()
        fields = "NULL AS fields"
        joined = ""
        if self.view.raw_fields:
            shared = [c for c in self.view.run("SELECT * FROM raw LIMIT 0").columns if c != "fields"]
            same = " AND ".join(f"f.{quote(c)} IS NOT DISTINCT FROM r.{quote(c)}" for c in shared)
            fields, joined = "r.fields", f" LEFT JOIN raw r ON {same}"
        values = "".join(f", {sql}" for sql in metrics.values())
        where = self._where(binder, self.key.day)
        sql = f"SELECT f._dup_n, {fields}{values} FROM fact f{joined} WHERE {where} ORDER BY 1"  # noqa: S608
        found = self.view.run(sql, binder.values, limit=_MAX_ROWS).rows
        rows = tuple(
            DeliveredRow(
                number=at,
                copy=int(row[0]),
                fields=dict(row[1] or {}),
                lake=dict(zip(metrics, row[2:], strict=True)),
            )
            for at, row in enumerate(found, start=1)
        )
        return rows, readable(sql, binder.values)

    def before(self, days: int) -> Mapping[str, float | None] | None:
        """The lake's values so many days earlier; None without exactly one such row."""
        metrics = self._expressions()
        if not days or not metrics:
            return None
        binder = Binder()
        where = self._where(binder, self.key.day - timedelta(days=days))
        sql = f"SELECT {listed(metrics.values())} FROM fact f WHERE {where} AND f._dup_n = 1"  # noqa: S608
        found = self.view.run(sql, binder.values, limit=2).rows
        return dict(zip(metrics, found[0], strict=True)) if len(found) == 1 else None

    def near_days(self) -> tuple[date, ...]:
        """The nearest days that have a row of this entity."""
        found: list[date] = []
        for sign, order in (("<", "DESC"), (">", "ASC")):
            binder = Binder()
            where = f"{self._where(binder, None)} AND f.date {sign} {binder(self.key.day)}"
            sql = f"SELECT DISTINCT f.date FROM fact f WHERE {where} ORDER BY 1 {order} LIMIT {_NEAR}"  # noqa: S608
            found += [row[0] for row in self.view.run(sql, binder.values).rows]
        return tuple(sorted(found))

    def _expressions(self) -> dict[str, str]:
        """Metric key -> SQL of its value in one row."""
        expressions = Expressions(model=self.model, columns=frozenset(self.view.catalog.columns))
        found: dict[str, str] = {}
        for metric in self.model.metrics:
            try:
                found[metric.key] = expressions.metric(metric.key)
            except MissingInput:
                continue
        return found

    def _where(self, binder: Binder, day: date | None) -> str:
        """Rows of the key's entity, on one day or on any, doubled ones too."""
        found = ["TRUE"]
        if self.key.level is not None:
            found.append(f"f.scope = {binder(self.key.level.key)}")
        if day is not None:
            found.append(f"f.date = {binder(day)}")
        target, top = self.key.target, self.model.top_level
        if target.entity is not None and top is not None:
            found.append(f"f.{quote(top.id)} = {binder(target.entity)}")
        for name, ids in target.filters.items():
            level = self.model.levels_by_key.get(name)
            column = level.id if level else self.model.dimensions_by_key[name].column
            found.append(f"CAST(f.{quote(column)} AS VARCHAR) IN ({binder.all(ids)})")
        return " AND ".join(found)


def compared(
    reader: RowReader, rows: Sequence[DeliveredRow], fields: Sequence[RawField]
) -> tuple[Compared, ...]:
    """Every field of every row against the lake's own value."""
    model = reader.model
    kinds = {f.kind for f in fields}
    step = _STEP_DAYS[model.time.grain]
    week = 7 if model.time.grain in ("day", "week") else 0
    day_before = reader.before(step) if "day_change" in kinds else None
    week_before = reader.before(week) if "week_change" in kinds else None
    found = []
    for row in rows:
        for field in fields:
            lake = _lake_value(field, row, day_before, week_before)
            source = row.fields.get(field.name)
            told = number(source)
            is_own = field.kind == "value"
            meant = abs(told) if told is not None and is_own and _is_billed(field) else told
            how, factor = agreement(meant, lake, tolerance_of(model, field), probe=is_own)
            found.append(
                Compared(
                    field=field,
                    row=row.number,
                    source=source if told is None or isinstance(source, str) else told,
                    lake=lake,
                    agreement=how,
                    factor=factor,
                )
            )
    return tuple(found)


def _lake_value(
    field: RawField,
    row: DeliveredRow,
    day_before: Mapping[str, float | None] | None,
    week_before: Mapping[str, float | None] | None,
) -> float | None:
    if field.metric is None:
        return None
    now = row.lake.get(field.metric.key)
    if field.kind == "value":
        return now
    earlier = {"day_change": day_before, "week_change": week_before}.get(field.kind)
    then = None if earlier is None else earlier.get(field.metric.key)
    return None if now is None or then is None else now - then


def _is_billed(field: RawField) -> bool:
    """Whether sources may give the metric as a negative amount."""
    return field.metric is not None and field.metric.additivity.sign == "positive_abs"


def number(value: Any) -> float | None:
    """A source value as a number ("8.5%" is 0.085); None for words and for nothing."""
    if isinstance(value, bool) or value is None:
        return None
    is_percent = isinstance(value, str) and value.strip().endswith("%")
    try:
        return float(value.strip().rstrip("%")) / 100 if is_percent else float(value)
    except (TypeError, ValueError):
        return None
