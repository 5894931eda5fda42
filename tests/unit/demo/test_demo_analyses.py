"""What the demo is there to show: the Simpson case, the fall after National Day, the drop of one shop."""

from __future__ import annotations

import math
from datetime import date
from itertools import pairwise

import pandas as pd
import pytest
from demo_detectors import Seen

BASELINE = (date(2026, 10, 4), date(2026, 10, 10))
CURRENT = (date(2026, 10, 11), date(2026, 10, 17))


def between(rows: pd.DataFrame, days: tuple[date, date]) -> pd.DataFrame:
    return rows[(rows["date"] >= days[0]) & (rows["date"] <= days[1])]


def totals(rows: pd.DataFrame, days: tuple[date, date], by: str, keys: list[str]) -> pd.DataFrame:
    return between(rows, days).groupby(by)[keys].sum()


def shops_of(seen: Seen, chain: str) -> pd.DataFrame:
    r = seen.rows[seen.once]
    return r[(r["scope"] == "shop") & (r["chainId"] == chain)]


def test_documented_simpson_totals(documented: Seen):
    keys = ["visitUv", "orderUv"]
    before = totals(shops_of(documented, "C02"), BASELINE, "shopId", keys)
    after = totals(shops_of(documented, "C02"), CURRENT, "shopId", keys)
    assert before["visitUv"].tolist() == [10000, 20000, 7500, 7500]
    assert before["orderUv"].tolist() == [1800, 6000, 1800, 1950]
    assert after["visitUv"].tolist() == [23000, 13000, 6500, 6500]
    assert after["orderUv"].tolist() == [4278, 3978, 1593, 1729]


def test_every_shop_rises_while_the_chain_falls_by_the_mix(planted: Seen):
    expected = planted.data.manifest.expected["simpson"]
    chain = expected["chainId"]
    keys = ["visitUv", "orderUv"]
    before = totals(shops_of(planted, chain), BASELINE, "shopId", keys)
    after = totals(shops_of(planted, chain), CURRENT, "shopId", keys)
    r0, r1 = (t["orderUv"] / t["visitUv"] for t in (before, after))
    w0, w1 = (t["visitUv"] / t["visitUv"].sum() for t in (before, after))
    assert (r1 > r0).all()
    # Kitagawa, in the form "average weight times rate change" and "average rate times weight change".
    rate = ((w0 + w1) / 2 * (r1 - r0)).sum()
    mix = ((r0 + r1) / 2 * (w1 - w0)).sum()
    assert (round(rate * 100, 2), round(mix * 100, 2)) == (0.59, -2.62)
    assert expected["rate_effect"] == pytest.approx(rate, abs=1e-12)
    assert expected["mix_effect"] == pytest.approx(mix, abs=1e-12)
    assert round(expected["delta"] * 100, 2) == -2.04
    assert sum(s["rate_effect"] + s["mix_effect"] for s in expected["shops"]) == pytest.approx(
        expected["delta"], abs=1e-12
    )


def test_the_chain_row_shows_the_same_fall(planted: Seen):
    expected = planted.data.manifest.expected["simpson"]
    r = planted.rows
    mine = r[(r["scope"] == "chain") & (r["chainId"] == expected["chainId"])]
    before, after = (between(mine, days)[["visitUv", "orderUv"]].sum() for days in (BASELINE, CURRENT))
    assert before["orderUv"] / before["visitUv"] == pytest.approx(expected["rate_baseline"], abs=1e-12)
    assert after["orderUv"] / after["visitUv"] == pytest.approx(expected["rate_current"], abs=1e-12)
    assert f"{expected['rate_baseline']:.2%} {expected['rate_current']:.2%}" == "25.67% 23.63%"


