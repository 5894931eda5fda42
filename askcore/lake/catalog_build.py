"""Catalog and layers of a version, read from the summary tables of its serving file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askcore.base.values import Period
from askcore.lake.layers import Layers
from askcore.lake.raw import raw_fields
from askcore.lake.schema import DATE, DUP, SCOPE, FactSchema
from askcore.lake.summary import MAX_VALUES
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.periods import step_end

if TYPE_CHECKING:
    from datetime import date

    import duckdb


def read_catalog(con: duckdb.DuckDBPyConnection, schema: FactSchema, dataset: str, version: int) -> Catalog:
    """Entities, ranges and columns of the version."""
    grain = schema.model.time.grain
    ranges = {
        scope: (Period(start=first, end=step_end(last, grain)), rows)
        for scope, first, last, rows in con.execute(
            "SELECT scope, min(date), max(date), sum(row_count) FROM day_count WHERE top = '' GROUP BY scope"
        ).fetchall()
    }
    levels = [level.key for level in schema.model.levels]
    periods = {scope: ranges[scope][0] for scope in levels if scope in ranges}
    everything = [period for period, _ in ranges.values()]
    whole = None
    if everything:
        whole = Period(start=min(p.start for p in everything), end=max(p.end for p in everything))
    filled = con.execute(
        "SELECT name FROM column_stat GROUP BY name HAVING sum(n) > 0 ORDER BY name"
    ).fetchall()
    return Catalog(
        dataset=dataset,
        version=version,
        period=whole,
        entities=_entities(con, schema),
        scopes=tuple(periods),
        scope_periods=periods,
        columns=(DATE, SCOPE, DUP, *(row[0] for row in filled)),
        raw_fields=_raw_fields(con),
        dimension_values=_dimension_values(con, schema),
        row_count=_count(con),
    )


def _count(con: duckdb.DuckDBPyConnection) -> int:
    row = con.execute("SELECT count(*) FROM fact").fetchone()
    return 0 if row is None else int(row[0])


def _entities(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> tuple[Entity, ...]:
    levels = [level.key for level in schema.model.levels]
    rows = con.execute("SELECT level, id, name, parents, first_day, last_day FROM entity").fetchall()
    found = [
        Entity(
            level=level,
            id=key,
            name=name,
            parents={k: v for k, v in zip(levels, parents, strict=False) if v},
            first_day=first.isoformat(),
            last_day=last.isoformat(),
        )
        for level, key, name, parents, first, last in rows
    ]
    return tuple(sorted(found, key=lambda e: (levels.index(e.level), e.id)))


def _dimension_values(con: duckdb.DuckDBPyConnection, schema: FactSchema) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {d.key: [] for d in schema.model.dimensions}
    rows = con.execute("SELECT name, value FROM dimension_value ORDER BY name, value").fetchall()
    for name, value in rows:
        found[name].append(value)
    return {name: tuple(values[: MAX_VALUES - 1]) for name, values in found.items()}


def read_layers(con: duckdb.DuckDBPyConnection, schema: FactSchema, *, key_dimensions: bool) -> Layers:
    """What plans are made from."""
    days: dict[tuple[str, str], list[date]] = {}
    for scope, top, day in con.execute("SELECT scope, top, date FROM day_count ORDER BY date").fetchall():
        days.setdefault((scope, top), []).append(day)
    types = dict(
        con.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'fact'"
        ).fetchall()
    )
    filled = con.execute("SELECT scope, name, n, of_rows FROM column_stat").fetchall()
    unique = con.execute("SELECT level FROM level_info WHERE is_unique").fetchall()
    names: dict[str, dict[str, str]] = {level.key: {} for level in schema.model.levels}
    own: dict[str, set[str]] = {level: set() for level in names}
    for level, key, name, has_rows in con.execute("SELECT level, id, name, own FROM entity").fetchall():
        names[level][key] = name
        if has_rows:
            own[level].add(key)
    return Layers(
        schema=schema,
        key_dimensions=key_dimensions,
        days={key: tuple(found) for key, found in days.items()},
        types=types,
        filled={(scope, name): (n, rows) for scope, name, n, rows in filled},
        unique_levels=frozenset(row[0] for row in unique),
        numeric_columns=_numeric_columns(con, schema, names),
        names=names,
        own=_own(con, schema, days),
        own_entities={level: frozenset(ids) for level, ids in own.items()},
        raw_fields=_raw_fields(con),
    )


def _own(
    con: duckdb.DuckDBPyConnection,
    schema: FactSchema,
    days: dict[tuple[str, str], list[date]],
) -> dict[str, frozenset[str]]:
    """Scope -> top entities with rows of it; all of them where days are not kept by top entity."""
    tops = {scope: {t for s, t in days if s == scope and t} for scope, _ in days}
    if any(tops.values()) or not schema.ids:
        return {scope: frozenset(found) for scope, found in tops.items()}
    rows = con.execute("SELECT id FROM entity WHERE level = ?", [schema.model.levels[0].key])
    everyone = frozenset(row[0] for row in rows.fetchall())
    return dict.fromkeys(tops, everyone)


def _numeric_columns(
    con: duckdb.DuckDBPyConnection, schema: FactSchema, names: dict[str, dict[str, str]]
) -> frozenset[str]:
    found = {
        level.id
        for level in schema.model.levels
        if names[level.key] and all(_is_number(key) for key in names[level.key])
    }
    rows = con.execute(
        "SELECT name FROM dimension_value GROUP BY name "
        "HAVING bool_and(TRY_CAST(value AS DOUBLE) IS NOT NULL)"
    ).fetchall()
    columns = {d.key: d.column for d in schema.model.dimensions}
    return frozenset(found | {columns[row[0]] for row in rows})


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _raw_fields(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    rows = con.execute("SELECT fields FROM raw LIMIT 0")
    kind = rows.description[0][1]
    return raw_fields(tuple(str(name) for name, _ in kind.children))
