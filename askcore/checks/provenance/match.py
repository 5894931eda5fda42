"""Finds where a figure comes from and grades the match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

from askcore.base.values import CellUnit, ClaimStatus
from askcore.checks.provenance.candidate import Candidate, from_cell
from askcore.checks.provenance.cell_index import CellIndex
from askcore.checks.provenance.columns import UnweightedMean, unweighted_means
from askcore.checks.provenance.derive import Derivations
from askcore.checks.provenance.fit import Reading, enough_digits, fit, may_be_derived
from askcore.checks.provenance.gate import Context

MAX_PAIRED: Final = 8  # a sentence that names more entities than this compares no two of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Where a figure comes from, with the grade of that answer."""

    status: ClaimStatus
    source: str = ""
    formula: str = ""
    assumed: bool = False


class SortedCandidates:
    """Candidates by unit in order of magnitude, searched by bisection."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        by_unit: dict[CellUnit, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            by_unit[candidate.unit].append(candidate)
        for group in by_unit.values():
            group.sort(key=lambda c: abs(c.value))
        self._groups = dict(by_unit)
        self._sizes = {u: [abs(c.value) for c in g] for u, g in by_unit.items()}

    def near(self, reading: Reading) -> Iterator[Candidate]:
        """Candidates of the reading's units whose magnitude lies within its bounds."""
        for unit in sorted(reading.units & self._groups.keys()):
            group, sizes = self._groups[unit], self._sizes[unit]
            first, last = bisect_left(sizes, reading.low), bisect_right(sizes, reading.high)
            yield from group[first:last]


class Matcher:
    """All candidates of one run, asked for the figures of one text in turn."""

    def __init__(self, index: CellIndex) -> None:
        self._index = index
        self._cells = SortedCandidates(from_cell(c) for c in index.cells)
        self._derivations = Derivations(index)
        self._scope: tuple[int, SortedCandidates] | None = None

    def match(self, options: Sequence[Reading], context: Context) -> Match:
        """The best-graded source of a figure that may be read in several ways."""
        exact = self._best(self._exact(options, context), context)
        mean = self._unweighted(options, context)
        if exact and not (mean and self._is_stale_mean(exact[0], context)):
            return _cited("exact", *exact)
        if mean and context.sentence.says_mean:
            return mean
        derived, conflict = self._derived(options, context)
        if derived and not mean:
            return _cited("derived", *derived)
        if mean:
            return mean
        if conflict := self._cell_conflict(options, context) or conflict:
            return _cited("sign_conflict", *conflict)
        return self._weak(options, context)

    def _exact(self, options: Sequence[Reading], context: Context) -> Iterator[tuple[Candidate, Reading]]:
        for reading in options:
            for candidate in self._cells.near(reading):
                if _agrees(candidate, reading, context) and context.admits(candidate):
                    yield candidate, reading

    def _cell_conflict(
        self, options: Sequence[Reading], context: Context
    ) -> tuple[Candidate, Reading] | None:
        for reading in options:
            for candidate in self._cells.near(reading):
                if _contradicts(candidate, reading, context) and context.admits(candidate):
                    return candidate, reading
        return None

    def _derived(
        self, options: Sequence[Reading], context: Context
    ) -> tuple[tuple[Candidate, Reading] | None, tuple[Candidate, Reading] | None]:
        """The best derived source and, failing one, what contradicts in sign only."""
        fitting: list[tuple[Candidate, Reading]] = []
        conflict: tuple[Candidate, Reading] | None = None
        for candidate, reading in self._pairs(options, context):
            if not _derivable(candidate, reading, context):
                continue
            if _agrees(candidate, reading, context):
                fitting.append((candidate, reading))
            elif _contradicts(candidate, reading, context) and context.names_metric_of(candidate):
                conflict = conflict or (candidate, reading)
        return self._best(fitting, context), conflict

    def _pairs(self, options: Sequence[Reading], context: Context) -> Iterator[tuple[Candidate, Reading]]:
        for reading in filter(may_be_derived, options):
            for candidate in self._scope_of(context).near(reading):
                yield candidate, reading

    def _scope_of(self, context: Context) -> SortedCandidates:
        """What one sentence may derive, kept while its figures are asked for."""
        start = context.sentence.start
        if self._scope is None or self._scope[0] != start:
            self._scope = start, SortedCandidates(self._in_scope(context))
        return self._scope[1]

    def _in_scope(self, context: Context) -> Iterator[Candidate]:
        """Derived candidates over whom and what the sentence names."""
        sentence = context.sentence
        yield from self._derivations.of_columns(sentence.top_counts)
        named = [e for e in self._index.entities if e in sentence.entities]
        for entity in dict.fromkeys(("", *named, *self._implied(context))):
            yield from self._derivations.of_entity(entity, sentence.days)
        if len(named) <= MAX_PAIRED:
            for first, second in combinations(named, 2):
                yield from _oriented(self._derivations.of_pair(first, second), context)

    def _implied(self, context: Context) -> list[str]:
        """Owners of metrics that occur for one entity only, when nobody is named."""
        if context.own_entities:
            return []
        return sorted(set(self._index.single_entity_metrics.values()))

    def _unweighted(self, options: Sequence[Reading], context: Context) -> Match | None:
        """The figure equals the plain mean of a ratio column."""
        for mean in self._means:
            metric = mean.cells[0].metric
            named = context.level_metrics
            if (named and metric not in named) or (not named and not context.sentence.says_mean):
                continue
            if context.own_entities and not context.sentence.says_mean:
                continue
            if any(_equals_mean(mean, r) for r in options):
                source = Candidate(
                    mean.value, mean.cells[0].unit, "level", "mean", mean.cells[:3],
                    frozenset({metric}), frozenset(),
                ).source  # fmt: skip
                return Match(status="unweighted_mean", source=source, formula=mean.formula)
        return None

    @cached_property
    def _means(self) -> tuple[UnweightedMean, ...]:
        return unweighted_means(self._index)

    def _is_stale_mean(self, exact: Candidate, context: Context) -> bool:
        """A mean "across shops" that only happens to equal the total of the base period."""
        sentence = context.sentence
        return sentence.says_mean and not sentence.says_base and exact.cells[0].period == "prev"

    def _weak(self, options: Sequence[Reading], context: Context) -> Match:
        """Any match at all, whoever and whatever the sentence speaks of."""
        for candidate, reading in self._anywhere(options):
            if _agrees(candidate, reading, context) and (
                candidate.depth == 0 or _derivable(candidate, reading, context, gated=False)
            ):
                return _cited("weak", candidate, reading)
        return Match(status="untraced")

    def _anywhere(self, options: Sequence[Reading]) -> Iterator[tuple[Candidate, Reading]]:
        for reading in options:
            for candidate in self._cells.near(reading):
                yield candidate, reading
        for reading in filter(may_be_derived, options):
            for candidate in self._everything.near(reading):
                yield candidate, reading

    @cached_property
    def _everything(self) -> SortedCandidates:
        return SortedCandidates(self._derivations.everything())

    def _best(
        self, found: Iterable[tuple[Candidate, Reading]], context: Context
    ) -> tuple[Candidate, Reading] | None:
        """The match that the sentence names most expressly, the closest value first."""
        return min(found, key=lambda pair: _preference(pair[0], pair[1], context), default=None)


