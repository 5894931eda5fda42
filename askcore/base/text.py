"""The one door for text that analysts read: `say(lang, "area.key", …)`.

The sentences live in `prompts/<area>.yaml`, each with `zh` and `en` side by side, so that a missing
translation is seen at once and code files hold no wording. `{n:row|rows}` is the number with the noun that
fits it: "1 row", "3 rows".
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import yaml

from askcore.base.values import Lang

PROMPTS = Path(__file__).parent / "prompts"


class _Sentence(Formatter):
    """`str.format` with a format spec "one|many": the value, then the word for that many."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        if not bar:
            return format(value, format_spec)
        return f"{value} {one if str(value) == '1' else many}"


_SENTENCE = _Sentence()


def say(lang: Lang, key: str, **values: Any) -> str:
    """The sentence `key` ("area.name") in `lang`, its {placeholders} filled from `values`.

    Raises: KeyError when the area or key does not exist: a programming error, caught by tests.
    """
    area, _, name = key.partition(".")
    return _SENTENCE.vformat(catalogue(area)[name][lang], (), values)


@cache
def catalogue(area: str) -> dict[str, dict[Lang, str]]:
    """All sentences of one area: {name: {"zh": …, "en": …}}."""
    text = (PROMPTS / f"{area}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parsed: dict[str, dict[Lang, str]] = yaml.load(text, Loader=loader)  # noqa: S506 - safe loader
    return parsed
