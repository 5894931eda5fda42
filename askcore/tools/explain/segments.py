"""The change of a total by the entities of one level, or the values of one dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from askcore.base.text import say
from askcore.base.values import Lang
from askcore.semantic.model import Level
from askcore.semantic.names import spoken_value
from askcore.stats.contributions import Pair, RatioPair, RatioSplit, SumSplit, split_ratio, split_sum
from askcore.tools.base import ToolContext
from askcore.tools.compare.components import Parts
from askcore.tools.compare.keys import row_key
from askcore.tools.compare.verdicts import day_ranges
from askcore.tools.explain.asked import Asked, Layers
from askcore.tools.explain.layers_below import Mend, mend, must_agree
from askcore.tools.explain.read import Store, Sums, side_of
from askcore.tools.explain.restore import Unrestored

SegmentKind = Literal["both", "opened", "closed", "zero", "absent", "restored", "undelivered", "mismatch"]
"""absent: no rows in a period although it had some before and after. restored: missing or zero rows were
computed from the level above. undelivered, mismatch: no entity, but rows that are missing or disagree."""
Keys = tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """What a part of a split is, beside its numbers."""

    id: str
    name: str
    """As a sentence calls it."""
    kind: SegmentKind | None = None
    """None: what the numbers say."""
    days: tuple[date, ...] = ()
    """Days restored, missing or disagreeing."""
    keys: Keys = ()
    """Rows of those days."""
    amounts: tuple[float, float] = (0.0, 0.0)
    """Baseline and current amount (of the numerator) that was restored, or that no entity accounts for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelSplit:
    """One way to split the total."""

    key: str
    """Level or dimension key."""
    label: str
    layer: str
    """Level whose rows were read."""
    of_total: bool
    """False: the rows of this layer need not add up to the total (people counted once above)."""
    split: SumSplit | RatioSplit
    segments: Mapping[str, Segment]
    """By the key of the split's parts."""
    sums: tuple[Sums, ...]

    def kind(self, key: str, found: SegmentKind) -> SegmentKind:
        """The kind of a part: what is known of it, else what the numbers say."""
        return self.segments[key].kind or found


