"""Rows of the benchmark: which shops are kept, in what order, with which columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Column, Lang, Table
from askcore.semantic.model import Level, Metric
from askcore.tools.compare.change import number
from askcore.tools.peers.standing import Standing

PEER, GAP, RANK, PEERS, PERCENTILE = "__peer", "__gap", "__rank", "__peers", "__percentile"
RANK_MEAN, RANK_PREV, RANK_CHANGE, PEER_CHANGE = (
    "__rank_mean",
    "__rank_mean_prev",
    "__rank_change",
    "__peer_change",
)
PeerFilter = Literal["below_peer", "above_peer"]
Figure = Callable[[Standing], float | None]

# Ascending order of "rank_change" begins with the shop that gained most places, so it is negated.
_SORTS: Mapping[str, Figure] = {
    "gap": lambda s: s.gap,
    "rank": lambda s: s.cur.rank_mean if s.cur.rank is None else s.cur.rank,
    "rank_change": lambda s: None if s.rank_change is None else -s.rank_change,
    "peer_change": lambda s: s.peer_change,
    "peer": lambda s: s.cur.peer,
    "peers": lambda s: s.cur.group,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShopRow:
    """One shop with its standing in every metric."""

    id: str
    name: str
    by_metric: Mapping[str, Standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How rows are sorted; `figure` of the standing in `metric`, missing ones last."""

    text: str | None
    metric: str
    figure: Figure
    descending: bool


def shop_rows(standings: Mapping[str, Sequence[Standing]]) -> tuple[ShopRow, ...]:
    """Standings joined by shop."""
    found: dict[str, dict[str, Standing]] = {}
    names: dict[str, str] = {}
    for key, shops in standings.items():
        for one in shops:
            found.setdefault(one.id, {})[key] = one
            names[one.id] = one.name
    return tuple(ShopRow(id=i, name=names[i], by_metric=by) for i, by in found.items())


def kept_rows(rows: Sequence[ShopRow], wanted: PeerFilter | None) -> tuple[ShopRow, ...]:
    """Rows below (above) the peer mean in at least one metric."""
    if wanted is None:
        return tuple(rows)
    below = wanted == "below_peer"
    return tuple(r for r in rows if any(s.is_below is below for s in r.by_metric.values()))


def resolve_order(text: str | None, metrics: Sequence[Metric], lang: Lang) -> Order:
    """The order that `sort` names; None: the furthest behind in the first metric first.

    Raises: BadRequest with the near name.
    """
    first = metrics[0]
    if not text:
        return Order(text=None, metric=first.key, figure=_SORTS["gap"], descending=first.polarity == "down")
    name = text.lstrip("+-")
    metric, _, kind = name.rpartition("__") if "__" in name else ("", "", name)
    keys = {m.key for m in metrics}
    if kind in keys and not metric:
        metric, figure = kind, _own
    else:
        figure = _SORTS.get(kind)  # type: ignore[assignment]
        metric = metric or first.key
    if figure is None or metric not in keys:
        known = (*_SORTS, *keys)
        raise BadRequest(
            say(lang, "compare.cannot_sort", name=name),
            hint=did_you_mean(name, known) or ", ".join(known),
            error_class="unknown_name",
        )
    return Order(text=text, metric=metric, figure=figure, descending=text.startswith("-"))


def _own(standing: Standing) -> float | None:
    return standing.cur.own


def ordered(rows: Sequence[ShopRow], order: Order) -> tuple[ShopRow, ...]:
    """Rows in the order asked for; those without the figure last, equal ones by id."""

    def place(row: ShopRow) -> tuple[bool, float, str]:
        value = order.figure(row.by_metric[order.metric])
        if value is None:
            return True, 0.0, row.id
        return False, -value if order.descending else value, row.id

    return tuple(sorted(rows, key=place))


def peer_table(
    rows: Sequence[ShopRow],
    metrics: Sequence[Metric],
    level: Level | None,
    *,
    has_baseline: bool,
    row_count: int,
    lang: Lang,
) -> Table:
    """One row a shop; no totals, for every shop has peers of its own."""
    columns: list[Column] = []
    if level is not None:
        label = level.label[lang]
        if level.name != level.id:
            columns.append(Column(key=level.id, label=f"{label} ID", of=level.key))
        columns.append(Column(key=level.name, label=label, of=level.key))
    for metric in metrics:
        columns.extend(_columns(metric, has_baseline=has_baseline, lang=lang))
    known = {c.key for c in columns}
    body = tuple({k: v for k, v in _row(r, level).items() if k in known} for r in rows)
    return Table(columns=tuple(columns), rows=body, row_count=row_count)


def _columns(metric: Metric, *, has_baseline: bool, lang: Lang) -> Iterator[Column]:
    label = metric.label[lang]
    change = "pp" if metric.is_rate else "ratio"
    yield Column(key=metric.key, label=label, unit=metric.unit)
    parts = [
        (PEER, metric.unit),
        (GAP, change),
        (RANK, "rank"),
        (PEERS, "shop"),
        (PERCENTILE, "ratio"),
        (RANK_MEAN, "rank"),
    ]
    if has_baseline:
        parts += [(RANK_PREV, "rank"), (RANK_CHANGE, "rank"), (PEER_CHANGE, change)]
    for suffix, unit in parts:
        text = say(lang, f"peers.col{suffix[1:]}", label=label)
        yield Column(key=metric.key + suffix, label=text, unit=unit)


def _row(row: ShopRow, level: Level | None) -> dict[str, Any]:
    found: dict[str, Any] = {} if level is None else {level.id: row.id, level.name: row.name}
    for key, one in row.by_metric.items():
        found[key] = number(one.cur.own)
        found[key + PEER] = number(one.cur.peer)
        found[key + GAP] = one.gap
        found[key + RANK] = whole(one.cur.rank)
        found[key + PEERS] = whole(one.cur.rank_group)
        found[key + PERCENTILE] = one.percentile
        found[key + RANK_MEAN] = one.cur.rank_mean
        found[key + RANK_PREV] = None if one.prev is None else one.prev.rank_mean
        found[key + RANK_CHANGE] = one.rank_change
        found[key + PEER_CHANGE] = one.peer_change
    return found


def whole(value: float | None) -> float | int | None:
    """Ranks and counts of shops as whole numbers where they are."""
    return value if value is None or not float(value).is_integer() else int(value)
