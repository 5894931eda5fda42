"""What each source field is about: a metric's own value, its change, its peers, or nothing known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.checks.sql import SOURCE
from askcore.semantic.model import Metric, Model
from askcore.tools.raw_row.lexicon import PERSONAL

if TYPE_CHECKING:
    from askcore.lake import LakeView

FieldKind = Literal["value", "day_change", "week_change", "peer", "rank", "peers", "other"]
_KIND_OF_ROLE: dict[str, FieldKind] = {
    "last_period_diff": "day_change",
    "last_week_diff": "week_change",
    "peer_avg": "peer",
    "peer_rank": "rank",
}
_PERSONAL_VALUE = re.compile(r"1[3-9]\d{9}|\d{17}[\dXx]|[^@\s]+@[^@\s]+\.[^@\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawField:
    """One field of the source."""

    name: str
    kind: FieldKind
    metric: Metric | None = None
    """None: the model does not know what the field is about."""


def described(model: Model, names: Sequence[str]) -> tuple[RawField, ...]:
    """Every field with what it is about, in the model's order of metrics, unknown ones last."""
    order = {m.key: i for i, m in enumerate(model.metrics)}
    found = [_described(model, n) for n in names]
    kinds: tuple[FieldKind, ...] = ("value", "day_change", "week_change", "peer", "rank", "peers", "other")
    return tuple(
        sorted(
            found,
            key=lambda f: (
                order.get(f.metric.key, 0) if f.metric else len(order),
                kinds.index(f.kind),
                f.name,
            ),
        )
    )


def _described(model: Model, name: str) -> RawField:
    key = name.removeprefix(f"{SOURCE}.")
    if key != name and key in model.by_key:
        return RawField(name=name, kind="value", metric=model.by_key[key])
    for role, pattern in model.raw.columns.items():
        if "{key}" not in pattern:
            if name == pattern:
                return RawField(name=name, kind="peers" if role == "peer_count" else "other")
            continue
        before, _, after = pattern.partition("{key}")
        middle = name[len(before) : len(name) - len(after)]
        if name == f"{before}{middle}{after}" and middle in model.by_key:
            kind = _KIND_OF_ROLE.get(role, "other")
            return RawField(name=name, kind=kind, metric=model.by_key[middle])
    return RawField(name=name, kind="other")


def chosen_fields(view: LakeView, asked: Sequence[str], lang: Lang) -> tuple[RawField, ...]:
    """The fields that `asked` names: as they are called here, as the source calls them, or by metric.

    A metric without a field of its own is kept as a field of kind "value" without a value. Nothing asked:
    every field. Raises: BadRequest with near names.
    """
    model, held = view.model, described(view.model, view.raw_fields)
    if not asked:
        return held or tuple(
            RawField(name=f"{SOURCE}.{m.key}", kind="value", metric=m) for m in model.metrics if not m.hidden
        )
    found: dict[str, RawField] = {}
    for name in asked:
        fits = _named(model, held, name)
        if not fits:
            known = (*model.by_key, *(f.name for f in held), *(w for m in model.metrics for w in m.words()))
            raise BadRequest(
                say(lang, "raw_row.no_field", name=name),
                hint=did_you_mean(name, known) or ", ".join(f.name for f in held[:8]),
                error_class="unknown_name",
            )
        found |= {f.name: f for f in fits}
    return tuple(found.values())


def _named(model: Model, held: Sequence[RawField], name: str) -> list[RawField]:
    from askcore.lake.raw import field_names

    spelled = field_names(model, [name]).get(name, name)
    exact = [f for f in held if f.name.casefold() in (name.casefold(), spelled.casefold())]
    metric = model.by_key.get(name) or next(
        (m for m in model.metrics if name.casefold() in (w.casefold() for w in m.words())), None
    )
    if metric is None:
        return exact
    about = [f for f in held if f.metric is not None and f.metric.key == metric.key]
    own = RawField(name=f"{SOURCE}.{metric.key}", kind="value", metric=metric)
    return about if any(f.kind == "value" for f in about) else [own, *about]


def is_personal(field: RawField, values: Sequence[Any]) -> bool:
    """Whether a field that the model does not know may be about a person, by its name or a value."""
    if field.metric is not None or field.kind == "peers":
        return False
    name = field.name.casefold()
    return any(word in name for word in PERSONAL) or any(_PERSONAL_VALUE.fullmatch(_text(v)) for v in values)


def _text(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else "" if value is None else str(value).strip()
