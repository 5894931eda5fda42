"""The health desk: verdicts with their impact, history and mutes, for one dataset at a time.

Every run over all data of a version by its own clock is recorded, so that a later version can tell what it
brought and what it mended. Mutes are of the list only: a muted finding keeps its status and its count, and an
answer that rests on such rows is worded by `used_rows`, which knows no mutes.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from askcore.base.errors import AskError, BadRequest, LakeError
from askcore.base.health_store import HealthStore, Scan, key_text
from askcore.base.text import say
from askcore.base.values import Lang, Period, Verdict
from askcore.base.views import HealthHeatmap, HealthHistory, HealthIssue, HealthReport, Mute
from askcore.checks.catalogue import resolve_ids, run_checks
from askcore.checks.frame import Frame
from askcore.checks.heatmap import heatmap, shown_days
from askcore.checks.history import Step, aged, change_of, scan_of, step
from askcore.checks.impact import issue_of
from askcore.checks.limits import load_limits
from askcore.checks.mutes import MuteRequest, as_of_day, mute_of, muted
from askcore.checks.wording import entity_name
from askcore.lake import Lake, LakeView

if TYPE_CHECKING:
    from askcore.semantic.model import Model

_LOG = logging.getLogger(__name__)
_VERSIONS = 30  # that a history shows


class HealthDesk:
    """One a process; the store and the lake are shared with others."""

    def __init__(
        self, lake: Lake, store: HealthStore, *, clock: Callable[[], float], today: Callable[[Model], date]
    ) -> None:
        self._lake = lake
        self._store = store
        self._clock = clock
        self._today = today

    def report(
        self,
        dataset: str,
        *,
        lang: Lang,
        start: date | None,
        end: date | None,
        as_of: date | None,
        entity: str | None = None,
    ) -> HealthReport:
        """All checks over a period, by default all the data; such a run is recorded.

        entity: id of a top entity; None: all. Raises: BadRequest when the dataset has no rows in the period.
        """
        with self._lake.open(dataset) as view:
            today = as_of or self._today(view.model)
            covered = _covered(view)
            period = _clamped(covered, start, end)
            verdicts = run_checks(view, period=period, as_of=today, lang=lang, entity=entity)
            is_whole = entity is None and period == covered and today == self._today(view.model)
            return HealthReport(
                dataset=dataset,
                version=view.version,
                as_of=today,
                period=period,
                verdicts=verdicts,
                synthetic=view.model.is_synthetic,
                issues=self._issues(verdicts, _frame(view, period, today, lang, entity), record=is_whole),
            )

    def note_load(self, dataset: str, lang: Lang) -> None:
        """Record what the newest version's health is, once; a load is not undone by a check that fails."""
        try:
            newest = self._lake.versions(dataset)[0]
            if self._store.has_scan(dataset, newest.version, newest.loaded_at):
                return
            with self._lake.open(dataset, newest.version) as view:
                today = self._today(view.model)
                verdicts = run_checks(view, period=_covered(view), as_of=today, lang=lang)
                self._record(view, verdicts, today)
        except AskError as e:
            _LOG.warning("the health of %s was not recorded: %s", dataset, e.message)

    def history(self, dataset: str, *, lang: Lang) -> HealthHistory:
        """What each scanned version brought, mended and kept; newest first."""
        with self._lake.open(dataset) as view:
            frame = _frame(view, _covered(view), self._today(view.model), lang)

            def name(key: Mapping[str, str]) -> str:
                return entity_name(key, frame)

            scans = self._store.scans(dataset, list(islice(self._scanned(dataset), _VERSIONS + 1)))
            before = [*scans[1:], None]
            steps = [step(scan, previous) for scan, previous in zip(scans, before, strict=True)]
            found = tuple(change_of(one, name) for one in steps[:_VERSIONS])
        return HealthHistory(dataset=dataset, versions=found, is_cut=len(steps) > _VERSIONS)

    def heatmap(
        self,
        dataset: str,
        *,
        lang: Lang,
        start: date | None,
        end: date | None,
        check: str | None,
        as_of: date | None,
    ) -> HealthHeatmap:
        """Findings of the finest level by entity and day, of one check or of all.

        Raises: BadRequest on an unknown check or when there are no rows in the period.
        """
        with self._lake.open(dataset) as view:
            today = as_of or self._today(view.model)
            asked = _clamped(_covered(view), start, end)
            frame = _frame(view, shown_days(asked), today, lang)
            ids = None if check is None else resolve_ids(view.model, [check])
            verdicts = run_checks(view, period=frame.period, as_of=today, lang=lang, ids=ids)
            active = [m for m in as_of_day(self._store.mutes(dataset), today) if m.is_active]
            return heatmap(verdicts, frame, asked=asked, active=active, with_info=check is not None)

    # mutes --------------------------------------------------------------------------------------

    def mute(self, dataset: str, asked: MuteRequest, *, lang: Lang, as_of: date | None) -> Mute:
        """Set findings aside from today on. Raises: BadRequest, see `mutes.mute_of`."""
        model = self._lake.model(dataset)
        mute = mute_of(
            asked,
            model,
            dataset=dataset,
            mute_id=f"m{uuid.uuid4().hex[:12]}",
            today=as_of or self._today(model),
            now=self._clock(),
            lang=lang,
        )
        self._store.add_mute(mute)
        return mute

    def unmute(self, dataset: str, mute_id: str, *, viewer: str, lang: Lang) -> None:
        """End a mute. Raises: BadRequest when there is no such one."""
        self._lake.model(dataset)
        if not self._store.end_mute(dataset, mute_id, viewer, self._clock()):
            raise BadRequest(say(lang, "health.mute_unknown", mute=mute_id), error_class="unknown_name")

    def mutes(self, dataset: str, *, as_of: date | None, expired: bool) -> tuple[Mute, ...]:
        """Mutes that cover today, newest first; with those past their day when `expired`."""
        today = as_of or self._today(self._lake.model(dataset))
        found = as_of_day(self._store.mutes(dataset), today)
        return tuple(m for m in found if m.is_active or expired)

    # plumbing -----------------------------------------------------------------------------------

    def _issues(self, verdicts: Sequence[Verdict], frame: Frame, *, record: bool) -> tuple[HealthIssue, ...]:
        """What each verdict means, with its mutes and its history; without both when the state is down.

        record: whether the verdicts are of all data by the dataset's own clock.
        """
        issues = tuple(issue_of(v, frame) for v in verdicts)
        view = frame.view
        try:
            if record:
                self._record(view, verdicts, frame.as_of)
            active = [m for m in as_of_day(self._store.mutes(view.dataset), frame.as_of) if m.is_active]
            found = self._step(view)
        except LakeError as e:
            _LOG.warning("the health of %s is shown without history and mutes: %s", view.dataset, e.message)
            return issues
        return tuple(
            _with_history(muted(i, v, active), v, found) for i, v in zip(issues, verdicts, strict=True)
        )

    def _record(self, view: LakeView, verdicts: Sequence[Verdict], today: date) -> None:
        scan = scan_of(
            verdicts,
            dataset=view.dataset,
            version=view.version,
            loaded_at=self._lake.version(view.dataset, view.version).loaded_at,
            as_of=today,
        )
        self._store.record(aged(scan, self._before(view)), self._clock())

    def _step(self, view: LakeView) -> Step | None:
        """What the version brought; None when it was never scanned."""
        own = (view.version, self._lake.version(view.dataset, view.version).loaded_at)
        scans = self._store.scans(view.dataset, [own])
        return step(scans[0], self._before(view)) if scans else None

    def _before(self, view: LakeView) -> Scan | None:
        """The newest scan of an earlier version."""
        earlier = next(self._scanned(view.dataset, below=view.version), None)
        scans = () if earlier is None else self._store.scans(view.dataset, [earlier])
        return scans[0] if scans else None

    def _scanned(self, dataset: str, *, below: int | None = None) -> Iterator[tuple[int, float]]:
        """Scanned versions that the lake still has, newest first; a dataset made anew has a new history."""
        for version, loaded_at in self._store.versions(dataset):
            if below is not None and version >= below:
                continue
            try:
                known = self._lake.version(dataset, version).loaded_at
            except LakeError:  # expired, or of a dataset that was made anew with fewer versions
                continue
            if known == loaded_at:
                yield version, loaded_at


