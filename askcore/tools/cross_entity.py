"""`cross_entity`: entities of one level side by side, each from its own rows, with what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import Field

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Clamp, Note, Period, QuerySpec, Sort
from askcore.semantic.averages import resolve
from askcore.semantic.model import Level
from askcore.tools.base import PeriodArg, Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.cells import cell_unit
from askcore.tools.compare.availability import available_metrics
from askcore.tools.compare.remarks import result_notes
from askcore.tools.compare.reserved import reserved_gaps
from askcore.tools.compare.target import Target, level_named, resolve_target
from askcore.tools.compare.windows import Windows
from askcore.tools.entities.coverage import Coverage, CoverageReader, coverage_cells, coverage_verdict
from askcore.tools.entities.side_by_side import (
    Comparison,
    EntityRow,
    best_row,
    entity_cells,
    entity_facts,
    entity_row,
    entity_table,
)
from askcore.tools.peers.peer_windows import peer_windows
from askcore.tools.peers.peer_words import some_names
from askcore.tools.query_report import names_of

if TYPE_CHECKING:
    from askcore.lake import QueryResult

_MAX_ROWS = 1000  # the lake's own cap


class CrossEntityArgs(ToolArgs):
    """Entities side by side: the companies (all that may be seen), or the chains, shops … of `level`, each
    with weighted totals from its own rows, the days and shops behind them, and the distance to the best
    one, stated only where both have the same days. `metrics` are metric keys (default: the headline ones);
    the period is `from` and `to`, or `period` or `current`, by default the last 7 days; `baseline` adds the
    change of each entity. `companies`, `chains`, `shops`, `filters` narrow it; `sort` is a metric key with
    "-" for descending; `limit` keeps the first rows.
    """

    metrics: list[str] = Field(default_factory=list, description="metric keys; empty = headline metrics")
    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")
    period: PeriodArg | None = Field(default=None, description="the period: {from, to}")
    current: PeriodArg | None = Field(default=None, description="the same as period")
    baseline: PeriodArg | None = Field(default=None, description="an earlier period: {from, to}")
    level: str | None = Field(default=None, description="level of the entities; default the top one")
    companies: list[str] = Field(default_factory=list, description="company ids or names")
    chains: list[str] = Field(default_factory=list, description="chain ids or names")
    shops: list[str] = Field(default_factory=list, description="shop ids or names")
    filters: dict[str, str | list[str]] = Field(
        default_factory=dict, description="level or dimension -> id, value or list of them"
    )
    sort: str | None = Field(default=None, description='metric key, "-" in front = descending')
    limit: int | None = Field(default=None, ge=1, description="most rows to return")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The arguments after every name was checked."""

    args: CrossEntityArgs
    level: Level
    target: Target
    metrics: tuple[str, ...]
    missing: tuple[str, ...]
    windows: Windows
    sort: Sort
    clamped: tuple[Clamp, ...]

    @property
    def baseline(self) -> Period | None:
        """The earlier period, only when one was asked for and has data."""
        return None if self.args.baseline is None else self.windows.baseline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Window:
    """What was read of one period."""

    result: QueryResult
    covered: Mapping[str, Coverage]
    sql: str


def run(args: CrossEntityArgs, ctx: ToolContext) -> ToolOutput:
    """The entities, or the reason why there are none.

    Raises: BadRequest on unknown names, or when the source has none of the metrics (class "empty").
    """
    asked = _asked(args, ctx)
    current = asked.windows.current
    if current is None:
        return _outside(asked, ctx)
    now = _read(asked, current, ctx)
    before = None if asked.baseline is None else _read(asked, asked.baseline, ctx)
    found = _comparison(asked, now, before, ctx)
    shown = _ordered(found, asked.sort)[: min(asked.args.limit or _MAX_ROWS, _MAX_ROWS)]
    names = {r.id: r.name for r in found.rows}
    verdict = coverage_verdict(now.covered, names, asked.level, current, ctx)
    notes, note_cells = result_notes(now.result, asked.missing, ctx)
    notes = (*notes, *reserved_gaps(now.result, asked.target, ctx))
    windows = [w for w in (now, before) if w is not None]
    return ToolOutput(
        table=entity_table(found, shown, _totals(found, now.result), ctx),
        facts=entity_facts(found) | {"shown": len(shown)},
        cells=(
            *entity_cells(found, shown, ctx),
            *coverage_cells(now.covered, names, ctx.step_id),
            *note_cells,
        ),
        verdicts=(verdict,),
        notes=(*notes, *_notes(asked, found, ctx)),
        clamped=asked.clamped,
        args=_shown_args(asked),
        sql=tuple(s for w in windows for s in (w.result.sql, w.sql) if s),
        row_count=len(found.rows),
        scanned=sum(w.result.scanned for w in windows),
    )


