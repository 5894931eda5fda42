"""Outcomes -> verdicts: names for keys, readable numbers, sentences in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from askcore.base.text import catalogue, say
from askcore.base.values import CellUnit, Lang, Verdict
from askcore.checks.finding import Checked, Figure, Key, Outcome, day_of, worst_first
from askcore.checks.frame import Frame
from askcore.checks.sql import names_in
from askcore.semantic.model import Identity

_NAMED = 3  # entities that a sentence names; the rest are counted
_AREA = "checks"


def text(lang: Lang, name: str, **values: object) -> str:
    """A sentence of the checks."""
    return say(lang, f"{_AREA}.{name}", **values)


_BLANK = dict.fromkeys(
    ("metrics", "gap", "column", "lower", "upper", "share", "newest", "lag", "as_of", "allowed"), ""
)


def has_text(name: str) -> bool:
    """Whether the checks have such a sentence."""
    return name in catalogue(_AREA)


def checked(outcome: Outcome, frame: Frame) -> Checked:
    """The verdict with all numbers that its sentences state, counts first."""
    verdict = verdict_of(outcome, frame)
    counts = [
        Figure(value=verdict.n_checked, metric="n_checked"),
        Figure(value=verdict.n_bad, metric="n_bad"),
        *(Figure(value=len(k), metric=f"explained.{owner}") for owner, k in outcome.explained.items()),
    ]
    if outcome.explained:
        seen = sum(len(keys) for keys in outcome.explained.values())
        counts.append(Figure(value=seen, metric="explained"))
    worst = worst_first(outcome.findings)[:1]
    figures = [*counts, *outcome.figures, *(f for finding in worst for f in finding.figures)]
    return Checked(verdict=verdict, figures=tuple(figures))


def verdict_of(outcome: Outcome, frame: Frame) -> Verdict:
    """The verdict with all texts; its id is given by whoever lists it."""
    findings = worst_first(outcome.findings)
    n_bad = len(findings) if outcome.n_total is None else outcome.n_total
    words = {
        **_BLANK,
        "n": n_bad,
        "checked": outcome.n_checked,
        "where": entities_and_days([f.key for f in findings], frame),
        "detail": findings[0].detail if findings else "",
        "title": title(outcome.check, frame),
        **outcome.words,
    }
    stem = outcome.text_key
    expect, actual, note, remedy = _sentences(outcome, stem, words, frame.lang)
    note = joined((note, *_explained(outcome, frame), outcome.remark), frame.lang)
    return Verdict(
        id="v0",
        kind=outcome.kind,
        check=outcome.check,
        status=outcome.grade.status,
        target=outcome.target or target_of(frame),
        expect=expect,
        actual=actual,
        severity=outcome.grade.severity,
        n_checked=outcome.n_checked,
        n_bad=n_bad,
        keys=tuple(f.key for f in findings),
        tolerance=_optional(f"{stem}_tolerance", words, frame.lang),
        note=note,
        remedy=remedy,
        sql=outcome.sql,
    )


def _sentences(
    outcome: Outcome, stem: str, words: Mapping[str, object], lang: Lang
) -> tuple[str, str, str, str]:
    """(expect, actual, note, remedy)."""
    expect = text(lang, f"{stem}_expect", **words)
    if outcome.grade.status == "skip":
        return expect, text(lang, "actual_skip"), text(lang, outcome.reason, **words), ""
    if not outcome.findings and outcome.explained:
        seen = sum(len(keys) for keys in outcome.explained.values())
        return expect, text(lang, "actual_explained", **{**words, "n": seen}), "", ""
    if not outcome.findings:
        ok = f"{stem}_ok" if has_text(f"{stem}_ok") else "ok"
        return expect, text(lang, "actual_ok", **words), text(lang, ok, **words), ""
    return (
        expect,
        text(lang, "actual_bad", **words),
        text(lang, f"{stem}_bad", **words),
        text(lang, f"{stem}_remedy", **words),
    )


def _optional(name: str, words: Mapping[str, object], lang: Lang) -> str:
    return text(lang, name, **words) if has_text(name) else ""


def _explained(outcome: Outcome, frame: Frame) -> Iterable[str]:
    for owner, keys in outcome.explained.items():
        yield text(
            frame.lang,
            "explained",
            n=len(keys),
            where=entities_and_days(keys, frame),
            owner=title(owner, frame),
            check=owner,
        )


def joined(sentences: Iterable[str], lang: Lang) -> str:
    """Sentences in a row; empty ones are left out."""
    return ("" if lang == "zh" else " ").join(s for s in sentences if s)


def title(check: str, frame: Frame) -> str:
    """Short name of a check; a rule between levels is named by its levels."""
    stem, _, name = check.partition(":")
    for identity in frame.model.identities:
        if identity.id == name and stem == "identity":
            return identity_title(identity, frame)
    for rule in frame.model.cross_layer:
        if rule.id == check and rule.rule == "sum" and rule.lower and rule.upper:
            levels = frame.model.levels_by_key
            lower, upper = levels[rule.lower], levels[rule.upper]
            return text(
                frame.lang,
                "layer_sum_title",
                lower=lower.label.get(frame.lang, lower.key),
                upper=upper.label.get(frame.lang, upper.key),
            )
    return text(frame.lang, f"{stem}_title") if has_text(f"{stem}_title") else check


def identity_title(identity: Identity, frame: Frame) -> str:
    """Its label; without one the rule itself, in the metrics' labels."""
    found = identity.label.get(frame.lang, identity.id)
    if found != identity.id:
        return found
    rule = identity.expr or f"{identity.left} = {identity.right}"
    for table, name in sorted(names_in(rule), key=lambda n: -len(n[1])):
        spelled = f"{table}.{name}" if table else name
        shown = text(frame.lang, "source_value", metric=label(name, frame)) if table else label(name, frame)
        rule = re.sub(rf"(?<![\w.]){re.escape(spelled)}(?!\w)", shown, rule)
    return rule


