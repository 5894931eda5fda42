"""Impact, history, mutes and heatmap of health runs, over lakes of two and more loads."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from askcore.base.config import REPO_ROOT, Settings
from askcore.base.errors import BadRequest
from askcore.base.health_store import (
    MAX_SCANS,
    MAX_SCANS_A_VERSION,
    CheckState,
    HealthStore,
    Scan,
    key_text,
)
from askcore.base.values import Period, QuerySpec, Verdict
from askcore.base.views import HealthReport, Mute
from askcore.checks.heatmap import MAX_DAYS, MAX_ENTITIES
from askcore.checks.history import MAX_KEYS, Step, aged, change_of, scan_of, step
from askcore.checks.used_rows import used_rows_verdicts
from askcore.lake import Delivery
from askcore.service import Service
from tests.unit.checks.small_lake import AREAS, AS_OF, END, PEOPLE, START, SUMS, facts, small_model
from tests.unit.checks.test_mutations import at

ROOT = Path(__file__).resolve().parents[3]
DAY = START + timedelta(days=10)
OTHER = START + timedelta(days=12)


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Its clock says AS_OF, 10 o'clock in Shanghai."""
    found = Service(settings, clock=lambda: 1775008800.0 + (AS_OF - date(2026, 4, 1)).days * 86400)
    yield found
    found.close()
    found.lake.close()


def load(service: Service, rows: pd.DataFrame) -> None:
    service.lake.load("k", Delivery(table=pa.Table.from_pandas(rows, preserve_index=False)), small_model())


def zeroed(rows: pd.DataFrame, day: date, outlet: str) -> pd.DataFrame:
    spoiled = rows.copy()
    spoiled.loc[at(rows, day, outlet), [*SUMS, *PEOPLE]] = 0
    return spoiled


def health(service: Service, **how: object) -> HealthReport:
    return service.health("k", viewer="u", lang="en", **how)  # type: ignore[arg-type]


def issues(report: HealthReport) -> dict[str, object]:
    return {i.check: i for i in report.issues}


