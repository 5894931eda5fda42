"""A report of 200 rows, a chart and checks as PDF, HTML and XLSX; its PDF against weasyprint and Chromium.

All three print the same report: ours is set from the report model, the others print our HTML. Whole processes
are compared in turns; every Chinese character must come out of our PDF before anything is timed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from askcore.base.reports import (
    ChartBlock,
    ChecksBlock,
    Paragraph,
    Report,
    Run,
    Section,
    TableBlock,
    TextBlock,
)
from askcore.base.values import ChartSpec, Column, Table, Verdict
from askcore.report.fonts import fonts_for
from askcore.report.formats import write
from benchmarks.bench import ROOT, Bench, environment
from benchmarks.measure import Spread, interleave, sample
from benchmarks.peers.venvs import Tool, interpreter
from benchmarks.report import Line, Skipped

ROWS = 200
_MOST_WARM_MS, _MOST_COLD_MS, _MOST_PDF_KB, _MOST_HTML_KB = 150, 1000, 300, 1600
_WEASYPRINT = Tool(name="weasyprint", worker="weasyprint", requirements=("weasyprint==70.0",), least=5)
_ROUNDS = 9
_SHOPS = ("科技园店", "大学城店", "老城店", "火车站店", "万象天地店", "会展中心店", "高新南店")
_LIMIT_S = 120
_OURS = """
import sys
from pathlib import Path
from benchmarks.reports import a_report
from askcore.report.formats import write
Path(sys.argv[2]).write_bytes(write(a_report(), "pdf", fonts=Path(sys.argv[1])))
"""
_THEIRS_WARM = """
import statistics, sys, time
from weasyprint import HTML
times = []
for _ in range(6):
    started = time.perf_counter()
    HTML(filename=sys.argv[1]).write_pdf()
    times.append((time.perf_counter() - started) * 1000)
print(statistics.median(times[1:]))
"""
_THEIRS = "import sys; from weasyprint import HTML; HTML(filename=sys.argv[1]).write_pdf(sys.argv[2])"


def run(bench: Bench) -> Iterator[Line]:
    """Ours with its goals, then the ratios to the two others, each skipped where it cannot run."""
    fonts = bench.cache / "fonts"
    fonts_for((), fonts)
    place = bench.scratch / "reports"
    place.mkdir(parents=True, exist_ok=True)
    report = a_report()
    pdf = write(report, "pdf", fonts=fonts)
    _readable(pdf, report)
    warm = _warm_ms(lambda: write(report, "pdf", fonts=fonts))
    yield _warm("PDF warm", warm, _MOST_WARM_MS)
    yield _size("PDF size", pdf, _MOST_PDF_KB)
    page = write(report, "html", fonts=fonts)
    yield _warm("HTML", _warm_ms(lambda: write(report, "html", fonts=fonts)))
    yield _size("HTML size", page, _MOST_HTML_KB)
    yield _warm("XLSX", _warm_ms(lambda: write(report, "xlsx", fonts=fonts)))
    (place / "report.html").write_bytes(page)
    ours = [sys.executable, "-c", _OURS, str(fonts), str(place / "ours.pdf")]
    yield _warm_against(bench, place, warm)
    yield from _against("weasyprint", ours, lambda: _weasyprint(bench, place))
    yield from _against("Chromium", ours, lambda: _chromium(place))


def a_report() -> Report:
    """A day's figures of shops: a row a shop and day, the first twenty drawn."""
    table = Table(
        columns=(
            Column(key="date", label="日期", unit="date"),
            Column(key="shopName", label="门店"),
            Column(key="grossAmt", label="营业额", unit="CNY"),
            Column(key="validOrderCnt", label="有效订单", unit="order"),
            Column(key="visitRate", label="进店率", unit="ratio"),
        ),
        rows=tuple(
            {
                "date": date(2026, 10, 1 + n % 17).isoformat(),
                "shopName": _SHOPS[n % len(_SHOPS)],
                "grossAmt": 18_000.5 + 37 * n,
                "validOrderCnt": 500 + n,
                "visitRate": 0.08 + n / 10_000,
            }
            for n in range(ROWS)
        ),
        row_count=ROWS,
    )
    drawn = Table(columns=table.columns, rows=table.rows[:20], row_count=20)
    check = Verdict(
        id="v1", kind="quality", check="nulls", status="pass", target="全部门店", expect="没有空值",
        actual="没有空值", severity="info", n_checked=ROWS, n_bad=0, note="两百行都没有空值。",
    )  # fmt: skip
    words = TextBlock(paragraphs=(Paragraph(runs=(Run(text="十月上半月各门店按天的营业额与订单。"),)),))
    spec = ChartSpec(type="bar", x="shopName", y=("grossAmt", "validOrderCnt"))
    blocks = (
        words,
        ChartBlock(title="营业额", table=drawn, spec=spec),
        TableBlock(title="明细", table=table, source=""),
        ChecksBlock(title="核验", verdicts=(check,)),
    )
    section = Section(id="s1", title="门店明细", question="", run_id="", blocks=blocks)
    return Report(
        report_id="p000000000001", kind="answers", title="门店经营报告", lang="zh", dataset="demo", version=1,
        is_synthetic=True, entity="悦食餐饮", period=None, as_of=date(2026, 10, 18),
        made_at="2026-10-18 10:00+08:00", sections=(section,),
    )  # fmt: skip


