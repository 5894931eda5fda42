"""What a load delivered: columns, and the values of dimensions; filled by the lake, compared by checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_VALUES = 50  # of a dimension: more are names or notes, no list that a new value could stand out from


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One load, as later ones are compared with it."""

    version: int
    """The version that the load made."""
    columns: Mapping[str, str]
    """Stored column with a value in the delivery -> "money", "number" or "text"."""
    extra: tuple[str, ...] = ()
    """Delivered columns that the model does not know, and fields of the raw objects as "raw.<field>"."""
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Dimension key -> its values in all loads up to this one; without those that are no short list."""
