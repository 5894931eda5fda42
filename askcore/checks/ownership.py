"""Which check owns a fault that several checks see, so that one fault is one issue.

A missing shop row also leaves the chain's sum short; a percentage where a fraction belongs also breaks the
identity of the rate. The owner keeps the keys. The others keep only what no owner explains; a check that
sees nothing else has no issue of its own and says whose issue it saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from askcore.checks.finding import PASS, Figure, Finding, Grade, Key, Outcome, day_of, grade_findings
from askcore.checks.frame import Frame
from askcore.checks.wording import entities_and_days, joined, text, title

_ROW_FAULTS = ("missing_days", "all_zero_rows")
_LAYER = (*_ROW_FAULTS, "unit_drift", "range", "identity", "layer_sum")
EXPLAINED_BY: Mapping[str, tuple[str, ...]] = {
    "layer_sum": _LAYER,
    "uv_bound": _LAYER,
    "ratio_recomputed": _LAYER,
    "all_zero_child": _ROW_FAULTS,
    "volume": ("missing_days",),
    "identity": ("unit_drift", "all_zero_rows", "range", "identity"),
    "source_delta": (*_ROW_FAULTS, "identity", "range"),
}
"""Stem of a check -> stems of the checks that may own what it sees."""


def settle(outcomes: Sequence[Outcome], frame: Frame) -> list[Outcome]:
    """The outcomes with every key under its owner only."""
    return [_settled(outcome, outcomes, frame) for outcome in outcomes]


def told(outcomes: Sequence[Outcome], frame: Frame) -> list[Outcome]:
    """The outcomes with all their keys, each saying which other check explains how many of them."""
    by_check = {o.check: o for o in outcomes}
    found = []
    for outcome in outcomes:
        explained = _settled(outcome, outcomes, frame).explained
        causes = [cause(by_check[owner], keys, frame) for owner, keys in explained.items()]
        counts = tuple(Figure(value=len(keys), metric="explained") for keys in explained.values())
        found.append(replace(outcome, remark=joined(causes, frame.lang), figures=(*outcome.figures, *counts)))
    return found


def cause(owner: Outcome, seen: Sequence[Key], frame: Frame) -> str:
    """As "1 explained by …: Old Town 10-13": the owner's keys behind those that another check sees."""
    index = _Index(owner, frame)
    keys = {tuple(k.items()): k for key in seen for k in index.behind(key)}
    return text(
        frame.lang,
        "because",
        n=len(seen),
        where=entities_and_days(list(keys.values()), frame),
        owner=title(owner.check, frame),
        check=owner.check,
    )


def owners_of(stem: str) -> tuple[str, ...]:
    """Names of the checks that may explain what a check sees."""
    return EXPLAINED_BY.get(stem, ())


def _settled(outcome: Outcome, outcomes: Sequence[Outcome], frame: Frame) -> Outcome:
    owners = list(_owners(outcome, outcomes))
    if not outcome.findings or not owners:
        return outcome
    index = {o.check: _Index(o, frame) for o in owners}
    explained: dict[str, list[Key]] = {}
    own: list[Finding] = []
    for finding in outcome.findings:
        owner = next((c for c, found in index.items() if found.explains(finding, outcome)), None)
        if owner is None:
            own.append(finding)
        else:
            explained.setdefault(owner, []).append(finding.key)
    if not explained:
        return outcome
    seen = sum(len(keys) for keys in explained.values())
    return replace(
        outcome,
        findings=own,
        explained=explained,
        grade=_grade_of_rest(outcome, own),
        n_total=None if outcome.n_total is None else max(len(own), outcome.n_total - seen),
    )


def _grade_of_rest(outcome: Outcome, own: Sequence[Finding]) -> Grade:
    if not own:
        return PASS
    if any(f.is_fail for f in outcome.findings):
        return grade_findings(own)
    return outcome.grade


def _owners(outcome: Outcome, outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """Possible owners in order of precedence; among equals the one listed first."""
    position = {id(o): n for n, o in enumerate(outcomes)}
    for stem in EXPLAINED_BY.get(outcome.text_key, ()):
        for other in outcomes:
            if other.text_key != stem or not other.findings:
                continue
            if stem != outcome.text_key or position[id(other)] < position[id(outcome)]:
                yield other


class _Index:
    """The keys of an owner, by day."""

    def __init__(self, owner: Outcome, frame: Frame) -> None:
        self._ids = [level.id for level in frame.levels]
        self._step = timedelta(days=frame.step_days)
        self._by_day: dict[str, list[Key]] = {}
        for finding in owner.findings:
            self._by_day.setdefault(finding.key["date"], []).append(finding.key)

    def explains(self, finding: Finding, outcome: Outcome) -> bool:
        """Whether the owner has the row itself or a row below it on that day.

        A change against the day before is also explained by a fault of the day before.
        """
        days = [finding.key["date"]]
        if outcome.text_key == "source_delta":
            days.append((day_of(finding.key) - self._step).isoformat())
        return any(self._covers(finding.key, key) for day in days for key in self._by_day.get(day, ()))

    def behind(self, key: Key) -> list[Key]:
        """The owner's keys at or below a key, of its day; of the day before when there are none."""
        for day in (key["date"], (day_of(key) - self._step).isoformat()):
            found = [k for k in self._by_day.get(day, ()) if self._covers(key, k)]
            if found:
                return found
        return []

    def _covers(self, key: Key, owned: Key) -> bool:
        return all(not key.get(i) or key[i] == owned.get(i) for i in self._ids)
