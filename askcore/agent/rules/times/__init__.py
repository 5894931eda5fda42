"""Times in a question: dates as written, relative times, ranges."""

from __future__ import annotations