def _readable(pdf: bytes, report: Report) -> None:
    """Raises: RuntimeError when a Chinese character of the table cannot be copied out."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        said = "".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()
    wanted = set(re.findall(r"[\u4e00-\u9fff]", "".join((*_SHOPS, report.title, "日期营业额有效订单进店率"))))
    if lost := wanted - set(said):
        raise RuntimeError(f"the PDF lost {sorted(lost)}")


def _warm_ms(work: Callable[[], object]) -> Spread:
    work()
    return Spread.of([sample(work).wall_ms for _ in range(_ROUNDS)])


def _warm_against(bench: Bench, place: Path, ours: Spread) -> Line:
    """Both in a process that has made one before."""
    name = "PDF warm, weasyprint"
    try:
        python = interpreter(_WEASYPRINT, bench.cache)
        theirs = float(_process([str(python), "-c", _THEIRS_WARM, str(place / "report.html")]))
    except Skipped as e:
        return Line(name=name, figures=f"skipped: {e}")
    ratio = theirs / ours.median
    return Line(
        name=name,
        figures=f"theirs {theirs:.0f} ms, ours {ratio:.1f} times as fast",
        goal=f"≥ {_WEASYPRINT.least:g} ×",
        is_held=ratio >= _WEASYPRINT.least,
    )


def _warm(name: str, found: Spread, most_ms: float | None = None) -> Line:
    goal = "" if most_ms is None else f"≤ {most_ms} ms"
    is_held = None if most_ms is None else found.median <= most_ms
    return Line(name=name, figures=f"{found.text(1)} ms", goal=goal, is_held=is_held)


def _size(name: str, data: bytes, most_kb: int) -> Line:
    kb = len(data) / 1024
    return Line(name=name, figures=f"{kb:.0f} KB", goal=f"≤ {most_kb} KB", is_held=kb <= most_kb)


def _against(name: str, ours: list[str], theirs: Callable[[], list[str]]) -> Iterator[Line]:
    """Whole processes in turns."""
    try:
        command = theirs()
        _process(command)
    except Skipped as e:
        yield Line(name=f"PDF in a process, {name}", figures=f"skipped: {e}")
        return
    pairs = interleave(lambda: _process(ours), lambda: _process(command))
    times = Spread.of([b.wall_ms / o.wall_ms for o, b in zip(pairs.ours, pairs.base, strict=True)])
    yield Line(
        name=f"PDF in a process, {name}",
        figures=f"{pairs.ours_ms:.0f} ms, theirs {pairs.base_ms:.0f} ms, ours {times.text(1)} times as fast",
    )
    if name == "weasyprint":
        yield Line(
            name="PDF, cold process",
            figures=f"{pairs.ours_ms:.0f} ms",
            goal=f"≤ {_MOST_COLD_MS} ms",
            is_held=pairs.ours_ms <= _MOST_COLD_MS,
        )


def _process(command: list[str]) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=_LIMIT_S, check=False
    )
    if done.returncode != 0:
        raise Skipped(f"{Path(command[0]).name} ended with {done.returncode}: {done.stderr.strip()[-160:]}")
    return done.stdout


def _weasyprint(bench: Bench, place: Path) -> list[str]:
    python = interpreter(_WEASYPRINT, bench.cache)
    return [str(python), "-c", _THEIRS, str(place / "report.html"), str(place / "weasyprint.pdf")]


def _chromium(place: Path) -> list[str]:
    found = next(
        (p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None
    )
    if found is None:
        raise Skipped("there is no Chromium")
    return [
        found, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={place / 'profile'}",
        "--no-pdf-header-footer", f"--print-to-pdf={place / 'chromium.pdf'}",
        (place / "report.html").as_uri(),
    ]  # fmt: skip
