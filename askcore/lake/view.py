"""One pinned version of a dataset, read through a cursor of its own."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from askcore.base.errors import BadRequest, Cancelled, LakeError
from askcore.base.values import Lang, Period, QuerySpec
from askcore.base.views import SyncRow
from askcore.lake.result import QueryResult, Rows
from askcore.lake.serving import Served, ServingFiles
from askcore.lake.stored import cursor, files_of_period, with_stored
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model
from askcore.semantic.shape import Shape

if TYPE_CHECKING:
    import duckdb

_DAMAGE = ("checksum", "corrupt", "serializ", "deserializ", "truncated", "read from file")
_DAMAGE_SEEN_BY_OTHERS = ("invalidated", "already closed", "has been closed")
_INTERRUPT_EVERY_S = 0.002
_INTERRUPT_FOR_S = 0.5  # a statement that has not begun cannot be interrupted yet


class LakeView:
    """Reads one version; close it, or use it as a context manager. One thread reads at a time."""

    def __init__(self, files: ServingFiles, served: Served) -> None:
        self._files = files
        self._served = served
        self._cursor = served.con.cursor()
        self._cancel = threading.Event()
        self._running = False
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, files.release, served)

    @property
    def dataset(self) -> str:
        """Name of the dataset."""
        return self._served.dataset

    @property
    def version(self) -> int:
        """The pinned version."""
        return self._served.version

    @property
    def model(self) -> Model:
        """The model that this version was loaded with."""
        return self._served.model

    @property
    def catalog(self) -> Catalog:
        """Entities, ranges and columns; made once a version."""
        return self._served.catalog

    @property
    def raw_fields(self) -> tuple[str, ...]:
        """Fields of the STRUCT in the table `raw`; () when the source gave none."""
        return self._served.layers.raw_fields

    def query(self, spec: QuerySpec, *, lang: Lang = "en") -> QueryResult:
        """Rows and totals of `spec` by the model's rules.

        Raises: BadRequest on an unknown name or a metric that the source lacks; Cancelled; LakeError.
        """
        from askcore.lake.query import run_query

        return run_query(self._served, spec, lang, self._execute)

    def run(
        self,
        sql: str,
        params: Sequence[object] | Mapping[str, object] = (),
        *,
        limit: int = 100_000,
    ) -> Rows:
        """A read-only statement of the checks' own; at most `limit` rows.

        params: for ? in order, or by name for $name.

        Raises: BadRequest when the statement is wrong; Cancelled; LakeError.
        """
        bound = params if isinstance(params, Mapping) else list(params)
        columns, rows = self._execute(sql, bound, limit + 1)
        return Rows(columns=columns, rows=rows[:limit], truncated=len(rows) > limit)

    def run_stored(self, sql: str, params: Sequence[object] | Mapping[str, object], period: Period) -> Rows:
        """A statement over the lake's own files, where they hold the period: the table is `stored`.

        A second path to a figure: it reads neither the serving file nor anything the query builder wrote.
        Raises: BadRequest when the statement is wrong; Cancelled; LakeError when files are gone.
        """
        import duckdb

        files = files_of_period(self._served.files, period)
        if not files:
            return Rows(columns=(), rows=[], truncated=False)
        bound = params if isinstance(params, Mapping) else list(params)
        with self._lock:
            served, self._cursor = self._cursor, cursor()
        try:
            columns, rows = self._once(with_stored(sql, files), bound, None)
        except duckdb.Error as e:
            raise _translated(e) from e
        finally:
            with self._lock:
                files_cursor, self._cursor = self._cursor, served
            files_cursor.close()
        return Rows(columns=columns, rows=rows, truncated=False)

    def interrupt(self) -> None:
        """From another thread: the running statement, or else the next one, raises Cancelled."""
        self._cancel.set()
        until = time.monotonic() + _INTERRUPT_FOR_S
        while time.monotonic() < until:
            with self._lock:
                if not (self._running and self._cancel.is_set()):
                    return
                self._cursor.interrupt()
            time.sleep(_INTERRUPT_EVERY_S)

    def sync_log(self) -> tuple[SyncRow, ...]:
        """The source's sync log, newest first."""
        sql = "SELECT time, entity, state, rows, message FROM sync_log ORDER BY time DESC, entity"
        return tuple(
            SyncRow(
                time=moment.isoformat(sep=" "),
                entity=entity or "",
                state=state or "",
                rows=rows,
                message=message or "",
            )
            for moment, entity, state, rows, message in self.run(sql).rows
        )

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What the load of this version delivered, then the load before; fewer when the log does not say."""
        return self._files.shapes(self._served)

    def close(self) -> None:
        """Give the cursor and the version back; closing twice is fine."""
        if self._finalizer.detach() is not None:
            self._cursor.close()
            self._files.release(self._served)

    def __enter__(self) -> LakeView:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _execute(
        self, sql: str, params: list[object] | Mapping[str, object], limit: int | None
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Run one statement; a damaged file is built anew and the statement tried once more."""
        import duckdb

        try:
            return self._once(sql, params, limit)
        except duckdb.Error as e:
            if not _is_damage(e):
                raise _translated(e) from e
        self._reopen()
        try:
            return self._once(sql, params, limit)
        except duckdb.Error as e:
            raise _translated(e) from e

    def _once(
        self, sql: str, params: list[object] | Mapping[str, object], limit: int | None
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        import duckdb

        self._raise_if_cancelled()
        with self._lock:
            self._running = True
        try:
            self._cursor.execute(sql, params)
            rows = self._cursor.fetchall() if limit is None else self._cursor.fetchmany(limit)
            columns = tuple(d[0] for d in self._cursor.description or ())
        except duckdb.InterruptException as e:
            self._cancel.clear()
            raise Cancelled("the statement was stopped") from e
        finally:
            with self._lock:
                self._running = False
        self._raise_if_cancelled()
        return columns, rows

    def _raise_if_cancelled(self) -> None:
        if not self._finalizer.alive:
            raise LakeError("the view is closed")
        if self._cancel.is_set():
            self._cancel.clear()
            raise Cancelled("the statement was stopped")

    def _reopen(self) -> None:
        damaged = self._served
        self._finalizer.detach()
        self._files.discard(damaged)
        self._served = self._files.acquire(damaged.dataset, damaged.version)
        self._cursor = self._served.con.cursor()
        self._finalizer = weakref.finalize(self, self._files.release, self._served)


def _is_damage(error: duckdb.Error) -> bool:
    text = str(error).lower()
    return any(word in text for word in (*_DAMAGE, *_DAMAGE_SEEN_BY_OTHERS))


def _translated(error: duckdb.Error) -> Exception:
    import duckdb

    if isinstance(error, duckdb.ProgrammingError | duckdb.DataError | duckdb.NotSupportedError):
        return BadRequest(f"the statement cannot run: {error}", error_class="sql_error")
    if isinstance(error, duckdb.PermissionException | duckdb.InvalidInputException):
        return BadRequest(f"the statement cannot run: {error}", error_class="sql_error")
    hint = "ASKCORE_DUCKDB_MEMORY_MB" if isinstance(error, duckdb.OutOfMemoryException) else ""
    return LakeError(f"reading the lake failed: {error}", hint=hint)
