"""The splits against formulas written independently in numpy, on 1,000 random cases each."""

from __future__ import annotations

import math

import numpy as np
import pytest

from askcore.stats.contributions import (
    Pair,
    RatioPair,
    add_chains,
    log_mean,
    share_of,
    split_chain,
    split_market,
    split_ratio,
    split_sum,
)

CASES = 1000
REL = 1e-9


@pytest.fixture
def rng():
    return np.random.default_rng(20261018)


def presence(rng, n):
    """Which of n segments are there in (baseline, current): an opener, a closer, a zero, the rest both."""
    there = np.ones((2, n), dtype=bool)
    there[0, 0] = there[1, 1] = False
    there[0, 5:] &= rng.random(n - 5) > 0.1
    return there


def test_a_sum_s_parts_are_the_differences_and_add_up(rng):
    for _ in range(CASES):
        n = int(rng.integers(5, 12))
        there = presence(rng, n)
        values = np.round(rng.lognormal(8, 2, (2, n)), 2) * there
        values[:, 2] = 0.0  # rows without sales
        found = split_sum(
            [
                Pair(
                    key=str(i),
                    before=float(values[0, i]) if there[0, i] else None,
                    after=float(values[1, i]) if there[1, i] else None,
                )
                for i in range(n)
            ]
        )
        change = values[1].sum() - values[0].sum()
        size = values.sum()
        assert found.change == pytest.approx(change, rel=REL, abs=REL * size)
        assert math.fsum(p.contribution for p in found.parts) == pytest.approx(change, abs=1e-12 * size)
        expected = values[1] - values[0]
        assert [p.contribution for p in found.parts] == pytest.approx(list(expected), rel=REL)
        surprise = expected - values[0] * change / values[0].sum()
        assert [p.surprise for p in found.parts] == pytest.approx(list(surprise), abs=REL * size)
        assert math.fsum(p.surprise for p in found.parts) == pytest.approx(0, abs=REL * size)
        kinds = [p.kind for p in found.parts]
        assert (kinds[0], kinds[1], kinds[2]) == ("opened", "closed", "zero")
        if abs(change) > 0.005 * values[0].sum():
            assert [p.share for p in found.parts] == pytest.approx(list(expected / change), rel=REL)
        else:
            assert {p.share for p in found.parts} == {None}


def test_shares_are_only_given_where_the_whole_changed_by_more_than_half_a_percent():
    assert share_of(3.0, 6.0, 1000.0) == 0.5
    assert share_of(3.0, 5.0, 1000.0) is None
    assert share_of(3.0, 0.0, 0.0) is None
    assert share_of(3.0, 6.0, 0.0) == 0.5


def kitagawa(top, bottom):
    """Rate and mix, missing rates taken from the other period; (2, n) arrays."""
    w = bottom / bottom.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(bottom > 0, top / bottom, np.nan)
    r = np.where(np.isnan(r), r[::-1], r)
    middle = (top.sum(axis=1) / bottom.sum(axis=1)).mean()
    rate = w.mean(axis=0) * np.diff(r, axis=0)[0]
    mix = np.diff(w, axis=0)[0] * (r.mean(axis=0) - middle)
    return np.nan_to_num(rate), np.nan_to_num(mix)


def test_a_ratio_s_rate_and_mix_are_kitagawa_s_and_add_up(rng):
    for _ in range(CASES):
        n = int(rng.integers(5, 12))
        bottom = np.rint(rng.lognormal(7, 1.5, (2, n)) + 1) * presence(rng, n)
        top = np.rint(bottom * rng.uniform(0, 1, (2, n)))
        found = split_ratio(
            [
                RatioPair(
                    key=str(i),
                    before=(float(top[0, i]), float(bottom[0, i])),
                    after=(float(top[1, i]), float(bottom[1, i])),
                )
                for i in range(n)
            ]
        )
        before, after = top.sum(axis=1) / bottom.sum(axis=1)
        rate, mix = kitagawa(top, bottom)
        assert [p.rate_effect for p in found.parts] == pytest.approx(list(rate), rel=REL, abs=1e-15)
        assert [p.mix_effect for p in found.parts] == pytest.approx(list(mix), rel=REL, abs=1e-12)
        total = math.fsum(p.contribution for p in found.parts)
        assert total == pytest.approx(after - before, abs=REL * max(before, after))
        assert found.rate_effect + found.mix_effect == pytest.approx(after - before, abs=1e-12)
        assert (found.parts[0].rate_effect, found.parts[1].rate_effect) == (0, 0)
        assert (found.parts[0].kind, found.parts[1].kind) == ("opened", "closed")
        change, moves = after - before, []
        for i in range(n):
            if bottom[0, i] and bottom[1, i]:
                moves.append(top[1, i] / bottom[1, i] - top[0, i] / bottom[0, i])
        assert found.simpson.sign_conflict == (np.sign(rate.sum()) != np.sign(change))
        against = len(moves) > 1 and all(np.sign(m) == -np.sign(change) for m in moves)
        assert found.simpson.all_against == against


def test_a_ratio_whose_numerator_stands_without_a_denominator_still_adds_up():
    found = split_ratio(
        [
            RatioPair(key="a", before=(10, 100), after=(20, 100)),
            RatioPair(key="b", before=(5, 0), after=(0, 0)),
        ]
    )
    # R0 = 15 / 100, R1 = 20 / 100; b takes its 5 / 100 away, a rises by 10 points
    assert (found.parts[0].rate_effect, found.parts[1].mix_effect) == (
        pytest.approx(0.10),
        pytest.approx(-0.05),
    )
    assert found.change == pytest.approx(0.05)


