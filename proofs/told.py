"""Proofs of what is said: numbers and words that the cells do not hold, in sentences that a generator spoils.

The twin's sentence is made from the cells; the mutant changes one thing in it: a digit, a sign, a mean, a
window, a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from askcore.agent.answer import answer_fields
from askcore.agent.loop import Outcome
from askcore.agent.state import Final, Request, State
from askcore.base.values import Cell
from askcore.checks.claims import check_words
from askcore.checks.provenance import trace_numbers
from proofs import halls, lake
from proofs.proof import Evidence, Proof

Rng = np.random.Generator
HALLS = ("Annex", "Bridge", "Court", "Dome")
WORDS = {
    "takings": ("takings",),
    "guests": ("guests",),
    "closing": ("closing rate",),
    "price": ("price",),
}
WEEKS = tuple(f"2026-W{n}" for n in range(31, 37))


class Told:
    """Cells of a made-up result: four halls now and before, their total, and a series of weeks that rises."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        base = 10_000 + 1_000 * np.arange(len(HALLS)) + rng.integers(100, 900, len(HALLS))
        self.names = tuple(HALLS[i] for i in rng.permutation(len(HALLS)))
        self.now = {name: float(v) for name, v in zip(self.names, base, strict=True)}
        self.before = {
            name: float(round(v * (0.7 + 0.04 * i))) for i, (name, v) in enumerate(self.now.items())
        }
        self.rates = {name: round(0.2 + 0.0317 * (i + 1) ** 1.5, 4) for i, name in enumerate(self.names)}
        self.weights = {name: 400.0 * (i + 1) ** 3 for i, name in enumerate(self.names)}
        self.weeks = [float(5_000 + 640 * i + int(rng.integers(10, 90))) for i in range(len(WEEKS))]

    @property
    def rate(self) -> float:
        """Weighted; far from the plain mean."""
        whole = sum(self.weights.values())
        return float(sum(self.rates[n] * self.weights[n] for n in self.names) / whole)

    @property
    def cells(self) -> list[Cell]:
        """Everything that a sentence may cite."""
        found = [_cell(v, entity=n) for n, v in self.now.items()]
        found += [_cell(v, entity=n, period="prev") for n, v in self.before.items()]
        found += [_cell(sum(self.now.values()), role="total")]
        found += [_cell(sum(self.before.values()), role="total", period="prev")]
        rate: dict[str, Any] = {"metric": "closing", "unit": "pct", "additivity": "ratio"}
        found += [_cell(v, entity=n, **rate) for n, v in self.rates.items()]
        found += [_cell(self.rate, role="total", **rate)]
        found += [
            _cell(v, metric="guests", unit="count", period=w) for w, v in zip(WEEKS, self.weeks, strict=True)
        ]
        return [*found, _cell(float(len(HALLS)), metric="rows", unit="count", role="rows")]

    def statuses(self, text: str) -> list[str]:
        """Of the numbers, in text order."""
        trace = trace_numbers(text, cells=self.cells, entities=self.names, metric_words=WORDS).as_json()
        return [str(i["status"]) for i in trace["items"] if i["status"] != "exempt"]

    def refuted(self, text: str) -> list[str]:
        """Kinds of the words that the cells refute."""
        groups = {"shops": self.names}
        report = check_words(text, cells=self.cells, entities=self.names, metric_words=WORDS, groups=groups)
        return sorted({c.kind for c in report.contradicted})


def _cell(value: float, **how: Any) -> Cell:
    given = {"unit": "money", "metric": "takings", **how}
    return Cell(value=value, **given)


def money(value: float) -> str:
    """As an answer writes it."""
    return f"{value:,.2f}"


def off(told: Told) -> tuple[str, str]:
    name, value = next(iter(told.now.items()))
    return f"Takings of {name} are {money(value * 1.0213 + 7)}.", f"Takings of {name} are {money(value)}."


def turned(told: Told) -> tuple[str, str]:
    name, value = next(iter(told.now.items()))
    size = money(value - told.before[name])
    return f"Takings of {name} fell by {size}.", f"Takings of {name} rose by {size}."


def averaged(told: Told) -> tuple[str, str]:
    plain = sum(told.rates.values()) / len(told.rates)
    return f"The closing rate is {plain:.2%}.", f"The closing rate is {told.rate:.2%}."


def of_the_rest(told: Told) -> tuple[str, str]:
    """A sum that only another metric's cells could give."""
    value = told.now[told.names[0]] + told.now[told.names[2]]
    return (
        f"The price is {money(value)}.",
        f"Takings of {told.names[0]} are {money(told.now[told.names[0]])}.",
    )


def numbers(status: str, mutant: str, texts: Callable[[Told], tuple[str, str]]) -> Proof:
    """A number in a sentence: mutant and twin of the text."""

    def prove(seed: int) -> Evidence:
        told = Told(seed)
        bad, good = texts(told)
        seen = told.statuses(good)
        return Evidence(
            planted=[status],
            found=told.statuses(bad),
            twin=(len(seen), set(seen) <= {"exact", "derived"}),
            silence=(1, True),
        )

    return Proof(of=f"claim:{status}", kind="guard", mutant=mutant, prove=prove)


def words(kind: str, mutant: str, texts: Callable[[Told], tuple[str, str]]) -> Proof:
    """A word in a sentence."""

    def prove(seed: int) -> Evidence:
        told = Told(seed)
        bad, good = texts(told)
        return Evidence(planted=[kind], found=told.refuted(bad), twin=told.refuted(good), silence=[])

    return Proof(of=f"word:{kind}", kind="guard", mutant=mutant, prove=prove)


