"""The structure of a question: metrics, entities, splits, ranking and times, before any decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from askcore.agent.rules.averages import Averages, read_averages
from askcore.agent.rules.entities import EntityUse, read_entities
from askcore.agent.rules.metric_words import CONCEPT, COUNTED
from askcore.agent.rules.ranking import Ranking, read_ranking
from askcore.agent.rules.scan import Scan
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.splits import Splits, read_splits
from askcore.agent.rules.times.values import TimeRef
from askcore.agent.rules.vocabulary import MetricTerm, Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One question's parts; a follow-up fills what it leaves out from the frame before."""

    metrics: tuple[str, ...] = ()
    """Keys as stored, without averages."""
    unclear: tuple[Claim, ...] = ()
    """Words that several metrics share."""
    averages: Averages = field(default_factory=Averages)
    refs: tuple[TimeRef, ...] = ()
    entities: tuple[EntityUse, ...] = ()
    splits: Splits = field(default_factory=Splits)
    ranking: Ranking | None = None
    cues: frozenset[str] = frozenset()
    assumed: tuple[tuple[str, str], ...] = ()
    """(word as typed, metric key) where the reading is worth saying."""

    @property
    def filters(self) -> Mapping[str, tuple[str, ...]]:
        """Dimension values that are kept; entity filters follow from `entities`."""
        return self.splits.values


def read_frame(scan: Scan, vocab: Vocabulary, entity: str | None) -> Frame:
    """The parts of a scanned question."""
    averages = read_averages(scan, vocab)
    metrics: list[str] = []
    unclear: list[Claim] = []
    assumed: list[tuple[str, str]] = []
    for claim in scan.of("metric"):
        term: MetricTerm = claim.value
        if claim in averages.used or _only_counts(claim, scan):
            continue
        if len(term.keys) > 1:
            unclear.append(claim)
            continue
        metrics.append(term.keys[0])
        if claim.name == "typo" or term.rank >= CONCEPT:
            assumed.append((_typed(scan, claim), term.keys[0]))
    return Frame(
        metrics=tuple(dict.fromkeys(metrics)),
        unclear=tuple(unclear),
        averages=averages,
        refs=scan.refs,
        entities=read_entities(scan, vocab, entity),
        splits=read_splits(scan, vocab, averages),
        ranking=read_ranking(scan, vocab),
        cues=scan.cues,
        assumed=tuple(assumed),
    )


def _only_counts(claim: Claim, scan: Scan) -> bool:
    """As in "how many people visited": the counter goes with a measure that is named."""
    return claim.value.rank == COUNTED and any(c.value.rank != COUNTED for c in scan.of("metric"))


def _typed(scan: Scan, claim: Claim) -> str:
    first, last = scan.text.raw_range(claim.start, claim.end)
    return scan.text.raw[first:last]
