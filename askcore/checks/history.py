"""How findings come and go: what a version brought, what it mended, what persists since which version.

A finding is a check with a bad key. A check that was skipped, or that had more keys than are kept, says
nothing about its findings: they are neither mended nor new.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from askcore.base.health_store import CheckState, Scan, key_text
from askcore.base.values import Verdict, VerdictStatus
from askcore.base.views import HealthChange, HealthFinding

MAX_KEYS = 5000  # of a check in a scan; a reader follows dozens, and a scan stays below some 100 KB
MAX_LISTED = 200  # findings that a list of changes holds
_WORST: tuple[VerdictStatus, ...] = ("fail", "warn", "skip", "pass")
_Finding = tuple[str, str]
"""(check, key text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One scanned version against the one before."""

    scan: Scan
    previous: int | None
    since: Mapping[_Finding, int]
    """Every finding of the version -> the version that first had it."""
    mended: Mapping[_Finding, int]
    """Findings that are gone -> the version that first had them."""
    not_evaluated: tuple[str, ...] = ()
    too_many: tuple[tuple[str, int | None, int], ...] = ()


@dataclass(slots=True)
class _Open:
    """Findings that nothing has mended so far, with their first version."""

    since: dict[_Finding, int] = field(default_factory=dict)

    def of(self, check: str) -> list[_Finding]:
        return [found for found in self.since if found[0] == check]


def scan_of(
    verdicts: Sequence[Verdict], *, dataset: str, version: int, loaded_at: float, as_of: date
) -> Scan:
    """What the verdicts of a whole catalogue run found; verdicts of one check are put together."""
    states: dict[str, CheckState] = {}
    for verdict in verdicts:
        bad = verdict.keys if verdict.status in ("warn", "fail") else ()
        keys = tuple(dict.fromkeys(key_text(key) for key in bad))
        found = CheckState(
            status=verdict.status, n_bad=max(verdict.n_bad - len(bad) + len(keys), 0), keys=keys
        )
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
    keys = tuple(dict.fromkeys((*one.keys, *other.keys)))
    doubled = len(one.keys) + len(other.keys) - len(keys)
    status = min(one.status, other.status, key=_WORST.index)
    return CheckState(status=status, n_bad=one.n_bad + other.n_bad - doubled, keys=keys)


def _kept(state: CheckState) -> CheckState:
    """Sorted, so that a scan of the same findings is the same; too many keys are not kept at all."""
    keys = tuple(sorted(state.keys)) if len(state.keys) <= MAX_KEYS else ()
    return CheckState(status=state.status, n_bad=state.n_bad, keys=keys)


def steps(scans: Iterable[Scan]) -> list[Step]:
    """The history, oldest version first. scans: one a version, oldest first."""
    opened = _Open()
    found: list[Step] = []
    before: Scan | None = None
    for scan in scans:
        found.append(_step(scan, before, opened))
        before = scan
    return found


def _step(scan: Scan, before: Scan | None, opened: _Open) -> Step:
    mended: dict[_Finding, int] = {}
    skipped, too_many = [], []
    for check, state in scan.checks.items():
        known = opened.of(check)
        earlier = None if before is None else before.checks.get(check)
        if state.status == "skip":
            skipped += [check] if known else []
        elif state.is_cut or (earlier is not None and earlier.is_cut):
            too_many.append((check, None if earlier is None else earlier.n_bad, state.n_bad))
            _restart(opened, check, state, scan.version)
        else:
            now = {(check, key) for key in state.keys}
            for finding in known:
                if finding not in now:
                    mended[finding] = opened.since.pop(finding)
            for finding in now:
                opened.since.setdefault(finding, scan.version)
    evaluated = {c for c, s in scan.checks.items() if s.status != "skip"}
    return Step(
        scan=scan,
        previous=None if before is None else before.version,
        since={f: v for f, v in opened.since.items() if f[0] in evaluated},
        mended=mended,
        not_evaluated=tuple(skipped),
        too_many=tuple(too_many),
    )


def _restart(opened: _Open, check: str, state: CheckState, version: int) -> None:
    """Nothing tells which of the findings are old: those that are known now count from now."""
    for finding in opened.of(check):
        del opened.since[finding]
    opened.since |= {(check, key): version for key in state.keys}


def change_of(step: Step, name_of: Callable[[Mapping[str, str]], str]) -> HealthChange:
    """The step as front ends see it. name_of: display name of the entity that a key names."""
    version = step.scan.version
    followed = {check for check, *_ in step.too_many}
    fresh = [f for f, since in step.since.items() if since == version and f[0] not in followed]
    old = [f for f, since in step.since.items() if since != version]

    def listed(found: Sequence[_Finding], since: Mapping[_Finding, int]) -> tuple[HealthFinding, ...]:
        shown = sorted(found, key=lambda f: (f[0], f[1]))[:MAX_LISTED]
        return tuple(_finding(f, since[f], step.scan, name_of) for f in shown)

    counts: dict[str, int] = dict.fromkeys(_WORST, 0)
    for state in step.scan.checks.values():
        counts[state.status] += 1
    return HealthChange(
        version=version,
        loaded_at=step.scan.loaded_at,
        as_of=step.scan.as_of,
        previous=step.previous,
        counts=counts,
        appeared=listed(fresh, step.since),
        mended=listed(list(step.mended), step.mended),
        persists=listed(old, step.since),
        n_appeared=len(fresh),
        n_mended=len(step.mended),
        n_persists=len(old),
        not_evaluated=step.not_evaluated,
        too_many=step.too_many,
    )


def _finding(
    found: _Finding, since: int, scan: Scan, name_of: Callable[[Mapping[str, str]], str]
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
