"""The ways in which measures are named."""

from __future__ import annotations
