"""Time expressions on 2026-10-18, a Sunday; the newest settled day is 2026-10-17. Days worked out by hand."""

from __future__ import annotations

import pytest
from rules_worlds import AS_OF, takeaway

from askcore.agent.rules.normalise import normalise
from askcore.agent.rules.question import clock_of
from askcore.agent.rules.times.refs import time_refs

PHRASES: dict[tuple[str, str], list[str]] = {
    ("2026-10-18", "2026-10-18"): ["今天", "今日", "today", "2026-10-18", "10月18日", "10月18号", "Oct 18"],
    ("2026-10-17", "2026-10-17"): [
        "昨天", "昨日", "yesterday", "１０月１７日", "2026年10月17日", "20261017", "2026/10/17", "2026.10.17",
        "October 17", "17 October 2026", "Oct 17, 2026", "October 17th", "最近1天", "近1天", "past 1 day",
        "last 1 day", "10/17", "10-17", "1天前", "1 day ago",
    ],
    ("2026-10-15", "2026-10-15"): ["大前天", "3天前", "three days ago"],
    ("2025-11-11", "2025-11-11"): ["双十一", "去年双11", "singles' day"],
    ("2025-12-25", "2025-12-25"): ["圣诞节", "christmas", "Christmas Day 2025"],
    ("2026-10-05", "2026-10-11"): [
        "上周", "上个星期", "上星期", "上个礼拜", "上一周", "上礼拜", "last week", "previous week", "week of Oct 5",
        "the week of October 7", "10月5日到10月11日", "10月5日-11日", "10月5-11日", "Oct 5-11",
        "October 5 to October 11", "第41周", "week 41", "2026-W41", "10/5-10/11", "10.5-10.11",
        "10月5日~10月11日", "10月5号至11号", "10月5日那周",
    ],
    ("2026-09-28", "2026-10-04"): ["上上周", "上上个星期", "上上个礼拜", "week before last",
                                   "the week before last", "第40周"],
    ("2026-10-12", "2026-10-17"): ["本周", "这周", "这个星期", "本星期", "这一周", "this week", "week to date", "WTD",
                                   "本周至今", "本周到现在"],
    ("2026-10-06", "2026-10-06"): ["上周二", "上星期二", "上个周二", "上礼拜二", "Tuesday last week", "last week's Tuesday",
                                   "last week on Tuesday", "Tuesday of last week"],
    ("2026-10-12", "2026-10-12"): ["本周一", "这周一", "10月12日", "周一", "星期一", "Monday", "on Monday", "this Monday",
                                   "Monday this week"],
    ("2026-10-16", "2026-10-16"): ["周五", "礼拜五", "Friday", "本周五", "on Friday", "前天", "前日",
                                   "the day before yesterday", "day before yesterday", "2 days ago", "两天前", "10月16日"],
    ("2026-10-11", "2026-10-11"): ["周日", "Sunday", "last Sunday", "上周日"],
    ("2026-10-05", "2026-10-07"): ["上周一到周三", "上周一至上周三", "Monday to Wednesday last week",
                                   "last week's Monday to Wednesday", "上星期一到星期三"],
    ("2026-10-12", "2026-10-14"): ["周一到周三", "本周一到周三", "Monday to Wednesday", "this Monday through Wednesday"],
    ("2026-10-09", "2026-10-13"): ["上周五到本周二", "上周五到周二", "Friday last week to Tuesday"],
    ("2026-10-01", "2026-10-01"): ["国庆节当天", "国庆当日", "10月1日"],
    ("2026-05-01", "2026-05-01"): ["五一当天", "劳动节那天"],
    ("2025-10-18", "2025-10-18"): ["去年今日", "去年今天", "today last year"],
    ("2026-10-11", "2026-10-17"): [
        "近7天", "近 7 天", "最近7天", "过去7天", "近七天", "最近七日", "过去的7天", "最近一周", "近一周", "过去一周", "这7天",
        "last 7 days", "past 7 days", "the past seven days", "previous 7 days", "last seven days",
        "last 1 week", "the past week", "最近１周", "in the last 7 days", "近7日", "trailing 7 days",
        "last 7-days", "the last 7 days",
    ],
    ("2026-10-04", "2026-10-17"): ["近两周", "近2周", "最近14天", "last 2 weeks", "past 14 days", "这两周", "过去两周",
                                   "last two weeks", "近14日"],
    ("2026-09-20", "2026-10-17"): ["近4周", "last 4 weeks", "近28天", "past four weeks", "最近四周"],
    ("2026-09-18", "2026-10-17"): ["近30天", "最近30天", "past 30 days", "last thirty days", "近三十天",
                                   "最近一个月", "近一个月", "过去一个月", "近1个月", "the past month"],
    ("2026-07-18", "2026-10-17"): ["近3个月", "最近三个月", "last 3 months", "过去3个月", "last 1 quarter"],
    ("2026-04-18", "2026-10-17"): ["近半年", "过去半年", "last 6 months", "近6个月", "last 2 quarters"],
    ("2026-10-03", "2026-10-17"): ["近半个月", "近15天", "last 15 days"],
    ("2025-10-18", "2026-10-17"): ["近一年", "过去一年", "last 12 months", "the past year", "近12个月"],
    ("2026-10-01", "2026-10-17"): [
        "本月", "这个月", "这月", "当月", "本月至今", "这个月到现在", "这个月以来", "月初至今", "this month", "month to date",
        "MTD", "this month so far", "month-to-date", "10月1日至今", "10月1日以来", "since Oct 1",
        "since October 1", "从10月1日到现在", "10月1日到昨天", "自10月1日起", "本季度", "这个季度", "quarter to date",
        "QTD", "this quarter", "本季度至今", "October 1 to yesterday", "since October",
    ],
    ("2026-09-01", "2026-09-30"): [
        "上月", "上个月", "上一个月", "last month", "previous month", "9月", "9月份", "九月", "今年9月", "2026年9月",
        "2026-09", "September", "in September", "September 2026", "Sept.", "Sep 2026", "this September",
        "September this year", "2026 September", "9月1日到9月30日", "9月1日至30日", "202609", "26年9月",
        "2026/09", "2026-09-01至2026-09-30", "2026-09-01 to 2026-09-30", "9/1~9/30", "9.1-9.30",
        "from September 1 to September 30", "between Sep 1 and Sep 30", "9月1日和9月30日之间", "9月全月",
    ],
    ("2026-08-01", "2026-08-31"): ["上上个月", "上上月", "8月", "August", "in August 2026", "the month before last"],
    ("2025-09-01", "2025-09-30"): ["去年9月", "去年九月份", "2025年9月", "September 2025", "September last year",
                                   "last year's September", "Sept 2025", "2025-09", "25年9月", "in Sep 2025"],
    ("2026-10-01", "2026-10-31"): ["10月", "10月份", "October", "十月", "October 2026", "in October", "今年10月"],
    ("2025-11-01", "2025-11-30"): ["11月", "November", "去年11月", "November 2025", "十一月"],
    ("2026-05-01", "2026-05-31"): ["5月", "May 2026", "in May", "五月份"],
    ("2026-09-01", "2026-09-15"): ["9月1日到9月15日", "9.1-9.15", "9/1~9/15", "9月1日-15日", "9月1-15日",
                                   "Sep 1-15", "September 1 through 15", "9月1号到15号", "9月上半月",
                                   "2026-09-01至2026-09-15", "2026.9.1-2026.9.15"],
    ("2026-09-01", "2026-09-10"): ["9月上旬", "今年9月上旬", "9月1日到10日"],
    ("2026-09-11", "2026-09-20"): ["9月中旬", "9月11日-20日"],
    ("2026-09-21", "2026-09-30"): ["9月下旬", "9月21日至9月30日"],
    ("2026-07-01", "2026-09-30"): [
        "Q3", "三季度", "第三季度", "今年Q3", "2026年Q3", "2026年三季度", "Q3 2026", "2026Q3", "2026 Q3",
        "third quarter", "the third quarter of 2026", "3rd quarter", "上季度", "上个季度", "last quarter",
        "7-9月", "7月到9月", "July to September", "Jul-Sep 2026", "今年第3季度", "7到9月", "2026年7-9月",
    ],
    ("2025-10-01", "2025-12-31"): ["去年Q4", "2025年四季度", "Q4 2025", "去年第四季度", "Q4 last year", "2025Q4"],
    ("2026-01-01", "2026-06-30"): ["上半年", "今年上半年", "H1", "H1 2026", "first half of 2026", "2026年上半年",
                                   "the first half of this year", "1-6月"],
    ("2025-07-01", "2025-12-31"): ["去年下半年", "H2 2025", "second half of 2025", "2025年下半年"],
    ("2026-01-01", "2026-10-17"): ["今年", "今年以来", "年初至今", "YTD", "year to date", "this year", "本年度",
                                   "今年到现在", "1月1日至今", "since January"],
    ("2025-01-01", "2025-12-31"): ["去年", "2025年", "last year", "2025", "in 2025", "去年全年", "上一年", "2025年度"],
    ("2024-01-01", "2024-12-31"): ["前年", "2024年", "2024", "the year before last"],
    ("2026-10-01", "2026-10-07"): ["国庆", "国庆节", "国庆期间", "今年国庆", "十一期间", "National Day", "国庆假期",
                                   "国庆黄金周", "2026年国庆", "National Day holiday", "National Day 2026",
                                   "10月1日到10月7日", "10月1-7日", "Oct 1-7"],
    ("2025-10-01", "2025-10-08"): ["去年国庆", "2025年国庆节", "National Day 2025", "last year's National Day"],
    ("2026-02-15", "2026-02-23"): ["春节", "今年春节", "春节假期", "Spring Festival", "Spring Festival 2026"],
    ("2026-09-25", "2026-09-27"): ["中秋", "中秋节", "Mid-Autumn Festival"],
    ("2026-01-01", "2026-10-31"): ["1-10月", "Jan–Oct 2026", "January to October 2026", "1月到10月"],
    ("2025-12-01", "2026-02-28"): ["12月到2月", "去年12月到今年2月", "2025年12月至2026年2月", "Dec 2025 to Feb 2026"],
    ("2025-08-01", "2026-10-17"): ["全部时间", "整个期间", "历史累计", "whole period", "all time", "the entire period",
                                   "2025-08-01到2026-10-17", "since August 2025", "2025年8月以来"],
    ("2026-10-08", "2026-10-08"): ["10月8号", "10月8日", "Oct 8", "8 October 2026", "8 Oct", "October 8th, 2026",
                                   "8号", "2026年10月8日", "10/8"],
}  # fmt: skip
ROWS = [(phrase, days) for days, phrases in PHRASES.items() for phrase in phrases]
TEMPLATES = {True: "{}的营业额是多少", False: "gross sales for {}"}


def test_the_table_is_large():
    assert len(ROWS) >= 250


@pytest.mark.parametrize(("phrase", "days"), ROWS)
def test_time_phrase(phrase, days):
    model, catalog = takeaway()
    chinese = any("\u4e00" <= c <= "\u9fff" for c in phrase)
    text = normalise(TEMPLATES[chinese].format(phrase)).norm
    refs = time_refs(text, clock_of(model, catalog, AS_OF))
    assert [(r.period.start.isoformat(), r.period.end.isoformat()) for r in refs if r.period] == [days]
