"""Kept reports: content there and back, other order and title, files on demand, jobs and their end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from askcore.base.config import Settings
from askcore.base.errors import BadRequest, LakeError
from askcore.base.reports import MadeReport, Report, ReportJob, ReportOptions
from askcore.report import content
from askcore.report.jobs import ReportJobs, Stop
from askcore.service import Service

KINDS = ("weekly", "health", "peers")


@pytest.fixture(scope="module")
def own(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A copy of the demo's lake with a state of its own.

    The state of the demo is open in this process: reading its file past SQLite would drop SQLite's locks.
    """
    home = tmp_path_factory.mktemp("reports") / "home"
    copytree(demo_home, home, ignore=ignore_patterns("askcore.db*"))
    service = Service(Settings(home=home))
    yield service
    service.close()


@pytest.fixture(scope="module")
def reports(own: Service) -> dict[str, Report]:
    return {kind: own.report_of_kind(kind, viewer="ann", lang="zh") for kind in KINDS}


def ended(service: Service, job_id: str, viewer: str = "ann") -> ReportJob:
    return wait(lambda: next(j for j in service.report_jobs(viewer=viewer) if j.job_id == job_id))


def wait(job: Callable[[], ReportJob]) -> ReportJob:
    until = time.monotonic() + 60
    while (found := job()).state == "running":
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_content_comes_back_as_it_was_so_that_every_format_is_the_same(own, reports, kind):
    report = reports[kind]
    again = content.load(content.dump(report))
    assert content.dump(again) == content.dump(report)
    assert again.sections[0].figures == report.sections[0].figures
    assert own.write_report(again, "html") == own.write_report(report, "html")
    assert own.write_report(again, "md") == own.write_report(report, "md")


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"sections": []}', b"[1]", b'{"sections": [{"blocks": [{}]}]}']
)
def test_damaged_content_is_said_to_be_damaged(data):
    with pytest.raises(LakeError):
        content.load(data)


def test_a_kept_report_is_arranged_retitled_and_written_anew(own, reports):
    made = own.keep_report(reports["weekly"], viewer="ann")
    ids = [s.id for s in made.sections]
    assert set(made.files) == {"html", "pdf", "xlsx", "md"}
    first = own.report_file(made.report_id, "html", viewer="ann").decode()
    changed = own.change_report(
        made.report_id,
        ReportOptions(title="给老板的周报", order=(ids[2], ids[0]), provenance=False, sql=True),
        viewer="ann",
    )
    assert (changed.title, changed.files) == ("给老板的周报", {})
    shown = own.report_content(made.report_id, viewer="ann")
    assert [s.id for s in shown.sections] == [ids[2], ids[0]]
    page = own.report_file(made.report_id, "html", viewer="ann").decode()
    assert "给老板的周报" in page
    assert "SELECT" in page
    assert "SELECT" not in first
    kept = {m.report_id: m for m in own.made_reports(viewer="ann")}[made.report_id]
    assert set(kept.files) == {"html"}
    assert [s.id for s in kept.sections] == ids  # what was dropped can come back
    own.change_report(made.report_id, ReportOptions(), viewer="ann")
    assert [s.id for s in own.report_content(made.report_id, viewer="ann").sections] == ids


def test_a_kept_report_is_verified_without_its_file(own, reports):
    made = own.keep_report(reports["weekly"], viewer="ann")
    told = own.verify_kept(made.report_id, viewer="ann")
    assert told["same"] == made.figures > 100
    assert (told["drifted"], told["unreachable"], told["figures"]) == (0, 0, [])


