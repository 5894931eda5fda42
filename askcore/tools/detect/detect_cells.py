"""Every number of a search as a cell: figures of the findings under their day, counts, limits."""

from __future__ import annotations

from collections.abc import Iterator

from askcore.base.values import Cell, CellRole, CellUnit, Lang
from askcore.semantic.model import Metric
from askcore.tools.cells import metric_cell
from askcore.tools.detect.detect_texts import who
from askcore.tools.detect.finding import Finding, Search


def search_cells(search: Search, step: str, lang: Lang) -> tuple[Cell, ...]:
    """Cells of the shown findings, of what was tested and left out, and of the thresholds."""
    cells: list[Cell] = []
    for finding in search.shown:
        cells.extend(_finding_cells(search, finding, step, lang))
    cells.extend(_counts(search, step))
    for name, value in search.thresholds.items():
        unit: CellUnit = "pct" if name in ("min_deviation", "min_shift") else "plain"
        cells.append(_plain(value, name, step, unit=unit))
    return tuple(cells)


def _finding_cells(search: Search, finding: Finding, step: str, lang: Lang) -> Iterator[Cell]:
    metric, entity, day = search.metric, who(search, finding.series, lang), finding.day.isoformat()

    def cell(value: float, role: CellRole, unit: CellUnit | None = None) -> Cell:
        return metric_cell(
            metric, value, step=step, entity=entity, period=day, role=role, unit=unit, additivity="ratio"
        )

    yield cell(finding.observed, "value")
    yield cell(finding.expected, "arg")
    yield cell(finding.delta, "delta", "pp" if metric.is_rate else None)
    if finding.pct is not None and not metric.is_rate:
        yield cell(finding.pct, "pctchg", "pct")
    yield cell(finding.z, "verdict", "plain")
    if finding.impact != finding.delta:
        yield cell(finding.impact, "delta", _impact_unit(metric, search))


def _impact_unit(metric: Metric, search: Search) -> CellUnit | None:
    """The unit of what a quotient counts."""
    if search.impact_unit == metric.unit:
        return None
    if search.impact_unit in ("order", "person"):
        return "count"
    return "money" if search.impact_unit == "CNY" else "plain"


def _counts(search: Search, step: str) -> Iterator[Cell]:
    out = search.excluded
    counts = {
        "tested_days": search.tested_days,
        "tested_series": search.tested_series,
        "series": search.series,
        "more": max(0, len(search.findings) - 3),
        "zero_rows": len(out.zero_rows),
        "missing_rows": len(out.missing_rows),
        "holiday_rows": out.holiday_rows,
        "short_series": len(out.short),
        "smaller_series": out.smaller_series,
        "weeks": int(search.thresholds["history_days"]) // 7,
    }
    for name, count in counts.items():
        yield _plain(count, name, step, unit="count")
    yield Cell(value=len(search.findings), unit="count", metric="rows", step=step, role="rows")


def _plain(value: float, name: str, step: str, *, unit: CellUnit) -> Cell:
    return Cell(value=value, unit=unit, metric=name, step=step, role="arg", additivity="distinct")
