"""The source's own fields: JSON text -> a STRUCT whose fields are named by what they mean.

`src.<metric>` is the source's value of a metric, `<metric>__peer_avg` and the like follow the model's suffix
patterns; what the model does not know stays under its own name.
"""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from askcore.lake.schema import DATE, DUP, RAW, SCOPE, FactSchema
from askcore.lake.sql import literal, names, quote
from askcore.semantic.model import Metric, Model

if TYPE_CHECKING:
    import duckdb

NO_FIELD = "_none"  # a STRUCT needs a field even when no row has raw data


def field_names(model: Model, keys: Iterable[str]) -> dict[str, str]:
    """JSON key -> field name, each field name once (SQL ignores case)."""
    meaning = _meanings(model)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for key in sorted(keys, key=lambda k: (k not in meaning, k)):
        name = meaning.get(key, key)
        while name.lower() in taken:
            name = key if name != key and key.lower() not in taken else f"{name}_"
        taken.add(name.lower())
        found[key] = name
    return found


def _meanings(model: Model) -> dict[str, str]:
    """Every JSON key that the model knows -> field name; own spellings win over source columns."""
    found: dict[str, str] = {}
    for metric in model.metrics:
        for column in _bare_columns(metric):
            found.setdefault(column, f"src.{metric.key}")
            for role, pattern in model.raw.sources.items():
                if role in model.raw.columns:
                    name = model.raw.columns[role].replace("{key}", metric.key)
                    found.setdefault(pattern.replace("{col}", column), name)
    for metric in model.metrics:
        for spelling in (f"src.{metric.key}", f"src_{metric.key}", metric.key):
            found[spelling] = f"src.{metric.key}"
        for target in model.raw.columns.values():
            name = target.replace("{key}", metric.key)
            found[name] = name
    return found


def _bare_columns(metric: Metric) -> tuple[str, ...]:
    """Source columns without their source: "napos.gross_amt" and "gross_amt" both give gross_amt."""
    found = [metric.key]
    for column in metric.source_columns:
        found.append(column)
        found.append(column.rpartition(":")[2].rpartition(".")[2])
    return tuple(dict.fromkeys(found))


def build_raw(
    con: duckdb.DuckDBPyConnection, schema: FactSchema, source: str, *, key_dimensions: bool
) -> None:
    """Create the table `raw` of a serving file from `source`, a SELECT with the lake's columns."""
    key = (*schema.key(with_dimensions=key_dimensions), DUP)
    valid = f"SELECT {names(key)}, {RAW} FROM ({source}) WHERE {RAW} IS NOT NULL AND json_valid({RAW})"
    con.execute(f"CREATE TEMP TABLE raw_text AS {valid} AND json_type({RAW}) = 'OBJECT'")
    keys = con.execute(f"SELECT DISTINCT unnest(json_keys({RAW})) FROM raw_text").fetchall()
    found = field_names(schema.model, [row[0] for row in keys])
    if not found:
        con.execute(
            f"CREATE TABLE raw AS SELECT {names(key)}, "
            f"CAST(NULL AS STRUCT({quote(NO_FIELD)} VARCHAR)) AS fields FROM raw_text"
        )
        return
    shape = literal(json.dumps(dict.fromkeys(found, "VARCHAR"), ensure_ascii=False))
    con.execute(
        f"CREATE TEMP TABLE raw_parsed AS SELECT {names(key)}, "
        f"json_transform({RAW}, {shape}) AS f FROM raw_text"
    )
    numbers = _numeric(con, list(found))
    packed = ", ".join(f"{quote(name)} := {_value(k, is_number=k in numbers)}" for k, name in found.items())
    order = f"CAST({SCOPE} AS scope_name), {names((DATE, *schema.ids, DUP))}"
    con.execute(
        f"CREATE TABLE raw AS SELECT {DATE}, CAST({SCOPE} AS scope_name) AS {SCOPE}, "
        f"{names(key[2:])}, struct_pack({packed}) AS fields FROM raw_parsed ORDER BY {order}"
    )
    con.execute("DROP TABLE raw_parsed")
    con.execute("DROP TABLE raw_text")


def _field(key: str) -> str:
    return f"struct_extract(f, {literal(key)})"


def _value(key: str, *, is_number: bool) -> str:
    text = f"NULLIF({_field(key)}, '')"
    return f"CAST({text} AS DOUBLE)" if is_number else text


def _numeric(con: duckdb.DuckDBPyConnection, keys: list[str]) -> set[str]:
    """Keys whose values are all numbers."""
    tests = ", ".join(
        f"bool_and(TRY_CAST(NULLIF({_field(k)}, '') AS DOUBLE) IS NOT NULL) "
        f"FILTER (NULLIF({_field(k)}, '') IS NOT NULL)"
        for k in keys
    )
    row = con.execute(f"SELECT {tests} FROM raw_parsed").fetchone()
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY gives one row
    return {key for key, is_number in zip(keys, row, strict=True) if is_number}


def raw_fields(columns: Iterable[str]) -> tuple[str, ...]:
    """Field names of the STRUCT without the placeholder."""
    return tuple(name for name in columns if name != NO_FIELD)
