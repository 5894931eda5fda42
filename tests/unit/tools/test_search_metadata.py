"""`search_metadata` and `clarify`."""

from __future__ import annotations

from datetime import date

import pytest

from askcore.tools import clarify, search_metadata
from askcore.tools.base import ToolContext, call


@pytest.fixture
def ctx(tiny_view):
    return ToolContext(view=tiny_view, lang="zh", as_of=date(2026, 10, 18), viewer="u", entity="E01")


def test_a_word_of_two_metrics_gives_both_first(ctx):
    result = call(search_metadata.TOOL, {"query": "进店"}, ctx)
    assert [r["key"] for r in result.table.rows[:2]] == ["visitUv", "visitRate"]
    first = result.facts["hits"][0]
    assert (first["kind"], first["dataset"], first["score"]) == ("metric", "tiny", 1.0)
    assert {"kind", "key", "label", "dataset", "score", "why"} <= set(first)


def test_without_a_hit_existing_names_are_offered(ctx):
    result = call(search_metadata.TOOL, {"query": "downtown"}, ctx)
    assert [n.code for n in result.notes] == ["empty"]
    assert {"id": "S1", "name": "东门店"} in result.facts["examples"]


def test_an_empty_query_is_refused(ctx):
    assert call(search_metadata.TOOL, {"query": "  "}, ctx).error.error_class == "bad_args"


def test_choices_are_facts(ctx):
    result = call(clarify.TOOL, {"question": "哪家店？", "options": ["东门店", {"label": "西门店"}]}, ctx)
    assert result.facts == {
        "question": "哪家店？",
        "options": [
            {"label": "东门店", "question": "东门店"},
            {"label": "西门店", "question": "西门店"},
        ],
    }


def test_a_blank_question_is_no_question(ctx):
    assert not call(clarify.TOOL, {"question": " "}, ctx).ok
