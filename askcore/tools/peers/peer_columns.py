"""Which metrics have peer fields in the source, and how these fields are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.checks.sql import Binder, any_of, quote
from askcore.semantic.averages import resolve, split_key
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Level, Metric, Model
from askcore.tools.compare.availability import joined, missing_columns

if TYPE_CHECKING:
    from askcore.lake import LakeView

_KINDS = ("sum", "derived_sum", "ratio", "weighted_mean", "mean_per_row", "last")


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerColumns:
    """The raw fields with the peers of one metric."""

    metric: Metric
    mean: str
    rank: str | None
    """None: the source tells no rank."""


def peer_columns(model: Model, catalog: Catalog) -> Mapping[str, PeerColumns]:
    """Metric key -> its peer fields; only metrics that the lake itself can compute."""
    patterns, fields = model.raw.columns, frozenset(catalog.raw_fields)
    found: dict[str, PeerColumns] = {}
    for metric in model.metrics:
        mean = patterns.get("peer_avg", "{key}__peer_avg").replace("{key}", metric.key)
        rank = patterns.get("peer_rank", "{key}__peer_rank").replace("{key}", metric.key)
        if mean not in fields or metric.additivity.kind not in _KINDS:
            continue
        if not missing_columns(model, catalog, metric.key):
            found[metric.key] = PeerColumns(metric=metric, mean=mean, rank=rank if rank in fields else None)
    return found


def group_field(view: LakeView) -> str | None:
    """The raw field with the number of peers; None when the source does not tell it."""
    name = view.model.raw.columns.get("peer_count", "peerShopCnt")
    return name if name in view.raw_fields else None


def peer_level(view: LakeView, columns: Sequence[PeerColumns], wanted: Level | None) -> Level | None:
    """The level whose rows carry peers: the wanted one where it does, else the finest; None: no levels."""
    leaf = view.model.leaf_level
    order = [x for x in (wanted, *reversed(view.model.levels)) if x is not None]
    return next((x for x in order if _has_peers(view, columns, x)), leaf)


def _has_peers(view: LakeView, columns: Sequence[PeerColumns], level: Level) -> bool:
    """Whether any row of the level has a peer mean."""
    binder = Binder()
    known = any_of(f"r.fields.{quote(c.mean)} IS NOT NULL" for c in columns)
    sql = f"SELECT 1 FROM raw r WHERE r.scope = {binder(level.key)} AND ({known}) LIMIT 1"  # noqa: S608
    return level.key in view.catalog.scopes and bool(view.run(sql, binder.values).rows)


def asked_metrics(
    view: LakeView, keys: Sequence[str], lang: Lang
) -> tuple[tuple[PeerColumns, ...], tuple[str, ...]]:
    """(metrics with peer fields, labels of those without); no keys: every metric that has them.

    Raises: BadRequest (unknown_name) on an unknown metric, (empty) when none has peers.
    """
    held = peer_columns(view.model, view.catalog)
    wanted = tuple(dict.fromkeys(split_key(k)[0] for k in keys if resolve(view.model, k)))
    shown = wanted or tuple(k for k, c in held.items() if not c.metric.hidden)
    if not held:
        raise BadRequest(say(lang, "peers.none_in_source"), error_class="empty")
    lacking = tuple(view.model.metric(k).label[lang] for k in shown if k not in held)
    if len(lacking) == len(shown):
        raise BadRequest(lacking_text(view, lacking, lang), hint=", ".join(held), error_class="empty")
    return tuple(held[k] for k in shown if k in held), lacking


def lacking_text(view: LakeView, labels: Sequence[str], lang: Lang) -> str:
    """What has no peers in this source, and what has."""
    having = [c.metric.label[lang] for c in peer_columns(view.model, view.catalog).values()]
    return say(lang, "peers.not_in_source", labels=joined(lang, labels), having=joined(lang, having))
