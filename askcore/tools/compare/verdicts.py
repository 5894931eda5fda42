"""Verdicts of a comparison that need no further query: lengths and calendar, coverage, freshness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from askcore.base.text import say
from askcore.base.values import Lang, Period, Verdict, VerdictStatus
from askcore.semantic.calendar import days_of, holidays_in, is_covered
from askcore.tools.compare.steps import Steps

_STATUS: Mapping[bool, VerdictStatus] = {True: "pass", False: "warn"}
_MAX_KEYS = 50
_POOR_COVERAGE = 0.8  # below, the periods are not comparable at all
_WEEKDAY_TOLERANCE = 0.05  # months of 30 days hold four or five of each weekday: 0.033 apart
_WARN_LAG = 2  # days behind today: 1 is the normal T-1


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarFit:
    """How the calendars of two periods differ."""

    holidays: tuple[tuple[str, ...], tuple[str, ...]]
    """Statutory holidays of the baseline and of the current period."""
    weekdays_match: bool
    is_known: bool
    """False where the official calendar has no data for a year."""

    @property
    def one_sided(self) -> tuple[str, ...]:
        """Holidays that have days in one period only."""
        base, current = self.holidays
        return tuple(h for h in dict.fromkeys((*base, *current)) if (h in base) != (h in current))


def calendar_fit(baseline: Period, current: Period) -> CalendarFit:
    """Weekdays and statutory holidays of both periods."""
    shares = [_weekday_shares(p) for p in (baseline, current)]
    return CalendarFit(
        holidays=(holidays_in(baseline), holidays_in(current)),
        weekdays_match=all(
            abs(shares[0].get(day, 0.0) - shares[1].get(day, 0.0)) <= _WEEKDAY_TOLERANCE for day in range(7)
        ),
        is_known=is_covered(baseline) and is_covered(current),
    )


def _weekday_shares(period: Period) -> dict[int, float]:
    counts = Counter(d.weekday() for d in days_of(period))
    return {day: n / period.days for day, n in counts.items()}


def period_verdict(
    steps: tuple[Steps, Steps], fit: CalendarFit | None, *, step: str, is_cut: bool, lang: Lang
) -> Verdict:
    """Whether the periods are alike: length, weekdays, holidays, settled to the end.

    fit: None where days are not compared (weekly data). step: "day", "week" …
    """
    base, current = (s.count for s in steps)
    reasons: list[str] = []
    if base != current:
        reasons.append(say(lang, "compare.period_lengths"))
    if is_cut:
        reasons.append(say(lang, "compare.period_cut"))
    if fit is not None and base == current and not fit.weekdays_match:
        reasons.append(say(lang, "compare.period_weekdays"))
    if fit is not None:
        reasons.extend(holiday_words(fit, lang))
    unit = say(lang, f"compare.unit_{step}")
    return Verdict(
        id="",
        kind="period",
        check="period_match",
        status=_STATUS[not reasons],
        severity="minor" if reasons else "info",
        target=say(lang, "compare.target_periods"),
        expect=say(lang, "compare.period_expect"),
        actual=say(lang, "compare.period_actual", current=current, baseline=base, unit=unit),
        n_checked=base + current,
        note=("" if lang == "zh" else " ").join(reasons)
        or say(lang, f"compare.period_pass_{'steps' if fit is None else 'days'}"),
    )


def holiday_words(fit: CalendarFit, lang: Lang) -> list[str]:
    """A sentence for the holidays that only one period holds, and for a calendar that ends too early."""
    found = []
    for side, holidays in zip(("base", "current"), fit.holidays, strict=True):
        names = [say(lang, f"compare.holiday_{h}") for h in fit.one_sided if h in holidays]
        if names:
            holiday = say(lang, "compare.list_joint").join(names)
            found.append(say(lang, f"compare.period_holiday_{side}", holiday=holiday))
    if not fit.is_known:
        found.append(say(lang, "compare.calendar_unknown"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An expected row that is not there (or holds zeros that its parent contradicts)."""

    day: date
    id: str = ""
    name: str = ""
    is_zero: bool = False


def coverage_verdict(
    missing: Sequence[Missing],
    expected: tuple[int, int],
    *,
    baseline: Period,
    keys: Sequence[Mapping[str, str]],
    lang: Lang,
) -> Verdict:
    """Expected and present entity-days of both periods.

    expected: of the baseline and of the current period. keys: of the missing rows.
    """
    in_base = sum(baseline.contains(m.day) for m in missing)
    lacking = (in_base, len(missing) - in_base)
    poor = any(e and (e - n) / e < _POOR_COVERAGE for e, n in zip(expected, lacking, strict=True))
    total = sum(expected)
    status: VerdictStatus = "skip" if not total else "fail" if poor else _STATUS[not missing]
    present = total - len(missing)
    return Verdict(
        id="",
        kind="coverage",
        check="coverage",
        status=status,
        severity="major" if poor else "minor" if missing else "info",
        target=say(lang, "compare.target_coverage"),
        expect=say(lang, "compare.coverage_rows", n=total),
        actual=say(lang, "compare.coverage_rows", n=present),
        n_checked=total,
        n_bad=len(missing),
        keys=tuple(keys[:_MAX_KEYS]),
        tolerance=say(lang, "compare.coverage_tolerance"),
        note=missing_note(missing, lang) or say(lang, "compare.coverage_pass"),
        remedy=say(lang, "compare.coverage_remedy") if missing else "",
    )


def missing_note(missing: Sequence[Missing], lang: Lang, *, most: int = 5) -> str:
    """Days missing or zero of the first few entities; empty when nothing is missing."""
    found: dict[tuple[str, str, bool], list[date]] = {}
    for m in missing:
        found.setdefault((m.id, m.name, m.is_zero), []).append(m.day)
    parts = []
    for (entity, name, is_zero), days in list(found.items())[:most]:
        key = "coverage_zero" if is_zero else "coverage_missing"
        who = f"{entity} {name}".strip() if entity != name else name
        parts.append(say(lang, f"compare.{key}", who=who, days=day_ranges(days)).strip())
    if len(found) > most:
        parts.append(say(lang, "compare.and_more"))
    return say(lang, "compare.sentence_joint").join(parts)


def day_ranges(days: Sequence[date]) -> str:
    """Dates with runs folded: "2026-10-08..2026-10-10, 2026-10-13"."""
    runs: list[list[date]] = []
    for day in sorted(days):
        if runs and (day - runs[-1][-1]).days == 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(
        r[0].isoformat() if len(r) == 1 else f"{r[0].isoformat()}..{r[-1].isoformat()}" for r in runs
    )


def freshness_verdict(last_day: date, as_of: date, *, lag_days: int, lang: Lang) -> Verdict:
    """How far the data is behind; given when a period had to be cut because of it.

    lag_days: what the source's settlement allows (1 = T-1).
    """
    lag = (as_of - last_day).days
    late = lag - lag_days + 1
    status: VerdictStatus = "warn" if late >= _WARN_LAG else "pass"  # late data makes no row wrong
    return Verdict(
        id="",
        kind="freshness",
        check="freshness",
        status=status,
        severity="info" if status == "pass" else "minor",
        target=say(lang, "compare.target_freshness"),
        expect=say(lang, "compare.freshness_expect", n=lag_days),
        actual=say(lang, "compare.freshness_actual", day=last_day.isoformat(), n=lag),
        n_checked=1,
        n_bad=0 if status == "pass" else 1,
        note=say(lang, "compare.freshness_note", day=last_day.isoformat()),
    )
