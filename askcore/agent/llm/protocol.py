"""The text protocol: one JSON object a turn, either an action or the final answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from askcore.agent.skills import skills
from askcore.agent.state import Call, Final
from askcore.base.errors import BadRequest

_CHART_KEYS = ("type", "x", "y", "color")
_MAX_REPLY = 200_000  # characters of a reply; more is no plan
_MAX_ANSWER = 20_000
_MAX_THOUGHT = 2_000
_MAX_NAME = 100
_MAX_DEPTH = 20
_MAX_STARTS = 200  # braces tried before the text counts as holding no object


def parse_reply(text: str) -> Call | Final:
    """The action in a model's reply; fences and prose around the JSON are tolerated.

    Raises: BadRequest saying what is wrong, so that the model can mend it.
    """
    reply = extract_json(text)
    thought = str(reply.get("thought") or "")[:_MAX_THOUGHT]
    if isinstance(reply.get("action"), Mapping):
        action = reply["action"]
        args = action.get("args", {})
        if not isinstance(action.get("tool"), str) or not isinstance(args, Mapping):
            raise _bad('"action" must be {"tool": text, "args": object}')
        return Call(tool=action["tool"][:_MAX_NAME], args=dict(args), thought=thought)
    if isinstance(reply.get("final"), Mapping):
        final = reply["final"]
        if not isinstance(final.get("answer"), str) or not final["answer"].strip():
            raise _bad('"final" needs a non-empty text "answer"')
        if len(final["answer"]) > _MAX_ANSWER:
            raise _bad(f'"answer" may have {_MAX_ANSWER} characters at most')
        return Final(
            answer=final["answer"],
            chart=_chart(final.get("chart")),
            thought=thought,
            skill=_applied(final.get("applied")),
        )
    raise _bad('the reply needs "action" or "final"')


def _applied(value: Any) -> str:
    """The first known playbook among what the model says it applied; "" for none."""
    known = {skill.id for skill in skills()}
    named = value if isinstance(value, list) else [value]
    return next((name for name in named if isinstance(name, str) and name in known), "")


def extract_json(text: str) -> Mapping[str, Any]:
    """The first JSON object in a text. Raises: BadRequest when there is none that can be used."""
    if len(text) > _MAX_REPLY:
        raise _bad(f"the reply may have {_MAX_REPLY} characters at most")
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    start = text.find("{")
    for _ in range(_MAX_STARTS):
        if start < 0:
            break
        try:
            found, _end = decoder.raw_decode(text, start)
        except RecursionError:
            raise _bad("the reply is nested too deeply") from None
        except ValueError:
            found = None
        if isinstance(found, Mapping) and ({"action", "final"} & set(found)):
            return _checked(found)
        start = text.find("{", start + 1)
    raise _bad("the reply holds no complete JSON object")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _checked(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The reply when every later step can store and show it."""
    if _depth(reply) > _MAX_DEPTH:
        raise _bad("the reply is nested too deeply")
    try:
        json.dumps(reply, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise _bad("the reply holds broken characters") from None
    except ValueError:
        raise _bad("the reply holds a number that is none") from None
    return reply


def _depth(value: Any, limit: int = _MAX_DEPTH + 1) -> int:
    if limit == 0 or not isinstance(value, dict | list):
        return 0
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(p, limit - 1) for p in parts), default=0)


def _chart(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    return {k: value[k] for k in _CHART_KEYS if k in value}


def _bad(message: str) -> BadRequest:
    return BadRequest(message, error_class="llm_format")
