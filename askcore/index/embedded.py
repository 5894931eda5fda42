"""The index that needs no server: SQLite FTS5 finds candidates, names decide the order, typos are near.

FTS5 knows no Chinese words, so text goes in as single characters, pairs of neighbours and Latin words.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.base.values import Lang
from askcore.index.base import Document, DocumentKind, Hit

_TOKENS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_CANDIDATES = 200  # FTS5 only adds what no name matches; nobody reads further down
_TYPO_FLOOR = 72.0  # rapidfuzz ratio: "vist rate" / "visit rate" is 95, unrelated words reach 65
_TYPO_FLOOR_CJK = 60.0  # one wrong character of three is 67, two of three are 33
_KIND_ORDER: dict[DocumentKind, int] = {
    "metric": 0, "level": 1, "entity": 2, "dimension": 3, "value": 4, "dataset": 5,
}  # fmt: skip


class EmbeddedIndex:
    """In-memory metadata index of one dataset version."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._documents: tuple[Document, ...] = ()
        self._names: list[tuple[str, int, str]] = []
        """(normalised word, document, word as written): one entry a name."""

    def build(self, documents: Iterable[Document]) -> None:
        """Replace what is indexed."""
        found = tuple(documents)
        names = [(normal(w), i, w) for i, d in enumerate(found) for w in d.words]
        rows = [
            (i, " ".join(_terms(" ".join(d.words))), " ".join(_terms(d.text))) for i, d in enumerate(found)
        ]
        with self._lock:
            self._db.execute("DROP TABLE IF EXISTS doc")
            self._db.execute("CREATE VIRTUAL TABLE doc USING fts5(names, about)")
            self._db.executemany("INSERT INTO doc(rowid, names, about) VALUES (?, ?, ?)", rows)
            self._documents, self._names = found, names

    def search(self, query: str, limit: int = 10) -> tuple[Hit, ...]:
        """The best hits, best first. Raises: BadRequest when there is nothing to look for."""
        wanted = normal(query)
        if not _TOKENS.search(wanted):
            raise BadRequest("the search text is empty", hint="a metric, shop or dimension name")
        lang: Lang = "zh" if _CJK.search(wanted) else "en"
        with self._lock:
            scored = self._scored(wanted)
            documents = self._documents
        order = sorted(
            scored.items(),
            key=lambda i: (-i[1][0], _KIND_ORDER[documents[i[0]].kind], documents[i[0]].key),
        )
        return tuple(_hit(documents[i], *found, lang) for i, found in order[: max(1, limit)])

    def _scored(self, wanted: str) -> dict[int, tuple[float, str, str]]:
        """Document -> (score, how, matched word)."""
        best: dict[int, tuple[float, str, str]] = {}
        for name, index, word in self._names:
            score, how = name_score(wanted, name)
            if score > best.get(index, (0.0,))[0]:
                best[index] = (score, how, word)
        for index, rank in self._candidates(wanted).items():
            if index not in best:
                best[index] = (rank, "about", self._shared(wanted, index))
        for index, score, word in self._typos(wanted):
            if score > best.get(index, (0.0,))[0]:
                best[index] = (score, "typo", word)
        return best

    def _candidates(self, wanted: str) -> dict[int, float]:
        """Document -> 0.1-0.4 by the share of the query's terms that it holds."""
        terms = list(dict.fromkeys(_terms(wanted)))
        strong = [t for t in terms if len(t) > 1] or terms
        match = " OR ".join(f'"{t}"*' for t in strong)
        sql = "SELECT rowid, names, about FROM doc WHERE doc MATCH ? ORDER BY rank LIMIT ?"
        found: dict[int, float] = {}
        for index, names, about in self._db.execute(sql, (match, _CANDIDATES)):
            held = f" {names} {about}"
            share = sum(f" {t}" in held for t in strong) / len(strong)
            found[index] = 0.1 + 0.3 * share
        return found

    def _typos(self, wanted: str) -> Iterator[tuple[int, float, str]]:
        if len(wanted) < 3:
            return
        from rapidfuzz import fuzz, process  # only searches need it

        names = [name for name, _, _ in self._names]
        floor = _TYPO_FLOOR_CJK if _CJK.search(wanted) else _TYPO_FLOOR
        near = process.extract(wanted, names, scorer=fuzz.ratio, score_cutoff=floor, limit=20)
        for _, ratio, position in near:
            _, index, word = self._names[position]
            yield index, 0.8 * ratio / 100, word

    def _shared(self, wanted: str, index: int) -> str:
        """The longest piece of the query that the description holds."""
        held = normal(self._documents[index].text + " " + " ".join(self._documents[index].words))
        pieces = [
            wanted[a:b] for a in range(len(wanted)) for b in range(len(wanted), a, -1) if wanted[a:b] in held
        ]
        return max(pieces, key=len, default=wanted).strip()


def name_score(wanted: str, name: str) -> tuple[float, str]:
    """How well a name answers a query: (0-1, how); 0 when neither holds the other.

    exact 1; the name starts with the query 0.7-0.95, holds it 0.6-0.85, is held by it 0.5-0.8, each
    more for a larger shared part.
    """
    if name == wanted:
        return 1.0, "exact"
    if len(name) > len(wanted):
        share = len(wanted) / len(name)
        if name.startswith(wanted):
            return 0.7 + 0.25 * share, "prefix"
        if wanted in name:
            return 0.6 + 0.25 * share, "inside"
    elif name in wanted and (len(name) > 1 or bool(_CJK.search(name))):
        return 0.5 + 0.3 * len(name) / len(wanted), "part"
    return 0.0, ""


def normal(text: str) -> str:
    """Full-width forms and case folded, spaces at the ends and doubled ones removed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _terms(text: str) -> Iterator[str]:
    """Characters and neighbouring pairs of Chinese runs, whole Latin words and numbers."""
    for run in _TOKENS.findall(normal(text)):
        if _CJK.match(run):
            yield from run
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        else:
            yield run


def _hit(document: Document, score: float, how: str, word: str, lang: Lang) -> Hit:
    return Hit(
        kind=document.kind,
        key=document.key,
        label=document.labels[lang],
        dataset=document.dataset,
        score=round(score, 3),
        why=say(lang, f"index.{how}", word=word),
        parent=document.parent,
    )
