"""The verdict of a search: found, nothing found, or not evaluated with the reason."""

from __future__ import annotations

from askcore.base.text import say
from askcore.base.values import Note, NoteCode, Verdict
from askcore.semantic.format import format_pct
from askcore.tools.base import ToolContext
from askcore.tools.compare.keys import row_key
from askcore.tools.detect.detect_texts import (
    excluded_text,
    findings_text,
    holiday_text,
    level_word,
    skip_text,
    sustained_text,
)
from askcore.tools.detect.finding import Mode, Search

CHECKS: dict[Mode, str] = {"anomaly": "anomaly", "changepoint": "change_point"}
_MAX_KEYS = 200
_MANY = 10  # findings after which the last ones may well be chance


def search_verdict(search: Search, ctx: ToolContext) -> Verdict:
    """`anomaly` or `change_point`; warn when something was found: it is news, no fault of the data."""
    lang, check = ctx.lang, CHECKS[search.mode]
    start, end = search.period.start.isoformat(), search.period.end.isoformat()
    target = say(lang, "detect.target", label=search.metric.label[lang], start=start, end=end)
    if search.skip is not None:
        note = skip_text(search, lang)
        return Verdict(id="", kind="anomaly", check=check, status="skip", target=target, note=note)
    counts = {
        "tested": search.tested_days,
        "series": search.tested_series,
        "bad": len(search.findings),
        "level": level_word(search, lang),
    }
    found = bool(search.findings)
    return Verdict(
        id="",
        kind="anomaly",
        check=check,
        status="warn" if found else "pass",
        severity="minor" if found else "info",
        target=target,
        expect=_expect(search, ctx),
        actual=say(lang, f"detect.{check}_actual", **_named(counts, check, "actual")),
        n_checked=search.tested_days,
        n_bad=len(search.findings),
        keys=_keys(search, ctx),
        tolerance=_tolerance(search, ctx),
        note=findings_text(search, lang)
        if found
        else say(lang, f"detect.{check}_pass", **_named(counts, check, "pass")),
        remedy=say(lang, f"detect.{check}_remedy") if found else "",
        sql=search.sql,
    )


def _named(counts: dict[str, object], check: str, sentence: str) -> dict[str, object]:
    """Only the figures that the sentence has a place for."""
    wanted = {
        ("anomaly", "actual"): ("tested", "bad", "level"),
        ("anomaly", "pass"): ("tested", "level"),
        ("change_point", "actual"): ("series", "bad"),
        ("change_point", "pass"): ("series",),
    }[check, sentence]
    return {name: counts[name] for name in wanted}


def _expect(search: Search, ctx: ToolContext) -> str:
    if search.mode == "changepoint":
        return say(ctx.lang, "detect.change_point_expect")
    return say(ctx.lang, "detect.anomaly_expect", weeks=int(search.thresholds["history_days"]) // 7)


def _tolerance(search: Search, ctx: ToolContext) -> str:
    limits = search.thresholds
    if search.mode == "changepoint":
        pct, days = format_pct(limits["min_shift"]), int(limits["min_segment"])
        return say(ctx.lang, "detect.change_point_tolerance", pct=pct, days=days)
    return say(
        ctx.lang, "detect.anomaly_tolerance", z=f"{limits['z']:g}", pct=format_pct(limits["min_deviation"])
    )


def _keys(search: Search, ctx: ToolContext) -> tuple[dict[str, str], ...]:
    scope = "all" if search.level is None else search.level.key
    model, catalog = ctx.view.model, ctx.view.catalog
    return tuple(
        row_key(model, catalog, day=f.day, scope=scope, entity=f.series.id)
        for f in search.findings[:_MAX_KEYS]
    )


def search_notes(search: Search, ctx: ToolContext) -> tuple[Note, ...]:
    """What was left out and how far the findings can be trusted."""
    lang, found = ctx.lang, []
    if search.skip in ("no_rows", "outside"):
        code: NoteCode = "empty" if search.skip == "no_rows" else "outside_coverage"
        found.append(Note(code=code, text=skip_text(search, lang)))
    if text := excluded_text(search, lang):
        found.append(Note(code="partial_period", text=text))
    if text := holiday_text(search, lang):
        found.append(Note(code="holiday", text=text))
    if not search.is_calendar_known:
        found.append(Note(code="holiday", text=say(lang, "detect.no_calendar")))
    if search.rolled_up_from is not None:
        text = say(lang, "compare.rolled_up", level=search.rolled_up_from.label[lang])
        found.append(Note(code="like_for_like", text=text))
    if text := sustained_text(search, lang):
        found.append(Note(code="ambiguous", text=text))
    if search.mode == "anomaly" and len(search.findings) > _MANY:
        found.append(Note(code="ambiguous", text=say(lang, "detect.chance")))
    return tuple(found)
