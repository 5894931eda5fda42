"""Great Expectations over pandas: a suite for the rows, one for the days an entity has.

GX has no expectation for a sum with a tolerance, for rows that are all 0 or for missing days, so those are
columns made with pandas first, which is part of the time.
"""

from __future__ import annotations

from importlib.metadata import version
from itertools import pairwise

import great_expectations as gx
import pandas as pd
from great_expectations import expectations as gxe
from protocol import Counts, Spec, serve

_COUNTED = {"result_format": "BASIC", "partial_unexpected_count": 0}


def _prepared(frame: pd.DataFrame, spec: Spec) -> pd.DataFrame:
    """With a column of 0 (good) and 1 for what GX cannot express."""
    columns = {"all_zero": (frame[spec["zero"]].fillna(0) == 0).all(axis=1).astype("int8")}
    for name, s in spec["sums"].items():
        total = frame[s["total"]]
        gap = (frame[s["parts"]].sum(axis=1) - total).abs()
        limit = (s["rel"] * total.abs()).clip(lower=s["abs"]) + 1e-9
        columns[name] = (gap > limit).astype("int8")
    return frame.assign(**columns)


def _days(frame: pd.DataFrame, spec: Spec) -> pd.DataFrame:
    """One row an entity: days from its first one to the file's last that it has no row of."""
    days = spec["days"]
    day = pd.to_datetime(frame[days["day"]])
    found = day.groupby(frame[days["entity"]], observed=True).agg(["min", "nunique"])
    last = pd.Timestamp(days["last"])
    return pd.DataFrame({"days": (last - found["min"]).dt.days + 1 - found["nunique"]})


def _suite(spec: Spec) -> dict[str, gxe.Expectation]:
    """Name -> expectation over the prepared rows."""
    found: dict[str, gxe.Expectation] = {}
    for name in spec["nulls"]:
        found[f"null:{name}"] = gxe.ExpectColumnValuesToNotBeNull(column=name)
    for name, (low, high) in spec["ranges"].items():
        found[f"range:{name}"] = gxe.ExpectColumnValuesToBeBetween(column=name, min_value=low, max_value=high)
    for name in ("all_zero", *spec["sums"]):
        found[name] = gxe.ExpectColumnValuesToBeBetween(column=name, max_value=0)
    found["doubles"] = gxe.ExpectCompoundColumnsToBeUnique(column_list=spec["unique"])
    columns = spec["order"]["columns"]
    for a, b in pairwise(columns):
        found[f"{spec['order']['name']}|{b}"] = gxe.ExpectColumnPairValuesAToBeGreaterThanB(
            column_A=a, column_B=b, or_equal=True
        )
    return found


def _unexpected(frame: pd.DataFrame, suite: dict[str, gxe.Expectation]) -> dict[str, int]:
    """Name -> rows outside."""
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("lake").add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
    for name, expectation in suite.items():
        expectation.meta = {"name": name}
    rows = gx.ExpectationSuite(name="rows", expectations=list(suite.values()))
    result = batch.validate(rows, result_format=_COUNTED)
    found = {}
    for one in result.results:
        if one.exception_info.get("raised_exception") or "unexpected_count" not in one.result:
            raise RuntimeError(f"{one.expectation_config}: {one.exception_info}")
        found[one.expectation_config.meta["name"]] = int(one.result["unexpected_count"])
    return found


def run(file: str, spec: Spec) -> Counts:
    """Unexpected counts; of a doubled key both rows are unexpected, of which one is the first."""
    frame = pd.read_parquet(file)
    found = _unexpected(_prepared(frame, spec), _suite(spec))
    none = {"days": gxe.ExpectColumnValuesToBeBetween(column="days", max_value=0)}
    found |= _unexpected(_days(frame, spec), none)
    steps = [found.pop(name) for name in list(found) if name.startswith(f"{spec['order']['name']}|")]
    return found | {"doubles": found["doubles"] // 2, spec["order"]["name"]: sum(steps)}


serve(run, f"Great Expectations {version('great_expectations')}, pandas {pd.__version__}")
