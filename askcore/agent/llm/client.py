"""One chat call to an OpenAI-compatible endpoint; the only module that knows the SDK.

The endpoint is not trusted: a call ends in time however slowly it drips, a body is read up to a size, and
what comes back is taken apart by hand, since the SDK does not check shapes.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from askcore.base.config import Settings
from askcore.base.errors import AskError, SourceDown

if TYPE_CHECKING:
    from openai import OpenAI

_TEMPERATURE = 0.2  # plans should not vary; a little freedom helps the repair turn
_NO_KEY = "none"  # the SDK insists on a key; local servers need none
_MAX_BODY = 4_000_000  # bytes; the longest useful reply is a few thousand
_POLL_S = 0.1
_MOST_TOKENS = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of the conversation with the model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said and what it cost."""

    text: str
    tokens_in: int
    tokens_out: int


class ChatModel(Protocol):
    """Anything that answers a conversation."""

    def chat(self, messages: Sequence[Message], stop: threading.Event | None = None) -> Reply:
        """The model's reply. Raises: SourceDown when it cannot be had, or `stop` is set meanwhile."""
        ...


@dataclass(frozen=True)
class OpenAIChat:
    """The official SDK against `llm_base_url`."""

    settings: Settings

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI  # 1.5 s; the embedded planner does without it

        return OpenAI(
            api_key=self.settings.llm_api_key or _NO_KEY,
            base_url=self.settings.llm_base_url or None,
            timeout=self.settings.llm_timeout_s,
            max_retries=1,
        )

    def chat(self, messages: Sequence[Message], stop: threading.Event | None = None) -> Reply:
        """The model's reply.

        Raises: SourceDown on no connection, a time-out, an error status, a reply that is none, or `stop`;
        the key is in no message.
        """
        deadline = time.monotonic() + self.settings.llm_timeout_s
        done: queue.SimpleQueue[Reply | AskError] = queue.SimpleQueue()
        worker = threading.Thread(
            target=self._work, args=(messages, deadline, done), name="model-call", daemon=True
        )
        worker.start()
        while time.monotonic() < deadline and not (stop is not None and stop.is_set()):
            try:
                found = done.get(timeout=_POLL_S)
            except queue.Empty:
                if worker.is_alive() or not done.empty():
                    continue
                raise SourceDown("the model call broke off", error_class="llm_down") from None
            if isinstance(found, AskError):
                raise found
            return found
        raise _late()

    def _work(
        self, messages: Sequence[Message], deadline: float, done: queue.SimpleQueue[Reply | AskError]
    ) -> None:
        try:
            done.put(_reply(self._body(messages, deadline)))
        except AskError as e:
            done.put(e)

    def _body(self, messages: Sequence[Message], deadline: float) -> bytes:
        """The raw body, up to its size and its time."""
        import httpx2  # the SDK passes on what its transport raises while a body is read
        from openai import APIStatusError, APITimeoutError, OpenAIError

        body = bytearray()
        try:
            with self._client.chat.completions.with_streaming_response.create(
                model=self.settings.llm_model,
                messages=[{"role": m.role, "content": m.content} for m in messages],  # type: ignore[misc]
                temperature=_TEMPERATURE,
            ) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > _MAX_BODY:
                        raise _garbled("it is too long")
                    if time.monotonic() > deadline:
                        raise _late()
        except APITimeoutError as e:
            raise _late() from e
        except APIStatusError as e:
            raise SourceDown(f"the model answered {e.status_code}", error_class="llm_down") from e
        except (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError) as e:
            # ValueError: a URL or key that no header can hold
            raise _unreachable(e) from e
        return bytes(body)


def _late() -> SourceDown:
    return SourceDown("the model did not answer in time", error_class="timeout")


def _unreachable(error: Exception) -> SourceDown:
    return SourceDown(f"the model cannot be reached ({type(error).__name__})", error_class="llm_down")


def _garbled(why: str) -> SourceDown:
    return SourceDown(f"the model's reply cannot be read: {why}", error_class="llm_down")


def _reply(body: bytes) -> Reply:
    """The first choice's text. Raises: SourceDown when the body has another shape."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise _garbled("it is no JSON") from None
    choices = found.get("choices") if isinstance(found, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    text = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(text, str):
        raise _garbled("it holds no message")
    usage = found.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    return Reply(
        text=text,
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
    )


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if is_count else 0
