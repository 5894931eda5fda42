"""The words of Chinese and English number talk: units, directions, hedges, dates, metric names.

Only words live here; the regular expressions are composed from them in `number_patterns.py` and
`mask_patterns.py`. Latin words are matched whole, in any case; a trailing `*` there marks a stem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Punctuation. The confusable ones are written as escapes.
SENTENCE_ENDS: Final = "。；！？"
CLAUSE_ENDS: Final = "，。；！？"
LIST_COMMA: Final = "、"
OPEN_PAREN: Final = "（"
CLOSE_PAREN: Final = "）"
COLON: Final = "："
YEN: Final = "¥\uffe5"
WAVES: Final = "~\uff5e\u301c"
CIRCLED: Final = "①-⑳"

# Numerals.
DIGITS: Final[Mapping[str, int]] = {
    "零": 0, "\u3007": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
PLACES: Final[Mapping[str, int]] = {"十": 10, "百": 100, "千": 1000}
MYRIADS: Final[Mapping[str, int]] = {"万": 10**4, "亿": 10**8}
POINT: Final = "点"
HALF_MARK: Final = "半"
ONE: Final = "一"
TAIL_QUANTA: Final[tuple[tuple[str, float], ...]] = (
    ("千万", 1e7), ("百万", 1e6), ("亿", 1e8), ("万", 1e4), ("千", 1e3),
)  # fmt: skip
PERCENT_OF: Final = "百分之"
PERMILLE_OF: Final = "千分之"
TENTHS: Final = "成"
NOT_AFTER_TENTHS: Final = "".join(("交本为功长立", "员果绩因分"))
NOT_BEFORE_NUMERAL: Final = "第前后周期"
LATIN_NUMBERS: Final[Mapping[str, int]] = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "fourteen": 14, "thirty": 30, "sixty": 60, "ninety": 90,
}  # fmt: skip

# Multipliers and units: word -> scale, word -> (unit, scale).
MULTIPLIERS: Final[Mapping[str, float]] = {
    "万亿": 1e12, "千万": 1e7, "百万": 1e6, "亿": 1e8, "万": 1e4, "千": 1e3,
}  # fmt: skip
LATIN_MULTIPLIERS: Final[Mapping[str, float]] = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "mn": 1e6, "bn": 1e9,
    "k": 1e3, "w": 1e4, "m": 1e6, "b": 1e9,
}  # fmt: skip
NOT_AFTER_THOUSAND: Final = "克米"
UNITS: Final[Mapping[str, tuple[str, float]]] = {
    "个百分点": ("pp", 1e-2), "百分点": ("pp", 1e-2), "个点": ("pp", 1e-2), "%点": ("pp", 1e-2),
    "个基点": ("pp", 1e-4), "基点": ("pp", 1e-4), "倍": ("x", 1.0), "元": ("money", 1.0),
    "块": ("money", 1.0), "单": ("count", 1.0), "人次": ("count", 1.0), "人": ("count", 1.0),
    "家店": ("count", 1.0), "家": ("count", 1.0), "店": ("count", 1.0), "次": ("count", 1.0),
    "行": ("count", 1.0), "条": ("count", 1.0), "个": ("count", 1.0), "项": ("count", 1.0),
    "笔": ("count", 1.0), "天": ("days", 1.0), "日": ("days", 1.0), "小时": ("min", 60.0),
    "分钟": ("min", 1.0), "秒": ("min", 1 / 60), "分": ("score", 1.0), "星": ("score", 1.0),
    "成": ("pct", 0.1), "位": ("rank", 1.0), "名": ("rank", 1.0),
}  # fmt: skip
NOT_AFTER_UNIT: Final[Mapping[str, str]] = {
    "分": "".join(("之店位别析布", "类为时配享", "成组级")),
    "成": NOT_AFTER_TENTHS,
    "单": "价均元位品笔",
    "人": "均",
    "日": "均",
    "店": "均铺",
    "个": "月",
    "条": "件",
    "项": "目",
    "次": "日",
}
SYMBOL_UNITS: Final[Mapping[str, tuple[str, float]]] = {
    "%": ("pct", 1e-2),
    "\u2030": ("pct", 1e-3),
}
LATIN_UNITS: Final[Mapping[str, tuple[str, float]]] = {
    "percentage points": ("pp", 1e-2), "percentage point": ("pp", 1e-2), "pp": ("pp", 1e-2),
    "ppt": ("pp", 1e-2), "ppts": ("pp", 1e-2), "bp": ("pp", 1e-4), "bps": ("pp", 1e-4),
    "basis points": ("pp", 1e-4), "percent": ("pct", 1e-2), "pct": ("pct", 1e-2),
    "times": ("x", 1.0), "x": ("x", 1.0), "yuan": ("money", 1.0), "cny": ("money", 1.0),
    "rmb": ("money", 1.0), "order": ("count", 1.0), "orders": ("count", 1.0),
    "shop": ("count", 1.0), "shops": ("count", 1.0), "store": ("count", 1.0),
    "stores": ("count", 1.0), "user": ("count", 1.0), "users": ("count", 1.0),
    "people": ("count", 1.0), "visitor": ("count", 1.0), "visitors": ("count", 1.0),
    "customer": ("count", 1.0), "customers": ("count", 1.0), "row": ("count", 1.0),
    "rows": ("count", 1.0), "day": ("days", 1.0), "days": ("days", 1.0),
    "minute": ("min", 1.0), "minutes": ("min", 1.0), "mins": ("min", 1.0), "min": ("min", 1.0),
    "hours": ("min", 60.0), "hour": ("min", 60.0), "seconds": ("min", 1 / 60),
    "point": ("score", 1.0), "points": ("score", 1.0), "stars": ("score", 1.0),
    "star": ("score", 1.0), "place": ("rank", 1.0), "places": ("rank", 1.0),
}  # fmt: skip
TIMES_SIGN: Final = "\u00d7"
TIMES_WORD: Final = "倍"
CURRENCIES: Final = ("RMB", "CNY")
NUMERAL_UNITS: Final = (
    "个百分点", "百分点", "家店", "家", "店", "天", "单", "倍", "人", "元", "行", "条", "次",
)  # fmt: skip

# Words that are numbers: word -> (value, quantum, direction).
WORD_NUMBERS: Final[Mapping[str, tuple[float, float, int]]] = {
    "翻了一番": (1.0, 0.1, 1), "翻一番": (1.0, 0.1, 1), "翻番": (1.0, 0.1, 1),
    "翻了一倍": (1.0, 0.1, 1), "翻倍": (1.0, 0.1, 1), "腰斩": (0.5, 0.1, -1),
    "减半": (0.5, 0.1, -1), "一半": (0.5, 0.1, 0), "doubled": (1.0, 0.1, 1),
    "tripled": (2.0, 0.1, 1), "halved": (0.5, 0.1, -1), "half": (0.5, 0.1, 0),
}  # fmt: skip
NOT_AFTER_HALF: Final = ("year", "years", "month", "an hour", "hour", "of the year")

# Ranges, ranks.
RANGE_WORDS: Final = ("至", "到")
LATIN_RANGE: Final = "to"
RANK_PREFIX: Final = "第"
RANK_SUFFIX: Final = ("名", "位")
RANK_WORDS: Final = ("排名", "名列", "位列", "位居", "排")
STEP_WORDS: Final = ("步", "点", "个", "项", "章", "节", "条", "类", "种", "次")
MEASURE_WORDS: Final = ("个", "条", "点", "大")
DISCOURSE_NOUNS: Final = (
    "原因", "建议", "方面", "步骤", "要点", "因素", "角度", "reasons", "reason", "steps",
    "factors", "suggestions", "aspects",
)  # fmt: skip

# Dates, times, windows.
YEAR: Final = "年"
MONTH: Final = "月"
DAYS: Final = "日号"
YEAR_TAIL: Final = "度"
MONTH_TAIL: Final = "份"
WEEK: Final = "周"
NOT_AFTER_DAY: Final = "均单店"
HOUR_WORDS: Final = "点时"
HOUR_TAILS: Final = ("半", "整", "钟")
MINUTE: Final = "分"
RECENT_WORDS: Final = ("近", "过去", "最近")
SPAN_WORDS: Final = ("前", "连续", "往前", "此前")
LATIN_RECENT: Final = ("last", "past", "trailing", "recent")
LATIN_SPAN: Final = ("previous", "prior", "next", "preceding", "consecutive")
WINDOW_UNITS: Final[Mapping[str, tuple[int, int]]] = {
    "天": (1, 1), "日": (1, 1), "周": (7, 7), "个星期": (7, 7), "星期": (7, 7),
    "个月": (28, 31), "月": (28, 31), "day": (1, 1), "days": (1, 1), "week": (7, 7),
    "weeks": (7, 7), "month": (28, 31), "months": (28, 31),
}  # fmt: skip
LATIN_MONTHS: Final = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
TOP_PREFIX: Final = "前"
BOTTOM_PREFIX: Final = "后"
NOT_BEFORE_TOP: Final = "".join(("目之以此先当", "日期空较比提"))
NOT_BEFORE_BOTTOM: Final = "".join(("之以此今最然", "随背前落"))
TOP_UNITS: Final = ("名", "家", "大", "位", "强", "店")
SCORE_SCALE: Final = ("满分", "分制", "out of")

# Directions. NEUTRAL words hold a direction's letters without its sense.
DOWN: Final = (
    "下降", "下滑", "减少", "下跌", "跌", "降低", "降", "回落", "缩水", "少了", "少", "低于",
    "低", "落后", "亏损", "亏", "掉", "负增长", "萎缩", "缩减", "下挫", "流失", "下行", "走低",
    "减", "declin*", "dropp*", "drop", "drops", "down", "fell", "fall*", "decreas*", "lower",
    "below", "lost", "lose", "loses", "losing", "behind", "reduc*", "shrank", "shrink*",
    "slid", "slipp*", "plung*", "slump*", "fewer", "less",
)  # fmt: skip
UP: Final = (
    "上升", "上涨", "增长", "提升", "增加", "涨", "升", "高于", "高出", "高", "多了", "多", "领先",
    "提高", "上行", "走高", "回升", "反弹", "增", "up", "rose", "rise", "rises", "risen",
    "rising", "increas*", "grew", "grow*", "gain*", "higher", "above", "ahead", "climb*",
    "jump*", "surg*",
)  # fmt: skip
NEUTRAL: Final = (
    "最高", "最低", "最多", "最少", "至少", "至多", "较高", "较低", "偏高", "偏低", "新高", "新低",
    "高达", "高峰", "低谷", "多家", "多数", "多少", "不少", "大多", "更高", "更低", "多个", "多店",
    "降序", "升序", "从高到低", "从低到高", "由高到低", "由低到高", "从大到小", "从小到大", "从多到少", "从少到多", "增值", "高频", "高效", "低效", "减免", "满减", "up to", "highest first", "lowest first",
)  # fmt: skip
CHANGE_NOUNS: Final[Mapping[str, int]] = {
    "降幅": -1, "跌幅": -1, "减幅": -1, "涨幅": 1, "增幅": 1, "升幅": 1, "增速": 1,
    "差距": 0, "差额": 0, "缺口": 0, "变化": 0, "变动": 0, "decline": -1, "drop": -1,
    "decrease": -1, "loss": -1, "reduction": -1, "increase": 1, "growth": 1, "gain": 1,
    "gap": 0, "change": 0, "difference": 0,
}  # fmt: skip
AFTER_DOWN: Final = (
    "降幅", "跌幅", "减幅", "decline", "drop", "decrease", "fall", "reduction", "lower", "below",
    "less", "fewer",
)  # fmt: skip
AFTER_UP: Final = (
    "涨幅", "增幅", "升幅", "increase", "growth", "gain", "rise", "higher", "above",
)  # fmt: skip
AFTER_OF_DOWN: Final = ("降幅", "跌幅", "减幅", "下降", "下滑", "下跌")
AFTER_OF_UP: Final = ("涨幅", "增幅", "升幅", "增长", "上升", "提升", "上涨")
OF_WORD: Final = "的"
COMPARED_TO: Final = ("高于", "低于", "above", "below")
TO_WORDS: Final = ("至", "到", "to", "reached", "reaching")
BE_WORDS: Final = ("为", "达", "是", "at", "was", "were", "is", "are", "有")
CONTRIBUTION: Final = (
    "贡献", "占比", "占", "份额", "share", "shares", "contribut*", "account*",
)  # fmt: skip

# Hedges.
ABOUT: Final = (
    "约", "大约", "近", "接近", "将近", "大概", "大致", "差不多", "about", "around", "roughly",
    "nearly", "approximately", "approx", "almost", "some",
)  # fmt: skip
ABOUT_SIGNS: Final = "\u2248~"
ABOUT_AFTER: Final = ("左右", "上下", "or so")
OVER: Final = ("超过", "超", "逾", "不止", "至少", "不低于", "over", "more than", "at least")
OVER_AFTER: Final = ("以上", "or more")
UNDER: Final = ("不足", "不到", "少于", "至多", "不超过", "不高于", "less than", "under",
                "at most", "up to")  # fmt: skip
UNDER_AFTER: Final = ("以下", "以内", "or less")
HEDGE_TAIL: Final = "了"

# Sentence moods.
HYPOTHETICAL: Final = (
    "如果", "若", "假如", "假设", "倘若", "要是", "恢复到", "if", "would", "could",
)  # fmt: skip
MEAN_WORDS: Final = ("平均", "均值", "avg", "average", "averages", "averaged", "mean")
EACH_WORDS: Final = (
    "均", "每", "avg", "average", "averages", "averaged", "mean", "daily", "per", "each", "a day",
)  # fmt: skip
BASE_WORDS: Final = (
    "上期", "上周", "上月", "去年", "同期", "基期", "此前", "previous", "prior", "last",
    "baseline", "earlier",
)  # fmt: skip
TOTAL_WORDS: Final = (
    "总", "整体", "合计", "全部", "全店", "全公司", "全国", "公司", "大盘", "共", "全体", "整个",
    "total", "overall", "all", "company", "combined", "sum", "whole", "altogether",
)  # fmt: skip
VERSUS_BETWEEN: Final = (
    "比", "较", "高于", "低于", "领先", "落后", "than", "above", "below", "ahead of", "behind",
)  # fmt: skip
VERSUS_BEFORE: Final = (
    "比", "较", "与", "和", "跟", "compared", "versus", "vs", "than", "against", "relative",
)  # fmt: skip
RATIO_BETWEEN: Final = ("是", "为", "相当于", "is", "was", "are")
SHOP_WORDS: Final = ("家", "店", "shops", "stores")
STORE_WORDS: Final = ("门店", "店", "号店", "shop", "store", "branch", "no.", "#", "|")

# Metric names used when the caller gives none, by metric key.
METRIC_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "grossAmt": ("营业额", "流水", "销售额", "交易额", "gross sales", "gross", "sales", "revenue",
                 "turnover", "gmv"),
    "incomeAmt": ("收入", "实收", "到手", "net income", "income", "payout"),
    "expenseAmt": ("支出", "费用", "expense", "costs"),
    "incomeRate": ("到手率", "实收率", "take-home rate", "take rate", "income rate"),
    "actualPayAmt": ("顾客实付", "实付金额", "paid amount", "customer paid"),
    "validOrderCnt": ("有效订单", "订单", "单量", "valid order", "order"),
    "invalidOrderCnt": ("无效订单", "取消订单", "退单", "invalid order", "cancelled order"),
    "invalidRate": ("无效订单率", "取消率", "cancellation rate", "invalid rate"),
    "aov": ("客单价", "笔单价", "average order value", "aov", "average ticket", "basket size"),
    "exposureUv": ("曝光", "exposure", "impression"),
    "visitUv": ("进店人数", "访客", "store visitor", "visit"),
    "orderUv": ("下单人数", "ordering user", "buyer"),
    "visitRate": ("进店率", "入店率", "visit rate", "ctr"),
    "orderRate": ("下单率", "转化", "order rate", "conversion", "cvr"),
    "newCustRate": ("新客占比", "新客率", "new customer share"),
    "subsidyRate": ("补贴率", "subsidy rate"),
    "promoSpendAmt": ("推广花费", "推广费", "ad spend", "promotion spend"),
    "promoRoi": ("投入产出比", "roi", "roas"),
    "shopScore": ("评分", "星级", "score", "rating"),
    "cookingMin": ("出餐时长", "出餐", "cooking", "prep time"),
    "overtimeRate": ("出餐超时率", "超时率", "late rate"),
    "badReviewCnt": ("差评", "bad review"),
    "rebuyRate30d": ("近30日复购", "复购率", "repurchase rate", "repeat rate"),
}  # fmt: skip
