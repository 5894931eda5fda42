"""enum: a dimension holds a value that the model does not list, or that no earlier load ever held.

Where the model lists values the list decides; else the values of all loads before the newest one do. A
dimension with many values is no list, and without either nobody can tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askcore.checks.finding import PASS, WARN, Finding, Grade, Outcome
from askcore.checks.frame import Frame
from askcore.checks.measures import ROWS, Check, Measured
from askcore.checks.sql import Binder, any_of, fill, listed, quote, readable
from askcore.checks.wording import text
from askcore.semantic.model import Dimension, Model

NAME = "enum"
_MOST_VALUES = 200  # as many as a catalog lists; a value beyond them cannot be told from a known one
_SQL = """
SELECT @{key}, concat_ws(', ', @{which}) AS found
FROM fact f WHERE @{where} AND (@{bad}) ORDER BY f.date DESC"""


def allowed(dimension: Dimension, earlier: Mapping[str, tuple[str, ...]]) -> frozenset[str] | None:
    """Values that are expected; None when nothing says so."""
    if dimension.values:
        return frozenset(dimension.values)
    return frozenset(earlier[dimension.key]) if earlier.get(dimension.key) else None


def grade(findings: Sequence[Finding]) -> Grade:
    """A new value may be right: it warns."""
    return WARN if findings else PASS


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all dimensions; the rows are looked up only where there is a strange value."""
    shapes, catalog = frame.view.shapes, frame.view.catalog
    earlier = shapes[1].values if len(shapes) > 1 else {}
    expected = {}
    for dimension in frame.model.dimensions:
        values = allowed(dimension, earlier)
        stored = catalog.dimension_values.get(dimension.key, ())
        if values is not None and stored and len(stored) < _MOST_VALUES:
            expected[dimension.key] = (dimension, values, sorted(set(stored) - values - {""}))
    if not expected or not measured.count(ROWS):
        return [_skip("skip_no_enum" if not expected else "skip_no_rows")]
    strange = [(dimension, bad) for dimension, _, bad in expected.values() if bad]
    looked_at = strange or [(dimension, sorted(known)) for dimension, known, _ in expected.values()]
    findings, sql = _find(frame, looked_at, needed=bool(strange))
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=measured.count(ROWS),
            findings=findings,
            words={"metrics": _labels([d for d, _, _ in expected.values()], frame)},
            sql=sql,
        )
    ]


def _find(
    frame: Frame, strange: Sequence[tuple[Dimension, list[str]]], *, needed: bool
) -> tuple[list[Finding], str]:
    """Rows with one of the values, and the statement that lists them; not run unless `needed`."""
    bind = Binder()
    conditions, which = [], []
    for dimension, values in strange:
        column = f"CAST(f.{quote(dimension.column)} AS VARCHAR)"
        condition = f"{column} IN ({bind.all(values)})"
        conditions.append(condition)
        name = bind(dimension.label.get(frame.lang, dimension.key))
        which.append(f"CASE WHEN {condition} THEN {name} || ' ' || {column} END")
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        which=listed(which),
        where=frame.where(bind),
        bad=any_of(conditions),
    )
    found = [
        Finding(key=frame.key(row), size=1.0, detail=str(row[-1]))
        for row in frame.rows(sql, bind, needed=needed)
    ]
    return found, readable(sql, bind.values)


def _labels(dimensions: Sequence[Dimension], frame: Frame) -> str:
    found = [d.label.get(frame.lang, d.key) for d in dimensions]
    return text(frame.lang, "list_sep").join(found)


def _skip(reason: str) -> Outcome:
    return Outcome(check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason=reason)


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """No meaning without dimensions."""
    return (name,) if model.dimensions else ()


CHECK = Check(name=NAME, run=run, ids_of=ids_of)