def _highest(told: Told) -> str:
    return max(told.now, key=lambda n: told.now[n])


def _lowest(told: Told) -> str:
    return min(told.now, key=lambda n: told.now[n])


def direction(told: Told) -> tuple[str, str]:
    return f"Takings of {told.names[0]} fell.", f"Takings of {told.names[0]} rose."


def superlative(told: Told) -> tuple[str, str]:
    return (
        f"{_lowest(told)} has the highest takings of the shops.",
        f"{_highest(told)} has the highest takings of the shops.",
    )


def rank(told: Told) -> tuple[str, str]:
    second = sorted(told.now, key=lambda n: -told.now[n])[1]
    return f"{second} ranks third of the shops by takings.", f"{second} ranks second of the shops by takings."


def comparison(told: Told) -> tuple[str, str]:
    top, low = _highest(told), _lowest(told)
    return f"{low} has higher takings than {top}.", f"{top} has higher takings than {low}."


def streak(told: Told) -> tuple[str, str]:
    return "Guests fell four weeks in a row.", "Guests rose four weeks in a row."


def share(told: Told) -> tuple[str, str]:
    top = _highest(told)
    return f"{top} accounts for more than half of takings.", f"{top} accounts for less than half of takings."


def quantity(told: Told) -> tuple[str, str]:
    return "All four shops fell in takings.", "All four shops rose in takings."


def first(told: Told) -> tuple[str, str]:
    level = f"{int(told.weeks[3] // 100 * 100):,}"
    return (
        f"In {WEEKS[1]} guests exceeded {level} for the first time.",
        f"In {WEEKS[3]} guests exceeded {level} for the first time.",
    )


def multiple(told: Told) -> tuple[str, str]:
    return f"Takings of {told.names[0]} tripled.", f"Takings of {told.names[0]} rose."


def entity(told: Told) -> tuple[str, str]:
    one, other = told.names[0], told.names[2]
    return (
        f"Takings of {one} are {money(told.now[other])}.",
        f"Takings of {one} are {money(told.now[one])}.",
    )


def unit(told: Told) -> tuple[str, str]:
    one = told.names[0]
    rate = told.rates[one] * 100
    return f"The closing rate of {one} is {rate:.2f} pp.", f"The closing rate of {one} is {rate:.2f}%."


def window() -> Proof:
    """A window of other days than those that were read."""

    def prove(seed: int) -> Evidence:
        told = Told(seed)
        name, value = next(iter(told.now.items()))
        text = f"Takings of {name} in the last {{n}} days are {money(value)}."
        days = 8 + seed
        period = _cell(float(7), metric="days", unit="days", role="arg")
        told_cells = [*told.cells, period]

        def seen(n: int) -> bool:
            trace = trace_numbers(
                text.format(n=n), cells=told_cells, entities=told.names, metric_words=WORDS
            ).as_json()
            return any("window_mismatch" in i["flags"] for i in trace["items"])

        return Evidence(planted=True, found=seen(days), twin=seen(7), silence=False)

    return Proof(
        of="claim:window_mismatch", kind="guard", mutant="a window of other days than were read", prove=prove
    )


def refuted_answer() -> Proof:
    """An answer over a real result whose word the cells refute; the twin's word is the right one."""

    def prove(seed: int) -> Evidence:
        view = lake.clean_view(seed)
        start, end = halls.END - timedelta(days=6), halls.END
        asked = lake.ask(
            view, "query_report", metrics=["takings"], scope="hall", by=["hall"],
            **{"from": start.isoformat(), "to": end.isoformat()},
        )  # fmt: skip
        rows = list(asked.table.rows if asked.table is not None else ())
        ranked = sorted(rows, key=lambda r: -float(r["takings"]))
        seen = []
        for row in (ranked[-1], ranked[0]):
            answer = f"{row['hallName']} has the highest takings of the shops."
            request = Request(
                run_id="r", session_id="s", question="q", dataset=lake.NAME, viewer="proof", lang="en",
                as_of=halls.AS_OF, entity="NA",
            )  # fmt: skip
            state = State(request=request, view=view, results=(asked,))
            fields = answer_fields(Outcome(status="done", state=state, action=Final(answer=answer)), None)
            seen.append(_word_verdicts(fields["verdicts"], fields["answer"] != answer))
        return Evidence(planted=(["fail"], True), found=seen[0], twin=seen[1], silence=([], False))

    return Proof(
        of="word_claims", kind="verdict", mutant="an answer calls the last hall the first", prove=prove
    )


def _word_verdicts(verdicts: Sequence[Any], is_said: bool) -> tuple[list[str], bool]:
    """Statuses, and whether the answer's text says so itself."""
    return [v.status for v in verdicts if v.check == "word_claims"], is_said


PROOFS = (
    numbers("untraced", "a figure that no cell gives", off),
    numbers("sign_conflict", "a fall of the size of the rise", turned),
    numbers("unweighted_mean", "the plain mean of rates", averaged),
    numbers("weak", "a figure that only cells of another metric give", of_the_rest),
    window(),
    words("direction", "fell for rose", direction),
    words("superlative", "the lowest called the highest", superlative),
    words("rank", "the second called the third", rank),
    words("comparison", "less called more", comparison),
    words("streak", "falling weeks for rising ones", streak),
    words("share", "more than half for less", share),
    words("quantity", "all fell for all rose", quantity),
    words("first", "two weeks too early", first),
    words("multiple", "tripled for a third more", multiple),
    words("entity", "a neighbour's figure", entity),
    words("unit", "points for percent", unit),
    refuted_answer(),
)
