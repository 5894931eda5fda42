"""On which days do two versions of a dataset differ? Told from the data files that only one of them has."""

from __future__ import annotations

# ruff: noqa: S608 - file names are quoted by `sql.literal`, columns by `sql.quote`
import logging
from datetime import date
from pathlib import Path

from askcore.base.errors import LakeError
from askcore.lake import delta, stored
from askcore.lake.schema import DATE
from askcore.lake.sql import file_list, quote
from askcore.lake.versions import facts_dir, read_version

_LOG = logging.getLogger(__name__)


def changed_days(lake_dir: Path, dataset: str, was: int, now: int) -> frozenset[date] | None:
    """Days whose rows were added, changed or removed from `was` to `now`, of any level.

    None when nothing can be said: a version is gone, or the model changed, so that numbers may move over
    the same rows. Loads write months whole: rows that were written again as they were do not count.
    """
    try:
        before, after = (read_version(lake_dir, dataset, n) for n in (was, now))
        if (before.model_text, before.key_dimensions) != (after.model_text, after.key_dimensions):
            return None
        path = facts_dir(lake_dir, dataset)
        old, new = (frozenset(delta.files_of(delta.open_table(path, n))) for n in (was, now))
        return _differing(sorted(old - new), sorted(new - old))
    except LakeError as e:
        _LOG.info("versions %s and %s of %s cannot be told apart: %s", was, now, dataset, e.message)
        return None


def _differing(old: list[str], new: list[str]) -> frozenset[date]:
    """Days whose rows, counted and hashed whole, are not the same in both."""
    import duckdb

    files = [*old, *new]
    if not files:
        return frozenset()
    scan = f"read_parquet({file_list(files)}, union_by_name=true, hive_partitioning=false, filename=true)"
    day = quote(DATE)
    sql = (
        f"WITH rows AS (SELECT * EXCLUDE (filename), filename IN {file_list(old)} AS is_old FROM {scan}),"
        f" hashed AS (SELECT is_old, {day} AS day, hash(*COLUMNS(* EXCLUDE (is_old)))::HUGEINT AS h"
        " FROM rows) SELECT day FROM hashed GROUP BY day"
        " HAVING sum(if(is_old, 1, -1)) <> 0 OR sum(if(is_old, h, -h)) <> 0"
    )
    try:
        with stored.cursor() as con:
            return frozenset(row[0] for row in con.execute(sql).fetchall())
    except duckdb.Error as e:
        raise LakeError(f"the files of two versions cannot be compared: {e}") from e
