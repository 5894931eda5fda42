"""The closed word lists of time, Chinese and English, and the Chinese pieces of date patterns."""

# ruff: noqa: RUF001 - one pattern a line; the Chinese zero looks like an O
from __future__ import annotations

from collections.abc import Mapping

Words = tuple[str, ...]

NUMERALS: Mapping[str, int] = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9, "十": 10,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "ninety": 90,
}  # fmt: skip
ORDINALS: Mapping[str, int] = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
}  # fmt: skip
MONTHS: Mapping[str, int] = {
    "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
    "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9,
    "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12,
    "dec": 12,
}  # fmt: skip
WEEKDAYS: Mapping[str, int] = {
    "周一": 0, "周二": 1, "周三": 2, "周四": 3, "周五": 4, "周六": 5, "周日": 6, "周天": 6,
    "星期一": 0, "星期二": 1, "星期三": 2, "星期四": 3, "星期五": 4, "星期六": 5, "星期日": 6,
    "星期天": 6, "礼拜一": 0, "礼拜二": 1, "礼拜三": 2, "礼拜四": 3, "礼拜五": 4, "礼拜六": 5,
    "礼拜天": 6, "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4,
    "saturday": 5, "sunday": 6,
}  # fmt: skip
HOLIDAYS: Mapping[str, Words] = {
    "new_year": ("元旦节", "元旦", "new year's day", "new years day", "new year day"),
    "spring_festival": ("春节", "过年", "农历新年", "spring festival", "chinese new year",
                        "lunar new year"),
    "qingming": ("清明节", "清明", "tomb-sweeping day", "tomb sweeping day", "qingming"),
    "labour_day": ("五一劳动节", "劳动节", "五一节", "五一", "labour day", "labor day", "may day"),
    "dragon_boat": ("端午节", "端午", "dragon boat festival", "dragon boat"),
    "national_day": ("国庆节", "国庆", "十一假期", "十一期间", "十一长假", "national day",
                     "golden week"),
    "mid_autumn": ("中秋节", "中秋", "mid-autumn festival", "mid autumn festival", "mid-autumn",
                   "mid autumn"),
}  # fmt: skip
NAMED_DAYS: Mapping[str, tuple[int, int]] = {
    "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12), "双12": (12, 12), "圣诞节": (12, 25), "圣诞": (12, 25),
    "平安夜": (12, 24), "情人节": (2, 14), "singles' day": (11, 11), "singles day": (11, 11),
    "christmas day": (12, 25), "christmas eve": (12, 24), "christmas": (12, 25), "valentine's day": (2, 14),
}  # fmt: skip
HOLIDAY_TAILS: Words = ("小长假", "黄金周", "假期", "期间", "长假", "假日", "放假", "holidays",
                        "holiday", "week", "period")  # fmt: skip

# --- time words; {n} is a number -------------------------------------------------------------------
TODAY: Words = ("今天", "今日", "today")
YESTERDAY: Words = ("昨天", "昨日", "昨儿", "yesterday")
DAY_BEFORE: Words = ("前天", "前日", "the day before yesterday", "day before yesterday")
THREE_DAYS_AGO: Words = ("大前天",)
LAST_WEEK: Words = ("上一个星期", "上一个周", "上个星期", "上个礼拜", "上星期", "上礼拜", "上一周", "上个周",
                    "上周", "last week", "previous week", "prior week")  # fmt: skip
WEEK_BEFORE_LAST: Words = ("上上个星期", "上上个礼拜", "上上星期", "上上周", "上上个周",
                           "the week before last", "week before last")  # fmt: skip
THIS_WEEK: Words = ("这个星期", "这个礼拜", "本星期", "这一周", "这星期", "这周", "本周", "当周", "this week",
                    "current week", "week to date", "wtd")  # fmt: skip
THIS_MONTH: Words = ("这个月", "这一个月", "本月份", "这月", "本月", "当月", "月初至今", "月初以来", "本月累计",
                     "this month", "current month", "month to date", "month-to-date", "mtd")  # fmt: skip
LAST_MONTH: Words = ("上一个月", "上个月份", "上个月", "上月份", "上月", "last month", "previous month",
                     "prior month")  # fmt: skip
MONTH_BEFORE_LAST: Words = ("上上个月", "上上月", "the month before last", "month before last")
THIS_QUARTER: Words = ("这个季度", "本季度", "这季度", "当季", "本季", "this quarter", "current quarter",
                       "quarter to date", "quarter-to-date", "qtd")  # fmt: skip
