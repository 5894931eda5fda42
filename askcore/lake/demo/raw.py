"""The source-side fields of each row, named as the platform's own report names them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pandas as pd

from askcore.lake.demo import market
from askcore.lake.demo.facts import LEVEL_COLUMNS, PEER, PEER_COUNT
from askcore.lake.demo.season import Floats
from askcore.semantic.model import Metric, Model

SOURCE_PREFIX = "napos."
"""Marks the platform's own field among a metric's source columns."""
OWN_AOV = "aov"
"""The source's own average order value: gross over valid orders."""
_PERIODS: Mapping[str, int] = {"last_period_diff": 1, "last_week_diff": 7}
_WITH_DIFFS = (
    "grossAmt",
    "incomeAmt",
    "actualPayAmt",
    "validOrderCnt",
    "exposureUv",
    "visitUv",
    "orderUv",
    "visitRate",
    "orderRate",
)
_SHOP_ONLY = ("newCustRate",)
"""Rates of so few people that a parent's whole numbers cannot match its children's to 0.1 pp."""
_DECIMALS: Mapping[str, int] = {"CNY": 2, "order": 0, "person": 0, "ratio": 6, "x": 4}
_PER_ORDER_DECIMALS = 4  # amounts per order: cents would lose more than the checks allow

RawFields = dict[str, Floats]
"""Field name -> one value per row, NaN where the source has none."""


def raw_fields(rows: pd.DataFrame, model: Model) -> RawFields:
    """Own values, changes against yesterday and last week, peers."""
    own = {
        metric.key: values
        for metric in model.metrics
        if source_field(metric) and (values := _own_value(rows, model, metric)) is not None
    }
    found = {
        str(source_field(model.by_key[key])): _rounded(model.by_key[key], values)
        for key, values in own.items()
    }
    found[OWN_AOV] = np.round(_ratio(rows["grossAmt"], rows["validOrderCnt"]), _PER_ORDER_DECIMALS)
    found |= _changes(rows, model, own)
    found |= _peers(rows, model, own)
    return found


def source_field(metric: Metric) -> str | None:
    """The platform's name of a metric; None when it has none."""
    names = (c.removeprefix(SOURCE_PREFIX) for c in metric.source_columns if SOURCE_PREFIX in c)
    return next(names, None)


def raw_json(fields: RawFields) -> list[str]:
    """One JSON object per row; fields without a value are left out."""
    columns = [_plain(values) for values in fields.values()]
    names = tuple(fields)
    return [
        json.dumps({n: v for n, v in zip(names, row, strict=True) if v is not None}, separators=(",", ":"))
        for row in zip(*columns, strict=True)
    ]


def _plain(values: Floats) -> list[float | int | None]:
    """Python numbers: whole columns as int, NaN as None."""
    known = values[~np.isnan(values)]
    is_whole = bool((known == np.rint(known)).all())
    return [None if v != v else int(v) if is_whole else v for v in values.tolist()]


def _own_value(rows: pd.DataFrame, model: Model, metric: Metric) -> Floats | None:
    rule = metric.additivity
    if metric.key in rows:
        return rows[metric.key].to_numpy(dtype=np.float64)
    if rule.kind != "ratio" or rule.numerator is None or rule.denominator is None:
        return None
    values = _ratio(_column(rows, rule.numerator), _column(rows, rule.denominator))
    if metric.key in _SHOP_ONLY:
        values[(rows["scope"] != "shop").to_numpy()] = np.nan
    return values


def _column(rows: pd.DataFrame, key: str) -> pd.Series[float]:
    if key == "totalOrderCnt":
        return rows["validOrderCnt"] + rows["invalidOrderCnt"]
    return rows[key]


def _ratio(numerator: pd.Series[float], denominator: pd.Series[float]) -> Floats:
    below = denominator.where(denominator > 0)
    return np.array(numerator / below, dtype=np.float64)


def _rounded(metric: Metric, values: Floats) -> Floats:
    per_order = metric.unit == "CNY" and metric.additivity.kind == "ratio"
    decimals = _PER_ORDER_DECIMALS if per_order else _DECIMALS.get(metric.unit, 2)
    return np.round(values, decimals)


def _changes(rows: pd.DataFrame, model: Model, own: Mapping[str, Floats]) -> RawFields:
    """v[d] - v[d-1] and v[d] - v[d-7] of the same entity; none on its first days."""
    keys = ["scope", *(c for c in LEVEL_COLUMNS if c.endswith("Id"))]
    values = pd.DataFrame({key: own[key] for key in _WITH_DIFFS})
    groups = values.groupby([rows[k].fillna("") for k in keys], sort=False)
    found: RawFields = {}
    for suffix, distance in _PERIODS.items():
        before = groups.shift(distance)
        for key in _WITH_DIFFS:
            metric = model.by_key[key]
            name = model.raw.sources[suffix].format(col=source_field(metric))
            change = (values[key] - before[key]).to_numpy(dtype=np.float64)
            found[name] = _rounded(metric, change)
    return found


def _peers(rows: pd.DataFrame, model: Model, own: Mapping[str, Floats]) -> RawFields:
    counts = rows[PEER_COUNT].to_numpy(dtype=np.float64)
    found: RawFields = {model.raw.sources["peer_count"]: counts}
    for key, spread in market.SPREAD.items():
        metric = model.by_key[key]
        mean = rows[PEER + key].to_numpy(dtype=np.float64)
        decimals = 1 if metric.unit == "person" else 6
        for suffix, values in (
            ("peer_avg", np.round(mean, decimals)),
            ("peer_rank", market.ranks(own[key], mean, counts, spread)),
        ):
            found[model.raw.sources[suffix].format(col=source_field(metric))] = values
    return found
