"""Which language a question is in: the answer follows it, not the page."""

from __future__ import annotations

from askcore.base.values import Lang

_CJK = (("\u4e00", "\u9fff"), ("\u3400", "\u4dbf"), ("\uf900", "\ufaff"))


def is_cjk(char: str) -> bool:
    """Whether a character is a Chinese one."""
    return any(first <= char <= last for first, last in _CJK)


def language_of(text: str) -> Lang:
    """Zh as soon as Chinese characters carry the sentence; one in an English sentence is a name."""
    chinese = sum(is_cjk(c) for c in text)
    words = sum(1 for w in text.split() if any("a" <= c.lower() <= "z" for c in w))
    return "zh" if chinese > 0 and chinese >= 2 * words - 2 else "en"
