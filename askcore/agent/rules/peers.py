"""Which metrics can be held against peers."""

from __future__ import annotations

from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model
from askcore.tools.peers.peer_columns import peer_columns


def peer_metrics(model: Model, catalog: Catalog) -> tuple[str, ...]:
    """Keys of metrics whose peer means the source gives, in the model's order; hidden ones left out."""
    return tuple(k for k in peer_columns(model, catalog) if not model.by_key[k].hidden)
