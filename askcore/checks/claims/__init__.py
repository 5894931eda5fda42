"""Claims made by words: rose, highest, third, in a row, half, only; figures said of the wrong shop or unit.

Each claim is bound to metric, entity and time by the words around it and computed again from the cells of the
run. A claim that the cells do not decide is "unknown" and never alarms: a false alarm costs more than a miss.
"""

from __future__ import annotations

from askcore.checks.claims.check import check_words
from askcore.checks.claims.word_claim import WordClaim, WordReport, word_report_json

__all__ = ["WordClaim", "WordReport", "check_words", "word_report_json"]
