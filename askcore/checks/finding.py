"""What a check finds, before it is worded: bad keys with their size, and the status they add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import itemgetter

from askcore.base.values import CellUnit, Severity, Verdict, VerdictKind, VerdictStatus

Key = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number that the sentence about a finding states."""

    value: float
    metric: str
    """Metric key, or what is counted."""
    unit: CellUnit = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One bad key."""

    key: Key
    """{date, scope, <level id> …} as the verdict lists it."""
    size: float = 0.0
    """How bad it is in the check's own measure; the worst key comes first."""
    is_fail: bool = False
    """False: worth a warning."""
    detail: str = ""
    """Already worded: "Σ shops 4,120.00, chain 5,210.00"."""
    figures: tuple[Figure, ...] = ()
    """The numbers in `detail`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What the findings amount to."""

    status: VerdictStatus
    severity: Severity = "info"


PASS = Grade(status="pass")
WARN = Grade(status="warn", severity="minor")
FAIL = Grade(status="fail", severity="major")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything a check says about one target; `wording.verdict_of` makes the verdict of it."""

    check: str
    """Catalogue id: "dup_keys", "identity:income_expense_gross"."""
    kind: VerdictKind
    grade: Grade
    n_checked: int
    findings: Sequence[Finding] = ()
    explained: Mapping[str, Sequence[Key]] = field(default_factory=dict)
    """Check that owns the fault -> keys that this check sees of it."""
    words: Mapping[str, object] = field(default_factory=dict)
    """Placeholders of the sentences."""
    reason: str = ""
    """Sentence key of why it was skipped; "" when it was evaluated."""
    target: str = ""
    remark: str = ""
    """A further sentence, already worded."""
    sql: str = ""
    stem: str = ""
    """Stem of the check's sentences; "" = the part of `check` before ":"."""
    figures: tuple[Figure, ...] = ()
    """Numbers in the sentences besides the counts and those of the findings."""
    n_total: int | None = None
    """Bad keys in all when only the worst were fetched."""

    @property
    def text_key(self) -> str:
        """Stem of the check's sentences."""
        return self.stem or self.check.partition(":")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A verdict with the numbers that its sentences state."""

    verdict: Verdict
    figures: tuple[Figure, ...]


def worst_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Fails before warnings, then by size, then by key so that the order is stable."""
    names = sorted(findings[0].key) if findings else []
    if not names or any(f.key.keys() != findings[0].key.keys() for f in findings):
        return tuple(sorted(findings, key=lambda f: (not f.is_fail, -f.size, tuple(sorted(f.key.items())))))
    values = itemgetter(*names)  # the same order where all keys have the same names, at a quarter of the time
    return tuple(sorted(findings, key=lambda f: (not f.is_fail, -f.size, values(f.key))))


def grade_findings(findings: Sequence[Finding]) -> Grade:
    """Fail when any key fails, warn when there is any, else pass."""
    if any(f.is_fail for f in findings):
        return FAIL
    return WARN if findings else PASS


def day_of(key: Key) -> date:
    """The key's day."""
    return date.fromisoformat(key["date"])
