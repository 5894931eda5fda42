"""`say`: numbers with their nouns, and how sentences may be written."""

from __future__ import annotations

import re

import pytest

from askcore.base.text import PROMPTS, catalogue, say

AREAS = sorted(p.stem for p in PROMPTS.glob("*.yaml"))
COUNTS = "n|na|nb|of|bad|lag|rows|cells|width|count|total|checked|expected|allowed|step|days|copies|active"


@pytest.mark.parametrize(
    ("days", "said"),
    [(1, "at most 1 day behind"), (2, "at most 2 days behind"), (0, "at most 0 days behind")],
)
def test_a_number_stands_with_the_noun_that_fits_it(days, said):
    assert say("en", "compare.freshness_expect", n=days) == said


def test_a_number_that_is_text_already_is_read_like_one():
    assert (say("en", "units.day", n="1"), say("en", "units.day", n="1.50")) == ("1 day", "1.50 days")


@pytest.mark.parametrize("area", AREAS)
def test_no_english_sentence_leaves_singular_and_plural_to_the_reader(area):
    open_plural = re.compile(rf"\((?:s|es)\)|\{{(?:{COUNTS})\}} [a-z-]+(?<!i)(?<!ha)(?<!wa)s\b")
    found = {name: t["en"] for name, t in catalogue(area).items() if open_plural.search(t["en"])}
    assert found == {}
