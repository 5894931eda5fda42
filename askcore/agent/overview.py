"""What the lake page shows: layers, entities, ranges, freshness, sync log, metrics, an explorer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from askcore.agent.rules.from_reading import query_args
from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang, Note, Period, Reading, Table
from askcore.base.views import DatasetInfo, EntityRow, MetricRow, Overview
from askcore.checks.catalogue import run_checks
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Metric, Model
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from askcore.tools.compare.availability import missing_columns

if TYPE_CHECKING:
    from askcore.lake import LakeView

_SYNC_LINES = 200


def build_overview(view: LakeView, info: DatasetInfo, *, as_of: date, lang: Lang) -> Overview:
    """All of it for one pinned version."""
    model, catalog = view.model, view.catalog
    return Overview(
        dataset=info,
        as_of=as_of,
        is_demo_clock=model.time.fixed_as_of is not None,
        period=catalog.period,
        scopes=_scopes(view, lang),
        rows_per_month=_rows_per_month(view),
        entities=entity_rows(model, catalog, lang, levels=[level.key for level in model.levels]),
        metrics=tuple(metric_row(m, model, catalog, lang) for m in model.metrics if not m.hidden),
        sync_log=view.sync_log()[:_SYNC_LINES],
        freshness=()
        if catalog.period is None
        else run_checks(view, period=catalog.period, as_of=as_of, lang=lang, ids=("freshness",)),
    )


def _scopes(view: LakeView, lang: Lang) -> tuple[tuple[str, str, int, Period | None], ...]:
    rows = view.run("select scope, count(*) as n from fact group by scope").dicts()
    counts = {str(r["scope"]): int(r["n"]) for r in rows}
    labels = {level.key: level.label[lang] for level in view.model.levels}
    return tuple(
        (scope, labels.get(scope, scope), counts.get(scope, 0), view.catalog.scope_periods.get(scope))
        for scope in view.catalog.scopes
    )


def _rows_per_month(view: LakeView) -> tuple[tuple[str, int], ...]:
    rows = view.run(
        "select strftime(date_trunc('month', date), '%Y-%m') as m, count(*) as n"
        " from fact group by 1 order by 1"
    ).dicts()
    return tuple((str(r["m"]), int(r["n"])) for r in rows)


def entity_rows(
    model: Model, catalog: Catalog, lang: Lang, *, levels: Sequence[str]
) -> tuple[EntityRow, ...]:
    """Entities of some levels, top level first, by id."""
    return tuple(
        EntityRow(
            level=level,
            level_label=model.levels_by_key[level].label[lang],
            id=entity.id,
            name=entity.name,
            first_day=entity.first_day,
            last_day=entity.last_day,
        )
        for level in levels
        for entity in catalog.by_level.get(level, ())
    )


def metric_row(metric: Metric, model: Model, catalog: Catalog, lang: Lang) -> MetricRow:
    """One line of the metric catalogue."""
    return MetricRow(
        key=metric.key,
        label=metric.label.get(lang) or metric.key,
        definition=definition(metric, model, lang),
        unit=metric.unit,
        polarity=metric.polarity,
        synonyms=metric.synonyms.get(lang, ()),
        available=not missing_columns(model, catalog, metric.key),
        is_sum=metric.is_additive,
    )


def definition(metric: Metric, model: Model, lang: Lang) -> str:
    """How the metric is aggregated, in one line."""
    a = metric.additivity

    def label(key: str | None) -> str:
        return "" if key is None else model.metric(key).label.get(lang, key)

    name: str = a.kind
    if a.kind == "sum" and a.person_days:
        name = "person_days"
    if a.kind == "last":
        name = f"last_{a.across_entities}"
    return say(
        lang,
        f"definition.{name}",
        numerator=label(a.numerator),
        denominator=label(a.denominator),
        weight=label(a.weight),
        expr=a.expr or "",
    )


def explore(
    view: LakeView, reading: Reading, *, viewer: str, lang: Lang
) -> tuple[Table, tuple[Note, ...], str]:
    """Run a reading as a query: rows, notes, SQL. Raises: BadRequest when it cannot run."""
    ctx = ToolContext(view=view, lang=lang, as_of=reading.as_of, viewer=viewer, entity=reading.entity)
    result = call(TOOLS_BY_NAME["query_report"], query_args(reading, view.catalog), ctx)
    if result.error is not None:
        raise BadRequest(result.error.message, hint=result.error.hint)
    table = result.table or Table(columns=(), rows=())
    clamped = tuple(Note(code="clamped", text=c.why) for c in result.clamped)
    return table, (*clamped, *result.notes), "\n\n".join(result.sql)
