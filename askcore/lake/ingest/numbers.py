"""Number spellings -> exact numbers. A spelling with two readings is a reason to refuse, never a value."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.lexicon import (
    CURRENCY_SIGNS,
    CURRENCY_SUFFIX,
    DASHES,
    FULL_PERCENT,
    NULL_WORDS,
)

# Spellings with two readings: a column that holds one is refused.
Trap = Literal["grouping", "accounting", "decimal_comma", "two_units"]
_Tag = Literal["plain", "percent", "null", "dash", "junk", "code", "grouping", "accounting", "decimal_comma"]

_FAST = r"^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$"
_PLAIN = re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$", re.I)
_CODE = re.compile(r"^(0\d+|\d{16,})$")
_GROUPED = re.compile(r"^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$")
_INDIAN = re.compile(r"^[-+]?\d{1,2}(,\d{2})+,\d{3}(\.\d*)?$")
_COMMA = re.compile(r"^[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+$")
_ACCOUNTING = re.compile(r"^\(.*\d.*\)$|^[-–—]$")
_SIGNS = tuple(s for s in CURRENCY_SIGNS if not s.isalnum())
_LARGEST = Decimal(10) ** 18  # nothing that is counted or paid is larger; sums of it would overflow
_MAX_SCALE = 18  # decimal128 holds 38 digits; past this the sum is a float sum


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What one distinct cell text says."""

    tag: _Tag
    number: str | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberReading:
    """How one column reads as numbers."""

    plain: pa.Array
    """Canonical decimal text; null where the cell is empty or no number."""
    unreadable: pa.Array
    """bool: cells that hold something that is no number."""
    readable: int
    bad: int
    example: str = ""
    """A cell that is no number."""
    trap: Trap | None = None
    trap_example: str = ""
    trap_count: int = 0
    is_percent: bool = False
    is_code: bool = False
    """Leading zeros or 16 and more digits: an identifier."""
    currency: str = ""
    dash_count: int = 0
    grouped_count: int = 0
    scale: int = 0
    """Most digits after the point."""

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers: most cells read, traps included (they are refused later)."""
        return not self.is_code and self.readable + self.trap_count > self.bad


def read_numbers(text: pa.ChunkedArray, *, comma_suspect: bool = False) -> NumberReading:
    """Read a text column.

    comma_suspect: the file separates cells by `;`, so "1,234" may be a decimal comma and is a trap.
    """
    cells = one_array(text)
    fast = pc.match_substring_regex(cells, _FAST)
    if pc.all(fast, min_count=0).as_py():
        return NumberReading(
            plain=cells,
            unreadable=pa.array(np.zeros(len(cells), dtype=bool)),
            readable=len(cells) - cells.null_count,
            bad=0,
            scale=_scale(cells),
        )
    return _read_distinct(cells, comma_suspect)


def one_array(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """The column as one array."""
    if isinstance(column, pa.Array):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _read_distinct(cells: pa.Array, comma_suspect: bool) -> NumberReading:
    encoded = cells.dictionary_encode()
    texts: list[str] = encoded.dictionary.to_pylist()
    reads = [_read(t, comma_suspect) for t in texts]
    weights = _weights(encoded, len(texts))
    counts: Counter[str] = Counter()
    for read, weight in zip(reads, weights, strict=True):
        counts[read.tag] += weight
    plain = pa.array([r.number for r in reads], pa.string()).take(encoded.indices)
    bad_flags = [r.tag not in ("plain", "percent", "null", "dash") for r in reads]
    bad = pc.fill_null(pa.array(bad_flags, pa.bool_()).take(encoded.indices), False)
    trap, example = _trap(texts, reads)
    return NumberReading(
        plain=plain,
        unreadable=bad,
        readable=counts["plain"] + counts["percent"],
        bad=counts["junk"] + counts["code"],
        example=_first(texts, reads, ("junk", "code")),
        trap=trap,
        trap_example=example,
        trap_count=sum(counts[t] for t in get_args(Trap)),
        is_percent=counts["percent"] > 0,
        is_code=counts["code"] > 0 and counts["code"] + counts["plain"] > counts["junk"],
        currency=next((r.currency for r in reads if r.currency), ""),
        dash_count=counts["dash"],
        grouped_count=sum(w for t, r, w in zip(texts, reads, weights, strict=True) if r.number and "," in t),
        scale=_scale(plain),
    )


def _weights(encoded: pa.DictionaryArray, size: int) -> list[int]:
    found = [0] * size
    for item in pc.value_counts(encoded.indices.drop_null()).to_pylist():
        found[item["values"]] = item["counts"]
    return found


def _first(texts: list[str], reads: list[_Read], tags: tuple[str, ...]) -> str:
    return next((t for t, r in zip(texts, reads, strict=True) if r.tag in tags), "")


def _trap(texts: list[str], reads: list[_Read]) -> tuple[Trap | None, str]:
    """The first spelling with two readings, or units that are mixed in one column."""
    names: tuple[Trap, ...] = get_args(Trap)
    for name in names:
        example = _first(texts, reads, (name,))
        if example:
            return name, example
    pairs = list(zip(texts, reads, strict=True))
    percents = [t for t, r in pairs if r.tag == "percent"]
    bare = [t for t, r in pairs if r.tag == "plain" and Decimal(r.number or 0) != 0]
    if percents and bare:
        return "two_units", f"{percents[0]} / {bare[0]}"
    currencies = {r.currency: t for t, r in pairs if r.tag == "plain" and r.currency}
    if len(currencies) > 1:
        return "two_units", " / ".join(list(currencies.values())[:2])
    return None, ""


def _read(text: str, comma_suspect: bool) -> _Read:
    lowered = text.casefold()
    if lowered in NULL_WORDS:
        return _Read(tag="null")
    if text in DASHES:
        return _Read(tag="dash")
    body, currency = _without_currency(text)
    if currency and _ACCOUNTING.match(body):
        return _Read(tag="accounting")
    if body.endswith(("%", FULL_PERCENT)):
        return _percent(body[:-1].strip(), comma_suspect)
    tag, number = _number(body, comma_suspect)
    return _Read(tag=tag, number=number, currency=currency if number else "")


def _without_currency(text: str) -> tuple[str, str]:
    """The text without one money sign at its start or end, and the sign's unit."""
    inner = text
    for sign in _SIGNS:
        for start, rest in ((sign, ""), (f"-{sign}", "-"), (f"({sign}", "(")):
            if inner.startswith(start):
                return rest + inner[len(start) :].strip(), CURRENCY_SIGNS[sign]
    if inner.endswith(CURRENCY_SUFFIX):
        return inner[: -len(CURRENCY_SUFFIX)].strip(), CURRENCY_SIGNS[CURRENCY_SUFFIX]
    return inner, ""


