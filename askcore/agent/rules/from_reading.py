"""A reading -> tool arguments: for edited chips, the explorer and replays."""

from __future__ import annotations

from typing import Any

from askcore.agent.rules import target
from askcore.agent.rules.understanding import Intent, PlannedCall, Understanding
from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import TIME_GRAINS, Lang, Reading
from askcore.semantic.catalog import Catalog


def query_args(reading: Reading, catalog: Catalog) -> dict[str, Any]:
    """Arguments of query_report.

    A reading without a period covers all the data. Raises: BadRequest when it names no metric.
    """
    if not reading.metrics:
        raise BadRequest("the reading names no metric", hint="metrics")
    period = reading.period or catalog.period
    if period is None:
        raise BadRequest(f"dataset {catalog.dataset!r} holds no rows")
    args = target.query_args(reading, period)
    if reading.sort is not None:
        args["sort"] = reading.sort.as_arg()
    if reading.limit is not None:
        args["limit"] = reading.limit
    return args


def understanding_of_reading(reading: Reading, catalog: Catalog, lang: Lang) -> Understanding:
    """The plan of a reading that the analyst edited: a comparison when it has a baseline, else a query.

    Raises: BadRequest when it names no metric.
    """
    thought = say(lang, "loop.edited")
    if reading.baseline is not None and reading.period is not None:
        args = target.compare_args(reading, reading.period, reading.baseline)
        call = PlannedCall(tool="compare_periods", args=args, thought=thought)
        return Understanding(lang=lang, intent="compare", reading=reading, calls=(call,), deep=True)
    args = query_args(reading, catalog)
    call = PlannedCall(tool="query_report", args=args, thought=thought)
    return Understanding(lang=lang, intent=_intent(reading), reading=reading, calls=(call,))


def _intent(reading: Reading) -> Intent:
    if any(key in TIME_GRAINS for key in reading.by):
        return "trend"
    return "ranking" if reading.by else "lookup"
