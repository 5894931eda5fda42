"""The time column of a delivery: found, read as a whole, and its total rows set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from askcore.lake.ingest.combine import Ledger, Mask, Records
from askcore.lake.ingest.dates import DateOrder, date_share, looks_like_date, read_dates
from askcore.lake.ingest.lexicon import DATE_WORDS, MONTH_WORDS
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.numbers import one_array
from askcore.lake.ingest.words import has_word, is_total, names_total

_MIN_SHARE = 0.5  # below it the column is no column of days; what fails above it is rejected row by row
_PROBE = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dated:
    """Records that have a day."""

    records: Records
    totals: Records
    """The total rows that were set aside."""
    column: str
    days: pa.Array
    """date32, one per record."""
    spelling: Message
    is_monthly: bool


def find_time_column(records: Records) -> str:
    """The one column of days.

    Raises: Refusal when there is none, or several and no name tells which one counts.
    """
    found = [n for n in records.names if _holds_days(records, n)]
    hinted = [n for n in found if has_word(n, DATE_WORDS)]
    if len(hinted) == 1:
        return hinted[0]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Refusal("no_date_column", names=", ".join(records.names[:12]))
    raise Refusal("several_dates", names=", ".join(hinted or found))


def _holds_days(records: Records, name: str) -> bool:
    head = records.columns[name].drop_null().slice(0, _PROBE).to_pylist()
    cells = [c for c in head if not names_total(c)]
    by_month = has_word(name, MONTH_WORDS)
    if not cells or sum(_is_day(c, by_month) for c in cells) < _MIN_SHARE * len(cells):
        return False
    counts = {t: n for t, n in records.counts(name).items() if not names_total(t)}
    if by_month:
        return True
    return date_share(counts) >= _MIN_SHARE


def _is_day(cell: str, by_month: bool) -> bool:
    return looks_like_date(cell) or (by_month and len(cell) == 6 and looks_like_date(cell + "01"))


def dated(records: Records, column: str, order: DateOrder | None, ledger: Ledger) -> Dated:
    """Set total rows aside, read the days, reject the rows without one.

    Raises: Refusal when the column cannot be read, or more than half of the rows have no day.
    """
    is_sum = total_rows(records, column)
    totals = records.keep(is_sum)
    records = ledger.drop(records, is_sum, lambda _: message("total_row"), is_total=True)
    if len(records) == 0:
        raise Refusal("no_rows", path=column)
    by_month = has_word(column, MONTH_WORDS)
    reading = read_dates(records.counts(column), column, order, may_be_month=by_month)
    days = _mapped(records, column, reading.days)
    missing = np.asarray(days.is_null())
    if missing.sum() > _MIN_SHARE * len(records):
        example = pc.filter(records.columns[column], pa.array(missing)).slice(0, 1).to_pylist()
        raise Refusal("dates_unreadable", column=column, example=example[0] if example else "")
    cells = records.columns[column]
    records = ledger.drop(
        records,
        missing,
        lambda i: message("no_day", column=column, cell=cells[i].as_py() or ""),
    )
    return Dated(
        records=records,
        totals=totals,
        column=column,
        days=days.drop_null(),
        spelling=reading.spelling,
        is_monthly=reading.is_monthly,
    )


def _mapped(records: Records, column: str, days: Mapping[str, date]) -> pa.Array:
    encoded = one_array(records.columns[column]).dictionary_encode()
    values = pa.array([days.get(t) for t in encoded.dictionary.to_pylist()], pa.date32())
    return values.take(encoded.indices)


def total_rows(records: Records, date_column: str) -> Mask:
    """Rows that hold a sum of other rows.

    A cell of the time column or, where that is empty, any cell that names a total; else a cell that is
    exactly such a word (a subtotal of one day).
    """
    date_cells = records.columns[date_column]
    no_day = np.asarray(one_array(date_cells).is_null())
    found = _where(records, date_column, loose=True)
    for name in records.names:
        if name == date_column or _is_numeric(records, name):
            continue
        found |= _where(records, name, loose=False)
        if no_day.any():
            found |= no_day & _where(records, name, loose=True)
    return found


def _is_numeric(records: Records, name: str) -> bool:
    head = records.columns[name].drop_null().slice(0, _PROBE)
    return len(head) > 0 and bool(
        pc.all(pc.match_substring_regex(head, r"^[-+$]?[\d,.]+%?$"), min_count=0).as_py()
    )


def _where(records: Records, name: str, *, loose: bool) -> Mask:
    test = names_total if loose else is_total
    words = [t for t in records.counts(name) if len(t) < 40 and test(t)]
    if not words:
        return np.zeros(len(records), dtype=bool)
    found = pc.is_in(records.columns[name], value_set=pa.array(words))
    return np.asarray(one_array(found))
