"""Columns that say how to reach a person are not loaded; measures whose names hold such a word are."""

from __future__ import annotations

import pytest

from askcore.lake.ingest.infer import is_personal


@pytest.mark.parametrize(
    "name",
    ["customer_phone", "Phone", "phone_number", "PhoneNo", "contact email", "E-mail".replace("-", ""), "手机号", "联系电话", "客户手机号码", "身份证号", "邮箱"],
)  # fmt: skip
def test_a_way_to_reach_somebody_is_personal(name: str) -> None:
    assert is_personal(name)


@pytest.mark.parametrize(
    "name",
    ["phone_orders", "Phone sales", "email clicks", "mobile", "Mobile revenue", "电话订单", "手机销量", "hotel", "tel_aviv_sales", "customer_id", "sales"],
)  # fmt: skip
def test_a_measure_is_not(name: str) -> None:
    assert not is_personal(name)
