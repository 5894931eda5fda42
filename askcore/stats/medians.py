"""Medians of many rows at once, over the values that are there."""

from __future__ import annotations

import numpy as np

from askcore.stats.day_types import Floats

MAD_TO_SIGMA = 1.4826  # of a normal distribution


def row_medians(values: Floats) -> Floats:
    """Median of each row, NaN left out; NaN where nothing is left."""
    rows, width = values.shape
    if width == 0:
        return np.full(rows, np.nan)
    ordered = np.sort(values, axis=1)  # NaN comes last
    count = np.sum(~np.isnan(values), axis=1)
    every = np.arange(rows)
    low = ordered[every, np.maximum((count - 1) // 2, 0)]
    high = ordered[every, np.minimum(count // 2, width - 1)]
    return np.where(count > 0, (low + high) / 2, np.nan)


def row_counts(values: Floats) -> Floats:
    """How many values of each row are there."""
    found: Floats = np.sum(~np.isnan(values), axis=1).astype(np.float64)
    return found
