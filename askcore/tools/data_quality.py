"""`data_quality`: the catalogue of checks over a period, each fault once under the check that owns it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Cell, CellUnit, Clamp, Column, Period, Table, Verdict, VerdictStatus
from askcore.checks.catalogue import run_checked, with_earlier
from askcore.checks.finding import Checked
from askcore.checks.frame import Frame
from askcore.checks.impact import issue_of
from askcore.checks.limits import load_limits
from askcore.checks.wording import target_of, title
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.finding_counts import CountedBy, count_cells, count_facts, finding_counts

_DEFAULT_DAYS = 30
_EARLIER_DAYS = 60
_COLUMNS = ("check", "title", "target", "status", "n_checked", "n_bad", "note")


class DataQualityArgs(ToolArgs):
    """Checks whether the data can be trusted: freshness, failed syncs, missing days, duplicate, all-zero
    and empty values, wrong units, identities between columns, sums between levels, changes as the source
    reports them. `from` and `to` are the inclusive days (default: the last 30 of the data); `checks` names
    the checks to run (default: all, each fault listed once under the check that owns it); `by` counts what
    was found for each entity or month as well.
    """

    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")
    checks: list[str] = Field(default_factory=list, description="check ids; empty = all")
    by: list[CountedBy] = Field(default_factory=list, description="count findings by entity, by month")


def run(args: DataQualityArgs, ctx: ToolContext) -> ToolOutput:
    """Run the asked checks, or the whole catalogue."""
    return checked_output(args.start, args.end, args.checks, args.checks or None, ctx, by=args.by)


def checked_output(
    start: date | None,
    end: date | None,
    asked: Sequence[str],
    ids: Sequence[str] | None,
    ctx: ToolContext,
    *,
    by: Sequence[CountedBy] = (),
) -> ToolOutput:
    """The checks `ids` (None: all) over the clamped period as a tool's output.

    asked: the checks as the caller wrote them, repeated in the arguments. by: what findings are counted by.
    """
    period, clamped = checked_period(start, end, ctx)
    frame = frame_of(period, ctx)
    found = run_checked(frame, ids)
    if ids is None:
        found = with_earlier(frame, found, _EARLIER_DAYS)
    args: dict[str, object] = dict(period.as_json())
    if asked:
        args["checks"] = list(asked)
    counted = finding_counts([c.verdict for c in found], frame, by)
    if by:
        args["by"] = list(dict.fromkeys(by))
    return ToolOutput(
        table=verdict_table(found, frame),
        facts={"counts": counts_of(found), "summary": summary_of(found, ctx), **count_facts(counted)},
        cells=(
            *verdict_cells(found, ctx.step_id, dataset=target_of(frame)),
            *_impact_cells(found, frame, ctx.step_id),
            *count_cells(counted, ctx.step_id),
        ),
        verdicts=tuple(c.verdict for c in found),
        clamped=clamped,
        args=args,
        sql=tuple(c.verdict.sql for c in found if c.verdict.sql),
        row_count=len(found),
        scanned=sum(c.verdict.n_checked for c in found),
    )


def frame_of(period: Period, ctx: ToolContext) -> Frame:
    """Everything about the run's entity in the period."""
    return Frame(
        view=ctx.view,
        period=period,
        as_of=ctx.as_of,
        lang=ctx.lang,
        limits=load_limits(),
        entity=ctx.entity,
    )


