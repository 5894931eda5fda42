"""The data health report: how the data is, each issue with its evidence, where they sit, what came and went.

Its numbers are cells of one call of `data_quality`; what the history and the mutes say are records of earlier
checks and of people, which no call can make again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from askcore.base.errors import BadRequest
from askcore.base.reports import (
    Block,
    ChecksBlock,
    Figure,
    Headline,
    HeadlineBlock,
    Section,
    Source,
    TableBlock,
    TextBlock,
)
from askcore.base.text import say
from askcore.base.values import Column, Lang, Table, ToolResult, Verdict, VerdictStatus
from askcore.base.views import HealthHistory, HealthIssue, HealthReport, Mute
from askcore.checks.frame import Frame
from askcore.checks.limits import load_limits
from askcore.checks.wording import target_of, title
from askcore.report.health_history import history_blocks, mute_blocks
from askcore.report.health_issues import issue_blocks
from askcore.report.health_places import place_blocks, place_cells
from askcore.report.markup import one_line
from askcore.report.recall import make_call, numbers_of
from askcore.tools.data_quality import owner_of

if TYPE_CHECKING:
    from askcore.lake import LakeView

_STRIP: Final[tuple[VerdictStatus, ...]] = ("fail", "warn", "pass", "skip")
_COUNTS: Final = ("n_bad", "n_checked", "entities", "days")
_HEADS: Final = {"n_bad": "found", "n_checked": "looked_at", "days": "days_found"}
_UNIT: Final = {**dict.fromkeys(_COUNTS, "count"), "muted": "count"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFound:
    """What the health desk knows of a dataset."""

    report: HealthReport
    history: HealthHistory
    mutes: tuple[Mute, ...]
    entity: str = ""
    """Id of the company that the checks were narrowed to; "" for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A section before it has a number."""

    title: str
    blocks: tuple[Block, ...]
    evidence: tuple[Block, ...] = ()
    cites: tuple[str, ...] = ()
    """Beginnings of the cells that it states, without section and step."""
    exactly: tuple[str, ...] = ()
    """Cells that it states, likewise."""
    sql: tuple[str, ...] = ()
    failed: tuple[Verdict, ...] = ()


def health_sections(found: HealthFound, view: LakeView, lang: Lang) -> tuple[Section, ...]:
    """The chapters, numbered; only those that have something to say.

    Raises: BadRequest when the checks cannot be made again.
    """
    report = found.report
    source = Source(
        id="s0.t1",
        tool="data_quality",
        args={**report.period.as_json(), "by": ["entity", "month"]},
        entity=found.entity,
        as_of=report.as_of,
        sql=(),
    )
    result = make_call(source, view, lang)
    if result.error is not None:
        raise BadRequest(result.error.message, hint=result.error.hint)
    frame = Frame(
        view=view,
        period=report.period,
        as_of=report.as_of,
        lang=lang,
        limits=load_limits(),
        entity=found.entity or None,
    )
    drafts = _drafts(found, result, frame)
    return tuple(_section(n, draft, source, result) for n, draft in enumerate(drafts, start=1))


def _drafts(found: HealthFound, result: ToolResult, frame: Frame) -> Iterator[_Draft]:
    report, lang = found.report, frame.lang
    issues = list(zip(report.verdicts, report.issues, strict=True))
    bad = [(v, i) for v, i in issues if v.status in ("fail", "warn")]
    yield _overview(found, bad, frame)
    for verdict, issue in bad:
        yield _Draft(
            title=f"{title(verdict.check, frame)} · {say(lang, f'report.{verdict.status}')}",
            blocks=tuple(issue_blocks(verdict, issue, frame)),
            cites=(f"{owner_of(verdict, target_of(frame))}.",),
            sql=(verdict.sql,) if verdict.sql else (),
            failed=(verdict,) if verdict.status == "fail" else (),
        )
    blocks = tuple(place_blocks(result, frame))
    if blocks:
        yield _Draft(
            title=say(lang, "report.chapter_places"), blocks=blocks, exactly=tuple(place_cells(result, frame))
        )
    if found.mutes:
        told = tuple(mute_blocks(found.mutes, frame))
        yield _Draft(title=say(lang, "report.chapter_mutes"), blocks=told)
    told = tuple(history_blocks(found.history, frame))
    if told:
        yield _Draft(title=say(lang, "report.chapter_history"), blocks=told)
    skipped = tuple(v for v in report.verdicts if v.status == "skip")
    if skipped:
        lead = TextBlock(paragraphs=(one_line(say(lang, "report.skip_lead")),), tone="note")
        checks = ChecksBlock(title=say(lang, "report.skip"), verdicts=skipped)
        yield _Draft(title=say(lang, "report.chapter_skipped"), blocks=(lead, checks))


def _overview(found: HealthFound, bad: list[tuple[Verdict, HealthIssue]], frame: Frame) -> _Draft:
    report, lang = found.report, frame.lang
    counts = report.counts
    strip = tuple(Headline(label=say(lang, f"report.{s}"), value=f"{counts[s]:,}") for s in _STRIP)
    clock = say(lang, "report.health_clock", as_of=report.as_of, checks=len(report.verdicts))
    blocks: list[Block] = [
        TextBlock(paragraphs=(one_line(clock),), tone="note"),
        HeadlineBlock(items=strip),
        TextBlock(paragraphs=(one_line(_summary(counts, lang), is_strong=not bad),)),
    ]
    if bad:
        name = say(lang, "report.issues")
        blocks.append(TableBlock(title=name, table=_issues_table(bad, frame), source="s1.t1"))
    passed = tuple(v for v in report.verdicts if v.status == "pass")
    target = target_of(frame)
    return _Draft(
        title=say(lang, "report.chapter_overview"),
        blocks=tuple(blocks),
        evidence=(ChecksBlock(title=say(lang, "report.passed"), verdicts=passed),) if passed else (),
        cites=("verdicts.", *(f"{owner_of(v, target)}." for v in passed)),
        exactly=tuple(f"{owner_of(v, target)}.{name}[verdict]" for v in report.verdicts for name in _COUNTS),
        sql=tuple(v.sql for v in passed if v.sql),
    )


def _summary(counts: dict[str, int], lang: Lang) -> str:
    """One sentence; that nothing is wrong is said outright, with what was not looked at."""
    words = {"n": sum(counts.values()), "ok": counts["pass"], **counts}
    if not counts["fail"] and not counts["warn"]:
        return say(lang, "report.health_clean_but" if counts["skip"] else "report.health_clean", **words)
    return say(lang, "report.health_summary", **words)


def _issues_table(bad: list[tuple[Verdict, HealthIssue]], frame: Frame) -> Table:
    lang = frame.lang
    rows = tuple(
        {
            "check": title(verdict.check, frame),
            "status": say(lang, f"report.{verdict.status}"),
            "severity": say(lang, f"report.severity_{verdict.severity}"),
            "n_bad": verdict.n_bad,
            "n_checked": verdict.n_checked,
            "entities": issue.n_entities,
            "days": issue.n_days,
            "muted": issue.n_muted,
        }
        for verdict, issue in bad
    )
    keys = ["check", "status", "severity", *_COUNTS]
    if any(issue.n_muted for _, issue in bad):
        keys.append("muted")
    columns = tuple(
        Column(key=key, label=say(lang, f"report.{_HEADS.get(key, key)}"), unit=_UNIT.get(key, ""))
        for key in keys
    )
    return Table(columns=columns, rows=rows, row_count=len(rows))


def _section(number: int, draft: _Draft, source: Source, result: ToolResult) -> Section:
    own = replace(source, id=f"s{number}.t1", sql=draft.sql)
    stated = tuple(
        Figure(address=address, value=float(value))
        for address, value in numbers_of(result, own).items()
        if _is_stated(address.removeprefix(f"{own.id}:"), draft) and value is not None
    )
    return Section(
        id=f"s{number}",
        title=draft.title,
        question="",
        run_id="",
        blocks=draft.blocks,
        evidence=draft.evidence,
        sources=(own,) if stated or draft.sql else (),
        figures=stated,
        failed=draft.failed,
    )


def _is_stated(cell: str, draft: _Draft) -> bool:
    return cell in draft.exactly or cell.startswith(draft.cites)