def test_a_clean_lake_has_no_simpson_case(clean: Seen):
    r = clean.rows[clean.rows["scope"] == "shop"]
    for _, shops in r.groupby("chainId"):
        sums = [totals(shops, d, "shopId", ["visitUv", "orderUv"]) for d in (BASELINE, CURRENT)]
        rates = [s["orderUv"] / s["visitUv"] for s in sums]
        chain = [s["orderUv"].sum() / s["visitUv"].sum() for s in sums]
        moves = rates[1] - rates[0]
        assert not ((moves > 0).all() and chain[1] < chain[0])
        assert not ((moves < 0).all() and chain[1] > chain[0])
        assert abs(chain[1] - chain[0]) < 0.01


def test_gross_falls_and_the_basket_grows_in_the_last_seven_days(planted: Seen):
    expected = planted.data.manifest.expected["gross_change"]
    r = planted.rows
    mine = r[(r["scope"] == "company") & (r["companyId"] == expected["companyId"])]
    before, after = (between(mine, d)[["grossAmt", "validOrderCnt"]].sum() for d in (BASELINE, CURRENT))
    assert after["grossAmt"] < 0.99 * before["grossAmt"]
    assert after["grossAmt"] / after["validOrderCnt"] > 1.01 * before["grossAmt"] / before["validOrderCnt"]
    assert expected["total"]["baseline"] == pytest.approx(before["grossAmt"], abs=0.005)
    assert expected["total"]["current"] == pytest.approx(after["grossAmt"], abs=0.005)


def test_contributions_of_shops_and_chains_add_up_to_the_fall(planted: Seen):
    expected = planted.data.manifest.expected["gross_change"]
    total = expected["total"]["contribution"]
    for part in ("shops", "chains", "drivers"):
        found = sum(line["contribution"] for line in expected[part])
        assert found == pytest.approx(total, abs=0.005), part


def test_contributions_of_shops_are_those_of_the_delivered_rows(planted: Seen):
    """Where zeros or a missing row hide sales, the manifest gives the delivered sums beside the true ones."""
    expected = planted.data.manifest.expected["gross_change"]
    r = planted.rows[planted.once & (planted.rows["scope"] == "shop")]
    before = totals(r, BASELINE, "shopId", ["grossAmt"])["grossAmt"]
    after = totals(r, CURRENT, "shopId", ["grossAmt"])["grossAmt"]
    hidden = {k["shopId"] for f in ("F1", "F4") for k in planted.data.manifest.fault(f).keys}
    for line in expected["shops"]:
        shop = line["shopId"]
        assert line["delivered_baseline"] == pytest.approx(before.get(shop, 0), abs=0.005)
        assert line["delivered_current"] == pytest.approx(after.get(shop, 0), abs=0.005)
        is_whole = (line["delivered_baseline"], line["delivered_current"]) == (
            line["baseline"],
            line["current"],
        )
        assert is_whole == (shop not in hidden)


def test_the_drop_is_the_shops_own_and_lies_in_exposure(planted: Seen):
    expected = planted.data.manifest.expected["exposure_drop"]
    days = tuple(date.fromisoformat(expected["baseline"][k]) for k in ("from", "to"))
    shops = planted.rows[planted.once & (planted.rows["shopId"] == expected["shopId"])]
    keys = ["exposureUv", "visitUv", "orderUv", "validOrderCnt"]
    y0, y1 = (between(shops, d)[keys].sum() for d in (days, CURRENT))
    weight = (y1["validOrderCnt"] - y0["validOrderCnt"]) / math.log(y1["validOrderCnt"] / y0["validOrderCnt"])
    steps = [y1[k] / y0[k] for k in keys]
    ratios = [steps[0], *(b / a for a, b in pairwise(steps))]
    found = [d["contribution"] for d in expected["drivers"]]
    assert found == pytest.approx([weight * math.log(q) for q in ratios], abs=1e-6)
    assert found[0] == min(found)
    assert found[0] < 0.7 * expected["total"]["contribution"]
    peers = expected["peer_exposure"]
    assert peers["current"] > 0.93 * peers["baseline"]


def test_documented_drop_is_compared_with_the_week_before_the_break(documented: Seen):
    assert documented.data.manifest.expected["exposure_drop"]["baseline"] == {
        "from": "2026-09-07",
        "to": "2026-09-13",
    }
