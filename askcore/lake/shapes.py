"""The shape of a delivery: taken from the staged rows, kept in the commit, read back from the log."""

from __future__ import annotations

# ruff: noqa: S608 - identifiers are quoted by `sql.quote`
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.errors import LakeError
from askcore.lake.schema import DATE, DUP, RAW, SCOPE, FactSchema
from askcore.lake.sql import MONEY, quote
from askcore.lake.versions import VersionInfo, read_version
from askcore.semantic.shape import MAX_VALUES, Shape

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_OWN = (DATE, SCOPE, RAW, DUP)
_RAW_ROWS = 5_000  # raw objects whose fields are looked at: a source writes the same ones in every row
_LOOK_BACK = 50  # versions; an older load says little about what a source delivers


def taken(
    con: duckdb.DuckDBPyConnection,
    table: pa.Table,
    schema: FactSchema,
    ignored: tuple[str, ...],
    before: VersionInfo | None,
) -> dict[str, Any]:
    """The commit's entry of the shape of the rows in `stage`."""
    return {
        "columns": _columns(con, table, schema),
        "extra": sorted([*ignored, *_raw_fields(con)]),
        "values": _values(con, schema, {} if before is None else before.shape.get("values", {})),
    }


def read_shapes(lake_dir: Path, dataset: str, version: int) -> tuple[Shape, ...]:
    """The shape of the load that made `version` and of the one before it that has any; () when unknown."""
    found = []
    for info in _versions(lake_dir, dataset, version):
        if info.shape:
            found.append(_parsed(info))
        elif not found:
            return ()
        if len(found) == 2:
            break
    return tuple(found)


def _versions(lake_dir: Path, dataset: str, version: int) -> Iterator[VersionInfo]:
    for number in range(version, max(0, version - _LOOK_BACK), -1):
        try:
            yield read_version(lake_dir, dataset, number)
        except LakeError:  # older commits are tidied away
            return


def _parsed(info: VersionInfo) -> Shape:
    values: Mapping[str, Any] = info.shape.get("values", {})
    return Shape(
        version=info.version,
        columns=dict(info.shape.get("columns", {})),
        extra=tuple(info.shape.get("extra", ())),
        values={key: tuple(found) for key, found in values.items() if found is not None},
    )


def _columns(con: duckdb.DuckDBPyConnection, table: pa.Table, schema: FactSchema) -> dict[str, str]:
    """Stored columns that the delivery has a value of, with the kind of their values."""
    delivered = {f.name.lower(): str(f.type) for f in table.schema}
    wanted = [c for c in schema.lake_types if c not in _OWN and c.lower() in delivered]
    if not wanted:
        return {}
    counts = ", ".join(
        f"count(NULLIF({quote(c)}, ''))" if c in schema.text_columns else f"count({quote(c)})" for c in wanted
    )
    row = con.execute(f"SELECT {counts} FROM stage").fetchone()
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY gives one row
    return {
        c: _kind(schema.lake_types[c], delivered[c.lower()]) for c, n in zip(wanted, row, strict=True) if n
    }


def _kind(stored: str, delivered: str) -> str:
    """Numbers that come as text are text: the next file may hold some that cannot be read."""
    if stored == "VARCHAR" or "string" in delivered:
        return "text"
    return "money" if stored == MONEY else "number"


def _raw_fields(con: duckdb.DuckDBPyConnection) -> list[str]:
    sql = (
        f"SELECT DISTINCT unnest(json_keys({RAW})) FROM (SELECT {RAW} FROM stage "
        f"WHERE json_valid({RAW}) AND json_type({RAW}) = 'OBJECT' LIMIT {_RAW_ROWS})"
    )
    return [f"{RAW}.{row[0]}" for row in con.execute(sql).fetchall()]


def _values(
    con: duckdb.DuckDBPyConnection, schema: FactSchema, before: Mapping[str, Any]
) -> dict[str, list[str] | None]:
    """Dimension -> values of this and of earlier loads; None from more than `MAX_VALUES` on."""
    found: dict[str, list[str] | None] = dict(before)
    for dimension in schema.model.dimensions:
        known = found.get(dimension.key, [])
        if known is None or dimension.column not in schema.text_columns:
            continue
        column = quote(dimension.column)
        rows = con.execute(
            f"SELECT DISTINCT {column} FROM stage WHERE {column} <> '' LIMIT {MAX_VALUES + 1}"
        ).fetchall()
        every = sorted({*known, *(row[0] for row in rows)})
        found[dimension.key] = every if len(every) <= MAX_VALUES else None
    return found
