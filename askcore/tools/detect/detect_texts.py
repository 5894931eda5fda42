"""Sentences about a search: each finding, what was left out, and why nothing was tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.calendar import DayType
from askcore.semantic.format import format_change, format_pct, format_value
from askcore.semantic.names import spoken_level
from askcore.tools.compare.availability import joined
from askcore.tools.detect.finding import Finding, Search, Series

_NAMED = 3  # findings and entities that a sentence names; the rest are counted
_SUSTAINED = 5  # days on one side that no longer look like single days


def finding_text(search: Search, finding: Finding, lang: Lang) -> str:
    """One finding in a sentence without its full stop."""
    metric = search.metric
    words = {
        "who": who(search, finding.series, lang),
        "day": day_text(search, finding.day),
        "label": metric.label[lang],
        "observed": format_value(metric, finding.observed, lang),
        "expected": format_value(metric, finding.expected, lang),
    }
    if search.mode == "changepoint":
        words |= {"way": say(lang, "detect.rose" if finding.delta > 0 else "detect.fell")}
        text = say(lang, "detect.change", size=_size(search, finding, lang), **words)
        return text + _between(search, finding, lang)
    words |= {"type": day_type_text(finding.day_type, lang)}
    if finding.pct is None:
        return say(lang, "detect.anomaly_unexpected", **words)
    words |= {"way": say(lang, "detect.higher" if finding.delta > 0 else "detect.lower")}
    return say(lang, "detect.anomaly", size=_size(search, finding, lang), **words)


def _size(search: Search, finding: Finding, lang: Lang) -> str:
    """Rates differ in points, all else in %."""
    if search.metric.is_rate or finding.pct is None:
        return format_change(search.metric, finding.delta, lang)
    return format_pct(finding.pct)


def _between(search: Search, finding: Finding, lang: Lang) -> str:
    if finding.earliest == finding.latest:
        return ""
    ends = {k: day_text(search, d) for k, d in (("earliest", finding.earliest), ("latest", finding.latest))}
    return say(lang, "detect.change_between", **ends)


def findings_text(search: Search, lang: Lang) -> str:
    """The heaviest findings in one sentence, the others counted."""
    texts = [finding_text(search, f, lang) for f in search.findings[:_NAMED]]
    rest = len(search.findings) - len(texts)
    if rest > 0:
        texts.append(say(lang, "detect.more", n=rest))
    return _sentence(texts, lang)


def excluded_texts(search: Search, lang: Lang) -> list[str]:
    """What was not judged, each with its reason, without full stops."""
    out, found, level = search.excluded, [], level_word(search, lang)
    if out.zero_rows:
        where = keys_text(search, out.zero_rows, lang)
        found.append(say(lang, "detect.excluded_zero", n=len(out.zero_rows), where=where))
    if out.missing_rows:
        where = keys_text(search, out.missing_rows, lang)
        n = len(out.missing_rows)
        found.append(say(lang, "detect.excluded_missing", n=n, level=level, where=where))
    if out.short:
        names = joined(lang, [who(search, s, lang) for s in out.short[:_NAMED]])
        found.append(say(lang, "detect.excluded_short", n=len(out.short), who=_more(names, out.short, lang)))
    if out.smaller_series:
        kept = search.series
        found.append(say(lang, "detect.excluded_smaller", kept=kept, n=out.smaller_series))
    return found


def holiday_text(search: Search, lang: Lang) -> str:
    """That holidays were not judged; "" when there were none."""
    if not search.excluded.holidays:
        return ""
    suffix = "_changepoint" if search.mode == "changepoint" else ""
    days = joined(lang, ranges(search, search.excluded.holidays, lang))
    return _sentence([say(lang, f"detect.excluded_holiday{suffix}", days=days)], lang)


def excluded_text(search: Search, lang: Lang) -> str:
    """All that was left out but holidays, in one sentence."""
    return _sentence(excluded_texts(search, lang), lang)


def sustained_text(search: Search, lang: Lang) -> str:
    """Entities with many anomalous days on one side; "" when there are none."""
    if search.mode != "anomaly":
        return ""
    sides = Counter((f.series, f.delta > 0) for f in search.findings)
    names = [who(search, series, lang) for (series, _), n in sides.items() if n >= _SUSTAINED]
    return say(lang, "detect.sustained", who=joined(lang, list(dict.fromkeys(names)))) if names else ""


def skip_text(search: Search, lang: Lang) -> str:
    """Why nothing was tested. `search.skip` must be set."""
    days = int(search.thresholds["min_history"])
    if search.skip == "not_summed":
        return say(lang, "detect.skip_not_summed", label=search.metric.label[lang])
    if search.skip == "short_history":
        return say(lang, "detect.skip_short_history", days=days)
    return say(lang, f"detect.skip_{search.skip}")


def who(search: Search, series: Series, lang: Lang) -> str:
    """The entity's name as a sentence says it."""
    if search.level is None:
        return say(lang, "detect.whole")
    return spoken_level(search.level, series.name, lang)


def level_word(search: Search, lang: Lang) -> str:
    """What the series are called: "shop" in "shop-days"; "" for one series without entities."""
    return "" if search.level is None else search.level.label[lang].split("/")[0].lower()


def day_text(search: Search, day: date) -> str:
    """The day, without the year where all of the search lies in one."""
    one_year = search.history_start.year == search.period.end.year
    is_near = (search.period.end - day).days < 300
    return f"{day:%m-%d}" if one_year or is_near else day.isoformat()


def day_type_text(kind: DayType, lang: Lang) -> str:
    """Workday, weekend, the holiday's name."""
    if kind.kind == "holiday" and kind.holiday:
        return say(lang, f"compare.holiday_{kind.holiday}")
    return say(lang, f"detect.day_{kind.kind}")


def keys_text(search: Search, keys: Sequence[tuple[Series, date]], lang: Lang) -> str:
    """Entities with their days, the first few named."""
    by_series: dict[str, tuple[Series, list[date]]] = {}
    for series, day in keys:
        by_series.setdefault(series.id, (series, []))[1].append(day)
    texts = [
        say(
            lang,
            "detect.key",
            who=who(search, series, lang),
            days=_more(joined(lang, ranges(search, days, lang)[:_NAMED]), ranges(search, days, lang), lang),
        )
        for series, days in list(by_series.values())[:_NAMED]
    ]
    return _more(joined(lang, texts), list(by_series), lang)


def ranges(search: Search, days: Sequence[date], lang: Lang) -> list[str]:
    """Runs of days as "10-08 to 10-10"."""
    runs: list[list[date]] = []
    for day in sorted(set(days)):
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    return [
        day_text(search, run[0])
        if len(run) == 1
        else say(lang, "detect.days_to", first=day_text(search, run[0]), last=day_text(search, run[-1]))
        for run in runs
    ]


def _more(text: str, everything: Sequence[object], lang: Lang) -> str:
    return text + say(lang, "detect.and_more") if len(everything) > _NAMED else text


def _sentence(texts: Sequence[str], lang: Lang) -> str:
    if not texts:
        return ""
    text = say(lang, "detect.sentence_joint").join(texts)
    return text[0].upper() + text[1:] + say(lang, "detect.end")