def checked_period(
    start: date | None, end: date | None, ctx: ToolContext
) -> tuple[Period, tuple[Clamp, ...]]:
    """The asked days inside the data; by default the last 30 days of it.

    Raises: BadRequest when there is no data, the days are in the wrong order or outside the data.
    """
    covered = ctx.view.catalog.period
    if covered is None:
        raise BadRequest(say(ctx.lang, "checks.no_data"), error_class="empty")
    last = end or covered.end
    first = start or min(last, covered.end) - timedelta(days=_DEFAULT_DAYS - 1)
    if last < first:
        raise BadRequest(f"the period ends {last} before it starts {first}")
    limits = say(
        ctx.lang,
        "checks.clamp_period",
        start=covered.start.isoformat(),
        end=covered.end.isoformat(),
    )
    if first > covered.end or last < covered.start:
        raise BadRequest(limits, error_class="empty")
    kept = Period(start=max(first, covered.start), end=min(last, covered.end))
    changes = (("from", start, kept.start), ("to", end, kept.end))
    clamps = tuple(
        Clamp(arg=arg, before=asked.isoformat(), after=used.isoformat(), why=limits)
        for arg, asked, used in changes
        if asked is not None and asked != used
    )
    return kept, clamps


def verdict_table(found: Sequence[Checked], frame: Frame) -> Table:
    """One row a verdict."""
    rows = tuple(
        {
            "check": v.check,
            "title": title(v.check, frame),
            "target": v.target,
            "status": v.status,
            "n_checked": v.n_checked,
            "n_bad": v.n_bad,
            "note": v.note,
        }
        for v in (c.verdict for c in found)
    )
    columns = tuple(Column(key=k, label=say(frame.lang, f"checks.column_{k}")) for k in _COLUMNS)
    return Table(columns=columns, rows=rows, row_count=len(rows))


def verdict_cells(found: Sequence[Checked], step: str, *, dataset: str = "") -> tuple[Cell, ...]:
    """Every number that a verdict's sentences state, and how many verdicts there are of each status.

    dataset: target of the checks that look at everything; the metric of others names theirs, so that a
    check of several targets has an address for each.
    """
    cells = [
        Cell(
            value=value, unit=unit, metric=f"{owner_of(c.verdict, dataset)}.{name}", step=step, role="verdict"
        )
        for c in found
        for name, value, unit in _numbered(c)
    ]
    cells += [
        Cell(value=n, unit="count", metric=f"verdicts.{status}", step=step, role="rows")
        for status, n in {**counts_of(found), "all": len(found)}.items()
    ]
    return tuple(cells)


def owner_of(verdict: Verdict, dataset: str) -> str:
    """What a verdict's numbers are addressed by: its check, with its target where that is its own."""
    is_own = dataset and verdict.target not in ("", dataset)
    return f"{verdict.check}.{verdict.target}" if is_own else verdict.check


def _numbered(one: Checked) -> Iterator[tuple[str, float, CellUnit]]:
    """(name, value, unit) of its figures; the second of one name is "name.2"."""
    seen: Counter[str] = Counter()
    for figure in one.figures:
        seen[figure.metric] += 1
        tail = "" if seen[figure.metric] == 1 else f".{seen[figure.metric]}"
        yield f"{figure.metric}{tail}", float(figure.value), figure.unit


def _impact_cells(found: Sequence[Checked], frame: Frame, step: str) -> Iterator[Cell]:
    """How many entities and days the bad keys of each verdict name."""
    for one in found:
        issue = issue_of(one.verdict, frame)
        for name, count in (("entities", issue.n_entities), ("days", issue.n_days)):
            metric = f"{owner_of(one.verdict, target_of(frame))}.{name}"
            yield Cell(value=count, unit="count", metric=metric, step=step, role="verdict")


def counts_of(found: Sequence[Checked]) -> dict[str, int]:
    """{"fail", "warn", "skip", "pass"}: verdicts of each status."""
    order: tuple[VerdictStatus, ...] = ("fail", "warn", "skip", "pass")
    return {status: sum(c.verdict.status == status for c in found) for status in order}


def summary_of(found: Sequence[Checked], ctx: ToolContext) -> str:
    """One sentence with the counts."""
    counts = counts_of(found)
    return say(
        ctx.lang,
        "checks.summary",
        total=len(found),
        fail=counts["fail"],
        warn=counts["warn"],
        skip=counts["skip"],
        ok=counts["pass"],
    )


TOOL = Tool(name="data_quality", args=DataQualityArgs, run=run)
