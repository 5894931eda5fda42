"""Are the rows that an answer used faulty? The cheap part of the catalogue, over exactly those rows.

Every answer is worded by these verdicts. Looked at are the rows of the level that was read, in the period, of
the entities and metrics asked for: missing, all-zero and doubled rows, empty values, ranges, identities that
touch the metrics, units of the source's rates, agreement with the rows below, and how old the data is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from askcore.base.values import Lang, Period, QuerySpec, Verdict
from askcore.checks import (
    all_zero_rows,
    dup_keys,
    freshness,
    identity,
    layer_sum,
    missing_days,
    nulls,
    unit_drift,
    uv_bound,
    value_range,
)
from askcore.checks.finding import PASS, Figure, Grade, Outcome, day_of, grade_findings
from askcore.checks.frame import Frame
from askcore.checks.limits import load_limits
from askcore.checks.measures import ROWS, Check, Measured, measure
from askcore.checks.ownership import cause, settle
from askcore.checks.sql import inputs_of_text
from askcore.checks.wording import checked, joined, text, title
from askcore.semantic.averages import split_key
from askcore.semantic.model import Identity, Level
from askcore.semantic.periods import step_end

if TYPE_CHECKING:
    from askcore.checks.finding import Checked
    from askcore.lake import LakeView

NAME = "used_rows"
_TELLING_DAYS = 60  # steps over which a shop that seldom opens differs from one with a lost row
_ROW_CHECKS: tuple[Check, ...] = (
    dup_keys.CHECK,
    nulls.CHECK,
    value_range.CHECK,
    unit_drift.CHECK,
    identity.CHECK,
)


def used_rows_verdicts(view: LakeView, spec: QuerySpec, as_of: date, lang: Lang) -> tuple[Verdict, ...]:
    """Verdicts on the rows that `spec` reads: what was found, then one pass naming what was checked.

    spec: as the lake ran it (clamped period, ids in the filters, the level that was read as scope).
    """
    return tuple(c.verdict for c in used_rows(view, spec, as_of, lang))


def used_rows(view: LakeView, spec: QuerySpec, as_of: date, lang: Lang) -> tuple[Checked, ...]:
    """As `used_rows_verdicts`, with the numbers that the sentences state."""
    frame = frame_of(view, spec, as_of, lang)
    level = frame.model.levels_by_key.get(frame.scope or "")
    checks = (*_ROW_CHECKS, all_zero_rows.CHECK)
    measured = measure(frame, checks)
    n_used = measured.count(ROWS)
    found: list[Outcome] = []
    if n_used:
        for check in _ROW_CHECKS:
            found += check.run(frame, measured)
        found += _zero(frame, level, measured)
    found.append(_missing(frame, level, n_used))
    everything = [*settle(found, frame), *_below(frame, level), *_freshness(frame, level)]
    settled = [_as_used(o, frame, n_used) for o in everything]
    bad = [o for o in settled if o.grade.status in ("warn", "fail")]
    bad.sort(key=lambda o: o.grade.status != "fail")
    passed = [o for o in settled if o.grade.status == "pass"]
    told = [checked(o, frame) for o in bad]
    if n_used and passed:
        told.append(checked(_summary(passed, frame, n_used), frame))
    return tuple(replace(c, verdict=replace(c.verdict, id=f"v{n}")) for n, c in enumerate(told, start=1))


def frame_of(view: LakeView, spec: QuerySpec, as_of: date, lang: Lang) -> Frame:
    """The rows that a query reads; without a level of its own, those of the top level that has rows."""
    scopes = view.catalog.scopes
    scope = spec.scope if spec.scope in scopes else None
    if scope is None and scopes:
        scope = scopes[0]
    metrics = tuple(dict.fromkeys(split_key(m)[0] for m in spec.metrics))
    known = {**view.model.levels_by_key, **view.model.dimensions_by_key}
    return Frame(
        view=view,
        period=spec.period,
        as_of=as_of,
        lang=lang,
        limits=load_limits(),
        entity=_top_entity(view, spec),
        scope=scope,
        filters={k: tuple(v) for k, v in spec.filters.items() if k in known},
        metrics=tuple(m for m in metrics if m in view.model.by_key),
    )


def _top_entity(view: LakeView, spec: QuerySpec) -> str | None:
    """The one that the rows are of: as in a query, a filter of its level goes before the run's own."""
    top = view.model.top_level
    named = () if top is None else spec.filters.get(top.key, ())
    if not named:
        return spec.entity
    return named[0] if len(named) == 1 else None


