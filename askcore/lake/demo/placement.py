"""Where the faults are planted: the documented places for seed 0, the same kinds elsewhere for others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeVar

import numpy as np

from askcore.base.values import Period
from askcore.lake.demo.roster import Roster, names
from askcore.lake.demo.season import BASELINE, COVERED, stream
from askcore.semantic.calendar import holiday_period

DROP_FACTOR = 0.65
"""What is left of the exposure of `drop_shop` (F2)."""
GAP_SHARE = 0.032
"""Share of gross that is missing from income + expense (F6)."""
RANK_BEFORE, RANK_DURING = 8, 31
"""Exposure rank of `rank_shop` in the week before and during the holiday (F10)."""
_T = TypeVar("_T")
_HOLIDAYS = ("national_day", "mid_autumn")
_QUIET_PART = 2  # position in the Simpson numbers with 1500 -> 1300 visits
_SCALES = (3, 5, 6)  # factors at which rounding to whole people keeps the Simpson effects to 0.01 pp


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Which entity and which days carry each fault; ids are the roster's."""

    zero_shop: str
    zero_days: tuple[date, ...]
    drop_shop: str
    drop_start: date
    simpson_chain: str
    simpson_shops: tuple[str, ...]
    """Shops in the order of the Simpson numbers."""
    simpson_scale: int
    missing_shop: str
    missing_day: date
    twin_shop: str
    twin_day: date
    gap_shop: str
    gap_day: date
    null_chain: str
    sync_company: str
    sync_day: date
    """Day on which the sync ran and failed."""
    delta_shop: str
    delta_day: date
    rank_shop: str
    rank_holiday: str
    drift_shop: str
    drift_days: tuple[date, ...]
    closed_shop: str
    closed_day: date
    """First day without trade: the last row is of the day before."""
    opened_shop: str
    opened_day: date
    """First day of trade, which has the first row."""

    @property
    def rank_days(self) -> Period:
        """The statutory days of `rank_holiday` in the demo's last year."""
        found = holiday_period(self.rank_holiday, COVERED.end.year)
        assert found is not None, self.rank_holiday  # noqa: S101 - the calendar knows 2026
        return found

    @property
    def rank_before(self) -> Period:
        """The week before the holiday, where the rank is still good."""
        return Period(
            start=self.rank_days.start - timedelta(days=7),
            end=self.rank_days.start - timedelta(days=1),
        )


def placement_for(seed: int, roster: Roster) -> Placement:
    """Seed 0: the documented placement; else shuffled by the seed."""
    return _parse(names()["default"]["placement"]) if seed == 0 else _shuffle(seed, roster)


def _parse(tree: dict[str, Any]) -> Placement:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in tree.items()}
    return Placement(**values)


def _shuffle(seed: int, roster: Roster) -> Placement:
    """Random places that keep the faults apart.

    Each shop carries one fault. Faults that take rows away or pin traffic stay out of the Simpson chain,
    whose period totals must be exact. Row faults of October have a day of their own, never the last one:
    a shop whose last day is missing cannot be told from a closed one.
    """
    rng = stream(seed, "placement")
    main = roster.companies[0].id
    chains = roster.chains_of(main)
    simpson = next(c.id for c in chains if c.profile == "light")
    inside = _shuffled(rng, [s.id for s in roster.shops_of(simpson)])
    others = [s.id for s in roster.shops if s.company == main and s.chain != simpson]
    outside = _shuffled(rng, others)
    free = _shuffled(rng, outside[7:] + inside)
    zero_start = BASELINE.start + timedelta(days=int(rng.integers(1, 9)))
    zero_days = _run(zero_start, 3)
    days = _shuffled(rng, [d for d in _run(date(2026, 10, 4), 13) if d not in zero_days])
    return Placement(
        zero_shop=outside[0],
        zero_days=zero_days,
        drop_shop=free[0],
        drop_start=date(2026, 9, 14) + timedelta(days=int(rng.integers(0, 10))),
        simpson_chain=simpson,
        simpson_shops=_simpson_order(rng, inside, free[0]),
        simpson_scale=_SCALES[int(rng.integers(len(_SCALES)))],
        missing_shop=outside[1],
        missing_day=days[0],
        twin_shop=outside[2],
        twin_day=days[1],
        gap_shop=free[1],
        gap_day=days[2],
        null_chain=chains[int(rng.integers(len(chains)))].id,
        sync_company=main,
        sync_day=days[3],
        delta_shop=outside[3],
        delta_day=days[4],
        rank_shop=outside[4],
        rank_holiday=_HOLIDAYS[int(rng.integers(len(_HOLIDAYS)))],
        drift_shop=free[2],
        drift_days=_run(date(2026, 8, 24) + timedelta(days=int(rng.integers(0, 14))), 7),
        closed_shop=outside[5],
        closed_day=date(2026, 9, 10) + timedelta(days=int(rng.integers(0, 20))),
        opened_shop=outside[6],
        opened_day=date(2026, 9, 20) + timedelta(days=int(rng.integers(0, 14))),
    )


def _simpson_order(rng: np.random.Generator, shops: list[str], drop_shop: str) -> tuple[str, ...]:
    """Random, but a shop whose exposure fell takes a part whose visits hardly move: both stay visible."""
    order = _shuffled(rng, shops)
    if drop_shop in order:
        order.remove(drop_shop)
        order.insert(_QUIET_PART, drop_shop)
    return tuple(order)


def _shuffled(rng: np.random.Generator, items: list[_T]) -> list[_T]:
    return [items[int(i)] for i in rng.permutation(len(items))]


def _run(start: date, count: int) -> tuple[date, ...]:
    return tuple(start + timedelta(days=n) for n in range(count))
