"""A second "previous" period beside the same one is the period before it, never the same days twice."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.understand import understand

WEEK = ({"from": "2026-10-05", "to": "2026-10-11"}, {"from": "2026-09-28", "to": "2026-10-04"})
MONTH = ({"from": "2026-09-01", "to": "2026-09-30"}, {"from": "2026-08-01", "to": "2026-08-31"})


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("Gross sales by shop last week compared with the previous week", WEEK),
        ("visit rate last week versus the prior week", WEEK),
        ("orders last month against the previous month", MONTH),
        ("上周营业额和上一周相比", WEEK),
        ("上个月下单率与上一个月对比", MONTH),
    ],
)
def test_the_second_is_one_earlier(question, days):
    model, catalog = takeaway()
    found = understand(question, model=model, catalog=catalog, as_of=AS_OF, entity="E01")
    (call,) = found.calls
    assert (call.tool, call.args["current"], call.args["baseline"]) == ("compare_periods", *days)


@pytest.mark.parametrize("question", ["orders in the previous week", "上一周的订单"])
def test_alone_it_is_the_last_one(question):
    model, catalog = takeaway()
    found = understand(question, model=model, catalog=catalog, as_of=AS_OF, entity="E01")
    (call,) = found.calls
    assert (call.args["from"], call.args["to"]) == ("2026-10-05", "2026-10-11")
