"""The words that all answers share: who, when, how much, and what the checks allow to be said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.agent.answer import distinct, metric_label, settled
from askcore.agent.state import State
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Lang, Period, Reading, ToolResult, Verdict
from askcore.semantic.averages import resolve
from askcore.semantic.catalog import Catalog
from askcore.semantic.format import format_change, format_value, number
from askcore.semantic.model import Level, Metric, Model
from askcore.semantic.names import spoken_value
from askcore.tools.cells import row_entity

_NAMED = 4  # findings told one by one; the rest is on the cards
_MULTIPLE = "x"


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
        said = [p for p in parts if p]
        if self.lang == "zh":
            return "".join(f"{p} " if p.endswith("]") else p for p in said).rstrip()
        return " ".join(p[:1].upper() + p[1:] for p in said)

    def metric(self, key: str) -> Metric:
        """The metric or average behind a column key."""
        return resolve(self.model, key)

    def label(self, key: str) -> str:
        """What a metric is called."""
        return metric_label(self.model, key, self.lang)

    def whole(self, key: str, result: ToolResult) -> str:
        """What the metric's total in a result is called.

        People of several shops added up are not the company's people: each shop counts whoever it saw.
        """
        level = self.model.levels_by_key.get(str(result.args.get("scope") or ""))
        if level is None or not self._counts_twice(key, level, result.args):
            return self.label(key)
        name = level.label[self.lang].split("/")[0].lower()
        return self.say("added_up", metric=self.label(key), level=name)

    def _counts_twice(self, key: str, level: Level, args: Mapping[str, Any]) -> bool:
        if (
            level.key == next(iter(self.catalog.scopes), level.key)
            or len(args.get(f"{level.key}s") or ()) == 1
        ):
            return False
        base = self.metric(key)
        parts = [base.key, base.additivity.numerator or "", base.additivity.denominator or ""]
        known = [self.model.by_key[part] for part in parts if part in self.model.by_key]
        return any(m.additivity.across_entities == "upper_bound" for m in known)

    def value(self, key: str, value: Any) -> str:
        """A figure with its unit."""
        return format_value(self.metric(key), value, self.lang)

    def change(self, key: str, delta: float) -> str:
        """The size of a change, unsigned: pp for rates, "up 0.11" (not "0.11 times") for multiples."""
        metric = self.metric(key)
        if metric.unit == _MULTIPLE:
            return number(metric, abs(delta))
        return format_change(metric, delta, self.lang)

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
            return self.say("all_of")
        top = self.model.top_level
        finer = {k: ids for k, ids in reading.filters.items() if top is None or k != top.key}
        named = [self._name(key, i) for key, ids in (finer or reading.filters).items() for i in ids]
        if named:
            return self.join(named)
        if top is not None and reading.entity is not None:
            return self._name(top.key, reading.entity)
        return self.say("all_of")

    def _name(self, key: str, value: str) -> str:
        entity = self.catalog.entity(key, value)
        if entity is not None:
            return self.entity_name(key, entity.name, entity.id)
        dimension = self.model.dimensions_by_key.get(key)
        return value if dimension is None else spoken_value(dimension, value, self.lang)

    def entity_name(self, level: str, name: str, key: str) -> str:
        """An entity's spoken name, with its id where others of the level share it."""
        return self.catalog.spoken(self.model.levels_by_key[level], name, key, self.lang)

    def row_name(self, row: Mapping[str, Any]) -> str:
        """The entity or dimension value of a row as a sentence names it."""
        if name := row_entity(row, self.model, self.catalog, self.lang):
            return name
        grain = next((g for g in TIME_GRAINS if row.get(g) is not None), None)
        return "" if grain is None else self.bucket(str(row[grain]), grain)

    def bucket(self, label: str, grain: str) -> str:
        """A time bucket as a sentence names it: a bare year would read as a figure, a week as a day."""
        return self.say(f"bucket_{grain}", label=label) if grain in ("year", "week") else label


