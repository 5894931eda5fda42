"""Reads own values, peer means and ranks of every shop, over the days that have both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from askcore.base.values import Period
from askcore.checks.sql import Binder, Expressions, listed, quote, readable
from askcore.semantic.model import Level
from askcore.tools.compare.change import tidy
from askcore.tools.compare.rows import Reader
from askcore.tools.peers.peer_columns import PeerColumns, group_field
from askcore.tools.peers.standing import MIN_GROUP, Standing, Window

_MAX_SHOPS = 20_000
_ZERO_TOLERANCE = 0.005  # what the parent may hold beyond its children before a zero row is doubted
_PERCENT = 100.0
_HEAD, _WIDTH = 5, 10  # columns of a result row: side to peers, then so many a metric
_MISFIT = 10.0  # between 1 and 100: a peer mean of so many times the own rate is a percentage

Form = Literal["sum", "quotient", "newest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """SQL of one metric over fact alias f and raw alias r."""

    columns: PeerColumns
    form: Form
    top: str
    bottom: str
    peer: str
    rank: str

    @property
    def own(self) -> str:
        """The row's own value."""
        return f"({self.top}) / NULLIF({self.bottom}, 0)" if self.form == "quotient" else self.top


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeerRows:
    """What was read."""

    standings: Mapping[str, tuple[Standing, ...]]
    """Metric key -> shops with rows in the current window, by id."""
    zero_rows: tuple[tuple[str, str, date], ...]
    """(id, name, day) of rows of zeros that the level above contradicts; left out."""
    as_percent: tuple[str, ...]
    """Rates whose peers the source gives as percentages, at least on some days."""
    closed: tuple[tuple[str, str], ...]
    """(id, name) of shops with rows in the baseline only."""
    sql: str
    scanned: int


def read_peers(
    reader: Reader, level: Level | None, metrics: Sequence[PeerColumns], *, has_baseline: bool
) -> PeerRows:
    """Standings of every shop of the target. `reader.periods` = (baseline, current)."""
    sources = [_source(reader, m) for m in metrics]
    zeros = _zero_rows(reader, level)
    binder = Binder()
    windows = reader.periods if has_baseline else reader.periods[1:]
    rows = _joined(reader, binder, level, sources, windows, zeros)
    percent = _percent_columns(reader, binder, rows, sources)
    statement = f"WITH rows_ AS ({rows}), {_scaled(sources, percent)} {_grouped(sources)}"
    found = reader.view.run(statement, binder.values, limit=_MAX_SHOPS).rows
    standings, closed = _standings(found, metrics, has_baseline=has_baseline)
    return PeerRows(
        standings=standings,
        zero_rows=tuple(zeros),
        as_percent=tuple(percent),
        closed=closed,
        sql=readable(statement, binder.values),
        scanned=sum(int(row[3] or 0) for row in found),
    )


def _source(reader: Reader, columns: PeerColumns) -> _Source:
    view, metric = reader.view, columns.metric
    expressions = Expressions(
        model=view.model, columns=frozenset(view.catalog.columns), raw_fields=frozenset(view.raw_fields)
    )
    parts = reader.components.parts.get(metric.key)
    peer = f"coalesce({expressions.field(columns.mean)}, {_percent_text(columns.mean)})"
    if metric.additivity.sign == "positive_abs":
        peer = f"abs({peer})"
    rank = "CAST(NULL AS DOUBLE)"
    if columns.rank:
        rank = f"coalesce({expressions.field(columns.rank)}, {_rank_text(columns.rank, 1)})"
    if parts is None:
        own = expressions.metric(metric.key)
        return _Source(columns=columns, form="newest", top=own, bottom="1", peer=peer, rank=rank)
    names = reader.components.sql
    form: Form = "sum" if parts.bottom is None else "quotient"
    bottom = "1" if parts.bottom is None else names[parts.bottom]
    return _Source(columns=columns, form=form, top=names[parts.top], bottom=bottom, peer=peer, rank=rank)


def _percent_text(name: str) -> str:
    """SQL: the value of a field written as "8.5%"; anything else that is no number is nothing."""
    text = f"trim(CAST(r.fields.{quote(name)} AS VARCHAR))"
    value = f"TRY_CAST(rtrim({text}, '%') AS DOUBLE) / {_PERCENT}"
    return f"CASE WHEN ends_with({text}, '%') THEN {value} END"


