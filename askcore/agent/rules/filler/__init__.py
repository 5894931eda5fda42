"""Filler and spelling."""

from __future__ import annotations
