"""Finding metrics, entities and values by name, in Chinese and English, with typos."""

from __future__ import annotations

import threading
from collections import OrderedDict

from askcore.index.base import Document, Hit, MetadataIndex
from askcore.index.documents import documents_of
from askcore.index.embedded import EmbeddedIndex
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model

__all__ = ["Document", "Hit", "MetadataIndex", "documents_of", "index_for"]

_KEPT = 8  # dataset versions; a version's index takes a few MB even with 10,000 shops
_lock = threading.Lock()
_built: OrderedDict[tuple[str, int], tuple[Catalog, MetadataIndex]] = OrderedDict()


def index_for(model: Model, catalog: Catalog) -> MetadataIndex:
    """The index of one dataset version, built at first use and kept for the newest few versions."""
    key = (catalog.dataset, catalog.version)
    with _lock:
        held = _built.get(key)
        if held is not None and (held[0] is catalog or held[0] == catalog):
            _built.move_to_end(key)
            return held[1]
        index = EmbeddedIndex()
        index.build(documents_of(model, catalog))
        _built[key] = (catalog, index)
        while len(_built) > _KEPT:
            _built.popitem(last=False)
        return index
