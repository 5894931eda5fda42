"""The words that make claims: moves, extremes, ranks, comparisons, streaks, shares, and what takes a claim back.

Only words live here, by the kind of token they become. Latin words are matched whole; a trailing `*` marks a stem.
A longer entry wins over a shorter one, so `NEUTRAL` holds the words that contain a claim's letters without its sense.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Moves in time.
UP: Final = (
    
    "上升", "上涨", "增长", "提升", "增加", "提高", "上行", "走高", "回升", "反弹", "攀升", "上扬", "增多",
    "升至", "升到", "涨至", "涨到", "增至", "增到", "涨回", "升回", "涨了", "升了", "增了", "多了", "高了", "微升",
    "略升", "小升", "大涨", "微涨", "小涨", "略涨", "变多", "变高", "变大", "变长", "拉长", "延长", "走强", "回暖",
    "都涨", "都升", "均涨", "均升", "连涨", "连升", "在涨", "在升", "扭跌为升", "由降转升", "止跌回升", "不降反升",
    "由跌转涨", "转升", "转涨", "转正", "正增长", "走升", "激增", "猛增", "暴涨", "飙升", "看涨", "上调", "抬升", "爬升",
    "rose", "rise", "rises", "risen", "rising", "increas*", "grew", "grow", "grows", "grown", "growing", "climb*",
    "jumped", "jumps", "jump", "surg*", "gained", "gains", "gain", "advanced", "soar*", "rebound*", "recovered", "recovers", "up",
    "picked up", "edged up", "ticked up", "went up", "goes up", "go up", "moved up", "growth",
    "lengthened", "longer than before", "upward",
)  # fmt: skip
DOWN: Final = (
    "砍掉", "砍去", "砍了", "lost", "lose", "loses", "losing", "cut", "slashed", "easing", "eases",
    "下降", "下滑", "减少", "下跌", "降低", "回落", "缩水", "萎缩", "缩减", "下挫", "流失", "下行", "走低", "走弱",
    "滑落", "下探", "缩短", "变短", "变少", "变低", "变小", "负增长", "滑坡", "降至", "降到", "跌至", "跌到", "减至", "减到",
    "降了", "跌了", "少了", "减了", "低了", "微降", "略降", "大降", "小降", "大跌", "微跌", "小跌", "略跌", "都降", "都跌",
    "均降", "均跌", "连降", "连跌", "在降", "在跌", "由升转降", "由涨转跌", "不升反降", "不增反降", "转降", "转跌", "走跌",
    "锐减", "骤降", "暴跌", "跳水", "下调", "跌回", "降回", "落至", "滑至",
    "fell", "fall", "falls", "fallen", "falling", "declin*", "dropped", "drop", "drops", "dropping", "down", "decreas*",
    "slid", "slipp*", "slump*", "plung*", "shrank", "shrink*", "shrunk", "eased", "dipped", "dips", "sank", "tumbl*", "edged down",
    "ticked down", "went down", "goes down", "go down", "moved down", "contracted", "shortened", "reduced",
    "downward", "lost ground", "weakened",
)  # fmt: skip
FLAT: Final = (
    "持平", "不变", "没有变化", "没变", "无变化", "没有变", "未变", "走平", "保持不变", "维持不变", "原地踏步", "没有波动",
    "unchanged", "no change", "did not change", "flat", "stayed the same", "remained the same", "same as before", "level with before",
    "didn't change", "has not changed", "have not changed", "did not move", "stood still", "held at the same level",
)  # fmt: skip
STEADY: Final = (
    "平稳", "稳定", "基本持平", "大致持平", "大体持平", "几乎持平", "略微持平", "基本不变", "几乎不变", "变化不大", "基本稳定",
    "steady", "stable", "roughly flat", "broadly flat", "almost flat", "nearly flat", "little changed", "virtually flat", "almost unchanged",
    "virtually unchanged", "largely unchanged", "nearly unchanged", "practically unchanged", "essentially flat", "practically flat",
    "about flat", "roughly unchanged", "broadly unchanged", "largely flat", "more or less flat", "held steady", "essentially unchanged",
    "broadly stable", "roughly stable", "hardly moved", "barely moved", "barely changed", "hardly changed",
)  # fmt: skip
IMPROVED: Final = (
    "got better",
    "gets better",
    "get better",
    "改善",
    "好转",
    "转好",
    "向好",
    "变好",
    "有起色",
    "improv*",
    "better than before",
)
WORSENED: Final = (
    "恶化",
    "变差",
    "转差",
    "变坏",
    "转坏",
    "退步",
    "走坏",
    "worsen*",
    "deteriorat*",
    "got worse",
    "worse than before",
)
FASTER: Final = ("变快", "提速", "更快", "快了", "faster", "quicker", "sped up")
SLOWER: Final = ("变慢", "放慢", "减慢", "更慢", "慢了", "slower", "slowed down", "slowed")
CHANGE_UP: Final = ("涨幅", "增幅", "升幅", "增速", "增长率", "增量", "增长幅度", "上升幅度", "上涨幅度")
CHANGE_DOWN: Final = ("降幅", "跌幅", "减幅", "降速", "减量", "下降幅度", "下滑幅度", "下跌幅度")
CHANGE_ANY: Final = ("变化幅度", "变动幅度", "变幅", "变化", "变动", "波动", "change", "swing")

# Extremes. BEST and WORST need to know which way is good.
HIGHEST: Final = (
    "最高", "最多", "最大", "最长", "居首", "榜首", "首位", "领跑", "夺冠", "冠军", "第一名", "排名第一", "排第一", "位列第一",
    "居第一", "位居第一", "名列第一", "位居榜首", "位列榜首", "位居首位", "高居榜首", "拔得头筹", "一马当先", "最强", "头名",
    "最慢", "最旺", "最贵",
    "highest", "largest", "biggest", "greatest", "maximum", "longest", "leads", "led", "tops the list", "topped",
    "slowest", "most", "came first", "comes first", "ranks first", "ranked first", "top seller", "number one",
    "in first place", "is first", "was first", "are first", "is the leader", "was the leader", "came top", "comes top", "top shop", "top store", "top channel", "top region",
    "top department", "top-selling", "best-selling",
)  # fmt: skip
LOWEST: Final = (
    "最低", "最少", "最小", "最短", "垫底", "末位", "倒数第一", "最后一名", "排名最后", "排最后", "排在最后", "最弱", "居末",
    "位居末位", "位列末位", "敬陪末座", "排名末位", "榜尾", "最便宜",
    "lowest", "smallest", "least", "fewest", "minimum", "shortest", "comes last", "came last", "ranks last", "ranked last",
    "is last", "was last", "in last place", "at the bottom", "bottom of the list", "weakest", "is bottom", "bottom shop", "bottom store",
)  # fmt: skip
FASTEST: Final = ("最快", "fastest", "quickest")
STEEPEST: Final = (
    "最猛",
    "最狠",
    "最陡",
    "最剧烈",
    "steepest",
    "sharpest",
    "deepest",
    "hardest",
    "strongest",
)
BEST: Final = ("最好", "最佳", "最优", "最理想", "表现最好", "best", "best-performing")
WORST: Final = ("最差", "最坏", "最糟", "最不理想", "表现最差", "worst", "worst-performing", "poorest")
PEAK: Final = (
    "峰值", "顶峰", "最高点", "高点", "新高", "历史新高", "高峰", "见顶", "peaked", "peak", "peaks", "record high", "new high", "high point",
    "all-time high",
)  # fmt: skip
TROUGH: Final = (
    "谷底", "低谷", "最低点", "低点", "新低", "历史新低", "见底", "触底", "troughed", "trough", "bottomed", "bottomed out", "record low", "new low",
    "low point", "all-time low", "lowest point",
)  # fmt: skip

# Ranks; ordinals are read by a pattern.
LATIN_ORDINALS: Final[Mapping[str, int]] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
RANK_PREFIX: Final = "第"
FROM_BOTTOM: Final = "倒数"
RANK_TAIL: Final = "名位"
NOT_RANK: Final = "".join(("周季天次步点", "章节条类种日", "月年个期档批", "线方食轮"))
TOP_OF: Final = "前"
BOTTOM_OF: Final = "后末"
TOP_TAIL: Final = ("名", "家", "位", "大", "强", "店")
NOT_BEFORE_TOP: Final = "".join(("目之以此先当", "日期空较比提"))
NOT_BEFORE_BOTTOM: Final = "".join(("之以此今最然", "随背前落期"))
RANK_VERBS: Final = ("排名", "排在", "排到", "位列", "位居", "名列", "居", "排")
ORDINAL_HIGH: Final = "高大多长好"
ORDINAL_LOW: Final = "低小少短差"
NEXT_HIGH: Final = ("次高", "次多", "次大", "次之", "居次", "其次", "亚军", "第二名", "runner-up")
NEXT_LOW: Final = ("次低", "次少", "次小")
THIRD: Final = ("季军",)
IN_ORDER: Final = ("依次", "从高到低", "由高到低", "从多到少", "由多到少", "从大到小", "由大到小", "in that order", "in order", "in descending order",
                   "followed by")  # fmt: skip
IN_ASCENDING: Final = (
    "从低到高",
    "由低到高",
    "从少到多",
    "由少到多",
    "从小到大",
    "由小到大",
    "in ascending order",
)
NEXT_TO: Final = ("仅次于", "second only to", "next only to", "behind only")

# Comparisons.
ABOVE: Final = (
    "overtaken", "has overtaken", "have overtaken",
    "高于", "多于", "大于", "超过", "超出", "高出", "多出", "领先于", "领先", "胜过", "强于", "高过", "超越", "长于", "赶超", "反超", "多过", "压过",
    "exceed*", "outsold", "surpass*", "overtook", "overtakes", "ahead of", "above", "outpaced", "outpaces",
)  # fmt: skip
BELOW: Final = (
    "低于", "少于", "小于", "不及", "不如", "落后于", "落后", "逊于", "弱于", "短于", "低过", "少过", "below", "behind",
    "trails", "trailed", "trail", "lags", "lagged", "lag behind", "lags behind", "lagged behind", "falls short of", "fell short of",
)  # fmt: skip
BETTER: Final = ("优于", "好于", "好过", "beats", "beat", "outperform*", "better than")
WORSE: Final = ("差于", "劣于", "underperform*", "worse than")
SAME: Final = (
    "相同", "一样", "相等", "并列", "打平", "平手", "一致", "同为", "不相上下", "equals", "equal to", "same as", "the same", "tied with", "ties with", "tie with",
    "level with", "matches", "matched", "tied", "on a par with", "equal", "identical", "in line with",
)  # fmt: skip
THAN: Final = ("比", "than")
VERSUS: Final = (
    "较", "相比", "相较", "比起", "对比", "compared with", "compared to", "versus", "vs", "vs.", "relative to", "against", "from the",
    "与上", "较上",
)  # fmt: skip
MORE: Final = (
    "更高",
    "更多",
    "更大",
    "更长",
    "高出",
    "多出",
    "高",
    "多",
    "大",
    "长",
    "higher",
    "more",
    "larger",
    "greater",
    "bigger",
    "longer",
)
LESS: Final = (
    "更低",
    "更少",
    "更小",
    "更短",
    "低",
    "少",
    "小",
    "短",
    "lower",
    "less",
    "fewer",
    "smaller",
    "shorter",
)
COMPARE_BETTER: Final = ("更好", "好", "更优", "better", "ahead")
COMPARE_WORSE: Final = ("更差", "差", "worse")

# Streaks.
STREAK: Final = (
    "连续",
    "接连",
    "一连",
    "in a row",
    "straight",
    "consecutive",
    "running",
    "on end",
    "back-to-back",
    "successive",
)
STEPWISE: Final = (
    
    "逐周", "逐月", "逐日", "逐天", "逐季", "逐年", "每周都", "每月都", "每天都", "周周", "月月", "天天", "每个月都", "每一周都",
    "every week", "every month", "every day", "each week", "each month", "each day", "week after week", "month after month",
    "day after day", "week by week", "month by month", "day by day",
)  # fmt: skip
GRAINS: Final[Mapping[str, str]] = {
    "周": "week", "个星期": "week", "星期": "week", "个月": "month", "月": "month", "天": "day", "日": "day", "季度": "quarter", "个季度": "quarter",
    "年": "year", "week": "week", "weeks": "week", "weekly": "week", "month": "month", "months": "month", "monthly": "month",
    "day": "day", "days": "day", "daily": "day", "quarter": "quarter", "quarters": "quarter", "quarterly": "quarter",
    "year": "year", "years": "year",
}  # fmt: skip

# Shares and multiples.
SHARE: Final = (
    "来自", "源自", "出自",
    "占", "占比", "占到", "占了", "贡献", "份额", "占据", "account*", "contribut*", "share", "makes up", "made up", "make up", "represents", "represented",
    "comes from", "came from", "come from", "brings in", "brought in", "generated", "generates", "of the total", "of all", "of total",
)  # fmt: skip
FRACTIONS: Final[Mapping[str, float]] = {
    "一半": 0.5, "半数": 0.5, "过半": 0.5, "half": 0.5, "half of": 0.5, "half the": 0.5, "a third": 1 / 3, "one third": 1 / 3, "one-third": 1 / 3,
    "two thirds": 2 / 3, "two-thirds": 2 / 3, "a quarter": 0.25, "one quarter": 0.25, "one-quarter": 0.25,
    "three quarters": 0.75, "three-quarters": 0.75, "a fifth": 0.2, "one fifth": 0.2, "one-fifth": 0.2, "two fifths": 0.4,
    "two-fifths": 0.4, "three fifths": 0.6, "three-fifths": 0.6, "four fifths": 0.8, "a tenth": 0.1, "one tenth": 0.1,
    "one-tenth": 0.1, "one in three": 1 / 3, "one in four": 0.25, "one half": 0.5,
}  # fmt: skip
PART_OF: Final = "分之"
TENTHS: Final = "成"
HALF_MARK: Final = "半"
NOT_AFTER_TENTHS: Final = "".join(("交本为功长立", "员果绩因分了"))
MULTIPLES: Final[Mapping[str, float]] = {
    "翻了一番": 2, "翻一番": 2, "翻番": 2, "翻了一倍": 2, "翻倍": 2, "翻了番": 2, "增长一倍": 2, "增加一倍": 2, "增长了一倍": 2, "翻了两番": 4,
    "腰斩": 0.5, "减半": 0.5, "减少一半": 0.5, "下降一半": 0.5, "少了一半": 0.5, "跌去一半": 0.5, "doubled": 2, "doubling": 2, "doubles": 2, "tripled": 3, "tripling": 3,
    "halved": 0.5, "halving": 0.5, "quadrupled": 4, "fell by half": 0.5, "cut in half": 0.5, "dropped by half": 0.5, "down by half": 0.5,
}  # fmt: skip
TIMES_OF: Final[Mapping[str, float]] = {
    "两倍": 2, "二倍": 2, "三倍": 3, "四倍": 4, "五倍": 5, "六倍": 6, "一倍": 1, "twice": 2, "double the": 2, "triple the": 3, "three times": 3,
    "four times": 4, "five times": 5, "half as": 0.5, "half that of": 0.5, "two times": 2, "thrice": 3,
}  # fmt: skip
OVER: Final = (
    "well over", "comfortably over", "far more than", "well above","超过", "超", "逾", "不止", "多于", "高于", "大于", "至少", "不低于", "不少于", "突破", "超出", "站上",
               "over", "more than", "at least", "above", "exceed*", "well over", "greater than", "upwards of", "north of",
               "topped", "no less than", "just over", "slightly over", "slightly more than", "just above")  # fmt: skip
OVER_AFTER: Final = ("以上", "多", "有余", "or more")
UNDER: Final = ("不足", "不到", "少于", "低于", "不超过", "不高于", "至多", "小于", "未达", "未到", "跌破", "未满", "不及",
                "under", "less than", "fewer than", "below", "at most", "no more than", "just under", "slightly under", "short of")  # fmt: skip
UNDER_AFTER: Final = ("以下", "以内", "or less", "or fewer")
ABOUT: Final = ("约", "大约", "近", "接近", "将近", "大概", "大致", "差不多", "几乎", "about", "around", "roughly", "nearly", "approximately", "almost",
                "close to", "some", "or so")  # fmt: skip
ABOUT_AFTER: Final = ("左右", "上下", "or so")

# Quantity.
ALL: Final = (
    "每天", "每周", "每月", "每日", "每个月", "每一天", "每一周", "every day", "every week", "every month", "each day", "each week", "each month",
    "所有", "全部", "各", "每家", "每个", "每一家", "每间", "全都", "无一例外", "各家", "各个", "个个", "家家", "统统", "悉数",
    "all", "every", "each", "without exception",
)  # fmt: skip
BOTH: Final = ("都", "均", "皆", "也都", "双双", "both", "too", "alike")
NONE: Final = (
    "没有一家", "没有一个", "无一", "没有任何", "没有哪家", "没有哪个", "没有一天", "没有一周", "没有门店", "没有店", "一家都没有", "没有渠道", "没有哪一家",
    "没有一个月", "没有哪一天", "没有哪一周", "没有区",
    "none of", "no shop", "no store", "no channel", "no region", "no department", "not one", "neither", "none", "not a single", "no week", "no day",
    "no month", "nobody",
)  # fmt: skip
ONLY: Final = ("只有", "仅有", "唯独", "唯一", "仅", "只", "only", "alone", "sole", "solely", "the lone")
MOST: Final = (
    "多数", "大多数", "大部分", "大半", "绝大多数", "大多", "most of", "majority", "the majority", "more shops than not", "most shops", "most stores",
    "most channels", "most regions", "most departments", "most days", "most weeks", "most months", "bulk",
)  # fmt: skip
EXCEPT: Final = ("除了", "除", "except for", "except", "apart from", "other than", "all but", "excluding", "aside from", "besides", "with the exception of",
                 "everyone but", "everything but", "everybody but", "each but", "nobody but")  # fmt: skip
REST: Final = (
    "其余", "其他", "其它", "另外", "剩下", "余下", "另一家", "另一个", "另两家", "另", "the other", "the others", "others", "other", "the rest", "remaining",
)  # fmt: skip
FIRST: Final = (
    "首次",
    "第一次",
    "首度",
    "头一次",
    "头一回",
    "for the first time",
    "first time",
    "the first time",
    "first ever",
    "first-ever",
)

# What a word is about.
WHOLE: Final = (
    "整体", "合计", "总体", "总计", "总的", "全公司", "全店", "大盘", "全体", "整个", "总", "全国", "公司", "共计", "全渠道", "全网", "总共",
    "overall", "total", "in total", "combined", "company-wide", "the company", "the chain", "altogether", "as a whole", "chain-wide",
    "across all", "in all", "across the board", "across the",
)  # fmt: skip
TOGETHER: Final = (
    "合计",
    "加起来",
    "合起来",
    "总和",
    "共占",
    "共",
    "together",
    "combined",
    "between them",
    "in sum",
    "sum of",
    "jointly",
)
MEAN: Final = ("平均", "均值", "日均", "周均", "店均", "每家店平均", "average", "mean", "avg", "per day", "per shop", "per store", "a day", "per week", "averaged",
               "averages", "averaging", "median", "中位数")  # fmt: skip
NOUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "门店": ("shop", "store"), "店铺": ("shop", "store"), "家店": ("shop", "store"), "店": ("shop", "store"), "家": ("shop", "store"),
    "渠道": ("channel",), "大区": ("region",), "区域": ("region",), "地区": ("region",), "区": ("region",), "部门": ("department", "dept"),
    "品牌": ("chain", "brand"), "连锁": ("chain", "brand"), "城市": ("city",), "个渠道": ("channel",), "个区": ("region",), "个大区": ("region",),
    "个部门": ("department", "dept"),
    "shop": ("shop", "store"), "shops": ("shop", "store"), "store": ("store", "shop"), "stores": ("store", "shop"), "channel": ("channel",),
    "channels": ("channel",), "region": ("region",), "regions": ("region",), "department": ("department", "dept"),
    "departments": ("department", "dept"), "branch": ("shop", "store"), "branches": ("shop", "store"), "outlets": ("shop", "store"),
    "chains": ("chain", "brand"), "brands": ("chain", "brand"), "cities": ("city",),
}  # fmt: skip
OTHER_NOUNS: Final = (
    "指标",
    "项",
    "数字",
    "metrics",
    "metric",
    "figures",
    "measures",
    "indicators",
    "numbers",
    "原因",
    "问题",
)

# Time.
BASE: Final = (
    "上期", "上周", "上月", "上个月", "上一周", "上一期", "前一周", "前一天", "前一日", "前一月", "上一月", "去年", "去年同期", "同期", "基期", "此前", "之前",
    "前期", "环比", "同比", "昨日", "上年", "上季度", "对比期", "上一天", "前一期", "前一个月", "上个周期", "原来", "原先",
    "previous", "prior", "last week", "last month", "last year", "baseline", "earlier", "before", "a week earlier", "a week ago",
    "the week before", "the day before", "the month before", "year on year", "week on week", "month on month", "day on day",
    "previously", "preceding", "year over year", "week over week", "month over month", "period before", "the period before", "formerly",
    "a month earlier", "a day earlier", "a year earlier", "last period", "had been",
)  # fmt: skip
NOW: Final = (
    "本期", "本周", "本月", "当期", "当前", "目前", "现在", "今年", "最新", "最近一周", "最近一天", "最近一个月", "本季度", "如今", "最后一周", "最后一天",
    "最后一个月", "最新一周", "最新一天", "最新一个月", "this week", "this month", "now", "currently", "this period", "latest", "current", "most recent",
    "today", "this time", "last day", "final week", "final month", "the last week of", "final day",
)  # fmt: skip
SINCE: Final = ("起", "以来", "开始", "自", "since", "onward", "onwards", "starting", "从", "from")
AFTERWARDS: Final = (
    "随后", "此后", "其后", "之后", "后来", "接着", "紧接着", "接下来", "后", "又", "then", "afterwards", "later", "after", "subsequently", "next", "following",
    "thereafter", "since then",
)  # fmt: skip
ONCE: Final = ("曾", "一度", "曾经", "once", "at one point", "at some point", "had been")
YEAR_WORDS: Final = (
    "同比",
    "去年",
    "去年同期",
    "上年",
    "year on year",
    "year over year",
    "last year",
    "a year earlier",
    "year-on-year",
)

# Negation and what takes the whole statement back.
NOT: Final = (
    "险些", "差点", "差一点", "近乎",
    "没有", "并没有", "没", "未", "并未", "未能", "不", "不再", "并不", "不会", "无", "不是", "并非", "非", "绝非", "没能", "从未", "尚未", "未见", "不算",
    "not", "n't", "never", "no", "nor", "without", "hardly", "no longer", "didn't", "wasn't", "isn't", "doesn't", "don't", "weren't", "aren't",
    "hasn't", "haven't", "cannot", "can't", "won't", "neither", "far from", "failed to", "rather than", "instead of", "而不是", "而非",
)  # fmt: skip
SUPPOSED: Final = (
    "如果", "若", "假如", "假设", "倘若", "要是", "假定", "倘", "一旦", "即使", "即便", "除非", "只要", "无论", "不论", "不管", "万一", "本来会", "原本会",
    "if", "would", "could", "might", "unless", "assuming", "suppose", "supposing", "provided", "in case", "had it", "were it", "whether",
    "even if", "should have", "could have", "no matter", "regardless", "whenever", "hypothetically",
)  # fmt: skip
EXPECTED: Final = (
    "预计", "预测", "有望", "将会", "将", "可能", "或许", "也许", "恐怕", "估计", "料将", "预期", "未来", "下周", "下月", "下个月", "明年", "明天", "下一周",
    "后续", "或将", "大概率", "展望", "会继续", "会", "似乎", "看似", "看起来",
    "expect*", "forecast*", "will", "likely", "outlook", "predict*", "project", "projected", "next week", "next month", "next year", "tomorrow", "may",
    "perhaps", "possibly", "probably", "seems", "appears", "going to", "set to", "on track to", "anticipat*", "shall", "looks set",
)  # fmt: skip
ADVISED: Final = (
    "建议", "应", "应该", "应当", "需要", "需", "请", "可以", "争取", "希望", "力争", "目标", "计划", "避免", "防止", "优先", "务必", "不妨", "想要", "为了", "以便",
    "是否", "能否", "有没有", "会不会", "是不是", "为什么", "为何", "怎么", "多少", "哪家", "哪个", "哪些", "谁",
    "should", "recommend*", "suggest*", "consider", "try", "aim", "aims", "goal", "target", "targets", "plan", "plans", "let us", "let's",
    "need to", "needs to", "must", "ought", "want", "please", "advise*", "hope*", "to avoid", "to prevent", "in order to", "so that", "ask",
    "which shop", "why", "how much", "how many",
)  # fmt: skip
DENIED: Final = (
    "不成立", "不属实", "不准确", "有误", "是错的", "不正确", "不符", "不实", "错误", "并不成立", "站不住脚", "误以为", "误传", "谣言", "不能说", "谈不上",
    "说不上", "不能认为", "不等于", "误解", "并非如此", "不对", "看不出", "无法判断", "不能得出", "无法得出", "未能证实", "没有证据", "不代表", "传言", "有人说",
    "问题里说", "问题中说", "提问说", "the question speaks", "the question says", "the question assumes", "asked why",
    "有人认为", "据说", "声称", "所谓", "以为", "说法", "质疑", "反驳", "假象", "不支持", "无从得知", "无法确认", "不能证明", "纠正",
    "not true", "untrue", "is false", "was false", "is wrong", "was wrong", "does not hold", "do not hold", "incorrect", "inaccurate", "contrary to",
    "mistaken*", "myth", "rumour", "rumor", "claim that", "claims that", "claimed", "no evidence", "cannot be said", "does not mean", "supposedly", "allegedly",
    "misread*", "not the case", "no support", "does not show", "do not show", "does not support", "do not support", "rejected", "refut*",
    "disprov*", "the idea that", "the notion", "the belief", "impression", "unfounded", "cannot say", "not supported", "cannot conclude", "so-called",
    "contradict*", "far from true", "nonsense", "debunk*",
)  # fmt: skip
QUOTES: Final = (
    ("\u201c", "\u201d"),
    ("\u300c", "\u300d"),
    ("\u300e", "\u300f"),
    ("\u300a", "\u300b"),
    ("\u2018", "\u2019"),
)
QUESTION: Final = ("\uff1f", "?", "吗", "呢")

# Words that hold a claim's letters without its sense.
NEUTRAL: Final = (
    "不到", "不足", "不超过", "不低于", "不少于", "不高于", "不止", "未达", "未到", "未满", "no more than", "no less than",
    "share the", "shares the", "shared the", "double-check", "double check",
    "最近", "最新", "最终", "最后", "至少", "至多", "较高", "较低", "偏高", "偏低", "高达", "多达", "多少", "不少", "高频", "高效", "降序", "升序",
    "增值", "满减", "减免", "立减", "降价", "涨价", "升级", "降级", "降本", "提升空间", "下降空间", "上升空间", "不大", "多种", "多个", "多家", "多次", "多店", "差距",
    "差异", "差别", "差额", "大家", "大小", "大幅", "大约", "大致", "大概", "小幅", "小时", "小程序", "长期", "短期", "高峰期", "低峰", "好评", "差评", "好在", "最大程度",
    "更新", "增长点", "增长乏力", "增加值", "低价", "高价", "高低", "大小", "多少", "长短", "较好", "较差", "较大", "较小", "较多", "较少", "至今", "占位", "几乎",
    "过半数", "除此之外", "此外", "另外", "除外", "其中", "当中", "期间", "中间", "以下", "以上", "如下", "上下", "左右", "高位", "低位", "将近", "将其", "即将", "会员",
    "机会", "社会", "会议", "总结", "都市", "公司", "各自", "各类", "各项", "各种", "没有数据", "没有记录", "只看", "不含", "不包括", "较快", "较慢", "水平", "平台", "需求", "需求量",
    "请见", "请看", "请注意", "应收", "应付", "对应", "相应", "反应", "响应", "供应", "适应", "效应", "必须", "急需", "只需", "后厨", "后台", "售后", "前后", "先后", "日后", "不同", "不仅", "不但", "不只",
    "不光", "不过", "而且", "一起", "起到", "引起", "自营", "自己", "自动", "自提", "自然", "从而", "从业", "共同", "公共", "只是", "近期", "附近", "最近", "超市", "超时", "超时率", "同样", "一样多", "样本",
    "up to", "made up of", "sum up", "follow up", "back up", "set up", "add up", "adds up", "added up", "look up", "end up", "ended up", "start-up", "break down", "breakdown", "broken down", "down to",
    "most likely", "most recent", "most recently", "most important", "mostly", "at most", "at least", "at best", "at worst", "at first", "at last", "first of all", "first half", "second half", "top of",
    "on top", "such as", "as well as", "less than ideal", "more or less", "no more", "no later", "no doubt", "straight away", "straightforward", "above all", "the above", "as above", "see below", "listed below",
    "shown below", "below the", "table below", "rising star", "fall back on", "lead time", "all-in", "after all", "at all", "in between", "not only", "only then", "the same period", "same period", "in the same", "the same week",
    "the same day", "the same month", "same-store", "like-for-like", "same store", "better understand", "each other", "one another", "more data", "more detail", "more details", "further", "even so", "once again", "once more",
    "long-term", "short-term", "longer-term", "in other words", "on the other hand", "other words", "the other hand", "market share", "leading to", "led to", "leads to", "least squares", "one half of the week",
    "no. ", "number of", "followed closely by", "gap", "gaps", "差距扩大", "change in mix", "second path", "first path", "let alone",
)  # fmt: skip

# Joints between parts of a sentence, and between the members of a list.
LIST_JOINTS: Final = (
    "、",
    "和",
    "与",
    "及",
    "以及",
    "跟",
    "同",
    "and",
    "&",
    "or",
    "plus",
    "/",
    "as well as",
    "还有",
)
CLAUSE_JOINTS: Final = (
    "而", "但", "但是", "却", "同时", "不过", "然而", "而且", "并且", "并", "随后", "其中", "此外", "另外",
    "while", "but", "whereas", "though", "although", "yet", "however", "with",
)  # fmt: skip
CLAUSE_ENDS: Final = "，；;\u2014"
RESPECTIVELY: Final = ("分别", "依次", "respectively")
OF: Final = "的"
IS_WORDS: Final = ("是", "为", "属于", "：", ":", "有", "is", "was", "are", "were", "belongs to", "belonged to", "goes to", "went to", "came at", "came in",
                   "at", "in", "on", "by", "came from", "comes from", "among", "came on", "fell on", "of", "即", "出现在", "发生在", "在", "于", "当属", "非", "数")  # fmt: skip
BETWEEN_WORDS: Final = ("中", "里", "内", "among", "of the", "out of", "当中", "之中", "within")
FROM_WORDS: Final = ("从", "由", "自", "from", "was", "原为", "原来的")
TO_WORDS: Final = ("至", "到", "为", "to", "达", "达到", "at", "reached", "reaching")
PLACE_WORDS: Final = ("at", "in", "for", "from", "by", "on", "of", "during", "via", "through")
SPEAKS_SUM: Final = ("sold", "sell", "sells", "卖", "earned", "took")
HEAD_STOPS: Final = "，。；、（）：,.;:()!！？?\n"
SUM_METRICS: Final = ("sales", "销售额", "营业额", "revenue")
ADVERBS: Final = ("一路", "持续", "不断", "steadily", "continuously", "consistently", "略有", "略", "微", "小幅", "大幅", "明显", "显著", "继续", "再次", "又", "也", "都", "均", "已", "已经", "有所", "出现", "稍", "稍有", "更", "再",
                  "any", "significantly", "slightly", "sharply", "really", "actually", "even", "also", "see", "show", "a", "the", "change", "in", "been", "出现了")  # fmt: skip
CJK_WEEK: Final = "周"
CJK_DAY: Final = "日号"
CJK_MONTH: Final = "月"
CJK_MONTH_TAIL: Final = "份"
CJK_QUARTER: Final = "季度"
CJK_RANGE: Final = ("至", "到")
CJK_YEAR: Final = "年"
COUNT_UNITS: Final = (
    "家",
    "个",
    "天",
    "周",
    "间",
    "座",
    "月",
    "个月",
    "日",
    "shops",
    "stores",
    "channels",
    "regions",
    "departments",
    "weeks",
    "days",
    "months",
    "branches",
)
ZERO: Final = ("零", "为零", "为0", "zero")
OF_THE: Final = ("中有", "里有", "中的", "of the", "of", "out of", "中")
PERSISTS: Final = ("had", "has", "have", "recorded", "posted", "saw", "sees", "with", "无")
TIMES_CHAR: Final = "倍"
GAP_NOUNS: Final = ("差距", "gap", "difference", "之差", "差额", "差")
LEAST_ADVERB: Final = ("of", "the")
POINTS: Final = "个百分点"
MEASURE: Final = "个"
AMONG: Final = "(?:之)?[中里](?:只|仅|有|，)*"
MORE_THAN_HALF: Final = ("过半",)
ONE_OF: Final = "一"
AMONG_WORDS: Final = ("中", "里", "之间", "当中")
AMONG_CHARS: Final = "中里"
SLOW_WORDS: Final = ("最慢", "slowest")
FOLLOWERS: Final = ("次之", "居次", "其次")
EXPLICIT_RANK: Final = ("高", "多", "大", "长", "high", "larg", "most", "big", "great", "long")


def is_explicit(rank: str) -> bool:
    """Whether a rank says from which end it counts: "second highest"."""
    return any(word in rank for word in EXPLICIT_RANK)


MONTH_NAMES: Final = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?",
    "dec(?:ember)?",
)  # fmt: skip
STREAK_MOVES: Final[Mapping[str, int]] = {"涨": 1, "升": 1, "跌": -1, "降": -1}
STREAK_MARK: Final = "连"
UNIT_COUNTS: Final = (
    "家",
    "店",
    "家店",
    "个",
    "项",
    "条",
    "行",
    "天",
    "日",
    "shop",
    "shops",
    "store",
    "stores",
    "row",
    "rows",
    "day",
    "days",
)
STREAK_LATIN: Final = ("straight", "consecutive", "successive")
NOTHING: Final = ("没有", "无", "没", "no", "without", "并没有")
# Populations whose values are not among the cells of the entities.
OUTSIDE: Final = (
    "相反", "opposite", "the reverse",
    "同行", "同业", "行业", "竞品", "竞争对手", "商圈", "友商", "平均排名", "peer", "peers", "rival", "rivals", "competitor*", "industry",
    "market average", "the market", "average rank",
)  # fmt: skip
LEAD_VERBS: Final = ("leads", "led", "topped")
FIRST_TIME: Final = tuple(
    f"first {grain} {tail}"
    for grain in ("day", "week", "month", "quarter")
    for tail in ("it", "that", "when", "in which", "with")
)
SOLD: Final = ("sold", "sell", "sells", "selling", "sales", "卖")
JOINS_IN_TIME: Final = ("before", "after", "until")
MULTIPLIED: Final = ("翻了", "翻", "增长了", "增长", "增加了", "增加", "涨了")
DONE: Final = "了"
INCLUSIVE: Final = (
    "至少",
    "不低于",
    "不少于",
    "以上",
    "at least",
    "no less than",
    "or more",
    "至多",
    "不超过",
    "不高于",
    "以内",
    "以下",
    "at most",
    "no more than",
    "or less",
    "or fewer",
)
LEVEL_BOUNDS: Final = ("below", "above", "under", "低于", "高于", "跌破", "突破", "站上", "past")

# --- what the finders do not read: a refutation in its reach is withdrawn -----------------------------

# Another time than the one named: what follows is told of it.
OTHER_TIME: Final = (
    "次日", "翌日", "第二天", "次周", "次月", "此后", "之后", "随后", "其后", "后来", "再没有", "再也没", "在此之前", "此前",
    "next day", "day after", "following day", "following week", "week after", "afterwards", "thereafter", "since then",
    "recovery began", "by then", "never again",
)  # fmt: skip
# A base for everything in the sentence: "compared with May, sales fell and orders rose".
AGAINST: Final = (
    "相比",
    "相较",
    "对比",
    "比起",
    "较之",
    "compared with",
    "compared to",
    "against",
    "relative to",
    "versus",
    "vs",
)
# A figure of before beside the one of now.
OF_BEFORE: Final = (
    "由",
    "从",
    "自",
    "原为",
    "from",
    "was",
    "were",
    "before",
    "previously",
    "earlier",
    "上期",
    "此前",
    "原来",
)
SET_AGAINST: Final = ("versus", "vs", "against", "compared", "对", "比")
# Everybody but those named, somewhere in the sentence.
THE_OTHERS: Final = (
    "其余",
    "其他",
    "另外",
    "剩下",
    "elsewhere",
    "everywhere else",
    "everyone else",
    "the others",
    "the rest",
    "others",
)
# A whole that a figure is a part of: "35,000 of the 37,650 increase".
OF_A_WHOLE: Final = ("of the", "of its", "of an")
NEVER: Final = ("没", "不", "未", "无", "not", "never", "no longer", "nor", "without", "n't")
RELATIVE: Final = ("的有", "的共", "的只", "的仅", "的达")
DESCRIBED: Final = (
    "one",
    "ones",
    "shop",
    "shops",
    "store",
    "stores",
    "two",
    "three",
    "four",
    "other",
    "latter",
    "former",
    "both",
)
BARE_JOINTS: Final = ("and", "&", "to", "or", "和", "与", "至", "到", "、", "-", "\u2013")
WHOLE_ONES: Final = ("完整的", "整月", "整周", "whole", "complete", "full weeks", "full months")