def _rank_text(name: str, part: int) -> str:
    """SQL: rank (1) or number of peers (2) of a field written as "10/69"."""
    return f"TRY_CAST(split_part(CAST(r.fields.{quote(name)} AS VARCHAR), '/', {part}) AS DOUBLE)"


def _group_size(reader: Reader, sources: Sequence[_Source]) -> str:
    """SQL: the number of peers, from its own field or from ranks written as "10/69"."""
    count = group_field(reader.view)
    told = [] if count is None else [f"TRY_CAST(r.fields.{quote(count)} AS DOUBLE)"]
    told += [_rank_text(s.columns.rank, 2) for s in sources if s.columns.rank]
    return f"coalesce({listed([*told, 'CAST(NULL AS DOUBLE)'])})"


def _zero_rows(reader: Reader, level: Level | None) -> list[tuple[str, str, date]]:
    """Rows without trade that the level above contradicts: they are no fall behind the peers."""
    held = [x for x in reader.model.levels if x.key in reader.view.catalog.scopes]
    if level is None or level not in held or held.index(level) == 0:
        return []
    return reader.zero_rows(level, held[held.index(level) - 1], _ZERO_TOLERANCE)


def _joined(
    reader: Reader,
    binder: Binder,
    level: Level | None,
    sources: Sequence[_Source],
    windows: Sequence[Period],
    zeros: Sequence[tuple[str, str, date]],
) -> str:
    """SQL: every row of the windows with its raw fields; side 1 = current, 0 = baseline."""
    view = reader.view
    shared = [c for c in view.run("SELECT * FROM raw LIMIT 0").columns if c != "fields"]
    same = " AND ".join(f"f.{quote(c)} IS NOT DISTINCT FROM r.{quote(c)}" for c in shared)
    group = _group_size(reader, sources)
    who = ("''", "''") if level is None else (f"f.{quote(level.id)}", f"f.{quote(level.name)}")
    values = listed(
        f"{s.top} AS t{i}, {s.bottom} AS b{i}, {s.own} AS o{i}, {s.peer} AS p{i}, {s.rank} AS k{i}"
        for i, s in enumerate(sources)
    )
    but = ""
    if zeros and level is not None:
        pairs = listed(f"({binder(shop)}, CAST({binder(day)} AS DATE))" for shop, _, day in zeros)
        but = f" AND (CAST({who[0]} AS VARCHAR), f.date) NOT IN ({pairs})"
    scope = "" if level is None else level.key
    return " UNION ALL ".join(
        f"SELECT {2 - len(windows) + side} AS side, {who[0]} AS id, {who[1]} AS name, f.date AS day, "  # noqa: S608
        f"{group} AS n, {values} FROM fact f LEFT JOIN raw r ON {same} "
        f"WHERE {reader.where(binder, scope, period)}{but}"
        for side, period in enumerate(windows)
    )


def _percent_columns(
    reader: Reader, binder: Binder, rows: str, sources: Sequence[_Source]
) -> dict[str, bool]:
    """Rates given as percentages -> whether every value is one, also those up to 1."""
    rates = [(i, s) for i, s in enumerate(sources) if s.columns.metric.is_rate]
    if not rates:
        return {}
    probes = listed(
        f"median(p{i} / o{i}) FILTER (p{i} <= 1 AND p{i} > 0 AND o{i} > 0), count_if({_exceeds(i)})"
        for i, _ in rates
    )
    found = reader.view.run(f"SELECT {probes} FROM ({rows})", binder.values).rows[0]  # noqa: S608
    return {
        source.columns.metric.key: (found[2 * at] or 0) > _MISFIT
        for at, (_, source) in enumerate(rates)
        if (found[2 * at] or 0) > _MISFIT or found[2 * at + 1]
    }


def _exceeds(i: int) -> str:
    """SQL: the peer rate cannot be a fraction: above 1, and far above the shop's own."""
    return f"(p{i} > 1 AND coalesce(p{i} > {_MISFIT} * NULLIF(o{i}, 0), true))"


