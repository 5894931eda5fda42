"""Small tables of a serving file from which catalogs and plans are made without touching the facts."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`, text by `sql.literal`
from typing import TYPE_CHECKING

from askcore.lake.schema import DATE, DUP, SCOPE, FactSchema
from askcore.lake.sql import literal, quote

if TYPE_CHECKING:
    import duckdb

MAX_TOPS = 50  # with more top entities, days are kept for the whole dataset only
MAX_VALUES = 201  # one more than a catalog lists, so that a cut list is known as such


def build_summary(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> None:
    """Create `day_count`, `entity`, `level_info`, `column_stat` and `dimension_value`."""
    _day_count(con, schema)
    _column_stat(con, schema)
    con.execute(
        "CREATE TABLE entity (level VARCHAR, id VARCHAR, name VARCHAR, parents VARCHAR[], "
        "own BOOLEAN, first_day DATE, last_day DATE)"
    )
    con.execute("CREATE TABLE level_info (level VARCHAR, is_unique BOOLEAN)")
    for position in range(len(schema.ids)):
        _entities(con, schema, position)
    _dimension_values(con, schema)


def _day_count(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> None:
    """Rows a day, for each scope and top entity ('' = all)."""
    con.execute("CREATE TABLE day_count (scope VARCHAR, top VARCHAR, date DATE, row_count BIGINT)")
    con.execute(
        f"INSERT INTO day_count SELECT {SCOPE}, '', {DATE}, count(*) FROM fact WHERE {DUP} = 1 GROUP BY ALL"
    )
    if not schema.ids:
        return
    top = quote(schema.ids[0])
    con.execute(
        f"INSERT INTO day_count SELECT {SCOPE}, {top}, {DATE}, count(*) FROM fact "
        f"WHERE {DUP} = 1 AND {top} <> '' AND (SELECT count(DISTINCT {top}) FROM fact) <= {MAX_TOPS} "
        f"GROUP BY ALL"
    )


def _column_stat(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> None:
    """Values of every column in every scope, to know what is absent and what is never null."""
    con.execute("CREATE TABLE column_stat (scope VARCHAR, name VARCHAR, n BIGINT, of_rows BIGINT)")
    columns = [*schema.text_columns, *(m.key for m in schema.stored)]
    if not columns:
        return
    counts = ", ".join(
        f"count(NULLIF({quote(c)}, ''))" if c in schema.text_columns else f"count({quote(c)})"
        for c in columns
    )
    rows = con.execute(
        f"SELECT {SCOPE}, count(*), {counts} FROM fact WHERE {DUP} = 1 GROUP BY {SCOPE}"
    ).fetchall()
    values = [
        (scope, name, n, total)
        for scope, total, *found in rows
        for name, n in zip(columns, found, strict=True)
    ]
    con.executemany("INSERT INTO column_stat VALUES (?, ?, ?, ?)", values)


def _entities(con: duckdb.DuckDBPyConnection, schema: FactSchema, position: int) -> None:
    """Entities of one level: newest name and parents, days of own rows, else of rows below."""
    level = schema.model.levels[position]
    column = quote(level.id)
    name = f"NULLIF({quote(level.name)}, '')"
    parents = ", ".join(f"arg_max({quote(c)}, {DATE})" for c in schema.ids[:position])
    own = f"{SCOPE} = {literal(level.key)}"
    con.execute(
        f"INSERT INTO entity SELECT {literal(level.key)}, {column}, "
        f"COALESCE(arg_max({name}, {DATE}) FILTER ({name} IS NOT NULL), {column}), [{parents}], "
        f"bool_or({own}), COALESCE(min({DATE}) FILTER ({own}), min({DATE})), "
        f"COALESCE(max({DATE}) FILTER ({own}), max({DATE})) "
        f"FROM fact WHERE {column} <> '' AND {DUP} = 1 GROUP BY {column}"
    )
    path = ", ".join(quote(c) for c in schema.ids[: position + 1])
    con.execute(
        f"INSERT INTO level_info SELECT {literal(level.key)}, "
        f"count(DISTINCT {column}) = count(DISTINCT ({path})) FROM fact "
        f"WHERE {column} <> '' AND {DUP} = 1"
    )


def _dimension_values(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> None:
    con.execute("CREATE TABLE dimension_value (name VARCHAR, value VARCHAR)")
    for dimension in schema.model.dimensions:
        if dimension.column in schema.text_columns:
            con.execute(
                f"INSERT INTO dimension_value SELECT {literal(dimension.key)}, v FROM "
                f"(SELECT DISTINCT {quote(dimension.column)} AS v FROM fact "
                f"WHERE {quote(dimension.column)} IS NOT NULL ORDER BY v LIMIT {MAX_VALUES})"
            )
