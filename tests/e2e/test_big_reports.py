"""A report of fifty pages and 20,000 rows: within 1 GiB, told how far it is, ended when asked to."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import textwrap
import time
from datetime import date
from pathlib import Path

import openpyxl
import pypdfium2
import pytest

from askcore.base.errors import Cancelled
from askcore.base.reports import Paragraph, Report, Run, Section, TableBlock, TextBlock
from askcore.base.values import Column, Table
from askcore.report.fonts import fonts_for
from askcore.report.formats import FORMATS, write

ROOT = Path(__file__).resolve().parents[2]
ROWS = 20_000
GIB_MB = 1024
SHOPS = ("科技园店", "大学城店", "老城店", "Harbor & Co", "万象天地店")


def big_report(rows: int = ROWS) -> Report:
    """One table of a row a shop-day; sales of row n are 1000.25 + n."""
    table = Table(
        columns=(
            Column(key="date", label="日期", unit="date"),
            Column(key="shopId", label="编号"),
            Column(key="shopName", label="门店"),
            Column(key="grossAmt", label="营业额", unit="CNY"),
            Column(key="validOrderCnt", label="有效订单", unit="order"),
            Column(key="visitRate", label="进店率", unit="ratio"),
        ),
        rows=tuple(
            {
                "date": f"2026-{n % 12 + 1:02d}-{n % 28 + 1:02d}",
                "shopId": f"S{n:05d}",
                "shopName": SHOPS[n % 5],
                "grossAmt": 1000.25 + n,
                "validOrderCnt": n % 97,
                "visitRate": n % 100 / 100,
            }
            for n in range(rows)
        ),
        row_count=rows,
    )
    words = TextBlock(paragraphs=(Paragraph(runs=(Run(text="全部门店的明细。"),)),))
    section = Section(
        id="s1", title="明细", question="", run_id="r1", blocks=(words, TableBlock(title="行", table=table, source=""))
    )  # fmt: skip
    return Report(
        report_id="p000000000001", kind="answers", title="大报告", lang="zh", dataset="demo", version=1,
        is_synthetic=False, entity="悦食餐饮", period=None, as_of=date(2026, 10, 18),
        made_at="2026-10-18 10:00+08:00", sections=(section,),
    )  # fmt: skip


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fonts")
    fonts_for((), folder)
    return folder


@pytest.fixture(scope="module")
def written(fonts: Path) -> dict[str, tuple[bytes, list[float]]]:
    """Each format with the shares that were told."""
    report = big_report()
    found: dict[str, tuple[bytes, list[float]]] = {}
    for name in FORMATS:
        told: list[float] = []
        found[name] = (
            write(report, name, fonts=fonts, progress=lambda _, share, t=told: not t.append(share)),
            told,
        )
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_progress_only_grows_and_reaches_the_end(written, name):
    _, told = written[name]
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert name != "pdf" or len(told) > 5


def test_paper_says_how_many_rows_it_leaves_to_the_workbook(written):
    document = pypdfium2.PdfDocument(written["pdf"][0])
    try:
        assert len(document) >= 50
        said = "".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()
    shown = sum(f"S{n:05d}" in said for n in range(ROWS))
    assert f"这里列出 {shown:,} / {ROWS:,} 行" in said or f"这里列出 {shown} / {ROWS} 行" in said
    assert 3_000 <= shown < ROWS


def test_the_workbook_has_every_row(written):
    book = openpyxl.load_workbook(io.BytesIO(written["xlsx"][0]), read_only=True)
    sheet = next(s for s in book.worksheets if s.max_row > 1_000)
    rows = list(sheet.iter_rows(min_row=2, values_only=True))
    assert len(rows) == ROWS
    assert sum(row[3] for row in rows) == sum(1000.25 + n for n in range(ROWS))
    book.close()


def test_the_page_and_the_text_have_every_row(written):
    for name in ("html", "md"):
        said = written[name][0].decode()
        assert all(f"S{n:05d}" in said for n in range(0, ROWS, 997))


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_stays_within_a_gib(fonts: Path, name: str):
    """In a process of its own, with the largest of its children beside its own peak.

    Its own is VmHWM: what `getrusage` tells of a process holds the size of the one that started it.
    """
    script = textwrap.dedent(f"""
        import json, re, resource
        from pathlib import Path
        from askcore.report.formats import write
        from tests.e2e.test_big_reports import big_report
        data = write(big_report(), {name!r}, fonts=Path({str(fonts)!r}))
        own = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
        child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(json.dumps({{"mb": (own + child) / 1024, "bytes": len(data)}}))
    """)
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    )
    told = json.loads(said.stdout.splitlines()[-1])
    assert told["bytes"] > 100_000
    assert told["mb"] < GIB_MB


@pytest.mark.parametrize("name", FORMATS)
def test_cancel_ends_it_without_a_file_or_a_process(fonts: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    started: list[subprocess.Popen[str]] = []
    real = subprocess.Popen

    def noting(*args, **how):
        started.append(real(*args, **how))
        return started[-1]

    monkeypatch.setattr("askcore.report.setting.subprocess.Popen", noting)
    asked: list[float] = []

    def until_under_way(stage: str, share: float) -> bool:
        if share > 0.02 or (name != "pdf"):
            asked.append(time.monotonic())
        return not asked

    with pytest.raises(Cancelled):
        write(big_report(), name, fonts=fonts, progress=until_under_way)
    assert time.monotonic() - asked[0] < 5  # generous: other tests run beside
    assert [child.poll() for child in started if child.poll() is None] == []
    assert (name == "pdf") is bool(started)


def test_an_interrupted_writing_leaves_the_file_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from askcore.cli import _write_whole

    out = tmp_path / "report.pdf"
    out.write_bytes(b"before")

    def broken(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", broken)
        with pytest.raises(KeyboardInterrupt):
            _write_whole(out, b"after")
    assert out.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["report.pdf"]
