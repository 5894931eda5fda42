"""What each part of a whole contributed to its change: exact, no residual, no "other".

Every split satisfies Σ contributions = after - before; a part that a formula cannot treat (a factor that is
0, a shop that opened) is a part of its own, never left over. Source: DOMAIN §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["both", "opened", "closed", "zero"]
"""both: there in both periods. opened, closed: absent before, after. zero: there, but 0 in a period."""

MIN_CHANGE = 0.005  # below half a percent of the baseline, shares of the change explode
_DUST = 1e-9  # relative; a smaller difference is the rounding of sums of floats
_SLIGHT = 0.005  # of the ratio before: below, a change or an effect says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One segment's value in both periods, in the metric's unit; None: it had no rows."""

    key: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SumPart:
    """What one segment of a sum contributed."""

    key: str
    before: float
    after: float
    contribution: float
    """after - before, in the metric's unit."""
    share: float | None
    """Part of the whole change, 1 = all of it; None where the whole changed by 0.5 % or less."""
    surprise: float | None
    """contribution - what it would be had every segment changed by the same %; None when the base is 0."""
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SumSplit:
    """A sum taken apart by segment."""

    before: float
    after: float
    change: float
    parts: tuple[SumPart, ...]


def split_sum(segments: Sequence[Pair]) -> SumSplit:
    """Contributions of segments whose values add up to the whole."""
    before = math.fsum(s.before or 0.0 for s in segments)
    after = math.fsum(s.after or 0.0 for s in segments)
    change = after - before
    parts = tuple(_sum_part(s, before, change) for s in segments)
    return SumSplit(before=before, after=after, change=change, parts=parts)


def share_of(part: float, change: float, before: float) -> float | None:
    """Part / change; None where the change is at most 0.5 % of the baseline, or nothing."""
    return part / change if change and abs(change) > MIN_CHANGE * abs(before) else None


def _sum_part(segment: Pair, whole_before: float, change: float) -> SumPart:
    before, after = segment.before or 0.0, segment.after or 0.0
    own = after - before
    return SumPart(
        key=segment.key,
        before=before,
        after=after,
        contribution=own,
        share=share_of(own, change, whole_before),
        surprise=own - before * (change / whole_before) if whole_before else None,
        kind=kind_of(segment.before, segment.after),
    )


def kind_of(before: float | None, after: float | None) -> Kind:
    """Which of the two periods a segment was there in. None: no rows."""
    if before is None and after is not None:
        return "opened"
    if after is None and before is not None:
        return "closed"
    return "both" if before and after else "zero"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioPair:
    """One segment's numerator and denominator in both periods; (top, bottom), 0 where it had no rows.

    A weighted mean is a ratio too: top = Σ w·x, bottom = Σ w.
    """

    key: str
    before: tuple[float, float]
    after: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioPart:
    """What one segment of a ratio contributed, in the ratio's unit (rates 0-1)."""

    key: str
    before: float | None
    """Own ratio; None without a denominator."""
    after: float | None
    weights: tuple[float, float]
    """Part of the whole denominator before and after."""
    rate_effect: float
    """Its own ratio changed, at its mean weight."""
    mix_effect: float
    """Its weight changed, at the distance of its mean ratio from the whole's."""
    kind: Kind

    @property
    def contribution(self) -> float:
        """rate_effect + mix_effect."""
        return self.rate_effect + self.mix_effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Simpson:
    """Whether the whole moves against its parts."""

    sign_conflict: bool
    """The sum of the rate effects has the other sign than the whole change."""
    all_against: bool
    """Every segment's own ratio moved against the whole; at least two are there in both periods."""

    @property
    def holds(self) -> bool:
        """Either of the two."""
        return self.sign_conflict or self.all_against


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioSplit:
    """A ratio Σtop / Σbottom taken apart by segment."""

    before: float
    after: float
    change: float
    rate_effect: float
    mix_effect: float
    parts: tuple[RatioPart, ...]
    simpson: Simpson

    @property
    def is_reversed(self) -> bool:
        """Simpson's paradox, where change or own changes are more than dust beside the ratio itself."""
        moved = max(abs(self.change), abs(self.rate_effect))
        return self.simpson.holds and moved >= _SLIGHT * abs(self.before)


def split_ratio(segments: Sequence[RatioPair]) -> RatioSplit | None:
    """Rate and mix of every segment, midpoint weights (Kitagawa, Das Gupta).

    rate_i = ½(w0+w1)(r1-r0), mix_i = (w1-w0)(½(r0+r1) - ½(R0+R1)). A segment without a denominator in a
    period has no ratio of its own there: all of its effect is mix. Returns None when the whole has no
    denominator in a period, so that there is no change of a ratio.
    """
    bottoms = [math.fsum(getattr(s, side)[1] for s in segments) for side in ("before", "after")]
    if not all(bottoms):
        return None
    tops = [math.fsum(getattr(s, side)[0] for s in segments) for side in ("before", "after")]
    before, after = (top / bottom for top, bottom in zip(tops, bottoms, strict=True))
    parts = tuple(_ratio_part(s, (bottoms[0], bottoms[1]), (before + after) / 2) for s in segments)
    rate = math.fsum(p.rate_effect for p in parts)
    return RatioSplit(
        before=before,
        after=after,
        change=after - before,
        rate_effect=rate,
        mix_effect=math.fsum(p.mix_effect for p in parts),
        parts=parts,
        simpson=_simpson(before, after, rate, parts),
    )


