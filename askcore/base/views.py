"""What the facade gives to front ends: snapshots of runs, sessions and the lake; plain, safe to cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from askcore.base.values import (
    ChartSpec,
    Clamp,
    Lang,
    Note,
    Period,
    Reading,
    RunStatus,
    StepError,
    Table,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepView:
    """One line of the timeline."""

    id: str
    """"t1" for a tool call; "n1" for a reminder or note without a tool."""
    tool: str
    thought: str
    state: str
    """"running", "done" or "failed"."""
    args: Mapping[str, Any] = field(default_factory=dict)
    clamped: tuple[Clamp, ...] = ()
    table: Table | None = None
    sql: tuple[str, ...] = ()
    row_count: int = 0
    scanned: int = 0
    elapsed_ms: float = 0.0
    bytes: int = 0
    error: StepError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineMetric:
    """One figure of the metric strip above the answer."""

    label: str
    value: str
    """Formatted for the reader's language, e.g. "486.3K" or "8.50%"."""
    delta: str = ""
    good: bool | None = None
    """Whether the change is good (polarity); None: neutral or no change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipRow:
    """One figure of an answer by two paths; values are formatted for the reader's language."""

    metric: str
    place: str
    """The row it belongs to; "" for the total."""
    period: str
    first: str
    """By the query."""
    second: str
    """Straight from the files; "" when they hold nothing."""
    is_same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioRow:
    """What a rate is made of, beside the plain mean that it is not; formatted for the reader."""

    metric: str
    period: str
    numerator: str
    denominator: str
    weighted: str
    naive: str
    gap: str
    """Plain mean - weighted, in pp for rates."""
    rows: int
    """Rows that the plain mean averages."""
    level: str
    is_small: bool
    """Whether the denominator is too small to say much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedRow:
    """One metric's change as it stands and like for like; formatted for the reader, with signs."""

    metric: str
    raw: str
    aligned: str
    basis: str
    """"entities": comparable ones only; "days": paired days only."""
    differs: bool
    """Whether the two go opposite ways."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LikeForLike:
    """What a comparison rests on: coverage of both periods, who is comparable, and the aligned changes."""

    level: str
    """Label of the level whose entities are compared; "" when there are none."""
    current: str
    baseline: str
    """Days with data of those expected, e.g. "2026-10-05 – 2026-10-11: 7/7"."""
    comparable: int
    entities: int
    missing_rows: int
    expected_rows: int
    openers: tuple[str, ...]
    closers: tuple[str, ...]
    partials: tuple[str, ...]
    """Entities with rows missing in one of the periods."""
    rule: str
    """What makes an entity comparable; "" when there are none."""
    rows: tuple[AlignedRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One part of the reading that the analyst can see and edit."""

    kind: str
    """"entity", "metrics", "period", "baseline", "by", "filters", "sort", "limit"."""
    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunSnapshot:
    """A consistent copy of one run; `rev` grows with every change."""

    run_id: str
    session_id: str
    question: str
    status: RunStatus
    rev: int
    lang: Lang
    mode: str
    mode_auto: bool
    planner: str
    dataset: str
    version: int
    started_at: float
    """Seconds since the epoch."""
    elapsed_ms: float
    activity: str = ""
    """What is happening right now, in the reader's language; "" when ended."""
    skill: str = ""
    """Id of the playbook that was followed; "" for none."""
    steps: tuple[StepView, ...] = ()
    reading: Reading | None = None
    chips: tuple[Chip, ...] = ()
    answer: str = ""
    """Markdown; "" until final."""
    headline: tuple[HeadlineMetric, ...] = ()
    slip: tuple[SlipRow, ...] = ()
    """The figures of the headline's step by two paths."""
    ratios: tuple[RatioRow, ...] = ()
    """What the rates of the headline's step are made of."""
    like_for_like: LikeForLike | None = None
    """What a comparison rests on; None without one."""
    table: Table | None = None
    table_step: str = ""
    """Step that the table comes from."""
    chart: ChartSpec | None = None
    verdicts: tuple[Verdict, ...] = ()
    notes: tuple[Note, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """The contract's `provenance` object; {} until final."""
    clarify: Mapping[str, Any] | None = None
    """{"question", "options": [{"label", "question"}]}."""
    follow_ups: tuple[str, ...] = ()
    """Questions that name the next check."""
    error: StepError | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] | None = None
    """A report that the run wrote: {"id", "kind", "title", and format -> path below the state folder}."""

    @property
    def is_active(self) -> bool:
        """Whether the run still works."""
        return self.status in ("queued", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """One line of the session list."""

    session_id: str
    title: str
    updated_at: float
    run_count: int
    is_running: bool
    has_failed_verdict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetInfo:
    """One dataset of the lake."""

    name: str
    version: int
    loaded_at: float
    row_count: int
    synthetic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRow:
    """One entity of the overview."""

    level: str
    level_label: str
    id: str
    name: str
    first_day: str
    last_day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRow:
    """One line of the sync log."""

    time: str
    entity: str
    state: str
    rows: int | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One line of the metric catalogue."""

    key: str
    label: str
    definition: str
    """How it is computed, e.g. "Σ orders / Σ visits"."""
    unit: str
    polarity: str
    synonyms: tuple[str, ...]
    available: bool
    """False: the source has no such column."""
    is_sum: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview:
    """Everything the lake page shows about one dataset."""

    dataset: DatasetInfo
    as_of: date
    is_demo_clock: bool
    period: Period | None
    scopes: tuple[tuple[str, str, int, Period | None], ...]
    """(level key, label, rows, first to last day) of each layer."""
    rows_per_month: tuple[tuple[str, int], ...]
    """("2026-10", rows), oldest first."""
    entities: tuple[EntityRow, ...]
    metrics: tuple[MetricRow, ...]
    sync_log: tuple[SyncRow, ...]
    """Newest first."""
    freshness: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute:
    """Findings that a person has set aside for some days; they stay counted and keep their status."""

    mute_id: str
    dataset: str
    check: str
    key: Mapping[str, str]
    """Parts that a finding's key must have, e.g. {"shopId": "S0301"}; {} = the whole check."""
    reason: str
    viewer: str
    start: date
    until: date
    """Last day, by the dataset's clock."""
    created_at: float = 0.0
    is_active: bool = True
    """Whether it covers the day that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthIssue:
    """What a verdict means for the data, beside the verdict itself."""

    verdict_id: str
    check: str
    impact: str
    """As "2 of 14 shop-days; 1 shop, 2 days"; says so when nothing was found or evaluated."""
    n_entities: int = 0
    """Entities among the bad keys; 0 when they name none."""
    n_days: int = 0
    first_day: date | None = None
    last_day: date | None = None
    n_muted: int = 0
    """Bad keys that a mute covers."""
    mutes: tuple[Mute, ...] = ()
    """The mutes that cover some of them."""
    since_version: int | None = None
    """The version since which the oldest of the findings persists; None when no history tells."""
    n_new: int | None = None
    """Findings that the version scanned before did not have; None when no history tells."""
    is_muted: bool = False
    """Whether every finding is muted: the list may fold it away, the count may not."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HealthReport:
    """All checks of one dataset over a period."""

    dataset: str
    version: int
    as_of: date
    period: Period
    verdicts: tuple[Verdict, ...]
    """Fail first, then warn, skip, pass; within that by severity."""
    synthetic: bool = False
    """Whether the data is made up, with a clock of its own."""
    issues: tuple[HealthIssue, ...] = ()
    """One a verdict, in the same order; () where nobody asked for them."""

    @property
    def counts(self) -> dict[str, int]:
        """{"pass", "warn", "fail", "skip"}."""
        found = {"pass": 0, "warn": 0, "fail": 0, "skip": 0}
        for verdict in self.verdicts:
            found[verdict.status] += 1
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFinding:
    """One bad key in the history of a dataset."""

    check: str
    status: str
    """"warn" or "fail": of its check as a whole."""
    key: Mapping[str, str]
    """{date, scope, <level id> …} without empty parts."""
    entity: str
    """Name of the finest entity that the key names; "" when it names none."""
    since_version: int
    """The version that first had it, without a break up to this one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HealthChange:
    """What one version brought and mended, against the version scanned before it."""

    version: int
    loaded_at: float
    as_of: date
    """The clock of the scan."""
    previous: int | None
    """Version that it is compared with; None for the first one scanned."""
    counts: Mapping[str, int]
    """Checks of each status."""
    appeared: tuple[HealthFinding, ...]
    mended: tuple[HealthFinding, ...]
    persists: tuple[HealthFinding, ...]
    n_appeared: int
    n_mended: int
    n_persists: int
    """How many there are; the tuples hold the first ones only."""
    not_evaluated: tuple[str, ...] = ()
    """Checks that were skipped though they had findings before: nothing is known of these."""
    too_many: tuple[tuple[str, int | None, int], ...] = ()
    """(check, findings before, findings now) of checks whose keys are too many to be followed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HealthHistory:
    """How the findings of a dataset came and went."""

    dataset: str
    versions: tuple[HealthChange, ...]
    """Newest first, at most 30; versions that nobody scanned are left out."""
    is_cut: bool = False
    """Whether there are more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatEntity:
    """One line of the heatmap."""

    id: str
    name: str
    first_day: date
    last_day: date
    """Of its rows: days outside are no gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """An entity's day with findings; a day without a cell has none."""

    entity_id: str
    name: str
    day: date
    status: str
    """The worst one: "fail" before "warn"."""
    checks: tuple[str, ...]
    is_muted: bool = False
    """Whether every finding of the cell is muted."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HealthHeatmap:
    """Findings of the finest level by entity and day."""

    dataset: str
    version: int
    level: str
    """Label of the level; "" for a dataset without entities."""
    period: Period
    """Days shown."""
    entities: tuple[HeatEntity, ...]
    """Those with most findings first."""
    cells: tuple[HeatCell, ...]
    n_entities: int
    """Entities before the cut."""
    n_elsewhere: int
    """Findings of other levels, or of no entity or day shown."""
    note: str = ""
    """What was cut, in the reader's language; "" when nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillInfo:
    """A playbook that can be chosen."""

    id: str
    title: str
    summary: str
    steps: tuple[str, ...]
    """Tools in order; those that may be left out end in "?"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionGroup:
    """A heading with questions made from the lake, so that they always work."""

    key: str
    """"look", "compare" or "check"."""
    questions: tuple[str, ...]
