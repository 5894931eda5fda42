"""A figure that the query and the files tell differently is never stated as fact; equal ones are silent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

from askcore.agent.slip import with_second_path
from askcore.base.config import Settings
from askcore.base.values import ToolResult, Verdict
from askcore.lake import Delivery, Lake, LakeView
from askcore.lake.stored import files_of_period
from askcore.tools import TOOLS_BY_NAME
from askcore.tools.base import ToolContext, call
from tests.unit.checks.small_lake import AS_OF, END, START, facts, small_model

NAME = "kiosks"
WEEK = {"from": (START + timedelta(days=7)).isoformat(), "to": (START + timedelta(days=13)).isoformat()}
BEFORE = {"from": START.isoformat(), "to": (START + timedelta(days=6)).isoformat()}


@pytest.fixture(scope="module", params=[1, 2, 3])
def seeded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    home = tmp_path_factory.mktemp("kiosks")
    lake = Lake(Settings(home=home))
    lake.load(NAME, Delivery(table=pa.Table.from_pandas(facts(request.param))), small_model())
    lake.close()
    return home, request.param


@pytest.fixture
def view(seeded: tuple[Path, int]) -> Iterator[LakeView]:
    lake = Lake(Settings(home=seeded[0]))
    with lake.open(NAME) as found:
        yield found
    lake.close()


def ask(view: LakeView, tool: str, **args: object) -> ToolResult:
    ctx = ToolContext(view=view, lang="en", as_of=AS_OF, viewer="v")
    return with_second_path(call(TOOLS_BY_NAME[tool], args, ctx), ctx, 9)


def slip_of(result: ToolResult) -> Verdict:
    assert result.ok, result.error
    (found,) = [v for v in result.verdicts if v.check == "second_path"]
    return found


QUESTIONS: list[tuple[str, dict[str, object]]] = [
    ("query_report", {"metrics": ["sales", "conversion"], **WEEK}),
    ("query_report", {"metrics": ["sales", "ticket"], **WEEK, "by": "outlet"}),
    ("query_report", {"metrics": ["orders"], **WEEK, "by": ["date", "area"]}),
    ("query_report", {"metrics": ["sales"], "from": BEFORE["from"], "to": WEEK["to"], "by": "week"}),
    ("query_report", {"metrics": ["sales"], **WEEK, "by": "outlet", "sort": "-sales", "limit": 2}),
    ("query_report", {"metrics": ["sales@day", "sales@outlet"], **WEEK, "scope": "outlet"}),
    ("query_report", {"metrics": ["sales"], **WEEK, "filters": {"outlet": ["O12"]}}),
    ("compare_periods", {"metrics": ["sales", "conversion"], "current": WEEK, "baseline": BEFORE}),
    ("compare_periods", {"metrics": ["orders"], "current": WEEK, "baseline": BEFORE, "by": "outlet"}),
]


@pytest.mark.parametrize(("tool", "args"), QUESTIONS)
def test_both_paths_agree_on_an_untouched_lake(view: LakeView, tool: str, args: dict[str, object]) -> None:
    found = slip_of(ask(view, tool, **args))
    assert (found.id, found.status, found.n_bad) == ("v9", "pass", 0)
    rows = 1 if tool == "query_report" else 2
    assert found.n_checked >= rows * len(args["metrics"])  # type: ignore[arg-type]


def edited(home: Path, tmp_path: Path, statement: str) -> Lake:
    """A copy of the lake whose serving file was changed behind its back."""
    import shutil

    copy = tmp_path / "home"
    shutil.copytree(home, copy)
    with duckdb.connect(str(copy / "serving" / NAME / "v1.duckdb")) as con:
        con.execute(statement)
    return Lake(Settings(home=copy))


MUTANTS = {
    "a value changed": f"UPDATE fact SET sales = sales + 1, buyers = buyers + 1, orders = orders + 1 "
    f"WHERE outletId IN ('O12', '') AND date = '{WEEK['from']}'",
    "a row lost": f"DELETE FROM fact WHERE outletId IN ('O12', '') AND date = '{WEEK['to']}'",
    "a join fans out": "INSERT INTO fact SELECT * FROM fact",
    "another period's rows": f"UPDATE fact SET date = date + 7 WHERE date = '{BEFORE['to']}'",
}


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.parametrize(("tool", "args"), [QUESTIONS[i] for i in (0, 1, 2, 7)])
def test_a_serving_file_that_differs_from_the_lake_is_found(
    seeded: tuple[Path, int], tmp_path: Path, mutant: str, tool: str, args: dict[str, object]
) -> None:
    lake = edited(seeded[0], tmp_path, MUTANTS[mutant])
    with lake.open(NAME) as view:
        found = slip_of(ask(view, tool, **args))
    lake.close()
    assert (found.status, found.severity) == ("fail", "critical")
    assert found.n_bad >= 1
    assert found.remedy


def test_the_parts_of_a_rate_and_its_plain_mean(view: LakeView, seeded: tuple[Path, int]) -> None:
    rows = facts(seeded[1])
    day = pd.to_datetime(rows["date"])
    week = rows[(day >= WEEK["from"]) & (day <= WEEK["to"])]
    outlets = week[week["scope"] == "outlet"]
    areas = week[week["scope"] == "area"]
    result = ask(view, "query_report", metrics=["conversion"], **WEEK)
    (found,) = result.facts["ratios"]
    plain = (outlets["buyers"] / outlets["visitors"]).mean()
    weighted = areas["buyers"].sum() / areas["visitors"].sum()
    assert found["rows"] == 42
    assert found["naive"] == f"{plain:.2%}"
    assert found["weighted"] == f"{weighted:.2%}"
    assert found["numerator"] == f"Buyers {areas['buyers'].sum():,}"
    assert found["denominator"] == f"Visitors {areas['visitors'].sum():,}"


def test_what_is_no_sum_is_not_called_recomputed(view: LakeView) -> None:
    found = slip_of(ask(view, "query_report", metrics=["rating"], **WEEK))
    assert (found.status, found.n_checked) == ("skip", 0)
    assert "Rating" in found.note


def test_files_that_are_gone_are_said_and_the_answer_stays(seeded: tuple[Path, int], tmp_path: Path) -> None:
    lake = edited(seeded[0], tmp_path, "SELECT 1")
    with lake.open(NAME) as view:
        for file in (tmp_path / "home" / "lake" / NAME).rglob("*.parquet"):
            file.unlink()
        result = ask(view, "query_report", metrics=["sales"], **WEEK)
    lake.close()
    assert slip_of(result).status == "skip"
    assert result.table is not None
    assert result.table.totals["sales"]


def test_only_the_months_of_the_period_are_read() -> None:
    from askcore.base.values import Period

    files = [f"/l/facts/month=2026-0{m}/part-{m}.parquet" for m in (1, 2, 3, 4)]
    assert files_of_period(files, Period(start=START, end=END)) == (files[2],)
    assert files_of_period(files, Period(start=START - timedelta(days=3), end=START)) == tuple(files[1:3])
    assert files_of_period(["/l/facts/part.parquet"], Period(start=START, end=END)) == (
        "/l/facts/part.parquet",
    )
