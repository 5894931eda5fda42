"""One chat call to an OpenAI-compatible endpoint; the only module that knows the SDK."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from askcore.base.config import Settings
from askcore.base.errors import SourceDown

if TYPE_CHECKING:
    from openai import OpenAI

_TEMPERATURE = 0.2  # plans should not vary; a little freedom helps the repair turn
_NO_KEY = "none"  # the SDK insists on a key; local servers need none


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

    def chat(self, messages: Sequence[Message]) -> Reply:
        """The model's reply. Raises: SourceDown when it cannot be had."""
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

    def chat(self, messages: Sequence[Message]) -> Reply:
        """The model's reply.

        Raises: SourceDown on no connection, a time-out or an error status; the key is in no message.
        """
        from openai import APIStatusError, APITimeoutError, OpenAIError

        try:
            found = self._client.chat.completions.create(
                model=self.settings.llm_model,
                messages=[{"role": m.role, "content": m.content} for m in messages],  # type: ignore[misc]
                temperature=_TEMPERATURE,
            )
        except APITimeoutError as e:
            raise SourceDown("the model did not answer in time", error_class="timeout") from e
        except APIStatusError as e:
            raise SourceDown(f"the model answered {e.status_code}", error_class="llm_down") from e
        except OpenAIError as e:
            raise SourceDown(
                f"the model cannot be reached ({type(e).__name__})", error_class="llm_down"
            ) from e
        usage = found.usage
        text = found.choices[0].message.content if found.choices else ""
        return Reply(
            text=text or "",
            tokens_in=0 if usage is None else usage.prompt_tokens,
            tokens_out=0 if usage is None else usage.completion_tokens,
        )
