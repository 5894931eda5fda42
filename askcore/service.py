"""The facade: all that pages, the command line and other front ends may call.

It owns the process's lake, store and runs; everything heavy is imported at first use, so that importing
this module costs little.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from askcore.base.config import Settings, load_settings
from askcore.base.errors import AskError, BadRequest, did_you_mean
from askcore.base.peer_views import PeerReport, PeerSplit, PeerTrend
from askcore.base.reports import MadeReport, Report, ReportJob, ReportOptions
from askcore.base.restated import Restatement
from askcore.base.store import SessionRow, Store
from askcore.base.text import say
from askcore.base.values import ChartSpec, Lang, Mode, Note, Period, Reading, Table, Verdict
from askcore.base.views import (
    Chip,
    DatasetInfo,
    EntityRow,
    HealthHeatmap,
    HealthHistory,
    HealthReport,
    Mute,
    Overview,
    RunSnapshot,
    SessionInfo,
    SkillInfo,
    SuggestionGroup,
)

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from plotly.graph_objects import Figure

    from askcore.agent.llm.client import ChatModel
    from askcore.agent.runs import Runs
    from askcore.agent.state import Planner, Request
    from askcore.base.health_store import HealthStore
    from askcore.base.restated_store import RestatedStore
    from askcore.checks.desk import HealthDesk
    from askcore.index import Hit
    from askcore.lake import Lake, LakeView
    from askcore.report.desk import ReportDesk
    from askcore.report.jobs import ReportJobs, Stop
    from askcore.report.ledger import Ledger
    from askcore.report.ledger import Progress as Restating
    from askcore.report.progress import Progress
    from askcore.report.shelf import Shelf
    from askcore.semantic.model import Model
    from askcore.tools.base import ToolContext

PLANNERS = ("auto", "rules", "llm")
BUSINESS_KINDS = ("weekly", "monthly")
_ANSWERS = "answers"
REPORT_KINDS = (*BUSINESS_KINDS, "health", "peers")
MODES: tuple[Mode, ...] = ("auto", "quick", "deep")
_TITLE_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """What may be said beside a question; all optional."""

    dataset: str | None = None
    entity: str | None = None
    """Id or name of the company."""
    mode: str = "auto"
    planner: str = "auto"
    skill: str | None = None
    """Id of a playbook; None: the planner chooses."""
    lang: Lang | None = None
    """None: the question's own language."""
    as_of: date | None = None
    """None: the dataset's clock."""
    reading: Reading | None = None
    """An edited reading, run as it is."""
    context: Sequence[str] | None = None
    """Earlier questions; None: those of the session."""


