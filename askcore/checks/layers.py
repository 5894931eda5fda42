"""What the checks between two levels share: children joined to the row above, day by day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askcore.checks.finding import Finding, Grade, Outcome, grade_findings
from askcore.checks.frame import Frame
from askcore.checks.sql import Binder, fill, listed, quote, readable
from askcore.semantic.model import Level, Model

# One statement gives the number of compared rows and the bad ones: `n` is in every row, and there is one
# row without a key when nothing is bad.
_SQL = """
WITH child AS (
  SELECT f.date, @{ids}, @{sums} FROM fact f WHERE @{lower} GROUP BY ALL),
joined AS MATERIALIZED (
  SELECT @{key}, @{columns} FROM fact p JOIN child c ON c.date = p.date AND @{same}@{raw}
  WHERE @{upper} AND (@{evaluable})),
counted AS (SELECT count(*) AS n FROM joined),
bad AS (SELECT * FROM joined WHERE @{bad})
SELECT counted.n, bad.* FROM counted LEFT JOIN bad ON TRUE ORDER BY bad.date DESC NULLS LAST"""

Found = tuple[Sequence[Sequence[Any]], int, str]
"""(bad rows: key columns then the asked values, compared rows, statement)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerQuery:
    """Rows of `upper` with what the rows of `lower` below them give."""

    frame: Frame
    lower: Level
    upper: Level

    def run(
        self,
        *,
        sums: Sequence[str],
        columns: Sequence[str],
        evaluable: str,
        bad: str,
        with_raw: bool = False,
    ) -> Found:
        """Compare.

        sums: aggregates over `fact f`, named. columns: named expressions over `c` (the sums), `p` (the
        row above) and `r` (its raw fields). evaluable, bad: conditions over the same, and over `columns`.
        """
        frame, bind = self.frame, Binder()
        raw = f" JOIN raw r ON {frame.same_row('p', 'r')} AND r._dup_n = 1" if with_raw else ""
        sql = fill(
            _SQL,
            ids=listed(f"f.{quote(i)}" for i in frame.ids_of(self.upper)),
            sums=listed(sums),
            lower=frame.where(bind, scope=self.lower.key),
            key=frame.key_columns("p"),
            columns=listed(columns),
            same=frame.same_entity("c", "p", self.upper),
            raw=raw,
            upper=frame.where(bind, alias="p", scope=self.upper.key),
            evaluable=evaluable,
            bad=bad,
        )
        rows = frame.rows(sql, bind)
        found = [row[1:] for row in rows if row[1] is not None]
        return found, int(rows[0][0]), readable(sql, bind.values)

    def run_sum(self, metrics: Sequence[str], bad: str, floor: float) -> Found:
        """Children's sums beside the parent's values; `bad` reads `sum_gap`, the largest relative gap."""
        sums = ["count(*) AS n_rows"]
        columns, gaps, known = [], [], []
        for index, key in enumerate(metrics):
            column = quote(key)
            sums.append(f"CAST(sum(f.{column}) AS DOUBLE) AS s{index}")
            sums.append(f"count(f.{column}) AS k{index}")
            complete = f"c.k{index} = c.n_rows AND p.{column} IS NOT NULL"
            columns.append(f"CASE WHEN {complete} THEN c.s{index} END AS s{index}")
            columns.append(f"CASE WHEN {complete} THEN CAST(p.{column} AS DOUBLE) END AS p{index}")
            gap = f"abs(c.s{index} - p.{column})"
            gaps.append(
                f"CASE WHEN {complete} AND {gap} > {floor!r}"
                f" THEN {gap} / greatest(abs(c.s{index}), abs(p.{column})) ELSE 0 END"
            )
            known.append(f"({complete})")
        columns.append(f"greatest({listed(gaps)}, 0) AS sum_gap")
        found, n, sql = self.run(sums=sums, columns=columns, evaluable=" OR ".join(known), bad=bad)
        return [row[:-1] for row in found], n, sql


def across_levels(
    frame: Frame,
    check: str,
    pairs: Sequence[tuple[Level, Level]],
    *,
    query: Callable[[LayerQuery], Found],
    finding: Callable[[Sequence[Any]], Finding],
    words: Mapping[str, object],
    unseen: str = "skip_no_rows",
    stem: str = "",
) -> Outcome:
    """One outcome over all (lower, upper) pairs; `unseen`: why it is skipped when nothing can be compared."""
    findings: list[Finding] = []
    sqls: list[str] = []
    n_checked = 0
    for lower, upper in pairs:
        rows, checked, sql = query(LayerQuery(frame=frame, lower=lower, upper=upper))
        n_checked += checked
        sqls.append(sql)
        findings += [finding(row) for row in rows]
    return Outcome(
        check=check,
        kind="cross-layer",
        grade=grade_findings(findings) if n_checked else Grade(status="skip"),
        n_checked=n_checked,
        reason="" if n_checked else unseen,
        findings=findings,
        words=words,
        sql=";\n".join(sqls),
        stem=stem,
    )


def skipped(check: str, reason: str, words: Mapping[str, object], stem: str = "") -> Outcome:
    """A check between levels that could not be evaluated."""
    return Outcome(
        check=check,
        kind="cross-layer",
        grade=Grade(status="skip"),
        n_checked=0,
        reason=reason,
        words=words,
        stem=stem,
    )


def cannot(frame: Frame) -> str:
    """Why levels cannot be compared here; "" when they can."""
    if not frame.pairs:
        return "skip_one_layer"
    return "skip_split_rows" if frame.extra_keys else ""


def has_rule(model: Model, rule: str) -> tuple[str, ...]:
    """The ids of a model's rules of one kind."""
    return tuple(r.id for r in model.cross_layer if r.rule == rule)