def _asked(args: CrossEntityArgs, ctx: ToolContext) -> _Asked:
    model, catalog = ctx.view.model, ctx.view.catalog
    level = _level(args.level, ctx)
    top = model.top_level
    target = resolve_target(
        model,
        catalog,
        scope=level.key,
        by=(level.key,),
        named={"companies": args.companies, "chains": args.chains, "shops": args.shops},
        filters={k: names_of(v) for k, v in args.filters.items()},
        entity=None if top is not None and level.key == top.key else ctx.entity,
        lang=ctx.lang,
    )
    wanted = args.metrics or [k for k in model.headline_metrics() if _is_held(k, ctx)]
    metrics, missing = available_metrics(model, catalog, wanted, ctx.lang)
    given = [p for p in (args.period, args.current) if p is not None]
    if len(given) > 1 or (given and (args.start or args.end)):
        raise BadRequest(say(ctx.lang, "entities.one_period"), hint="from/to, period or current")
    windows, cut = peer_windows(
        args.start,
        args.end,
        given[0].as_period() if given else None,
        None if args.baseline is None else args.baseline.as_period(),
        held=catalog.scope_periods.get(level.key) or catalog.period,
        ctx=ctx,
    )
    if args.period is not None:
        cut = tuple(replace(c, arg=c.arg.replace("current.", "period.")) for c in cut)
    return _Asked(
        args=args,
        level=level,
        target=target,
        metrics=metrics,
        missing=missing,
        windows=windows,
        sort=_sort(args.sort, metrics, ctx),
        clamped=(*target.clamped, *cut, *_limit_clamp(args.limit, ctx)),
    )


def _level(name: str | None, ctx: ToolContext) -> Level:
    model = ctx.view.model
    if model.top_level is None:
        raise BadRequest(say(ctx.lang, "entities.no_levels"), error_class="empty")
    if name is None:
        return model.top_level
    level = level_named(model, name)
    if level is None:
        raise BadRequest(
            say(ctx.lang, "compare.no_such_level", name=name),
            hint=did_you_mean(name, model.levels_by_key) or ", ".join(model.levels_by_key),
            error_class="unknown_name",
        )
    return level


def _is_held(key: str, ctx: ToolContext) -> bool:
    try:
        available_metrics(ctx.view.model, ctx.view.catalog, [key], ctx.lang)
    except BadRequest:
        return False
    return True


def _limit_clamp(limit: int | None, ctx: ToolContext) -> tuple[Clamp, ...]:
    if limit is None or limit <= _MAX_ROWS:
        return ()
    why = say(ctx.lang, "compare.clamp_limit")
    return (Clamp(arg="limit", before=str(limit), after=str(_MAX_ROWS), why=why),)


def _sort(text: str | None, metrics: Sequence[str], ctx: ToolContext) -> Sort:
    """The order asked for; else the best of the first metric first."""
    if not text:
        best_is_low = resolve(ctx.view.model, metrics[0]).polarity == "down"
        return Sort(key=metrics[0], descending=not best_is_low)
    key = text.lstrip("+-")
    if key not in metrics:
        hint = did_you_mean(key, metrics) or ", ".join(metrics)
        raise BadRequest(
            say(ctx.lang, "compare.cannot_sort", name=key), hint=hint, error_class="unknown_name"
        )
    return Sort(key=key, descending=text.startswith("-"))


def _read(asked: _Asked, period: Period, ctx: ToolContext) -> _Window:
    spec = QuerySpec(
        metrics=asked.metrics,
        period=period,
        entity=asked.target.entity,
        scope=asked.target.scope,
        by=(asked.level.key,),
        filters=asked.target.filters,
    )
    result = ctx.view.query(spec, lang=ctx.lang)
    reader = CoverageReader(ctx=ctx, level=asked.level, target=asked.target)
    covered, sql = reader.read(result.rolled_up_from or result.scope, period)
    return _Window(result=result, covered=covered, sql=sql)


