"""The one door for text that analysts read: `say(lang, "area.key", …)`.

The sentences live in `prompts/<area>.yaml`, each with `zh` and `en` side by side, so that a missing
translation is seen at once and code files hold no wording.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from askcore.base.values import Lang

PROMPTS = Path(__file__).parent / "prompts"


def say(lang: Lang, key: str, **values: Any) -> str:
    """The sentence `key` ("area.name") in `lang`, its {placeholders} filled from `values`.

    Raises: KeyError when the area or key does not exist: a programming error, caught by tests.
    """
    area, _, name = key.partition(".")
    return catalogue(area)[name][lang].format(**values)


@cache
def catalogue(area: str) -> dict[str, dict[Lang, str]]:
    """All sentences of one area: {name: {"zh": …, "en": …}}."""
    text = (PROMPTS / f"{area}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parsed: dict[str, dict[Lang, str]] = yaml.load(text, Loader=loader)  # noqa: S506 - safe loader
    return parsed
