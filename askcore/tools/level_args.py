"""The three usual levels have tool arguments of their own; any other level goes under `filters`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LEVEL_OF_ARG: Mapping[str, str] = {"companies": "company", "chains": "chain", "shops": "shop"}
ARG_OF_LEVEL: Mapping[str, str] = {level: arg for arg, level in LEVEL_OF_ARG.items()}


def filter_args(filters: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Filters by level or dimension in the tools' spelling."""
    args: dict[str, Any] = {}
    others: dict[str, list[str]] = {}
    for key, ids in filters.items():
        if key in ARG_OF_LEVEL:
            args[ARG_OF_LEVEL[key]] = list(ids)
        else:
            others[key] = list(ids)
    if others:
        args["filters"] = others
    return args