def test_reports_are_their_viewers_own(own, reports):
    made = own.keep_report(reports["weekly"], viewer="ann")
    for call in (
        lambda: own.report_content(made.report_id, viewer="bob"),
        lambda: own.report_file(made.report_id, "html", viewer="bob"),
        lambda: own.change_report(made.report_id, ReportOptions(title="x"), viewer="bob"),
        lambda: own.delete_report(made.report_id, viewer="bob"),
        lambda: own.verify_kept(made.report_id, viewer="bob"),
        lambda: own.report_file("p/../../etc/passwd", "html", viewer="ann"),
        lambda: own.report_file(made.report_id, "exe", viewer="ann"),
        lambda: own.change_report(made.report_id, ReportOptions(order=("s99",)), viewer="ann"),
    ):
        with pytest.raises(BadRequest):
            call()
    own.delete_report(made.report_id, viewer="ann")
    assert made.report_id not in {m.report_id for m in own.made_reports(viewer="ann")}
    assert not (own.settings.state_dir / "reports" / made.report_id).exists()


@pytest.mark.parametrize("kind", ["weekly", "monthly", "health", "peers"])
def test_a_job_makes_a_report_that_is_listed(own, kind):
    job = ended(own, own.start_report(kind, viewer="ann", lang="en", dataset="demo"))
    assert (job.state, job.share, job.error) == ("done", 1.0, None)
    made = own.made_report(job.report_id, viewer="ann")
    assert (made.kind, made.lang, made.files) == (kind, "en", {})
    assert own.report_file(job.report_id, "xlsx", viewer="ann")[:2] == b"PK"


def test_answers_are_collected_in_the_order_given(own):
    first, second = (own.ask(q, viewer="ann")["run_id"] for q in ("昨天营业额", "上周各品牌的有效订单"))
    job = ended(own, own.start_report("answers", viewer="ann", lang="zh", run_ids=[second, first]))
    report = own.report_content(job.report_id, viewer="ann")
    assert [s.run_id for s in report.sections] == [second, first]
    assert (
        ended(own, own.start_report("answers", viewer="bob", lang="zh", run_ids=[first]), "bob").state
        == "failed"
    )


def test_a_job_that_fails_says_why(own):
    with pytest.raises(BadRequest):
        own.start_report("yearly", viewer="ann", lang="zh")
    job = ended(own, own.start_report("weekly", viewer="ann", lang="zh", entity="nobody of this name"))
    assert job.state == "failed"
    assert job.error is not None
    assert "nobody" in job.error.message
    own.dismiss_report_job(job.job_id, viewer="ann")
    assert job.job_id not in {j.job_id for j in own.report_jobs(viewer="ann")}


def test_cancel_ends_the_question_under_way_and_keeps_nothing(own):
    before = {m.report_id for m in own.made_reports(viewer="cat")}
    job_id = own.start_report("weekly", viewer="cat", lang="zh", dataset="demo")
    own.cancel_report(job_id, viewer="cat")
    started = time.monotonic()
    assert ended(own, job_id, "cat").state == "cancelled"
    assert time.monotonic() - started < 5
    assert {m.report_id for m in own.made_reports(viewer="cat")} == before
    with pytest.raises(BadRequest):
        own.cancel_report(job_id, viewer="dan")


def test_cancel_reaches_into_a_chapter():
    jobs = ReportJobs(time.time)
    entered, let_go = threading.Event(), threading.Event()

    def make(progress: Callable[[str, float], bool], stop: Stop) -> MadeReport:
        stop.on_stop(let_go.set)
        progress("a long chapter", 0.5)
        entered.set()
        assert let_go.wait(10)
        raise RuntimeError("the chapter was ended")

    job_id = jobs.start("x", make, viewer="ann", lang="en")
    assert entered.wait(10)
    found = jobs.get(job_id, "ann")
    assert (found.state, found.chapter, found.share) == ("running", "a long chapter", 0.5)
    jobs.cancel(job_id, "ann")
    job = wait(lambda: jobs.get(job_id, "ann"))
    assert job.state == "failed"  # an error that is not ours is told without its text
    assert job.error is not None
    assert "the chapter was ended" not in job.error.message
    jobs.close()
