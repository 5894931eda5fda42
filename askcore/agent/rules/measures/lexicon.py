"""The words around measures: everyday names, counters, and the parts of a name that may change.

No entry names an entity, a metric of one model or a whole sentence. `CONCEPTS` are everyday translations, used
only where a model has no word of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

Words = tuple[str, ...]

CONCEPTS: tuple[Words, ...] = (
    ("sales", "revenue", "turnover", "销售额", "营业额", "营收", "流水", "销售金额", "销售"),
    ("revenue", "营收", "收入"),
    ("orders", "order count", "订单", "订单量", "订单数", "单量"),
    ("quantity", "units sold", "销量", "销售量", "数量", "件数"),
    ("profit", "利润", "利润额"),
    ("cost", "成本"),
    ("expense", "expenses", "支出", "费用"),
    ("temperature", "气温", "温度"),
    ("fuel price", "油价", "燃油价格", "燃料价格"),
    ("unemployment", "unemployment rate", "失业率"),
    ("cpi", "consumer price index", "消费价格指数", "物价指数"),
    ("customers", "顾客数", "客户数"),
    ("visitors", "访客数", "访客"),
    ("price", "价格", "单价"),
    ("discount", "折扣", "优惠"),
    ("exposure", "impressions", "traffic", "曝光", "流量"),
    ("refunds", "退款"),
    ("rating", "评分"),
    ("holiday", "holidays", "节假日", "假日", "节日"),
    ("promotion", "促销"),
    ("region", "地区", "区域", "大区"),
    ("city", "城市"),
    ("product", "商品", "产品"),
    ("category", "品类", "类目", "分类"),
    ("department", "部门"),
)
# Asking for a count by its counter alone: the unit says which measures can be meant.
COUNTED: Mapping[str, Words] = {
    "order": ("多少单", "几单", "多少笔", "几笔"),
    "person": ("多少人", "几个人", "多少位顾客", "how many people"),
}
# People asked for by what they did: "how many customers ordered", "customers who ordered".
PEOPLE: Words = ("customers", "people", "users", "guests", "clients", "shoppers", "persons")
PEOPLE_ASKED: Words = ("多少顾客", "多少客人", "多少客户", "多少用户", "多少位顾客", "多少位客人", "多少个顾客", "多少名顾客",
                       "几个顾客", "几位顾客", "几个客人", "几位客人")  # fmt: skip
PEOPLE_HEADS: Words = ("", "how many", "number of")
WHO: Words = ("", "who", "that", "have", "who have")
DOER_ENDS: Words = ("ing", "er", "or")
PAST: Mapping[str, str] = {"buy": "bought", "sell": "sold", "leave": "left", "come": "came", "eat": "ate"}
DEED_ENDS: Words = ("人数", "次数", "人次")  # "admissions" of "number of people admitted"
DEED_LINKS: Words = ("", "人数", "的人数", "的人", "人", "次数", "的次数")
DEED_MARKS: Words = ("最多", "最少", "多少", "更多", "更少", "多", "少")
COUNTED_TAILS: Words = ("人数", "用户", "单数", "订单")
# Parts of a measure's name that do not change what is measured.
GENERIC_HEADS: Words = ("weekly", "daily", "monthly", "yearly", "total", "overall", "average", "每周", "每日",
                        "每月", "总", "周", "日", "月")  # fmt: skip
COUNT_TAILS: tuple[Words, ...] = (
    ("总数量", "数量", "总数", "总量", "数", "量", "count", "counts", "number"),
    ("总金额", "总额", "金额", "额", "amount", "amounts"),
    ("人数",),
    ("时长", "时间", "用时", "time", "duration"),
)
RATE_TAILS: Words = ("率", "rate")
# Words that are exchanged inside a measure's name without changing what is measured.
ALIKE: tuple[Words, ...] = (("活动", "促销"), ("promotion", "promo", "promotional"))
# A changed character among these changes the measure: never taken for a typing error.
BEARING: frozenset[str] = frozenset(
    "".join(
        (
            "日周月年天本",
            "率量额数价比",
            "均净毛人次单",
            "客新老总无有",
            "效实应退费分",
            "时长件元品店",
            "去前上下",
        )
    )
)
