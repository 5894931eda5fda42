"""One text against one set of cells: what every finder of claims is given, and how it words its grounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from askcore.base.text import say
from askcore.base.values import CellUnit, Lang
from askcore.checks.claims.bind import Alternatives, Binder
from askcore.checks.claims.outcome import Outcome, all_of, any_of, decided_of
from askcore.checks.claims.page import Page
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim, WordKind
from askcore.checks.claims.world import CUR, PREV, Step, World

_CJK: Final = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """A text, its cells and the words for metrics."""

    page: Page
    bind: Binder
    worlds: Sequence[World]
    metric_words: Mapping[str, Sequence[str]]
    polarity: Mapping[str, int]

    @property
    def lang(self) -> Lang:
        """The language of the text."""
        return "zh" if self.page.is_chinese else "en"

    def say(self, key: str, **values: object) -> str:
        """A sentence of `claims.yaml`."""
        return say(self.lang, f"claims.{key}", **values)

    def claim(self, token: Token, kind: WordKind, outcome: Outcome, *, end: int | None = None) -> WordClaim:
        """The claim that `token` makes."""
        last = token.end if end is None else end
        return WordClaim(
            text=self.page.text(token.start, last), kind=kind, status=outcome.status, why=outcome.why,
            start=token.start, end=last,
        )  # fmt: skip

    def over_worlds(self, judge: Callable[[World], Outcome]) -> Outcome:
        """The best verdict over the results; those that have nothing to say are left out."""
        return decided_of(judge(world) for world in self.worlds)

    def over_metrics(
        self, metrics: Sequence[Alternatives], judge: Callable[[World, str], Outcome]
    ) -> Outcome:
        """All metrics listed must agree; of a metric's alternatives one must."""
        return all_of(
            self.over_worlds(lambda world, keys=keys: any_of(judge(world, k) for k in keys))  # type: ignore[misc]
            for keys in metrics
        )

    def label(self, metric: str) -> str:
        """The metric in the text's language."""
        chinese = self.lang == "zh"
        labels = self.metric_words.get(metric, ())
        return next((w for w in labels if bool(_CJK.search(w)) == chinese), metric)

    def unit(self, metric: str) -> CellUnit:
        """Unit of the metric's levels."""
        return next((w.units[metric] for w in self.worlds if metric in w.units), "plain")

    def who(self, entity: str, period: str = CUR) -> str:
        """Entity and time bucket as the head of a sentence; "" for the whole, now."""
        place = self.spot(entity, period, whole="")
        return self.say("owner", name=place) if place else ""

    def spot(self, entity: str, period: str = CUR, *, whole: str | None = None) -> str:
        """Entity and time bucket by name."""
        name = entity or (self.say("total") if whole is None else whole)
        if period.startswith(CUR):
            return name
        label = self.say("base") if period.startswith(PREV) else period
        return self.say("at_time", name=name, label=label) if name else label

    def listed(self, names: Iterable[str]) -> str:
        """Names as a list."""
        return self.say("list_sep").join(names) or self.say("nobody")

    def value(self, value: float, unit: CellUnit) -> str:
        """A level as a reader writes it."""
        if unit == "pct":
            return f"{value * 100:.4g}%"
        if unit == "pp":
            return f"{value * 100:.4g}pp"
        return (
            f"{value:,.0f}"
            if abs(value - round(value)) < 1e-9
            else f"{value:,.4g}"
            if abs(value) < 1000
            else f"{value:,.2f}"
        )

    def moved(self, world: World, metric: str, entity: str, step: Step) -> str:
        """From which value to which."""
        unit = world.units[metric]
        verb = "rose" if step.new > step.old else "fell" if step.new < step.old else "same"
        period = step.new_label
        return self.say(
            "moved", who=self.who(entity, period), metric=self.label(metric), old=self.value(step.old, unit),
            new=self.value(step.new, unit), verb=self.say(verb),
        )  # fmt: skip
