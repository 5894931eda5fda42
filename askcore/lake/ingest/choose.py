"""Which model a delivery follows: the one asked for, the folder's, the stored, a shipped one, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from askcore.base.errors import did_you_mean
from askcore.lake.ingest.mapping import fits_delivery
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.paths import Inputs
from askcore.lake.ingest.raw_table import RawTable
from askcore.lake.lake import Lake
from askcore.semantic.model import Model
from askcore.semantic.parse import load_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The model, or None: infer one."""

    model: Model | None
    decisions: tuple[Message, ...] = ()


def choose_model(
    lake: Lake,
    shipped_dir: Path,
    inputs: Inputs,
    tables: Sequence[RawTable],
    *,
    asked: str | None,
    dataset: str,
) -> Choice:
    """The model in force.

    Raises: Refusal when the asked model does not exist; BadRequest when its file is wrong.
    """
    if asked is not None:
        model = load_model(_model_file(asked, shipped_dir))
        return Choice(model=model, decisions=(message("model_asked", model=asked),))
    if inputs.model_file is not None:
        model = load_model(inputs.model_file)
        beside = message("model_beside", path=str(inputs.model_file))
        return Choice(model=model, decisions=(beside,))
    if dataset in {d.name for d in lake.datasets()}:
        decisions = (message("model_stored", dataset=dataset),)
        return Choice(model=lake.model(dataset), decisions=decisions)
    names = {n for t in tables for n in t.names}
    for path in sorted(shipped_dir.glob("*.yaml")):
        model = load_model(path)
        if model.levels and fits_delivery(model, names):
            decisions = (message("model_fits", model=model.name),)
            return Choice(model=model, decisions=decisions)
    return Choice(model=None)


def _model_file(asked: str, shipped_dir: Path) -> Path:
    """A path, or the name of a shipped model."""
    path = Path(asked)
    if path.is_file():
        return path
    shipped = {p.stem: p for p in shipped_dir.glob("*.yaml")}
    if asked in shipped:
        return shipped[asked]
    near = did_you_mean(path.stem, shipped) or ", ".join(shipped)
    raise Refusal("unknown_model", model=asked, near=near)
