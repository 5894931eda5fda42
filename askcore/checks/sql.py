"""Small tools to write a check's SQL: quoting, bound values, metric expressions, readable text.

Identifiers come from the model and are quoted, values are bound as $1, $2 …; `readable` puts the
values back as literals, for the verdict's runnable text only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from string import Template
from typing import TYPE_CHECKING

from askcore.semantic.model import Model

if TYPE_CHECKING:
    from sqlglot import exp

SOURCE = "src"
"""Table name that identities use for the source's own value of a metric."""


def quote(name: str) -> str:
    """A quoted identifier."""
    return '"' + name.replace('"', '""') + '"'


def fill(template: str, **parts: str) -> str:
    """SQL with its @{parts} put in; every part is quoted SQL already."""
    return _Parts(template).substitute(parts)


class _Parts(Template):
    delimiter = "@"


def listed(parts: Iterable[str], joint: str = ", ") -> str:
    """Parts joined; for select lists and conditions."""
    return joint.join(parts)


def all_of(parts: Iterable[str]) -> str:
    """A conjunction; TRUE when empty."""
    return " AND ".join(f"({p})" for p in parts) or "TRUE"


def any_of(parts: Iterable[str]) -> str:
    """A disjunction; FALSE when empty."""
    return " OR ".join(f"({p})" for p in parts) or "FALSE"


@dataclass(slots=True)
class Binder:
    """Collects bound values; calling it gives the placeholder of one."""

    values: list[object] = field(default_factory=list)

    def __call__(self, value: object) -> str:
        """The placeholder of `value`; equal values share one."""
        for index, known in enumerate(self.values, start=1):
            if type(known) is type(value) and known == value:
                return f"${index}"
        self.values.append(value)
        return f"${len(self.values)}"

    def all(self, values: Sequence[object]) -> str:
        """Placeholders of several values, as a list for IN."""
        return listed(self(v) for v in values)


def readable(sql: str, values: Sequence[object]) -> str:
    """The statement with its values as literals, so that it runs as it stands."""
    return re.sub(r"\$(\d+)", lambda m: _literal(values[int(m[1]) - 1]), sql)


def _literal(value: object) -> str:
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


class MissingInput(Exception):
    """An expression needs a column that the dataset does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, kw_only=True)
class Expressions:
    """Metric keys -> SQL over the fact alias and, for `src.x`, the raw alias."""

    model: Model
    columns: frozenset[str]
    raw_fields: frozenset[str] = frozenset()
    alias: str = "f"
    raw_alias: str = "r"

    def metric(self, key: str) -> str:
        """The row value of a metric: its column, or what it is computed from.

        Raises: MissingInput.
        """
        metric = self.model.by_key.get(key)
        additivity = None if metric is None else metric.additivity
        if additivity is not None and additivity.kind == "ratio" and additivity.numerator:
            top, bottom = additivity.numerator, additivity.denominator or ""
            if self._has(top) and self._has(bottom):
                return f"({self.metric(top)} / NULLIF({self.metric(bottom)}, 0))"
        if key in self.columns:
            return f"CAST({self.alias}.{quote(key)} AS DOUBLE)"
        if additivity is not None and additivity.kind == "derived_sum" and additivity.expr:
            return f"({self.row(additivity.expr)})"
        raise MissingInput(key)

    def source(self, key: str) -> str:
        """The source's own value of a metric, from the raw fields. Raises: MissingInput."""
        return self.field(f"{SOURCE}.{key}")

    def field(self, name: str) -> str:
        """A raw field as a number. Raises: MissingInput."""
        if name not in self.raw_fields:
            raise MissingInput(name)
        return f"TRY_CAST({self.raw_alias}.fields.{quote(name)} AS DOUBLE)"

    def row(self, text: str) -> str:
        """An expression of the model as SQL over one row. Raises: MissingInput."""
        mapping = []
        for table, name in names_in(text):
            try:
                found = self.source(name) if table == SOURCE else self.metric(name)
            except MissingInput:
                if (table, name) not in optional_in(text):
                    raise
                found = "CAST(NULL AS DOUBLE)"
            mapping.append(((table, name), found))
        return _rewritten(text, tuple(mapping))

    def _has(self, key: str) -> bool:
        try:
            self.metric(key)
        except MissingInput:
            return False
        return True


@lru_cache(maxsize=512)
def names_in(text: str) -> tuple[tuple[str, str], ...]:
    """(table, column) of every column that an expression names."""
    from sqlglot import exp

    found = dict.fromkeys((c.table, c.name) for c in parsed(text).find_all(exp.Column))
    return tuple(found)


@lru_cache(maxsize=512)
def optional_in(text: str) -> frozenset[tuple[str, str]]:
    """Columns that an expression names only inside coalesce(): it holds without them."""
    from sqlglot import exp

    every = list(parsed(text).find_all(exp.Column))
    needed = {(c.table, c.name) for c in every if c.find_ancestor(exp.Coalesce) is None}
    return frozenset((c.table, c.name) for c in every) - needed


@lru_cache(maxsize=512)
def _rewritten(text: str, mapping: tuple[tuple[tuple[str, str], str], ...]) -> str:
    from sqlglot import exp

    by_name = dict(mapping)

    def swap(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            return parsed(by_name[node.table, node.name]).copy()
        return node

    tree = parsed(text).copy()
    for division in list(tree.find_all(exp.Div)):
        division.set("expression", exp.Nullif(this=division.expression, expression="0"))
    return tree.transform(swap).sql(dialect="duckdb")


@lru_cache(maxsize=1024)
def parsed(text: str) -> exp.Expr:
    """The tree of an expression; shared, so copy it before a change."""
    import sqlglot  # costs 0.3 s; only datasets with expressions need it

    return sqlglot.parse_one(text, dialect="duckdb")


def inputs_of(model: Model, key: str) -> frozenset[str]:
    """Stored columns that a metric is made of, itself included when it has no parts."""
    metric = model.by_key.get(key)
    if metric is None:
        return frozenset()
    additivity = metric.additivity
    parts: list[str] = [
        p for p in (additivity.numerator, additivity.denominator) if p and additivity.kind == "ratio"
    ]
    if additivity.kind == "derived_sum" and additivity.expr:
        parts = [name for _, name in names_in(additivity.expr)]
    if not parts:
        return frozenset({key})
    found: frozenset[str] = frozenset()
    for part in parts:
        found |= inputs_of(model, part)
    return found


def inputs_of_text(model: Model, text: str) -> frozenset[str]:
    """Stored columns behind an expression of the model; `src.x` counts as the metric x."""
    found: frozenset[str] = frozenset()
    for _, name in names_in(text) if text else ():
        found |= inputs_of(model, name)
    return found
