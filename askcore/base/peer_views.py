"""What the facade tells about peers: standings, ranks over weeks, own against market; safe to cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from askcore.base.values import Note, Period

PeerState = Literal["ok", "small_group", "no_peers"]
PeerSide = Literal["behind", "ahead", "level", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerMetric:
    """One metric that the source gives peers for."""

    key: str
    label: str
    unit: str
    gap_unit: str
    """"pp" for rates, else "pct": a fraction of the peer mean."""
    polarity: str
    n_checked: int
    n_behind: int
    n_ahead: int
    n_small: int
    """Entities hidden because their group is too small."""
    n_lacking: int
    """Entities without peers in the window."""
    n_peers_fell: int
    """Entities whose peers' own mean fell markedly against the baseline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerLine:
    """One entity in one metric against its peers, over the same days."""

    id: str
    name: str
    metric: str
    state: PeerState
    side: PeerSide
    """By the metric's polarity; "" when there is nothing to compare."""
    own: float | None = None
    peer: float | None = None
    gap: float | None = None
    rank: float | None = None
    """On the newest day with a rank; 1 is best."""
    peers: float | None = None
    percentile: float | None = None
    """Share of the other peers that rank behind, 0-1; None without a rank."""
    rank_change: float | None = None
    """Places gained between the mean ranks of the windows."""
    peer_change: float | None = None
    """How the peers' mean moved: pp for rates, else a fraction."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeerReport:
    """Everybody against their peers; without lines when there is a reason."""

    dataset: str
    version: int
    reason: str = ""
    """Why there is nothing to compare, in the reader's language."""
    hint: str = ""
    level: str = ""
    """Label of the entities' level."""
    period: Period | None = None
    baseline: Period | None = None
    metrics: tuple[PeerMetric, ...] = ()
    lines: tuple[PeerLine, ...] = ()
    """By entity, the furthest behind in the first metric first; within that by metric."""
    findings: tuple[str, ...] = ()
    """Ranks that fell, each with what the peers did meanwhile."""
    notes: tuple[Note, ...] = ()
    sql: tuple[str, ...] = ()

    @property
    def entities(self) -> dict[str, str]:
        """Id -> name, in the order of the lines."""
        return {line.id: line.name for line in self.lines}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerPoint:
    """One week of one entity."""

    period: Period
    rank: float | None
    """Mean of the daily ranks; None when the week has none."""
    peers: float | None
    gap: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSeries:
    """An entity's weeks, oldest first."""

    id: str
    name: str
    points: tuple[PeerPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeerTrend:
    """Ranks over weeks of seven days, the newest one ending on the last settled day."""

    dataset: str
    version: int
    metric: str
    series: tuple[PeerSeries, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSplit:
    """A change as what the peers' change explains and what is the entity's own; both add up to it."""

    id: str
    metric: str
    before: float | None = None
    after: float | None = None
    change: float | None = None
    market: float | None = None
    own: float | None = None
    reason: str = ""
    """Code of the reason why there is no split (no_column, no_rows, peers_moved, many), or a sentence."""
