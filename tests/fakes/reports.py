"""The reports of the fake service: one of every block, kept in memory; jobs that end when they are told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from askcore.base.errors import BadRequest
from askcore.base.reports import (
    ChartBlock,
    ChecksBlock,
    GridBlock,
    Headline,
    HeadlineBlock,
    MadeReport,
    Paragraph,
    Report,
    ReportJob,
    ReportOptions,
    Run,
    Section,
    SectionLine,
    Source,
    TableBlock,
    TextBlock,
)
from askcore.base.restated import Restatement
from askcore.base.values import ChartSpec, Column, Lang, Period, StepError, Table, Verdict

HOSTILE = "![x](http://evil.example/a.png) :red[hi] $1$ | <b>"
WEEK = Period(start=date(2026, 10, 5), end=date(2026, 10, 11))
FAILED = Verdict(
    id="v1", kind="quality", check="all_zero_rows", status="fail", target="西湖店", expect="不全为零",
    actual="3 行全为零", severity="critical", n_checked=91, n_bad=3, note=f"3 行全为零 {HOSTILE}",
)  # fmt: skip
TABLE = Table(
    columns=(
        Column(key="shopName", label="门店"),
        Column(key="grossAmt", label="营业额", unit="CNY"),
        Column(key="orderRate", label="下单率", unit="ratio"),
    ),
    rows=tuple(
        {"shopName": name, "grossAmt": 1000.5 * n, "orderRate": 0.2345}
        for n, name in enumerate(("西湖店", HOSTILE, "滨江店"), 1)
    ),
    totals={"grossAmt": 6003.0},
    row_count=12,
)
SOURCE = Source(
    id="s1.t1", tool="query_report", args={"metrics": ["grossAmt"]}, entity="E01", as_of=date(2026, 10, 18),
    sql=("SELECT 1 AS secret_statement",),
)  # fmt: skip


def a_report(kind: str = "weekly", lang: Lang = "zh", report_id: str = "p000000000001") -> Report:
    """Three sections; the first has every block."""
    text = TextBlock(paragraphs=(
        Paragraph(runs=(Run(text="营业额 "), Run(text="6,003.00 元", is_strong=True), Run(text=HOSTILE))),
        Paragraph(runs=(Run(text="要点一"),), is_item=True),
    ))  # fmt: skip
    first = Section(
        id="s1", title="总览", question="上周怎么样", run_id="r1", failed=(FAILED,), sources=(SOURCE,),
        blocks=(
            text,
            TextBlock(paragraphs=(Paragraph(runs=(Run(text="口径说明"),)),), tone="note"),
            HeadlineBlock(items=(Headline(label="营业额", value="6,003.00", delta="-1.2%", good=False),), mark="v1"),
            TableBlock(title="明细", table=TABLE, source="s1.t1", mark="v1"),
            GridBlock(title="对账", heads=("指标", "指标"), rows=(("a", "b"),), lead="两条路径"),
            ChartBlock(title="营业额", table=TABLE, spec=ChartSpec(type="bar", x="shopName", y=("grossAmt",))),
            ChecksBlock(title="核验", verdicts=(FAILED,)),
        ),
        evidence=(GridBlock(title="数字来源", heads=("数字", "来源"), rows=(("6,003.00", "t1"),)),),
    )  # fmt: skip
    rest = [
        Section(id=f"s{n}", title=title, question="", run_id=f"r{n}",
                blocks=(TextBlock(paragraphs=(Paragraph(runs=(Run(text=f"内容{n}"),)),)),))
        for n, title in ((2, "门店排名"), (3, HOSTILE))
    ]  # fmt: skip
    return Report(
        report_id=report_id, kind=kind, title="一饭集团经营周报", lang=lang, dataset="demo", version=3,  # type: ignore[arg-type]  # a kind
        is_synthetic=True, entity="一饭集团", period=WEEK, as_of=date(2026, 10, 18), made_at="2026-10-18 09:30+08:00",
        sections=(first, *rest),
    )  # fmt: skip


class FakeReports:
    """What the reports page calls."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Report, MadeReport]] = {}
        self.jobs: dict[str, ReportJob] = {}
        self.started: list[dict[str, Any]] = []
        self.is_held = False
        """Jobs stay half done until they are cancelled."""
        self.moved: list[dict[str, Any]] = []
        self.restatements: dict[str, Restatement] = {}
        self.caught_up: list[str] = []

    def keep(self, report: Report, viewer: str) -> MadeReport:
        made = MadeReport(
            report_id=report.report_id, kind=report.kind, title=report.title, lang=report.lang, viewer=viewer,
            dataset=report.dataset, version=report.version, entity=report.entity, period=report.period,
            made_at=report.made_at, chapters=tuple(s.title for s in report.sections), figures=3,
            failed=tuple(v.note for v in report.failed), files={},
            sections=tuple(
                SectionLine(id=s.id, title=s.title, has_failed=bool(s.failed)) for s in report.sections
            ),
        )  # fmt: skip
        self.kept[report.report_id] = report, made
        return made

    def report_period(self, kind: str, dataset: str) -> Period | None:
        return WEEK if kind in ("weekly", "monthly") else None

    def start_report(self, kind: str, *, viewer: str, lang: Lang, **how: Any) -> str:
        if how.get("entity") == "E02":
            raise BadRequest("没有完整的一周", hint="换一个日期")
        self.started.append({"kind": kind, "lang": lang, **how})
        job = ReportJob(job_id=f"j{len(self.started)}", viewer=viewer, title="经营周报", started_at=0.0)
        if self.is_held:
            job = replace(job, chapter="变化原因", share=0.5)
        else:
            made = self.keep(a_report(kind, lang, f"p{len(self.started):012d}"), viewer)
            job = replace(job, state="done", share=1.0, report_id=made.report_id)
        self.jobs[job.job_id] = job
        return job.job_id

    def fail_job(self, viewer: str) -> None:
        error = StepError(error_class="empty", message=f"没有数据 {HOSTILE}", hint="换一个日期")
        self.jobs["jx"] = ReportJob(
            job_id="jx", viewer=viewer, title="经营周报", started_at=0.0, state="failed", error=error
        )

    def report_jobs(self, *, viewer: str) -> tuple[ReportJob, ...]:
        return tuple(job for job in self.jobs.values() if job.viewer == viewer)

    def cancel_report(self, job_id: str, *, viewer: str) -> None:
        self.jobs[job_id] = replace(self.jobs[job_id], state="cancelled")

    def dismiss_report_job(self, job_id: str, *, viewer: str) -> None:
        del self.jobs[job_id]

    def made_reports(self, *, viewer: str) -> tuple[MadeReport, ...]:
        return tuple(made for _, made in self.kept.values() if made.viewer == viewer)

    def made_report(self, report_id: str, *, viewer: str) -> MadeReport:
        if report_id not in self.kept or self.kept[report_id][1].viewer != viewer:
            raise BadRequest(f"no report {report_id!r}")
        return self.kept[report_id][1]

    def report_content(self, report_id: str, *, viewer: str) -> Report:
        report, made = self.kept[report_id]
        by_id = {s.id: s for s in report.sections}
        order = made.options.order or tuple(by_id)
        return replace(
            report,
            title=made.title,
            sections=tuple(by_id[one] for one in order),
            has_provenance=made.options.provenance,
            has_sql=made.options.sql,
        )

    def change_report(self, report_id: str, options: ReportOptions, *, viewer: str) -> MadeReport:
        report, made = self.kept[report_id]
        changed = replace(made, options=options, title=options.title or report.title)
        self.kept[report_id] = report, changed
        return changed

    def delete_report(self, report_id: str, *, viewer: str) -> None:
        del self.kept[report_id]

    def verify_kept(self, report_id: str, *, viewer: str) -> dict[str, Any]:
        return self._told()

    def verify_report(self, data: bytes) -> dict[str, Any]:
        if b"asklake" not in data:
            raise BadRequest("这不是本产品写出的报告", hint="askcore report … --format html")
        return self._told()

    def _told(self) -> dict[str, Any]:
        return {
            "report_id": "p1", "dataset": "demo", "was_version": 3, "version": 4,
            "same": 3 - len(self.moved), "drifted": len(self.moved), "unreachable": 0, "figures": self.moved,
        }  # fmt: skip

    def restated(self, ids: Sequence[str], *, viewer: str) -> dict[str, Restatement]:
        return {one: self.restatements[one] for one in ids if one in self.restatements}

    def catch_up_restated(self, dataset: str) -> bool:
        self.caught_up.append(dataset)
        return True

    def report_file(self, report_id: str, file_format: str, *, viewer: str) -> bytes:
        return b"file"