LAST_QUARTER: Words = ("上一个季度", "上个季度", "上一季度", "上季度", "上季", "last quarter",
                       "previous quarter", "prior quarter")  # fmt: skip
THIS_YEAR: Words = ("今年以来", "年初至今", "年初以来", "今年年初", "今年全年", "今年", "本年度", "本年",
                    "this year", "current year", "year to date", "year-to-date", "ytd")  # fmt: skip
LAST_YEAR: Words = ("去年全年", "去年度", "上一年", "去年", "上年", "last year", "previous year",
                    "prior year")  # fmt: skip
YEAR_BEFORE_LAST: Words = ("前年", "the year before last", "year before last")
NEXT_TIMES: Words = ("明天", "后天", "下周", "下个月", "下月", "下季度", "下个季度", "明年", "后年", 
                     "未来", "接下来", "下一周", "下一个月", "下星期", "tomorrow", "next week", "next month",
                     "next quarter", "next year", "next days", "upcoming", "coming week",
                     "coming month")  # fmt: skip
ALL_TIME: Words = ("整个时间段", "整个期间", "全部时间", "全部期间", "所有时间", "整个时期", "有史以来", "历史以来",
                   "历史累计", "全时段", "全期", "历史上", "历史", "the whole period", "whole period",
                   "the entire period", "entire period", "the full period", "full period",
                   "all the data", "whole dataset", "entire dataset", "the whole dataset",
                   "all time", "all-time", "whole history", "entire history", "whole range",
                   "all dates", "the whole time", "whole time", "over time range")  # fmt: skip
PREVIOUS: Words = ("前一个星期", "前一周", "前一个月", "前一月", "前一天", "前一日", "前一年", "前一季度", "上一期",
                   "上一周期", "上一个周期", "上期", "前一期", "之前一周", "再前一周", "前一段", "the week before",
                   "week before", "the month before", "month before", "the day before",
                   "day before", "the year before", "year before", "the quarter before",
                   "quarter before", "the previous period", "previous period", "prior period",
                   "the prior period", "the period before", "period before", "preceding period",
                   "preceding week", "preceding month", "the preceding week",
                   "the preceding month", "the one before", "the one before that")  # fmt: skip
WEEK_AGO: Words = ("上周同一天", "上周的同一天", "上周同日", "上星期同一天", "the same day last week", "same day last week",
                   "the same weekday last week", "a week ago", "a week earlier", "one week ago",
                   "one week earlier")  # fmt: skip
YEAR_AGO: Words = ("去年同一天", "去年的同一天", "去年同日", "the same day last year", "same day last year",
                   "去年同期", "上年同期", "去年同时期", "去年这个时候", "去年同月", "去年同季", "去年同周",
                   "the same period last year", "same period last year", "same time last year",
                   "the same time last year", "same month last year", "same week last year",
                   "a year ago", "a year earlier", "one year ago", "the year-ago period",
                   "same period a year ago", "same period of last year",
                   "the same period of last year", "same days last year")  # fmt: skip
MONTH_AGO: Words = ("上个月同一天", "上月同一天", "上月同日", "the same day last month", "same day last month",
                    "上个月同期", "上月同期", "上个月同时期", "same period last month",
                    "the same period last month", "same days last month", "a month ago",
                    "the same days last month", "same period of last month",
                    "the same period of last month", "a month earlier")  # fmt: skip
TO_DATE_TAILS: Words = ("到目前为止", "截至目前", "截止目前", "到现在为止", "到现在", "到昨天", "到今天", "至今",
                        "以来", "累计", "so far", "to date", "until now", "till now",
                        "up to now")  # fmt: skip
SINCE_TAILS: Words = ("以来", "至今", "到现在", "到今天", "开始", "起")
SINCE_HEADS: Words = ("since", "from")
RANGE_LINKS: Words = ("一直到", "到", "至", "~", "-", "through", "thru", "until", "till", "to")
BETWEEN: Words = ("between", "在")
THAT_OR_THIS_YEAR: Words = ("当年",)  # the year just named; without one, the running year
SAME_YEAR: Words = ("那一年", "当年", "该年", "同一年", "同年", "that year's", "that year", "the same year",
                    "same year", "that same year", "the year's", "its")  # fmt: skip
DAY_TYPES: Words = ("上周末", "本周末", "这周末", "周末", "工作日", "双休日", "平日", "节假日", "weekends",
                    "weekend", "weekdays", "weekday", "workdays", "workday", "working days",
                    "working day", "business days")  # fmt: skip
