"""One issue of the data health report: what was found, what it means, what to do, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from askcore.base.reports import Block, ChecksBlock, TableBlock, TextBlock
from askcore.base.text import say
from askcore.base.values import Column, Table, Verdict
from askcore.base.views import HealthIssue, Mute
from askcore.checks.finding import Key
from askcore.checks.frame import Frame
from askcore.checks.impact import NO_DAY, entity_of
from askcore.checks.wording import name_of
from askcore.report.markup import one_line

_ON_PAPER: Final = 10  # rows that show the pattern; the workbook has every one


def issue_blocks(verdict: Verdict, issue: HealthIssue, frame: Frame) -> Iterator[Block]:
    """The verdict, its meaning, its remedy, the mutes that cover it, the rows concerned."""
    lang = frame.lang
    yield TextBlock(paragraphs=(one_line(_standing(verdict, issue, frame)),), tone="note")
    yield ChecksBlock(title=say(lang, "report.finding"), verdicts=(verdict,))
    told = []
    if verdict.kind != "identity":  # the name of an identity is its rule
        told.append((say(lang, "report.expected"), verdict.expect))
    told.append((say(lang, "report.impact"), issue.impact))
    told.append((say(lang, "report.remedy"), verdict.remedy))
    told += [(say(lang, "report.muted"), muted_words(mute, frame)) for mute in issue.mutes]
    lines = [(say(lang, "report.labelled", label=label), text) for label, text in told if text]
    yield TextBlock(paragraphs=tuple(one_line(text, label=label, is_item=True) for label, text in lines))
    rows = _rows(verdict, frame)
    if rows.table.columns:  # a finding of a load as a whole names neither a day nor an entity
        yield rows


def _standing(verdict: Verdict, issue: HealthIssue, frame: Frame) -> str:
    """Severity, since when, how many are new, how many are set aside."""
    lang = frame.lang
    severity = say(lang, f"report.severity_{verdict.severity}")
    parts = [say(lang, "report.severity_is", severity=severity)]
    if issue.since_version is not None:
        parts.append(say(lang, "report.since", version=issue.since_version))
    if issue.n_new:
        parts.append(say(lang, "report.n_new", n=issue.n_new))
    if issue.n_muted:
        parts.append(say(lang, "report.n_muted", n=issue.n_muted))
    return " · ".join(parts)


def muted_words(mute: Mute, frame: Frame) -> str:
    """Until when, why and by whom."""
    words = {"until": mute.until, "reason": mute.reason, "viewer": mute.viewer}
    return say(frame.lang, "report.muted_until", **words)


def _rows(verdict: Verdict, frame: Frame) -> TableBlock:
    """The bad keys, worst first, by day, name and id."""
    with_day = verdict.check.partition(":")[0] not in NO_DAY
    found = [_row(key, frame) for key in verdict.keys]
    columns = [
        Column(key=key, label=say(frame.lang, f"report.key_{key}"), unit="date" if key == "date" else "")
        for key in ("date", "level", "name", "id", "above")
        if (key != "date" or with_day) and (key == "date" or any(row[key] for row in found))
    ]
    rows = _kept(found, [c.key for c in columns])
    table = Table(columns=tuple(columns), rows=rows, row_count=max(verdict.n_bad, len(rows)))
    title = say(frame.lang, "report.evidence_rows")
    return TableBlock(title=title, table=table, source="", on_paper=_ON_PAPER)


def _kept(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    return tuple({key: row[key] for key in keys} for row in rows)


def _row(key: Key, frame: Frame) -> dict[str, Any]:
    levels = {level.id: level for level in frame.levels}
    column, entity_id = entity_of(key, frame) or ("", key.get("entity", ""))
    level = levels.get(column)
    above = [] if level is None else frame.levels[: frame.levels.index(level)]
    scope = frame.model.levels_by_key.get(key.get("scope", "")) or level
    return {
        "date": key.get("date", ""),
        "level": "" if scope is None else scope.label[frame.lang].split("/")[0],
        "name": entity_id if level is None else name_of(frame, level.key, entity_id),
        "id": entity_id,
        "above": " / ".join(name_of(frame, one.key, key[one.id]) for one in above if key.get(one.id)),
    }
