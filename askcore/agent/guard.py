"""What the loop allows: known tools, no endless repeats, a budget that ends."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from askcore.agent.state import Call
from askcore.base.config import Settings

Ruling = Literal["allow", "unknown_tool", "repeat", "finish"]
_REPEATS_BEFORE_FINISH = 2  # the same call twice is a slip, a third time is a loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Budgets of one run."""

    max_turns: int
    max_tool_calls: int
    run_timeout_s: float

    @classmethod
    def of(cls, settings: Settings, *, quick: bool) -> Limits:
        """Quick mode answers from at most two calls; deep mode has the whole budget."""
        return cls(
            max_turns=4 if quick else settings.max_turns,
            max_tool_calls=2 if quick else settings.max_tool_calls,
            run_timeout_s=settings.run_timeout_s,
        )


@dataclass(slots=True)
class Guard:
    """Counts turns and calls of one run and rules on the next one."""

    limits: Limits
    known_tools: frozenset[str]
    turns: int = 0
    calls: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    unknown: int = 0

    def start_turn(self) -> bool:
        """Count a turn; False when the budget of turns is used up."""
        self.turns += 1
        return self.turns <= self.limits.max_turns

    def rule(self, call: Call) -> Ruling:
        """Whether the call may run; a call that may run is counted."""
        if call.tool not in self.known_tools:
            self.unknown += 1
            return "unknown_tool" if self.unknown == 1 else "finish"
        fingerprint = f"{call.tool} {normalised(call.args)}"
        self.seen[fingerprint] += 1
        if self.seen[fingerprint] > 1:
            return "repeat" if self.seen[fingerprint] <= _REPEATS_BEFORE_FINISH else "finish"
        if self.calls >= self.limits.max_tool_calls:
            return "finish"
        self.calls += 1
        return "allow"


def normalised(args: Mapping[str, Any]) -> str:
    """Arguments in one spelling: order of keys and empty values do not matter."""
    kept = {k: v for k, v in args.items() if v not in (None, "", [], {}, ())}
    return json.dumps(kept, sort_keys=True, ensure_ascii=False, default=str)
