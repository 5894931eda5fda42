"""What is declined."""

from __future__ import annotations