def target_of(frame: Frame) -> str:
    """What the frame's rows are: the entity's name, else the dataset."""
    top = frame.model.top_level
    if frame.entity is not None and top is not None:
        return name_of(frame, top.key, frame.entity)
    return frame.view.dataset


def name_of(frame: Frame, level: str, entity_id: str) -> str:
    """Display name of an entity, its id when it has none."""
    entity = frame.view.catalog.entity(level, entity_id)
    name = entity.name if entity is not None and entity.name else entity_id
    return frame.view.catalog.spoken(frame.model.levels_by_key[level], name, entity_id, frame.lang)


def entity_name(key: Key, frame: Frame) -> str:
    """Name of the finest entity that a key names; "" when it names none."""
    for level in reversed(frame.levels):
        if key.get(level.id):
            return name_of(frame, level.key, key[level.id])
    return key.get("entity", "")


def entities_and_days(keys: Sequence[Key], frame: Frame) -> str:
    """As "Old Town 10-08..10-10, Bund 10-13": entities in the order given, the rest counted."""
    everybody = text(frame.lang, "everybody") if frame.levels else ""
    days: dict[str, list[date]] = {}
    ids = [level.id for level in frame.levels]
    names: dict[tuple[str | None, ...], str] = {}  # an entity has many keys
    for key in keys:
        entity = (key.get("entity"), *(key.get(one) for one in ids))
        if entity not in names:
            names[entity] = entity_name(key, frame)
        days.setdefault(names[entity], []).append(day_of(key))
    parts = [
        " ".join(p for p in (name or everybody, ranges(found, frame)) if p)
        for name, found in list(days.items())[:_NAMED]
    ]
    listed = text(frame.lang, "list_sep").join(parts)
    if len(days) > _NAMED:
        listed += text(frame.lang, "and_more", n=len(days) - _NAMED)
    return listed


def ranges(days: Iterable[date], frame: Frame) -> str:
    """As "10-08..10-10 10-13": consecutive days joined, at most three runs."""
    ordered = sorted(set(days))
    runs: list[tuple[date, date]] = []
    step = timedelta(days=frame.step_days)
    for day in ordered:
        if runs and day - runs[-1][1] <= step:
            runs[-1] = (runs[-1][0], day)
        else:
            runs.append((day, day))
    year = frame.as_of.year
    shown = " ".join(_run(first, last, year) for first, last in runs[:_NAMED])
    return shown + (" …" if len(runs) > _NAMED else "")


def _run(first: date, last: date, year: int) -> str:
    start = short_day(first, year)
    return start if first == last else f"{start}..{short_day(last, year)}"


def short_day(day: date, year: int) -> str:
    """Month and day; with the year when it is another one."""
    return day.strftime("%m-%d") if day.year == year else day.isoformat()


def number(value: float | None, unit: str = "") -> str:
    """A figure for a sentence: money with cents, rates in %, counts whole."""
    if value is None:
        return "–"
    if unit == "ratio":
        return f"{value:.2%}"
    if unit == "CNY" or not float(value).is_integer():
        return f"{value:,.2f}"
    return f"{value:,.0f}"


_UNITS: dict[str, CellUnit] = {"CNY": "money", "ratio": "pct", "order": "count", "person": "count"}


def figure(value: float | None, metric: str, unit: str = "") -> tuple[Figure, ...]:
    """The number as a figure; nothing when there is none."""
    return () if value is None else (Figure(value=value, metric=metric, unit=_UNITS.get(unit, "plain")),)


def label(key: str, frame: Frame) -> str:
    """Label of a metric in the reader's language, its key when it has none."""
    metric = frame.model.by_key.get(key)
    return key if metric is None else metric.label.get(frame.lang, key)


def labels(keys: Iterable[str], frame: Frame) -> str:
    """Labels of several metrics, at most five."""
    found = [label(k, frame) for k in keys]
    shown = text(frame.lang, "list_sep").join(found[:5])
    return shown + (" …" if len(found) > 5 else "")
