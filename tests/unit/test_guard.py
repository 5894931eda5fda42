"""Budgets and rulings."""

from __future__ import annotations

import pytest

from askcore.agent.guard import Guard, Limits, normalised
from askcore.agent.state import Call


def guard(**limits) -> Guard:
    fields = {"max_turns": 10, "max_tool_calls": 16, "run_timeout_s": 1.0}
    return Guard(limits=Limits(**{**fields, **limits}), known_tools=frozenset({"a", "b"}))


def test_a_repeated_call_is_reminded_then_ends():
    one = guard()
    call = Call(tool="a", args={"x": 1, "y": None})
    again = Call(tool="a", args={"y": [], "x": 1})
    assert [one.rule(c) for c in (call, again, call)] == ["allow", "repeat", "finish"]


def test_other_arguments_are_another_call():
    one = guard()
    assert [one.rule(Call(tool="a", args={"x": n})) for n in (1, 2)] == ["allow", "allow"]


def test_an_unknown_tool_is_told_once():
    one = guard()
    assert [one.rule(Call(tool="zz", args={})) for _ in range(2)] == ["unknown_tool", "finish"]


def test_calls_and_turns_end():
    one = guard(max_turns=2, max_tool_calls=1)
    assert [one.start_turn() for _ in range(3)] == [True, True, False]
    assert [one.rule(Call(tool="a", args={"x": n})) for n in (1, 2)] == ["allow", "finish"]


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
    ],
)
def test_arguments_are_compared_in_one_spelling(left, right, same):
    assert (normalised(left) == normalised(right)) is same
