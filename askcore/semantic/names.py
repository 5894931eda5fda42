"""How an entity or a dimension value is called in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from askcore.base.values import Lang
from askcore.semantic.model import Dimension, Level

_BETWEEN_NAMES: Final = re.compile(
    r"[/|]|(?<=[\u3400-\u9fff])\s+(?=[A-Za-z])|(?<=[A-Za-z])\s+(?=[\u3400-\u9fff])"
)
_SHORTEST_LATIN, _SHORTEST_CJK = 3, 2


def spoken_level(level: Level, name: str, lang: Lang) -> str:
    """The name of an entity in a sentence: a bare number needs its level, "Store 20"."""
    return f"{level.label[lang].split('/')[0]} {name}" if is_bare_number(name) else name


def spoken_value(dimension: Dimension, value: str, lang: Lang) -> str:
    """What people call a dimension value; a bare number needs the dimension's name."""
    words = dimension.values.get(value)
    if words:
        return words.get(lang) or words.get("en") or value
    label = dimension.label.get(lang) or dimension.key
    return f"{label} {value}" if is_bare_number(value) else value


def is_bare_number(name: str) -> bool:
    """Whether a name would be read as a figure."""
    return name.replace(".", "", 1).isdigit()


def names_within(names: Iterable[str]) -> Mapping[str, str]:
    """Part -> the name that has it, of display names that hold several ("Name/English name").

    A part that is in several names, or is one of `names` itself, stands for nobody else and is left out.
    """
    whole = dict.fromkeys(names)
    found: dict[str, str | None] = {}
    for name in whole:
        for part in {p.strip() for p in _BETWEEN_NAMES.split(name)} - {name, ""}:
            found[part] = name if part not in found else None
    return {part: name for part, name in found.items() if name and part not in whole and _is_name(part)}


def _is_name(part: str) -> bool:
    """Whether a piece of a name says by itself who is meant."""
    shortest = _SHORTEST_LATIN if part.isascii() else _SHORTEST_CJK
    return len(part) >= shortest and not is_bare_number(part)
