"""No text of a person, a model or the data becomes markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages.ui.safe import esc, llm_md, short, unbroken

PIECES = (
    "![a](http://evil/x.png)", "[a](http://evil)", "[a]: http://evil", "<img src=x>",
    "<script>", "</b>", ":red[", ":material/home:", ":smile:", "$", "$$", "`", "```",
    "**", "*", "_", "~~", "|", "\n", "\n\n", "    ", "- ", "1. ", "# ", "> ",
    "| --- |", "->", "<-", "--", "http://evil.example", "www.evil.example",
    "a@evil.example", "\\", "^[x]", "营业额", "+8.2%", "¥48.6万", "¹", "\u202e",
    "\u200b", "\x00", ":", "[", "]", "(", ")", "<", ">", "&lt;", "&#33;", "x", " ",
)  # fmt: skip
nasty = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=14).map("".join)
ALLOWED = {
    "paragraph_open", "paragraph_close", "inline", "text", "text_special", "softbreak", "hardbreak",
    "strong_open", "strong_close", "em_open", "em_close", "code_inline",
    "bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close",
    "list_item_open", "list_item_close", "table_open", "table_close", "thead_open", "thead_close",
    "tbody_open", "tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close",
}  # fmt: skip
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
DIRECTIVE = re.compile(r":\w|->|<-|--|https?:/|www\.\w")
"""What Streamlit looks for in text after escapes are gone: directives, arrows, bare links."""


def visible(markdown: str) -> str:
    """What a reader sees of escaped text."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "")


def tokens(markdown: str) -> list[Token]:
    """What a CommonMark parser with tables sees, inline parts included."""
    found: list[Token] = []
    for token in PARSER.parse(markdown):
        found += [token, *(token.children or [])]
    return found


def shown_text(parsed: list[Token]) -> str:
    return "".join(t.content for t in parsed if t.type == "text")


def bare_dollars(markdown: str, parsed: list[Token]) -> int:
    """Dollar signs that could open a formula: neither escaped nor inside code."""
    in_code = sum(t.content.count("$") for t in parsed if t.type == "code_inline")
    return len(re.findall(r"(?<!\\)(?:\\\\)*\$", markdown)) - in_code


@given(nasty)
def test_esc_is_plain_text_on_one_line(text: str) -> None:
    out = esc(text)
    parsed = tokens(f"x {out} x")
    assert {t.type for t in parsed} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    assert "\n" not in out
    assert DIRECTIVE.search(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", out)) is None
    assert bare_dollars(out, parsed) <= 0


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=40))
def test_esc_shows_the_text_itself(text: str) -> None:
    assert visible(esc(text)) == re.sub(r"\s+", " ", re.sub("[\u2060-\u2069\u200b-\u200f]", "", text)).strip()


@given(nasty)
@example("x\n- ")
@example("x\n1) \u3000\n- ")
def test_llm_md_gives_only_allowed_markup(text: str) -> None:
    out = llm_md(text)
    parsed = tokens(out)
    assert {t.type for t in parsed} <= ALLOWED
    assert DIRECTIVE.search(shown_text(parsed)) is None
    assert bare_dollars(out, parsed) <= 0


@given(nasty)
def test_llm_md_is_total_and_bounded(text: str) -> None:
    assert len(llm_md(text)) <= 12 * len(text) + 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**营业额**", "**营业额**  "),
        ("较上期**+8.2%**；", "较上期\u200a**\\+8\\.2%**\u200a；  "),
        ("`grossAmt` 12", "`grossAmt` 12  "),
        ("- a\n- b", "- a\n- b"),
        ("## 结论", "**结论**\n"),
        ("[文](http://evil)", "文  "),
        ("![图](http://evil/x.png)", "图  "),
        ("<img src=x>好", "好  "),
        ("下单率<5%", "下单率\\<5%  "),
    ],
)
def test_llm_md_keeps_what_is_allowed(text: str, expected: str) -> None:
    assert llm_md(text) == expected


def test_llm_md_keeps_tables_of_equal_width() -> None:
    out = llm_md("| 门店 | 额 |\n|---|---:|\n| 一 | 1 | 2 |\n| 二 |")
    assert out == "\n| 门店 | 额 |\n| --- | --- |\n| 一 | 1 |\n| 二 |  |\n"


def test_short_cuts_before_escaping() -> None:
    assert short("a" * 9, 5) == "aaaa…"
    assert short("***", 3) == "\\*\\*\\*"


def test_days_stay_on_one_line() -> None:
    joined = "2026\u2060\\-\u206010\u2060\\-\u206017"
    assert unbroken("2026-10-17 x-y") == f"{joined} x\\-y"