def test_every_verdict_has_an_impact(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11")[lambda r: ~at(r, OTHER, "O22")])
    report = health(service)
    found = {i.check: i for i in report.issues}
    assert [i.verdict_id for i in report.issues] == [v.id for v in report.verdicts]
    assert all(i.impact for i in report.issues)
    gone = found["missing_days"]
    assert gone.impact == "1 of 180 outlet-days; 1 outlet, 1 day"
    assert (gone.n_entities, gone.n_days, gone.first_day) == (1, 1, OTHER)
    assert found["all_zero_rows"].impact == "1 of 179 rows; 1 outlet, 1 day"
    assert found["unit_drift"].impact == "not evaluated, so the impact is unknown"
    assert found["range"].impact == "nothing affected: 239 rows checked"
    assert found["sum_outlet_area"].impact == "counted under another check"
    zh = {i.check: i for i in service.health("k", viewer="u", lang="zh").issues}
    assert zh["missing_days"].impact == "影响 1/180 网点日；涉及 1 个网点、1 天"


def test_a_later_load_tells_what_appeared_was_mended_and_persists(service: Service) -> None:
    rows = facts(1)
    load(service, zeroed(zeroed(rows, DAY, "O11"), OTHER, "O22"))
    health(service)
    load(service, zeroed(rows, OTHER, "O22"))  # the first is mended
    health(service)
    negative = zeroed(rows, OTHER, "O22")
    negative.loc[at(rows, DAY, "O13"), "orders"] = -4
    load(service, negative)
    report = health(service)
    newest, middle, first = service.health_history("k", viewer="u", lang="en").versions
    assert (first.version, first.previous, first.n_appeared, first.n_mended) == (1, None, 2, 0)
    assert (middle.version, middle.previous) == (2, 1)
    assert [(f.check, f.key["outletId"], f.since_version) for f in middle.mended] == [
        ("all_zero_rows", "O11", 1)
    ]
    assert [(f.key["outletId"], f.since_version, f.entity) for f in middle.persists] == [
        ("O22", 1, "Outlet 22")
    ]
    assert middle.n_appeared == 0
    assert {(f.check, f.key["outletId"], f.since_version) for f in newest.appeared} == {("range", "O13", 3)}
    assert (newest.n_appeared, newest.n_mended, newest.n_persists) == (1, 0, 1)
    assert newest.counts["fail"] == 2
    found = {i.check: i for i in report.issues}
    assert (found["all_zero_rows"].since_version, found["all_zero_rows"].n_new) == (1, 0)
    assert (found["range"].since_version, found["range"].n_new) == (3, 1)


def test_the_same_run_twice_is_one_scan_and_a_part_of_the_data_none(service: Service) -> None:
    load(service, facts(1))
    for _ in range(2):
        health(service)
    store = HealthStore(service.settings.state_dir)
    assert len(every(store)) == 1
    before = every(store)
    health(service, start=DAY)
    health(service, as_of=AS_OF + timedelta(days=30))
    assert every(store) == before
    store.close()


def test_loads_through_the_service_are_scanned(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "shops.csv"
    rows = [f"2026-03-{d:02d},S{s},{100 + d},{5 + s}" for d in range(1, 29) for s in range(3)]
    file.write_text("date,shop,sales,orders\n" + "\n".join(rows) + "\n", encoding="utf-8")
    name = service.ingest([file], dry_run=True)["dataset"]
    store = HealthStore(service.settings.state_dir)
    assert every(store, name) == ()
    service.ingest([file])
    assert [s.version for s in every(store, name)] == [1]
    service.ingest([file])
    assert [s.version for s in every(store, name)] == [1]
    store.close()


def test_a_clean_demo_mends_what_the_faulty_one_had(service: Service) -> None:
    service.install_demo(seed=0)
    (first,) = service.health_history("demo", viewer="u", lang="en").versions
    service.install_demo(seed=0, clean=True)
    newest, _ = service.health_history("demo", viewer="u", lang="en").versions
    assert (newest.previous, newest.n_appeared, newest.n_persists) == (first.version, 0, 0)
    assert newest.n_mended == first.n_appeared > 0


def test_a_dataset_made_anew_starts_a_new_history(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11"))
    health(service)
    service.lake.close()
    shutil.rmtree(service.settings.lake_dir)
    shutil.rmtree(service.settings.serving_dir)
    load(service, facts(1))
    health(service)
    (only,) = service.health_history("k", viewer="u", lang="en").versions
    assert (only.version, only.previous, only.n_appeared, only.n_mended) == (1, None, 0, 0)


# history, pure -----------------------------------------------------------------------------------


def scan(version: int, **states: CheckState) -> Scan:
    return Scan(dataset="k", version=version, loaded_at=float(version), as_of=AS_OF, checks=states)


def bad(*keys: str, since: int = 1) -> CheckState:
    return CheckState(status="fail", n_bad=len(keys), since=dict.fromkeys(keys, since))


SKIP = CheckState(status="skip", n_bad=0)
PASS = CheckState(status="pass", n_bad=0)


def steps(*scans: Scan) -> list[Step]:
    """Each scan against the one before, aged as they are recorded."""
    found: list[Step] = []
    for one in scans:
        before = found[-1].scan if found else None
        found.append(step(aged(one, before), before))
    return found


def test_a_skipped_check_mends_nothing_and_keeps_the_age_of_its_findings() -> None:
    found = steps(
        scan(1, nulls=bad("a")), scan(2, nulls=SKIP), scan(3, nulls=bad("a", since=3)), scan(4, nulls=PASS)
    )
    assert [dict(s.mended) for s in found] == [{}, {}, {}, {("nulls", "a"): 1}]
    assert found[1].not_evaluated == ("nulls",)
    assert (found[1].persists, found[1].appeared) == ({}, {})
    assert (found[2].persists, found[2].appeared) == ({("nulls", "a"): 1}, {})


def test_a_finding_that_returns_is_new() -> None:
    found = steps(scan(1, nulls=bad("a")), scan(3, nulls=PASS), scan(4, nulls=bad("a", since=4)))
    assert (found[2].appeared, found[2].persists, found[2].previous) == ({("nulls", "a"): 4}, {}, 3)


def test_too_many_keys_are_counted_but_not_followed() -> None:
    keys = tuple({"date": "2026-03-02", "outletId": f"O{n}"} for n in range(MAX_KEYS + 1))
    verdict = Verdict(id="v1", kind="quality", check="nulls", status="warn", n_bad=len(keys), keys=keys)
    many = scan_of([verdict], dataset="k", version=1, loaded_at=1.0, as_of=AS_OF)
    assert many.checks["nulls"] == CheckState(status="warn", n_bad=MAX_KEYS + 1)
    first, second, third = steps(many, scan(2, nulls=bad("{}", since=2)), scan(3, nulls=bad("{}", since=3)))
    assert first.too_many == (("nulls", None, MAX_KEYS + 1),)
    assert (second.too_many, second.mended) == ((("nulls", MAX_KEYS + 1, 1),), {})
    assert change_of(second, lambda key: "").n_appeared == 0
    assert third.persists == {("nulls", "{}"): 2}


def test_verdicts_of_one_check_are_one_state() -> None:
    key = {"date": "2026-03-02", "scope": "area", "areaId": "A1", "outletId": ""}
    one = Verdict(id="v1", kind="freshness", check="freshness", status="pass", n_checked=2)
    other = replace(one, status="fail", n_bad=1, keys=(key,))
    found = scan_of([one, other], dataset="k", version=1, loaded_at=1.0, as_of=AS_OF)
    assert found.checks == {"freshness": bad(key_text(key))}
    assert key_text(key) == '{"areaId":"A1","date":"2026-03-02","scope":"area"}'


def every(store: HealthStore, dataset: str = "k") -> tuple[Scan, ...]:
    """All scans, oldest version first."""
    return store.scans(dataset, store.versions(dataset)[::-1])


# store -------------------------------------------------------------------------------------------


def test_scans_are_bounded(tmp_path: Path) -> None:
    store = HealthStore(tmp_path)
    for n in range(MAX_SCANS_A_VERSION + 5):
        assert store.record(scan(1, nulls=bad(str(n))), 1.0)
    for version in range(2, MAX_SCANS + 5):
        store.record(scan(version, nulls=PASS), 2.0)
    found = every(store)
    assert len(found) <= MAX_SCANS
    assert found[-1].version == MAX_SCANS + 4
    store.close()


RECORD = """
import sys
from datetime import date
from pathlib import Path
from askcore.base.health_store import CheckState, HealthStore, Scan
store = HealthStore(Path(sys.argv[1]))
for version in range(1, 21):
    nulls = CheckState(status="warn", n_bad=2, since={"a": version, "b": version})
    store.record(
        Scan(dataset="k", version=version, loaded_at=float(version), as_of=date(2026, 1, 1), checks={"nulls": nulls}),
        float(sys.argv[2]),
    )
store.close()
"""


def test_several_processes_record_one_scan_a_version(tmp_path: Path) -> None:
    workers = [
        subprocess.Popen([sys.executable, "-c", RECORD, str(tmp_path), str(n)], cwd=REPO_ROOT)
        for n in range(3)
    ]
    assert [w.wait(timeout=60) for w in workers] == [0, 0, 0]
    store = HealthStore(tmp_path)
    assert [s.version for s in every(store)] == list(range(1, 21))
    assert store._rows("select count(*) from health_scans", ()) == [(20,)]
    store.close()


def test_a_killed_process_leaves_whole_scans_only(tmp_path: Path) -> None:
    script = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(ROOT)!r})
        from datetime import date
        from pathlib import Path
        from askcore.base.health_store import CheckState, HealthStore, Scan
        store = HealthStore(Path({str(tmp_path)!r}))
        n = 0
        while True:
            n += 1
            state = CheckState(status="fail", n_bad=2000, since={{f"{{n}}-{{k}}": n for k in range(2000)}})
            scan = Scan(dataset="k", version=n, loaded_at=1.0, as_of=date(2026, 4, 1), checks={{"nulls": state}})
            store.record(scan, 1.0)
            print(n, flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    store = HealthStore(tmp_path)
    found = every(store)
    assert len(found) >= 5
    assert all(len(s.checks["nulls"].since) == 2000 for s in found)
    assert store.record(scan(99, nulls=PASS), 2.0)
    store.close()


# mutes -------------------------------------------------------------------------------------------


def mute(service: Service, check: str, **how: object) -> Mute:
    given = {"days": 3, "reason": "known", "viewer": "ana", "lang": "en", **how}
    return service.mute("k", check, **given)  # type: ignore[arg-type]


def test_a_muted_finding_is_counted_and_keeps_its_status(service: Service) -> None:
    load(service, zeroed(zeroed(facts(1), DAY, "O11"), OTHER, "O22"))
    before = health(service)
    mute(service, "all_zero_rows", key={"outletId": "O11"})
    part = health(service)
    found = {i.check: i for i in part.issues}["all_zero_rows"]
    assert (found.n_muted, found.is_muted) == (1, False)
    assert [(m.reason, m.viewer, m.until) for m in found.mutes] == [
        ("known", "ana", AS_OF + timedelta(days=2))
    ]
    mute(service, "all_zero_rows")
    after = health(service)
    found = {i.check: i for i in after.issues}["all_zero_rows"]
    assert (found.n_muted, found.is_muted) == (2, True)
    assert [v.as_json() for v in after.verdicts] == [v.as_json() for v in before.verdicts]
    assert after.counts == before.counts
    assert after.counts["fail"] == 1


def test_a_mute_does_not_reach_answers(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11"))
    spec = QuerySpec(
        metrics=("sales",), period=Period(start=DAY, end=DAY), scope="outlet", filters={"outlet": ("O11",)}
    )
    with service.lake.open("k") as view:
        before = used_rows_verdicts(view, spec, AS_OF, "en")
        mute(service, "all_zero_rows")
        assert used_rows_verdicts(view, spec, AS_OF, "en") == before
    assert "fail" in {v.status for v in before}


def test_a_mute_ends_with_its_last_day(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11"))
    made = mute(service, "all_zero_rows", days=2)
    assert (made.start, made.until) == (AS_OF, AS_OF + timedelta(days=1))
    covered = [AS_OF + timedelta(days=n) for n in (-1, 0, 1, 2)]
    found = [service.mutes("k", viewer="u", as_of=day) for day in covered]
    assert [len(m) for m in found] == [0, 1, 1, 0]
    (ended,) = service.mutes("k", viewer="u", as_of=covered[-1], expired=True)
    assert (ended.mute_id, ended.is_active) == (made.mute_id, False)
    late = {i.check: i for i in health(service, as_of=covered[-1]).issues}["all_zero_rows"]
    assert (late.n_muted, late.is_muted) == (0, False)


def test_unmute_ends_it_at_once_and_only_once(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11"))
    made = mute(service, "all_zero_rows")
    service.unmute("k", made.mute_id, viewer="bob", lang="en")
    assert service.mutes("k", viewer="u", expired=True) == ()
    with pytest.raises(BadRequest):
        service.unmute("k", made.mute_id, viewer="bob", lang="en")


def test_a_mute_of_the_same_findings_takes_the_place_of_the_first(service: Service) -> None:
    load(service, facts(1))
    mute(service, "nulls", key={"outletId": "O11"}, reason="one")
    mute(service, "nulls", key={"outletId": "O11"}, reason="two")
    mute(service, "nulls", key={"outletId": "O12"}, reason="three")
    assert [m.reason for m in service.mutes("k", viewer="u")] == ["three", "two"]


@pytest.mark.parametrize(
    ("check", "how", "hint"),
    [
        ("nuls", {}, "nulls"),
        ("identity", {}, "identity:parts"),
        ("nulls", {"days": 0}, ""),
        ("nulls", {"days": 1000}, ""),
        ("nulls", {"reason": "  "}, ""),
        ("nulls", {"key": {"storeId": "1"}}, "outletId"),
    ],
)
def test_a_mute_that_means_nothing_is_refused(
    service: Service, check: str, how: dict[str, object], hint: str
) -> None:
    load(service, facts(1))
    with pytest.raises(BadRequest) as e:
        mute(service, check, **how)
    assert hint in e.value.hint
    assert service.mutes("k", viewer="u") == ()


# heatmap -----------------------------------------------------------------------------------------


def test_the_heatmap_has_the_worst_status_of_each_outlet_day(service: Service) -> None:
    rows = zeroed(facts(1), DAY, "O11")
    rows.loc[at(rows, DAY, "O11"), "rating"] = None
    rows.loc[at(rows, OTHER, "O22"), "rating"] = None
    load(service, rows)
    found = service.health_heatmap("k", viewer="u", lang="en")
    assert (found.level, found.n_entities, found.note, found.period) == (
        "Outlet",
        6,
        "",
        Period(start=START, end=END),
    )
    cells = {(c.entity_id, c.day): (c.name, c.status, c.checks) for c in found.cells}
    assert cells == {
        ("O11", DAY): ("Outlet 11", "fail", ("all_zero_rows",)),  # no orders: no rating is expected
        ("O22", OTHER): ("Outlet 22", "warn", ("nulls",)),
    }
    only = service.health_heatmap("k", viewer="u", lang="en", check="nulls")
    assert [(c.entity_id, c.checks) for c in only.cells] == [("O22", ("nulls",))]
    mute(service, "nulls", key={"outletId": "O22"})
    again = service.health_heatmap("k", viewer="u", lang="en")
    assert {c.entity_id: c.is_muted for c in again.cells} == {"O11": False, "O22": True}
    assert {c.entity_id: c.status for c in again.cells} == {"O11": "fail", "O22": "warn"}


def test_findings_of_other_levels_are_counted_elsewhere(service: Service) -> None:
    rows = facts(1)
    rows.loc[at(rows, DAY, "A1"), ["sales", "food"]] += 25.0
    load(service, rows)
    found = service.health_heatmap("k", viewer="u", lang="en")
    assert (found.cells, found.n_elsewhere) == ((), 1)


def test_a_large_heatmap_is_cut_and_says_so(service: Service) -> None:
    days = [START + timedelta(days=n) for n in range(MAX_DAYS + 8)]
    outlets = [f"O{n:03d}" for n in range(MAX_ENTITIES + 10)]
    rows = pd.DataFrame(
        [
            {"date": d, "scope": "outlet", "areaId": "A1", "outletId": o, "sales": 5.0, "orders": 3}
            for d in days
            for o in outlets
        ]
    )
    last = outlets[-1]
    lost = {days[-5], days[1]}
    load(service, rows[~((rows["outletId"] == last) & rows["date"].isin(lost))])
    found = service.health_heatmap("k", viewer="u", lang="en", as_of=days[-1] + timedelta(days=1))
    assert (len(found.entities), found.n_entities, found.period.days) == (
        MAX_ENTITIES,
        MAX_ENTITIES + 10,
        MAX_DAYS,
    )
    assert found.entities[0].id == last
    assert [(c.entity_id, c.day) for c in found.cells] == [(last, days[-5])]
    assert "200" in found.note and "92" in found.note


def test_the_state_folder_cannot_be_used_and_health_is_still_told(settings: Settings) -> None:
    service = Service(settings)
    load(service, facts(1))
    settings.state_dir.write_text("no folder", encoding="utf-8")
    report = health(service, as_of=AS_OF)
    assert report.counts["fail"] == 0
    assert len(report.issues) == len(report.verdicts)
    service.close()
    service.lake.close()


def test_the_views_can_be_shown_as_json(service: Service) -> None:
    load(service, zeroed(facts(1), DAY, "O11"))
    assert AREAS
    for issue in health(service).issues:
        json.dumps({"impact": issue.impact, "muted": issue.n_muted})
