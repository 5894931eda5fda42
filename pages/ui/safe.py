"""Text from people, models and data on its way into Streamlit's markdown.

Every label and every markdown element of Streamlit parses markdown with directives: a remote image
is fetched, `$…$` becomes a formula, `:red[…]` a colour. `esc` shows text literally; `llm_md` lets
bold, italics, lists, inline code and tables through and shows everything else literally.
"""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&@=^'\"/])")
_SPACE = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_TAG = re.compile(
    r"</?(?:a|b|br|button|div|em|embed|form|h[1-6]|hr|i|iframe|img|input|li|link|meta|object|ol|p|"
    r"script|span|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul|video|audio)\b[^<>]*>",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"`(?P<code>[^`\n]+)`|\*\*(?P<bold>[^*\n]+)\*\*|(?<!\*)\*(?P<italic>[^*\s][^*\n]*)\*(?!\*)"
)
_LIST = re.compile(r"^(?P<indent> {0,8})(?P<mark>[-*+•]|\d{1,3}[.)])\s+(?P<rest>.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(?P<rest>.*?)\s*#*$")
_RULE = re.compile(r"^\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*$")
_HYPHEN = re.compile(r"(?<=\d)\\-(?=\d)")
_SPLIT = re.compile(r"(?<=\\:)|(?<=\\@)|(?<=[<-])(?=\\[->])|(?<=www)(?=\\\.)", re.IGNORECASE)
"""Where Streamlit, after escapes are gone, would see a directive, an arrow, a dash or a link."""
_THIN = "\u200a"
"""Beside emphasis that starts or ends with punctuation, which CommonMark would not see as such."""
_BREAK = "\u2060"
"""An invisible word joiner."""


def esc(text: object) -> str:
    """Text shown literally in a label: no markdown, on one line."""
    flat = _SPACE.sub(" ", _CONTROL.sub("", str(text))).strip()
    return _literal(flat)


def unbroken(text: object) -> str:
    """`esc` whose days are not broken over two lines at their hyphens."""
    return _HYPHEN.sub(f"{_BREAK}\\g<0>{_BREAK}", esc(text))


def short(text: object, limit: int) -> str:
    """`esc` of at most `limit` characters, cut with an ellipsis."""
    flat = _SPACE.sub(" ", str(text)).strip()
    return esc(flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…")


def plotly_text(text: object, limit: int = 200) -> str:
    """Text shown literally in a Plotly figure, whose labels would parse tags and links."""
    flat = _SPACE.sub(" ", _CONTROL.sub("", str(text))).strip()
    cut = flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
    return cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def llm_md(text: str) -> str:
    """Markdown of a model reduced to what is allowed; never a fetch, a link, HTML or a formula."""
    cleaned = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "  "))
    cleaned = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub(r"\1", cleaned)))
    lines = cleaned.split("\n")
    out: list[str] = []
    index = 0
    while index < len(lines):
        if _starts_table(lines, index):
            index = _table(lines, index, out)
        else:
            out.append(_line(lines[index], in_list=_follows_list(out)))
            index += 1
    return "\n".join(out)


def _literal(text: str) -> str:
    return _SPLIT.sub(_BREAK, _SPECIAL.sub(r"\\\1", text))


def _line(line: str, *, in_list: bool) -> str:
    item = _LIST.match(line)
    # An item without text under a line of text would underline it: a heading.
    if item is not None and item["rest"].strip() and (in_list or len(item["indent"]) < 4):
        mark = item["mark"] if item["mark"][0].isdigit() else "-"
        return f"{item['indent']}{mark} {_inline(item['rest'].strip())}"
    heading = _HEADING.match(line.strip())
    if heading is not None and heading["rest"].strip(" *"):
        return f"**{_literal(heading['rest'].strip(' *'))}**\n"
    stripped = line.strip()
    return f"{_inline(stripped)}  " if stripped else ""


def _follows_list(out: list[str]) -> bool:
    return bool(out) and _LIST.match(out[-1]) is not None


def _inline(text: str) -> str:
    parts: list[str] = []
    end = 0
    for found in _EMPHASIS.finditer(text):
        parts.append(_literal(text[end : found.start()]))
        parts.append(_marked(found, text))
        end = found.end()
    parts.append(_literal(text[end:]))
    return "".join(parts)


def _marked(found: re.Match[str], text: str) -> str:
    if found["code"] is not None:
        return f"`{found['code']}`" if found["code"].strip() else _literal(found[0])
    inner, mark = (found["bold"], "**") if found["bold"] is not None else (found["italic"], "*")
    core = inner.strip()
    if not core:
        return _literal(found[0])
    before = text[found.start() - 1] if found.start() else " "
    after = text[found.end()] if found.end() < len(text) else " "
    left = _THIN if _is_punctuation(core[0]) and not before.isspace() else ""
    right = _THIN if _is_punctuation(core[-1]) and not after.isspace() else ""
    return f"{left}{mark}{_literal(core)}{mark}{right}"


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _starts_table(lines: list[str], index: int) -> bool:
    return (
        index + 1 < len(lines)
        and lines[index].strip().startswith("|")
        and _RULE.match(lines[index + 1].strip()) is not None
    )


def _table(lines: list[str], index: int, out: list[str]) -> int:
    head = _cells(lines[index])
    out.extend(["", _row(head), "|" + " --- |" * len(head)])
    index += 2
    while index < len(lines) and lines[index].strip().startswith("|"):
        cells = _cells(lines[index])[: len(head)]
        out.append(_row([*cells, *[""] * (len(head) - len(cells))]))
        index += 1
    out.append("")
    return index


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(_inline(cell) for cell in cells) + " |"
