"""A delivery as a typed DuckDB table: unreadable values counted, levels tidied, doubles numbered."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askcore.base.errors import BadRequest
from askcore.lake.delivery import ALL_SCOPE
from askcore.lake.schema import DATE, DUP, RAW, SCOPE, FactSchema
from askcore.lake.sql import literal, names, quote

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ORDER = "_ord"
_DOUBLED_SHARE = 0.05  # below it, equal keys with other dimension values are doubled rows, not a finer grain


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """What staging found; the rows are in the table `stage`."""

    rows: int
    rejected: int
    doubled: int
    key_dimensions: bool
    ignored: tuple[str, ...]
    missing_metrics: tuple[str, ...]
    warnings: tuple[str, ...]


def stage_delivery(
    con: duckdb.DuckDBPyConnection, table: pa.Table, schema: FactSchema, *, key_dimensions: bool
) -> Staged:
    """Fill the temporary table `stage` from `table`.

    key_dimensions: whether earlier versions have dimension columns in the row key.
    Raises: BadRequest when there is no date column or no row can be loaded.
    """
    con.register("delivered", _numbered(table))
    columns = {c.lower(): c for c in table.column_names}
    if DATE not in columns:
        raise BadRequest("the delivery has no date column", hint=", ".join(table.column_names[:8]))
    selected = {c: _select(c, columns, schema) for c in schema.lake_types if c != DUP}
    fields = ", ".join(f"{sql} AS {quote(c)}" for c, sql in selected.items())
    con.execute(f"CREATE TEMP TABLE typed AS SELECT {fields}, {ORDER} FROM delivered")
    warnings = _unreadable(con, columns, schema)
    rejected = _reject(con, schema)
    in_key = key_dimensions or _needs_dimensions(con, schema)
    key = names(schema.key(with_dimensions=in_key))
    con.execute(
        f"CREATE TEMP TABLE stage AS SELECT *, CAST(ROW_NUMBER() OVER "
        f"(PARTITION BY {key} ORDER BY {ORDER}) AS INTEGER) AS {DUP} FROM typed"
    )
    con.execute("DROP TABLE typed")
    con.unregister("delivered")
    rows, doubled = _one(con, f"SELECT count(*), count(*) FILTER ({DUP} > 1) FROM stage")
    known = {c.lower() for c in schema.lake_types}
    return Staged(
        rows=rows,
        rejected=rejected,
        doubled=doubled,
        key_dimensions=in_key,
        ignored=tuple(c for c in table.column_names if c.lower() not in known),
        missing_metrics=tuple(m.key for m in schema.stored if m.key.lower() not in columns),
        warnings=warnings,
    )


def _numbered(table: pa.Table) -> pa.Table:
    import numpy as np
    import pyarrow as pa

    return table.append_column(ORDER, pa.array(np.arange(table.num_rows)))


def _select(column: str, delivered: dict[str, str], schema: FactSchema) -> str:
    """SQL that reads `column` of the lake from the delivery."""
    source = delivered.get(column.lower())
    wanted = schema.lake_types[column]
    if column == SCOPE:
        return _scope(source, schema)
    if source is None:
        empty = "''" if column in schema.ids else "NULL"
        return f"CAST({empty} AS {wanted})"
    name = quote(source)
    if column in schema.ids:
        return f"COALESCE({_text(name)}, '')"
    if column in schema.text_columns:
        return f"NULLIF({_text(name)}, '')"
    if column == RAW:
        return f"CAST({name} AS VARCHAR)"
    if column == DATE:
        return f"TRY_CAST({name} AS DATE)"
    number = f"TRY_CAST({name} AS DOUBLE)"
    number = f"CASE WHEN isfinite({number}) THEN {number} END"
    if wanted != "DOUBLE":
        exact = f"TRY_CAST({name} AS {wanted})"
        number = f"CASE WHEN isfinite(TRY_CAST({name} AS DOUBLE)) THEN {exact} END"
    metric = schema.model.by_key[column]
    return f"abs({number})" if metric.additivity.sign == "positive_abs" else number


def _scope(source: str | None, schema: FactSchema) -> str:
    leaf = schema.model.leaf_level
    default = literal(ALL_SCOPE if leaf is None else leaf.key)
    return default if source is None else f"COALESCE(CAST({quote(source)} AS VARCHAR), {default})"


def _text(name: str) -> str:
    """Text of an id or dimension; whole floats lose ".0", since spreadsheets turn 1 into 1.0."""
    return f"regexp_replace(trim(CAST({name} AS VARCHAR)), '^(-?[0-9]+)\\.0$', '\\1')"


def _unreadable(
    con: duckdb.DuckDBPyConnection, delivered: dict[str, str], schema: FactSchema
) -> tuple[str, ...]:
    found = []
    for metric in schema.stored:
        source = delivered.get(metric.key.lower())
        if source is None:
            continue
        name = quote(source)
        sql = (
            f"SELECT count(*) FILTER (CAST({name} AS VARCHAR) NOT IN ('', 'nan', 'NaN')) "
            f"- (SELECT count({quote(metric.key)}) FROM typed) FROM delivered"
        )
        if (bad := _one(con, sql)[0]) > 0:
            found.append(f"{metric.key}: {bad} values are no numbers and were left empty")
    return tuple(found)


def _reject(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> int:
    """Drop rows without a day or with an unknown scope; blank the levels below a row's scope."""
    levels = [level.key for level in schema.model.levels] or [ALL_SCOPE]
    scopes = ", ".join(literal(s) for s in levels)
    bad = f"{DATE} IS NULL OR {SCOPE} NOT IN ({scopes})"
    total, rejected = _one(con, f"SELECT count(*), count(*) FILTER ({bad}) FROM typed")
    if total == rejected:
        raise BadRequest(
            "no row of the delivery can be loaded: none has a valid day and a known scope",
            hint=", ".join(levels),
        )
    con.execute(f"DELETE FROM typed WHERE {bad}")
    for above, level in zip(schema.model.levels, schema.model.levels[1:], strict=False):
        coarser = ", ".join(literal(s) for s in levels[: levels.index(above.key) + 1])
        blank = f"{quote(level.id)} = ''"
        if level.name != level.id:
            blank += f", {quote(level.name)} = NULL"
        con.execute(f"UPDATE typed SET {blank} WHERE {SCOPE} IN ({coarser})")
    return int(rejected)


def _needs_dimensions(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> bool:
    """Whether rows are finer than the levels: many keys come with several dimension values."""
    if not schema.dimensions:
        return False
    key = names(schema.key(with_dimensions=False))
    keys, several = _one(
        con,
        f"SELECT count(*), count(*) FILTER (n > 1) FROM (SELECT count(DISTINCT "
        f"({names(schema.dimensions)})) AS n FROM typed GROUP BY {key})",
    )
    return bool(several > keys * _DOUBLED_SHARE)


def _one(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, ...]:
    row = con.execute(sql).fetchone()
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY gives one row
    return row
