"""The closed word lists of the grammar, Chinese and English.

Words of analysis only: no entry names an entity, a metric of one model or a whole sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

Words = tuple[str, ...]

# --- grains --------------------------------------------------------------------------------------
GRAINS: Mapping[str, Words] = {
    "date": ("每一天", "每天", "每日", "逐日", "逐天", "日度", "各天", "按天", "按日", "分天", "分日", "日粒度",
             "daily", "by day", "by date", "each day", "every day", "day by day", "per date"),
    "week": ("每一周", "每周", "周度", "逐周", "各周", "按周", "分周", "每个星期", "按星期", "周粒度", "weekly",
             "by week", "each week", "every week", "week by week"),
    "month": ("每个月", "每月", "月度", "逐月", "各月份", "各月", "各个月", "按月份", "按月", "分月", "月粒度",
              "monthly", "by month", "each month", "every month", "month by month"),
    "quarter": ("每个季度", "每季度", "各季度", "逐季", "按季度", "分季度", "按季", "每季", "quarterly",
                "by quarter", "each quarter", "every quarter", "quarter by quarter"),
    "year": ("每一年", "每年", "各年度", "各年", "逐年", "年度", "按年份", "按年", "分年", "yearly", "annual",
             "annually", "by year", "each year", "every year", "year by year"),
}  # fmt: skip
UNITS: Mapping[str, Words] = {
    "date": ("一天", "那天", "天", "日", "哪天", "哪一天", "哪几天", "什么时候", "何时", "when is", "when was", "when were", "when are", "days", "day", "date", "dates"),
    "week": ("一周", "那周", "周", "星期", "礼拜", "哪周", "哪一周", "weeks", "week"),
    "month": ("一个月", "那个月", "月份", "个月", "月", "哪个月", "哪月", "哪几个月", "months", "month"),
    "quarter": ("季度", "哪个季度", "quarters", "quarter"),
    "year": ("年份", "哪年", "哪一年", "years", "year"),
}  # fmt: skip

# --- levels and structure ------------------------------------------------------------------------
SHOP_WORDS: Words = ("门店", "店铺", "分店", "店面", "商店", "餐厅", "店", "stores", "store", "shops", "shop",
                     "outlets", "outlet", "branches", "branch", "restaurants", "restaurant")  # fmt: skip
CHAIN_WORDS: Words = ("品牌", "连锁", "连锁品牌", "牌子", "brands", "brand", "chains", "chain", "banner",
                      "banners")  # fmt: skip
COMPANY_WORDS: Words = ("全公司", "公司", "集团", "企业", "总部", "companies", "company", "group",
                        "groups", "corporation")  # fmt: skip
LEVEL_GROUPS: tuple[Words, ...] = (SHOP_WORDS, CHAIN_WORDS, COMPANY_WORDS)
NAME_TAILS: Words = ("旗舰店", "专卖店", "体验店", "分店", "门店", "店铺", "餐厅", "店", "集团", "公司", "品牌",
                     "flagship store", "stores", "store", "shops", "shop", "outlet", "branch",
                     "restaurant", "group", "company")  # fmt: skip
EACH: Words = ("按照", "各个", "各家", "各大", "每一个", "每一家", "每个", "每家", "每间", "每", "各", "按", "分",
               "逐", "区分", "拆分到", "细分到", "for each", "for every", "by each", "by", "per", "each",
               "every", "across", "broken down by", "breakdown by", "break down by", "split by",
               "grouped by", "group by", "segmented by")  # fmt: skip
SEPARATELY: Words = ("分别是", "分别", "各是", "各自", "respectively", "separately", "individually")
ALL_OF: Words = ("所有的", "所有", "全部", "全体", "all of the", "all the", "all of our", "all our", "all")
WHOLE: Words = ("整体", "总体", "全局", "大盘", "合计", "总共", "一共", "总计", "总的", "总", "共计", "累计", "全公司",
                "全部加起来", "overall", "total", "in total", "altogether", "combined",
                "company-wide", "company wide", "companywide", "aggregate", "as a whole")  # fmt: skip
WHICH_ONE: Words = ("哪一家", "哪家", "哪个", "哪一个", "谁", "which one", "which", "who")
SEVERAL: Words = ("几家", "几个", "那些")  # after a superlative: more than one row
WHICH_MANY: Words = ("哪几家", "哪几个", "哪些家", "哪些", "which ones", "which")
AND: Words = ("以及", "还有", "和", "与", "及", "跟", "、", "同", "并且", "并", "and", "&", "plus", "as well as",
              "along with")  # fmt: skip

# --- ranking ---------------------------------------------------------------------------------------
HIGHEST: Words = ("最高的", "最高", "最多的", "最多", "最大的", "最大", "最厉害", "最严重", "最狠", "最长", "最贵", "最久", "highest", "most",
                  "largest", "biggest", "greatest", "top", "maximum", "max", "longest", "leading",
                  "busiest", "the most")  # fmt: skip
LOWEST: Words = ("最低的", "最低", "最少的", "最少", "最小的", "最小", "最短", "最便宜", "lowest", "least",
                 "fewest", "smallest", "minimum", "min", "shortest", "bottom",
                 "the least")  # fmt: skip
BEST: Words = ("最好的", "最好", "最强", "最佳", "最优", "最棒", "领先", "best", "best performing",
               "best-performing", "strongest")  # fmt: skip
WORST: Words = ("最差的", "最差", "最糟", "最弱", "垫底的", "垫底", "worst", "worst performing",
                "worst-performing", "weakest", "poorest")  # fmt: skip
SLOWEST: Words = ("最慢的", "最慢", "slowest")
FASTEST: Words = ("最快的", "最快", "fastest", "quickest")
PRICEY: Words = ("最贵", "most expensive", "priciest")
CHEAP: Words = ("最便宜", "cheapest")
ASCENDING: Words = ("从低到高", "由低到高", "从小到大", "由小到大", "从少到多", "升序", "低到高", "正序", "ascending",
                    "lowest first", "smallest first", "low to high", "lowest to highest",
                    "worst first", "from lowest to highest", "from low to high", "asc")  # fmt: skip
DESCENDING: Words = ("从高到低", "由高到低", "从大到小", "由大到小", "从多到少", "降序", "高到低", "倒序",
                     "descending", "highest first", "largest first", "high to low",
                     "highest to lowest", "best first", "biggest first",
                     "from highest to lowest", "from high to low", "desc")  # fmt: skip
RANKING: Words = ("排行榜", "排名表", "排行", "排名", "排序", "榜单", "名次", "排一下", "排个序", "rankings",
                  "ranking", "rank", "ranked", "sort", "sorted", "leaderboard",
                  "sort by", "sorted by", "ranked by")  # fmt: skip
RANK_OF: Words = ("排名第几", "排在第几", "排第几", "第几名", "排第几名", "第几", "what rank", "which rank",
                  "rank among", "what place", "what position", "the rank of", "rank of")  # fmt: skip
FRONT: Words = ("前", "top", "best", "highest", "largest", "biggest", "first")
BACK: Words = ("倒数第", "倒数", "最后", "末尾", "后", "bottom", "worst", "lowest", "smallest", "fewest")
ORDERED_FIRST: Words = ("第一名", "冠军")
RANKED: Words = ("排名",)
AHEAD: Words = ("前",)
BEHIND: Words = ("倒数第", "倒数", "末尾", "最后", "排名后")
BEHIND_COUNTED: Words = ("后",)
NOT_BEHIND: Words = ("之", "以", "最")
OF: Words = ("的",)
SUPERLATIVE_MARKS: Words = ("最",)
ADJECTIVE_ENDS: Words = ("高", "低", "多", "少", "大", "小", "好", "差", "慢", "快")
TIME_UNITS: Words = ("天", "日", "周", "月", "年", "季度", "个月", "个星期", "个季度", "星期")
FLOORS: Words = ("楼", "号楼")
LIST_LINKS: Words = ("、", "和", "与", "及")
NUMBER_MARKS: Words = ("编号", "号码", "号")
NUMBERED: Words = ("号",)
MONEY_UNITS: Words = ("元", "块", "单", "人", "家", "店", "号", "年")
COUNTERS: Words = ("名", "家", "个", "位", "大", "强", "间", "款", "条")

# Bare adjectives: a ranking beside "which", a comparison beside "than"; alone they would be a condition.
HIGH_ADJECTIVES: Words = ("更高", "更多", "更大", "更好", "高一些", "多一些", "高", "多", "大", "好", "higher", "more", "bigger",
                          "larger", "greater", "high")  # fmt: skip
LOW_ADJECTIVES: Words = ("更低", "更少", "更小", "更差", "低一些", "少一些", "低", "少", "小", "差", "lower", "fewer",
                         "smaller", "less", "low")  # fmt: skip
AVERAGE_MARKS: Words = ("均", "average", "avg")
SINGLE_HEADS: Words = ("从", "由", "from")

# --- what is wanted --------------------------------------------------------------------------------
SHARE: Words = ("占比例", "占比", "占多少", "占了多少", "份额", "比重", "所占", "的比例", "比例", "贡献度", "贡献率", "贡献占比", "贡献", "占",
                "构成", "分布", "结构", "share of", "share", "shares", "percentage of", "percent of",
                "percentage", "proportion of", "proportion", "fraction of", "fraction",
                "mix", "contribution to", "contribution of", "contributions to", "contributions of", "makes up", "make up",
                "contributed to", "contributed", "contributes to", "contributes", "contribute to", "contribute",
                "account for", "accounts for", "accounted for", "breakdown",
                "distribution")  # fmt: skip
TREND: Words = ("变化趋势", "变动趋势", "走势图", "趋势图", "折线图", "走势", "趋势", "曲线", "时间序列", "折线", "trends",
                "trend", "trending", "over time", "time series", "line chart", "evolution",
                "evolve", "evolved", "develop", "developed", "curve", "line graph")  # fmt: skip
DRAW: Words = ("画一下", "画个图", "画图", "作图", "绘制", "画出", "画一张", "画", "图表", "柱状图", "饼图", "图", "plot",
               "chart", "graph", "draw", "visualize", "visualise", "bar chart", "pie chart")  # fmt: skip
COMPARE: Words = ("相比较", "相比", "对比", "比较", "相较于", "相较", "较之", "较", "比起", "比", "vs.", "vs",
                  "versus", "compare", "compared", "comparing", "comparison",
                  "against", "relative to", "than")  # fmt: skip
DIRECTED: Words = ("比起", "相较于", "相比", "较", "比", "compared to", "compared with", "relative to",
                   "against", "than", "versus", "vs", "vs.")  # fmt: skip
CHANGE: Words = ("变化率", "变化", "变动", "增长率", "增长", "增速", "增幅", "涨幅", "降幅", "跌幅", "增减", "增加",
                 "上涨", "下跌", "下降", "下滑", "下跌了", "减少", "提升", "提高", "降低", "升了", "降了", "涨了", "跌了",
                 "掉了", "变了", "变得", "变长", "变短", "变慢", "变快", "变", "涨", "跌", "升", "降", "掉", "多了", "少了", "高了", "低了", "变好", "变差", "差多少", "之差", "差额", "差值", "差距",
                 "差异", "波动", "百分点", "个百分点", "几个点", "个点", "changes", "change", "changed", "changing",
                 "increase", "increased", "increases", "decrease", "decreased", "decreases",
                 "grow", "grew", "grown", "growth", "growing", "decline", "declined",
                 "declining", "drop", "dropped", "dropping", "fall", "fell", "fallen",
                 "falling", "rise", "rose", "risen", "rising", "up or down", "gain", "gained",
                 "delta", "difference", "differ", "improve", "improved", "improvement",
                 "percentage points", "percentage point", "pp", "better", "worse", "went up",
                 "went down", "gone up", "gone down", "go up", "go down")  # fmt: skip
WENT_DOWN: Words = ("下降", "走低", "回落", "下行", "跌落", "下跌", "下滑", "下跌了", "减少", "降低", "降了", "跌了", "掉了", "跌", "降", "掉", "少了", "低了",
                    "变差", "decrease", "decreased", "decreases", "decline", "declined", "declining", "drop",
                    "dropped", "dropping", "fall", "fell", "fallen", "falling", "worse", "went down",
                    "gone down", "go down")  # fmt: skip
WENT_UP: Words = ("增长", "上升", "升高", "走高", "回升", "上行", "反弹", "增加", "上涨", "提升", "提高", "升了", "涨了", "涨", "升", "多了", "高了", "变好", "increase",
                  "increased", "increases", "grow", "grew", "grown", "growth", "growing", "rise", "rose",
                  "risen", "rising", "gain", "gained", "improve", "improved", "improvement", "better",
                  "went up", "gone up", "go up")  # fmt: skip
MORE_THAN = r"(?:more|less|higher|lower|better|worse|fewer)\b.*\bthan\b|比.*(?:多|高|低|少|好|差)"
RANKED_BY: Words = ("按", "按照", "依")
BY_RATE: Words = (
    "增长率",
    "增速",
    "增幅",
    "涨幅",
    "降幅",
    "跌幅",
    "最快",
    "变化率",
    "fastest",
    "growth rate",
    "percent",
    "rate of",
)
GAP: Words = ("差多少", "之差", "差额", "差值", "差距", "差异", "相差", "difference", "differ", "gap")
MOM: Words = ("环比", "环比变化", "week over week", "week-over-week", "wow", "month over month",
              "month-over-month", "mom", "period over period", "day over day",
              "quarter over quarter", "qoq")  # fmt: skip
YOY: Words = ("同比", "year over year", "year-over-year", "yoy", "year on year", "year-on-year")
SIGNIFICANT: Words = ("统计显著性", "显著性检验", "显著性", "统计显著", "显著", "statistically significant",
                      "statistically", "significant", "significantly", "significance",
                      "statistical significance")  # fmt: skip
AVERAGE: Words = ("平均下来", "平均值", "平均数", "平均", "均值", "人均值", "average", "averaged", "avg", "mean",
                  "on average", "averages", "plain mean")  # fmt: skip
AVERAGE_DAY: Words = ("日均", "每日平均", "每天平均", "平均每一天", "平均每天", "平均每日", "天均", "平均一天",
                      "per day", "a day", "daily average", "average daily", "average per day",
                      "on an average day", "daily avg")  # fmt: skip
AVERAGE_SHOP: Words = ("店均", "单店平均", "单店均值", "单店")
AVERAGE_ODD: Words = ("周均", "月均", "季均", "年均", "每周平均", "每月平均", "平均每周", "平均每月", "平均每个月",
                      "average weekly", "average monthly", "weekly average", "monthly average",
                      "per week", "per month", "per quarter", "per year", "a week",
                      "a month")  # fmt: skip
WEIGHTED: Words = ("加权平均", "加权", "weighted by", "weighted", "weighted average of",
                   "weighted mean of", "weighting by")  # fmt: skip
OTHER_SPREADS: Words = ("中位数", "标准差", "方差", "分位数", "众数", "最大值", "最小值", "去重", "相关性", "相关系数",
                        "回归", "median", "standard deviation", "stddev", "variance",
                        "percentile", "quartile", "correlation", "correlate", "correlated",
                        "regression", "cumulative", "running total", "moving average",
                        "rolling", "移动平均", "滚动")  # fmt: skip
FUNNEL: Words = ("转化漏斗", "漏斗图", "漏斗", "conversion funnel", "funnel")
OVERVIEW: Words = ("经营情况", "经营状况", "经营概况", "经营概览", "整体情况", "整体表现", "总体情况", "业绩情况",
                   "业务情况", "经营表现", "经营得", "经营", "概况", "概览", "总览", "业绩", "表现", "生意", "关键指标",
                   "核心指标", "主要指标", "怎么样", "怎样", "如何", "咋样", "好不好", "overview", "summary",
                   "performance", "performing", "how is", "how are", "how was", "how were",
                   "how did", "how does", "how do", "how has", "how have", "doing", "going",
                   "business", "summarize", "summarise", "key metrics", "kpis", "kpi", "perform",
                   "performed", "highlights", "headline")  # fmt: skip
COVERAGE: Words = ("有哪些数据", "有什么数据", "哪些数据", "什么数据", "数据范围", "时间范围", "数据覆盖", "覆盖范围",
                   "哪天到哪天", "有多少行", "多少行", "有多少家店", "有多少门店", "有几家店", "多少家店", "多少家门店",
                   "几家门店", "有哪些指标", "哪些指标", "有哪些门店", "有哪些品牌", "date range",
                   "data coverage", "what data", "coverage", "time range", "how many rows",
                   "how many stores", "how many shops", "how many brands", "how many chains",
                   "which data", "what metrics", "which metrics", "available", "what dates",
                   "what period", "does the data end", "does the data start", "does the data begin",
                   "data end", "data start", "data cover", "data covers", "data covered", "covered", "从哪天开始", "最早", "earliest")  # fmt: skip
COUNT_ASKS: Words = ("多少", "几", "哪些", "how many", "which", "what", "list")
FRESH: Words = ("更新的", "什么时候更新", "几时更新", "到了吗", "到了没", "到齐", "出来了吗", "in yet", "arrived", "更新了吗", "更新了没", "更新到", "更新时间", "何时更新", "是否更新", "更新没", "更新了", "更新情况",
                "更新频率", "最新到", "最新数据", "最新的数据", "最新日期", "最新", "新鲜", "到哪天", "到哪一天", "到几号",
                "截止到", "时效", "how fresh", "fresh", "freshness", "up to date", "up-to-date",
                "last updated", "latest data", "latest date", "most recent data", "updated",
                "how recent", "how current", "latest", "stale", "data lag",
                "last refresh", "refreshed", "last day with data", "newest")  # fmt: skip
SYNC: Words = ("同步失败", "同步", "入库", "加载失败", "拉取", "sync", "syncs", "synced", "load", "loads",
               "loaded", "pipeline", "ingest", "ingestion", "fail", "fails", "failed", "failure", "failures", "失败")  # fmt: skip
_WHICH_TROUBLE = (
    "有",
    "有什么",
    "什么",
    "有哪些",
    "哪些",
    "有啥",
    "啥",
    "没",
    "没有",
    "质量",
    "的质量",
    "质量有",
    "数据的",
    "数据有",
)
TROUBLE: Words = tuple(f"{which}{what}" for which in _WHICH_TROUBLE for what in ("问题", "毛病", "差错"))
QUALITY: Words = (*TROUBLE, "哪些数据问题", "什么数据问题", "哪些质量问题", "什么质量问题", "数据质量", "数据健康", "健康度", "可信吗", "可不可信", "可信度", "可信", "可靠", "靠谱", "体检",
                  "质量检查", "质量", "准不准", "准确", "数据有问题", "数据问题", "检查数据", "健康检查", "数据检查", "质检",
                  "能不能信", "能信吗", "信得过", "校验", "检查一下", "检查", "data quality", "quality",
                  "trustworthy", "trusted", "trust", "reliable", "reliability", "health check", "healthy",
                  "data health", "health", "data issues", "data problems", "data checks",
                  "sanity check", "check the data", "accurate", "data errors", "check data",
                  "audit", "data issue", "issues", "issue", "problems", "problem", "wrong with the data", "errors",
                  "data ok", "data okay", "data fine", "data right", "data correct", "data clean", "data sound",
                  "figures right", "figures correct", "numbers right", "numbers correct", "靠不靠谱",
                  "可靠不可靠", "能不能用", "有没有问题", "有没有毛病", "有问题吗", "对不对")  # fmt: skip
CHECKS: Mapping[str, Words] = {
    "missing_days": ("缺失", "缺数", "缺天", "漏数据", "漏数", "丢数据", "少数据", "丢失", "缺数据", "断档", "少了哪天", "漏了", "缺了", "缺", "完整吗", "完整", "齐全", "齐不齐", "complete", "missing days",
                     "missing dates", "missing data", "missing", "gaps", "gap", "missing rows"),
    "dup_keys": ("重复数据", "重复记录", "重复行", "重复", "duplicates", "duplicate", "duplicated",
                 "duplicate rows", "dupes"),
    "all_zero_rows": ("全为零", "全是零", "都是零", "都为零", "全零行", "全零", "全是0", "为零", "为0", "零值", "all-zero", "all zero",
                      "zero rows", "zeros", "zeroes", "all zeros"),
    "nulls": ("空值", "缺值", "为空", "空缺", "nulls", "null", "empty values", "null values",
              "missing values", "blank", "blanks"),
    "unit_drift": ("单位漂移", "单位错误", "单位不一致", "单位", "unit drift", "unit error", "wrong unit",
                   "units"),
    "range": ("超出范围", "越界", "负数", "负值", "out of range", "negative values", "negative"),
    "orphans": ("孤儿", "找不到归属", "orphans", "orphan"),
}  # fmt: skip
ADD_UP: Words = ("对得上", "对不上", "对上", "对账", "勾稽", "一致吗", "是否一致", "一致", "等于", "是否相等", "相等",
                 "加总", "汇总", "吻合", "匹配", "加起来", "相加", "平衡", "核对", "对平", "相符", "add up", "adds up",
                 "reconcile", "reconciles", "reconciled", "reconciliation", "tie out", "match",
                 "matches", "equal", "equals", "sum up", "sums up", "sum to", "sums to",
                 "agree with", "consistent", "add to", "identity", "sum of")  # fmt: skip
PLUS: Words = ("加上", "加", "除以", "减去", "减", "乘以", "乘", "+", "=", "/", "÷", "×", "plus", "minus",
               "divided by")  # fmt: skip
DEFINE: Words = ("怎么计算", "如何计算", "怎么算的", "怎么算", "如何算", "算法", "计算方式", "计算方法", "计算公式",
                 "公式", "计算口径", "统计口径", "口径", "定义", "什么意思", "啥意思", "含义", "是指什么", "指什么", "是什么",
                 "什么是", "何为", "是啥", "解释一下", "解释", "什么区别", "有何区别", "区别", "有什么不同", "什么差别", "差别",
                 "不同", "definition of", "definition", "definitions", "define", "defined", "meaning of", "meaning",
                 "mean here", "means", "what does", "what do", "calculated", "computed",
                 "calculate", "compute", "formula", "explain the term", "difference between",
                 "stand for", "how is it calculated", "distinguish")  # fmt: skip
WHAT_IS: Words = ("what is", "what are", "what s", "whats")
AGAINST_HEADS: Words = ("环比", "同比", "比起", "相较于", "相比于", "相比", "对比", "较", "比", "than", "compared to",
                        "compared with", "compare to", "compare with", "versus", "vs", "vs.",
                        "against", "relative to")  # fmt: skip
JOIN_HEADS: Words = ("和", "与", "跟", "同")
JOIN_TAILS: Words = ("相比较", "相比", "对比", "比较", "比", "相较")
REPORT_WEEKLY: Words = (
    "出周报",
    "写周报",
    "经营周报",
    "周报",
    "周度报告",
    "weekly report",
    "weekly business report",
)
REPORT_MONTHLY: Words = (
    "出月报",
    "写月报",
    "经营月报",
    "月报",
    "月度报告",
    "monthly report",
    "monthly business report",
)
REPORT_OTHER: Words = ("经营日报", "日报", "季报", "年报", "daily report", "quarterly report", "annual report",
                       "yearly report")  # fmt: skip
REPORT_ANY: Words = (
    "经营报告",
    "报告",
    "报表",
    "a report",
    "the report",
    "business report",
    "report on",
    "report for",
)
REPORT_FILE: Words = ("打印", "能打印的", "可打印", "导出", "下载", "pdf", "printable", "print", "export", "download",
                      "excel", "xlsx", "ppt", "slides", "dashboard")  # fmt: skip
REPORT_HEALTH: Words = ("数据体检报告", "体检报告", "数据健康报告", "健康报告", "数据质量报告", "质量报告", "数据检查报告",
                        "质检报告", "data health report", "health report", "data quality report",
                        "quality report", "health check report", "report on data quality",
                        "report on data health", "data check report")  # fmt: skip
REPORT_PEERS: Words = ("同行对标报告", "同行对比报告", "同行报告", "同业报告", "对标报告", "同行比较报告", "peer report",
                       "peers report", "peer benchmark report", "peer comparison report", "benchmark report",
                       "peer benchmarking report", "report on peers")  # fmt: skip
REPORT: Words = (*REPORT_WEEKLY, *REPORT_MONTHLY, *REPORT_OTHER, *REPORT_ANY, *REPORT_FILE, *REPORT_HEALTH,
                 *REPORT_PEERS)  # fmt: skip

DATA: Words = ("数据",)
EACH_DANGLING: Words = ("每", "各", "per", "each", "every")
WHETHER: Words = ("是", "否")
WRITE_LINKS: Words = ("为", "到")

# --- follow-ups ------------------------------------------------------------------------------------
SWITCH: Words = ("换成", "换为", "改成", "改为", "改看", "换个", "换一下", "再看看", "再看", "再来", "那么", "那", "呢",
                 "同样", "也看看", "接着", "继续", "what about", "how about", "and for", "and",
                 "instead", "same for", "the same for", "now for", "now by", "then", "switch to",
                 "change to", "change it to", "make it", "also", "same but",
                 "same thing for", "now show")  # fmt: skip
ONLY: Words = ("只看", "仅看", "只要", "只显示", "仅", "只", "单看", "限定", "only", "just", "limit to",
               "filter to", "restrict to", "narrow to")  # fmt: skip
SAME_AS_BEFORE: Words = ("上一个问题", "上面", "刚才", "之前的", "它", "它们", "他们", "这个", "这些", "这家", "that",
                         "those", "these", "it", "them", "they", "this")  # fmt: skip

# --- dimensions ------------------------------------------------------------------------------------
FLAG_TAILS: Words = ("flag", "type", "status", "indicator", "code", "name", "标志", "标识", "标记", "类型",
                     "类别", "状态", "名称")  # fmt: skip
TRUE_VALUES: Words = ("1", "true", "yes", "y", "t", "是", "1.0")
FALSE_VALUES: Words = ("0", "false", "no", "n", "f", "否", "0.0")
OTHERS: Words = ("其他周", "其它周", "其他", "其它", "其余", "others", "other weeks", "other days", "the others",
                 "the other", "other", "the rest", "rest", "regular weeks", "normal weeks",
                 "ordinary weeks", "non")  # fmt: skip
NOT_FLAG: Words = ("非", "不是", "non", "not", "no")