@dataclass(frozen=True, slots=True)
class Gate:
    """What the verdicts on the used rows allow to be said."""

    failed: tuple[Verdict, ...]
    warned: tuple[Verdict, ...]

    @classmethod
    def of(cls, results: Sequence[ToolResult], told: Sequence[str] = ()) -> Gate:
        """The gate of figures from these results; significance is worded with the change itself.

        told: checks whose verdicts the figures' own sentences tell.
        """
        verdicts = distinct(
            v for r in results for v in r.verdicts if v.kind != "significance" and v.check not in told
        )
        return cls(
            failed=tuple(v for v in verdicts if v.status == "fail"),
            warned=tuple(v for v in verdicts if v.status == "warn"),
        )

    def around(self, figures: str, words: Words) -> str:
        """The figures as the verdicts allow them to be said: a failure stands before them."""
        parts = []
        if self.failed:
            parts.append(words.say("not_a_fact") + bullets(self.failed, words))
            figures = words.say("as_it_stands", figures=figures)
        parts.append(figures)
        if self.warned:
            parts.append(words.say("needs_care") + bullets(self.warned, words))
        return "\n\n".join(p for p in parts if p)


def beside(results: Sequence[ToolResult], words: Words, reading: Reading | None) -> str:
    """Findings of checks that ran beside the figures; of other entities only that there are some."""
    found = [v for v in settled(results) if v.status in ("fail", "warn")]
    near = [v for v in found if _concerns(v, reading, words)]
    known = [v for v in near if _is_explained(v, results)]
    open_ones = [v for v in near if v not in known]
    parts = [words.say("beside") + bullets(open_ones, words)] if open_ones else []
    if known:
        names = words.join(list(dict.fromkeys(_title(v, results) for v in known)))
        parts.append(words.say("beside_known", names=names, ids=" ".join(f"[{v.id}]" for v in known)))
    if len(near) < len(found):
        parts.append(words.say("beside_others"))
    return "\n\n".join(parts)


def _is_explained(verdict: Verdict, results: Sequence[ToolResult]) -> bool:
    """Whether other checks own all that this one sees."""
    metric = f"{verdict.check}.explained"
    seen = sum(c.value for r in results if verdict in r.verdicts for c in r.cells if c.metric == metric)
    return 0 < verdict.n_bad <= seen


def _title(verdict: Verdict, results: Sequence[ToolResult]) -> str:
    """The check's name for people, as its own table has it."""
    tables = [r.table for r in results if r.table is not None and verdict in r.verdicts]
    rows = (row for table in tables for row in table.rows if row.get("check") == verdict.check)
    return next((str(row["title"]) for row in rows), verdict.check)


def _concerns(verdict: Verdict, reading: Reading | None, words: Words) -> bool:
    """Whether a finding touches the entities asked about; one without keys concerns everybody."""
    if reading is None or not verdict.keys:
        return True
    wanted = _asked_about(reading, words)
    return any(all(not key.get(c) or key[c] in ids for c, ids in wanted.items()) for key in verdict.keys)


def _asked_about(reading: Reading, words: Words) -> dict[str, set[str]]:
    """Id column -> the entities asked about, and the ones above them."""
    columns = {level.key: level.id for level in words.model.levels}
    found: dict[str, set[str]] = {}
    for key, ids in reading.filters.items():
        if key not in columns:
            continue
        found.setdefault(columns[key], set()).update(ids)
        for entity in filter(None, (words.catalog.entity(key, i) for i in ids)):
            for level, parent in entity.parents.items():
                if level in columns and parent:
                    found.setdefault(columns[level], set()).add(parent)
    return found


def bullets(verdicts: Sequence[Verdict], words: Words) -> str:
    """One line a verdict with its id; past a few, the cards tell the rest."""
    lines = [f"\n- {sentence(v.note or v.check, words)} [{v.id}]" for v in verdicts[:_NAMED]]
    if len(verdicts) > _NAMED:
        lines.append(f"\n- {words.say('more_checks')}")
    return "".join(lines)


def sentence(text: str, words: Words) -> str:
    """The text with exactly one full stop."""
    return words.say("sentence", text=text.strip().rstrip(words.say("full_stops")))