def _ratio_part(segment: RatioPair, bottoms: tuple[float, float], middle: float) -> RatioPart:
    (top0, bottom0), (top1, bottom1) = segment.before, segment.after
    w0, w1 = bottom0 / bottoms[0], bottom1 / bottoms[1]
    r0, r1 = (top0 / bottom0 if bottom0 else None), (top1 / bottom1 if bottom1 else None)
    if r0 is not None and r1 is not None:
        rate, mix = (w0 + w1) / 2 * (r1 - r0), (w1 - w0) * ((r0 + r1) / 2 - middle)
    else:
        rate, mix = 0.0, top1 / bottoms[1] - top0 / bottoms[0] - (w1 - w0) * middle
    present = [bool(t or b) for t, b in (segment.before, segment.after)]
    return RatioPart(
        key=segment.key,
        before=r0,
        after=r1,
        weights=(w0, w1),
        rate_effect=rate,
        mix_effect=mix,
        kind=kind_of(*(float(b) if p else None for p, b in zip(present, (bottom0, bottom1), strict=True))),
    )


def _simpson(before: float, after: float, rate: float, parts: Sequence[RatioPart]) -> Simpson:
    change, dust = after - before, _DUST * max(abs(before), abs(after))
    if abs(change) <= dust:
        return Simpson(sign_conflict=False, all_against=False)
    moves = [p.after - p.before for p in parts if p.before is not None and p.after is not None]
    return Simpson(
        sign_conflict=abs(rate) > dust and (rate > 0) != (change > 0),
        all_against=len(moves) > 1 and all(m and (m > 0) != (change > 0) for m in moves),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSplit:
    """A product of factors taken apart."""

    before: float
    after: float
    effects: tuple[float, ...]
    """One a factor, in their order, in the product's unit; all 0 when `bucket` holds the change."""
    bucket: float
    """The change that no factor can carry because one is 0 or absent in a period."""
    kind: Kind
    """both: the factors carry it. Else why they cannot: opened, closed, zero."""

    @property
    def change(self) -> float:
        """After - before."""
        return self.after - self.before


def log_mean(a: float, b: float) -> float:
    """L(a, b) = (a - b) / ln(a / b), L(a, a) = a; both of one sign and not 0."""
    spread = math.log(a / b)
    if abs(spread) < 1e-5:  # the quotient of two tiny differences has few digits left; its series has all
        return math.sqrt(a / b) * b * (1 + spread * spread / 24)
    return (a - b) / spread


def split_chain(
    before: Sequence[float | None], after: Sequence[float | None], product: tuple[float, float]
) -> ChainSplit:
    """LMDI-I: effect_k = L(y1, y0) · ln(f1_k / f0_k), exact and symmetric.

    before, after: the factors, None where absent; product: (y0, y1), each the product of its factors. Where
    a factor is 0, absent or of another sign in a period, the whole change is the `bucket`.
    """
    y0, y1 = product
    pairs = list(zip(before, after, strict=True))
    if y0 * y1 > 0 and all(a and b and a * b > 0 for a, b in pairs):
        mean = log_mean(y1, y0)
        effects = tuple(mean * math.log((b or 1.0) / (a or 1.0)) for a, b in pairs)
        return ChainSplit(before=y0, after=y1, effects=effects, bucket=0.0, kind="both")
    kind: Kind = "zero"
    if not y0 and y1:
        kind = "opened"
    elif y0 and not y1:
        kind = "closed"
    return ChainSplit(before=y0, after=y1, effects=(0.0,) * len(pairs), bucket=y1 - y0, kind=kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSum:
    """Chains of several segments added up; consistent: the effects of a union are the sums of its parts'."""

    effects: tuple[float, ...]
    bucket: float

    @property
    def change(self) -> float:
        """Change of all segments together."""
        return math.fsum((*self.effects, self.bucket))


def add_chains(chains: Sequence[ChainSplit], n_factors: int) -> ChainSum:
    """Σ over segments of every factor's effect, and of the buckets."""
    effects = tuple(math.fsum(c.effects[k] for c in chains) for k in range(n_factors))
    return ChainSum(effects=effects, bucket=math.fsum(c.bucket for c in chains))


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketSplit:
    """A change as what the peers' change explains and what is the entity's own; metric's unit."""

    before: float
    after: float
    market: float
    own: float


def split_market(before: float, after: float, peers: tuple[float, float]) -> MarketSplit:
    """Market = y0 · (peer1 / peer0 - 1), own = Δ - market. peers: (peer0, peer1), peer0 not 0."""
    market = before * (peers[1] / peers[0] - 1)
    return MarketSplit(before=before, after=after, market=market, own=after - before - market)
