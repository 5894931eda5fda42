"""How fast AskLake is, as ratios against hand-written equivalents in one interleaved run."""

from __future__ import annotations
