"""How findings come and go: what a version brought, what it mended, what persists since which version.

A finding is a check with a bad key. Each scan holds the age of its findings, so that two neighbouring scans
tell everything. A check that was skipped, or that had more keys than are kept, says nothing about its
findings: they are neither mended nor new.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from askcore.base.health_store import CheckState, Scan, key_text
from askcore.base.values import Verdict, VerdictStatus
from askcore.base.views import HealthChange, HealthFinding

MAX_KEYS = 5000  # of a check in a scan; a reader follows dozens, and a scan stays below some 200 KB
MAX_LISTED = 200  # findings that a list of changes holds
_WORST: tuple[VerdictStatus, ...] = ("fail", "warn", "skip", "pass")
Found = tuple[str, str]
"""(check, key text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One scanned version against the one before; findings with the version that first had them."""

    scan: Scan
    previous: int | None
    appeared: Mapping[Found, int] = field(default_factory=dict)
    mended: Mapping[Found, int] = field(default_factory=dict)
    persists: Mapping[Found, int] = field(default_factory=dict)
    not_evaluated: tuple[str, ...] = ()
    too_many: tuple[tuple[str, int | None, int], ...] = ()


def scan_of(
    verdicts: Sequence[Verdict], *, dataset: str, version: int, loaded_at: float, as_of: date
) -> Scan:
    """What the verdicts of a whole catalogue run found; verdicts of one check are put together."""
    states: dict[str, CheckState] = {}
    for verdict in verdicts:
        bad = verdict.keys if verdict.status in ("warn", "fail") else ()
        since = dict.fromkeys((key_text(key) for key in bad), version)
        n_unnamed = max(verdict.n_bad - len(bad), 0)
        found = CheckState(status=verdict.status, n_bad=len(since) + n_unnamed, since=since)
        states[verdict.check] = _together(states.get(verdict.check), found)
    return Scan(
        dataset=dataset,
        version=version,
        loaded_at=loaded_at,
        as_of=as_of,
        checks={name: _kept(state) for name, state in states.items()},
    )


def _together(one: CheckState | None, other: CheckState) -> CheckState:
    if one is None:
        return other
    since = {**one.since, **other.since}
    doubled = len(one.since) + len(other.since) - len(since)
    status = min(one.status, other.status, key=_WORST.index)
    return CheckState(status=status, n_bad=one.n_bad + other.n_bad - doubled, since=since)


def _kept(state: CheckState) -> CheckState:
    return state if len(state.since) <= MAX_KEYS else replace(state, since={})


def aged(scan: Scan, previous: Scan | None) -> Scan:
    """The scan with the age of its findings. previous: the newest scan of an earlier version, aged itself."""
    before = {} if previous is None else previous.checks
    return replace(scan, checks={name: _aged(state, before.get(name)) for name, state in scan.checks.items()})


def _aged(state: CheckState, before: CheckState | None) -> CheckState:
    if before is None or before.is_cut:
        return state
    if state.status == "skip":
        return replace(state, since=before.since)
    return replace(state, since={key: before.since.get(key, v) for key, v in state.since.items()})


def step(scan: Scan, previous: Scan | None) -> Step:
    """What the version brought, mended and kept; both scans are aged."""
    version = scan.version
    appeared: dict[Found, int] = {}
    mended: dict[Found, int] = {}
    persists: dict[Found, int] = {}
    skipped: list[str] = []
    too_many: list[tuple[str, int | None, int]] = []
    for check, state in scan.checks.items():
        before = None if previous is None else previous.checks.get(check)
        if state.status == "skip":
            skipped += [check] if state.since else []
        elif state.is_cut or (before is not None and before.is_cut):
            too_many.append((check, None if before is None else before.n_bad, state.n_bad))
        else:
            for key, since in state.since.items():
                (appeared if since == version else persists)[check, key] = since
            gone = {} if before is None else before.since
            mended |= {(check, key): since for key, since in gone.items() if key not in state.since}
    return Step(
        scan=scan,
        previous=None if previous is None else previous.version,
        appeared=appeared,
        mended=mended,
        persists=persists,
        not_evaluated=tuple(skipped),
        too_many=tuple(too_many),
    )


def change_of(step: Step, name_of: Callable[[Mapping[str, str]], str]) -> HealthChange:
    """The step as front ends see it. name_of: display name of the entity that a key names."""

    def listed(found: Mapping[Found, int]) -> tuple[HealthFinding, ...]:
        shown = sorted(found.items())[:MAX_LISTED]
        return tuple(_finding(finding, since, step.scan, name_of) for finding, since in shown)

    counts: dict[str, int] = dict.fromkeys(_WORST, 0)
    for state in step.scan.checks.values():
        counts[state.status] += 1
    return HealthChange(
        version=step.scan.version,
        loaded_at=step.scan.loaded_at,
        as_of=step.scan.as_of,
        previous=step.previous,
        counts=counts,
        appeared=listed(step.appeared),
        mended=listed(step.mended),
        persists=listed(step.persists),
        n_appeared=len(step.appeared),
        n_mended=len(step.mended),
        n_persists=len(step.persists),
        not_evaluated=step.not_evaluated,
        too_many=step.too_many,
    )


def _finding(
    found: Found, since: int, scan: Scan, name_of: Callable[[Mapping[str, str]], str]
) -> HealthFinding:
    check, text = found
    key = json.loads(text)
    state = scan.checks.get(check)
    return HealthFinding(
        check=check,
        status="" if state is None else state.status,
        key=key,
        entity=name_of(key),
        since_version=since,
    )
