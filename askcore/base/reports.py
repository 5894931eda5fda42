"""What a report is, whatever it is written as: sections of blocks, every figure with the way to it.

Builders fill these values, writers only lay them out. Numbers in tables are raw (rates 0-1, money in yuan);
texts are in the report's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, Literal

from askcore.base.values import ChartSpec, Lang, Period, StepError, Table, Verdict

ReportKind = Literal["answer", "answers", "weekly", "monthly", "health", "peers"]
JobState = Literal["running", "done", "failed", "cancelled"]
Tone = Literal["plain", "note", "alert"]


_WEEK: Final = 7
_LONGEST_WEEKLY: Final = 14  # days; from here on a comparison by months says more


def report_around(period: Period) -> tuple[Literal["weekly", "monthly"], Period]:
    """The report that days belong to: a day's week, some days themselves, a longer time as a monthly one."""
    if period.days == 1:
        start = period.start - timedelta(days=period.start.weekday())
        return "weekly", Period(start=start, end=start + timedelta(days=_WEEK - 1))
    return "weekly" if period.days <= _LONGEST_WEEKLY else "monthly", period


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of text; `is_strong` where the writer sets it bold."""

    text: str
    is_strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One paragraph, or one item of a list."""

    runs: tuple[Run, ...]
    is_item: bool = False

    @property
    def plain(self) -> str:
        """The text without emphasis."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """Prose."""

    paragraphs: tuple[Paragraph, ...]
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """One figure of a strip, formatted for the reader."""

    label: str
    value: str
    delta: str = ""
    good: bool | None = None
    """Whether the change is good; None: neutral or no change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineBlock:
    """A strip of figures."""

    items: tuple[Headline, ...]
    mark: str = ""
    """Ids of the verdicts that failed on rows behind these figures: "v1 v3"; "" when none did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """The rows of one result."""

    title: str
    table: Table
    source: str
    """Id of the `Source` that gave the rows; "" when they cannot be repeated by a call."""
    mark: str = ""
    """As in `HeadlineBlock`."""
    on_paper: int | None = None
    """Rows that pages show, which say how many there are; the workbook has all. None: all."""

    @property
    def paper_rows(self) -> tuple[Mapping[str, Any], ...]:
        """The rows that pages show."""
        return self.table.rows[: self.on_paper]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridBlock:
    """A table of texts, such as the slip."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBlock:
    """A drawing of a table."""

    title: str
    table: Table
    spec: ChartSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksBlock:
    """Verdicts, failing first."""

    title: str
    verdicts: tuple[Verdict, ...]


Block = TextBlock | HeadlineBlock | TableBlock | GridBlock | ChartBlock | ChecksBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A call that gave figures, and all that is needed to make it again."""

    id: str
    """"s1.t2": section and step."""
    tool: str
    args: Mapping[str, Any]
    entity: str
    """Id of the top-level entity that the call was about; "" for none."""
    as_of: date
    sql: tuple[str, ...]

    @property
    def section(self) -> str:
        """The section that cites it."""
        return self.id.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number of the report by the address of its cell."""

    address: str
    """"s1.t2:S0101.grossAmt": source, row and column, or source and cell as sentences cite it."""
    value: float
    shown: str = ""
    """As a sentence writes it; "" for a table's number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One chapter: an answer, a list of faults."""

    id: str
    """"s1", "s2" …"""
    title: str
    question: str
    """As asked; "" when nobody asked."""
    run_id: str
    blocks: tuple[Block, ...]
    evidence: tuple[Block, ...] = ()
    """What a reader opens to check: ratios, the slip, what passed, each number's source."""
    sources: tuple[Source, ...] = ()
    figures: tuple[Figure, ...] = ()
    failed: tuple[Verdict, ...] = ()
    """Verdicts that failed on rows used here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What the reader may choose."""

    title: str = ""
    """"" = the kind's own."""
    provenance: bool = True
    """With ratios, slips and the source of each number."""
    sql: bool = False
    """With the statements."""
    order: tuple[str, ...] = ()
    """Section ids to keep, in this order; () = all as built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionLine:
    """A section in an outline."""

    id: str
    title: str
    has_failed: bool
    """Whether a check failed on rows behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportJob:
    """A report that is being made, or why it was not."""

    job_id: str
    viewer: str
    title: str
    started_at: float
    chapter: str = ""
    """The chapter that is being written."""
    share: float = 0.0
    """How far the whole is, 0-1."""
    state: JobState = "running"
    error: StepError | None = None
    report_id: str = ""
    """Of the report made; "" before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """A report that was written and is kept."""

    report_id: str
    kind: ReportKind
    title: str
    lang: Lang
    viewer: str
    dataset: str
    version: int
    entity: str
    period: Period | None
    made_at: str
    """ISO date and time in the dataset's zone."""
    chapters: tuple[str, ...]
    figures: int
    """Numbers that can be made again."""
    failed: tuple[str, ...]
    """Notes of the failing checks, worst first."""
    files: Mapping[str, str]
    """Format -> path below the state folder."""
    options: ReportOptions = ReportOptions()
    sections: tuple[SectionLine, ...] = ()
    """All sections as built, whatever the options keep; () for one that cannot be arranged anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole report."""

    report_id: str
    kind: ReportKind
    title: str
    lang: Lang
    dataset: str
    version: int
    is_synthetic: bool
    entity: str
    """Display name; "" when the dataset has no top-level entity."""
    period: Period | None
    as_of: date
    made_at: str
    """ISO date and time in the dataset's zone."""
    sections: tuple[Section, ...]
    has_provenance: bool = True
    has_sql: bool = False

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """Failing verdicts of all sections: of what one check says of one target, the widest."""
        found: dict[tuple[str, str], Verdict] = {}
        for section in self.sections:
            for verdict in section.failed:
                known = found.setdefault((verdict.check, verdict.target), verdict)
                if verdict.n_bad > known.n_bad:
                    found[verdict.check, verdict.target] = verdict
        return tuple(found.values())

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Verdicts of all sections, each check of a target once, as in its worst section."""
        found: dict[tuple[str, str], Verdict] = {}
        for section in self.sections:
            for block in (*section.blocks, *section.evidence):
                for verdict in block.verdicts if isinstance(block, ChecksBlock) else ():
                    key = verdict.check, verdict.target
                    if key not in found or verdict.rank < found[key].rank:
                        found[key] = verdict
        return tuple(found.values())

    @property
    def sources(self) -> tuple[Source, ...]:
        """All calls behind the report."""
        return tuple(source for section in self.sections for source in section.sources)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures of the report."""
        return tuple(figure for section in self.sections for figure in section.figures)
