"""Everything that the rules need to know about the question being read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from askcore.agent.rules.entity_words import short_name
from askcore.agent.rules.frame import Frame
from askcore.agent.rules.metric_words import plain
from askcore.agent.rules.scan import Scan
from askcore.agent.rules.times.values import Clock
from askcore.agent.rules.vocabulary import Vocabulary
from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang, Note, NoteCode, Period
from askcore.semantic.averages import over_label, split_key
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Model

_FIRST_YEAR, _LAST_YEAR = 1000, 2999  # years of days that a lake may hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its parts, the dataset's words and the clock."""

    scan: Scan
    frame: Frame
    vocab: Vocabulary
    clock: Clock
    entity: str | None
    lang: Lang
    follows: bool = False
    """Some parts come from the question before."""

    @property
    def model(self) -> Model:
        """The dataset's model."""
        return self.vocab.model

    @property
    def catalog(self) -> Catalog:
        """The dataset's catalog."""
        return self.vocab.catalog

    @property
    def cues(self) -> frozenset[str]:
        """Names of the grammar words in the question."""
        return self.frame.cues

    def say(self, sentence: str, /, **values: Any) -> str:
        """A sentence of `understand.yaml` in the question's language."""
        return say(self.lang, f"understand.{sentence}", **values)

    def note(self, code: NoteCode, sentence: str, /, **values: Any) -> Note:
        """A note with a sentence of `understand.yaml`."""
        return Note(code=code, text=self.say(sentence, **values))

    def label(self, key: str) -> str:
        """A metric's name, with what it is averaged over."""
        base, _ = split_key(key)
        metric = self.model.metric(base)
        name = plain(metric.label.get(self.lang) or next(iter(metric.label.values()), base))
        over = over_label(self.model, key, self.lang)
        if over is None:
            return name
        kind, what = over
        return self.say(f"average_{kind}", name=name, what=plain(what))

    def labels(self, keys: Iterable[str]) -> str:
        """Several names in a list."""
        return self.say("comma").join(self.label(k) for k in keys)

    def name(self, entity: Entity) -> str:
        """An entity's name, with its parent where others share it."""
        same = [e for e in self.catalog.by_level.get(entity.level, ()) if e.name == entity.name]
        short = short_name(entity.name)
        if short.isdecimal():
            level = self.model.levels_by_key[entity.level].label.get(self.lang, entity.level)
            return f"{level.split('/')[0]} {short}"
        if len(same) < 2:
            return short
        parent = self.parent(entity)
        twins = [e for e in same if self.parent(e) == parent]
        return f"{parent}{short}" if parent and len(twins) == 1 else f"{short} {entity.id}"

    def parent(self, entity: Entity) -> str:
        """Short name of the level directly above; "" at the top."""
        for level in reversed(self.model.levels):
            if level.key in entity.parents and level.key != entity.level:
                found = self.catalog.entity(level.key, entity.parents[level.key])
                return "" if found is None else short_name(found.name)
        return ""

    def days(self, period: Period) -> str:
        """A period as text that can be asked again."""
        if period.days == 1:
            return period.start.isoformat()
        return self.say("days", first=period.start.isoformat(), last=period.end.isoformat())

    def rewritten(self, start: int, end: int, words: str) -> str:
        """The question as typed with a range of it said differently; an inherited part is put in front."""
        raw = self.scan.text.raw
        if start < 0:
            return f"{words} {raw}" if self.lang == "en" else f"{words}{raw}"
        first, last = self.scan.text.raw_range(start, end)
        glue = " " if self.lang == "en" else ""
        head, tail = raw[:first].rstrip() if not words else raw[:first], raw[last:]
        if not words:
            return f"{head}{glue}{tail.lstrip()}".strip()
        return f"{head}{words}{tail}"


def clock_of(model: Model, catalog: Catalog, as_of: date, lang: Lang = "en") -> Clock:
    """The question's clock: settlement lag and data range of the dataset.

    Raises: BadRequest near the ends of the calendar, where "last year" is no day any more.
    """
    if not _FIRST_YEAR <= as_of.year <= _LAST_YEAR:
        bounds = {"first": _FIRST_YEAR, "last": _LAST_YEAR}
        raise BadRequest(say(lang, "understand.clock_out_of_range", day=as_of.isoformat(), **bounds))
    last = as_of - timedelta(days=model.time.settlement_lag_days)
    return Clock(as_of=as_of, last=last, data=catalog.period, grain=model.time.grain)