def test_a_ratio_without_any_denominator_in_a_period_is_not_split():
    assert split_ratio([RatioPair(key="a", before=(0, 0), after=(1, 2))]) is None
    assert split_ratio([]) is None


def test_the_documented_simpson_case():
    """Every shop up, the chain down: 25.67 % -> 23.63 % = rate +0.59 pp, mix -2.62 pp (DOMAIN §1.5)."""
    visits = ((2000, 4000, 1500, 1500), (4600, 2600, 1300, 1300))
    rates = ((0.18, 0.3, 0.24, 0.26), (0.186, 0.306, 0.245, 0.266))
    found = split_ratio(
        [
            RatioPair(
                key=str(i),
                before=(visits[0][i] * rates[0][i], visits[0][i]),
                after=(visits[1][i] * rates[1][i], visits[1][i]),
            )
            for i in range(4)
        ]
    )
    assert found.simpson.sign_conflict and found.simpson.all_against and found.simpson.holds
    assert f"{found.change:+.2%} {found.rate_effect:+.2%} {found.mix_effect:+.2%}" == "-2.04% +0.59% -2.62%"


def mean_by_integral(y0, y1):
    """The logarithmic mean as the mean of the geometric path from y0 to y1, by Gauss-Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    t = (nodes + 1) / 2
    return float((weights / 2 * np.exp((1 - t) * np.log(y0) + t * np.log(y1))).sum())


def test_a_chain_s_effects_are_those_of_lmdi_and_add_up(rng):
    for _ in range(CASES):
        n = int(rng.integers(5, 8))
        factors = rng.lognormal(0, 0.7, (2, n))
        y0, y1 = factors.prod(axis=1)
        found = split_chain(list(factors[0]), list(factors[1]), (float(y0), float(y1)))
        expected = mean_by_integral(y0, y1) * np.log(factors[1] / factors[0])
        assert found.kind == "both"
        assert list(found.effects) == pytest.approx(list(expected), rel=REL)
        assert math.fsum(found.effects) == pytest.approx(y1 - y0, abs=REL * max(y0, y1))


def test_a_chain_with_a_factor_of_zero_or_none_goes_to_the_bucket(rng):
    for _ in range(CASES):
        n = int(rng.integers(5, 8))
        factors = rng.lognormal(0, 0.7, (2, n))
        factors[rng.integers(2), rng.integers(n)] = 0.0
        y0, y1 = (float(y) for y in factors.prod(axis=1))
        found = split_chain([f or None for f in factors[0]], list(factors[1]), (y0, y1))
        assert found.effects == (0.0,) * n
        assert found.bucket == pytest.approx(y1 - y0, rel=REL)
        assert found.kind == ("opened" if not y0 and y1 else "closed" if y0 and not y1 else "zero")


def test_nearly_equal_products_keep_their_digits():
    assert log_mean(5.0, 5.0) == 5.0
    assert log_mean(-5.0, -5.0) == -5.0
    for gap in (1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4):
        y1 = 1e6 * (1 + gap)
        assert log_mean(y1, 1e6) == pytest.approx(mean_by_integral(1e6, y1), rel=1e-10)


def test_chains_of_shops_add_up_to_the_change_of_the_whole(rng):
    """Five shops or more with openers, closers and idle ones: effects and buckets are the whole change."""
    for _ in range(CASES):
        shops, n = int(rng.integers(5, 12)), 4
        there = presence(rng, shops)
        factors = rng.lognormal(0, 0.5, (2, shops, n)) * there[:, :, None]
        factors[:, 2, 1] = 0.0
        y = factors.prod(axis=2)
        chains = [
            split_chain(list(factors[0, i]), list(factors[1, i]), (float(y[0, i]), float(y[1, i])))
            for i in range(shops)
        ]
        whole = add_chains(chains, n)
        assert whole.change == pytest.approx(y[1].sum() - y[0].sum(), abs=REL * y.sum())
        both = [i for i in range(shops) if y[0, i] and y[1, i]]
        effects = sum(
            mean_by_integral(y[0, i], y[1, i]) * np.log(factors[1, i] / factors[0, i]) for i in both
        )
        assert list(whole.effects) == pytest.approx(list(effects), rel=1e-8, abs=1e-9)
        # consistency: the sums of two groups of shops are the sums of all
        halves = add_chains(chains[:3], n), add_chains(chains[3:], n)
        assert [a + b for a, b in zip(halves[0].effects, halves[1].effects, strict=True)] == pytest.approx(
            list(whole.effects), rel=REL, abs=1e-12
        )


def test_equal_shops_have_the_chain_of_the_whole(rng):
    """Shops alike but for their size: summed effects are the effects of the summed shop."""
    factors = rng.lognormal(0, 0.5, (2, 3))
    sizes = (1.0, 2.0, 5.0)
    chains = []
    for size in sizes:
        before, after = [factors[0, 0] * size, *factors[0, 1:]], [factors[1, 0] * size, *factors[1, 1:]]
        chains.append(split_chain(before, after, (float(np.prod(before)), float(np.prod(after)))))
    before, after = [factors[0, 0] * 8, *factors[0, 1:]], [factors[1, 0] * 8, *factors[1, 1:]]
    whole = split_chain(before, after, (float(np.prod(before)), float(np.prod(after))))
    assert list(add_chains(chains, 3).effects) == pytest.approx(list(whole.effects), rel=REL)


def test_own_is_what_the_market_does_not_explain():
    # the peers fell by a fifth, the shop by 35 of 100
    found = split_market(100.0, 65.0, (50.0, 40.0))
    assert (found.market, found.own) == (pytest.approx(-20.0), pytest.approx(-15.0))
    assert found.market + found.own == pytest.approx(-35.0)
