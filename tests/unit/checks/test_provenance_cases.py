"""The sixty published cases and the sentences written for this project, each worked out by hand."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from askcore.base.values import Cell
from askcore.checks.provenance import Provenance, cells_from_json, trace_numbers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "provenance"


def load_cases(name: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def load_cells(name: str) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    return cells_from_json(json.loads((FIXTURES / name).read_text(encoding="utf-8")))


def trace_case(case: dict[str, Any], cells_file: str) -> Provenance:
    cells, entities = load_cells(cells_file)
    if without := case.get("without"):
        cells = tuple(c for c in cells if (c.metric, c.role) != (without["metric"], without["role"]))
    return trace_numbers(case["text"], cells=cells, entities=entities)


def assert_as_expected(case: dict[str, Any], traced: Provenance) -> None:
    claims = [item for item in traced.items if item.status != "exempt"]
    assert [c.status for c in claims] == [status for _, status in case["expect"]]
    for claim, (number, _) in zip(claims, case["expect"], strict=True):
        assert number in unicodedata.normalize("NFKC", claim.text)
        assert case["text"][claim.start : claim.end] == claim.text
    assert traced.claims == len(case["expect"])


@pytest.mark.parametrize("case", load_cases("cases.jsonl"), ids=lambda c: c["id"])
def test_published_case(case: dict[str, Any]) -> None:
    assert_as_expected(case, trace_case(case, "cells.json"))


@pytest.mark.parametrize("case", load_cases("tea_cases.jsonl"), ids=lambda c: c["id"])
def test_own_case(case: dict[str, Any]) -> None:
    traced = trace_case(case, "tea_cells.json")
    assert_as_expected(case, traced)
    mismatched = [item for item in traced.items if "window_mismatch" in item.flags]
    assert bool(mismatched) == case.get("window_mismatch", False)


def test_wrong_sentences_are_half_of_the_own_ones() -> None:
    kinds = [case["kind"] for case in load_cases("tea_cases.jsonl")]
    assert len(kinds) >= 40
    assert kinds.count("right") <= len(kinds) / 2


def test_case_without_the_base_total_only_still_names_the_mean() -> None:
    cells, entities = load_cells("cells.json")
    kept = [c for c in cells if (c.metric, c.role, c.period) != ("visitRate", "total", "cur")]
    traced = trace_numbers("Average visit rate across shops is 8.4%.", cells=kept, entities=entities)
    assert traced.unweighted_mean == 1
