"""Real lakes of halls: a twin a seed, opened once, and mutants that live for one proof."""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa

from askcore.base.config import Settings
from askcore.base.values import ToolResult, Verdict
from askcore.lake import Delivery, LakeView
from askcore.semantic.model import Model
from askcore.service import Service
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from proofs import halls

NAME = "halls"


def delivery(rows: pd.DataFrame) -> Delivery:
    """The rows as a source delivers them."""
    packed = halls.packed(rows)
    packed["raw"] = [json.dumps({k: v for k, v in raw.items() if v is not None}) for raw in packed["raw"]]
    return Delivery(table=pa.Table.from_pandas(packed, preserve_index=False))


def loaded(home: Path, rows: pd.DataFrame, model: Model | None = None) -> Service:
    """The facade over a home with one dataset of these rows."""
    service = Service(Settings(home=home))
    service.lake.load(NAME, delivery(rows), model or halls.model())
    return service


@contextmanager
def lake_of(rows: pd.DataFrame) -> Iterator[Service]:
    """A mutant's lake."""
    with TemporaryDirectory(prefix="proof-") as home:
        service = loaded(Path(home), rows)
        try:
            yield service
        finally:
            service.close()
            service.lake.close()


@contextmanager
def view_of(rows: pd.DataFrame) -> Iterator[LakeView]:
    """A mutant's view."""
    with lake_of(rows) as service, service.lake.open(NAME) as view:
        yield view


@lru_cache(maxsize=8)
def clean_service(seed: int) -> Service:
    """The twin's facade; closed with the process."""
    home = TemporaryDirectory(prefix="proof-")
    service = loaded(Path(home.name), halls.clean(seed))
    atexit.register(home.cleanup)
    atexit.register(service.lake.close)
    atexit.register(service.close)
    return service


@lru_cache(maxsize=8)
def clean_view(seed: int) -> LakeView:
    """The twin's view; closed with the process."""
    view = clean_service(seed).lake.open(NAME)
    atexit.register(view.close)
    return view


def ask(view: LakeView, tool: str, *, entity: str | None = "NA", **args: Any) -> ToolResult:
    """A tool's result; a failed one is a broken proof."""
    ctx = context(view, entity)
    found = call(TOOLS_BY_NAME[tool], args, ctx)
    if not found.ok:
        raise ValueError(f"{tool}: {found.error}")
    return found


def context(view: LakeView, entity: str | None = "NA") -> ToolContext:
    """As a run would give it to a tool."""
    return ToolContext(view=view, lang="en", as_of=halls.AS_OF, viewer="proof", entity=entity)


def named(result: ToolResult, check: str) -> tuple[Verdict, ...]:
    """Verdicts of one check."""
    return tuple(v for v in result.verdicts if v.check == check)
