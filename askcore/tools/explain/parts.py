"""Every contribution as one row, whatever split it comes from: what table, cells and facts are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.model import Metric
from askcore.stats.contributions import RatioPart, RatioSplit, SumPart, share_of
from askcore.tools.compare.change import tidy
from askcore.tools.explain.explanation import Explanation
from askcore.tools.explain.segments import LevelSplit

DRIVER, MARKET = "driver", "market"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One contribution to the change of the metric, in its unit (rates 0-1)."""

    part: str
    """Level or dimension key, "driver" or "market"."""
    id: str
    name: str
    kind: str
    before: float | None
    """Own value in the baseline: a segment's metric, a driver's own, the peers' mean."""
    after: float | None
    contribution: float
    share: float | None = None
    surprise: float | None = None
    rate_effect: float | None = None
    mix_effect: float | None = None
    driver: Metric | None = None

    def as_row(self) -> dict[str, Any]:
        """A row of the table."""
        return {
            "part": self.part,
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "baseline": self.before,
            "current": self.after,
            "contribution": self.contribution,
            "share": self.share,
            "surprise": self.surprise,
            "rate_effect": self.rate_effect,
            "mix_effect": self.mix_effect,
        }


def parts_of(found: Explanation, lang: Lang) -> tuple[Part, ...]:
    """Segments level by level, the largest first, then drivers in their order, then market and own."""
    segments = [p for level in found.levels for p in level_parts(level)]
    return (*segments, *driver_parts(found, lang), *market_parts(found, lang))


def level_parts(level: LevelSplit) -> tuple[Part, ...]:
    """The segments of one split, the largest contribution first."""
    if isinstance(level.split, RatioSplit):
        change, before = level.split.change, level.split.before
        found = [_ratio_part(level, p, share_of(p.contribution, change, before)) for p in level.split.parts]
    else:
        found = [_sum_part(level, p) for p in level.split.parts]
    return tuple(sorted(found, key=lambda p: (-abs(p.contribution), p.id)))


def _sum_part(level: LevelSplit, part: SumPart) -> Part:
    segment = level.segments[part.key]
    return Part(
        part=level.key,
        id=segment.id,
        name=segment.name,
        kind=level.kind(part.key, part.kind),
        before=tidy(part.before),
        after=tidy(part.after),
        contribution=_part(part.contribution, part.before, part.after),
        share=_tidy(part.share),
        surprise=_tidy(part.surprise),
    )


def _ratio_part(level: LevelSplit, part: RatioPart, share: float | None) -> Part:
    segment = level.segments[part.key]
    return Part(
        part=level.key,
        id=segment.id,
        name=segment.name,
        kind=level.kind(part.key, part.kind),
        before=_tidy(part.before),
        after=_tidy(part.after),
        contribution=tidy(part.contribution),
        share=_tidy(share),
        rate_effect=tidy(part.rate_effect),
        mix_effect=tidy(part.mix_effect),
    )


def driver_parts(found: Explanation, lang: Lang) -> tuple[Part, ...]:
    """The factors, then the change that none of them can carry, by its reason."""
    split = found.drivers
    if split is None:
        return ()
    rows = list(_factors(found))
    if split.chain.bucket:
        name = say(lang, f"explain.bucket_{split.chain.kind}")
        rows.append(_left(found, f"bucket:{split.chain.kind}", name, split.chain.kind, split.chain.bucket))
    if split.incomplete:
        name = say(lang, "explain.bucket_incomplete")
        rows.append(_left(found, "bucket:incomplete", name, "incomplete", split.incomplete))
    return tuple(rows)


def _factors(found: Explanation) -> Iterator[Part]:
    split = found.drivers
    assert split is not None  # noqa: S101 - the caller checked
    for index, metric in enumerate(split.factors):
        effect = split.chain.effects[index]
        yield Part(
            part=DRIVER,
            id=metric.key,
            name="",
            kind=split.chain.kind,
            before=_tidy(split.before[index]),
            after=_tidy(split.after[index]),
            contribution=tidy(effect),
            share=_share(found, effect),
            driver=metric,
        )


def _left(found: Explanation, id_: str, name: str, kind: str, value: float) -> Part:
    return Part(
        part=DRIVER,
        id=id_,
        name=name,
        kind=kind,
        before=None,
        after=None,
        contribution=tidy(value),
        share=_share(found, value),
    )


def market_parts(found: Explanation, lang: Lang) -> tuple[Part, ...]:
    """What the peers' change explains, and what is left to the entity itself."""
    if found.market is None or found.market.split is None:
        return ()
    split, peers = found.market.split, found.market.peers
    one = peers[0].average if len(peers) == 1 else (None, None)
    return (
        Part(
            part=MARKET,
            id="market",
            name=say(lang, "explain.market"),
            kind="both",
            before=_tidy(one[0]),
            after=_tidy(one[1]),
            contribution=tidy(split.market),
            share=_share(found, split.market),
        ),
        Part(
            part=MARKET,
            id="own",
            name=say(lang, "explain.own"),
            kind="both",
            before=tidy(split.before),
            after=tidy(split.after),
            contribution=tidy(split.own),
            share=_share(found, split.own),
        ),
    )


def _share(found: Explanation, value: float) -> float | None:
    total = found.total
    if total.cur is None or total.prev is None:
        return None
    return _tidy(share_of(value, total.cur - total.prev, total.prev))


def _part(value: float, before: float, after: float) -> float:
    """A difference without the digits that neither side has."""
    size = max(abs(before), abs(after))
    return 0.0 if abs(value) <= size * 1e-12 else tidy(value)


def _tidy(value: float | None) -> float | None:
    return None if value is None else tidy(value)