def _preference(
    candidate: Candidate, reading: Reading, context: Context
) -> tuple[bool, bool, bool, bool, float]:
    distance = abs(abs(candidate.value) - abs(reading.value)) / (reading.quantum or 1.0)
    return (
        reading.assumed,
        not context.names_metric_of(candidate),
        bool(context.sentence.entities) and not candidate.entities & context.sentence.entities,
        any(cell.period == "prev" for cell in candidate.cells[:1]),
        distance,
    )


def _agrees(candidate: Candidate, reading: Reading, context: Context) -> bool:
    """Fits; in a sentence of what would be, the direction is not held against it."""
    verdict = fit(candidate, reading)
    return verdict == "fits" or (verdict == "wrong_sign" and context.sentence.is_hypothetical)


def _contradicts(candidate: Candidate, reading: Reading, context: Context) -> bool:
    return fit(candidate, reading) == "wrong_sign" and not context.sentence.is_hypothetical


def _derivable(candidate: Candidate, reading: Reading, context: Context, *, gated: bool = True) -> bool:
    """Whether a value that fits in size may be cited at all."""
    if candidate.is_mean and not context.sentence.says_each:
        return False
    named = context.names_metric_of(candidate)
    if not enough_digits(candidate, reading, metric_named=named):
        return False
    return not gated or context.admits(candidate)


def _oriented(candidates: Iterable[Candidate], context: Context) -> Iterator[Candidate]:
    """Where the sentence says who is compared with whom, only that way round."""
    for candidate in candidates:
        is_ratio = candidate.unit == "x"
        order = context.sentence.ratio_order if is_ratio else context.sentence.order
        owners = tuple(c.entity for c in candidate.cells)
        symmetric = candidate.nature == "level" and not is_ratio
        if order is None or symmetric or owners == order:
            yield candidate


def _equals_mean(mean: UnweightedMean, reading: Reading) -> bool:
    fits = mean.cells[0].unit in reading.units and reading.low <= abs(mean.value) <= reading.high
    return fits and reading.wording.role != "change"


def _cited(status: ClaimStatus, candidate: Candidate, reading: Reading) -> Match:
    return Match(
        status=status,
        source=candidate.source,
        formula=candidate.formula,
        assumed=reading.assumed,
    )
