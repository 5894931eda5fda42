"""`define_metric`: what metrics mean, how they are computed and what they are confused with."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.text import catalogue, say
from askcore.base.values import Column, Lang, Note, Table
from askcore.semantic.averages import over_label, resolve, split_key
from askcore.semantic.model import Metric, Model
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.compare.availability import missing_columns
from askcore.tools.compare.confusable import confused_with

_COLUMNS = ("key", "label", "definition", "formula", "unit", "polarity", "synonyms")
_NAME = re.compile(r"[A-Za-z_]\w*")
_CJK = re.compile(r"[\u3400-\u9fff]")


class DefineMetricArgs(ToolArgs):
    """Definitions of metrics: how they are computed, how they add up over days and entities, synonyms,
    unit, which direction is good, source columns and which metrics they are often confused with.
    `metrics` are metric keys.
    """

    metrics: list[str] = Field(min_length=1, description="metric keys, e.g. visitRate")


def run(args: DefineMetricArgs, ctx: ToolContext) -> ToolOutput:
    """One definition a metric. Raises: BadRequest with the near match for an unknown one."""
    model, lang = ctx.view.model, ctx.lang
    keys = tuple(dict.fromkeys(args.metrics))
    if not keys:
        raise BadRequest("define_metric needs at least one metric")
    found = [definition(model, key, lang) for key in keys]
    notes = []
    for entry in found:
        entry["available"] = not missing_columns(model, ctx.view.catalog, entry["key"])
        if not entry["available"]:
            text = say(lang, "define.reserved", label=entry["label"])
            notes.append(Note(code="reserved_column", text=text))
    columns = tuple(Column(key=k, label=say(lang, f"define.col_{k}")) for k in _COLUMNS)
    rows = tuple({k: _plain(entry[k]) for k in _COLUMNS} for entry in found)
    return ToolOutput(
        table=Table(columns=columns, rows=rows, row_count=len(rows)),
        facts={"metrics": found},
        notes=tuple(notes),
        args={"metrics": list(keys)},
        row_count=len(rows),
    )


def definition(model: Model, key: str, lang: Lang) -> dict[str, Any]:
    """Everything that is known about one metric, in the reader's language."""
    metric = resolve(model, key)
    stored = model.metric(split_key(key)[0])
    return {
        "key": key,
        "label": stored.label[lang],
        "definition": _description(stored, lang) or formula(model, key, lang),
        "formula": formula(model, key, lang),
        "unit": _unit(metric, lang),
        "polarity": say(lang, f"define.polarity_{metric.polarity}"),
        "over_time": _over_time(model, metric, lang),
        "over_entities": _over_entities(model, metric, lang) if model.levels else "",
        "synonyms": list(stored.synonyms.get(lang, ())),
        "confused_with": [
            {"key": c.key, "label": model.metric(c.key).label[lang], "why": c.say(model, lang)}
            for c in confused_with(model, stored)
        ],
        "source_columns": list(stored.source_columns),
        "reserved": stored.reserved,
    }


def formula(model: Model, key: str, lang: Lang) -> str:
    """How the value is computed, in words and metric labels."""
    metric = resolve(model, key)
    a, label = metric.additivity, metric.label[lang]
    if a.kind == "ratio" and a.denominator is None:
        over = over_label(model, key, lang) or ("day", "")
        name = "ratio_days" if over[0] == "day" else "ratio_entities"
        return say(lang, f"define.formula_{name}", top=label, level=over[1])
    if a.kind == "distinct":
        where = _labelled(model, a.where or "", lang)
        name = "distinct_where" if where else "distinct"
        return say(lang, f"define.formula_{name}", column=_column(model, a.column, lang), where=where)
    return say(
        lang,
        f"define.formula_{a.kind}",
        label=label,
        top=_label(model, a.numerator, lang),
        bottom=_label(model, a.denominator, lang),
        weight=_label(model, a.weight, lang),
        expr=_labelled(model, a.expr or "", lang),
    )


def _over_time(model: Model, metric: Metric, lang: Lang) -> str:
    a = metric.additivity
    names = {"derived_sum": "sum", "mean_per_row": "mean"}
    name = "person_days" if a.person_days else names.get(a.kind, a.kind)
    return say(lang, f"define.time_{name}", weight=_label(model, a.weight, lang))


def _over_entities(model: Model, metric: Metric, lang: Lang) -> str:
    a = metric.additivity
    own = {"ratio": "ratio", "weighted_mean": "weighted_mean", "mean_per_row": "mean", "distinct": "distinct"}
    name = own.get(a.kind, a.across_entities)
    return say(lang, f"define.entity_{name}", weight=_label(model, a.weight, lang))


def _description(metric: Metric, lang: Lang) -> str:
    """The model's own words; a Chinese text is of no use to an English reader."""
    text = metric.description.get(lang, "")
    return "" if lang == "en" and _CJK.search(text) else text


def _unit(metric: Metric, lang: Lang) -> str:
    name = f"unit_{metric.unit}"
    return say(lang, f"define.{name}") if name in catalogue("define") else metric.unit


def _label(model: Model, key: str | None, lang: Lang) -> str:
    known = model.by_key.get(key or "")
    return key or "" if known is None else known.label[lang]


def _column(model: Model, column: str | None, lang: Lang) -> str:
    for level in model.levels:
        if column in (level.id, level.name):
            return level.label[lang]
    return column or ""


def _labelled(model: Model, text: str, lang: Lang) -> str:
    """An expression with metric keys replaced by their labels."""
    return _NAME.sub(lambda m: _label(model, m[0], lang), text)


def _plain(value: object) -> object:
    return ", ".join(value) if isinstance(value, list) else value


TOOL = Tool(name="define_metric", args=DefineMetricArgs, run=run)
