"""The two periods of a comparison: settled, like for like in length, and where they were cut."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from askcore.base.errors import BadRequest
from askcore.base.values import Period
from askcore.semantic.model import TimeGrain
from askcore.semantic.periods import CompareMode, baseline_of
from askcore.tools.compare.steps import next_step, regular_dates

_YEAR_APART_DAYS = 300  # a baseline this much earlier is a comparison with the year before


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """What is compared with what."""

    asked_current: Period
    asked_baseline: Period
    current: Period | None
    """The part of the asked current period that has settled data; None when there is none."""
    baseline: Period | None
    """Likewise; with a mode it is cut to the same number of steps as `current`."""

    @property
    def is_year_apart(self) -> bool:
        """Whether the baseline is the year before (same date, same week or same holiday)."""
        return self.shift_days >= _YEAR_APART_DAYS

    @property
    def shift_days(self) -> int:
        """Days from the start of the baseline to the start of the current period."""
        return (self.asked_current.start - self.asked_baseline.start).days

    @property
    def is_cut(self) -> bool:
        """Whether the data lacks a part of the asked current period or of the asked baseline."""
        return (self.current, self.baseline) != (self.asked_current, self.asked_baseline)


def resolve_windows(
    current: Period,
    *,
    baseline: Period | None,
    mode: CompareMode | None,
    held: Period | None,
    last_settled: date,
    grain: TimeGrain = "day",
) -> Windows:
    """Both periods cut to settled data.

    held: first to last date of the data. Raises: BadRequest when baseline and mode are both given.
    """
    if baseline is not None and mode is not None:
        raise BadRequest("give either baseline or mode, not both")
    asked = baseline or baseline_of(current, mode or "previous")
    if held is None or held.start > last_settled:
        return Windows(asked_current=current, asked_baseline=asked, current=None, baseline=None)
    usable = Period(start=held.start, end=min(held.end, last_settled))
    kept, base = _inside(current, usable, grain), _inside(asked, usable, grain)
    is_short = kept is not None and kept.end < current.end
    if baseline is None and kept is not None and base is not None and is_short:
        base = _as_long(base, kept, grain, held.start)
    return Windows(asked_current=current, asked_baseline=asked, current=kept, baseline=base)


def _as_long(base: Period, kept: Period, grain: TimeGrain, anchor: date) -> Period:
    """The baseline cut to as many steps as the current period has left."""
    length = len(regular_dates(kept, grain, anchor) or range(kept.days))
    dates = regular_dates(base, grain, anchor)
    if dates is None:
        return Period(start=base.start, end=min(base.end, base.start + (kept.end - kept.start)))
    if len(dates) <= length or not length:
        return base
    return Period(start=base.start, end=dates[length - 1])


def _inside(asked: Period, usable: Period, grain: TimeGrain) -> Period | None:
    """The settled part; the whole where the data lacks none of its steps (a month of weekly data)."""
    if asked.end < usable.start or asked.start > usable.end:
        return None
    is_whole = next_step(usable.end, grain) > asked.end
    end = asked.end if is_whole else min(asked.end, usable.end)
    return Period(start=max(asked.start, usable.start), end=end)
