"""The source's own change against the day or week before, held against the computed one, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askcore.base.text import say
from askcore.base.values import Lang, Verdict
from askcore.checks.sql import Binder, Expressions, MissingInput, quote, readable
from askcore.semantic.averages import split_key
from askcore.semantic.model import Level, Metric, Model
from askcore.tools.compare.rows import Reader

_DAY, _WEEK = "last_period_diff", "last_week_diff"
_SHIFTS = {_DAY: 1, _WEEK: 7}
# Days between the periods -> the source's fields that are about the rows compared.
_FIELDS_OF_SHIFT = {1: (_DAY,), 7: (_WEEK, _DAY)}
_MAX_KEYS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """A metric, its SQL, and the SQL of the source's own change against `shift` days earlier."""

    metric: Metric
    value: str
    source: str
    shift: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row whose source difference disagrees."""

    metric: Metric
    day: str
    id: str
    name: str
    computed: float
    source: float


def source_delta_verdict(
    reader: Reader,
    metrics: Sequence[str],
    *,
    level: Level | None,
    shift_days: int,
    is_equal_length: bool,
    lang: Lang,
) -> Verdict:
    """Every row of the current period whose partner exists; skip with the reason where there is none."""
    model, catalog = reader.model, reader.view.catalog
    suffixes = _FIELDS_OF_SHIFT.get(shift_days, ()) if is_equal_length else ()
    if not suffixes or (shift_days == 1 and reader.periods[1].days > 1):
        return _skipped("compare.source_shift", lang)
    if model.source_delta is None or level is None:
        return _skipped("compare.source_no_fields", lang)
    fields = frozenset(reader.view.raw_fields)
    expressions = Expressions(model=model, columns=frozenset(catalog.columns), raw_fields=fields)
    checked: list[_Field] = []
    for key in dict.fromkeys(split_key(m)[0] for m in metrics):
        for suffix in suffixes:
            template = model.raw.columns.get(suffix, "{key}__" + suffix)
            try:
                value, source = expressions.metric(key), expressions.field(template.format(key=key))
            except MissingInput:
                continue
            shift = _SHIFTS[suffix]
            checked.append(_Field(metric=model.metric(key), value=value, source=source, shift=shift))
    if not checked:
        return _skipped("compare.source_no_fields", lang)
    return _checked(reader, level, checked, lang)


def _checked(reader: Reader, level: Level, checked: Sequence[_Field], lang: Lang) -> Verdict:
    count, bad = 0, list[_Row]()
    statements = []
    for one in checked:
        binder = Binder()
        sql = _statement(reader, binder, level, one)
        statements.append(readable(sql, binder.values))
        for day, leaf, name, computed, told in reader.view.run(sql, binder.values).rows:
            count += 1
            if abs(computed - told) > tolerance(reader.model, one.metric, told):
                bad.append(
                    _Row(metric=one.metric, day=str(day), id=leaf, name=name, computed=computed, source=told)
                )
    if not count:
        return _skipped("compare.source_no_rows", lang)
    bad.sort(key=lambda r: -abs(r.computed - r.source))
    worst = [
        say(
            lang,
            "compare.source_row",
            who=r.name,
            day=r.day,
            label=r.metric.label[lang],
            computed=f"{r.computed:,.2f}",
            source=f"{r.source:,.2f}",
        )
        for r in bad[:3]
    ]
    return Verdict(
        id="",
        kind="period",
        check="source_delta",
        status="warn" if bad else "pass",
        severity="minor" if bad else "info",
        target=say(lang, "compare.target_source_delta"),
        expect=say(lang, "compare.source_expect"),
        actual=say(lang, "compare.source_actual", n=len(bad), total=count),
        n_checked=count,
        n_bad=len(bad),
        keys=tuple({"date": r.day, "scope": level.key, level.id: r.id} for r in bad[:_MAX_KEYS]),
        note=say(lang, "compare.sentence_joint").join(worst) or say(lang, "compare.source_pass"),
        sql=";\n".join(statements),
    )


def tolerance(model: Model, metric: Metric, source: float) -> float:
    """How far computed and source difference may be apart."""
    rule = model.source_delta
    if rule is None:
        return 0.0
    return max(rule.abs_tol.get(metric.unit, 0.0), rule.rel_tol * abs(source))


def _statement(reader: Reader, binder: Binder, level: Level, field: _Field) -> str:
    """Rows of the current period with their computed and their source difference."""
    key = listed_key(reader.model, level)
    same = " AND ".join(f"f.{quote(c)} = r.{quote(c)}" for c in ("date", "scope", "_dup_n", *key))
    partner = " AND ".join(f"a.{quote(c)} = b.{quote(c)}" for c in key)
    ids = ", ".join(f"f.{quote(c)}" for c in key)
    current = reader.where(binder, level.key, reader.periods[1])
    before = reader.where(binder, level.key, reader.periods[1].shift(-field.shift))
    return (
        f"WITH a AS (SELECT f.date, {ids}, f.{quote(level.name)} AS who, {field.value} AS v, {field.source} AS told "  # noqa: S608
        f"FROM fact f JOIN raw r ON {same} WHERE {current}), "
        f"b AS (SELECT f.date, {ids}, {field.value} AS v FROM fact f WHERE {before}) "
        f"SELECT a.date, a.{quote(level.id)}, coalesce(a.who, a.{quote(level.id)}), a.v - b.v, a.told "
        f"FROM a JOIN b ON {partner} AND b.date = a.date - CAST({binder(field.shift)} AS INTEGER) "
        f"WHERE a.told IS NOT NULL AND a.v - b.v IS NOT NULL ORDER BY 1, 2"
    )


def listed_key(model: Model, level: Level) -> tuple[str, ...]:
    """Id columns from the top down to the level."""
    position = [x.key for x in model.levels].index(level.key)
    return tuple(x.id for x in model.levels[: position + 1])


def _skipped(reason: str, lang: Lang) -> Verdict:
    return Verdict(
        id="",
        kind="period",
        check="source_delta",
        status="skip",
        target=say(lang, "compare.target_source_delta"),
        note=say(lang, reason),
    )
