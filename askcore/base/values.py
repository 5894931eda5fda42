"""The frozen values that travel between the layers.

Dicts and JSON exist only at the edges; inside, one of these is passed. Units are fixed here:
money in yuan, rates as 0-1, days as `datetime.date`, times in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal, get_args

Lang = Literal["zh", "en"]
Mode = Literal["auto", "quick", "deep"]
VerdictKind = Literal[
    "quality",
    "identity",
    "cross-layer",
    "freshness",
    "coverage",
    "period",
    "peer",
    "significance",
    "attribution",
    "anomaly",
    "cloud",
    "policy",
]
VerdictStatus = Literal["fail", "warn", "skip", "pass"]
KINDS_OF_DATA: tuple[VerdictKind, ...] = ("quality", "identity", "cross-layer", "freshness", "coverage")
"""Checks of the catalogue, which the health page has too; others are of one answer alone."""
"""Worst first."""
Severity = Literal["critical", "major", "minor", "info"]
"""Severest first."""
RunStatus = Literal[
    "queued",
    "running",
    "done",
    "needs_clarification",
    "refused",
    "failed",
    "cancelled",
    "interrupted",
]
EventKind = Literal[
    "started",
    "plan",
    "llm.call",
    "tool.completed",
    "observe",
    "verdict",
    "remind",
    "clarify",
    "final",
    "agent.error",
    "cancelled",
    "resumed",
    "ended",
]
ClaimStatus = Literal["exact", "derived", "weak", "untraced", "sign_conflict", "unweighted_mean", "exempt"]
CellUnit = Literal["money", "count", "pct", "pp", "score", "min", "days", "rank", "x", "plain"]
CellRole = Literal["value", "total", "delta", "pctchg", "share", "arg", "rows", "rank", "verdict"]
NoteCode = Literal[
    "partial_period",
    "holiday",
    "clamped",
    "outside_coverage",
    "like_for_like",
    "duplicate",
    "reserved_column",
    "empty",
    "ambiguous",
    "planner_fallback",
    "forced_finish",
]
TIME_GRAINS = ("date", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Inclusive range of days."""

    start: date
    end: date

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError(f"period ends {self.end} before it starts {self.start}")

    @property
    def days(self) -> int:
        """Number of calendar days, at least 1."""
        return (self.end - self.start).days + 1

    def shift(self, days: int) -> Period:
        """The same length, moved by `days` (negative: earlier)."""
        step = timedelta(days=days)
        return Period(start=self.start + step, end=self.end + step)

    def contains(self, day: date) -> bool:
        """Whether `day` lies in the period."""
        return self.start <= day <= self.end

    @classmethod
    def from_json(cls, days: Mapping[str, Any]) -> Period:
        """The inverse of `as_json`. Raises: KeyError, ValueError when a day is missing or malformed."""
        return cls(start=date.fromisoformat(days["from"]), end=date.fromisoformat(days["to"]))

    def as_json(self) -> dict[str, str]:
        """{"from": ISO day, "to": ISO day}."""
        return {"from": self.start.isoformat(), "to": self.end.isoformat()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """Order of rows by one column of the result."""

    key: str
    descending: bool

    def as_arg(self) -> str:
        """The tools' spelling: "-grossAmt" for descending."""
        return f"-{self.key}" if self.descending else self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a question was understood: always shown, editable, encoded in the URL."""

    metrics: tuple[str, ...]
    as_of: date
    entity: str | None = None
    """Id of the top-level entity (company); None when the dataset has no such level."""
    period: Period | None = None
    baseline: Period | None = None
    scope: str | None = None
    """Level whose rows are read; None: the top level, or the leaf where the dataset has one layer."""
    by: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Level or dimension key -> ids that are kept."""
    sort: Sort | None = None
    limit: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The contract's `reading` object."""
        return {
            "entity": self.entity,
            "metrics": list(self.metrics),
            "period": None if self.period is None else self.period.as_json(),
            "baseline": None if self.baseline is None else self.baseline.as_json(),
            "scope": self.scope,
            "by": list(self.by),
            "filters": {k: list(v) for k, v in self.filters.items()},
            "sort": None if self.sort is None else self.sort.as_arg(),
            "limit": self.limit,
            "as_of": self.as_of.isoformat(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySpec:
    """What the lake runs: one scope, known metrics, a period inside the lake."""

    metrics: tuple[str, ...]
    period: Period
    entity: str | None = None
    scope: str | None = None
    by: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sort: Sort | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clamp:
    """One argument that was changed before it ran, and why."""

    arg: str
    before: str
    after: str
    why: str

    def as_json(self) -> dict[str, str]:
        """{"arg", "from", "to", "why"}."""
        return {"arg": self.arg, "from": self.before, "to": self.after, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something the reader of an answer must know, with a stable code."""

    code: NoteCode
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a result table."""

    key: str
    label: str
    unit: str = ""
    """Model unit ("CNY", "ratio", …); "" for a dimension, "date" for a time bucket."""
    of: str = ""
    """Level or dimension that the column names; "" for time buckets and figures."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Rows for the screen: raw numbers, rates 0-1, money in yuan."""

    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    totals: Mapping[str, Any] = field(default_factory=dict)
    """Over all rows before `limit`, same scope, weighted; {} when there is none."""
    row_count: int = 0
    """Rows before `limit`."""

    @property
    def shown(self) -> int:
        """Rows that are here."""
        return len(self.rows)

    @property
    def measures(self) -> tuple[str, ...]:
        """Keys of the columns that hold figures: they have a unit, or numbers without one."""
        return tuple(c.key for c in self.columns if c.unit not in ("", "date") or self._is_numeric(c.key))

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Keys of the columns that say what a row is about."""
        measures = self.measures
        return tuple(c.key for c in self.columns if c.key not in measures)

    def column_of(self, name: str) -> str | None:
        """The column with this key, else the display name of the level called so; None when absent."""
        if not name:
            return None
        keys = [c.key for c in self.columns if c.key == name] or [c.key for c in self.columns if c.of == name]
        return keys[-1] if keys else None

    def _is_numeric(self, key: str) -> bool:
        values = [r[key] for r in self.rows if r.get(key) is not None]
        return bool(values) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number of a tool result that a sentence may cite."""

    value: float
    unit: CellUnit
    """pct and pp values are 0-1 fractions (0.085 = 8.5 %, 0.0095 = 0.95 pp)."""
    metric: str
    entity: str = ""
    """Name as written in text; "" for the aggregate over all rows."""
    period: str = "cur"
    """"cur", "prev" (baseline) or the label of a time bucket."""
    step: str = "t1"
    role: CellRole = "value"
    additivity: str = "sum"
    """"sum", "ratio", "last", "distinct" …: which derivations are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome of one check. `skip` = could not be evaluated; it never looks green."""

    id: str
    kind: VerdictKind
    check: str
    """Catalogue id, e.g. "dup_keys" or "identity:income_expense_gross"."""
    status: VerdictStatus
    target: str = ""
    expect: str = ""
    actual: str = ""
    severity: Severity = "info"
    n_checked: int = 0
    n_bad: int = 0
    keys: tuple[Mapping[str, str], ...] = ()
    """Bad keys, worst first: {date, scope, companyId, chainId, shopId} (only levels that exist)."""
    tolerance: str = ""
    note: str = ""
    remedy: str = ""
    sql: str = ""

    @property
    def rank(self) -> tuple[int, int]:
        """Order in a list: fail, warn, skip, pass; the severest first."""
        return get_args(VerdictStatus).index(self.status), get_args(Severity).index(self.severity)

    def as_json(self) -> dict[str, Any]:
        """All keys of the contract; nothing left out."""
        return {
            "id": self.id,
            "kind": self.kind,
            "check": self.check,
            "target": self.target,
            "expect": self.expect,
            "actual": self.actual,
            "status": self.status,
            "severity": self.severity,
            "n_checked": self.n_checked,
            "n_bad": self.n_bad,
            "keys": [dict(k) for k in self.keys],
            "tolerance": self.tolerance,
            "note": self.note,
            "remedy": self.remedy,
            "sql": self.sql,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One number found in a text and where it comes from."""

    text: str
    value: float
    unit: CellUnit
    status: ClaimStatus
    flags: tuple[str, ...] = ()
    source: str = ""
    formula: str = ""
    start: int = 0
    end: int = 0
    """Character range in the text as given."""

    def as_json(self) -> dict[str, Any]:
        """The contract's claim item."""
        return {
            "text": self.text,
            "value": self.value,
            "unit": self.unit,
            "status": self.status,
            "flags": list(self.flags),
            "source": self.source,
            "formula": self.formula,
            "start": self.start,
            "end": self.end,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StepError:
    """A folded failure that an analyst or a model can read."""

    error_class: str
    message: str
    hint: str = ""

    def as_json(self) -> dict[str, str]:
        """{"class", "message", "hint"}."""
        return {"class": self.error_class, "message": self.message, "hint": self.hint}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolResult:
    """What one tool call gave; failures are folded in, never raised past `tools.call`."""

    id: str
    tool: str
    args: Mapping[str, Any]
    """After date resolution and clamping."""
    ok: bool
    clamped: tuple[Clamp, ...] = ()
    table: Table | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Tool-specific, JSON-able details for the composer and the screen."""
    cells: tuple[Cell, ...] = ()
    digest: str = ""
    """At most 20 rows and a summary, for the model."""
    verdicts: tuple[Verdict, ...] = ()
    notes: tuple[Note, ...] = ()
    sql: tuple[str, ...] = ()
    row_count: int = 0
    shown: int = 0
    scanned: int = 0
    bytes: int = 0
    elapsed_ms: float = 0.0
    error: StepError | None = None

    def as_step_json(self) -> dict[str, Any]:
        """The contract's `steps` item."""
        return {
            "id": self.id,
            "tool": self.tool,
            "args": dict(self.args),
            "clamped": [c.as_json() for c in self.clamped],
            "ok": self.ok,
            "row_count": self.row_count,
            "shown": self.shown,
            "scanned": self.scanned,
            "elapsed_ms": round(self.elapsed_ms, 2),
            "bytes": self.bytes,
            "sql": list(self.sql),
            "error": None if self.error is None else self.error.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """A clamped request for a chart: only known columns of the cited step."""

    type: Literal["line", "bar", "hbar", "funnel", "pie", "scatter", "area"]
    x: str
    y: tuple[str, ...]
    color: str | None = None
    step: str = "t1"

    def as_json(self) -> dict[str, Any]:
        """The contract's `chart` object."""
        return {
            "type": self.type,
            "x": self.x,
            "y": list(self.y),
            "color": self.color,
            "step": self.step,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One append-only line of a run's trace."""

    run_id: str
    seq: int
    ts: float
    """Seconds since the epoch."""
    kind: EventKind
    payload: Mapping[str, Any]
