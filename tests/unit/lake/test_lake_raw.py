"""Raw fields: named by what they mean, typed when all values are numbers."""

from __future__ import annotations

import json
from datetime import date

import pyarrow as pa

from askcore.lake import Delivery, Lake
from askcore.lake.raw import field_names


def test_fields_get_the_names_that_checks_use(takeaway_model):
    keys = {
        "gross_amt": "src.grossAmt",
        "clk_exp_rate": "src.visitRate",
        "exp_uv_mall_avg": "exposureUv__peer_avg",
        "exp_uv_mall_avg_rank": "exposureUv__peer_rank",
        "last_period_gross_amt_diff": "grossAmt__last_period_diff",
        "last_week_clk_uv_diff": "visitUv__last_week_diff",
        "peer_shop_cnt": "peerShopCnt",
        "营业额": "src.grossAmt_",
        "src.aov": "src.aov",
        "src_orderRate": "src.orderRate",
        "visitUv__peer_avg": "visitUv__peer_avg",
        "shop_income_peer_rn": "shop_income_peer_rn",
    }
    found = field_names(takeaway_model, keys)
    assert found.pop("营业额") in ("营业额", "src.grossAmt_")
    keys.pop("营业额")
    assert found == keys


def test_raw_is_a_struct_beside_the_facts(settings, takeaway_model):
    lake = Lake(settings)
    raw = [
        json.dumps({"gross_amt": 12.5, "rank": "8/31", "peer_shop_cnt": "31", "nested": {"a": 1}}),
        json.dumps({"gross_amt": "", "rank": None, "店名": "东门"}),
        "not json",
    ]
    table = pa.table(
        {
            "date": [date(2026, 10, d) for d in (1, 2, 3)],
            "shopId": ["S1"] * 3,
            "grossAmt": [12.5, 1.0, 1.0],
            "raw": raw,
        }
    )
    lake.load("d", Delivery(table=table), takeaway_model)
    with lake.open("d") as view:
        assert set(view.raw_fields) == {"src.grossAmt", "rank", "peerShopCnt", "nested", "店名"}
        found = view.run("SELECT date, shopId, _dup_n, fields FROM raw ORDER BY date").dicts()
    assert [r["date"].day for r in found] == [1, 2]
    assert found[0]["fields"] == {
        "src.grossAmt": 12.5,
        "rank": "8/31",
        "peerShopCnt": 31.0,
        "nested": '{"a":1}',
        "店名": None,
    }
    assert found[1]["fields"]["src.grossAmt"] is None
    assert found[1]["fields"]["店名"] == "东门"


def test_a_lake_without_raw_has_an_empty_raw_table(tiny_view):
    assert tiny_view.raw_fields == ()
    assert tiny_view.run("SELECT count(*) FROM raw").scalar() == 0