class Service:
    """One per process."""

    def __init__(self, settings: Settings, *, clock: Callable[[], float] = time.time) -> None:
        self.settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._restating: Future[None] | None = None
        self._is_closing = False

    @cached_property
    def lake(self) -> Lake:
        """The process's lake."""
        from askcore.lake import Lake

        return Lake(self.settings)

    @cached_property
    def _store(self) -> Store:
        return Store(self.settings.state_dir)

    @cached_property
    def _health_store(self) -> HealthStore:
        from askcore.base.health_store import HealthStore

        return HealthStore(self.settings.state_dir)

    @cached_property
    def _desk(self) -> HealthDesk:
        from askcore.checks.desk import HealthDesk

        return HealthDesk(self.lake, self._health_store, clock=self._clock, today=self.as_of)

    @cached_property
    def _runs(self) -> Runs:
        from askcore.agent.runs import Runs
        from askcore.tools import TOOLS_BY_NAME

        return Runs(
            self.settings,
            self.lake,
            self._store,
            tools=TOOLS_BY_NAME,
            planner_for=self._planner_for,
            reports=self._make_report,
            clock=self._clock,
        )

    @cached_property
    def _chat_model(self) -> ChatModel:
        """One client for all runs: each new one would set up TLS again."""
        from askcore.agent.llm.client import OpenAIChat

        return OpenAIChat(self.settings)

    def close(self) -> None:
        """Stop all runs and release the store."""
        self._is_closing = True
        if "_restater" in self.__dict__:
            self._restater.shutdown(wait=True, cancel_futures=True)
        if "_report_jobs" in self.__dict__:
            self._report_jobs.close()
        if "_runs" in self.__dict__:
            self._runs.close()
        if "_store" in self.__dict__:
            self._store.close()
        if "_health_store" in self.__dict__:
            self._health_store.close()
        if "_restated_store" in self.__dict__:
            self._restated_store.close()

    def _planner_for(self, request: Request) -> Planner:
        if request.planner == "llm" or (request.planner == "auto" and self.settings.has_model):
            from askcore.agent.llm.planner import LLMPlanner

            return LLMPlanner(self.settings, model=self._chat_model)
        from askcore.agent.rules.planner import RulePlanner

        return RulePlanner()

    # asking -------------------------------------------------------------------------------------

    def submit(
        self, question: str, *, viewer: str, session_id: str | None = None, key: str | None = None, **how: Any
    ) -> str:
        """Start a run in the background; its id. `how` as for `ask`.

        key: the same key from the same viewer starts no second run.
        Raises: BadRequest on an empty question, an unknown dataset, mode, planner or session.
        """
        request = self._request(question, viewer=viewer, session_id=session_id, how=AskOptions(**how))
        return self._runs.submit(request, key)

    def ask(self, question: str, *, viewer: str, session_id: str | None = None, **how: Any) -> dict[str, Any]:
        """Answer in the calling thread; the contract's JSON object.

        how: the fields of `AskOptions`.
        """
        from askcore.agent.contract import answer_json

        request = self._request(question, viewer=viewer, session_id=session_id, how=AskOptions(**how))
        return answer_json(self._runs.execute(request))

    def skills(self, lang: Lang) -> tuple[SkillInfo, ...]:
        """The playbooks that can be chosen."""
        from askcore.agent.skills import skills

        return tuple(
            SkillInfo(
                id=skill.id,
                title=skill.title[lang],
                summary=skill.summary[lang],
                steps=tuple(step.tool if step.required else f"{step.tool}?" for step in skill.steps),
            )
            for skill in skills()
        )

    def snapshot(self, run_id: str, *, viewer: str) -> RunSnapshot:
        """The newest snapshot of a run. Raises: BadRequest when the viewer has no such run."""
        found = self._runs.snapshot(run_id)
        if found is None or not self._owns(found.session_id, viewer):
            raise BadRequest(f"no run {run_id!r}", error_class="unknown_name")
        return found

    def cancel(self, run_id: str, *, viewer: str) -> None:
        """Stop a run."""
        self.snapshot(run_id, viewer=viewer)
        self._runs.cancel(run_id)

    def _request(self, question: str, *, viewer: str, session_id: str | None, how: AskOptions) -> Request:
        from askcore.agent.rules.language import language_of
        from askcore.agent.state import Request

        text = question.strip()
        if not text and how.reading is None:
            raise BadRequest(say(how.lang or self._lang, "service.empty_question"))
        if len(text) > _MAX_QUESTION:
            raise BadRequest(say(how.lang or self._lang, "service.long_question", limit=_MAX_QUESTION))
        _one_of("mode", how.mode, MODES)
        _one_of("planner", how.planner, PLANNERS)
        _known_day("as_of", how.as_of)
        if how.planner == "llm" and not self.settings.has_model:
            raise BadRequest(say(how.lang or self._lang, "service.no_model"), hint="ASKCORE_LLM_MODEL")
        name = self.lake.resolve(how.dataset or self._dataset_of(session_id, viewer))
        model = self.lake.model(name)
        session = self._session_for(session_id, viewer, text)
        return Request(
            run_id=f"r{uuid.uuid4().hex[:12]}",
            session_id=session,
            question=text,
            dataset=name,
            viewer=viewer,
            as_of=how.as_of or self.as_of(model),
            lang=how.lang or language_of(text),
            mode=how.mode,  # type: ignore[arg-type]  # checked above
            planner=how.planner,
            skill=_known_skill(how.skill),
            entity=how.entity,
            context=self._context(session) if how.context is None else _turns(how.context),
            reading=how.reading,
        )

    def _dataset_of(self, session_id: str | None, viewer: str) -> str | None:
        """The dataset that a continued session was about last; None for a new one, or when it is gone."""
        if session_id is None or not self._owns(session_id, viewer):
            return None
        runs = self._store.runs(session_id=session_id)
        known = {d.name for d in self.datasets()}
        return runs[-1].dataset if runs and runs[-1].dataset in known else None

    def as_of(self, model: Model) -> date:
        """Today for a dataset: its fixed clock if it has one, else today in its time zone."""
        if model.time.fixed_as_of is not None:
            return model.time.fixed_as_of
        now = datetime.fromtimestamp(self._clock(), UTC)
        return now.astimezone(ZoneInfo(model.time.timezone)).date()

    def _context(self, session_id: str) -> tuple[str, ...]:
        """Earlier questions that were read; one that was asked back still says whom it was about."""
        read = ("done", "needs_clarification")
        said = [r.question for r in self._store.runs(session_id=session_id) if r.status in read]
        return tuple(said[-_CONTEXT_TURNS:])

    # sessions -----------------------------------------------------------------------------------

    def sessions(self, *, viewer: str, search: str = "") -> tuple[SessionInfo, ...]:
        """The viewer's sessions, newest first; `search` matches titles and questions."""
        needle = search.strip().lower()
        return tuple(
            SessionInfo(
                session_id=row.session_id,
                title=row.title,
                updated_at=row.updated_at,
                run_count=row.run_count,
                is_running=row.is_running,
                has_failed_verdict=row.has_fail,
            )
            for row in self._store.summaries(viewer)
            if needle in f"{row.title}\n{row.questions}".lower()
        )

    def create_session(self, *, viewer: str, title: str = "") -> str:
        """A new session's id."""
        return self._store.create_session(viewer, title[:_TITLE_LENGTH], self._clock())

    def rename_session(self, session_id: str, title: str, *, viewer: str) -> None:
        """Give a session a new title. Raises: BadRequest when it is empty or the session unknown."""
        self._owned(session_id, viewer)
        if not title.strip():
            raise BadRequest(say(self._lang, "service.empty_title"))
        self._store.rename_session(session_id, title.strip()[: 2 * _TITLE_LENGTH])

    def delete_session(self, session_id: str, *, viewer: str) -> None:
        """Remove a session; runs under way are stopped."""
        self._owned(session_id, viewer)
        for row in self._store.runs(session_id=session_id):
            self._runs.cancel(row.run_id)
        self._store.delete_session(session_id)

    def session_runs(self, session_id: str, *, viewer: str) -> tuple[RunSnapshot, ...]:
        """All runs of a session, oldest first."""
        self._owned(session_id, viewer)
        found = (self._runs.snapshot(r.run_id) for r in self._store.runs(session_id=session_id))
        return tuple(s for s in found if s is not None)

    def _session_for(self, session_id: str | None, viewer: str, question: str) -> str:
        if session_id is None:
            return self.create_session(viewer=viewer, title=question)
        row = self._owned(session_id, viewer)
        if not row.title:
            self._store.rename_session(session_id, question[:_TITLE_LENGTH])
        return session_id

    def _owned(self, session_id: str, viewer: str) -> SessionRow:
        row = self._store.session(session_id)
        if row is None or row.viewer != viewer:
            raise BadRequest(f"no session {session_id!r}", error_class="unknown_name")
        return row

    def _owns(self, session_id: str, viewer: str) -> bool:
        row = self._store.session(session_id)
        return row is not None and row.viewer == viewer

    # lake ---------------------------------------------------------------------------------------

    def datasets(self) -> tuple[DatasetInfo, ...]:
        """All datasets, newest load first."""
        return self.lake.datasets()

    def default_dataset(self) -> str:
        """The setting, else the newest loaded, else "demo"."""
        return self.lake.resolve(None)

    def entities(self, dataset: str, *, viewer: str) -> tuple[EntityRow, ...]:
        """The top-level entities, for the selector."""
        from askcore.agent.overview import entity_rows

        with self.lake.open(dataset) as view:
            top = view.model.top_level
            if top is None:
                return ()
            return entity_rows(view.model, view.catalog, self._lang, levels=(top.key,))

    def overview(self, dataset: str, *, viewer: str, lang: Lang) -> Overview:
        """Everything the lake page shows."""
        from askcore.agent.overview import build_overview

        info = self._dataset(dataset)
        with self.lake.open(dataset) as view:
            return build_overview(view, info, as_of=self.as_of(view.model), lang=lang)

    def explore(
        self, dataset: str, reading: Reading, *, viewer: str, lang: Lang
    ) -> tuple[Table, tuple[Note, ...], str]:
        """Run a reading as a query: rows, notes, SQL. Raises: BadRequest when it cannot run."""
        from askcore.agent.overview import explore

        with self.lake.open(dataset) as view:
            return explore(view, reading, viewer=viewer, lang=lang)

    def health(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        start: date | None = None,
        end: date | None = None,
        as_of: date | None = None,
    ) -> HealthReport:
        """All checks over a period, by default all the data, with their impact, history and mutes.

        A run over all the data by the dataset's clock is recorded for `health_history`.
        """
        _known_day("as_of", as_of)
        return self._desk.report(dataset, lang=lang, start=start, end=end, as_of=as_of)

    def health_history(self, dataset: str, *, viewer: str, lang: Lang) -> HealthHistory:
        """What each version brought, mended and kept, newest first."""
        return self._desk.history(dataset, lang=lang)

    def health_heatmap(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        start: date | None = None,
        end: date | None = None,
        check: str | None = None,
        as_of: date | None = None,
    ) -> HealthHeatmap:
        """Findings of the finest level by entity and day, of one check or of all."""
        _known_day("as_of", as_of)
        return self._desk.heatmap(dataset, lang=lang, start=start, end=end, check=check, as_of=as_of)

    def mute(
        self,
        dataset: str,
        check: str,
        *,
        days: int,
        reason: str,
        viewer: str,
        lang: Lang,
        key: Mapping[str, str] | None = None,
        as_of: date | None = None,
    ) -> Mute:
        """Set findings of a check aside for some days, today included; they stay counted.

        key: parts that a finding's key must have, e.g. {"shopId": "S0301"}; None = the whole check.
        Raises: BadRequest on an unknown check or key, on no reason and on days out of bounds.
        """
        from askcore.checks.mutes import MuteRequest

        _known_day("as_of", as_of)
        asked = MuteRequest(check=check, days=days, reason=reason, viewer=viewer, key=key or {})
        return self._desk.mute(dataset, asked, lang=lang, as_of=as_of)

    def unmute(self, dataset: str, mute_id: str, *, viewer: str, lang: Lang) -> None:
        """End a mute. Raises: BadRequest when there is no such one."""
        self._desk.unmute(dataset, mute_id, viewer=viewer, lang=lang)

    def mutes(
        self, dataset: str, *, viewer: str, as_of: date | None = None, expired: bool = False
    ) -> tuple[Mute, ...]:
        """Mutes that cover today, newest first; with those past their day when `expired`."""
        return self._desk.mutes(dataset, as_of=as_of, expired=expired)

    def peers(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        period: Period | None = None,
        company: str | None = None,
    ) -> PeerReport:
        """Everybody against their peers; period None: the newest week. Says why when there are none.

        company: id of a top entity that it is narrowed to; None: all.
        """
        from askcore.agent.peer_report import peer_report

        with self.lake.open(dataset) as view:
            ctx = self._peer_context(view, viewer=viewer, lang=lang, company=company)
            return peer_report(view, ctx, period=period)

    def peer_trend(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        metric: str,
        ids: Sequence[str],
        end: date,
        weeks: int = 8,
        company: str | None = None,
    ) -> PeerTrend:
        """Mean ranks of some entities in one metric, over the weeks up to a day."""
        from askcore.agent.peer_report import peer_trend

        _known_day("end", end)
        with self.lake.open(dataset) as view:
            ctx = self._peer_context(view, viewer=viewer, lang=lang, company=company)
            return peer_trend(view, ctx, metric=metric, ids=ids, end=end, weeks=weeks)

    def peer_split(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        metric: str,
        entity: str,
        period: Period,
        baseline: Period | None = None,
        company: str | None = None,
    ) -> PeerSplit:
        """The change of one entity as its own part and its market's; period None: just before."""
        from askcore.agent.peer_report import peer_split

        with self.lake.open(dataset) as view:
            ctx = self._peer_context(view, viewer=viewer, lang=lang, company=company)
            return peer_split(view, ctx, metric=metric, entity=entity, period=period, baseline=baseline)

    def _peer_context(self, view: LakeView, *, viewer: str, lang: Lang, company: str | None) -> ToolContext:
        from askcore.agent.peer_report import context

        return context(view, lang=lang, as_of=self.as_of(view.model), viewer=viewer, entity=company)

    def search(self, query: str, *, dataset: str | None = None) -> list[dict[str, Any]]:
        """Hits of the metadata index over one dataset or all."""
        from askcore.index import index_for

        names = [self.lake.resolve(dataset)] if dataset else [d.name for d in self.datasets()]
        hits: list[Hit] = []
        for name in names:
            with self.lake.open(name) as view:
                hits.extend(index_for(view.model, view.catalog).search(query, limit=20))
        hits.sort(key=lambda h: -h.score)
        return [
            {
                "kind": h.kind,
                "key": h.key,
                "label": h.label,
                "dataset": h.dataset,
                "score": h.score,
                "why": h.why,
            }
            for h in hits[:20]
        ]

    def suggestions(self, dataset: str, *, viewer: str, lang: Lang) -> tuple[SuggestionGroup, ...]:
        """Questions made from the lake, so that they always work."""
        from askcore.agent.suggest import suggestions

        with self.lake.open(dataset) as view:
            return suggestions(view.model, view.catalog, lang)

    def chips(self, dataset: str, reading: Reading, lang: Lang) -> tuple[Chip, ...]:
        """The reading as labelled parts."""
        from askcore.agent.answer import chips

        with self.lake.open(dataset) as view:
            return chips(reading, view.model, view.catalog, lang)

    def reading_from_json(self, obj: Any) -> Reading:
        """A reading from a URL. Raises: BadRequest when it is malformed."""
        from askcore.agent.contract import reading_from_json

        return reading_from_json(obj)

    def figure(self, table: Table, chart: ChartSpec, *, dark: bool, lang: Lang) -> Figure:
        """The Plotly figure of a chart spec."""
        from askcore.charts import figure

        return figure(table, chart, dark=dark)

    def csv(self, table: Table) -> bytes:
        """The table as CSV that no spreadsheet runs as a formula."""
        from askcore.agent.export import table_csv

        return table_csv(table)

    def answer_html(self, run_id: str, *, viewer: str) -> bytes:
        """The answer as one self-contained file, with its SQL."""
        run = self.snapshot(run_id, viewer=viewer)
        report = self._reports(viewer).of_answer(run, lang=run.lang, options=ReportOptions(sql=True))
        return self.write_report(report, "html")

    # reports ------------------------------------------------------------------------------------

    def report_of_runs(
        self, run_ids: Sequence[str], *, viewer: str, lang: Lang, options: ReportOptions | None = None
    ) -> Report:
        """Answers as one report, on the versions that they were given on.

        Raises: BadRequest on an unknown or unfinished run; LakeError when a version is gone.
        """
        runs = [self.snapshot(run_id, viewer=viewer) for run_id in run_ids]
        return self._reports(viewer).of_runs(runs, lang=lang, options=options)

    def report_of_kind(
        self,
        kind: str,
        *,
        viewer: str,
        lang: Lang,
        dataset: str | None = None,
        entity: str | None = None,
        period: Period | None = None,
        options: ReportOptions | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """The weekly, monthly, data health or peer report.

        The answers of a weekly or monthly one are a session of their own. entity: id or name of the company;
        None = the dataset's own for a weekly or monthly report, everybody for the others. period: None = the
        newest whole week or month, all the data, or for peers the newest seven days.
        Raises: BadRequest on an unknown kind, dataset or company, when no whole period is covered, or with
        the reason when there are no peers; Cancelled when `progress` said so.
        """
        how: dict[str, Any] = {"lang": lang, "period": period, "options": options}
        if progress is not None:
            how["progress"] = progress
        return self._built(kind, viewer, self.lake.resolve(dataset), entity, None, how)

    def _built(
        self,
        kind: str,
        viewer: str,
        dataset: str,
        entity: str | None,
        stop: Stop | None,
        how: Mapping[str, Any],
    ) -> Report:
        """how: as the desk takes it; stop: ends the question under way."""
        from askcore.agent.entity import resolve_entity

        _one_of("kind", kind, REPORT_KINDS)
        company = None
        if entity is not None or kind in BUSINESS_KINDS:
            with self.lake.open(dataset) as view:
                company, _ = resolve_entity(view.model, view.catalog, entity, how["lang"])
        if kind == "health":
            return self._health_report(dataset, viewer=viewer, entity=company, **how)
        if kind == "peers":
            return self._peer_report(dataset, viewer=viewer, entity=company, **how)
        desk = self._reports(viewer, stop)
        return desk.business(kind, dataset, entity=company, **how)  # type: ignore[arg-type]  # checked above

    def _health_report(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        entity: str | None,
        period: Period | None,
        options: ReportOptions | None,
        progress: Progress = lambda chapter, share: True,
    ) -> Report:
        from askcore.report.health_report import HealthFound
        from askcore.report.progress import go_on

        go_on(progress, say(lang, "report.step_checks"), 0.0)
        days = (None, None) if period is None else (period.start, period.end)
        found = HealthFound(
            report=self._desk.report(
                dataset, lang=lang, start=days[0], end=days[1], as_of=None, entity=entity
            ),
            history=self.health_history(dataset, viewer=viewer, lang=lang),
            mutes=self.mutes(dataset, viewer=viewer),
            entity=entity or "",
        )
        return self._reports(viewer).health(found, lang=lang, options=options, progress=progress)

    def _peer_report(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        entity: str | None,
        period: Period | None,
        options: ReportOptions | None,
        progress: Progress = lambda chapter, share: True,
    ) -> Report:
        from askcore.report.peers_context import PeerFound
        from askcore.report.progress import go_on

        go_on(progress, say(lang, "report.step_peers"), 0.0)
        asked: dict[str, Any] = {"viewer": viewer, "lang": lang, "company": entity}
        found = PeerFound(
            report=self.peers(dataset, period=period, **asked),
            trend=partial(self.peer_trend, dataset, **asked),
            split=partial(self.peer_split, dataset, **asked),
            entity=entity or "",
        )
        return self._reports(viewer).peers(found, lang=lang, options=options, progress=progress)

    def write_report(self, report: Report, file_format: str, *, progress: Progress | None = None) -> bytes:
        """The report as a file: html, xlsx, pdf or md.

        Raises: BadRequest on another format; Cancelled when `progress` said so.
        """
        from askcore.report.formats import write
        from askcore.report.progress import quiet

        return write(report, file_format, fonts=self._fonts, progress=progress or quiet)

    def verify_report(self, data: bytes) -> dict[str, Any]:
        """Each figure of a written report made again: same, drifted or unreachable.

        Raises: BadRequest when the bytes are no report or its dataset is not here.
        """
        return self._reports("").verify_html(data)

    def make_fonts(self) -> dict[str, Any]:
        """Fonts of PDFs, made where there are none: {folder, characters}."""
        from askcore.report.fonts import everyday, fonts_for

        found = fonts_for((), self._fonts)
        return {"folder": str(found.folders[0]), "characters": len(everyday())}

    @property
    def _fonts(self) -> Path:
        return self.settings.state_dir / "fonts"

    def report_period(self, kind: str, dataset: str) -> Period | None:
        """The newest whole week or month of a dataset; None when it has none, or the kind needs none."""
        from askcore.report.chapters import newest_period

        if kind not in BUSINESS_KINDS:
            return None
        with self.lake.open(dataset) as view:
            covered = view.catalog.period
            return None if covered is None else newest_period(kind, covered, self.as_of(view.model))  # type: ignore[arg-type]  # checked above

    def start_report(
        self,
        kind: str,
        *,
        viewer: str,
        lang: Lang,
        dataset: str | None = None,
        entity: str | None = None,
        period: Period | None = None,
        run_ids: Sequence[str] = (),
        options: ReportOptions | None = None,
    ) -> str:
        """Make a report beside the pages and keep it; the job's id.

        kind: "answers" with the runs to report on, else as for `report_of_kind`. Raises: BadRequest on an
        unknown kind or dataset.
        """
        _one_of("kind", kind, (*REPORT_KINDS, _ANSWERS))
        name = self.lake.resolve(dataset)
        chosen = options or ReportOptions()

        def make(progress: Progress, stop: Stop) -> MadeReport:
            if kind == _ANSWERS:
                report = self.report_of_runs(run_ids, viewer=viewer, lang=lang)
            else:
                how = {"lang": lang, "period": period, "options": None, "progress": progress}
                report = self._built(kind, viewer, name, entity, stop, how)
            return self._shelf.keep(report, {}, viewer, chosen)

        title = chosen.title or say(lang, f"report.job_{kind}")
        return self._report_jobs.start(title, make, viewer=viewer, lang=lang)

    def report_jobs(self, *, viewer: str) -> tuple[ReportJob, ...]:
        """Reports that are being made, and those that this process ended to make, newest first."""
        return self._report_jobs.list(viewer)

    def cancel_report(self, job_id: str, *, viewer: str) -> None:
        """Stop making a report. Raises: BadRequest when the viewer has no such job."""
        self._report_jobs.cancel(job_id, viewer)

    def dismiss_report_job(self, job_id: str, *, viewer: str) -> None:
        """Take an ended job off the list. Raises: BadRequest when the viewer has no such job."""
        self._report_jobs.dismiss(job_id, viewer)

    def made_reports(self, *, viewer: str) -> tuple[MadeReport, ...]:
        """The viewer's kept reports, newest first."""
        return self._shelf.list(viewer)

    def made_report(self, report_id: str, *, viewer: str) -> MadeReport:
        """One kept report. Raises: BadRequest when the viewer has no such report."""
        return self._shelf.info(report_id, viewer)

    def report_content(self, report_id: str, *, viewer: str) -> Report:
        """A kept report as its options show it.

        Raises: BadRequest when the viewer has no such report or it was kept without its content.
        """
        from askcore.report.desk import with_options

        made = self._shelf.info(report_id, viewer)
        return with_options(self._shelf.content(report_id, viewer), made.options)

    def change_report(self, report_id: str, options: ReportOptions, *, viewer: str) -> MadeReport:
        """Other title, order or appendices; its files are written anew when they are asked for.

        Raises: BadRequest when the viewer has no such report, or on an id that no section has.
        """
        from askcore.report.desk import with_options

        changed = with_options(self._shelf.content(report_id, viewer), options)
        return self._shelf.change(report_id, options, changed.title, viewer)

    def delete_report(self, report_id: str, *, viewer: str) -> None:
        """Remove a kept report. Raises: BadRequest when the viewer has no such report."""
        self._shelf.delete(report_id, viewer)

    def verify_kept(self, report_id: str, *, viewer: str) -> dict[str, Any]:
        """`verify_report` of a kept one. Raises: BadRequest when the viewer has no such report."""
        return self._reports(viewer).verify_report(self.report_content(report_id, viewer=viewer))

    def report_file(self, report_id: str, file_format: str, *, viewer: str) -> bytes:
        """A file of a kept report, written when it is first asked for.

        Raises: BadRequest when the viewer has no such report or there is no such format.
        """
        kept = self._shelf.file(report_id, file_format, viewer)
        if kept is not None:
            return kept
        written = self.write_report(self.report_content(report_id, viewer=viewer), file_format)
        self._shelf.add(report_id, file_format, written, viewer)
        return written

    def keep_report(self, report: Report, *, viewer: str) -> MadeReport:
        """Write a report in every format and keep it."""
        from askcore.report.formats import FORMATS

        files = {name: self.write_report(report, name) for name in FORMATS}
        return self._shelf.keep(report, files, viewer)

    def _make_report(
        self, kind: str, *, dataset: str, entity: str | None, period: Period | None, lang: Lang, viewer: str
    ) -> tuple[MadeReport, tuple[Verdict, ...]]:
        """For the tool `build_report`."""
        report = self.report_of_kind(
            kind, viewer=viewer, lang=lang, dataset=dataset, entity=entity, period=period
        )
        return self.keep_report(report, viewer=viewer), report.verdicts

    @cached_property
    def _shelf(self) -> Shelf:
        from askcore.report.shelf import Shelf

        return Shelf(self.settings.state_dir / "reports")

    # restatements -------------------------------------------------------------------------------

    def restatements(
        self, *, viewer: str, dataset: str | None = None, only_moved: bool = False
    ) -> tuple[Restatement, ...]:
        """The viewer's answers and reports, each as last compared with a later load, newest first."""
        found = self._restated_store.of_viewer(viewer, dataset)
        return tuple(one for one in found if one.state == "moved" or not only_moved)

    def pending_restated(self, dataset: str | None = None) -> int:
        """Answers and reports of everybody that were not compared with the newest version yet."""
        return len(self._ledger.pending(self.lake.resolve(dataset)))

    def restated(self, ids: Sequence[str], *, viewer: str) -> Mapping[str, Restatement]:
        """By the ids of runs and reports; without those that were not compared with a later load."""
        found = self._restated_store.newest(ids)
        return {one: r for one, r in found.items() if r.viewer == viewer}

    def catch_up_restated(self, dataset: str) -> bool:
        """Compare what is pending beside the pages; whether anything was."""
        if not self._ledger.pending(dataset):
            return False
        with self._lock:
            if self._restating is None or self._restating.done():
                self._restating = self._restater.submit(
                    self._ledger.note_load, dataset, lambda done, total: not self._is_closing
                )
        return True

    def _noted_load(self, dataset: str, progress: Restating | None) -> dict[str, int] | None:
        """Compare what was told before with a load that was just committed; how many moved, how many wait."""
        self._ledger.note_load(dataset, *(() if progress is None else (progress,)))
        try:
            return self._ledger.counts(dataset) | {"pending": len(self._ledger.pending(dataset))}
        except AskError:
            return None

    @cached_property
    def _restater(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(1, thread_name_prefix="restated")

    @cached_property
    def _restated_store(self) -> RestatedStore:
        from askcore.base.restated_store import RestatedStore

        return RestatedStore(self.settings.state_dir)

    @cached_property
    def _ledger(self) -> Ledger:
        from askcore.report.ledger import Ledger
        from askcore.report.past import ToldBefore

        past = ToldBefore(self._store, self._shelf, self._runs.snapshot)
        return Ledger(self.lake, self._restated_store, past, clock=self._clock)

    @cached_property
    def _report_jobs(self) -> ReportJobs:
        from askcore.report.jobs import ReportJobs

        return ReportJobs(self._clock)

    def _reports(self, viewer: str, stop: Stop | None = None) -> ReportDesk:
        from askcore.report.desk import ReportDesk

        return ReportDesk(
            self.lake,
            partial(self._answered, viewer, stop),
            lambda title: self.create_session(viewer=viewer, title=title),
            clock=self._clock,
            today=self.as_of,
        )

    def _answered(
        self, viewer: str, stop: Stop | None, question: str, *, session_id: str | None = None, **how: Any
    ) -> RunSnapshot:
        """A question of a report, by the embedded planner: its words come from cells alone."""
        asked = AskOptions(**how, planner="rules", mode="deep", context=())
        request = self._request(question, viewer=viewer, session_id=session_id, how=asked)
        if stop is not None:
            stop.on_stop(lambda: self._runs.cancel(request.run_id))
        return self._runs.execute(request)

    def replay(self, run_id: str, *, viewer: str) -> dict[str, Any]:
        """Recompute a stored run's figures: {run_id, verdict, differences}."""
        from askcore.agent.replay import replay

        return replay(self.lake, self.snapshot(run_id, viewer=viewer))

    def runs(self, *, viewer: str, limit: int = 100) -> tuple[RunSnapshot, ...]:
        """The viewer's newest runs, newest first."""
        found = []
        for row in reversed(self._store.runs(limit=limit)):
            if row.viewer == viewer and (snapshot := self._runs.snapshot(row.run_id)) is not None:
                found.append(snapshot)
        return tuple(found)

    def ingest(
        self, paths: Iterable[Path], *, restating: Restating | None = None, **how: Any
    ) -> dict[str, Any]:
        """Load files; the contract's JSON object, and under `restated` how much of what was told moved.

        how: model, dataset, dry_run, date_order, lang. restating: told how many answers are compared.
        """
        from askcore.lake.ingest import ingest

        report = ingest(self.lake, list(paths), **how).as_json()
        report["restated"] = None
        if not how.get("dry_run"):
            self._desk.note_load(report["dataset"], self._lang)
            report["restated"] = self._noted_load(report["dataset"], restating)
        return report

    def install_demo(self, *, seed: int = 0, clean: bool = False, out: Path | None = None) -> dict[str, Any]:
        """Make the demo lake; {dataset, version, changed, rows, seed, clean, out}."""
        from askcore.lake.demo import install_demo

        report = install_demo(self.lake, seed=seed, clean=clean, out=out)
        self._desk.note_load(report.dataset, self._lang)
        return report.as_json() | {"restated": self._noted_load(report.dataset, None)}

    def check_provenance(self, text: str, cells: Any) -> dict[str, Any]:
        """The `provenance` object of a text against given cells."""
        from askcore.checks.provenance import cells_from_json, trace_numbers

        parsed, entities = cells_from_json(cells)
        return trace_numbers(text, cells=parsed, entities=entities).as_json()

    def _dataset(self, name: str) -> DatasetInfo:
        known = {d.name: d for d in self.datasets()}
        if name not in known:
            raise BadRequest(f"no dataset {name!r}", hint=did_you_mean(name, known) or ", ".join(known))
        return known[name]

    @property
    def _lang(self) -> Lang:
        return "en" if self.settings.lang == "en" else "zh"


_MAX_QUESTION = 2000  # characters; a longer text is a document, not a question
_FIRST_YEAR, _LAST_YEAR = 1900, 2999
_CONTEXT_TURNS = 5  # a follow-up inherits from the last few turns at most


def _turns(context: Sequence[str]) -> tuple[str, ...]:
    """The last questions said before, each no longer than a question may be."""
    return tuple(text[:_MAX_QUESTION] for text in context[-_CONTEXT_TURNS:])


def _known_skill(name: str | None) -> str | None:
    """Raises: BadRequest with the near match."""
    if not name:
        return None
    from askcore.agent.skills import skill_named

    return skill_named(name).id


def _one_of(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        hint = did_you_mean(value, known) or ", ".join(known)
        raise BadRequest(f"unknown {name} {value!r}", hint=hint)


def _known_day(name: str, day: date | None) -> None:
    """Days near the ends of the calendar leave no room for "last year" or "next month"."""
    if day is not None and not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise BadRequest(f"{name} {day} is out of bounds", hint=f"{_FIRST_YEAR} … {_LAST_YEAR}")


_service: Service | None = None
_service_lock = threading.Lock()


def get_service() -> Service:
    """The process's one service, made from the environment at first use."""
    global _service
    with _service_lock:
        if _service is None:
            _service = Service(load_settings())
        return _service


def reading_json(reading: Reading | None) -> Mapping[str, Any] | None:
    """The contract's `reading` object."""
    return None if reading is None else reading.as_json()
