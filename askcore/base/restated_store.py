"""The restatement ledger in the state database: what was told, and what each later version made of it.

A row a subject and version, never changed by later ones; the newest counts. What was told is kept apart, so
that it outlives the version that it was told on.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from askcore.base.errors import LakeError
from askcore.base.restated import MovedFigure, Restatement, SubjectKind

_SCHEMA = """
create table if not exists restatements (
  seq integer primary key autoincrement, subject text not null, subject_id text not null,
  viewer text not null, dataset text not null, was_version integer not null, version integer not null,
  loaded_at real not null, state text not null, figures integer not null, n_moved integer not null,
  moved text not null, why text not null, checked_at real not null);
create unique index if not exists restatements_once
  on restatements (dataset, version, loaded_at, subject, subject_id);
create index if not exists restatements_subject on restatements (subject, subject_id, seq);
create table if not exists restated_told (
  subject text not null, subject_id text not null, body blob not null,
  primary key (subject, subject_id)) without rowid;
"""
MAX_VERSIONS = 60  # of a dataset: two months of daily loads; what was told stays
_TIMEOUT_S = 30
_COLUMNS = (
    "subject, subject_id, viewer, dataset, was_version, version, state, figures, n_moved, moved, why,"
    " checked_at"
)


class RestatedStore:
    """Thread-safe; several processes may write at once."""

    def __init__(self, state_dir: Path) -> None:
        self._dir = state_dir
        self._lock = threading.RLock()

    @cached_property
    def _con(self) -> sqlite3.Connection:
        """Opened at first use: whoever only reads the lake needs no state."""
        self._dir.mkdir(parents=True, exist_ok=True)
        con = sqlite3.connect(
            self._dir / "askcore.db", check_same_thread=False, isolation_level=None, timeout=_TIMEOUT_S
        )
        con.execute("pragma journal_mode=wal")
        con.execute("pragma synchronous=normal")
        con.executescript(_SCHEMA)
        return con

    def close(self) -> None:
        """Release the connection; the next use opens another."""
        with self._lock:
            if "_con" in self.__dict__:
                self.__dict__.pop("_con").close()

    def record(self, found: Restatement, loaded_at: float) -> None:
        """Write one comparison; one made of the same version before is replaced.

        loaded_at: when the version was committed; tells it from one of a dataset that was made anew.
        """
        moved = json.dumps([asdict(figure) for figure in found.moved], ensure_ascii=False)
        with self._transaction() as con:
            con.execute(
                "insert or replace into restatements (subject, subject_id, viewer, dataset, was_version,"
                " version, loaded_at, state, figures, n_moved, moved, why, checked_at)"
                " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (found.subject, found.subject_id, found.viewer, found.dataset, found.was_version,
                 found.version, loaded_at, found.state, found.figures, found.n_moved, moved, found.why,
                 found.checked_at),
            )  # fmt: skip

    def prune(self, dataset: str) -> None:
        """Forget what old versions made of answers."""
        with self._transaction() as con:
            con.execute(
                "delete from restatements where dataset = ? and (version, loaded_at) not in (select distinct"
                " version, loaded_at from restatements where dataset = ? order by loaded_at desc limit ?)",
                (dataset, dataset, MAX_VERSIONS),
            )

    def done(self, dataset: str, version: int, loaded_at: float) -> frozenset[tuple[str, str]]:
        """(kind, id) of everything compared with this very version."""
        rows = self._rows(
            "select subject, subject_id from restatements where dataset = ? and version = ?"
            " and loaded_at = ?",
            (dataset, version, loaded_at),
        )
        return frozenset((str(row[0]), str(row[1])) for row in rows)

    def moved(self, dataset: str, version: int, loaded_at: float) -> dict[str, int]:
        """{"runs", "reports"}: how many told numbers that this version has otherwise."""
        rows = self._rows(
            "select subject, count(*) from restatements where dataset = ? and version = ? and loaded_at = ?"
            " and state = 'moved' group by subject",
            (dataset, version, loaded_at),
        )
        found = {str(row[0]): int(row[1]) for row in rows}
        return {"runs": found.get("run", 0), "reports": found.get("report", 0)}

    def newest(self, ids: Sequence[str]) -> Mapping[str, Restatement]:
        """The newest comparison of each of these answers and reports; those without one are left out."""
        sql = f"select {_COLUMNS} from restatements where subject_id = ? order by seq desc limit 1"  # noqa: S608 - own names
        rows = [row for one in ids for row in self._rows(sql, (one,))]
        return {found.subject_id: found for found in map(_restatement, rows)}

    def of_viewer(self, viewer: str, dataset: str | None = None) -> tuple[Restatement, ...]:
        """The newest comparison of everything of a viewer, newest first."""
        rows = self._rows(
            f"select {_COLUMNS} from restatements where seq in (select max(seq) from restatements"  # noqa: S608 - own names
            " where viewer = ? group by subject, subject_id) and (? is null or dataset = ?)"
            " order by seq desc",
            (viewer, dataset, dataset),
        )
        return tuple(map(_restatement, rows))

    def history(self, subject: SubjectKind, subject_id: str) -> tuple[Restatement, ...]:
        """Every comparison of one answer or report, oldest first."""
        sql = f"select {_COLUMNS} from restatements where subject = ? and subject_id = ? order by seq"  # noqa: S608 - own names
        return tuple(map(_restatement, self._rows(sql, (subject, subject_id))))

    def told(self, subject: SubjectKind, subject_id: str) -> bytes | None:
        """What `keep_told` wrote; None when nothing was."""
        sql = "select body from restated_told where subject = ? and subject_id = ?"
        rows = self._rows(sql, (subject, subject_id))
        return zlib.decompress(rows[0][0]) if rows else None

    def keep_told(self, subject: SubjectKind, subject_id: str, body: bytes) -> None:
        """Keep what an answer or a report said, as its reader writes it."""
        with self._transaction() as con:
            con.execute(
                "insert or replace into restated_told values (?, ?, ?)",
                (subject, subject_id, zlib.compress(body)),
            )

    # plumbing -----------------------------------------------------------------------------------

    def _rows(self, sql: str, params: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock, self._errors():
            return self._con.execute(sql, params).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        with self._lock, self._errors(), self._con as con:
            con.execute("begin immediate")
            yield con

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as e:
            raise LakeError(
                f"the state database in {self._dir} cannot be used: {e}",
                hint="check the free space and that the folder can be written",
            ) from e


def _restatement(row: tuple[Any, ...]) -> Restatement:
    return Restatement(
        subject=row[0],
        subject_id=row[1],
        viewer=row[2],
        dataset=row[3],
        was_version=row[4],
        version=row[5],
        state=row[6],
        figures=row[7],
        n_moved=row[8],
        moved=tuple(MovedFigure(**figure) for figure in json.loads(row[9])),
        why=row[10],
        checked_at=row[11],
    )
