"""After a load: exactly the answers and reports that used the rows it changed are marked, with was and now."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from deltalake import DeltaTable

from askcore.base.config import Settings
from askcore.base.errors import AskError
from askcore.base.restated import Restatement
from askcore.report.ledger import Ledger
from askcore.service import Service

DAY, SHOP, CHAIN = "2026-10-07", "S0102", "C01"
EXTRA = 1000.0

# Question, company, and whether it used the sales of shop S0102 (大学城店), its chain or its company on 2026-10-07.
TOLD = [
    ("2026-10-07 的营业额", "E01", True),
    ("2026-10-06 的营业额", "E01", False),
    ("上周营业额", "E01", True),
    ("2026-10-01 到 2026-10-06 的营业额", "E01", False),
    ("2026年10月各门店营业额", "E01", True),
    ("2026年9月各门店营业额", "E01", False),
    ("上周各品牌营业额", "E01", True),
    ("上周科技园店营业额", "E01", False),
    ("上周营业额", "E02", False),
    ("上周各门店有效订单", "E01", False),
    ("gross sales by day from 2026-10-05 to 2026-10-11", "E01", True),
    ("近7天和前7天的营业额对比", "E01", True),
    ("2026年8月每周营业额", "E01", False),
    ("2026-10-05 到 2026-10-11 蜀小馆营业额为什么变化", "E01", True),
    ("2026-09-01 到 2026-09-07 蜀小馆营业额为什么变化", "E01", False),
    ("上周进店率", "E01", False),
    ("有哪些数据", "E01", False),
    ("进店率是怎么算的", "E01", False),
]


@pytest.fixture
def world(demo_home: Path, tmp_path: Path) -> Iterator[tuple[Service, pd.DataFrame, Path]]:
    """A demo of its own with its delivery as a table."""
    service = Service(Settings(home=tmp_path / "home"))
    service.install_demo(out=tmp_path / "out")
    delivery = pd.read_csv(tmp_path / "out" / "delivery.csv", dtype=str, keep_default_na=False)
    yield service, delivery, tmp_path
    service.close()


def edited(delivery: pd.DataFrame, extra: float, rows: int = 3) -> pd.DataFrame:
    """The rows of one shop-day and of its parents with other sales and income; nothing else."""
    at = (delivery["date"] == DAY) & (delivery["companyId"] == "E01")
    shop = at & (delivery["scope"] == "shop") & (delivery["shopId"] == SHOP)
    chain = at & (delivery["scope"] == "chain") & (delivery["chainId"] == CHAIN)
    company = at & (delivery["scope"] == "company")
    found = delivery[shop | chain | company].copy()
    assert len(found) == rows
    for column in ("grossAmt", "incomeAmt"):
        found[column] = (found[column].astype(float) + extra).round(2).astype(str)
    return found


def load(service: Service, rows: pd.DataFrame, folder: Path, name: str) -> dict:
    file = folder / f"{name}.csv"
    rows.to_csv(file, index=False)
    return service.ingest([file], dataset="demo", model=str(folder / "out" / "model.yaml"))


def told(service: Service) -> dict[str, tuple[str, str, bool]]:
    """Run id -> (question, company, whether it is to be marked)."""
    found = {}
    for question, company, is_used in TOLD:
        answer = service.ask(question, viewer="ann", entity=company)
        assert answer["status"] == "done", question
        found[answer["run_id"]] = question, company, is_used
    return found


def marked(service: Service) -> dict[str, Restatement]:
    return {r.subject_id: r for r in service.restatements(viewer="ann", only_moved=True)}


def sales(home: Path, where: str) -> float:
    fact = DeltaTable(home / "lake" / "demo" / "facts").to_pyarrow_table()
    with duckdb.connect() as con:
        con.register("fact", fact)
        sql = f'SELECT sum("grossAmt") FROM fact WHERE "_dup_n" = 1 AND {where}'
        return float(con.execute(sql).fetchall()[0][0])


def test_exactly_the_answers_that_used_the_day_are_marked(world: tuple[Service, pd.DataFrame, Path]):
    service, delivery, folder = world
    answers = told(service)
    weekly = service.keep_report(
        service.report_of_kind("weekly", viewer="ann", lang="zh", dataset="demo", entity="E01"), viewer="ann"
    )
    other = service.keep_report(
        service.report_of_kind("weekly", viewer="ann", lang="zh", dataset="demo", entity="E02"), viewer="ann"
    )
    where = f"scope = 'company' AND \"companyId\" = 'E01' AND date = '{DAY}'"
    was = sales(service.settings.home, where)
    report = load(service, edited(delivery, EXTRA), folder, "edit")
    assert report["rows_changed"] == 3
    now = sales(service.settings.home, where)
    assert now == pytest.approx(was + EXTRA)

    found = marked(service)
    wrong = {q: used for run, (q, _, used) in answers.items() if (run in found) is not used}
    assert wrong == {}
    assert weekly.report_id in found
    assert other.report_id not in found
    runs = sum(r.subject == "run" and r.subject_id in answers for r in found.values())
    assert (report["restated"]["reports"], report["restated"]["pending"]) == (1, 0)
    assert report["restated"]["runs"] >= runs == sum(used for _, _, used in TOLD)

    day = next(r for r, (q, c, _) in answers.items() if q == "2026-10-07 的营业额" and c == "E01")
    (figure,) = [f for f in found[day].moved if f.was == pytest.approx(was)][:1]
    assert figure.now == pytest.approx(now)
    assert "营业额" in figure.label
    assert DAY in figure.label
    assert (found[day].was_version, found[day].version) == (1, report["version"])


def test_a_load_that_puts_it_back_unmarks_and_history_stays(world: tuple[Service, pd.DataFrame, Path]):
    service, delivery, folder = world
    run = service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")["run_id"]
    load(service, edited(delivery, EXTRA), folder, "edit")
    assert set(marked(service)) == {run}
    load(service, edited(delivery, 0.0), folder, "back")
    assert marked(service) == {}
    kept = service._restated_store.history("run", run)
    assert [r.state for r in kept] == ["moved", "same"]


def test_a_load_of_new_days_alone_marks_nothing(world: tuple[Service, pd.DataFrame, Path]):
    """Later days make no answer wrong: not a week, not what was unusual, not a comparison."""
    service, delivery, folder = world
    for question in ("上周营业额", "近30天有什么异常", "近7天和前7天的营业额对比", "最近数据有什么问题"):
        assert service.ask(question, viewer="ann", entity="E01")["status"] == "done"
    later = delivery[delivery["date"] == "2026-10-17"].copy()
    later["date"] = "2026-10-18"
    assert load(service, later, folder, "later")["rows_added"] == len(later) > 5
    assert marked(service) == {}


def test_reports_and_answers_of_others_are_not_told(world: tuple[Service, pd.DataFrame, Path]):
    service, delivery, folder = world
    own = service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")["run_id"]
    theirs = service.ask("2026-10-07 的营业额", viewer="bob", entity="E01")["run_id"]
    load(service, edited(delivery, EXTRA), folder, "edit")
    assert set(marked(service)) == {own}
    assert set(service.restated([own, theirs], viewer="ann")) == {own}


def test_a_catch_up_that_is_stopped_goes_on_where_it_was(
    world: tuple[Service, pd.DataFrame, Path], monkeypatch: pytest.MonkeyPatch
):
    service, delivery, folder = world
    runs = {service.ask(f"2026-10-0{n} 的营业额", viewer="ann", entity="E01")["run_id"] for n in range(3, 9)}
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "note_load", lambda self, dataset, progress=None: None)
        load(service, edited(delivery, EXTRA), folder, "edit")
    assert service.restatements(viewer="ann") == ()
    ledger = service._ledger
    assert ledger.catch_up("demo", lambda done, total: done < 2) == 2
    assert len(service.restatements(viewer="ann")) == 2
    assert service.pending_restated("demo") == len(runs) - 2
    assert ledger.catch_up("demo") == len(runs) - 2
    assert {r.subject_id for r in service.restatements(viewer="ann")} == runs
    assert len(marked(service)) == 1
    assert ledger.catch_up("demo") == 0


def test_the_app_catches_up_beside_the_pages(
    world: tuple[Service, pd.DataFrame, Path], monkeypatch: pytest.MonkeyPatch
):
    service, delivery, folder = world
    run = service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")["run_id"]
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "note_load", lambda self, dataset, progress=None: None)
        load(service, edited(delivery, EXTRA), folder, "edit")
    assert service.catch_up_restated("demo")
    assert service._restating is not None
    service._restating.result(timeout=60)
    assert set(marked(service)) == {run}
    assert not service.catch_up_restated("demo")


def test_a_ledger_that_fails_undoes_no_load(
    world: tuple[Service, pd.DataFrame, Path], monkeypatch: pytest.MonkeyPatch
):
    service, delivery, folder = world
    service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")

    def broken(self: Ledger, dataset: str) -> None:
        raise AskError("the state is gone")

    monkeypatch.setattr(Ledger, "pending", broken)
    report = load(service, edited(delivery, EXTRA), folder, "edit")
    assert report["committed"]
    assert report["restated"] is None  # not known is not none


def test_a_deleted_answer_is_no_longer_compared(world: tuple[Service, pd.DataFrame, Path]):
    service, delivery, folder = world
    answer = service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")
    service.delete_session(answer["session_id"], viewer="ann")
    load(service, edited(delivery, EXTRA), folder, "edit")
    assert service.restatements(viewer="ann") == ()


def test_a_dry_run_compares_nothing(world: tuple[Service, pd.DataFrame, Path]):
    service, delivery, folder = world
    service.ask("2026-10-07 的营业额", viewer="ann", entity="E01")
    file = folder / "dry.csv"
    edited(delivery, EXTRA).to_csv(file, index=False)
    model = str(folder / "out" / "model.yaml")
    assert service.ingest([file], dataset="demo", model=model, dry_run=True)["restated"] is None
    assert service.restatements(viewer="ann") == ()


def test_another_lake_in_other_words(tmp_path: Path):
    """Stores by week without a model: only answers that read the week that changed."""
    rows = [
        (date(2026, 3, 2 + 7 * w), s, 100.0 * s + w, 10 + w)
        for w in range(4)
        for s in (1, 2)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["week", "store", "revenue", "units"])
    service = Service(Settings(home=tmp_path / "home"))
    try:
        file = tmp_path / "stores.csv"
        frame.to_csv(file, index=False)
        service.ingest([file], dataset="stores")
        asked = {
            service.ask(q, viewer="ann", dataset="stores")["run_id"]: used
            for q, used in (
                ("total revenue", True),
                ("units by store", False),
                ("revenue by store", True),
                ("revenue on 2026-03-09", True),
                ("revenue on 2026-03-16", False),
            )
        }
        frame.loc[(frame["week"] == date(2026, 3, 9)) & (frame["store"] == 2), "revenue"] += 5
        frame.to_csv(file, index=False)
        assert service.ingest([file], dataset="stores")["rows_changed"] == 1
        assert {run: run in marked(service) for run in asked} == asked
    finally:
        service.close()