def _comparison(asked: _Asked, now: _Window, before: _Window | None, ctx: ToolContext) -> Comparison:
    """Every entity that may be seen and is not filtered out, also without rows in the period."""
    level, model = asked.level, ctx.view.model
    values = {str(r[level.id]): r for r in now.result.rows}
    earlier = {} if before is None else {str(r[level.id]): r for r in before.result.rows}
    metrics = tuple(resolve(model, k) for k in asked.metrics)
    rows = [
        entity_row(
            (entity, name),
            metrics,
            (values.get(entity, {}), earlier.get(entity, {})),
            (
                now.covered.get(entity, Coverage()),
                Coverage() if before is None else before.covered.get(entity, Coverage()),
            ),
        )
        for entity, name in _entities(asked, ctx)
    ]
    currencies = {c for r in rows for c in r.covered.currencies}
    return Comparison(
        level=level,
        metrics=metrics,
        rows=tuple(rows),
        has_baseline=before is not None,
        mixed_currency=len(currencies) > 1,
        best={m.key: best_row(rows, m) for m in metrics},
    )


def _entities(asked: _Asked, ctx: ToolContext) -> list[tuple[str, str]]:
    """(id, name) of the level's entities inside the filters."""
    model, target = ctx.view.model, asked.target
    kept = {k: set(v) for k, v in target.filters.items() if k in model.levels_by_key}
    if target.entity is not None and model.top_level is not None:
        kept[model.top_level.key] = {target.entity}
    found = []
    for entity in ctx.view.catalog.by_level.get(asked.level.key, ()):
        ids = {**entity.parents, entity.level: entity.id}
        if all(ids[k] in allowed for k, allowed in kept.items() if k in ids):
            found.append((entity.id, entity.name or entity.id))
    return found


def _ordered(found: Comparison, sort: Sort) -> list[EntityRow]:
    """In the order asked for, those without a value last."""

    def place(row: EntityRow) -> tuple[bool, float, str]:
        value = row.changes[sort.key].cur
        if value is None:
            return True, 0.0, row.id
        return False, -value if sort.descending else value, row.id

    return sorted(found.rows, key=place)


def _totals(found: Comparison, result: QueryResult) -> Mapping[str, Any]:
    """Over all entities; amounts of different currencies have no total."""
    if not found.mixed_currency:
        return result.totals
    money = {m.key for m in found.metrics if cell_unit(m) == "money"}
    return {k: v for k, v in result.totals.items() if k not in money}


def _notes(asked: _Asked, found: Comparison, ctx: ToolContext) -> list[Note]:
    lang = ctx.lang
    notes = []
    if len(found.rows) == 1:
        notes.append(Note(code="ambiguous", text=say(lang, "entities.only_one")))
    if len({r.covered.days for r in found.rows}) > 1:
        notes.append(Note(code="like_for_like", text=say(lang, "entities.not_alike")))
    if found.mixed_currency:
        notes.append(Note(code="like_for_like", text=say(lang, "entities.mixed_currency")))
    unequal = [r.name for r in found.rows if len(r.covered.days) != len(r.covered_before.days)]
    if found.has_baseline and unequal:
        text = say(lang, "entities.unequal_windows", names=some_names(unequal, lang))
        notes.append(Note(code="like_for_like", text=text))
    if asked.args.baseline is not None and asked.baseline is None:
        notes.append(Note(code="outside_coverage", text=say(lang, "entities.no_baseline")))
    return notes + [Note(code="clamped", text=c.why) for c in asked.clamped]


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
    current = (windows.current or windows.asked_current).as_json()
    found: dict[str, Any] = {"metrics": list(asked.metrics)}
    if args.current is not None:
        found["current"] = current
    elif args.period is not None:
        found["period"] = current
    else:
        found |= current
    if args.baseline is not None:
        found["baseline"] = (windows.baseline or windows.asked_baseline).as_json()
    found |= {"level": asked.level.key, **asked.target.args, "sort": asked.sort.as_arg()}
    if args.limit is not None:
        found["limit"] = min(args.limit, _MAX_ROWS)
    return found


TOOL = Tool(name="cross_entity", args=CrossEntityArgs, run=run)