def _missing(frame: Frame, level: Level | None, n_used: int) -> Outcome:
    """Days without a row of the entities; a row that a dimension filter drops is not missing."""
    entities = {key.key for key in frame.levels}
    kept = {k: v for k, v in frame.filters.items() if k in entities}
    if len(kept) < len(frame.filters):
        return _gaps(replace(frame, filters=kept), level)
    return missing_days.complete(frame, level, n_used) or _gaps(frame, level)


def _gaps(frame: Frame, level: Level | None) -> Outcome:
    """Missing steps; whether an entity is sparse is not told by two or three days but by the weeks before."""
    found = missing_days.outcome(frame, level)
    if found.reason != "skip_sparse" or frame.period.days >= _TELLING_DAYS * frame.step_days:
        return found
    start = frame.period.end - timedelta(days=_TELLING_DAYS * frame.step_days)
    wide = missing_days.outcome(replace(frame, period=Period(start=start, end=frame.period.end)), level)
    inside = [f for f in wide.findings if frame.period.contains(day_of(f.key))]
    if wide.grade.status == "skip" or not inside:
        return found
    return replace(wide, findings=inside, grade=grade_findings(inside), n_checked=found.n_checked)


def _zero(frame: Frame, level: Level | None, measured: Measured) -> Sequence[Outcome]:
    """All-zero rows among those used; the level above decides whether they count."""
    if not measured.count("zero"):
        return [replace(_empty(all_zero_rows.NAME, "quality"), n_checked=measured.count(ROWS))]
    upper = next((u for low, u in frame.pairs if low == level), None)
    if level is None or upper is None:
        return []
    findings, _, sql = all_zero_rows.find_pair(frame, level, upper)
    return [
        replace(
            _empty(all_zero_rows.NAME, "quality"),
            grade=all_zero_rows.grade(findings),
            n_checked=measured.count(ROWS),
            findings=findings,
            sql=sql,
        )
    ]


def _empty(check: str, kind: str) -> Outcome:
    return Outcome(
        check=check, kind="cross-layer" if kind == "cross-layer" else "quality", grade=PASS, n_checked=0
    )


def _below(frame: Frame, level: Level | None) -> Sequence[Outcome]:
    """Whether the rows below add up to those used; the answer itself does not rest on them."""
    lower = next((low for low, up in frame.pairs if up == level), None)
    if level is None or lower is None or frame.extra_keys or not _whole(frame, level):
        return []
    found = [
        *layer_sum.run_pair(frame, lower, level),
        *uv_bound.run_pairs(frame, ((lower, level),)),
    ]
    if not any(o.findings for o in found):
        return found
    below = _causes(frame, lower)
    settled = {o.check: o for o in settle([*found, *below], frame)}
    return [_told_below(settled[o.check], o, frame, below) for o in found]


def _whole(frame: Frame, level: Level) -> bool:
    """Whether the filters keep or drop an entity of the level with everything below it."""
    above = {one.key for one in frame.levels[: frame.depth(level.key) + 1]}
    return set(frame.filters) <= above


def _causes(frame: Frame, lower: Level) -> list[Outcome]:
    """Faults of single rows below that may explain why they do not add up."""
    columns = tuple(sorted(frame.inputs or ()))  # not the rates themselves: sources are not asked again
    under = replace(frame, scope=lower.key, metrics=columns)
    measured = measure(under, (all_zero_rows.CHECK, identity.CHECK))
    return [
        missing_days.outcome(under, lower),
        *_zero(under, lower, measured),
        *identity.CHECK.run(under, measured),
    ]


