"""The serving files of this process: built when missing, opened once a version, dropped when nobody reads.

A file is one path per version and never changes; each is opened as its own locked, read-only instance.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askcore.base.config import Settings
from askcore.base.errors import LakeError
from askcore.lake import delta
from askcore.lake.catalog_build import read_catalog, read_layers
from askcore.lake.layers import Layers
from askcore.lake.lock import Lease, disk_errors, exclusive, is_leased
from askcore.lake.schema import FactSchema, model_from_text
from askcore.lake.serving_build import FORMAT, BuildJob, Progress, build
from askcore.lake.shapes import read_shapes
from askcore.lake.sql import QUIET
from askcore.lake.versions import facts_dir, read_version
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model
from askcore.semantic.shape import Shape

if TYPE_CHECKING:
    import duckdb

KEPT = 2  # newest versions kept on disk: the current one and the one that running answers pin


@dataclass(eq=False)
class Served:
    """One open version."""

    path: Path
    con: duckdb.DuckDBPyConnection
    lease: Lease
    dataset: str
    version: int
    model: Model
    catalog: Catalog
    layers: Layers
    files: tuple[str, ...]
    """Data files in the lake that the version was built from."""
    users: int = 0
    compiled: dict[Any, Any] = field(default_factory=dict)
    """Statements of the query builder by the shape of the spec."""


class ServingFiles:
    """All open serving files of one process; thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._opening: dict[Path, threading.Lock] = {}
        self._open: dict[Path, Served] = {}

    def acquire(self, dataset: str, version: int, progress: Progress | None = None) -> Served:
        """The open version, built when needed; give it back with `release`.

        Raises: LakeError when the version cannot be rebuilt ("snapshot expired").
        """
        path = self._settings.serving_dir / dataset / f"v{version}.duckdb"
        with self._lock:
            opening = self._opening.setdefault(path, threading.Lock())
        if opening.locked() and progress is not None:
            progress("waiting", 0.0)
        with opening:
            with self._lock:
                served = self._open.get(path)
            if served is None:
                served = self._ensure(path, dataset, version, progress or _silent)
                with self._lock:
                    self._open[path] = served
            with self._lock:
                served.users += 1
        return served

    def release(self, served: Served) -> None:
        """The caller no longer reads from `served`."""
        with self._lock:
            served.users -= 1

    def discard(self, served: Served) -> None:
        """The file of `served` is damaged: close it and remove it, so that `acquire` builds it anew."""
        with self._lock:
            if self._open.get(served.path) is served:
                del self._open[served.path]
                served.path.unlink(missing_ok=True)
        _close(served)

    def shapes(self, served: Served) -> tuple[Shape, ...]:
        """What the load of the version delivered, then the load before."""
        return read_shapes(self._settings.lake_dir, served.dataset, served.version)

    def close(self) -> None:
        """Close every file of this process."""
        with self._lock:
            for served in self._open.values():
                _close(served)
            self._open.clear()

    def _ensure(self, path: Path, dataset: str, version: int, progress: Progress) -> Served:
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lease = Lease(path.with_suffix(".lease"))
        if path.exists() and (served := self._connect(path, lease, dataset, version)):
            return served
        progress("waiting", 0.0)
        with exclusive(path.parent / ".build.lock"):
            if path.exists() and (served := self._connect(path, lease, dataset, version)):
                return served
            path.unlink(missing_ok=True)
            build(self._job(path, dataset, version, progress))
            served = self._connect(path, lease, dataset, version)
            self._tidy(path.parent)
        if served is None:
            raise LakeError(f"the serving file {path.name} cannot be read after it was built")
        return served

    def _job(self, path: Path, dataset: str, version: int, progress: Progress) -> BuildJob:
        lake_dir = self._settings.lake_dir
        info = read_version(lake_dir, dataset, version)
        table = delta.open_table(facts_dir(lake_dir, dataset), version)
        return BuildJob(
            path=path,
            folder=lake_dir / dataset,
            info=info,
            schema=FactSchema(model_from_text(info.model_text)),
            files=delta.files_of(table),
            threads=self._settings.duckdb_threads,
            progress=progress,
        )

    def _connect(self, path: Path, lease: Lease, dataset: str, version: int) -> Served | None:
        """The opened file; None when it is damaged or of another format."""
        import duckdb

        config: dict[str, Any] = {
            "threads": self._settings.duckdb_threads,
            "enable_external_access": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        if self._settings.duckdb_memory_mb:
            config["memory_limit"] = f"{self._settings.duckdb_memory_mb}MiB"
        con = None
        try:
            con = duckdb.connect(str(path), read_only=True, config=config)
            _lock_settings(con)
            info = dict(con.execute("SELECT key, value FROM info").fetchall())
            if info.get("format") == FORMAT:
                model = model_from_text(info["model"])
                schema = FactSchema(model)
                catalog = read_catalog(con, schema, dataset, version)
                layers = read_layers(con, schema, key_dimensions=bool(info["key_dimensions"]))
                folder = self._settings.lake_dir / dataset
                files = tuple(str(folder / f) for f in json.loads(info["files"]))
                return Served(path, con, lease, dataset, version, model, catalog, layers, files)
        except (duckdb.Error, KeyError, ValueError):
            pass  # damaged: the caller builds it anew from the lake
        if con is not None:
            con.close()
        return None

    def _tidy(self, folder: Path) -> None:
        """Close what nobody reads; remove old files that no process holds and what killed builds left.

        The caller holds the build lock, so no other build is under way.
        """
        for left in folder.glob(".v*.tmp*"):
            left.unlink(missing_ok=True)
        numbered = {int(p.stem[1:]): p for p in folder.glob("v*.duckdb") if p.stem[1:].isdigit()}
        for version in sorted(numbered, reverse=True)[KEPT:]:
            path = numbered[version]
            with self._lock:
                served = self._open.get(path)
                idle = served is not None and served.users == 0
                if idle:
                    del self._open[path]
            if served is not None and idle:
                _close(served)
            lease = path.with_suffix(".lease")
            if not is_leased(lease):
                path.unlink(missing_ok=True)
                lease.unlink(missing_ok=True)


def _lock_settings(con: duckdb.DuckDBPyConnection) -> None:
    """Quiet, and no setting changes any more; another opening of the file in this process did it already."""
    locked = con.execute("SELECT current_setting('lock_configuration')").fetchone()
    if locked is None or not locked[0]:
        con.execute(QUIET)
        con.execute("SET lock_configuration = true")


def _close(served: Served) -> None:
    served.con.close()
    served.lease.close()


def _silent(stage: str, share: float) -> None:
    """Progress that nobody watches."""


__all__ = ["Progress", "Served", "ServingFiles"]
