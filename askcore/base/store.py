"""Sessions, runs and their events in one SQLite file: crash-safe, shared by several processes.

Events are append-only. A run belongs to the process that executes it: each process holds an exclusive
lock on an owner file, which the kernel drops even on kill -9, so that another process can tell that a
"running" run is in fact interrupted.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from askcore.base.errors import BadRequest, LakeError
from askcore.base.values import Event, EventKind, RunStatus

_SCHEMA = """
create table if not exists sessions (
  session_id text primary key, viewer text not null, title text not null,
  created_at real not null, updated_at real not null);
create table if not exists runs (
  run_id text primary key, session_id text not null, viewer text not null, key text,
  question text not null, dataset text not null, version integer not null, status text not null,
  owner text not null, started_at real not null, ended_at real,
  has_fail integer not null default 0, view text not null default '');
create unique index if not exists runs_key on runs (viewer, key) where key is not null;
create index if not exists runs_session on runs (session_id, started_at);
create table if not exists events (
  run_id text not null, seq integer not null, ts real not null, kind text not null, payload text not null,
  primary key (run_id, seq)) without rowid;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One stored run."""

    run_id: str
    session_id: str
    viewer: str
    question: str
    dataset: str
    version: int
    status: RunStatus
    owner: str
    started_at: float
    ended_at: float | None
    has_fail: bool
    view: str
    """The last snapshot as JSON text; "" before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One stored session."""

    session_id: str
    viewer: str
    title: str
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """A session in a list."""

    session_id: str
    title: str
    updated_at: float
    run_count: int
    is_running: bool
    has_fail: bool
    questions: str
    """All its questions, one a line, for searching."""


class Store:
    """Thread-safe access to `askcore.db`; one instance a process."""

    def __init__(self, state_dir: Path) -> None:
        self._dir = state_dir
        self._lock = threading.RLock()
        try:
            state_dir.mkdir(parents=True, exist_ok=True)
            self._con = sqlite3.connect(
                state_dir / "askcore.db", check_same_thread=False, isolation_level=None, timeout=30
            )
            self._con.execute("pragma journal_mode=wal")
            self._con.execute("pragma synchronous=normal")
            self._con.executescript(_SCHEMA)
            self.owner, self._owner_file = _claim_owner(state_dir)
        except (sqlite3.Error, OSError) as e:
            raise LakeError(
                f"cannot open the state database in {state_dir}: {e}",
                hint="ASKCORE_HOME must be a folder that can be written; a damaged askcore.db can be moved"
                " away: it holds sessions and runs, no data of the lake",
            ) from e

    def close(self) -> None:
        """Release the owner lock and the connection."""
        with self._lock:
            self._con.close()
            self._owner_file.close()
            (self._dir / f"{self.owner}.owner").unlink(missing_ok=True)

    # sessions -----------------------------------------------------------------------------------

    def create_session(self, viewer: str, title: str, now: float) -> str:
        """A new session's id."""
        session_id = uuid.uuid4().hex[:12]
        self._write("insert into sessions values (?, ?, ?, ?, ?)", (session_id, viewer, title, now, now))
        return session_id

    def session(self, session_id: str) -> SessionRow | None:
        """One session or None."""
        rows = self._read("select * from sessions where session_id = ?", (session_id,))
        return SessionRow(**rows[0]) if rows else None

    def sessions(self, viewer: str) -> tuple[SessionRow, ...]:
        """All sessions of a viewer, newest first."""
        rows = self._read("select * from sessions where viewer = ? order by updated_at desc", (viewer,))
        return tuple(SessionRow(**r) for r in rows)

    def summaries(self, viewer: str) -> tuple[SessionSummary, ...]:
        """The viewer's sessions with what their runs add up to, newest first; one query for all."""
        rows = self._read(
            "select s.session_id, s.title, s.updated_at, count(r.run_id) as run_count,"
            " coalesce(max(r.status in ('queued', 'running')), 0) as is_running,"
            " coalesce(max(r.has_fail), 0) as has_fail, coalesce(group_concat(r.question, char(10)), '')"
            " as questions from sessions s left join runs r using (session_id)"
            " where s.viewer = ? group by s.session_id order by s.updated_at desc",
            (viewer,),
        )
        return tuple(
            SessionSummary(**{**r, "is_running": bool(r["is_running"]), "has_fail": bool(r["has_fail"])})
            for r in rows
        )

    def rename_session(self, session_id: str, title: str) -> None:
        """Give a session a new title."""
        self._write("update sessions set title = ? where session_id = ?", (title, session_id))

    def touch_session(self, session_id: str, now: float) -> None:
        """Move a session to the top of the list."""
        self._write("update sessions set updated_at = ? where session_id = ?", (now, session_id))

    def delete_session(self, session_id: str) -> None:
        """Remove a session with its runs and events."""
        with self._transaction() as con:
            con.execute(
                "delete from events where run_id in (select run_id from runs where session_id = ?)",
                (session_id,),
            )
            con.execute("delete from runs where session_id = ?", (session_id,))
            con.execute("delete from sessions where session_id = ?", (session_id,))

    # runs ---------------------------------------------------------------------------------------

    def create_run(self, run: RunRow, key: str | None) -> str:
        """Store a new run; with a `key` already seen from this viewer, the earlier run's id."""
        with self._transaction() as con:
            if key is not None:
                found = con.execute(
                    "select run_id from runs where viewer = ? and key = ?", (run.viewer, key)
                ).fetchone()
                if found is not None:
                    return str(found[0])
            con.execute(
                "insert into runs (run_id, session_id, viewer, key, question, dataset, version, status,"
                " owner, started_at, view) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (run.run_id, run.session_id, run.viewer, key, run.question, run.dataset, run.version,
                 run.status, run.owner, run.started_at, run.view),
            )  # fmt: skip
        return run.run_id

    def run(self, run_id: str) -> RunRow | None:
        """One run or None."""
        rows = self._read(f"select {_RUN_COLUMNS} from runs where run_id = ?", (run_id,))  # noqa: S608
        return _run_row(rows[0]) if rows else None

    def runs(self, *, session_id: str | None = None, limit: int = 1000) -> tuple[RunRow, ...]:
        """Runs, oldest first; of one session, or the newest `limit` of all."""
        if session_id is not None:
            rows = self._read(
                f"select {_RUN_COLUMNS} from runs where session_id = ? order by started_at",  # noqa: S608
                (session_id,),
            )
        else:
            rows = self._read(
                f"select {_RUN_COLUMNS} from runs order by started_at desc limit ?",  # noqa: S608
                (limit,),
            )[::-1]
        return tuple(_run_row(r) for r in rows)

    def done_runs(self, dataset: str, limit: int) -> tuple[tuple[str, str, int], ...]:
        """(run id, viewer, version) of the newest answered runs over a dataset, newest first."""
        rows = self._read(
            "select run_id, viewer, version from runs where dataset = ? and status = 'done'"
            " order by started_at desc limit ?",
            (dataset, limit),
        )
        return tuple((str(r["run_id"]), str(r["viewer"]), int(r["version"])) for r in rows)

    def save_view(
        self, run_id: str, *, status: RunStatus, view: str, version: int, has_fail: bool,
        ended_at: float | None,
    ) -> None:  # fmt: skip
        """Write the newest snapshot of a run."""
        self._write(
            "update runs set status = ?, view = ?, version = ?, has_fail = ?, ended_at = ? where run_id = ?",
            (status, view, version, int(has_fail), ended_at, run_id),
        )

    def append_event(self, event: Event) -> None:
        """Append one line of a trace; nothing when its run was deleted meanwhile."""
        payload = json.dumps(event.payload, ensure_ascii=False, default=str)
        self._write(
            "insert into events select ?, ?, ?, ?, ? where exists (select 1 from runs where run_id = ?)",
            (event.run_id, event.seq, event.ts, event.kind, payload, event.run_id),
        )

    def events(self, run_id: str) -> tuple[Event, ...]:
        """The trace of a run in order."""
        rows = self._read("select * from events where run_id = ? order by seq", (run_id,))
        return tuple(
            Event(
                run_id=r["run_id"], seq=r["seq"], ts=r["ts"], kind=_kind(r["kind"]),
                payload=json.loads(r["payload"]),
            )
            for r in rows
        )  # fmt: skip

    def mark_interrupted(self, now: float) -> tuple[str, ...]:
        """Turn active runs whose process is gone into "interrupted"; their ids."""
        rows = self._read("select run_id, owner from runs where status in ('queued', 'running')", ())
        alive: dict[str, bool] = {self.owner: True}
        gone: list[str] = []
        for row in rows:
            owner = row["owner"]
            if owner not in alive:
                alive[owner] = _is_alive(self._dir, owner)
            if not alive[owner]:
                gone.append(row["run_id"])
                self._write(
                    "update runs set status = 'interrupted', ended_at = ? where run_id = ?"
                    " and status in ('queued', 'running')",
                    (now, row["run_id"]),
                )
        return tuple(gone)

    # plumbing -----------------------------------------------------------------------------------

    def _read(self, sql: str, params: tuple[Any, ...]) -> list[Mapping[str, Any]]:
        with self._lock, _store_errors(self._dir):
            cursor = self._con.execute(sql, params)
            names = [d[0] for d in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _write(self, sql: str, params: tuple[Any, ...]) -> None:
        with self._lock, _store_errors(self._dir):
            self._con.execute(sql, params)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: the connection rolls back what an error leaves open."""
        with self._lock, _store_errors(self._dir), self._con as con:
            con.execute("begin immediate")
            yield con


@contextmanager
def _store_errors(state_dir: Path) -> Iterator[None]:
    """Translate the driver's errors."""
    try:
        yield
    except UnicodeEncodeError as e:
        raise BadRequest("the text holds characters that are not valid Unicode", hint="UTF-8 text") from e
    except sqlite3.Error as e:
        raise LakeError(
            f"the state database in {state_dir} cannot be used: {e}",
            hint="check the free space and that the folder can be written",
        ) from e


_RUN_COLUMNS = (
    "run_id, session_id, viewer, question, dataset, version, status, owner, started_at, ended_at,"
    " has_fail, view"
)


def _run_row(row: Mapping[str, Any]) -> RunRow:
    return RunRow(**{**row, "has_fail": bool(row["has_fail"])})


def _kind(text: str) -> EventKind:
    return text  # type: ignore[return-value]  # written by append_event from an EventKind


def _claim_owner(state_dir: Path) -> tuple[str, IO[bytes]]:
    owner = uuid.uuid4().hex[:12]
    handle = (state_dir / f"{owner}.owner").open("wb")
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return owner, handle


def _is_alive(state_dir: Path, owner: str) -> bool:
    path = state_dir / f"{owner}.owner"
    try:
        with path.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    path.unlink(missing_ok=True)
    return False
