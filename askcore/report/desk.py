"""The report desk: has the questions of a report answered, keeps what was made, writes it, verifies it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol
from zoneinfo import ZoneInfo

from askcore.base.errors import BadRequest, Cancelled
from askcore.base.reports import Report, ReportKind, ReportOptions, Section
from askcore.base.text import say
from askcore.base.values import Lang, Period, Reading
from askcore.base.views import RunSnapshot
from askcore.report.answers import section_of
from askcore.report.chapters import BusinessKind, Chapter, baseline_for, chapters, newest_period
from askcore.report.health_report import HealthFound, health_sections
from askcore.report.manifest import manifest, read_manifest
from askcore.report.peers_context import PeerFound, peers_of
from askcore.report.peers_report import peer_sections
from askcore.report.progress import Progress, go_on, quiet
from askcore.report.verify import manifest_of_html, verify

if TYPE_CHECKING:
    from askcore.lake import Lake, LakeView
    from askcore.semantic.model import Model


class Asker(Protocol):
    """Answers one question and waits for it."""

    def __call__(
        self,
        question: str,
        *,
        session_id: str,
        dataset: str,
        entity: str | None,
        reading: Reading | None,
        lang: Lang,
        as_of: date,
    ) -> RunSnapshot: ...


_CHECKED: Final = 0.6  # of the time of a health report: running the checks the first time


class ReportDesk:
    """One a viewer: the answers of a report are a session of theirs, named after it."""

    def __init__(
        self,
        lake: Lake,
        ask: Asker,
        open_session: Callable[[str], str],
        *,
        clock: Callable[[], float],
        today: Callable[[Model], date],
    ) -> None:
        self._lake = lake
        self._ask = ask
        self._open_session = open_session
        self._clock = clock
        self._today = today

    def of_runs(
        self, runs: Sequence[RunSnapshot], *, lang: Lang, options: ReportOptions | None = None
    ) -> Report:
        """Answers as they were given, on the version that they were given on.

        Raises: BadRequest when there is none, or one is unfinished; LakeError when a version is gone.
        """
        for run in runs:
            if run.status != "done":
                raise BadRequest(say(lang, "report.unanswered", question=run.question))
        if not runs:
            raise BadRequest(say(lang, "report.title_answers", n=0))
        if len(runs) == 1:
            return self.of_answer(runs[0], lang=lang, options=options)
        sections = []
        for number, run in enumerate(runs, start=1):
            with self._lake.open(run.dataset, run.version or None) as view:
                sections.append(section_of(run, number, view))
        title = say(lang, "report.title_answers", n=len(runs))
        return self._answers("answers", title, runs[0], sections, lang, options)

    def of_answer(self, run: RunSnapshot, *, lang: Lang, options: ReportOptions | None = None) -> Report:
        """One answer, whatever became of it: what is shown can be taken away.

        Raises: LakeError when its version is gone.
        """
        with self._lake.open(run.dataset, run.version or None) as view:
            section = section_of(run, 1, view, title=say(lang, "report.chapter_answer"))
        asked = replace(section, question="")  # it is the title of the report
        return self._answers("answer", run.question, run, [asked], lang, options)

    def _answers(
        self,
        kind: ReportKind,
        title: str,
        first: RunSnapshot,
        sections: Sequence[Section],
        lang: Lang,
        options: ReportOptions | None,
    ) -> Report:
        reading = first.reading
        with self._lake.open(first.dataset, first.version or None) as view:
            entity = _entity_name(view, reading.entity if reading is not None else None)
            period = reading.period if reading is not None else None
            return self._report(view, kind, title, lang, entity, period, sections, options)

    def business(
        self,
        kind: BusinessKind,
        dataset: str,
        *,
        lang: Lang,
        entity: str | None = None,
        period: Period | None = None,
        options: ReportOptions | None = None,
        progress: Progress = quiet,
    ) -> Report:
        """The week's or month's report; period: None = the newest whole one.

        entity: id of the company, as resolved by the caller. Raises: BadRequest when no whole period is
        covered; Cancelled when `progress` said so.
        """
        with self._lake.open(dataset) as view:
            covered, as_of = view.catalog.period, self._today(view.model)
            found = period or (None if covered is None else newest_period(kind, covered, as_of))
            if found is None:
                what = say(lang, f"report.kind_{kind}")
                raise BadRequest(say(lang, "report.no_period", dataset=dataset, kind=what))
            asked = list(
                chapters(
                    view.model,
                    view.catalog,
                    entity=entity,
                    period=found,
                    baseline=baseline_for(kind, found),
                    as_of=as_of,
                    lang=lang,
                )
            )
            name = _entity_name(view, entity)
            title = say(lang, f"report.title_{kind}", entity=name or dataset)
            session = self._open_session(f"{title} {found.start} – {found.end}")
            sections = self._answered(asked, view, session, dataset, entity, lang, as_of, progress)
            return self._report(view, kind, title, lang, name, found, sections, options)

    def health(
        self,
        found: HealthFound,
        *,
        lang: Lang,
        options: ReportOptions | None = None,
        progress: Progress = quiet,
    ) -> Report:
        """The health of a dataset, as its desk found it, on the version that was checked.

        Raises: BadRequest when the checks cannot be made again; Cancelled when `progress` said so.
        """
        told = found.report
        go_on(progress, say(lang, "report.step_layout"), _CHECKED)
        with self._lake.open(told.dataset, told.version) as view:
            name = _entity_name(view, found.entity or None)
            title = say(lang, "report.title_health", entity=name or told.dataset)
            sections = health_sections(found, view, lang)
            made = self._report(view, "health", title, lang, name, told.period, sections, options)
        go_on(progress, "", 1.0)
        return made

    def peers(
        self,
        found: PeerFound,
        *,
        lang: Lang,
        options: ReportOptions | None = None,
        progress: Progress = quiet,
    ) -> Report:
        """Everybody against their peers, as the facade tells it, on the version that it was told of.

        Raises: BadRequest with the reason when there are no peers; Cancelled when `progress` said so.
        """
        told = found.report
        if not told.lines or not told.metrics:
            raise BadRequest(told.reason or say(lang, "report.no_peers"), hint=told.hint, error_class="empty")
        with self._lake.open(told.dataset, told.version) as view:
            name = _entity_name(view, found.entity or None)
            title = say(lang, "report.title_peers", entity=name or told.dataset)
            peers = peers_of(found, view, lang, self._today(view.model))
            sections = peer_sections(peers, partial(go_on, progress))
            made = self._report(view, "peers", title, lang, name, told.period, sections, options)
        go_on(progress, "", 1.0)
        return made

    def verify_html(self, data: bytes) -> dict[str, Any]:
        """Each figure of a written report on the newest version.

        Raises: BadRequest when the file is no report or its dataset is not here.
        """
        told = manifest_of_html(data)
        with self._lake.open(told.dataset) as view:
            return verify(told, view)

    def verify_report(self, report: Report) -> dict[str, Any]:
        """The same of a report at hand. Raises: BadRequest when its dataset is not here."""
        told = read_manifest(manifest(report))
        with self._lake.open(told.dataset) as view:
            return verify(told, view)

    def _answered(
        self,
        asked: Sequence[Chapter],
        view: LakeView,
        session: str,
        dataset: str,
        entity: str | None,
        lang: Lang,
        as_of: date,
        progress: Progress,
    ) -> list[Section]:
        sections = []
        for number, chapter in enumerate(asked, start=1):
            if not progress(chapter.title, (number - 1) / len(asked)):
                raise Cancelled("report")
            run = self._ask(
                chapter.question or chapter.title,
                session_id=session,
                dataset=dataset,
                entity=entity,
                reading=chapter.reading,
                lang=lang,
                as_of=as_of,
            )
            if run.status == "cancelled":
                raise Cancelled("report")
            sections.append(section_of(run, number, view, title=chapter.title))
        progress("", 1.0)
        return sections

    def _report(
        self,
        view: LakeView,
        kind: ReportKind,
        title: str,
        lang: Lang,
        entity: str,
        period: Period | None,
        sections: Sequence[Section],
        options: ReportOptions | None,
    ) -> Report:
        zone = ZoneInfo(view.model.time.timezone)
        now = datetime.fromtimestamp(self._clock(), UTC).astimezone(zone)
        chosen = options or ReportOptions()
        return Report(
            report_id=f"p{uuid.uuid4().hex[:12]}",
            kind=kind,
            title=chosen.title or title,
            lang=lang,
            dataset=view.dataset,
            version=view.version,
            is_synthetic=view.model.is_synthetic,
            entity=entity,
            period=period,
            as_of=self._today(view.model),
            made_at=now.isoformat(sep=" ", timespec="minutes"),
            sections=arranged(sections, chosen.order),
            has_provenance=chosen.provenance,
            has_sql=chosen.sql,
        )


def with_options(report: Report, options: ReportOptions) -> Report:
    """The report as the reader wants it. Raises: BadRequest on an id that no section has."""
    return replace(
        report,
        title=options.title or report.title,
        sections=arranged(report.sections, options.order),
        has_provenance=options.provenance,
        has_sql=options.sql,
    )


def arranged(sections: Sequence[Section], order: Sequence[str]) -> tuple[Section, ...]:
    """The sections with these ids in this order; all of them as built when nothing is chosen.

    Raises: BadRequest on an id that no section has.
    """
    if not order:
        return tuple(sections)
    known = {section.id: section for section in sections}
    unknown = [one for one in order if one not in known]
    if unknown:
        raise BadRequest(f"no section {unknown[0]!r}", hint=", ".join(known))
    return tuple(known[one] for one in dict.fromkeys(order))


def _entity_name(view: LakeView, entity: str | None) -> str:
    top = view.model.top_level
    if entity is None or top is None:
        return ""
    found = (e.name for e in view.catalog.entities if e.level == top.key and e.id == entity)
    return next(found, entity)
