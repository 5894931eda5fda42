"""A small service for page tests: an invented lake, and runs that progress by the clock."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from askcore.base.errors import BadRequest
from askcore.base.peer_views import (
    PeerLine,
    PeerMetric,
    PeerPoint,
    PeerReport,
    PeerSeries,
    PeerSplit,
    PeerTrend,
)
from askcore.base.values import (
    ChartSpec,
    Clamp,
    Column,
    Lang,
    Mode,
    Note,
    Period,
    Reading,
    Sort,
    StepError,
    Table,
    Verdict,
)
from askcore.base.views import (
    Chip,
    DatasetInfo,
    EntityRow,
    HeadlineMetric,
    HealthChange,
    HealthFinding,
    HealthHeatmap,
    HealthHistory,
    HealthIssue,
    HealthReport,
    HeatCell,
    HeatEntity,
    MetricRow,
    Mute,
    Overview,
    RatioRow,
    RunSnapshot,
    SessionInfo,
    SkillInfo,
    SlipRow,
    StepView,
    SuggestionGroup,
    SyncRow,
)
from tests.fakes.reports import FakeReports

AS_OF = date(2026, 10, 18)
PERIOD = Period(start=date(2025, 10, 1), end=date(2026, 10, 17))
LAST_WEEK = Period(start=date(2026, 10, 11), end=date(2026, 10, 17))
SHOPS = {
    f"S{n:02d}": name
    for n, name in enumerate(("西湖店", "滨江店", "拱墅店", "余杭店", "萧山店", "临平店"), 1)
}
COMPANIES = {"E01": "一饭集团", "E02": "好味连锁"}
HOLD = "!hold"
HELD_STEPS = 1.5  # one step done, the second at work
SQL = (
    'SELECT "shopId", "shopName", SUM("grossAmt") AS "grossAmt",\n'
    '  SUM("orderUv") / NULLIF(SUM("visitUv"), 0) AS "orderRate"\n'
    "FROM fact\nWHERE scope = 'shop' AND _dup_n = 1 AND date BETWEEN ? AND ?\nGROUP BY ALL ORDER BY 3 DESC"
)


@dataclass(slots=True)
class FakeRun:
    run_id: str
    session_id: str
    question: str
    viewer: str
    mode: Mode
    started: float
    reading: Reading
    dataset: str
    skill: str = ""
    is_held: bool = False
    cancelled_at: float | None = None


@dataclass(slots=True)
class FakeSession:
    session_id: str
    viewer: str
    title: str
    updated_at: float
    run_ids: list[str] = field(default_factory=list)


class FakeService(FakeReports):
    """step_s: how long one scripted step takes; 0 = runs are finished at once.

    A run whose question holds "!hold" stays in its second step until `release`, however slow the
    machine is.
    """

    def __init__(
        self, *, step_s: float = 0.0, clock: Callable[[], float] = time.time, empty: bool = False
    ) -> None:
        super().__init__()
        self.step_s = step_s
        self.clock = clock
        self.empty = empty
        self.lock = threading.Lock()
        self.runs: dict[str, FakeRun] = {}
        self.sessions_by_id: dict[str, FakeSession] = {}
        self.submitted: list[dict[str, Any]] = []
        self.peer_entities: list[str | None] = []
        self.cancelled: list[str] = []
        self.keys: dict[str, str] = {}
        self.fail_with: dict[str, Exception] = {}
        self.findings: tuple[Verdict, ...] | None = None
        """What the health page finds instead of the scripted verdicts."""
        self.muted: list[Mute] = []
        self.has_peers = True
        self.closed = False

    def close(self) -> None:
        self.closed = True

    # asking
    def submit(
        self,
        question: str,
        *,
        viewer: str,
        session_id: str | None = None,
        dataset: str | None = None,
        entity: str | None = None,
        mode: Mode = "auto",
        planner: str = "auto",
        lang: Lang | None = None,
        as_of: date | None = None,
        reading: Reading | None = None,
        skill: str | None = None,
        key: str | None = None,
    ) -> str:
        self._maybe_fail("submit")
        with self.lock:
            if key is not None and key in self.keys:
                return self.keys[key]
            if session_id is None:
                session_id = self.create_session(viewer=viewer, title=question)
            session = self._session(session_id, viewer)
            run_id = f"r{uuid.uuid4().hex[:8]}"
            if key is not None:
                self.keys[key] = run_id
            self.submitted.append(
                {
                    "question": question,
                    "reading": reading,
                    "mode": mode,
                    "entity": entity,
                    "dataset": dataset,
                    "skill": skill,
                }
            )
            self.runs[run_id] = FakeRun(
                run_id=run_id,
                session_id=session_id,
                question=question,
                viewer=viewer,
                mode=mode,
                started=self.clock(),
                reading=reading or _reading(entity),
                dataset=dataset or "demo",
                skill=skill or "",
                is_held=HOLD in question,
            )
            session.run_ids.append(run_id)
            session.updated_at = self.clock()
            return run_id

    def skills(self, lang: Lang) -> tuple[SkillInfo, ...]:
        zh = lang == "zh"
        return (
            SkillInfo(
                id="drilldown",
                title="下钻归因" if zh else "Drill-down attribution",
                summary="变化来自哪些门店" if zh else "Which shops a change comes from",
                steps=("compare_periods", "explain_change", "cross_check"),
            ),
            SkillInfo(
                id="period_comparison",
                title="两期对比" if zh else "Period comparison",
                summary="两段时间同口径比较" if zh else "Two periods like for like",
                steps=("compare_periods", "cross_check?"),
            ),
        )

    def snapshot(self, run_id: str, *, viewer: str) -> RunSnapshot:
        self._maybe_fail("snapshot")
        run = self.runs.get(run_id)
        if run is None or run.viewer != viewer:
            raise BadRequest(f"no run {run_id!r}")
        return _snapshot(run, self.clock(), self.step_s)

    def cancel(self, run_id: str, *, viewer: str) -> None:
        self.snapshot(run_id, viewer=viewer)
        self.cancelled.append(run_id)
        self.runs[run_id].cancelled_at = self.clock()

    def release(self) -> None:
        """Let the held runs go on."""
        for run in self.runs.values():
            run.is_held = False

    # sessions
    def sessions(self, *, viewer: str, search: str = "") -> tuple[SessionInfo, ...]:
        self._maybe_fail("sessions")
        found = [
            s
            for s in self.sessions_by_id.values()
            if s.viewer == viewer and search.lower() in s.title.lower()
        ]
        return tuple(self._info(s) for s in sorted(found, key=lambda s: -s.updated_at))

    def create_session(self, *, viewer: str, title: str = "") -> str:
        session_id = f"s{uuid.uuid4().hex[:8]}"
        self.sessions_by_id[session_id] = FakeSession(session_id, viewer, title, self.clock())
        return session_id

    def rename_session(self, session_id: str, title: str, *, viewer: str) -> None:
        self._session(session_id, viewer).title = title

    def delete_session(self, session_id: str, *, viewer: str) -> None:
        for run_id in self._session(session_id, viewer).run_ids:
            if self.snapshot(run_id, viewer=viewer).is_active:
                self.cancel(run_id, viewer=viewer)
        del self.sessions_by_id[session_id]

    def session_runs(self, session_id: str, *, viewer: str) -> tuple[RunSnapshot, ...]:
        session = self._session(session_id, viewer)
        return tuple(self.snapshot(run_id, viewer=viewer) for run_id in session.run_ids)

    def _info(self, session: FakeSession) -> SessionInfo:
        runs = [_snapshot(self.runs[r], self.clock(), self.step_s) for r in session.run_ids]
        return SessionInfo(
            session_id=session.session_id,
            title=session.title,
            updated_at=session.updated_at,
            run_count=len(runs),
            is_running=any(r.is_active for r in runs),
            has_failed_verdict=any(v.status == "fail" for r in runs for v in r.verdicts),
        )

    def _session(self, session_id: str, viewer: str) -> FakeSession:
        found = self.sessions_by_id.get(session_id)
        if found is None or found.viewer != viewer:
            raise BadRequest(f"no session {session_id!r}")
        return found

    # lake
    def datasets(self) -> tuple[DatasetInfo, ...]:
        self._maybe_fail("datasets")
        if self.empty:
            return ()
        return (
            DatasetInfo(name="demo", version=3, loaded_at=1_760_700_000.0, row_count=128_460, synthetic=True),
        )

    def default_dataset(self) -> str:
        return "demo"

    def entities(self, dataset: str, *, viewer: str) -> tuple[EntityRow, ...]:
        return tuple(e for e in _entities() if e.level == "company")

    def overview(self, dataset: str, *, viewer: str, lang: Lang) -> Overview:
        self._maybe_fail("overview")
        return _overview(lang)

    def explore(
        self, dataset: str, reading: Reading, *, viewer: str, lang: Lang
    ) -> tuple[Table, tuple[Note, ...], str]:
        self._maybe_fail("explore")
        return _table(), (Note(code="clamped", text="结束日调整为 2026-10-17（T-1）"),), SQL

    def health(
        self, dataset: str, *, viewer: str, lang: Lang, start: date | None = None, end: date | None = None
    ) -> HealthReport:
        self._maybe_fail("health")
        period = (
            Period(start=start, end=end)
            if start and end
            else Period(start=PERIOD.end - timedelta(days=29), end=PERIOD.end)
        )
        verdicts = _health(lang) if self.findings is None else self.findings
        return HealthReport(
            dataset=dataset,
            version=3,
            as_of=AS_OF,
            period=period,
            verdicts=verdicts,
            issues=tuple(_issue(v, self.muted) for v in verdicts),
        )

    def peers(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        period: Period | None = None,
        company: str | None = None,
    ) -> PeerReport:
        self.peer_entities.append(company)
        self._maybe_fail("peers")
        if not self.has_peers:
            return PeerReport(dataset=dataset, version=3, reason="来源没有同行数据", hint="换一个数据集")
        return _peers(period or LAST_WEEK)

    def peer_trend(
        self, dataset: str, *, viewer: str, lang: Lang, metric: str, ids: tuple[str, ...], end: date
    ) -> PeerTrend:
        self._maybe_fail("peer_trend")
        weeks = [Period(start=end - timedelta(days=6), end=end).shift(-7 * n) for n in (2, 1, 0)]
        series = tuple(
            PeerSeries(
                id=one, name=SHOPS[one],
                points=tuple(PeerPoint(period=w, rank=9.0 + n, peers=60, gap=-0.1) for n, w in enumerate(weeks)),
            )
            for one in ids
        )  # fmt: skip
        return PeerTrend(dataset=dataset, version=3, metric=metric, series=series)

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
    ) -> PeerSplit:
        if entity == "S02":
            return PeerSplit(id=entity, metric=metric, before=10, after=9, change=-1, reason="peers_moved")
        return PeerSplit(id=entity, metric=metric, before=100, after=80, change=-20, market=-15, own=-5)

    def mutes(self, dataset: str, *, viewer: str, expired: bool = False) -> tuple[Mute, ...]:
        return tuple(self.muted)

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
    ) -> Mute:
        if not reason.strip():
            raise BadRequest("a mute needs a reason", hint="write why")
        until = AS_OF + timedelta(days=days - 1)
        one = Mute(
            mute_id=f"m{len(self.muted) + 1}", dataset=dataset, check=check, key=key or {}, reason=reason,
            viewer=viewer, start=AS_OF, until=until,
        )  # fmt: skip
        self.muted.append(one)
        return one

    def unmute(self, dataset: str, mute_id: str, *, viewer: str, lang: Lang) -> None:
        self.muted = [m for m in self.muted if m.mute_id != mute_id]

    def health_history(self, dataset: str, *, viewer: str, lang: Lang) -> HealthHistory:
        self._maybe_fail("health_history")
        return _history()

    def health_heatmap(
        self,
        dataset: str,
        *,
        viewer: str,
        lang: Lang,
        start: date | None = None,
        end: date | None = None,
        check: str | None = None,
    ) -> HealthHeatmap:
        self._maybe_fail("health_heatmap")
        return _heatmap(Period(start=start or PERIOD.start, end=end or PERIOD.end))

    def suggestions(self, dataset: str, *, viewer: str, lang: Lang) -> tuple[SuggestionGroup, ...]:
        if lang == "en":
            return (
                SuggestionGroup(
                    key="look",
                    questions=("Gross sales by shop last week", "Top 5 shops by orders in September"),
                ),
                SuggestionGroup(
                    key="compare",
                    questions=("Why did gross sales fall last week?", "Order rate vs the previous week"),
                ),
                SuggestionGroup(
                    key="check",
                    questions=("Which shops are late with data?", "Do shops add up to the chain?"),
                ),
            )
        return (
            SuggestionGroup(key="look", questions=("上周各门店营业额", "9 月有效订单最多的 5 家店")),
            SuggestionGroup(key="compare", questions=("为什么上周营业额下降？", "下单率和前一周比怎么样")),
            SuggestionGroup(key="check", questions=("哪些门店数据延迟了", "门店合计和连锁对得上吗")),
        )

    def chips(self, dataset: str, reading: Reading, lang: Lang) -> tuple[Chip, ...]:
        return _chips(reading)

    def reading_from_json(self, obj: Mapping[str, Any]) -> Reading:
        try:
            return _reading_from_json(obj)
        except (KeyError, ValueError, TypeError) as e:
            raise BadRequest(f"malformed reading: {e}") from e

    def figure(self, table: Table, chart: ChartSpec, *, dark: bool, lang: Lang) -> Any:
        self._maybe_fail("figure")
        import plotly.graph_objects as go

        figure = go.Figure(go.Bar(x=[r[chart.x] for r in table.rows], y=[r[chart.y[0]] for r in table.rows]))
        figure.update_xaxes(type="category")
        figure.update_layout(height=280, margin={"l": 0, "r": 0, "t": 16, "b": 0})
        return figure

    def csv(self, table: Table) -> bytes:
        return ",".join(c.label for c in table.columns).encode()

    def answer_html(self, run_id: str, *, viewer: str) -> bytes:
        return b"<!doctype html>"

    def _maybe_fail(self, name: str) -> None:
        if name in self.fail_with:
            raise self.fail_with[name]


def _reading(entity: str | None = None) -> Reading:
    return Reading(
        metrics=("grossAmt", "orderRate"),
        as_of=AS_OF,
        entity=entity or "E01",
        period=LAST_WEEK,
        baseline=LAST_WEEK.shift(-7),
        scope="shop",
        by=("shop",),
        sort=Sort(key="grossAmt", descending=True),
    )


def _period_of(value: Mapping[str, str] | None) -> Period | None:
    if value is None:
        return None
    return Period(start=date.fromisoformat(value["from"]), end=date.fromisoformat(value["to"]))


def _reading_from_json(obj: Mapping[str, Any]) -> Reading:
    sort = obj["sort"]
    return Reading(
        metrics=tuple(obj["metrics"]),
        as_of=date.fromisoformat(obj["as_of"]),
        entity=obj["entity"],
        period=_period_of(obj["period"]),
        baseline=_period_of(obj["baseline"]),
        scope=obj["scope"],
        by=tuple(obj["by"]),
        filters={k: tuple(v) for k, v in obj["filters"].items()},
        sort=Sort(key=sort.removeprefix("-"), descending=sort.startswith("-")) if sort else None,
        limit=obj["limit"],
    )


def _chips(reading: Reading) -> tuple[Chip, ...]:
    labels = {m.key: m.label for m in _metrics("zh")}
    found = [
        Chip(kind="entity", label="公司", value=COMPANIES.get(reading.entity or "", "–")),
        Chip(kind="metrics", label="指标", value="、".join(labels.get(m, m) for m in reading.metrics)),
    ]
    if reading.period is not None:
        found.append(
            Chip(
                kind="period",
                label="时间",
                value=f"{reading.period.start:%m-%d} 至 {reading.period.end:%m-%d}",
            )
        )
    if reading.baseline is not None:
        found.append(
            Chip(
                kind="baseline",
                label="对比",
                value=f"{reading.baseline.start:%m-%d} 至 {reading.baseline.end:%m-%d}",
            )
        )
    if reading.by:
        found.append(Chip(kind="by", label="拆分", value="、".join(reading.by)))
    return tuple(found)


def _table() -> Table:
    rows = tuple(
        {
            "shopId": key,
            "shop": name,
            "grossAmt": 118_240.5 - 14_310.25 * n,
            "orderRate": 0.2315 - 0.0121 * n,
            "validOrderCnt": 3412 - 391 * n,
        }
        for n, (key, name) in enumerate(SHOPS.items())
    )
    return Table(
        columns=(
            Column(key="shopId", label="门店编号"),
            Column(key="shop", label="门店"),
            Column(key="grossAmt", label="营业额", unit="CNY"),
            Column(key="orderRate", label="下单率", unit="ratio"),
            Column(key="validOrderCnt", label="有效订单", unit="order"),
        ),
        rows=rows,
        totals={"grossAmt": 494_789.25, "orderRate": 0.2068, "validOrderCnt": 14_607},
        row_count=len(rows),
    )


def _steps() -> list[StepView]:
    return [
        StepView(
            id="t1",
            tool="search_metadata",
            thought="先确认“营业额”“下单率”的口径",
            state="done",
            args={"query": "营业额 下单率"},
            row_count=4,
            elapsed_ms=2.4,
            bytes=611,
        ),
        StepView(
            id="t2",
            tool="query_report",
            thought="按门店取上周的营业额与下单率",
            state="done",
            args={
                "metrics": ["grossAmt", "orderRate"],
                "from": "2026-10-11",
                "to": "2026-10-17",
                "by": ["shop"],
            },
            clamped=(Clamp(arg="to", before="2026-10-18", after="2026-10-17", why="T-1 结算"),),
            table=_table(),
            sql=(SQL,),
            row_count=6,
            elapsed_ms=6.1,
            bytes=1840,
        ),
        StepView(
            id="t3",
            tool="compare_periods",
            thought="与前一周同口径对比",
            state="done",
            args={"metrics": ["grossAmt"], "mode": "previous"},
            sql=(SQL,),
            row_count=6,
            elapsed_ms=9.8,
            bytes=2210,
        ),
        StepView(
            id="t4",
            tool="cross_check",
            thought="核对门店合计与连锁、恒等式",
            state="done",
            args={"from": "2026-10-11", "to": "2026-10-17"},
            row_count=3,
            elapsed_ms=14.0,
            bytes=930,
        ),
    ]


ANSWER = (
    "10 月 11–17 日**一饭集团**营业额 **¥49.48 万**，较前一周**−3.2%**；下单率 **20.68%**（加权），"
    "较前一周 +0.42pp。\n\n- 下降主要来自**余杭店**（贡献 61%），当周有 2 天停业；\n"
    "- 其余 5 家合计 +0.8%，在正常波动内。"
)


def _snapshot(run: FakeRun, now: float, step_s: float) -> RunSnapshot:
    ended = run.cancelled_at if run.cancelled_at is not None else now
    elapsed = max(0.0, ended - run.started)
    if run.is_held:
        elapsed = min(elapsed, HELD_STEPS * step_s)
    steps = _steps()
    done = len(steps) if step_s == 0 else min(len(steps), int(elapsed / step_s))
    base = RunSnapshot(
        run_id=run.run_id,
        session_id=run.session_id,
        question=run.question,
        status="running",
        rev=done,
        lang="zh",
        mode="deep" if run.mode == "auto" else run.mode,
        mode_auto=run.mode == "auto",
        planner="rules",
        dataset=run.dataset,
        version=3,
        started_at=run.started,
        elapsed_ms=elapsed * 1000,
        reading=run.reading,
        chips=_chips(run.reading),
    )
    if run.cancelled_at is not None and done < len(steps):
        return replace(base, status="cancelled", steps=tuple(steps[:done]))
    if done < len(steps):
        live = replace(steps[done], state="running", table=None, sql=(), row_count=0, bytes=0)
        return replace(base, steps=(*steps[:done], live), activity=live.thought)
    return _ended(base, run, steps, step_s)


def _ended(base: RunSnapshot, run: FakeRun, steps: list[StepView], step_s: float) -> RunSnapshot:
    base = replace(base, rev=99, elapsed_ms=len(steps) * step_s * 1000 or 42.0, steps=tuple(steps))
    if "!fail" in run.question:
        return replace(
            base,
            status="failed",
            answer="查询超过 120 秒",
            error=StepError(error_class="timeout", message="查询超过 120 秒", hint="缩短时间范围"),
        )
    if "!interrupt" in run.question:
        return replace(base, status="interrupted")
    if "!refuse" in run.question:
        return replace(
            base,
            status="refused",
            steps=(),
            reading=None,
            chips=(),
            error=StepError(error_class="refused", message="不能修改数据", hint="可以问：上周营业额"),
        )
    if "!clarify" in run.question:
        return replace(
            base,
            status="needs_clarification",
            clarify={
                "question": "“客单价”指哪一种？",
                "options": [
                    {"label": "营业额 ÷ 订单", "question": "上周客单价（营业额口径）"},
                    {"label": "实付 ÷ 订单", "question": "上周客单价（实付口径）"},
                ],
            },
        )
    return _done(replace(base, skill=run.skill), run.question)


def _done(base: RunSnapshot, question: str) -> RunSnapshot:
    bad = "!bad" in question
    found = (*_answer_verdicts(), second_path_verdict())
    verdicts = (*found, _failed_verdict()) if bad else found
    items = [
        {"text": "49.48 万", "status": "exact", "flags": [], "source": "t2 grossAmt 合计", "formula": ""},
        {
            "text": "−3.2%",
            "status": "derived",
            "flags": [],
            "source": "t3 grossAmt",
            "formula": "(49.48 − 51.12) / 51.12",
        },
        {"text": "20.68%", "status": "exact", "flags": [], "source": "t2 orderRate 合计", "formula": ""},
        {
            "text": "61%",
            "status": "untraced" if bad else "derived",
            "flags": [],
            "source": "t3",
            "formula": "",
        },
    ]
    return replace(
        base,
        status="done",
        answer=ANSWER,
        headline=(
            HeadlineMetric(label="营业额", value="49.5万", delta="-3.2%", good=False),
            HeadlineMetric(label="下单率", value="20.68%", delta="+0.42pp", good=True),
            HeadlineMetric(label="有效订单", value="14,607"),
        ),
        slip=SLIP,
        ratios=RATIOS,
        table=_table(),
        chart=ChartSpec(type="bar", x="shop", y=("grossAmt",), step="t2"),
        verdicts=verdicts,
        notes=(Note(code="like_for_like", text="两周都有数的 6 家门店；覆盖 42/42 店日"),),
        provenance={
            "claims": 4,
            "exact": 2,
            "derived": 1 if bad else 2,
            "weak": 0,
            "untraced": 1 if bad else 0,
            "sign_conflict": 0,
            "unweighted_mean": 0,
            "coverage": 0.75 if bad else 1.0,
            "items": items,
        },
        follow_ups=("余杭店停业的 2 天是哪两天？", "剔除余杭店后下单率变化多少？"),
    )


def _answer_verdicts() -> tuple[Verdict, ...]:
    return (
        Verdict(
            id="v1",
            kind="freshness",
            check="freshness",
            status="warn",
            severity="minor",
            target="余杭店",
            expect="2026-10-17",
            actual="2026-10-15",
            n_checked=6,
            n_bad=1,
            note="余杭店最近数据为 10-15，晚 2 天",
            keys=({"date": "2026-10-17", "shopId": "S04"},),
            remedy="重新同步 10-16 之后的数据",
            sql=SQL,
        ),
        Verdict(
            id="v2",
            kind="cross-layer",
            check="cross_layer",
            status="pass",
            target="营业额",
            expect="门店合计 = 连锁",
            actual="差 0.00%",
            n_checked=7,
            tolerance="0.5%",
            note="门店合计 = 连锁合计，差 0.00%",
            sql=SQL,
        ),
        Verdict(
            id="v3",
            kind="identity",
            check="identity:income_expense_gross",
            status="pass",
            n_checked=42,
            note="收入 + 支出 = 营业额",
            tolerance="0.01",
            sql=SQL,
        ),
        Verdict(
            id="v4",
            kind="period",
            check="like_for_like",
            status="pass",
            n_checked=42,
            note="两期覆盖的门店相同",
        ),
    )


_WEEK = "2026-10-11 – 2026-10-17"
SLIP = tuple(
    SlipRow(metric=metric, place=place, period=_WEEK, first=value, second=value, is_same=True)
    for metric, place, value in (
        ("营业额", "", "494,789.25 元"),
        ("下单率", "", "20.68%"),
        ("营业额", "西湖店", "118,240.50 元"),
    )
)
RATIOS = (
    RatioRow(
        metric="下单率",
        period=_WEEK,
        numerator="下单人数 36,663 人",
        denominator="进店人数 177,287 人",
        weighted="20.68%",
        naive="21.30%",
        gap="+0.62 个百分点",
        rows=42,
        level="门店",
        is_small=False,
    ),
)


def second_path_verdict(bad: int = 0, checked: int = 14) -> Verdict:
    """All figures of an answer again; `bad` of them differ."""
    return Verdict(
        id="v6",
        kind="cross-layer",
        check="second_path",
        status="fail" if bad else "pass",
        severity="critical" if bad else "info",
        n_checked=checked,
        n_bad=bad,
        note="有数字对不上" if bad else "14 个数字都用第二条路径重算过",
        remedy="删除服务文件后重试" if bad else "",
        sql="SELECT sum(x.grossAmt) FROM stored f",
    )


def _failed_verdict() -> Verdict:
    return Verdict(
        id="v5",
        kind="quality",
        check="dup_keys",
        status="fail",
        severity="critical",
        target="西湖店",
        expect="每天一行",
        actual="2 行不一致",
        n_checked=42,
        n_bad=1,
        note="西湖店 10-12 有两行且数值不同",
        keys=({"date": "2026-10-12", "scope": "shop", "shopId": "S01"},),
        remedy="向来源核对后重新导入",
        sql=SQL,
    )


def _issue(verdict: Verdict, mutes: list[Mute]) -> HealthIssue:
    own = tuple(m for m in mutes if m.check == verdict.check)
    covered = [k for k in verdict.keys if any(m.key.items() <= k.items() for m in own)]
    days = [date.fromisoformat(k["date"]) for k in verdict.keys]
    is_bad = verdict.status in ("warn", "fail")
    return HealthIssue(
        verdict_id=verdict.id, check=verdict.check, impact=f"{verdict.n_bad} / {verdict.n_checked}",
        n_entities=1, n_days=len(days), first_day=min(days, default=None), last_day=max(days, default=None),
        n_muted=len(covered), mutes=own, since_version=2 if is_bad else None, n_new=1 if is_bad else None,
        is_muted=bool(own) and len(covered) == len(verdict.keys),
    )  # fmt: skip


def _peers(period: Period) -> PeerReport:
    exposure = PeerMetric(
        key="exposureUv", label="曝光人数", unit="person", gap_unit="pct", polarity="up", n_checked=2,
        n_behind=1, n_ahead=1, n_small=1, n_lacking=0, n_peers_fell=1,
    )  # fmt: skip
    late = replace(
        exposure, key="lateRate", label="超时率", unit="ratio", gap_unit="pp", polarity="down", n_small=0
    )

    def line(shop: str, metric: str, gap: float, rank: float) -> PeerLine:
        side = "behind" if (gap < 0) == (metric == "exposureUv") else "ahead"
        return PeerLine(
            id=shop, name=SHOPS[shop], metric=metric, state="ok", side=side, own=90.0, peer=100.0, gap=gap,
            rank=rank, peers=61, percentile=1 - (rank - 1) / 60, rank_change=-2.0, peer_change=-0.05,
        )  # fmt: skip

    lines = (
        line("S01", "exposureUv", 0.2, 7), line("S01", "lateRate", 0.02, 40),
        line("S02", "exposureUv", -0.1, 50), line("S02", "lateRate", -0.01, 3),
        PeerLine(id="S03", name=SHOPS["S03"], metric="exposureUv", state="small_group", side=""),
    )  # fmt: skip
    return PeerReport(
        dataset="demo", version=3, level="门店", period=period, baseline=period.shift(-period.days),
        metrics=(exposure, late), lines=lines, findings=("滨江店的排名退后 9 名",), sql=(SQL,),
    )  # fmt: skip


def _history() -> HealthHistory:
    lost = HealthFinding(
        check="missing_days", status="fail", key={"date": "2026-10-16", "shopId": "S04"}, entity="余杭店",
        since_version=3,
    )  # fmt: skip
    counts = {"pass": 3, "warn": 2, "fail": 2, "skip": 1}
    third = HealthChange(
        version=3, loaded_at=1_792_300_000.0, as_of=AS_OF, previous=2, counts=counts, appeared=(lost,),
        mended=(replace(lost, check="dup_keys", since_version=1),), persists=(), n_appeared=1, n_mended=1,
        n_persists=0, not_evaluated=("source_verify",), too_many=(("nulls", None, 90_000),),
    )  # fmt: skip
    second = replace(third, version=2, previous=None, mended=(), n_mended=0, not_evaluated=(), too_many=())
    return HealthHistory(dataset="demo", versions=(third, second))


def _heatmap(period: Period) -> HealthHeatmap:
    shops = tuple(
        HeatEntity(id=k, name=n, first_day=PERIOD.start, last_day=PERIOD.end) for k, n in SHOPS.items()
    )
    day = date(2026, 10, 16)
    cell = HeatCell(entity_id="S04", name="余杭店", day=day, status="fail", checks=("missing_days",))
    return HealthHeatmap(
        dataset="demo", version=3, level="门店", period=period, entities=shops,
        cells=(cell,) if period.contains(day) else (), n_entities=len(shops), n_elsewhere=2,
    )  # fmt: skip


def _health(lang: Lang) -> tuple[Verdict, ...]:
    extra = (
        Verdict(
            id="v6",
            kind="coverage",
            check="missing_days",
            status="fail",
            severity="major",
            target="余杭店",
            expect="每天一行",
            actual="缺 2 天",
            n_checked=186,
            n_bad=2,
            note="余杭店缺 10-16、10-17 两天",
            keys=({"date": "2026-10-16", "shopId": "S04"}, {"date": "2026-10-17", "shopId": "S04"}),
            remedy="补同步",
            sql=SQL,
        ),
        Verdict(
            id="v7",
            kind="quality",
            check="unit_drift",
            status="warn",
            severity="major",
            target="下单率",
            actual="滨江店 9-28 为 21.5",
            n_checked=180,
            n_bad=1,
            note="滨江店 9-28 的下单率疑似百分数（21.5）",
            sql=SQL,
        ),
        Verdict(
            id="v8", kind="cloud", check="source_verify", status="skip", note="没有配置来源连接，无法核对"
        ),
    )
    return (_failed_verdict(), *extra, *_answer_verdicts())


def _entities() -> tuple[EntityRow, ...]:
    first, last = PERIOD.start.isoformat(), PERIOD.end.isoformat()
    return (
        *(
            EntityRow(level="company", level_label="公司", id=k, name=n, first_day=first, last_day=last)
            for k, n in COMPANIES.items()
        ),
        EntityRow(level="chain", level_label="连锁", id="C01", name="一饭", first_day=first, last_day=last),
        *(
            EntityRow(
                level="shop",
                level_label="门店",
                id=k,
                name=n,
                first_day=first,
                last_day="2026-10-15" if k == "S04" else last,
            )
            for k, n in SHOPS.items()
        ),
    )


def _metrics(lang: Lang) -> tuple[MetricRow, ...]:
    zh = lang == "zh"
    return (
        MetricRow(
            key="grossAmt",
            label="营业额" if zh else "Gross sales",
            definition="Σ grossAmt",
            unit="CNY",
            polarity="up",
            synonyms=("流水", "GMV") if zh else ("gmv",),
            available=True,
            is_sum=True,
        ),
        MetricRow(
            key="validOrderCnt",
            label="有效订单" if zh else "Valid orders",
            definition="Σ validOrderCnt",
            unit="order",
            polarity="up",
            synonyms=("单量",) if zh else ("orders",),
            available=True,
            is_sum=True,
        ),
        MetricRow(
            key="orderRate",
            label="下单率" if zh else "Order rate",
            definition="Σ orderUv / Σ visitUv",
            unit="ratio",
            polarity="up",
            synonyms=(),
            available=True,
            is_sum=False,
        ),
        MetricRow(
            key="promoRoi",
            label="推广ROI" if zh else "Ad ROI",
            definition="Σ promoOrderAmt / Σ promoSpendAmt",
            unit="x",
            polarity="up",
            synonyms=(),
            available=False,
            is_sum=False,
        ),
    )


def _overview(lang: Lang) -> Overview:
    months = [
        f"{y}-{m:02d}" for y, m in [(2025, n) for n in range(10, 13)] + [(2026, n) for n in range(1, 11)]
    ]
    return Overview(
        dataset=DatasetInfo(
            name="demo", version=3, loaded_at=1_760_700_000.0, row_count=128_460, synthetic=True
        ),
        as_of=AS_OF,
        is_demo_clock=True,
        period=PERIOD,
        scopes=(
            ("company", "公司", 764, PERIOD),
            ("chain", "连锁", 382, PERIOD),
            ("shop", "门店", 127_304, PERIOD),
        ),
        rows_per_month=tuple((m, 9_800 + 137 * n) for n, m in enumerate(months)),
        entities=_entities(),
        metrics=_metrics(lang),
        sync_log=(
            SyncRow(time="2026-10-18 06:12", entity="一饭集团", state="ok", rows=420, message=""),
            SyncRow(
                time="2026-10-17 06:11",
                entity="一饭集团",
                state="failed",
                rows=None,
                message="连接超时，已重试",
            ),
        ),
        freshness=(_answer_verdicts()[0],),
    )
