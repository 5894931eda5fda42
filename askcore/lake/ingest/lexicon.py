"""Words that hint at what a column is, and their other-language twin. Hints only: data decides.

The one file of this package that holds Chinese: entries of at most six characters, no names of anyone.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOTAL_WORDS = _words("合计 总计 小计 总和 汇总 合計 總計 小計 total totals subtotal sub-total sum") | {
    "grand total",
    "sub total",
    "grand totals",
}

DATE_WORDS = _words("date day dt time week month 日期 时间 日 天 周 月 月份 数据日期 统计日期")
MONTH_WORDS = _words("month 月 月份 ym yearmonth 年月")
CALENDAR_WORDS = _words("year month week weekday quarter hour dayofweek 年 年份 月份 周次 季度 星期 小时")
FLAG_WORDS = _words("flag is has 是否 标志 标识")

# Word in a header -> key of the level; what is called like this is a thing that rows belong to.
LEVEL_WORDS: Mapping[str, str] = {
    "store": "store", "stores": "store", "shop": "shop", "shops": "shop", "branch": "branch",
    "chain": "chain", "brand": "brand", "company": "company", "region": "region", "city": "city",
    "outlet": "store", "dept": "dept", "department": "dept", "warehouse": "warehouse",
    "门店": "shop", "店铺": "shop", "分店": "shop", "店": "shop", "商家": "shop", "品牌": "brand",
    "连锁": "chain", "公司": "company", "集团": "company", "城市": "city", "区域": "region",
    "大区": "region", "部门": "dept", "仓库": "warehouse",
}  # fmt: skip
LEVEL_LABELS: Mapping[str, tuple[str, str]] = {
    "store": ("门店", "Store"), "shop": ("门店", "Shop"), "branch": ("分店", "Branch"),
    "chain": ("连锁", "Chain"), "brand": ("品牌", "Brand"), "company": ("公司", "Company"),
    "region": ("区域", "Region"), "city": ("城市", "City"), "dept": ("部门", "Department"),
    "warehouse": ("仓库", "Warehouse"),
}  # fmt: skip
LEVEL_SYNONYMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "store": (("店铺", "店", "分店"), ("stores", "shop", "shops")),
    "shop": (("店铺", "店", "分店"), ("shops", "store", "stores")),
    "branch": (("门店", "店"), ("branches",)),
    "brand": ((), ("brands",)),
    "company": ((), ("companies",)),
    "region": (("大区", "地区"), ("regions",)),
    "city": ((), ("cities",)),
    "dept": ((), ("dept", "departments")),
}
ID_WORDS = _words("id code no num number key 编号 编码 代码 号 id")
NAME_WORDS = _words("name title 名称 名")
# Endings that are cut from a header to find the thing it names.
ID_ENDINGS = ("编号", "编码", "代码", "号", "id", "ID", "Id")
NAME_ENDINGS = ("名称", "名字", "名")

# Whatever else the header says.
ALWAYS_MEAN = _words("avg average mean median per rate ratio percent percentage pct share")
# A mean is meant, not a sum: adding such values up has no meaning.
MEAN_WORDS = _words(
    "price rate ratio temperature temp cpi index unemployment avg average mean median percent "
    "percentage pct score rating roi ctr cvr aov margin share humidity pressure speed age level "
    "inflation ppi per"
)
MEAN_STARTS = ("平均", "人均", "单均", "日均", "店均", "均")
MEAN_PARTS = (
    "单价", "客单价", "均价", "价格", "率", "占比", "比例", "平均", "均", "指数", "温度", "气温", "评分",
    "得分", "折扣", "湿度", "排名",
)  # fmt: skip
SUM_WORDS = _words(
    "sales revenue amount amt qty quantity count cnt orders order units cost costs profit income "
    "expense expenses total volume visits visitors users customers gmv spend tax cogs refund "
    "refunds discount discounts traffic transactions sold fee fees views clicks sum"
)
SUM_PARTS = (
    "销售额", "营业额", "金额", "额", "数量", "销量", "订单数", "单量", "人数", "次数", "数", "量", "收入",
    "成本", "利润", "支出", "费用", "费", "补贴",
)  # fmt: skip
MONEY_WORDS = _words(
    "sales revenue amount amt cost costs profit income expense expenses price gmv spend tax cogs fee fees aov"
)
MONEY_PARTS = ("额", "金额", "价", "收入", "成本", "利润", "支出", "费")
ORDER_WORDS = _words("orders order transactions")
ORDER_PARTS = ("订单数", "订单量", "单量", "有效订单", "订单")
PERSON_WORDS = _words("users visitors customers people uv")
PERSON_PARTS = ("人数", "客流", "访客")
UP_WORDS = _words("sales revenue orders profit income gmv visitors customers users")
UP_PARTS = ("销售额", "营业额", "订单数", "订单量", "收入", "利润", "客单价", "人数", "销量")
DOWN_WORDS = _words("cost costs expense expenses refund refunds cogs fee fees unemployment")
DOWN_PARTS = ("成本", "支出", "费用", "退款", "差评")

# Money signs and names in a title or header -> unit.
CURRENCY_SIGNS: Mapping[str, str] = {
    "￥": "CNY", "¥": "CNY", "元": "CNY", "rmb": "CNY", "cny": "CNY", "人民币": "CNY",
    "$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
}  # fmt: skip
CURRENCY_SUFFIX = "元"
DATE_MARKS = ("年", "月", "日")
FULL_PERCENT = "\uff05"
NULL_WORDS = frozenset(("na", "n/a", "nan", "null", "none", "#n/a", "\\n", "无", "空", "缺失"))
DASHES = frozenset(("-", "--", "—", "——", "–"))
FLAG_NOT_ZH = "非"
NON_EN = "non-"
# Latin abbreviations keep their capitals in a label.
ABBREVIATIONS = _words("cpi gmv roi ctr cvr aov uv pv id gdp ppi cogs")

# Words that say how often or how, not what: no name for a column by themselves.
MODIFIERS = _words(
    "weekly daily monthly annual yearly total gross net avg average mean unit flag is has new old "
    "first last number num"
)

# English word -> Chinese word, for labels and synonyms of both languages.
EN_ZH: Mapping[str, str] = {
    "sales": "销售额", "revenue": "营收", "orders": "订单数", "order": "订单", "price": "价格",
    "temperature": "气温", "temp": "气温", "fuel": "燃油", "unemployment": "失业率", "cpi": "消费指数",
    "holiday": "节假日", "flag": "标志", "store": "门店", "shop": "门店", "date": "日期",
    "weekly": "周", "daily": "日", "monthly": "月", "annual": "年", "yearly": "年", "profit": "利润",
    "cost": "成本", "costs": "成本", "quantity": "数量", "qty": "数量", "amount": "金额",
    "income": "收入", "discount": "折扣", "discounts": "折扣额", "tax": "税额", "rating": "评分",
    "score": "评分", "customers": "顾客数", "visitors": "访客数", "users": "用户数", "visits": "访问数",
    "rate": "率", "unit": "单位", "units": "件数", "total": "总", "gross": "毛", "net": "净",
    "average": "平均", "avg": "平均", "city": "城市", "region": "区域", "product": "产品",
    "category": "品类", "type": "类型", "size": "面积", "promotion": "促销", "weekend": "周末",
    "expense": "支出", "expenses": "支出", "traffic": "客流", "volume": "销量", "member": "会员",
    "gender": "性别", "payment": "支付", "segment": "细分", "country": "国家", "channel": "渠道",
}  # fmt: skip
ZH_EN: Mapping[str, str] = {
    "销售额": "Sales", "营业额": "Gross sales", "订单数": "Orders", "订单量": "Orders",
    "单量": "Orders", "客单价": "Average order value", "销售占比": "Sales share", "日期": "Date",
    "销量": "Units sold", "金额": "Amount", "数量": "Quantity", "利润": "Profit", "成本": "Cost",
    "收入": "Income", "支出": "Expense", "单价": "Unit price", "价格": "Price", "气温": "Temperature",
    "温度": "Temperature", "人数": "People", "顾客数": "Customers", "客流": "Visitors",
    "评分": "Rating", "门店": "Shop", "城市": "City", "区域": "Region", "品类": "Category",
    "产品": "Product", "节假日": "Holiday", "渠道": "Channel", "毛利": "Gross profit",
}  # fmt: skip
# Other words for the same thing, per Chinese or English word.
MORE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sales": (("销售额", "营业额", "销售"), ("sales", "revenue")),
    "revenue": (("营收", "销售额"), ("revenue", "sales")),
    "orders": (("订单数", "订单量", "单量", "订单"), ("orders", "order count")),
    "price": (("价格", "单价"), ("price",)),
    "temperature": (("气温", "温度"), ("temperature", "temp")),
    "unemployment": (("失业率", "失业"), ("unemployment", "unemployment rate")),
    "cpi": (("消费指数", "物价指数"), ("cpi", "consumer price index")),
    "profit": (("利润",), ("profit",)),
    "holiday": (("节假日", "假日", "节日"), ("holiday", "holidays")),
    "销售额": (("销售", "营业额", "流水"), ("sales", "revenue")),
    "营业额": (("销售额", "流水"), ("sales", "gross sales", "revenue")),
    "订单数": (("订单量", "单量", "订单"), ("orders", "order count")),
    "订单量": (("订单数", "单量", "订单"), ("orders", "order count")),
    "客单价": (("单均", "均单"), ("aov", "average order value", "average ticket")),
    "利润": (("盈利",), ("profit",)),
    "燃油": (("油价",), ("fuel",)),
    "fuel": (("油价", "燃油价格"), ("fuel price", "fuel")),
}

# Columns that say how to reach a person, by their last word: they are never loaded.
PERSONAL_WORDS = _words("phone phones phoneno telephone cellphone tel email emails idcard passport ssn 手机 手机号 手机号码 电话 电话号码"
                        " 联系电话 邮箱 身份证 身份证号 微信号")  # fmt: skip
NUMBER_WORDS = _words("no number num id")