@dataclass(slots=True, kw_only=True)
class Splitter:
    """Makes the splits of one question; layers that several need are mended once."""

    store: Store
    asked: Asked
    layers: Layers
    ctx: ToolContext
    _mended: dict[str, tuple[Mend, ...]] = field(default_factory=dict)

    @property
    def parts(self) -> Parts:
        """What the metric is made of."""
        return self.store.reader.components.parts[self.asked.metric.key]

    def split(self, key: str) -> LevelSplit | None:
        """The split by a level or dimension; None where a ratio has no denominator in a period."""
        layer = self.layers.layer(key)
        assert layer is not None  # noqa: S101 - such levels are left out before
        steps = self.layers.steps(layer)
        agrees = must_agree(self.store.model, self.asked.metric, steps) and not self._by_dimension
        mended = self._mend(layer) if agrees and steps else ()
        sums = tuple(s for s in self.store.sums(layer, key) if any(s.rows))
        segments = {s.id: self._segment(key, s) for s in sums}
        values = {s.id: self._values(s) for s in sums}
        self._add_restored(key, mended, segments, values)
        self._add_unrestored(mended, segments, values)
        split = self._parted(values)
        if split is None:
            return None
        return LevelSplit(
            key=key,
            label=self._label(key),
            layer=layer,
            of_total=agrees or not steps,
            split=split,
            segments=segments,
            sums=sums,
        )

    @property
    def _by_dimension(self) -> bool:
        """Whether rows are narrowed by something that the levels above may not know."""
        return any(k in self.store.model.dimensions_by_key for k in self.asked.target.filters)

    def _mend(self, layer: str) -> tuple[Mend, ...]:
        if layer not in self._mended:
            end = self.store.reader.view.catalog.period
            parts = [p for p in (self.parts.top, self.parts.bottom) if p]
            last = self.asked.periods[1].end if end is None else end.end
            self._mended[layer] = mend(self.store, self.layers.steps(layer), parts, last)
        return self._mended[layer]

    def _values(self, sums: Sums) -> list[tuple[float, float] | None]:
        """(top, bottom) of the baseline and of the current period; None without rows."""
        top, bottom = sums.all[self.parts.top], sums.all.get(self.parts.bottom or "", (0.0, 0.0))
        return [(top[s], bottom[s]) if sums.rows[s] else None for s in (0, 1)]

    def _parted(
        self, values: Mapping[str, Sequence[tuple[float, float] | None]]
    ) -> SumSplit | RatioSplit | None:
        if self.parts.bottom is None:
            pairs = [
                Pair(key=k, before=None if a is None else a[0], after=None if b is None else b[0])
                for k, (a, b) in values.items()
            ]
            return split_sum(pairs)
        zero = (0.0, 0.0)
        return split_ratio(
            [RatioPair(key=k, before=a or zero, after=b or zero) for k, (a, b) in values.items()]
        )

    def _add_restored(
        self,
        key: str,
        mended: Sequence[Mend],
        segments: dict[str, Segment],
        values: dict[str, list[tuple[float, float] | None]],
    ) -> None:
        """Amounts that the level above implies, added to the entity that lacks them."""
        order = [x.key for x in self.store.model.levels]
        for row in mended[-1].restored if mended else ():
            path = (*row.spot.path, row.child)
            entity = path[order.index(key)] if key in order[: len(path)] else row.child
            side = side_of(row.spot.day, self.asked.periods)
            if entity not in segments:
                segments[entity] = self._segment(key, Sums(id=entity, name=entity))
                values[entity] = [None, None]
            known = values[entity][side] or (0.0, 0.0)
            bottom = row.amounts[1] if len(row.amounts) > 1 else 0.0
            values[entity][side] = (known[0] + row.amounts[0], known[1] + bottom)
            segments[entity] = self._restored(
                segments[entity], mended[-1], row.child, row.spot.day, side, row.amounts[0]
            )

    def _restored(
        self, segment: Segment, step: Mend, child: str, day: date, side: int, amount: float
    ) -> Segment:
        amounts = list(segment.amounts)
        amounts[side] += amount
        return Segment(
            id=segment.id,
            name=segment.name,
            kind="restored",
            days=tuple(sorted({*segment.days, day})),
            keys=(*segment.keys, self._key(step.level.key, child, day)),
            amounts=(amounts[0], amounts[1]),
        )

    def _add_unrestored(
        self,
        mended: Sequence[Mend],
        segments: dict[str, Segment],
        values: dict[str, list[tuple[float, float] | None]],
    ) -> None:
        """Differences that no single entity accounts for, a segment each entity above and reason."""
        for step in mended:
            groups: dict[tuple[str, tuple[str, ...]], list[Unrestored]] = {}
            for one in step.left:
                groups.setdefault((one.kind, one.spot.path), []).append(one)
            for (kind, path), rows in groups.items():
                amounts = self._amounts(rows)
                key = f"{kind}:{step.upper.key}:{path[-1]}"
                values[key] = list(amounts)
                segments[key] = self._named_gap(step, key, rows, (amounts[0][0], amounts[1][0]))

    def _amounts(self, rows: Sequence[Unrestored]) -> tuple[tuple[float, float], tuple[float, float]]:
        found = [[0.0, 0.0], [0.0, 0.0]]
        for row in rows:
            side = side_of(row.spot.day, self.asked.periods)
            for i, amount in enumerate(row.amounts):
                found[side][i] += amount
        return (found[0][0], found[0][1]), (found[1][0], found[1][1])

    def _named_gap(
        self, step: Mend, key: str, rows: Sequence[Unrestored], amounts: tuple[float, float]
    ) -> Segment:
        lang, kind, entity = self.ctx.lang, rows[0].kind, rows[0].spot.path[-1]
        days = tuple(sorted(r.spot.day for r in rows))
        name = say(
            lang,
            f"explain.{kind}",
            who=self._name(step.upper.key, entity, entity),
            level=level_word(step.level, lang),
            days=day_ranges(days),
        )
        if kind == "undelivered":
            keys = [self._key(step.level.key, child, r.spot.day) for r in rows for child in r.children]
        else:
            keys = [self._key(step.upper.key, entity, d) for d in days]
        return Segment(id=key, name=name, kind=kind, days=days, keys=tuple(keys), amounts=amounts)

    def _key(self, scope: str, entity: str, day: date) -> Mapping[str, str]:
        return row_key(self.store.model, self.store.reader.view.catalog, day=day, scope=scope, entity=entity)

    def _segment(self, key: str, sums: Sums) -> Segment:
        return Segment(id=sums.id, name=self._name(key, sums.id, sums.name), kind=self._absent(key, sums))

    def _absent(self, level: str, sums: Sums) -> SegmentKind | None:
        """Whether an entity without rows in a period had some before the baseline, or after the current."""
        entity = self.store.reader.view.catalog.entity(level, sums.id)
        if entity is None or all(sums.rows) or not any(sums.rows):
            return None
        base, current = self.asked.periods
        if not sums.rows[0]:
            return "absent" if entity.first_day < base.start.isoformat() else None
        return "absent" if entity.last_day > current.end.isoformat() else None

    def _name(self, key: str, id_: str, name: str) -> str:
        model, lang = self.store.model, self.ctx.lang
        level = model.levels_by_key.get(key)
        if level is None:
            shown = spoken_value(model.dimensions_by_key[key], name, lang)
        else:
            catalog = self.store.reader.view.catalog
            entity = catalog.entity(key, id_)
            shown = catalog.spoken(level, name if entity is None else entity.name, id_, lang)
        return shown or say(lang, "explain.unnamed")

    def _label(self, key: str) -> str:
        model, lang = self.store.model, self.ctx.lang
        level = model.levels_by_key.get(key)
        return model.dimensions_by_key[key].label[lang] if level is None else level_word(level, lang)


def level_word(level: Level, lang: Lang) -> str:
    """What a sentence calls a level: the first of its names."""
    return level.label[lang].split("/")[0]


def total_of(parts: Parts, sums: Sums) -> tuple[float | None, float | None]:
    """The metric over all rows in (baseline, current); None without rows or denominator."""
    names = [n for n in (parts.top, parts.bottom) if n]
    base, current = (
        parts.value({n: sums.all[n][side] for n in names}) if sums.rows[side] else None for side in (0, 1)
    )
    return base, current