def _with_history(issue: HealthIssue, verdict: Verdict, found: Step | None) -> HealthIssue:
    if found is None or verdict.status not in ("warn", "fail"):
        return issue
    keys = [(verdict.check, key_text(key)) for key in verdict.keys]
    fresh = sum(key in found.appeared for key in keys)
    since = [found.persists[key] for key in keys if key in found.persists]
    if not fresh and not since:
        return issue
    return replace(
        issue,
        since_version=min([*since, *([found.scan.version] if fresh else [])]),
        n_new=None if found.previous is None else fresh,
    )


def _frame(view: LakeView, period: Period, today: date, lang: Lang, entity: str | None = None) -> Frame:
    return Frame(view=view, period=period, as_of=today, lang=lang, limits=load_limits(), entity=entity)


def _covered(view: LakeView) -> Period:
    covered = view.catalog.period
    if covered is None:
        raise BadRequest(f"dataset {view.dataset!r} holds no rows")
    return covered


def _clamped(covered: Period, start: date | None, end: date | None) -> Period:
    last = min(end or covered.end, covered.end)
    first = max(start or covered.start, covered.start)
    if first > last:
        raise BadRequest(f"no data between {start} and {end}", hint=f"{covered.start} … {covered.end}")
    return Period(start=first, end=last)
