"""PATH arguments -> data files, the model and the sync log beside them, and a name for the dataset."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from askcore.lake.ingest.csv_reader import read_csv
from askcore.lake.ingest.excel_reader import read_excel
from askcore.lake.ingest.message import Message, Refusal, message
from askcore.lake.ingest.parquet_reader import read_parquet
from askcore.lake.ingest.raw_table import RawTable

SYNC_FILE = "sync_log.csv"
MODEL_FILES = ("model.yaml", "model.yml")
_READERS: Mapping[str, Callable[[Path, str], RawTable]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".txt": read_csv,
    ".xlsx": read_excel,
    ".xlsm": read_excel,
    ".xls": read_excel,
    ".parquet": read_parquet,
}
_IN_FOLDER = (".csv", ".tsv", ".xlsx", ".parquet")
_NAME_LENGTH = 48
_HASH_LENGTH = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What is to be read."""

    files: tuple[tuple[Path, str], ...]
    """(path, path as given) of the data files."""
    dataset: str
    """Name for the dataset when none is given."""
    model_file: Path | None = None
    sync_file: Path | None = None
    decisions: tuple[Message, ...] = ()


def resolve_inputs(paths: Iterable[Path]) -> Inputs:
    """Files and folders as given -> what to read.

    Raises: Refusal when a path does not exist, is of an unknown kind, or a folder holds no data.
    """
    given = [Path(p) for p in paths]
    if not given:
        raise Refusal("no_paths")
    files: list[Path] = []
    for path in given:
        files += _files_of(path)
    model = _first(f for f in files if f.name.lower() in MODEL_FILES)
    sync = _first(f for f in files if f.name.lower() == SYNC_FILE)
    data = [f for f in files if f.suffix.lower() in _READERS and f.name.lower() != SYNC_FILE]
    odd = [f.name for f in files if f not in data and f not in (model, sync)]
    if odd:
        raise Refusal("unknown_kind", path=odd[0], known=", ".join(sorted(_READERS)))
    if not data:
        raise Refusal("no_data_files", path=", ".join(map(str, given)))
    if sync is None and not any(p.is_dir() for p in given):
        beside = data[0].with_name(SYNC_FILE)
        sync = beside if beside.is_file() else None
    source = given[0] if given[0].is_dir() else data[0]
    return Inputs(
        files=tuple((f, str(f)) for f in data),
        dataset=dataset_name(source.resolve().name if source.is_dir() else source.stem),
        model_file=model,
        sync_file=sync,
        decisions=() if sync is None else (message("sync_found", path=str(sync)),),
    )


def _files_of(path: Path) -> list[Path]:
    if not path.exists():
        raise Refusal("missing_file", path=str(path))
    if not path.is_dir():
        return [path]
    try:
        entries = sorted(p for p in path.iterdir() if p.is_file())
    except OSError as e:
        raise Refusal("unreadable_file", path=str(path), problem=e.strerror or "") from e
    known = (*MODEL_FILES, SYNC_FILE)
    visible = [p for p in entries if not p.name.startswith((".", "~"))]
    return [p for p in visible if p.suffix.lower() in _IN_FOLDER or p.name.lower() in known]


def _first(files: Iterable[Path]) -> Path | None:
    return next(iter(files), None)


def read_file(path: Path, name: str) -> RawTable:
    """Read one data file by its ending.

    Raises: Refusal when it cannot be read.
    """
    try:
        with path.open("rb"):
            pass
        if os.path.getsize(path) == 0:  # noqa: PTH202 - a pipe has no useful stat through Path
            raise Refusal("empty_file", path=name)
        return _READERS[path.suffix.lower()](path, name)
    except OSError as e:
        raise Refusal("unreadable_file", path=name, problem=e.strerror or str(e)) from e


def dataset_name(stem: str) -> str:
    """A name that is safe as a folder: ASCII words of the stem; what is lost is kept apart by a hash.

    The same stem always gives the same name, so that a file loaded again reaches its dataset.
    """
    plain = re.sub(r"[^0-9A-Za-z]+", "_", stem).strip("_").lower()[:_NAME_LENGTH].strip("_")
    lost = not stem.isascii() or not plain or len(stem) > _NAME_LENGTH
    if not lost:
        return plain
    digest = hashlib.sha256(stem.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_LENGTH]
    return f"{plain}_{digest}" if plain else f"data_{digest}"
