"""The text protocol: one JSON object a turn, either an action or the final answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from askcore.agent.state import Call, Final
from askcore.base.errors import BadRequest

_CHART_KEYS = ("type", "x", "y", "color")


def parse_reply(text: str) -> Call | Final:
    """The action in a model's reply; fences and prose around the JSON are tolerated.

    Raises: BadRequest saying what is wrong, so that the model can mend it.
    """
    reply = extract_json(text)
    thought = str(reply.get("thought") or "")
    if isinstance(reply.get("action"), Mapping):
        action = reply["action"]
        args = action.get("args", {})
        if not isinstance(action.get("tool"), str) or not isinstance(args, Mapping):
            raise _bad('"action" must be {"tool": text, "args": object}')
        return Call(tool=action["tool"], args=dict(args), thought=thought)
    if isinstance(reply.get("final"), Mapping):
        final = reply["final"]
        if not isinstance(final.get("answer"), str) or not final["answer"].strip():
            raise _bad('"final" needs a non-empty text "answer"')
        return Final(answer=final["answer"], chart=_chart(final.get("chart")), thought=thought)
    raise _bad('the reply needs "action" or "final"')


def extract_json(text: str) -> Mapping[str, Any]:
    """The first JSON object in a text. Raises: BadRequest when there is none."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = decoder.raw_decode(text, start)
        except ValueError:
            start = text.find("{", start + 1)
            continue
        if isinstance(found, Mapping) and ({"action", "final"} & set(found)):
            return found
        start = text.find("{", start + 1)
    raise _bad("the reply holds no complete JSON object")


def _chart(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    return {k: value[k] for k in _CHART_KEYS if k in value}


def _bad(message: str) -> BadRequest:
    return BadRequest(message, error_class="llm_format")
