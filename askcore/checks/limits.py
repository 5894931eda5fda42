"""Thresholds of the checks: one frozen value, read once from data/checks.yaml and validated."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import yaml

from askcore.base.config import REPO_ROOT
from askcore.base.errors import BadRequest, did_you_mean

PATH = REPO_ROOT / "data" / "checks.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every number that decides between pass, warn and fail; defaults as in data/checks.yaml."""

    freshness_warn_steps: int = 1
    """Steps of the data past the settlement lag that still only warn."""
    archive_days: int = 60
    """Data older than this is an archive: an answer says so once, it is not a fault of its rows."""
    closed_steps: int = 3
    """An entity without rows for this many steps at the end has closed; fewer are missing."""
    min_fill: float = 0.8
    """Below this share of filled entity-days the rows are not one a step: gaps mean nothing."""
    calendar_share: float = 0.5
    """A weekday on which fewer than this share of days have rows is no business day."""
    null_fail: float = 0.5
    """Share of a group's rows without a value from which an ordinary column fails."""
    signed_share: float = 0.01
    """From this share of negative rows a money metric is a signed quantity, not a mistake."""
    sum_warn: float = 0.005
    """Relative gap between a level and its children, where the model names none."""
    sum_fail: float = 0.02
    sum_floor: float = 1.0
    """Smallest absolute gap that counts."""
    uv_slack: float = 0.005
    """A level may exceed the sum of its children's people by this share."""
    uv_fail: float = 0.05
    ratio_warn: float = 0.001
    """Gap between a level's own rate and the recomputed one."""
    ratio_fail: float = 0.005
    drift_rel: float = 0.02
    """How near a rate must come to the recomputed one after undoing the factor."""
    volume_warn: float = 0.1
    """Missing share of the entities that trade on a day."""
    volume_fail: float = 0.3
    zero_min_metrics: int = 2
    """With fewer sum metrics a zero is an ordinary value unless the level above contradicts."""
    share_window_days: int = 28
    """Length of the newest window whose split is compared with the one before; whole weeks."""
    share_psi: float = 0.2
    """Population stability index from which a split has shifted; .1 is a small change, .25 a large one."""
    share_floor: float = 0.001
    """A share of nothing counts as this, else its logarithm would decide alone."""
    share_values: int = 50
    """A dimension with more values is no split of the business."""
    anomaly_days: int = 7
    """The newest days that are compared with their like in the eight weeks before."""
    anomaly_z: float = 6.0
    """Robust standard deviations from which a day is reported: among thousands of days 3.5 is noise."""
    anomaly_deviation: float = 0.3
    """And the least deviation from what was expected."""
    anomaly_series: int = 1000
    """The largest entities are looked at; the rest is counted and said."""
    max_keys: int = 50_000
    """Keys that one verdict may hold."""

    def __post_init__(self) -> None:
        for name in ("sum", "ratio", "volume"):
            low, high = getattr(self, f"{name}_warn"), getattr(self, f"{name}_fail")
            if not 0 <= low <= high:
                raise BadRequest(f"checks.yaml: {name}_warn must lie between 0 and {name}_fail")
        for name in ("min_fill", "calendar_share", "null_fail", "signed_share", "share_floor"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadRequest(f"checks.yaml: {name} must lie between 0 and 1")
        if (
            self.anomaly_z <= 0
            or self.anomaly_deviation <= 0
            or min(self.anomaly_days, self.anomaly_series) < 1
        ):
            raise BadRequest("checks.yaml: the anomaly_ thresholds must be above 0")
        if self.closed_steps < 1 or self.max_keys < 1:
            raise BadRequest("checks.yaml: closed_steps and max_keys must be at least 1")
        if self.share_window_days < 7 or self.share_psi <= 0 or self.share_floor == 0:
            raise BadRequest(
                "checks.yaml: share_window_days must be at least 7, share_psi and share_floor above 0"
            )


@cache
def load_limits(path: Path = PATH) -> Limits:
    """The thresholds of a file; what it does not name keeps its default.

    Raises: BadRequest on an unknown name or a value of the wrong type.
    """
    loaded = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    known = {f.name: f for f in fields(Limits)}
    for name, value in loaded.items():
        if name not in known:
            raise BadRequest(f"{path.name}: unknown {name!r}", hint=did_you_mean(name, known))
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadRequest(f"{path.name}: {name} must be a number, not {value!r}")
        if known[name].type == "int" and not isinstance(value, int):
            raise BadRequest(f"{path.name}: {name} must be a whole number, not {value!r}")
    return Limits(**loaded)
