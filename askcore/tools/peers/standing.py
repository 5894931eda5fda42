"""Where one shop stands among its peers in one metric, in the window and in the one before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from askcore.semantic.model import Metric
from askcore.tools.compare.change import difference, tidy

MIN_GROUP = 5  # a mean of fewer shops tells what a single one of them sold
MAX_REGROUPED = 0.10  # a group that grew or shrank by more is another group: ranks do not compare
FALLEN_SHARE = 0.20  # a week's mean rank wanders by a tenth of the group from noise and weekdays alone
MOVED = 0.01  # a mean of peers within 1 % (1 pp) counts as unchanged
_SAME = 1e-9

Side = Literal["behind", "ahead", "level"]
State = Literal["ok", "no_peers", "small_group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One shop, one metric, one window."""

    own: float | None = None
    peer: float | None = None
    """Both over the same days: those with an own value and peers."""
    days: int = 0
    without_peers: int = 0
    small_days: int = 0
    """Days whose group has fewer than `MIN_GROUP` shops."""
    rank: float | None = None
    """On `rank_day`, the newest day with a rank."""
    rank_day: date | None = None
    rank_mean: float | None = None
    group: float | None = None
    """Number of peers on the newest day of the window that tells it."""
    rank_group: float | None = None
    """Number of peers on `rank_day`."""
    bad_ranks: int = 0
    """Ranks below 1 or beyond the group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A shop against its peers."""

    id: str
    name: str
    metric: Metric
    cur: Window
    prev: Window | None = None

    @property
    def state(self) -> State:
        """Why there is nothing to compare, or ok."""
        if self.cur.days:
            return "ok"
        return "small_group" if self.cur.small_days else "no_peers"

    @property
    def gap(self) -> float | None:
        """Own above the peers: a difference (pp) for rates, else a fraction of the peer mean."""
        return relative(self.metric, self.cur.own, self.cur.peer)

    @property
    def is_below(self) -> bool | None:
        """Whether the own value is the smaller one; None when equal or unknown."""
        own, peer = self.cur.own, self.cur.peer
        if own is None or peer is None or abs(own - peer) <= _SAME * max(abs(own), abs(peer)):
            return None
        return own < peer

    @property
    def side(self) -> Side | None:
        """Behind or ahead by the metric's polarity (more is ahead where it has none); None: unknown."""
        if self.cur.own is None or self.cur.peer is None:
            return None
        below = self.is_below
        if below is None:
            return "level"
        return "behind" if below == (self.metric.polarity != "down") else "ahead"

    @property
    def percentile(self) -> float | None:
        """Share of the other peers that rank behind on the newest day with a rank, 0-1."""
        rank, group = self.cur.rank, self.cur.rank_group
        if rank is None or group is None or group < 2 or not 1 <= rank <= group:
            return None
        return tidy((group - rank) / (group - 1))

    @property
    def rank_change(self) -> float | None:
        """Places gained between the mean ranks of the windows; 31 -> 8 is +23."""
        if self.prev is None or self.prev.rank_mean is None or self.cur.rank_mean is None:
            return None
        return tidy(self.prev.rank_mean - self.cur.rank_mean)

    @property
    def peer_change(self) -> float | None:
        """How the peers' own mean moved: pp for rates, else a fraction; per day, so lengths may differ."""
        return None if self.prev is None else _moved(self.metric, self.cur, self.prev, "peer")

    @property
    def own_change(self) -> float | None:
        """Likewise of the shop."""
        return None if self.prev is None else _moved(self.metric, self.cur, self.prev, "own")

    @property
    def regrouped(self) -> float | None:
        """By which fraction the number of peers changed; None when it is not told on both sides."""
        before = None if self.prev is None else self.prev.group
        if not before or self.cur.group is None:
            return None
        return tidy(self.cur.group / before - 1)

    @property
    def is_regrouped(self) -> bool:
        """Whether the peers are too different a group to compare ranks."""
        return abs(self.regrouped or 0.0) > MAX_REGROUPED

    @property
    def has_fallen(self) -> bool | None:
        """Whether the rank fell by more than `FALLEN_SHARE` of the group; None: cannot be told."""
        size = self.cur.rank_group or self.cur.group
        if self.rank_change is None or not size or self.is_regrouped:
            return None
        return -self.rank_change > FALLEN_SHARE * size


def relative(metric: Metric, own: float | None, other: float | None) -> float | None:
    """Difference for rates, fraction of `other` for everything else; None without a base."""
    if own is None or other is None:
        return None
    if metric.is_rate:
        return difference(own, other)
    return tidy(difference(own, other) / abs(other)) if other else None


def _moved(metric: Metric, cur: Window, prev: Window, which: Literal["own", "peer"]) -> float | None:
    values = []
    for side in (cur, prev):
        value = side.own if which == "own" else side.peer
        if value is None or not side.days:
            return None
        is_sum = metric.additivity.kind in ("sum", "derived_sum")
        values.append(value / side.days if is_sum else value)
    return relative(metric, values[0], values[1])
