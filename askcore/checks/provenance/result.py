"""The outcome of a provenance check: every figure with its source, counts and a grade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from askcore.base.values import Claim, ClaimStatus, VerdictStatus

WINDOW_MISMATCH: Final = "window_mismatch"
FEWEST_TO_FAIL: Final = 3  # below three claims one miss is a warning, not a failed answer
COVERAGE_TO_PASS: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """All figures of a text in text order; exempt ones are listed but not counted."""

    items: tuple[Claim, ...]

    @property
    def claims(self) -> int:
        """Figures that had to be traced."""
        return len(self.items) - self._count("exempt")

    @property
    def exact(self) -> int:
        """Figures equal to a cell."""
        return self._count("exact")

    @property
    def derived(self) -> int:
        """Figures that one step of arithmetic gives."""
        return self._count("derived")

    @property
    def weak(self) -> int:
        """Figures that only match a value which the sentence does not speak of."""
        return self._count("weak")

    @property
    def untraced(self) -> int:
        """Figures without any source."""
        return self._count("untraced")

    @property
    def sign_conflict(self) -> int:
        """Figures that the cells contradict in direction."""
        return self._count("sign_conflict")

    @property
    def unweighted_mean(self) -> int:
        """Figures that average a ratio without its weight."""
        return self._count("unweighted_mean")

    @property
    def coverage(self) -> float | None:
        """Share of the claims with a source, 0-1; None when there are no claims."""
        return (self.exact + self.derived) / self.claims if self.claims else None

    @property
    def status(self) -> VerdictStatus:
        """Pass, warn or fail; a text without claims has nothing against it."""
        if self.sign_conflict or self.unweighted_mean:
            return "fail"
        coverage = 1.0 if self.coverage is None else self.coverage
        if self.claims >= FEWEST_TO_FAIL and coverage < COVERAGE_TO_PASS:
            return "fail"
        mismatch = any(WINDOW_MISMATCH in item.flags for item in self.items)
        return "warn" if coverage < 1 or mismatch else "pass"

    def as_json(self) -> dict[str, Any]:
        """The contract's `provenance` object."""
        return {
            "claims": self.claims,
            "exact": self.exact,
            "derived": self.derived,
            "weak": self.weak,
            "untraced": self.untraced,
            "sign_conflict": self.sign_conflict,
            "unweighted_mean": self.unweighted_mean,
            "coverage": self.coverage,
            "items": [item.as_json() for item in self.items],
        }

    def _count(self, status: ClaimStatus) -> int:
        return sum(item.status == status for item in self.items)
