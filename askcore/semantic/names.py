"""How an entity or a dimension value is called in a sentence."""

from __future__ import annotations

from askcore.base.values import Lang
from askcore.semantic.model import Dimension, Level


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