def _number(body: str, comma_suspect: bool) -> tuple[_Tag, str | None]:
    if _CODE.match(body):
        return "code", None
    if _PLAIN.match(body):
        return _if_sound(_canonical(body))
    if _GROUPED.match(body):
        return ("decimal_comma", None) if comma_suspect else _if_sound(_canonical(body))
    if _INDIAN.match(body):
        return "grouping", None
    if _COMMA.match(body):
        return "decimal_comma", None
    if _ACCOUNTING.match(body):
        return "accounting", None
    return "junk", None


def _if_sound(number: str | None) -> tuple[_Tag, str | None]:
    return ("junk", None) if number is None else ("plain", number)


def _percent(body: str, comma_suspect: bool) -> _Read:
    tag, number = _number(body, comma_suspect)
    if number is None:
        return _Read(tag="junk" if tag == "code" else tag)
    return _Read(tag="percent", number=format(Decimal(number) / 100, "f"))


def _canonical(body: str) -> str | None:
    try:
        number = Decimal(body.replace(",", ""))
    except InvalidOperation:
        return None
    return format(number, "f") if abs(number) < _LARGEST else None


def _scale(plain: pa.Array) -> int:
    """Most digits after the point in canonical texts."""
    at = pc.find_substring(plain, ".")
    digits = pc.if_else(pc.less(at, 0), 0, pc.subtract(pc.subtract(pc.utf8_length(plain), at), 1))
    most = pc.max(digits).as_py()
    return int(most or 0)


def typed(plain: pa.Array, scale: int) -> pa.Array:
    """int64 where all are whole and fit, else float64."""
    if scale == 0:
        try:
            return pc.cast(plain, pa.int64())
        except pa.ArrowInvalid:
            pass
    return pc.cast(plain, pa.float64())


def exact_sum(plain: pa.Array, scale: int) -> int | float | None:
    """The sum by decimal arithmetic; None when there is no value."""
    if len(plain) == plain.null_count:
        return None
    total = _decimal_sum(plain, scale)
    return int(total) if scale == 0 else float(total)


def _decimal_sum(plain: pa.Array, scale: int) -> Decimal:
    if scale <= _MAX_SCALE:
        try:
            found = pc.sum(pc.cast(plain, pa.decimal128(38, scale))).as_py()
            return Decimal(found)
        except pa.ArrowInvalid:
            pass
    return sum((Decimal(t) for t in plain.to_pylist() if t is not None), Decimal(0))
