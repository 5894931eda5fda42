"""The pure parts of a comparison: periods, steps, comparable shops, bridge, statistics."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from askcore.base.errors import BadRequest
from askcore.base.values import Period
from askcore.semantic.model import Additivity, Metric
from askcore.tools.compare.change import change
from askcore.tools.compare.same_store import Rule, Shop, bridge, shop_kind
from askcore.tools.compare.series import summary
from askcore.tools.compare.significance import amount_change, ratio_change, sign_flip_p, weekday_pairs
from askcore.tools.compare.steps import expected_steps, is_regular, next_step
from askcore.tools.compare.student import t_quantile, two_sided_p
from askcore.tools.compare.study_queries import missing_rows
from askcore.tools.compare.verdicts import (
    Missing,
    calendar_fit,
    coverage_verdict,
    day_ranges,
    freshness_verdict,
    missing_note,
    period_verdict,
)
from askcore.tools.compare.windows import resolve_windows


def day(text: str) -> date:
    return date.fromisoformat(text)


def period(start: str, end: str) -> Period:
    return Period(start=day(start), end=day(end))


def windows(current, *, baseline=None, mode=None, held=("2025-08-01", "2026-10-17"), grain="day"):
    return resolve_windows(
        period(*current),
        baseline=None if baseline is None else period(*baseline),
        mode=mode,
        held=period(*held),
        last_settled=day("2026-10-17"),
        grain=grain,
    )


class TestWindows:
    def test_a_week_that_is_not_over_is_compared_with_as_many_days_of_the_week_before(self):
        found = windows(("2026-10-12", "2026-10-18"), mode="previous")
        assert found.current == period("2026-10-12", "2026-10-17")
        assert found.baseline == period("2026-10-05", "2026-10-10")
        assert found.is_cut

    def test_an_explicit_baseline_is_left_as_it_was_asked(self):
        found = windows(("2026-10-01", "2026-10-31"), baseline=("2026-09-01", "2026-09-30"))
        assert found.current == period("2026-10-01", "2026-10-17")
        assert found.baseline == period("2026-09-01", "2026-09-30")

    def test_a_baseline_that_begins_before_the_data_is_cut_at_its_start(self):
        found = windows(("2025-08-10", "2025-08-16"), baseline=("2025-07-28", "2025-08-03"))
        assert found.baseline == period("2025-08-01", "2025-08-03")

    def test_a_period_without_any_settled_day_has_no_current(self):
        assert windows(("2026-10-18", "2026-10-18"), mode="previous").current is None

    def test_a_month_of_weekly_data_is_whole_when_no_week_of_it_is_missing(self):
        held = ("2010-02-05", "2012-10-26")
        found = windows(("2012-01-01", "2012-10-31"), mode="yoy_date", held=held, grain="week")
        assert found.current == period("2012-01-01", "2012-10-31")
        assert found.baseline == period("2011-01-01", "2011-10-31")
        assert not found.is_cut

    def test_weekly_data_that_ends_early_keeps_as_many_weeks_in_the_baseline(self):
        held = ("2010-02-05", "2012-10-26")
        found = windows(("2012-10-01", "2012-11-30"), mode="yoy_date", held=held, grain="week")
        assert found.current == period("2012-10-01", "2012-10-26")  # Fridays 5, 12, 19, 26
        assert found.baseline == period("2011-10-01", "2011-10-28")  # Fridays 7, 14, 21, 28

    def test_baseline_and_mode_together_are_refused(self):
        with pytest.raises(BadRequest):
            windows(("2026-10-01", "2026-10-07"), baseline=("2026-09-01", "2026-09-07"), mode="mtd")

    def test_without_either_the_days_just_before_are_the_baseline(self):
        assert windows(("2026-10-11", "2026-10-17")).baseline == period("2026-10-04", "2026-10-10")


class TestSteps:
    def test_weekly_steps_follow_the_weekday_of_the_data(self):
        december = period("2010-12-01", "2010-12-31")
        found = expected_steps(
            december, "week", (), asked=december, anchor=day("2010-02-05"), is_regular=True
        )
        assert [d.day for d in found.dates] == [3, 10, 17, 24, 31]

    def test_positions_count_from_the_asked_start(self):
        found = expected_steps(
            period("2025-08-01", "2025-08-03"),
            "day",
            (),
            asked=period("2025-07-28", "2025-08-03"),
            anchor=day("2025-08-01"),
            is_regular=True,
        )
        assert found.positions == {day("2025-08-01"): 4, day("2025-08-02"): 5, day("2025-08-03"): 6}

    def test_irregular_data_is_expected_where_it_is(self):
        asked = period("2026-01-01", "2026-01-31")
        present = [day("2026-01-20"), day("2026-01-05"), day("2026-02-02")]
        found = expected_steps(asked, "day", present, asked=asked, anchor=day("2026-01-05"), is_regular=False)
        assert found.dates == (day("2026-01-05"), day("2026-01-20"))

    def test_when_the_next_row_is_due(self):
        assert next_step(day("2026-01-31"), "month") == day("2026-02-28")
        assert next_step(day("2026-01-01"), "quarter") == day("2026-04-01")
        assert next_step(day("2026-01-30"), "week") == day("2026-02-06")

    def test_data_on_most_of_its_days_is_regular(self):
        ten = period("2026-01-01", "2026-01-10")
        assert is_regular("day", ten, 8)
        assert not is_regular("day", ten, 7)
        assert not is_regular("month", ten, 10)


RULE = Rule(
    baseline=period("2026-10-04", "2026-10-10"),
    current=period("2026-10-11", "2026-10-17"),
    expected=(7, 7),
    data=period("2025-08-01", "2026-10-17"),
    is_year_apart=False,
)


def shop(base=7, current=7, *, first="2025-08-01", last="2026-10-17", **sums) -> Shop:
    return Shop(
        id="S",
        name="S",
        first=None if first is None else day(first),
        last=None if last is None else day(last),
        present=(frozenset(range(base)), frozenset(range(current))),
        sums={"c0": sums.get("all", (0.0, 0.0))},
        paired={"c0": sums.get("paired", sums.get("all", (0.0, 0.0)))},
    )


class TestShopKind:
    @pytest.mark.parametrize(
        ("found", "kind"),
        [
            (shop(), "comparable"),
            (shop(6, 7), "comparable"),  # 6/7 = 86 %
            (shop(5, 7), "partial"),  # 5/7 = 71 %
            (shop(first="2026-09-06"), "comparable"),  # 28 days before 10-04
            (shop(first="2026-09-07"), "opener"),
            (shop(first=None), "opener"),
            (shop(7, 0, last="2026-10-10"), "closer"),
            (shop(7, 2, last="2026-10-12"), "closer"),
            (shop(7, 5, last="2026-10-15"), "partial"),  # quiet for two days: perhaps only late
        ],
    )
    def test_who_is_comparable(self, found, kind):
        assert shop_kind(found, RULE) == kind

    def test_against_the_year_before_a_shop_must_be_thirteen_months_old(self):
        rule = Rule(
            baseline=period("2025-09-01", "2025-09-30"),
            current=period("2026-09-01", "2026-09-30"),
            expected=(30, 30),
            data=period("2025-01-01", "2026-10-17"),
            is_year_apart=True,
        )
        assert shop_kind(shop(30, 30, first="2025-08-01"), rule) == "comparable"
        assert shop_kind(shop(30, 30, first="2025-08-02"), rule) == "opener"

    def test_a_shop_of_the_first_day_of_the_data_is_old(self):
        rule = Rule(
            baseline=period("2025-08-01", "2025-08-07"),
            current=period("2025-08-08", "2025-08-14"),
            expected=(7, 7),
            data=period("2025-08-01", "2026-10-17"),
            is_year_apart=False,
        )
        assert shop_kind(shop(), rule) == "comparable"


def test_the_bridge_adds_up_to_the_total_change():
    shops = (
        (shop(all=(700.0, 770.0)), "comparable"),
        (shop(all=(1400.0, 1200.0), paired=(1200.0, 1200.0)), "comparable"),
        (shop(all=(150.0, 350.0)), "opener"),
        (shop(all=(200.0, 0.0)), "closer"),
        (shop(all=(120.0, 210.0)), "partial"),
    )
    found = bridge(70.0, shops, "c0")
    assert (found.same_store, found.openers, found.closers) == (70.0, 200.0, 200.0)
    assert (found.partial, found.dropped_days, found.layer_gap) == (90.0, -200.0, 110.0)
    parts = found.same_store + found.openers - found.closers
    assert parts + found.partial + found.dropped_days + found.layer_gap == 70.0


def test_clean_data_leaves_only_same_store_openers_and_closers():
    shops = (
        (shop(all=(0.1 + 0.2, 0.4)), "comparable"),
        (shop(all=(0.0, 0.1)), "opener"),
        (shop(all=(0.7, 0.0)), "closer"),
    )
    found = bridge(-0.5, shops, "c0")
    assert (found.partial, found.dropped_days, found.layer_gap) == (0.0, 0.0, 0.0)


def metric(unit: str, kind: str = "sum") -> Metric:
    return Metric(key="m", label={"zh": "m", "en": "m"}, unit=unit, additivity=Additivity(kind=kind))


class TestChange:
    def test_a_rate_changes_in_points_and_never_in_percent(self):
        found = change(metric("ratio", "ratio"), 0.0915, 0.0820)
        assert (found.delta, found.pct) == (0.0095, None)

    def test_an_amount_has_both(self):
        found = change(metric("CNY"), 486_320.5, 552_636.9)
        assert found.delta == -66_316.4
        assert found.pct == pytest.approx(-0.12, abs=1e-5)

    def test_a_negative_baseline_keeps_the_sign_of_the_change(self):
        assert change(metric("CNY"), -50.0, -100.0).pct == 0.5

    def test_from_zero_there_is_no_percentage_and_from_nothing_no_change(self):
        assert change(metric("CNY"), 5.0, 0.0).pct is None
        assert change(metric("CNY"), 5.0, None).delta is None

    def test_whole_numbers_stay_whole(self):
        assert isinstance(change(metric("order"), 12, 7).delta, int)


class TestStatistics:
    @pytest.mark.parametrize(
        ("df", "t"), [(1, 12.7062), (8, 2.3060), (12, 2.1788), (30, 2.0423), (1000, 1.9623)]
    )
    def test_quantiles_are_those_of_the_tables(self, df, t):
        assert t_quantile(0.95, df) == pytest.approx(t, abs=1e-4)
        assert two_sided_p(t, df) == pytest.approx(0.05, abs=1e-4)

    def test_a_ratio_is_tested_by_its_days(self):
        base = [(x, 100.0) for x in (10, 12, 8, 11, 9)]
        current = [(x, 100.0) for x in (20, 22, 18, 21, 19)]
        found = ratio_change(base, current)
        # deviations 0, 2, -2, 1, -1: SE² = 10 / (5·4·100²) a side; z = 0.1 / √0.0001
        assert found.z == pytest.approx(10.0)
        assert found.df == 8
        assert (found.low, found.high) == pytest.approx((0.1 - 0.02306, 0.1 + 0.02306), abs=1e-5)
        assert found.is_significant

    def test_many_visits_do_not_make_few_days_sure(self):
        # 22.15 % -> 23.10 % of 50,000 visits: a plain two-proportion z is 3.6; days swing by far more
        base = [(7142 * r, 7142.0) for r in (0.20, 0.24, 0.21, 0.23, 0.22, 0.235, 0.2155)]
        current = [(7142 * r, 7142.0) for r in (0.21, 0.25, 0.22, 0.24, 0.23, 0.245, 0.222)]
        assert not ratio_change(base, current).is_significant

    @pytest.mark.parametrize("days", [0, 1, 4])
    def test_fewer_than_five_days_say_nothing(self, days):
        assert ratio_change([(1.0, 10.0)] * days, [(2.0, 10.0), (3.0, 10.0)] * 5) is None

    def test_days_without_visits_do_not_count(self):
        assert ratio_change([(1.0, 10.0)] * 4 + [(0.0, 0.0)] * 3, [(2.0, 10.0), (3.0, 10.0)] * 5) is None

    def test_equal_days_have_no_spread_to_test_against(self):
        assert ratio_change([(1.0, 10.0)] * 5, [(2.0, 10.0)] * 5) is None

    def test_seven_pairs_that_all_fall_have_the_smallest_p(self):
        assert sign_flip_p([-0.1, -0.2, -0.15, -0.3, -0.12, -0.18, -0.22]) == 2 / 128

    def test_amounts_are_paired_by_weekday(self):
        monday = day("2026-10-05")
        base = [(monday + timedelta(days=i), 100.0 + i) for i in range(7)]
        current = [(day("2026-10-14") + timedelta(days=i), 200.0 + i) for i in range(7)]  # a Wednesday
        assert weekday_pairs(base, current)[0] == (102.0, 200.0)
        found = amount_change(base, current)
        assert found.days == (7, 7)
        assert found.p == 2 / 128


class TestCalendar:
    def test_a_holiday_in_one_period_only_is_found(self):
        fit = calendar_fit(period("2026-10-04", "2026-10-10"), period("2026-10-11", "2026-10-17"))
        assert fit.one_sided == ("national_day",)
        assert fit.weekdays_match

    def test_a_year_past_the_calendar_is_said(self):
        fit = calendar_fit(period("2060-10-01", "2060-10-07"), period("2060-10-08", "2060-10-14"))
        assert not fit.is_known
        found = period_verdict(steps_of(7, 7), fit, step="day", is_cut=False, lang="en")
        assert found.status == "warn"
        assert "calendar" in found.note


def steps_of(base: int, current: int):
    both = []
    for count in (base, current):
        asked = Period(start=day("2026-10-01"), end=day("2026-10-01") + timedelta(days=count - 1))
        both.append(expected_steps(asked, "day", (), asked=asked, anchor=asked.start, is_regular=True))
    return both[0], both[1]


def test_months_of_equal_length_have_the_same_weekdays_for_all_that_matters():
    september = calendar_fit(period("2025-09-01", "2025-09-30"), period("2026-09-01", "2026-09-30"))
    assert september.weekdays_match
    friday_and_saturday = calendar_fit(period("2026-08-07", "2026-08-07"), period("2026-08-08", "2026-08-08"))
    assert not friday_and_saturday.weekdays_match


def test_days_after_a_shop_closed_and_before_it_opened_are_not_missing():
    closed = shop(7, 2, last="2026-10-12")  # 10-11 and 10-12 were still due
    opened = shop(0, 0, first="2026-10-15")  # due on 10-15..10-17, never there
    gap = shop(7, 6)  # 10-17 is missing
    asked = (RULE.baseline, RULE.current)
    base, current = (
        expected_steps(p, "day", (), asked=p, anchor=RULE.data.start, is_regular=True) for p in asked
    )
    zeros = frozenset({("S", day("2026-10-17"))})
    missing, expected = missing_rows((closed, opened, gap), (base, current), RULE, zeros)
    assert expected == (7 + 0 + 7, 2 + 3 + 7)
    assert [m.day.day for m in missing] == [15, 16, 17, 17]
    assert [m.is_zero for m in missing] == [False, False, True, True]


class TestVerdicts:
    def test_alike_periods_pass(self):
        fit = calendar_fit(period("2026-08-03", "2026-08-09"), period("2026-08-10", "2026-08-16"))
        found = period_verdict(steps_of(7, 7), fit, step="day", is_cut=False, lang="en")
        assert (found.status, found.kind, found.actual) == ("pass", "period", "7 days against 7 days")

    def test_unequal_lengths_and_cut_ends_warn(self):
        found = period_verdict(steps_of(8, 7), None, step="day", is_cut=True, lang="en")
        assert found.status == "warn"
        assert "differ in length" in found.note
        assert "not settled" in found.note

    @pytest.mark.parametrize(("missing", "status"), [(0, "pass"), (1, "warn"), (2, "warn"), (3, "fail")])
    def test_coverage_fails_when_more_than_a_fifth_of_a_period_is_missing(self, missing, status):
        rows = [Missing(day=day("2026-10-01") + timedelta(days=i)) for i in range(missing)]
        found = coverage_verdict(
            rows, (10, 10), baseline=period("2026-10-01", "2026-10-10"), keys=[], lang="zh"
        )
        assert (found.status, found.n_checked, found.n_bad) == (status, 20, missing)

    def test_nothing_expected_is_not_green(self):
        found = coverage_verdict([], (0, 0), baseline=period("2026-10-01", "2026-10-10"), keys=[], lang="zh")
        assert found.status == "skip"

    @pytest.mark.parametrize(("last", "status"), [(17, "pass"), (16, "warn"), (15, "warn")])
    def test_late_data_warns_but_never_fails_the_rows_that_are_there(self, last, status):
        found = freshness_verdict(date(2026, 10, last), day("2026-10-18"), lag_days=1, lang="zh")
        assert found.status == status

    def test_missing_days_are_named_by_shop_and_range(self):
        rows = [
            Missing(day=day("2026-10-09"), id="S1", name="老城店", is_zero=True),
            Missing(day=day("2026-10-08"), id="S1", name="老城店", is_zero=True),
            Missing(day=day("2026-10-13"), id="S2", name="火车站店"),
        ]
        text = missing_note(rows, "zh")
        assert "S1 老城店 在 2026-10-08..2026-10-09 全为零" in text
        assert "S2 火车站店 缺 2026-10-13" in text

    def test_ranges_fold_runs_of_days(self):
        days = [day(f"2026-10-{d:02d}") for d in (3, 1, 2, 9)]
        assert day_ranges(days) == "2026-10-01..2026-10-03, 2026-10-09"


def test_a_series_is_told_by_its_ends_extremes_and_mean():
    found = summary([("a", 4.0), ("b", 1.0), ("c", 9.0), ("d", 6.0)], with_mean=True)
    assert found["first"] == {"bucket": "a", "value": 4.0}
    assert found["min"]["bucket"] == "b"
    assert found["max"]["bucket"] == "c"
    assert (found["mean"], found["change"], found["change_pct"]) == (5.0, 2.0, 0.5)