CLOCK_TIMES: Words = ("早上", "上午", "中午", "下午", "晚上", "凌晨", "午餐", "晚餐", "夜宵", "小时", "分时段",
                      "时段", "高峰", "morning", "afternoon", "evening", "noon", "tonight", "hourly",
                      "by hour", "hour", "hours", "lunch", "dinner", "peak")  # fmt: skip
VAGUE_TIMES: Words = ("最近一段时间", "近段时间", "近一段时间", "最近", "近期", "近来", "目前", "现在", "这阵子",
                      "这段时间", "recently", "lately", "recent", "currently", "nowadays",
                      "now", "at the moment", "these days")  # fmt: skip

# --- pieces of patterns ------------------------------------------------------------------------------
HAN_DIGITS = "".join(k for k in NUMERALS if len(k) == 1 and NUMERALS[k] != 0)
TEN = "十"
YEAR = r"年度?的?"
OF = r"的?"
YEAR_SHIFT: Mapping[str, int] = {"今年": 0, "本年": 0, "this year": 0, "this": 0, "去年": -1, "上年": -1,
                                 "last year": -1, "前年": -2}  # fmt: skip
MONTH = r"月\s*份?"
MONTH_SIGN = "月"
DAY = "[日号]"
DAY_OR_MONTH = "[日号月]"
NOT_SHOP = "(?!店|门店|楼)"
NOT_MONTH = "(?<!月)(?<!月的)(?<!月份)"
PARTS: Mapping[str, tuple[int, int]] = {
    "上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "上半月": (1, 15), "下半月": (16, 31),
}  # fmt: skip
NTH = "第"
QUARTER = "季度"
QUARTER_NTH = "季度?"
QUARTERS = "[一二三四1-4]"
HALF_SIGNS: Mapping[str, int] = {"上": 1, "下": 2, "1": 1, "2": 2, "first": 1, "second": 2}
HALF = "(?P<h>[上下])半年"
WEEK_SIGN = "周"
YEAR_ALONE = r"年(?:度|全年)?"
RANGE_SIGNS = "[-~到至]"
BETWEEN_TAIL = "之间"
BETWEEN_LINK = "和|与"
SINCE_HEADS_ZH = "自从|自|从"
SINCE_NEEDS_HEAD: Words = ("起", "开始")
WEEK_AROUND: Words = (
    "的那一周",
    "的那周",
    "那一周",
    "那周",
    "当周",
    "所在的一周",
    "所在周",
    "所在的周",
    "这一周",
    "这周",
)
WINDOW_HEADS: Words = ("最近的", "最近", "过去的", "过去", "过往的", "过往", "往前", "近", "这", "前")
VAGUE_HEADS: Words = ("这", "前")
WHOLE_SIGN = "整"
COUNTED = "个"
WINDOW_TAILS: Words = ("以来", "之内", "内", "里", "间")
RATE_SIGN = "率"
HALF_SIGN = "半"
DAYS: Mapping[str, int] = {"天": 1, "日": 1, "day": 1, "周": 7, "星期": 7, "礼拜": 7, "week": 7}
MONTHS_PER: Mapping[str, int] = {"月": 1, "month": 1, "季度": 3, "quarter": 3, "年": 12, "year": 12}
COARSE_GRAINS: Words = ("month", "quarter", "year")
YEAR_SIGN = "年"
DAYS_AGO = r"天(?:以)?前"
BEFORE_HEADS = r"(?:再|更)?(?:之前|此前|前面|往前)的?"
BEFORE_UNITS = "天|日|周"
BEFORE_ONE = "前一个"
BEFORE_ONE_UNITS = "天|日"
WEEK_HEADS = "上上个?|上个?|本|这个?"
WEEK_BACK: Mapping[str, int] = {"上上": 2, "上": 1}
NOT_AVERAGE = "(?!均)"
NOT_EVERY = "(?<![每各逐按分])"
NOT_A_COUNT = "(?!家|个|条|张|次|种|名|位|间|笔|单|项|款|类|倍|成|[一二三四五六]?[天周月年季](?!店)|共|直|样|般|律|些|点|起|路|报|期|刊)"
FIXED_FESTIVALS: Mapping[str, tuple[int, int]] = {
    "new_year": (1, 1), "labour_day": (5, 1), "national_day": (10, 1),
}  # fmt: skip
ON_THE_DAY: Words = ("当天", "当日", "那天", "那一天", "本日", "正日子", "itself")
SAME_DAY_A_YEAR_AGO: Words = (
    "去年今日",
    "去年今天",
    "去年的今天",
    "去年的今日",
    "today last year",
    "this day last year",
)
STEPS_BACK: Words = ("previous ", "prior ", "preceding ", "上一", "前一")
