"""What every chapter of a peer report needs: the standings, the call that gave them, names and signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

from askcore.base.errors import BadRequest
from askcore.base.peer_views import PeerLine, PeerMetric, PeerReport, PeerSplit, PeerTrend
from askcore.base.reports import Figure, Source
from askcore.base.values import Lang, Period, Table, ToolResult
from askcore.report.recall import make_call, numbers_of
from askcore.tools.recompute import named_rows

if TYPE_CHECKING:
    from askcore.lake import LakeView

_MOST = 1000  # rows of the benchmark, its own cap


class TrendTeller(Protocol):
    """Ranks of some entities over the weeks up to a day."""

    def __call__(self, *, metric: str, ids: Sequence[str], end: date) -> PeerTrend: ...


class SplitTeller(Protocol):
    """The change of one entity as its own part and its market's."""

    def __call__(self, *, metric: str, entity: str, period: Period, baseline: Period | None) -> PeerSplit: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerFound:
    """The standings, and the way to what the facade tells of some entities."""

    report: PeerReport
    trend: TrendTeller
    split: SplitTeller
    entity: str = ""
    """Id of the company that it was narrowed to; "" for all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peers:
    """One report's standings with the call that gives them."""

    found: PeerFound
    view: LakeView
    lang: Lang
    as_of: date
    benchmark: ToolResult

    @property
    def report(self) -> PeerReport:
        """The standings."""
        return self.found.report

    @property
    def scope(self) -> str | None:
        """Key of the entities' level; None for a dataset without entities."""
        scope = self.benchmark.facts.get("scope")
        return None if scope is None else str(scope)

    def source(self, number: int, step: int, tool: str, args: Mapping[str, Any]) -> Source:
        """A call of chapter `number`."""
        return _source(f"s{number}.t{step}", tool, args, self.found.entity, self.as_of)

    def standings(self, number: int) -> tuple[Source, Mapping[str, Any]]:
        """The benchmark as a source of chapter `number`, and its numbers by address."""
        source = self.source(number, 1, "peer_benchmark", _benchmark_args(self.report))
        return replace(source, sql=self.benchmark.sql), numbers_of(self.benchmark, source)

    def made(self, source: Source) -> tuple[ToolResult, Mapping[str, Any]]:
        """A call's result, and its numbers by address."""
        result = make_call(source, self.view, self.lang)
        return result, numbers_of(result, source)

    def lines(self, metric: PeerMetric) -> tuple[PeerLine, ...]:
        """Everybody in one metric, the furthest behind first; those who cannot be compared last."""
        own = [one for one in self.report.lines if one.metric == metric.key]
        sign = -1 if metric.polarity == "down" else 1
        return tuple(sorted(own, key=lambda one: (one.gap is None, sign * (one.gap or 0.0), one.id)))

    def regrouped(self, metric: PeerMetric) -> Mapping[str, str]:
        """Id -> name of those whose number of peers changed so much that ranks do not compare."""
        found = self.benchmark.facts["metrics"][metric.key]["regrouped"]
        return {str(one["id"]): str(one["name"]) for one in found}

    def name(self, line: PeerLine) -> str:
        """The display name; of several with one name each carries its id."""
        shared = list(self.report.entities.values()).count(line.name) > 1
        return f"{line.name} {line.id}" if shared and line.id else line.name or line.id or self.view.dataset


def peers_of(found: PeerFound, view: LakeView, lang: Lang, as_of: date) -> Peers:
    """Raises: BadRequest when the benchmark cannot be made again."""
    source = _source("s1.t1", "peer_benchmark", _benchmark_args(found.report), found.entity, as_of)
    result = make_call(source, view, lang)
    if result.error is not None:
        raise BadRequest(result.error.message, hint=result.error.hint)
    return Peers(found=found, view=view, lang=lang, as_of=as_of, benchmark=result)


def _benchmark_args(report: PeerReport) -> Mapping[str, Any]:
    args: dict[str, Any] = {"metrics": [m.key for m in report.metrics]}
    if report.period is not None:
        args |= report.period.as_json()
    if report.baseline is not None:
        args["baseline"] = report.baseline.as_json()
    return {**args, "limit": _MOST}


def _source(source_id: str, tool: str, args: Mapping[str, Any], entity: str, as_of: date) -> Source:
    return Source(id=source_id, tool=tool, args=args, entity=entity, as_of=as_of, sql=())


def addresses(table: Table | None) -> Mapping[str, str]:
    """Id of an entity -> how the table's numbers address its row; "" -> "" without entities."""
    if table is None:
        return {}
    named = [column.key for column in table.columns if column.of]
    return {str(row.get(named[0]) or "") if named else "": name for name, row in named_rows(table)}


def figures(source: Source, numbers: Mapping[str, Any], cells: Iterable[str]) -> tuple[Figure, ...]:
    """The named cells of a source as figures; those without a value are left out."""
    wanted = dict.fromkeys(f"{source.id}:{cell}" for cell in cells)
    return tuple(Figure(address=a, value=float(numbers[a])) for a in wanted if numbers.get(a) is not None)


def shown_gap(gap: float | None, metric: PeerMetric) -> str:
    """With its sign: points of rates, else per cent of the peer mean."""
    if gap is None:
        return "–"
    tail = " pp" if metric.gap_unit == "pp" else "%"
    return f"{round(gap * 100, 2) + 0.0:+.2f}{tail}"  # + 0.0: no "-0.00"