def _told_below(outcome: Outcome, seen: Outcome, frame: Frame, below: Sequence[Outcome]) -> Outcome:
    """The answer reads the level's own rows, so children that disagree call for care, not for disbelief,
    when a fault of their own explains it. outcome: what nothing below explains; seen: everything.
    """
    level = frame.model.levels_by_key[frame.scope or ""]
    remark = text(frame.lang, "used_rows_below", scope=level.label.get(frame.lang, level.key))
    keys = [k for found in outcome.explained.values() for k in found]
    if not keys:
        return replace(outcome, remark=remark) if outcome.findings else outcome
    by_key = {tuple(f.key.items()): f for f in seen.findings}
    findings = [*outcome.findings, *(by_key[tuple(k.items())] for k in keys)]
    status = outcome.grade if outcome.findings else Grade(status="warn", severity="info")
    causes = [cause(o, outcome.explained[o.check], frame) for o in below if o.check in outcome.explained]
    return replace(
        outcome,
        findings=findings,
        grade=status,
        explained={},
        remark=joined([*causes, remark], frame.lang),
        figures=tuple(Figure(value=len(k), metric="explained") for k in outcome.explained.values()),
    )


def _freshness(frame: Frame, level: Level | None) -> Sequence[Outcome]:
    """Only where the period reaches the newest day: older answers do not depend on it.

    Late data never makes the rows wrong, so it only warns; an archive is not late at all.
    """
    newest = _newest(frame, level)
    if newest is None or frame.period.end < newest:
        return []
    if (frame.as_of - newest).days > frame.limits.archive_days:
        return []
    return [
        replace(o, grade=Grade(status="warn", severity="minor") if o.grade.status == "fail" else o.grade)
        for o in freshness.of_scope(frame, None if level is None else level.key, newest)
    ]


def _newest(frame: Frame, level: Level | None) -> date | None:
    """Newest day of the level's rows; of the top entity's where it ends earlier."""
    catalog, top = frame.view.catalog, frame.model.top_level
    covered = catalog.scope_periods.get(level.key) if level is not None else catalog.period
    covered = covered or catalog.period
    if covered is None:
        return None
    owner = catalog.entity(top.key, frame.entity) if top is not None and frame.entity else None
    ends = [covered.end, *([date.fromisoformat(owner.last_day)] if owner and owner.last_day else [])]
    return min(frame.as_of, *(step_end(day, frame.model.time.grain) for day in ends))


def _as_used(outcome: Outcome, frame: Frame, n_used: int) -> Outcome:
    """The outcome in the light of the answer: how many of its rows are concerned."""
    if not outcome.findings or outcome.grade.status not in ("warn", "fail"):
        return outcome
    if outcome.check == unit_drift.NAME:
        remark = text(frame.lang, "used_rows_drift")
        return replace(outcome, grade=Grade(status="warn", severity="info"), remark=remark)
    if outcome.kind in ("freshness", "cross-layer"):
        return outcome
    rule = _identity(outcome, frame)
    grade = outcome.grade
    if rule is not None and grade.status == "fail" and not _touches_parts(rule, frame):
        grade = Grade(status="warn", severity=grade.severity)
    n_bad = len(outcome.findings) if outcome.n_total is None else outcome.n_total
    of_all = n_used + (n_bad if outcome.check == missing_days.NAME else 0)
    impact = text(frame.lang, "used_rows_impact", n=n_bad, checked=of_all)
    figures = (*outcome.figures, Figure(value=of_all, metric="rows_used"))
    return replace(outcome, grade=grade, remark=joined([outcome.remark, impact], frame.lang), figures=figures)


def _identity(outcome: Outcome, frame: Frame) -> Identity | None:
    name = outcome.check.partition(":")[2]
    return next((i for i in frame.model.identities if i.id == name), None)


def _touches_parts(rule: Identity, frame: Frame) -> bool:
    """Whether the metrics are on the side of the parts; a total that they miss is not itself in doubt."""
    return rule.kind == "inequality" or frame.wants(inputs_of_text(frame.model, rule.left))


def _summary(passed: Sequence[Outcome], frame: Frame, n_used: int) -> Outcome:
    names = text(frame.lang, "list_sep").join(dict.fromkeys(title(o.check, frame) for o in passed))
    return Outcome(
        check=NAME,
        kind="quality",
        grade=PASS,
        n_checked=n_used,
        words={"names": names},
        sql=";\n".join(o.sql for o in passed if o.sql),
    )