def _scaled(sources: Sequence[_Source], percent: Mapping[str, bool]) -> str:
    """SQL: the rows with peers as fractions, and the days that count."""
    fields = []
    for i, source in enumerate(sources):
        whole = percent.get(source.columns.metric.key)
        if whole is not None:
            test = "true" if whole else _exceeds(i)
            fields.append(f"CASE WHEN {test} THEN p{i} / {_PERCENT} ELSE p{i} END AS p{i}")
    scaled = f" REPLACE ({listed(fields)})" if fields else ""
    flags = listed(
        f"t{i} IS NOT NULL AND b{i} IS NOT NULL AS has{i}, p{i} IS NOT NULL AS met{i}, "
        f"k{i} >= 1 AND coalesce(k{i} <= n, true) AS placed{i}"
        for i in range(len(sources))
    )
    return (
        f"scaled AS (SELECT *{scaled} FROM rows_), "  # noqa: S608
        f"days AS (SELECT *, coalesce(n < {MIN_GROUP}, false) AS small, {flags} FROM scaled)"
    )


def _grouped(sources: Sequence[_Source]) -> str:
    """SQL: one row a shop and window, `_HEAD` columns, then `_WIDTH` a metric."""
    fields = listed(_aggregates(i, s) for i, s in enumerate(sources))
    return (
        f"SELECT side, id, any_value(name) AS name, count(*) AS scanned, "  # noqa: S608
        f"arg_max(n, day) FILTER (n IS NOT NULL) AS peers, {fields} FROM days GROUP BY side, id ORDER BY id"
    )


def _aggregates(i: int, source: _Source) -> str:
    both = f"has{i} AND met{i} AND NOT small"
    ranked = f"has{i} AND placed{i} AND NOT small"
    own, peer = f"sum(t{i}) FILTER ({both})", f"sum(p{i}) FILTER ({both})"
    if source.form == "quotient":
        weight = f"sum(b{i}) FILTER ({both})"
        own, peer = f"{own} / NULLIF({weight}, 0)", f"sum(p{i} * b{i}) FILTER ({both}) / NULLIF({weight}, 0)"
    if source.form == "newest":
        own, peer = f"arg_max(t{i}, day) FILTER ({both})", f"arg_max(p{i}, day) FILTER ({both})"
    return listed(
        (
            f"CAST({own} AS DOUBLE)",
            f"CAST({peer} AS DOUBLE)",
            f"count(DISTINCT day) FILTER ({both})",
            f"count(DISTINCT day) FILTER (has{i} AND NOT met{i})",
            f"count(DISTINCT day) FILTER (has{i} AND met{i} AND small)",
            f"arg_max(k{i}, day) FILTER ({ranked})",
            f"max(day) FILTER ({ranked})",
            f"avg(k{i}) FILTER ({ranked})",
            f"arg_max(n, day) FILTER ({ranked} AND n IS NOT NULL)",
            f"count(*) FILTER (has{i} AND k{i} IS NOT NULL AND NOT coalesce(placed{i}, false))",
        )
    )


def _standings(
    rows: Sequence[Sequence[Any]], metrics: Sequence[PeerColumns], *, has_baseline: bool
) -> tuple[Mapping[str, tuple[Standing, ...]], tuple[tuple[str, str], ...]]:
    current = {str(r[1]): r for r in rows if r[0] == 1}
    before = {str(r[1]): r for r in rows if r[0] == 0}
    found: dict[str, tuple[Standing, ...]] = {}
    for at, columns in enumerate(metrics):
        found[columns.metric.key] = tuple(
            Standing(
                id=shop,
                name=str(row[2] or shop),
                metric=columns.metric,
                cur=_window(row, at),
                prev=_window(before[shop], at) if has_baseline and shop in before else None,
            )
            for shop, row in current.items()
        )
    closed = tuple((shop, str(row[2] or shop)) for shop, row in before.items() if shop not in current)
    return found, closed


def _window(row: Sequence[Any], at: int) -> Window:
    start = _HEAD + _WIDTH * at
    own, peer, days, lacking, small, rank, day, mean, group, bad = row[start : start + _WIDTH]
    return Window(
        own=None if own is None else tidy(own),
        peer=None if peer is None else tidy(peer),
        days=int(days),
        without_peers=int(lacking),
        small_days=int(small),
        rank=rank,
        rank_day=day,
        rank_mean=None if mean is None else tidy(mean),
        group=row[4],
        rank_group=group,
        bad_ranks=int(bad),
    )
