"""Source columns -> the columns of a given model, by key, label, synonym or source column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from askcore.base.errors import did_you_mean
from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.days import find_time_column
from askcore.lake.ingest.lexicon import DATE_WORDS, ID_WORDS, NAME_WORDS
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.plan import ColumnPlan, Plan, Role
from askcore.lake.ingest.words import normal, without_unit
from askcore.semantic.model import Level, Metric, Model

_MIN_METRICS = 3  # a delivery of a shipped model holds its level columns and at least so many metric keys
_STORED = ("sum", "weighted_mean", "last", "mean_per_row")
_RAW_NAMES = frozenset({"raw", "rawjson"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """Which column fills a target, and by what name it was found."""

    column: str
    by: str


def fits_delivery(model: Model, names: Iterable[str]) -> bool:
    """Whether columns look like the delivery layout of the model: all its level columns, some metric keys."""
    known = {normal(n) for n in names}
    needed = {model.time.column, *(level.id for level in model.levels)}
    keys = [m for m in model.metrics if normal(m.key) in known]
    return all(normal(c) in known for c in needed) and len(keys) >= _MIN_METRICS


def time_column_of(model: Model, records: Records) -> str:
    """The column of days: by the model's name, by a word for dates, else the only one that holds days.

    Raises: Refusal when there is none.
    """
    wanted = {normal(model.time.column), *(normal(w) for w in DATE_WORDS)}
    exact = [n for n in records.names if normal(n) == normal(model.time.column)]
    if exact:
        return exact[0]
    named = [n for n in records.names if normal(n) in wanted]
    return named[0] if len(named) == 1 else find_time_column(records)


def map_columns(model: Model, records: Records, time_column: str) -> Plan:
    """The plan for a known model.

    Raises: Refusal when a needed level column is missing or no metric is found.
    """
    free = [n for n in records.names if n != time_column]
    columns = {time_column: _planned(time_column, "time", "date", message("why_time"))}
    _take_fixed(model, free, columns)
    warnings = [w for level in model.levels if (w := _take_level(level, free, columns))]
    _take_dimensions(model, free, columns)
    warnings += _take_metrics(model, free, columns)
    constants, copies, notes = _filled(model, columns, records)
    for name in free:
        columns[name] = _planned(name, "raw", name, message("why_unknown"))
    if not any(c.role == "metric" for c in columns.values()):
        near = did_you_mean(records.names[-1], (w for m in model.metrics for w in m.words()))
        raise Refusal("no_metric", model=model.name, names=", ".join(free[:12]), near=near or "-")
    return Plan(
        model=model,
        columns=tuple(columns[n] for n in records.names),
        constants=constants,
        copies=copies,
        decisions=(message("model_used", model=model.name), *notes),
        warnings=(*warnings, *_missing(model, columns.values())),
    )


def _planned(name: str, role: Role, target: str, why: Message, key: str | None = None) -> ColumnPlan:
    return ColumnPlan(name=name, role=role, target=target, why=why, key=key)


def _take_fixed(model: Model, free: list[str], columns: dict[str, ColumnPlan]) -> None:
    for name in list(free):
        if normal(name) == "scope" and model.levels:
            columns[name] = _planned(name, "scope", "scope", message("why_scope"))
            free.remove(name)
        elif normal(name) in _RAW_NAMES:
            columns[name] = _planned(name, "raw", "raw", message("why_raw"))
            free.remove(name)


def _find(words: Sequence[tuple[str, str]], free: Sequence[str]) -> _Match | None:
    """The first word that names a column; a bracketed unit of the header does not count."""
    for by, word in words:
        key = normal(word)
        for name in free:
            if normal(name) == key:
                return _Match(column=name, by=by)
        for name in free:
            if normal(without_unit(name)) == key:
                return _Match(column=name, by=by)
    return None


def _take_level(level: Level, free: list[str], columns: dict[str, ColumnPlan]) -> Message | None:
    titles = [level.key, *level.label.values(), *(w for ws in level.synonyms.values() for w in ws)]
    titles += [p for t in level.label.values() for p in t.split("/")]
    by_id = [("key", level.id), *(("label", f"{t}{w}") for t in titles for w in ID_WORDS)]
    by_name = [("key", level.name), *(("label", f"{t}{w}") for t in titles for w in NAME_WORDS)]
    alone = [("label", t) for t in titles]
    found_id = _find(by_id, free)
    if found_id is not None:
        _take(found_id, "level", level.id, level.key, free, columns)
    found_name = None
    if level.name != level.id:
        found_name = _find([*by_name, *(alone if found_id else ())], free)
        if found_name is not None:
            _take(found_name, "level_name", level.name, level.key, free, columns)
    if found_id is None and (match := _find(alone, free)) is not None:
        _take(match, "level", level.id, level.key, free, columns)
    return None


def _take(
    match: _Match,
    role: Role,
    target: str,
    key: str,
    free: list[str],
    columns: dict[str, ColumnPlan],
) -> None:
    why = message(f"why_by_{match.by}", target=target)
    columns[match.column] = _planned(match.column, role, target, why, key)
    free.remove(match.column)


def _take_dimensions(model: Model, free: list[str], columns: dict[str, ColumnPlan]) -> None:
    for dimension in model.dimensions:
        words = [("key", dimension.column), ("key", dimension.key)]
        words += [("label", t) for t in dimension.label.values()]
        words += [("synonym", w) for ws in dimension.synonyms.values() for w in ws]
        match = _find(words, free)
        if match is not None:
            _take(match, "dimension", dimension.column, dimension.key, free, columns)


def _take_metrics(model: Model, free: list[str], columns: dict[str, ColumnPlan]) -> list[Message]:
    """Keys first, then labels, source columns and synonyms, so that a weaker name never wins."""
    warnings: list[Message] = []
    taken: set[str] = set()
    for by in ("key", "label", "source", "synonym"):
        claims: dict[str, list[Metric]] = {}
        for metric in model.metrics:
            if metric.key in taken:
                continue
            match = _find([(by, w) for w in _words(metric, by)], free)
            if match is not None:
                claims.setdefault(match.column, []).append(metric)
        for column, metrics in claims.items():
            if len(metrics) > 1:
                keys = ", ".join(m.key for m in metrics)
                warnings.append(message("claimed_twice", column=column, keys=keys))
                continue
            metric = metrics[0]
            taken.add(metric.key)
            _take(_Match(column=column, by=by), "metric", metric.key, metric.key, free, columns)
    return warnings


def _words(metric: Metric, by: str) -> tuple[str, ...]:
    if by == "key":
        return (metric.key,)
    if by == "label":
        return tuple(metric.label.values())
    if by == "source":
        return tuple(w for c in metric.source_columns for w in _bare(c))
    return tuple(w for words in metric.synonyms.values() for w in words)


def _bare(column: str) -> tuple[str, ...]:
    """A source column with and without its source; a sum of several columns is none."""
    bare = column.rpartition(":")[2]
    return () if "+" in bare else (column, bare, bare.rpartition(".")[2])


def _filled(
    model: Model, columns: dict[str, ColumnPlan], records: Records
) -> tuple[dict[str, str], dict[str, str], list[Message]]:
    """What stands in for level columns that the source lacks: a constant id, or the name as the id.

    Raises: Refusal naming the level columns that the rows need.
    """
    constants: dict[str, str] = {}
    copies: dict[str, str] = {}
    notes: list[Message] = []
    missing: list[str] = []
    have = {c.target: c.name for c in columns.values()}
    for level in _needed(model, columns, records):
        if level.id in have:
            continue
        if level.name in have:
            copies[level.id] = have[level.name]
            notes.append(message("name_as_id", column=have[level.name], level=level.key))
        elif level is model.top_level and model.default_entity:
            constants[level.id] = model.default_entity
            notes.append(message("default_entity", level=level.key, entity=model.default_entity))
        else:
            missing.append(level.id)
    if missing:
        given = ", ".join(records.names[:12])
        raise Refusal("missing_columns", columns=", ".join(missing), model=model.name, given=given)
    return constants, copies, notes


def _needed(model: Model, columns: dict[str, ColumnPlan], records: Records) -> Sequence[Level]:
    """Levels down to the deepest one that has rows."""
    scope = next((c.name for c in columns.values() if c.role == "scope"), None)
    if scope is None:
        return model.levels
    present = set(records.counts(scope))
    depth = max((i for i, level in enumerate(model.levels) if level.key in present), default=-1)
    return model.levels[: depth + 1]


def _missing(model: Model, columns: Iterable[ColumnPlan]) -> list[Message]:
    """Stored metrics that the delivery has no column for: not available, never 0."""
    have = {c.key for c in columns if c.role == "metric"}
    stored = [m for m in model.metrics if m.additivity.kind in _STORED and m.key not in have]
    found = []
    for key, metrics in (
        ("metrics_missing", [m.key for m in stored if not m.reserved]),
        ("metrics_reserved", [m.key for m in stored if m.reserved]),
    ):
        if metrics:
            found.append(message(key, keys=", ".join(metrics)))
    return found
