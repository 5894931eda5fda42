"""The words that all answers share: who, when, how much, and what the checks allow to be said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.agent.answer import metric_label
from askcore.agent.state import State
from askcore.base.text import say
from askcore.base.values import Lang, Period, Reading, ToolResult, Verdict
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.format import format_change, format_value
from askcore.semantic.model import Metric, Model
from askcore.tools.cells import row_entity, spoken_level, spoken_value

_NAMED = 3  # entities or checks named in a sentence; the rest is in the table or the cards


@dataclass(frozen=True, slots=True)
class Words:
    """Wording for one run."""

    lang: Lang
    model: Model
    catalog: Catalog

    @classmethod
    def of(cls, state: State) -> Words:
        """The words of a run's language and model."""
        return cls(state.request.lang, state.model, state.catalog)

    def say(self, key: str, **values: Any) -> str:
        """A sentence of the `answer` area."""
        return say(self.lang, f"answer.{key}", **values)

    def join(self, parts: Iterable[str]) -> str:
        """A list inside a sentence."""
        return say(self.lang, "answer.comma").join(parts)

    def sentences(self, parts: Iterable[str]) -> str:
        """Sentences after each other, the empty ones left out."""
        return ("" if self.lang == "zh" else " ").join(p for p in parts if p)

    def metric(self, key: str) -> Metric:
        """The metric or average behind a column key."""
        return resolve(self.model, key)

    def label(self, key: str) -> str:
        """What a metric is called."""
        return metric_label(self.model, key, self.lang)

    def value(self, key: str, value: Any) -> str:
        """A figure with its unit."""
        return format_value(self.metric(key), value, self.lang)

    def change(self, key: str, delta: float) -> str:
        """The size of a change, unsigned: pp for rates."""
        return format_change(self.metric(key), delta, self.lang)

    def bold(self, key: str, value: Any) -> str:
        """A headline figure."""
        return f"**{self.value(key, value)}**"

    def period(self, period: Period) -> str:
        """One day or a range."""
        if period.days == 1:
            return period.start.isoformat()
        return self.say("range", start=period.start.isoformat(), end=period.end.isoformat())

    def on(self, period: Period) -> str:
        """The period as the start of a sentence."""
        key = "on_day" if period.days == 1 else "on_range"
        return self.say(key, start=period.start.isoformat(), end=period.end.isoformat())

    def subject(self, reading: Reading | None) -> str:
        """Whom the figures are about: the filtered entities, else the company, else the dataset."""
        if reading is None:
            return self.catalog.dataset
        named = [self._name(key, i) for key, ids in reading.filters.items() for i in ids]
        if named:
            return self.join(named)
        top = self.model.top_level
        if top is not None and reading.entity is not None:
            return self._name(top.key, reading.entity)
        return self.say("all_of", dataset=self.catalog.dataset)

    def _name(self, key: str, value: str) -> str:
        entity = self.catalog.entity(key, value)
        if entity is not None:
            return spoken_level(self.model.levels_by_key[key], entity.name, self.lang)
        dimension = self.model.dimensions_by_key.get(key)
        return value if dimension is None else spoken_value(dimension, value, self.lang)

    def row_name(self, row: Mapping[str, Any]) -> str:
        """The entity or dimension value of a row as a sentence names it."""
        return row_entity(row, self.model, self.lang)


@dataclass(frozen=True, slots=True)
class Gate:
    """What the verdicts on the used rows allow to be said."""

    failed: tuple[Verdict, ...]
    warned: tuple[Verdict, ...]

    @classmethod
    def of(cls, results: Sequence[ToolResult]) -> Gate:
        """The gate of a run's figures."""
        verdicts = [v for r in results for v in r.verdicts]
        return cls(
            failed=tuple(v for v in verdicts if v.status == "fail"),
            warned=tuple(v for v in verdicts if v.status == "warn"),
        )

    def opening(self, words: Words) -> str:
        """Said before the figures when a check failed on the rows used; "" otherwise."""
        if not self.failed:
            return ""
        return words.say("not_a_fact", why=words.join(_reasons(self.failed, words)))

    def closing(self, words: Words) -> str:
        """Said after the figures when a check warns; "" otherwise."""
        if not self.warned:
            return ""
        return words.say("needs_care", why=words.join(_reasons(self.warned, words)))


def _reasons(verdicts: Sequence[Verdict], words: Words) -> list[str]:
    found = [f"{v.note.rstrip(words.say('full_stops'))} [{v.id}]" for v in verdicts[:_NAMED]]
    if len(verdicts) > _NAMED:
        found.append(words.say("more_checks"))
    return found
