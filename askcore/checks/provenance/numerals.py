"""Reads Chinese numerals, whole and with a decimal point."""

from __future__ import annotations

from askcore.checks.provenance.lexicon import DIGITS, MYRIADS, PLACES, POINT, TAIL_QUANTA

NUMERAL_CHARS = "".join((*DIGITS, *PLACES, *MYRIADS))
DIGIT_CHARS = "".join(DIGITS)


def read_numeral(text: str) -> float:
    """The value of a numeral; characters that are none count nothing."""
    whole, _, decimals = text.partition(POINT)
    decimal_digits = [DIGITS[c] for c in decimals if c in DIGITS]
    fraction = sum(d * 10.0 ** -(i + 1) for i, d in enumerate(decimal_digits))
    scale = 1.0
    tail = decimals[-1:]
    if tail in MYRIADS:  # 1.5 wan is one and a half ten-thousands
        scale = float(MYRIADS[tail])
    return (_read_whole(whole) + fraction) * scale


def numeral_quantum(text: str) -> float:
    """The step in which such a numeral counts: its last written place."""
    _, point, decimals = text.partition(POINT)
    if point:
        digits = sum(c in DIGITS for c in decimals)
        return float(MYRIADS.get(decimals[-1:], 1)) * 10.0**-digits
    for tail, quantum in TAIL_QUANTA:
        if text.endswith(tail):
            return quantum
    return 1.0


def _read_whole(text: str) -> float:
    total = section = digit = 0.0
    for char in text[:40]:
        if char in DIGITS:
            digit = DIGITS[char]
        elif char in PLACES:
            section += (digit or 1) * PLACES[char]
            digit = 0.0
        elif char in MYRIADS:
            total, section, digit = _close_section(total, section + digit, char), 0.0, 0.0
    return total + section + digit


def _close_section(total: float, section: float, char: str) -> float:
    """A bigger myriad multiplies all before it, a smaller one only its own section."""
    scale = MYRIADS[char]
    if total and scale > min(MYRIADS.values()):
        return (total + section) * scale
    return total + section * scale
