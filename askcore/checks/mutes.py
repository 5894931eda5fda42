"""Findings that people set aside: which mute covers which bad key on a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang, Verdict
from askcore.base.views import HealthIssue, Mute
from askcore.checks.catalogue import resolve_ids
from askcore.checks.finding import Key
from askcore.semantic.model import Model

MOST_DAYS = 366
_MOST_REASON = 300  # characters
_MOST_VALUE = 200
_OWN_PARTS = ("date", "scope", "entity", "column")


@dataclass(frozen=True, slots=True, kw_only=True)
class MuteRequest:
    """What somebody wants to set aside."""

    check: str
    days: int
    reason: str
    viewer: str
    key: Mapping[str, str]
    """Parts that a finding's key must have; {} = the whole check."""


def mute_of(
    asked: MuteRequest, model: Model, *, dataset: str, mute_id: str, today: date, now: float, lang: Lang
) -> Mute:
    """The mute, from today on.

    Raises: BadRequest on an unknown check or key, on days out of bounds and on no reason.
    """
    reason = asked.reason.strip()
    if not reason:
        raise BadRequest(say(lang, "health.mute_no_reason"), error_class="bad_args")
    if not 1 <= asked.days <= MOST_DAYS:
        raise BadRequest(say(lang, "health.mute_days", most=MOST_DAYS), error_class="bad_args")
    checks = resolve_ids(model, [asked.check])
    if len(checks) != 1:
        raise BadRequest(f"{asked.check!r} stands for several checks", hint=", ".join(checks))
    known = {*_OWN_PARTS, *(level.id for level in model.levels), *model.dimensions_by_key}
    for name in asked.key:
        if name not in known:
            raise BadRequest(
                say(lang, "health.mute_key", name=name), hint=", ".join(sorted(known)), error_class="bad_args"
            )
    return Mute(
        mute_id=mute_id,
        dataset=dataset,
        check=checks[0],
        key={name: str(value)[:_MOST_VALUE] for name, value in asked.key.items() if value},
        reason=reason[:_MOST_REASON],
        viewer=asked.viewer,
        start=today,
        until=today + timedelta(days=asked.days - 1),
        created_at=now,
    )


def as_of_day(mutes: Sequence[Mute], day: date) -> tuple[Mute, ...]:
    """The mutes, each saying whether it covers the day."""
    return tuple(replace(m, is_active=m.start <= day <= m.until) for m in mutes)


def covers(mute: Mute, check: str, key: Key) -> bool:
    """Whether the mute sets this finding aside, days apart."""
    return mute.check == check and all(key.get(name, "") == value for name, value in mute.key.items())


def muted(issue: HealthIssue, verdict: Verdict, active: Sequence[Mute]) -> HealthIssue:
    """The issue with what is muted of it; the verdict keeps its status and its count."""
    mine = [m for m in active if m.check == verdict.check]
    if not mine or verdict.status not in ("warn", "fail"):
        return issue
    covering = [m for m in mine if not m.key or any(covers(m, verdict.check, k) for k in verdict.keys)]
    if any(not m.key for m in mine):
        n_muted = verdict.n_bad
    else:
        n_muted = sum(any(covers(m, verdict.check, k) for m in mine) for k in verdict.keys)
    return replace(
        issue, n_muted=n_muted, mutes=tuple(covering), is_muted=n_muted > 0 and n_muted >= verdict.n_bad
    )
