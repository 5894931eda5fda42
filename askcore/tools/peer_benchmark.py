"""`peer_benchmark`: each shop beside the mean of its peers over the same days, its rank and how it moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import Field

from askcore.base.text import say
from askcore.base.values import Cell, Clamp, Note, Period
from askcore.semantic.model import Level, Metric
from askcore.tools.base import PeriodArg, Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.compare.availability import joined
from askcore.tools.compare.components import components
from askcore.tools.compare.rows import Reader
from askcore.tools.compare.target import Target, level_named, resolve_target
from askcore.tools.compare.windows import Windows
from askcore.tools.peers.peer_cells import peer_cells
from askcore.tools.peers.peer_columns import PeerColumns, asked_metrics, lacking_text, peer_level
from askcore.tools.peers.peer_facts import counts, day_facts, findings, metric_facts
from askcore.tools.peers.peer_reading import PeerRows, read_peers
from askcore.tools.peers.peer_table import (
    Order,
    PeerFilter,
    ShopRow,
    kept_rows,
    ordered,
    peer_table,
    resolve_order,
    shop_rows,
)
from askcore.tools.peers.peer_verdicts import peer_verdicts
from askcore.tools.peers.peer_windows import peer_windows
from askcore.tools.peers.peer_words import some_names
from askcore.tools.peers.standing import MIN_GROUP
from askcore.tools.query_report import names_of

_MAX_ROWS = 1000  # the lake's own cap: more is an export, not an answer


class PeerBenchmarkArgs(ToolArgs):
    """Compare each shop with the mean of its peers, as the source gives it: own value and peer mean over
    the same days, gap (% for amounts, percentage points for rates), rank among the peers (1 is best) and
    how rank and peers moved against the window before. `metrics` are metric keys (default: all that have
    peers); the window is `from` and `to`, or `current`, by default the last 7 days; `baseline` is the
    window before it (default: equal length, just before). `scope` is the level of the shops; `companies`,
    `chains`, `shops`, `filters` narrow it; `filter` below_peer or above_peer keeps the shops that are so in
    any of the metrics; `sort` is gap (lowest first), rank (best first), rank_change (most places gained
    first), a metric key, "-" in front turns it round, and exposureUv__gap names the metric; `limit` keeps
    the first rows.
    """

    metrics: list[str] = Field(default_factory=list, description="metric keys; empty = all with peers")
    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")
    current: PeriodArg | None = Field(default=None, description="the window: {from, to}")
    baseline: PeriodArg | None = Field(default=None, description="the window before: {from, to}")
    scope: str | None = Field(default=None, description="level of the shops")
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )
    filter: PeerFilter | None = Field(default=None, description="below_peer or above_peer")
    sort: str | None = Field(default=None, description="gap, rank, rank_change or a metric key")
    limit: int | None = Field(default=None, ge=1, description="most rows to return")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments after every name was checked."""

    args: PeerBenchmarkArgs
    columns: tuple[PeerColumns, ...]
    lacking: tuple[str, ...]
    target: Target
    level: Level | None
    windows: Windows
    order: Order
    limit: int | None
    clamped: tuple[Clamp, ...]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics in the order asked for."""
        return tuple(c.metric for c in self.columns)

    @property
    def has_baseline(self) -> bool:
        """Whether there is data before to compare with."""
        return self.windows.baseline is not None


def run(args: PeerBenchmarkArgs, ctx: ToolContext) -> ToolOutput:
    """The benchmark, or the reason why there is none.

    Raises: BadRequest on unknown names, or when no asked metric has peers in this source (class "empty").
    """
    asked = _asked(args, ctx)
    current = asked.windows.current
    if current is None:
        return _outside(asked, ctx)
    found = _read(asked, current, ctx)
    rows = shop_rows(found.standings)
    if not rows:
        note = Note(code="empty", text=say(ctx.lang, "compare.empty_no_rows"))
        return ToolOutput(notes=(note,), clamped=asked.clamped, args=_shown_args(asked), sql=(found.sql,))
    kept = kept_rows(rows, args.filter)
    shown = ordered(kept, asked.order)[: asked.limit or _MAX_ROWS]
    numbers = {key: counts(shops) for key, shops in found.standings.items()}
    cells = peer_cells(_first_shown(rows, shown), found, numbers, asked.level, ctx)
    return ToolOutput(
        table=peer_table(
            shown,
            asked.metrics,
            asked.level,
            has_baseline=asked.has_baseline,
            row_count=len(kept),
            lang=ctx.lang,
        ),
        facts=_facts(asked, found, rows, kept, shown, ctx),
        cells=(*cells, *_row_cells((len(rows), len(kept), len(shown)), ctx)),
        verdicts=peer_verdicts(
            found.standings, asked.level, current, has_baseline=asked.has_baseline, ctx=ctx
        ),
        notes=_notes(asked, found, len(kept), len(shown), ctx),
        clamped=asked.clamped,
        args=_shown_args(asked),
        sql=(found.sql,),
        row_count=len(kept),
        scanned=found.scanned,
    )


def _asked(args: PeerBenchmarkArgs, ctx: ToolContext) -> _Asked:
    model, catalog = ctx.view.model, ctx.view.catalog
    columns, lacking = asked_metrics(ctx.view, args.metrics, ctx.lang)
    wanted = None if args.scope is None else level_named(model, args.scope)
    level = peer_level(ctx.view, columns, wanted)
    target = resolve_target(
        model,
        catalog,
        scope=None if level is None else args.scope or level.key,
        by=(),
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
        entity=ctx.entity,
        lang=ctx.lang,
    )
    clamped = target.clamped
    if level is not None and target.scope != level.key:
        why = say(ctx.lang, "peers.clamp_scope", level=level.label[ctx.lang])
        clamped = (Clamp(arg="scope", before=args.scope or level.key, after=level.key, why=why),)
    held = catalog.scope_periods.get("" if level is None else level.key) or catalog.period
    windows, cut = peer_windows(
        args.start,
        args.end,
        None if args.current is None else args.current.as_period(),
        None if args.baseline is None else args.baseline.as_period(),
        held=held,
        ctx=ctx,
    )
    limit, over = _limit(args.limit, ctx)
    return _Asked(
        args=args,
        columns=columns,
        lacking=lacking,
        target=target,
        level=level,
        windows=windows,
        order=resolve_order(args.sort, tuple(c.metric for c in columns), ctx.lang),
        limit=limit,
        clamped=(*clamped, *cut, *over),
    )


def _limit(limit: int | None, ctx: ToolContext) -> tuple[int | None, tuple[Clamp, ...]]:
    if limit is None or limit <= _MAX_ROWS:
        return limit, ()
    why = say(ctx.lang, "compare.clamp_limit")
    return _MAX_ROWS, (Clamp(arg="limit", before=str(limit), after=str(_MAX_ROWS), why=why),)


def _read(asked: _Asked, current: Period, ctx: ToolContext) -> PeerRows:
    view = ctx.view
    reader = Reader(
        view=view,
        target=asked.target,
        periods=(asked.windows.baseline or current, current),
        components=components(view.model, view.catalog, [m.key for m in asked.metrics]),
    )
    return read_peers(reader, asked.level, asked.columns, has_baseline=asked.has_baseline)


def _facts(
    asked: _Asked,
    found: PeerRows,
    rows: Sequence[ShopRow],
    kept: Sequence[ShopRow],
    shown: Sequence[ShopRow],
    ctx: ToolContext,
) -> dict[str, Any]:
    windows = asked.windows
    return {
        "current": None if windows.current is None else windows.current.as_json(),
        "baseline": None if windows.baseline is None else windows.baseline.as_json(),
        "scope": None if asked.level is None else asked.level.key,
        "shops": {"all": len(rows), "kept": len(kept), "shown": len(shown)},
        "metrics": {key: metric_facts(shops, ctx.lang) for key, shops in found.standings.items()},
        "findings": findings(found, ctx.lang),
        "days": dict(day_facts(found)),
        "not_available": list(asked.lacking),
        "as_percent": list(found.as_percent),
        "closed": [{"id": i, "name": n} for i, n in found.closed],
    }


def _first_shown(rows: Sequence[ShopRow], shown: Sequence[ShopRow]) -> list[ShopRow]:
    """All rows, the shown ones first."""
    ids = {r.id for r in shown}
    return [*shown, *(r for r in rows if r.id not in ids)]


def _row_cells(numbers: Sequence[int], ctx: ToolContext) -> tuple[Cell, ...]:
    return tuple(Cell(value=n, unit="count", metric="rows", step=ctx.step_id, role="rows") for n in numbers)


def _notes(asked: _Asked, found: PeerRows, kept: int, shown: int, ctx: ToolContext) -> tuple[Note, ...]:
    """What the reader must know about columns, days and rows left out."""
    lang, days = ctx.lang, day_facts(found)
    notes: list[Note] = []
    if asked.lacking:
        notes.append(Note(code="reserved_column", text=lacking_text(ctx.view, asked.lacking, lang)))
    if days["without_peers"]:
        notes.append(_like(say(lang, "peers.days_without", n=days["without_peers"])))
    if days["small_group"]:
        notes.append(_like(say(lang, "peers.days_small", n=days["small_group"], least=MIN_GROUP)))
    if found.zero_rows:
        names = some_names((name for _, name, _ in found.zero_rows), lang)
        notes.append(_like(say(lang, "peers.zero_days", names=names, n=len(found.zero_rows))))
    if found.as_percent:
        labels = [ctx.view.model.metric(k).label[lang] for k in found.as_percent]
        notes.append(_like(say(lang, "peers.as_percent", labels=joined(lang, labels))))
    if days["bad_ranks"]:
        notes.append(_like(say(lang, "peers.bad_ranks", n=days["bad_ranks"])))
    if found.closed:
        notes.append(_like(say(lang, "peers.closed", names=some_names((n for _, n in found.closed), lang))))
    notes += [Note(code="clamped", text=c.why) for c in asked.clamped]
    if shown < kept:
        notes.append(Note(code="clamped", text=say(lang, "peers.cut_rows", n=shown, total=kept)))
    return tuple(notes)


def _like(text: str) -> Note:
    return Note(code="like_for_like", text=text)


def _outside(asked: _Asked, ctx: ToolContext) -> ToolOutput:
    held, period = ctx.view.catalog.period, asked.windows.asked_current
    if held is None:
        note = Note(code="empty", text=say(ctx.lang, "compare.empty_not_loaded"))
    else:
        text = say(
            ctx.lang,
            "compare.outside_coverage",
            start=period.start.isoformat(),
            end=period.end.isoformat(),
            first=held.start.isoformat(),
            last=min(held.end, ctx.last_settled).isoformat(),
        )
        note = Note(code="outside_coverage", text=text)
    return ToolOutput(
        facts={"outside": period.as_json()}, notes=(note,), clamped=asked.clamped, args=_shown_args(asked)
    )


def _shown_args(asked: _Asked) -> Mapping[str, Any]:
    """Arguments as they ran, in the contract's spelling."""
    args, windows = asked.args, asked.windows
    current = windows.current or windows.asked_current
    found: dict[str, Any] = {"metrics": [m.key for m in asked.metrics]}
    if args.current is not None:
        found["current"] = current.as_json()
    else:
        found |= current.as_json()
    found["baseline"] = None if windows.baseline is None else windows.baseline.as_json()
    found["scope"] = None if asked.level is None else asked.level.key
    found |= asked.target.args
    for name, value in (("filter", args.filter), ("sort", asked.order.text), ("limit", asked.limit)):
        if value is not None:
            found[name] = value
    return found


TOOL = Tool(name="peer_benchmark", args=PeerBenchmarkArgs, run=run)
