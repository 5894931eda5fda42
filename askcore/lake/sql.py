"""Small SQL pieces that loads and the serving build share: quoting, types, file lists, row caps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

# DuckDB draws a bar on stdout once a statement takes 2 s; stdout carries one JSON and nothing else.
QUIET = "SET enable_progress_bar = false"
MONEY = "DECIMAL(18,4)"  # exact sums; four decimals hold per-unit prices, 14 digits before the point


@lru_cache(maxsize=4096)
def quote(name: str) -> str:
    """`name` as a DuckDB identifier."""
    from sqlglot import exp

    return str(exp.to_identifier(name, quoted=True).sql(dialect="duckdb"))


@lru_cache(maxsize=4096)
def literal(text: str) -> str:
    """`text` as a SQL string, for statements that take no parameters (DDL, COPY)."""
    from sqlglot import exp

    return str(exp.Literal.string(text).sql(dialect="duckdb"))


def names(columns: Iterable[str], prefix: str = "") -> str:
    """Quoted, comma-separated column list; prefix: a table alias."""
    dot = f"{prefix}." if prefix else ""
    return ", ".join(dot + quote(c) for c in columns)


def file_list(files: Sequence[str]) -> str:
    """A list literal for read_parquet."""
    return "[" + ", ".join(literal(f) for f in files) + "]"


def same_key(columns: Iterable[str], left: str, right: str) -> str:
    """Null-safe equality of two rows on `columns`."""
    return " AND ".join(f"{left}.{quote(c)} IS NOT DISTINCT FROM {right}.{quote(c)}" for c in columns)


def describe_parameters(sql: str, parameters: dict[str, object]) -> str:
    """The statement followed by its bound values, one comment line each."""
    lines = [f"-- ${name} = {_readable(value)}" for name, value in parameters.items()]
    return "\n".join([sql, *lines])


def _readable(value: object) -> str:
    text = repr(value) if isinstance(value, int | float) else repr(str(value))
    return text.replace("\n", " ")
