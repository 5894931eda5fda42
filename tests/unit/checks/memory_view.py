"""A view over tables in memory: the serving tables of the contract, without Delta and files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pandas as pd

from askcore.base.values import Period
from askcore.base.views import SyncRow
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Model
from askcore.semantic.shape import Shape

_STORED = ("sum", "weighted_mean", "last", "mean_per_row")


def _q(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass
class Result:
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    truncated: bool = False

    def scalar(self) -> Any:
        return self.rows[0][0] if self.rows else None


class MemoryView:
    """rows: one dict a delivered row, in file order, ids "" below the row's level; `raw` = field -> value."""

    version = 1

    def __init__(
        self,
        model: Model,
        rows: pd.DataFrame,
        *,
        sync: Sequence[SyncRow] = (),
        shapes: tuple[Shape, ...] = (),
    ) -> None:
        self.shapes = shapes
        self.model = model
        self.dataset = "memory"
        self.statements = 0
        self._sync = tuple(sync)
        self._con = duckdb.connect(config={"threads": 2})
        self._fact(rows)
        self.raw_fields = self._raw(rows)
        self.catalog = self._catalog()

    def _key(self) -> list[str]:
        return ["date", "scope", *(level.id for level in self.model.levels)]

    def _fact(self, rows: pd.DataFrame) -> None:
        model = self.model
        frame = rows.copy()
        frame["date"] = pd.to_datetime(frame["date"]).dt.date
        frame["_dup_n"] = frame.groupby(self._key(), sort=False).cumcount() + 1
        self._frame = frame
        fields = ["CAST(date AS DATE) AS date", "CAST(scope AS VARCHAR) AS scope"]
        texts = [c for level in model.levels for c in (level.id, level.name)]
        texts += [d.column for d in model.dimensions]
        for column in dict.fromkeys(texts):
            value = _q(column) if column in frame else "''"
            fields.append(f"coalesce(CAST({value} AS VARCHAR), '') AS {_q(column)}")
        for metric in model.metrics:
            if metric.additivity.kind not in _STORED:
                continue
            kind = "DECIMAL(18,4)" if metric.unit == "CNY" else "DOUBLE"
            value = _q(metric.key) if metric.key in frame else "NULL"
            fields.append(f"CAST({value} AS {kind}) AS {_q(metric.key)}")
        shown = frame.drop(columns=["raw"], errors="ignore")
        self._con.register("delivered", shown)
        ids = ", ".join(_q(c) for c in self._key()[2:]) or "scope"
        self._con.execute(
            f"CREATE TABLE fact AS SELECT {', '.join(fields)}, CAST(_dup_n AS INTEGER) AS _dup_n "
            f"FROM delivered ORDER BY scope, date, {ids}, _dup_n"
        )
        self._con.unregister("delivered")

    def _raw(self, rows: pd.DataFrame) -> tuple[str, ...]:
        key = self._key()
        ids = "".join(f", {_q(c)}" for c in key[2:])
        if "raw" not in rows or not len(rows) or not any(rows["raw"]):
            self._con.execute(
                f"CREATE TABLE raw AS SELECT date, scope{ids}, _dup_n, "
                "CAST(NULL AS STRUCT(_none VARCHAR)) AS fields FROM fact LIMIT 0"
            )
            return ()
        parsed = pd.DataFrame([r if isinstance(r, dict) else json.loads(r or "{}") for r in rows["raw"]])
        names = list(parsed.columns)
        table = pd.concat([self._frame[[*key, "_dup_n"]].reset_index(drop=True), parsed], axis=1)
        self._con.register("sources", table)
        packed = ", ".join(f"{_q(n)} := CAST({_q(n)} AS DOUBLE)" for n in names)
        self._con.execute(
            f"CREATE TABLE raw AS SELECT CAST(date AS DATE) AS date, scope{ids}, "
            f"CAST(_dup_n AS INTEGER) AS _dup_n, struct_pack({packed}) AS fields FROM sources"
        )
        self._con.unregister("sources")
        return tuple(names)

    def _catalog(self) -> Catalog:
        frame, model = self._frame, self.model
        entities = []
        for depth, level in enumerate(model.levels):
            above = model.levels[:depth]
            own = frame[frame["scope"] == level.key]
            for entity_id, group in own.groupby(level.id):
                last = group.iloc[-1]
                entities.append(
                    Entity(
                        level=level.key,
                        id=str(entity_id),
                        name=str(last.get(level.name, entity_id)),
                        parents={a.key: str(last[a.id]) for a in above},
                        first_day=min(group["date"]).isoformat(),
                        last_day=max(group["date"]).isoformat(),
                    )
                )
        scopes = [lv.key for lv in model.levels if (frame["scope"] == lv.key).any()]
        columns = [
            row[0]
            for row in self._con.execute(
                "SELECT column_name FROM duckdb_columns() WHERE table_name = 'fact'"
            ).fetchall()
            if self._con.execute(f"SELECT count({_q(row[0])}) FROM fact").fetchone()[0]
        ]
        days = list(frame["date"])
        return Catalog(
            dataset=self.dataset,
            version=1,
            period=Period(start=min(days), end=max(days)) if days else None,
            entities=tuple(entities),
            scopes=tuple(scopes),
            scope_periods={
                s: Period(
                    start=min(frame.loc[frame["scope"] == s, "date"]),
                    end=max(frame.loc[frame["scope"] == s, "date"]),
                )
                for s in scopes
            },
            columns=tuple(columns),
            dimension_values={
                d.key: tuple(sorted({str(v) for v in frame[d.column].dropna()} - {""}))
                for d in model.dimensions
                if d.column in frame
            },
            row_count=len(frame),
        )

    def run(self, sql: str, params: Sequence[object] = (), *, limit: int = 100_000) -> Result:
        self.statements += 1
        cursor = self._con.execute(sql, list(params))
        columns = tuple(d[0] for d in cursor.description or ())
        rows = cursor.fetchmany(limit + 1)
        return Result(columns, rows[:limit], len(rows) > limit)

    def sync_log(self) -> tuple[SyncRow, ...]:
        return tuple(sorted(self._sync, key=lambda r: r.time, reverse=True))
