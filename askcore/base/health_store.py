"""What health runs found, version by version, and what people muted; in the state database.

A scan is written whole in one statement and never changed; the newest of a version counts. Mutes are rows
that end by their day or by somebody's hand. Of both only the newest are kept.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from askcore.base.errors import BadRequest, LakeError
from askcore.base.values import VerdictStatus
from askcore.base.views import Mute

_SCHEMA = """
create table if not exists health_scans (
  seq integer primary key autoincrement, dataset text not null, version integer not null,
  loaded_at real not null, as_of text not null, scanned_at real not null, body blob not null);
create index if not exists health_scans_version on health_scans (dataset, version, seq);
create table if not exists health_mutes (
  mute_id text primary key, dataset text not null, check_id text not null, bad_key text not null,
  reason text not null, viewer text not null, start text not null, until text not null,
  ended_at real, ended_by text);
create index if not exists health_mutes_dataset on health_mutes (dataset, until);
"""
MAX_SCANS = 200  # of a dataset: half a year of daily loads
MAX_SCANS_A_VERSION = 10  # the findings of one version change with the clock only
MAX_MUTES = 1000  # of a dataset, ended ones included
_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckState:
    """What one check found."""

    status: VerdictStatus
    n_bad: int
    since: Mapping[str, int] = field(default_factory=dict)
    """Bad key as JSON text with sorted names -> the version that first had it, without a break. {} when there
    were too many; of a skipped check those that it had when it was last evaluated."""

    @property
    def is_cut(self) -> bool:
        """Whether there were too many keys to keep."""
        return len(self.since) < self.n_bad


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """One health run over all data of a version."""

    dataset: str
    version: int
    loaded_at: float
    """When the version was committed: tells versions of a dataset that was made anew from those before."""
    as_of: date
    checks: Mapping[str, CheckState]
    scanned_at: float = 0.0


class HealthStore:
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

    # scans --------------------------------------------------------------------------------------

    def record(self, scan: Scan, now: float) -> bool:
        """Append the scan unless the newest of its version found the same; whether it was appended."""
        body = _packed(scan)
        where = (scan.dataset, scan.version, scan.loaded_at)
        with self._transaction() as con:
            newest = con.execute(
                "select body from health_scans where dataset = ? and version = ? and loaded_at = ?"
                " order by seq desc limit 1",
                where,
            ).fetchone()
            if newest is not None and newest[0] == body:
                return False
            con.execute(
                "insert into health_scans (dataset, version, loaded_at, as_of, scanned_at, body)"
                " values (?, ?, ?, ?, ?, ?)",
                (*where, scan.as_of.isoformat(), now, body),
            )
            con.execute(
                "delete from health_scans where dataset = ? and version = ? and seq not in (select seq from"
                " health_scans where dataset = ? and version = ? order by seq desc limit ?)",
                (scan.dataset, scan.version, scan.dataset, scan.version, MAX_SCANS_A_VERSION),
            )
            con.execute(
                "delete from health_scans where dataset = ? and seq not in (select seq from health_scans"
                " where dataset = ? order by seq desc limit ?)",
                (scan.dataset, scan.dataset, MAX_SCANS),
            )
        return True

    def has_scan(self, dataset: str, version: int, loaded_at: float) -> bool:
        """Whether this very version was scanned."""
        sql = "select 1 from health_scans where dataset = ? and version = ? and loaded_at = ? limit 1"
        return bool(self._rows(sql, (dataset, version, loaded_at)))

    def versions(self, dataset: str) -> tuple[tuple[int, float], ...]:
        """(version, loaded at) of every scanned version, newest first; of those that are gone too."""
        rows = self._rows(
            "select distinct version, loaded_at from health_scans where dataset = ?"
            " order by version desc, loaded_at desc",
            (dataset,),
        )
        return tuple((int(row[0]), float(row[1])) for row in rows)

    def scans(self, dataset: str, versions: Sequence[tuple[int, float]]) -> tuple[Scan, ...]:
        """The newest scan of each of these versions, in their order; those never scanned are left out."""
        sql = (
            "select dataset, version, loaded_at, as_of, scanned_at, body from health_scans"
            " where dataset = ? and version = ? and loaded_at = ? order by seq desc limit 1"
        )
        rows = [row for one in versions for row in self._rows(sql, (dataset, *one))]
        return tuple(
            Scan(
                dataset=row[0],
                version=row[1],
                loaded_at=row[2],
                as_of=date.fromisoformat(row[3]),
                scanned_at=row[4],
                checks=_unpacked(row[5]),
            )
            for row in rows
        )

    # mutes --------------------------------------------------------------------------------------

    def add_mute(self, mute: Mute) -> None:
        """Store a mute; one of the same findings that still runs ends by it."""
        bad_key = json.dumps(dict(mute.key), ensure_ascii=False, sort_keys=True)
        with self._transaction() as con:
            con.execute(
                "update health_mutes set ended_at = ?, ended_by = ? where dataset = ? and check_id = ?"
                " and bad_key = ? and ended_at is null",
                (mute.created_at, mute.viewer, mute.dataset, mute.check, bad_key),
            )
            con.execute(
                "insert into health_mutes (mute_id, dataset, check_id, bad_key, reason, viewer, start, until)"
                " values (?, ?, ?, ?, ?, ?, ?, ?)",
                (mute.mute_id, mute.dataset, mute.check, bad_key, mute.reason, mute.viewer,
                 mute.start.isoformat(), mute.until.isoformat()),
            )  # fmt: skip
            con.execute(
                "delete from health_mutes where dataset = ? and rowid not in (select rowid from health_mutes"
                " where dataset = ? order by ended_at is null desc, rowid desc limit ?)",
                (mute.dataset, mute.dataset, MAX_MUTES),
            )

    def end_mute(self, dataset: str, mute_id: str, viewer: str, now: float) -> bool:
        """End a mute; False when there is no such one that runs."""
        with self._transaction() as con:
            done = con.execute(
                "update health_mutes set ended_at = ?, ended_by = ? where dataset = ? and mute_id = ?"
                " and ended_at is null",
                (now, viewer, dataset, mute_id),
            )
            return done.rowcount > 0

    def mutes(self, dataset: str) -> tuple[Mute, ...]:
        """Mutes that nobody ended, newest first; those past their day too."""
        rows = self._rows(
            "select mute_id, dataset, check_id, bad_key, reason, viewer, start, until from health_mutes"
            " where dataset = ? and ended_at is null order by rowid desc",
            (dataset,),
        )
        return tuple(
            Mute(
                mute_id=row[0], dataset=row[1], check=row[2], key=json.loads(row[3]), reason=row[4],
                viewer=row[5], start=date.fromisoformat(row[6]), until=date.fromisoformat(row[7]),
            )
            for row in rows
        )  # fmt: skip

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
        except UnicodeEncodeError as e:
            raise BadRequest("the text holds characters that are not valid Unicode", hint="UTF-8 text") from e
        except (sqlite3.Error, OSError) as e:
            raise LakeError(
                f"the state database in {self._dir} cannot be used: {e}",
                hint="check the free space and that the folder can be written",
            ) from e


def key_text(key: Mapping[str, str]) -> str:
    """A bad key as text that is the same whatever the order of its names; empty parts are left out."""
    kept = {name: value for name, value in key.items() if value}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _packed(scan: Scan) -> bytes:
    checks = {
        name: {"status": s.status, "n": s.n_bad, "since": dict(sorted(s.since.items()))}
        for name, s in sorted(scan.checks.items())
    }
    return zlib.compress(json.dumps(checks, ensure_ascii=False).encode())


def _unpacked(body: bytes) -> dict[str, CheckState]:
    parsed = json.loads(zlib.decompress(body))
    return {
        name: CheckState(status=s["status"], n_bad=s["n"], since=s["since"]) for name, s in parsed.items()
    }
