"""What earlier checks and people left behind: findings that came and went, findings that were set aside.

These are records: no call makes them again, so they are none of the report's figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from askcore.base.reports import Block, GridBlock, TextBlock
from askcore.base.text import say
from askcore.base.views import HealthChange, HealthFinding, HealthHistory, Mute
from askcore.checks.frame import Frame
from askcore.checks.wording import entity_name, title
from askcore.report.markup import one_line

_LOADS: Final = 10
_FINDINGS: Final = 20


def history_blocks(found: HealthHistory, frame: Frame) -> Iterator[Block]:
    """A line a load, newest first, and what the newest one brought and mended."""
    if not found.versions:
        return
    newest, lang = found.versions[0], frame.lang
    lead = [say(lang, "report.history_lead")]
    if frame.entity is not None:
        lead.append(say(lang, "report.history_all"))
    if newest.previous is None:
        lead.append(say(lang, "report.history_first", version=newest.version, n=newest.n_appeared))
    yield TextBlock(paragraphs=tuple(one_line(text) for text in lead), tone="note")
    if len(found.versions) < 2 and newest.previous is None:
        return
    names = ("version", "loaded", "fail", "warn", "appeared", "mended", "persists")
    rows = tuple(_load(change, frame) for change in found.versions[:_LOADS])
    told = found.versions[_LOADS:] or found.is_cut
    more = say(lang, "report.history_cut", n=len(rows)) if told else ""
    yield GridBlock(title=say(lang, "report.by_load"), heads=_heads(names, frame), rows=rows, lead=more)
    if newest.previous is None:
        return
    yield from _changes("appeared", newest.appeared, newest.n_appeared, newest, frame)
    yield from _changes("mended", newest.mended, newest.n_mended, newest, frame)
    notes = list(_asides(newest, frame))
    if notes:
        yield TextBlock(paragraphs=tuple(one_line(text) for text in notes), tone="note")


def _heads(names: Sequence[str], frame: Frame) -> tuple[str, ...]:
    return tuple(say(frame.lang, f"report.load_{name}") for name in names)


def _load(change: HealthChange, frame: Frame) -> tuple[str, ...]:
    zone = ZoneInfo(frame.model.time.timezone)
    loaded = datetime.fromtimestamp(change.loaded_at, UTC).astimezone(zone)
    is_first = change.previous is None
    compared = (change.n_appeared, change.n_mended, change.n_persists)
    return (
        str(change.version),
        f"{loaded:%Y-%m-%d %H:%M}",
        str(change.counts.get("fail", 0)),
        str(change.counts.get("warn", 0)),
        *("–" if is_first else f"{n:,}" for n in compared),
    )


def _changes(
    kind: str, found: Sequence[HealthFinding], count: int, change: HealthChange, frame: Frame
) -> Iterator[GridBlock]:
    if not found:
        return
    rows = tuple(_finding(one, frame) for one in found[:_FINDINGS])
    name = say(frame.lang, f"report.{kind}_in", version=change.version)
    lead = say(frame.lang, "report.rows", shown=len(rows), all=count) if count > len(rows) else ""
    heads = tuple(say(frame.lang, f"report.{key}") for key in ("check", "key_name", "key_id", "key_date"))
    yield GridBlock(title=name, heads=heads, rows=rows, lead=lead)


def _finding(one: HealthFinding, frame: Frame) -> tuple[str, ...]:
    ids = [one.key[level.id] for level in reversed(frame.levels) if one.key.get(level.id)]
    return title(one.check, frame), one.entity or "–", ids[0] if ids else "–", one.key.get("date", "–")


def _asides(change: HealthChange, frame: Frame) -> Iterator[str]:
    """What the comparison could not look at."""
    if change.not_evaluated:
        names = say(frame.lang, "answer.comma").join(title(check, frame) for check in change.not_evaluated)
        yield say(frame.lang, "report.history_skipped", checks=names)
    for check, before, now in change.too_many:
        words = {"check": title(check, frame), "before": "–" if before is None else before, "now": now}
        yield say(frame.lang, "report.history_too_many", **words)


def mute_blocks(mutes: Sequence[Mute], frame: Frame) -> Iterator[Block]:
    """Who set what aside, why, until when."""
    lang = frame.lang
    yield TextBlock(paragraphs=(one_line(say(lang, "report.mutes_lead")),), tone="note")
    heads = tuple(
        say(lang, f"report.{k}") for k in ("check", "mute_of", "mute_reason", "mute_until", "mute_by")
    )
    rows = tuple(
        (title(m.check, frame), _meant(m, frame), m.reason, m.until.isoformat(), m.viewer) for m in mutes
    )
    yield GridBlock(title=say(lang, "report.chapter_mutes"), heads=heads, rows=rows)


def _meant(mute: Mute, frame: Frame) -> str:
    if not mute.key:
        return say(frame.lang, "report.mute_whole")
    ids = [mute.key[level.id] for level in reversed(frame.levels) if mute.key.get(level.id)]
    name = entity_name(mute.key, frame)
    return " · ".join(p for p in (name, *ids[:1], mute.key.get("date", "")) if p)
