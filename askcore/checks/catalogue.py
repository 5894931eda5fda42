"""The catalogue of checks and the one way to run it.

`CHECKS` is everything there is, in the order that a fault is attributed; ids of identities and of rules
between levels come from the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.values import Lang, Period, Verdict
from askcore.checks import (
    all_zero_child,
    all_zero_rows,
    anomaly,
    dup_keys,
    enum_values,
    freshness,
    future_date,
    identity,
    layer_sum,
    missing_days,
    nulls,
    orphans,
    ratio_recomputed,
    schema_drift,
    share_shift,
    source_delta,
    sync_log,
    unit_drift,
    uv_bound,
    value_range,
    volume,
)
from askcore.checks.finding import Checked, Figure, Outcome
from askcore.checks.frame import Frame
from askcore.checks.limits import load_limits
from askcore.checks.measures import Check, measure
from askcore.checks.ownership import owners_of, settle, told
from askcore.checks.wording import checked, entities_and_days, text
from askcore.semantic.model import Model

if TYPE_CHECKING:
    from askcore.lake import LakeView

CHECKS: tuple[Check, ...] = (
    freshness.CHECK,
    sync_log.CHECK,
    schema_drift.CHECK,
    missing_days.CHECK,
    volume.CHECK,
    dup_keys.CHECK,
    all_zero_rows.CHECK,
    nulls.CHECK,
    value_range.CHECK,
    enum_values.CHECK,
    future_date.CHECK,
    orphans.CHECK,
    unit_drift.CHECK,
    identity.CHECK,
    layer_sum.CHECK,
    uv_bound.CHECK,
    ratio_recomputed.CHECK,
    all_zero_child.CHECK,
    source_delta.CHECK,
    share_shift.CHECK,
    anomaly.CHECK,
)
BETWEEN_LEVELS = (layer_sum.NAME, uv_bound.NAME, ratio_recomputed.NAME, all_zero_child.NAME)
"""Checks that reconcile a level with the one above it."""
_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "zero_child_vs_parent": (all_zero_rows.NAME, all_zero_child.NAME),
}
"""Names of the trade for what several checks of ours look at."""
Progress = Callable[[str, float], None]
"""Told which check runs and how far the whole is (0-1)."""


def check_ids(model: Model) -> tuple[str, ...]:
    """Ids of all checks that have a meaning for the model."""
    return tuple(i for check in CHECKS for i in check.ids(model))


def reconciling_ids(model: Model) -> tuple[str, ...]:
    """Ids of the checks between levels and of the identities."""
    names = (identity.NAME, *BETWEEN_LEVELS)
    return tuple(i for check in CHECKS if check.name in names for i in check.ids(model))


def resolve_ids(model: Model, names: Sequence[str]) -> tuple[str, ...]:
    """Catalogue ids of names as people write them: identities also without their prefix.

    Raises: BadRequest naming the near match.
    """
    known = {i.lower(): i for i in check_ids(model)}
    known |= {i.partition(":")[2].lower(): i for i in known.values() if ":" in i}
    groups = {check.name: check.ids(model) for check in CHECKS}
    groups |= {name: tuple(i for part in parts for i in groups[part]) for name, parts in _OTHER_NAMES.items()}
    found: list[str] = []
    for name in names:
        if name.lower() in known:
            found.append(known[name.lower()])
        elif groups.get(name):
            found.extend(groups[name])
        else:
            raise BadRequest(
                f"unknown check {name!r}",
                hint=did_you_mean(name, known) or ", ".join(known.values()),
                error_class="unknown_name",
            )
    return tuple(dict.fromkeys(found))


def run_checks(
    view: LakeView,
    *,
    period: Period,
    as_of: date,
    lang: Lang,
    ids: Sequence[str] | None = None,
    entity: str | None = None,
    progress: Progress | None = None,
) -> tuple[Verdict, ...]:
    """Verdicts of the asked checks: fail, warn, skip, pass; by severity within.

    ids: catalogue ids or names as in `resolve_ids`; None: all that have a meaning for the model. entity: id
    of a top entity; None: all. Over the whole catalogue a key that another check owns is told in the note
    only, so that one fault is one issue; asked by name a check lists all its keys and says what causes them.
    Raises: BadRequest on an unknown check.
    """
    frame = Frame(
        view=view,
        period=period,
        as_of=as_of,
        lang=lang,
        limits=load_limits(),
        entity=entity,
    )
    return tuple(c.verdict for c in run_checked(frame, ids, progress))


def run_checked(
    frame: Frame, ids: Sequence[str] | None = None, progress: Progress | None = None
) -> tuple[Checked, ...]:
    """As `run_checks` over a frame, with the numbers that the sentences state."""
    model = frame.model
    if ids is None:
        outcomes = settle(evaluate(frame, set(check_ids(model)), progress), frame)
    else:
        wanted = set(resolve_ids(model, ids))
        every = evaluate(frame, wanted | _causes(model, wanted), progress)
        outcomes = [o for o in told(every, frame) if o.check in wanted]
    return ordered([checked(o, frame) for o in outcomes])


def with_earlier(frame: Frame, found: Sequence[Checked], days: int) -> tuple[Checked, ...]:
    """The verdicts, where those that passed say what the same check finds in the days just before.

    Only for units: a source that once delivered percentages will do so again.
    """
    covered = frame.view.catalog.period
    end = frame.period.start - timedelta(days=1)
    if covered is None or end < covered.start:
        return tuple(found)
    before = replace(frame, period=Period(start=max(covered.start, end - timedelta(days=days - 1)), end=end))
    told = []
    for one in found:
        if one.verdict.check == unit_drift.NAME and one.verdict.status == "pass":
            (earlier,) = run_checked(before, (unit_drift.NAME,))
            one = _said_earlier(one, earlier, frame, days) if earlier.verdict.n_bad else one
        told.append(one)
    return tuple(told)


def _said_earlier(one: Checked, earlier: Checked, frame: Frame, days: int) -> Checked:
    n_bad = earlier.verdict.n_bad
    where = entities_and_days(earlier.verdict.keys, frame)
    said = text(frame.lang, "earlier", days=days, n=n_bad, where=where)
    joint = "" if frame.lang == "zh" else " "
    counts = (Figure(value=n_bad, metric="earlier"), Figure(value=days, metric="days_before", unit="days"))
    return Checked(
        verdict=replace(one.verdict, note=f"{one.verdict.note}{joint}{said}"),
        figures=(*one.figures, *counts),
    )


def _causes(model: Model, wanted: set[str]) -> set[str]:
    """Cheap checks of single rows that may explain what the wanted ones see."""
    asked = [c.name for c in CHECKS if wanted.intersection(c.ids(model))]
    names = {owner for name in asked for owner in owners_of(name)} - set(BETWEEN_LEVELS)
    return {i for c in CHECKS if c.name in names for i in c.ids(model)}


def evaluate(frame: Frame, wanted: set[str], progress: Progress | None = None) -> list[Outcome]:
    """Outcomes of the checks with the wanted ids, in catalogue order, before ownership."""
    checks = [c for c in CHECKS if wanted.intersection(c.ids(frame.model))]
    frame = replace(frame, only=frozenset(wanted))
    measured = measure(frame, checks)
    found: list[Outcome] = []
    for done, check in enumerate(checks):
        if progress is not None:
            progress(check.name, done / len(checks))
        found += [o for o in check.run(frame, measured) if o.check in wanted]
    if progress is not None:
        progress("", 1.0)
    return found


def ordered(found: Sequence[Checked]) -> tuple[Checked, ...]:
    """Fail, warn, skip, pass; the severest first; numbered v1, v2 …"""
    by_rank = sorted(found, key=lambda c: c.verdict.rank)
    return tuple(replace(c, verdict=replace(c.verdict, id=f"v{n}")) for n, c in enumerate(by_rank, start=1))
