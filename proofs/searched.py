"""Mutants for what searches, peers and playbooks tell, and for the checks beside every figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from askcore.agent.skills import Skill, followed, skills
from askcore.agent.slip import with_second_path
from askcore.agent.verify import used_spec
from askcore.base.config import Settings
from askcore.base.values import Period, ToolResult, Verdict
from askcore.checks.used_rows import used_rows_verdicts
from askcore.service import Service
from proofs import halls, lake
from proofs import rows as row_mutants
from proofs.compared import BOTH, CURRENT, WEEK, Rows, Told, in_week, on_rows
from proofs.proof import Evidence, Proof
from proofs.spoil import Spoil, at, changed, key, keys_of

Rng = np.random.Generator


def scaled(rows: Rows, mask: pd.Series, factor: float) -> Rows:
    """Money and tickets of some rows times a factor; only halls are judged, so the levels above stay."""
    return changed(rows, mask, {n: (rows.loc[mask, n] * factor).round(2) for n in halls.SUMS})


def one_day(factor: float) -> Callable[[Rows, Rng], tuple[Rows, Told]]:
    """One hall's one day is far off."""

    def spoil(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
        day, hall = in_week(rng)
        return scaled(rows, at(rows, day, hall), factor), (("warn",), frozenset({key(day, hall)}))

    return spoil


def from_a_day(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
    """One hall loses two fifths for good, in the middle of the nine weeks."""
    _, hall = in_week(rng)
    since = halls.START + timedelta(days=int(rng.integers(25, 38)))
    mask = (rows["hallId"] == hall) & (rows["date"] >= since)
    return scaled(rows, mask, 0.6), (("warn",), frozenset({key(since, hall)}))


def _search(mode: str, start: date) -> Callable[[Any], ToolResult]:
    asked = {"metric": "takings", "mode": mode, "from": start.isoformat(), "to": halls.END.isoformat()}
    return lambda view: lake.ask(view, "detect_changes", **asked)


def peers(values: Mapping[str, Callable[[pd.Series], Any]], days: Callable[[str], list[date]]) -> Any:
    """What others take, place or number, of one hall in the newest week."""

    def spoil(rows: Rows, rng: Rng) -> tuple[Rows, Told]:
        _, hall = in_week(rng)
        mask = (rows["hallId"] == hall) & (rows["date"] >= WEEK)
        spoiled = changed(rows, mask, {n: make(rows.loc[mask, n]) for n, make in values.items()})
        return spoiled, (("warn",), frozenset(key(d, hall) for d in days(hall)))

    return spoil


def _benchmark(view: Any) -> ToolResult:
    return lake.ask(view, "peer_benchmark", metrics=["takings"], **BOTH)


def _week(hall: str) -> list[date]:
    return [WEEK + timedelta(days=n) for n in range(7)]


def _newest(hall: str) -> list[date]:
    return [halls.END]


def playbook(skill: Skill, tool: str, what: str, *, failed: bool = False) -> Proof:
    """One required step is left out, or failed."""

    def prove(seed: int) -> Evidence:
        every = [ToolResult(id=f"t{n}", tool=s.tool, args={}, ok=True) for n, s in enumerate(skill.steps)]
        lacking = [r for r in every if r.tool != tool]
        if failed:
            lacking.append(ToolResult(id="t9", tool=tool, args={}, ok=False))
        found, twin = (followed(skill, results, "en", seed) for results in (lacking, every))
        return Evidence(
            planted=("warn", 1, True),
            found=(found.status, found.n_bad, tool in found.note),
            twin=(twin.status, twin.n_bad),
            silence=("pass", 0),
        )

    return Proof(of=f"skill:{skill.id}", kind="verdict", mutant=what, prove=prove)


def playbooks() -> tuple[Proof, ...]:
    """Every required step of every playbook, left out; the first one also failed."""
    found = []
    for skill in skills():
        required = [s.tool for s in skill.steps if s.required]
        found += [playbook(skill, t, f"{t} is left out") for t in required]
        found.append(playbook(skill, required[0], f"{required[0]} failed", failed=True))
    return tuple(found)


def used(check: str, status: str, mutant: str, spoil: Spoil) -> Proof:
    """The rows behind a figure are faulty. The twin is the same mutant, asked about days before the fault."""

    def prove(seed: int) -> Evidence:
        rng = np.random.default_rng(seed)
        spoiled = spoil(halls.clean(seed), rng)
        day = date.fromisoformat(min(spoiled.keys)[0])
        owner = min(spoiled.keys)[4]
        seen = []
        with lake.view_of(spoiled.rows) as view:
            for start, end in ((day, day), (day - timedelta(days=6), day - timedelta(days=1))):
                args = {"metrics": ["takings", "mark"], "scope": "hall", "filters": {"hall": [owner]}}
                period = Period(start=start, end=end)
                spec = used_spec(args, period, owner[:2])
                seen.append(used_rows_verdicts(view, spec, as_of=halls.AS_OF, lang="en"))
        found, twin = seen
        bad = [v for v in found if v.status in ("warn", "fail")]
        return Evidence(
            planted=([(check, status)], frozenset({key(day, owner)})),
            found=([(v.check, v.status) for v in bad], keys_of(bad)),
            twin=[(v.check, v.status, v.n_checked > 0) for v in twin],
            silence=[("used_rows", "pass", True)],
        )

    return Proof(of="used_rows", kind="check", mutant=mutant, prove=prove)


EDITS: Mapping[str, str] = {
    "a value of the serving file differs from the lake's files": "UPDATE fact SET takings = takings + 1 "
    f"WHERE date = '{WEEK}' AND networkId = 'NA'",
    "a row is lost in the serving file": f"DELETE FROM fact WHERE date = '{WEEK}' AND networkId = 'NA'",
    "a join doubles the rows": "INSERT INTO fact SELECT * FROM fact",
    "another period's rows are read": "UPDATE fact SET date = date + 7 "
    f"WHERE date = '{WEEK - timedelta(days=7)}'",
}


def second(mutant: str, edit: str) -> Proof:
    """The serving file is changed behind the lake's back."""

    def prove(seed: int) -> Evidence:
        twin = _slip(lake.clean_view(seed))
        with TemporaryDirectory(prefix="proof-") as home:
            made = lake.loaded(Path(home), halls.clean(seed))
            made.lake.open(lake.NAME).close()
            made.lake.close()
            (file,) = (Path(home) / "serving" / lake.NAME).glob("*.duckdb")
            with duckdb.connect(str(file)) as con:
                con.execute(edit)
            service = Service(Settings(home=Path(home)))
            with service.lake.open(lake.NAME) as view:
                found = _slip(view)
            service.lake.close()
        return Evidence(
            planted=("fail", "critical", True),
            found=(found.status, found.severity, found.n_bad > 0),
            twin=(twin.status, twin.n_checked > 0),
            silence=("pass", True),
        )

    return Proof(of="second_path", kind="check", mutant=mutant, prove=prove)


def _slip(view: Any) -> Verdict:
    asked = lake.ask(view, "query_report", metrics=["takings"], **CURRENT)
    (found,) = lake.named(with_second_path(asked, lake.context(view), 1), "second_path")
    return found


PROOFS = (
    on_rows("anomaly", "one hall takes half on one day", one_day(0.5), _search("anomaly", WEEK)),
    on_rows("anomaly", "one hall takes 1.6 times as much on one day", one_day(1.6), _search("anomaly", WEEK)),
    on_rows(
        "change_point",
        "one hall takes two fifths less from a day on",
        from_a_day,
        _search("changepoint", halls.START),
    ),
    on_rows(
        "peer_gap",
        "one hall's peers take half as much again",
        peers({"takings__others": lambda v: v * 1.7}, _newest),
        _benchmark,
    ),
    on_rows(
        "peer_rank",
        "one hall falls from place 11 to 31 of 40",
        peers({"takings__place": lambda v: 31.0}, _week),
        _benchmark,
    ),
    on_rows(
        "peer_group",
        "one hall's group grows by half",
        peers({"othersCnt": lambda v: 60.0}, _newest),
        _benchmark,
    ),
    *playbooks(),
    used(
        "missing_days",
        "fail",
        "the row asked about is not delivered (twin: the days before)",
        row_mutants.lost_row,
    ),
    used(
        "all_zero_rows",
        "fail",
        "the row asked about holds zeros (twin: the days before)",
        row_mutants.zero_row,
    ),
    used(
        "dup_keys",
        "fail",
        "the row asked about comes twice, and differs (twin: the days before)",
        row_mutants.twice_and_different,
    ),
    used(
        "nulls",
        "fail",
        "the only row asked about has no mark (twin: the days before)",
        row_mutants.no_mark_in_a_row,
    ),
    *(second(mutant, edit) for mutant, edit in EDITS.items()),
)
