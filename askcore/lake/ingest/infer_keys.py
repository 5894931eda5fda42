"""Which columns say whose row it is: levels of entities that nest, and attributes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.lexicon import (
    CALENDAR_WORDS,
    FLAG_WORDS,
    ID_WORDS,
    LEVEL_WORDS,
    NAME_WORDS,
)
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.numbers import one_array
from askcore.lake.ingest.words import has_word, is_chinese, normal, words_of

Codes = npt.NDArray[np.int64]
_MAX_KEYS = 3
_MAX_DOUBLED = 0.01  # so many rows may repeat a key: reported as doubles, not taken for a finer grain
_SAMPLE = 20_000
_MAX_CODES = 2_000  # distinct whole numbers past which a column is a measure, not a code


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelColumns:
    """One level: the column with its id, and perhaps one with its name."""

    id: str
    name: str
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """How rows are identified."""

    levels: tuple[LevelColumns, ...]
    """Top first."""
    dimensions: tuple[tuple[str, Message], ...]
    """Columns that are neither key nor measure."""
    entity: Codes
    """One code per row: which series it belongs to."""
    decisions: tuple[Message, ...]
    warnings: tuple[Message, ...]


def level_word(name: str) -> str | None:
    """Key of the kind of entity that a header names, e.g. "shop"."""
    for word in words_of(name):
        if word in LEVEL_WORDS:
            return LEVEL_WORDS[word]
    plain = normal(name)
    found = [w for w in LEVEL_WORDS if is_chinese(w) and (w in plain if len(w) > 1 else plain == w)]
    return LEVEL_WORDS[max(found, key=len)] if found else None


def infer_keys(records: Records, days: pa.Array, candidates: Sequence[str]) -> Keys:
    """Find the columns that make rows unique together with the day.

    Raises: Refusal when no columns do.
    """
    codes = {n: encoded(records, n) for n in candidates}
    day_codes = encode(days)
    hinted = [n for n in candidates if is_key_like(n)]
    texts = [n for n in candidates if n not in hinted and not records.numbers(n).is_number]
    chosen, doubled = _unique_set(day_codes, codes, hinted, texts, candidates)
    levels = _levels(records, codes, chosen, hinted)
    placed = {c for level in levels for c in (level.id, level.name)}
    rest = [n for n in candidates if n not in placed and (n in hinted or n in texts or n in chosen)]
    return Keys(
        levels=levels,
        dimensions=tuple((n, _dimension_why(n, chosen)) for n in rest),
        entity=_combined([codes[n] for n in chosen], len(records)),
        decisions=(message("row_key", columns=", ".join(("date", *chosen))),),
        warnings=_key_warnings(chosen, codes, doubled, len(records)),
    )


def is_key_like(name: str) -> bool:
    """Whether the header names an entity, an id or a code."""
    if has_word(name, CALENDAR_WORDS) or has_word(name, FLAG_WORDS):
        return False
    return level_word(name) is not None or has_word(name, ID_WORDS)


def can_be_key(records: Records, name: str) -> bool:
    """Text, codes, and whole numbers with few values."""
    reading = records.numbers(name)
    if not reading.is_number:
        return reading.readable + reading.bad > 0
    if reading.scale or reading.is_percent or reading.currency:
        return False
    return is_key_like(name) or len(records.counts(name)) <= _MAX_CODES


def encoded(records: Records, name: str) -> Codes:
    """One whole number per distinct cell; an empty cell is a value of its own."""
    return encode(one_array(records.columns[name]))


def encode(cells: pa.Array) -> Codes:
    """One whole number per distinct value."""
    codes = cells.dictionary_encode(null_encoding="encode").indices
    return np.asarray(codes).astype(np.int64)


def _combined(columns: Sequence[Codes], size: int) -> Codes:
    """One code per combination of values."""
    found = np.zeros(size, dtype=np.int64)
    for codes in columns:
        found = found * (int(codes.max(initial=0)) + 1) + codes
        found = np.unique(found, return_inverse=True)[1].reshape(-1)
    return found


def _doubles(columns: Sequence[Codes], size: int) -> int:
    """Rows beyond the first of each combination."""
    head = [c[:_SAMPLE] for c in columns]
    part = min(size, _SAMPLE)
    in_sample = part - len(np.unique(_combined(head, part)))
    if in_sample > _MAX_DOUBLED * part or part == size:
        return in_sample
    return size - len(np.unique(_combined(columns, size)))


def _unique_set(
    days: Codes,
    codes: dict[str, Codes],
    hinted: Sequence[str],
    texts: Sequence[str],
    candidates: Sequence[str],
) -> tuple[tuple[str, ...], int]:
    """The smallest set of columns that identifies rows with the day; (columns, doubled rows)."""
    size = len(days)
    nearly: tuple[tuple[str, ...], int] | None = None
    for columns in _sets(hinted, texts, candidates):
        doubled = _doubles([days, *(codes[n] for n in columns)], size)
        if doubled == 0:
            return columns, 0
        if doubled <= _MAX_DOUBLED * size and nearly is None:
            nearly = columns, doubled
    if nearly is not None:
        return nearly
    everything = tuple(dict.fromkeys((*hinted, *texts)))
    doubled = _doubles([days, *(codes[n] for n in everything)], size)
    if doubled > _MAX_DOUBLED * size:
        raise Refusal("not_unique", count=doubled, columns=", ".join(("date", *everything)))
    return _pruned(days, codes, everything, doubled), doubled


def _sets(
    hinted: Sequence[str], texts: Sequence[str], candidates: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """No column, then named keys, then these with text columns, then one code column."""
    yield ()
    for count in range(1, min(_MAX_KEYS, len(hinted)) + 1):
        yield from combinations(hinted[:8], count)
    both = [*hinted[:5], *texts[:5]]
    for count in range(1, min(_MAX_KEYS, len(both)) + 1):
        yield from combinations(both, count)
    for name in candidates:
        if name not in both:
            yield (*hinted[:2], name)


def _pruned(days: Codes, codes: dict[str, Codes], columns: tuple[str, ...], doubled: int) -> tuple[str, ...]:
    """Without the columns that the others make unneeded."""
    kept = list(columns)
    for name in reversed(columns):
        fewer = [n for n in kept if n != name]
        if _doubles([days, *(codes[n] for n in fewer)], len(days)) <= doubled:
            kept = fewer
    return tuple(kept)


def _levels(
    records: Records, codes: dict[str, Codes], chosen: Sequence[str], hinted: Sequence[str]
) -> tuple[LevelColumns, ...]:
    """A chain of nesting levels: the finest key, the named columns that it determines, and names."""
    keys = [n for n in chosen if n in hinted] or [n for n in hinted if n not in chosen][:1]
    if not keys:
        return ()
    leaf = keys[0]
    sizes = {n: int(codes[n].max(initial=0)) + 1 for n in codes}
    above = [n for n in hinted if n != leaf and determines(codes[leaf], codes[n])]
    uppers = [n for n in above if sizes[n] < sizes[leaf]]
    found: list[LevelColumns] = []
    taken = {leaf}
    for name in sorted(uppers, key=lambda n: sizes[n], reverse=True):
        lower = found[-1].id if found else leaf
        if name not in taken and determines(codes[lower], codes[name]):
            label = _name_column(codes, name, [n for n in codes if n not in taken])
            taken.update((name, label))
            found.append(LevelColumns(id=name, name=label, why=message("why_upper", below=lower)))
    label = _name_column(codes, leaf, [n for n in codes if n not in taken])
    why = message("why_key") if leaf in chosen else message("why_named_level")
    return (*reversed(found), LevelColumns(id=leaf, name=label, why=why))


def determines(fine: Codes, coarse: Codes) -> bool:
    """Whether each value of `fine` comes with one value of `coarse`."""
    pairs = len(np.unique(_combined([fine, coarse], len(fine))))
    return pairs == len(np.unique(fine))


def _name_column(codes: dict[str, Codes], id_column: str, free: Sequence[str]) -> str:
    """A column called a name that goes one to one with the id; the id itself when there is none."""
    for name in free:
        is_name = has_word(name, NAME_WORDS) and name != id_column
        same = level_word(name) in (level_word(id_column), None)
        one_to_one = is_name and same and determines(codes[id_column], codes[name])
        if one_to_one and determines(codes[name], codes[id_column]):
            return name
    return id_column


def _dimension_why(name: str, chosen: Sequence[str]) -> Message:
    return message("why_key_dimension" if name in chosen else "why_attribute")


def _key_warnings(
    chosen: Sequence[str], codes: dict[str, Codes], doubled: int, size: int
) -> tuple[Message, ...]:
    found = []
    if doubled:
        found.append(message("doubled_rows", count=doubled, columns=", ".join(("date", *chosen))))
    for name in chosen:
        if size > 1 and len(np.unique(codes[name])) == size:
            found.append(message("row_ids", column=name))
    return tuple(found)
