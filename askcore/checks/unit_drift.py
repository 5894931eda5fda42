"""unit_drift: the source's own value is ×100 or ×10000 (or ÷) of what its parts give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askcore.checks.finding import FAIL, PASS, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Aggregates, Check, Measured, count_where
from askcore.checks.sql import Binder, MissingInput, any_of, fill, readable
from askcore.checks.wording import figure, label, labels, number, text
from askcore.semantic.model import Metric

NAME = "unit_drift"
FACTORS = (100.0, 10000.0, 0.01, 0.0001)
_SQL = """
SELECT @{key}, @{values} FROM fact f JOIN raw r ON @{join} AND r.@{dup} = 1
WHERE @{where} AND (@{bad}) ORDER BY f.date DESC"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A metric that the source delivers and that its parts give too."""

    metric: Metric
    ours: str
    theirs: str
    evaluable: str
    drifts: str


def probes(frame: Frame) -> Iterator[Probe]:
    """Ratios that can be recomputed and compared with the source's own value."""
    for metric in frame.model.metrics:
        if metric.additivity.kind != "ratio" or not frame.names(metric.key):
            continue
        try:
            ours = frame.expressions.metric(metric.key)
            theirs = frame.expressions.source(metric.key)
        except MissingInput:
            continue
        evaluable = f"({ours}) > 0 AND ({theirs}) > 0"
        near = [_near(f"({theirs}) / {k!r}", ours, frame) for k in FACTORS]
        drifts = f"({evaluable} AND NOT {_near(theirs, ours, frame)} AND ({any_of(near)}))"
        yield Probe(metric=metric, ours=ours, theirs=theirs, evaluable=evaluable, drifts=drifts)


def _near(left: str, right: str, frame: Frame) -> str:
    limits = frame.limits
    return f"(abs(({left}) - ({right})) <= {limits.drift_rel} * ({right}))"


def raws(frame: Frame) -> Aggregates:
    """Rows that can be compared and rows that drift, each ratio."""
    found: dict[str, str] = {}
    for probe in probes(frame):
        found[f"n:drift:{probe.metric.key}"] = count_where(probe.evaluable)
        found[f"bad:drift:{probe.metric.key}"] = count_where(probe.drifts)
    return found


def factor_of(ours: float, theirs: float, rel: float) -> float | None:
    """The factor by which the source's value is off; None when it is no known one."""
    for factor in FACTORS:
        if abs(theirs / factor - ours) <= rel * ours:
            return factor
    return None


def grade(findings: Sequence[Finding]) -> Grade:
    """A wrong unit fails: the figure is off by a hundred."""
    return FAIL if findings else PASS


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict over all ratios that the source delivers."""
    found = list(probes(frame))
    n_checked = sum(measured.count(f"n:drift:{p.metric.key}", raw=True) for p in found)
    if not n_checked:
        reason = "skip_no_source_values" if frame.raw_fields else "skip_no_raw"
        return [Outcome(check=NAME, kind="quality", grade=Grade(status="skip"), n_checked=0, reason=reason)]
    bad = [p for p in found if measured.count(f"bad:drift:{p.metric.key}", raw=True)]
    findings, sql = _find(frame, bad or found, needed=bool(bad))
    return [
        Outcome(
            check=NAME,
            kind="quality",
            grade=grade(findings),
            n_checked=n_checked,
            findings=findings,
            words={"metrics": labels([p.metric.key for p in bad or found], frame)},
            sql=sql,
        )
    ]


def _find(frame: Frame, bad: Sequence[Probe], *, needed: bool) -> tuple[list[Finding], str]:
    bind = Binder()
    sql = fill(
        _SQL,
        key=frame.key_columns(),
        values=", ".join(f"{p.ours}, {p.theirs}" for p in bad),
        join=frame.same_row("f", "r"),
        dup=DUP,
        where=frame.where(bind),
        bad=any_of(p.drifts for p in bad),
    )
    found = []
    for row in frame.rows(sql, bind, needed=needed):
        values = row[frame.key_width :]
        for probe, ours, theirs in zip(bad, values[0::2], values[1::2], strict=True):
            factor = _drift(ours, theirs, frame.limits.drift_rel)
            if factor is None:
                continue
            detail = text(
                frame.lang,
                "unit_drift_detail",
                metric=label(probe.metric.key, frame),
                theirs=f"{theirs:g}",
                ours=number(ours, probe.metric.unit),
                factor=f"×{factor:g}" if factor > 1 else f"÷{1 / factor:g}",
            )
            factor = max(factor, 1 / factor)
            figures = (
                *figure(theirs, probe.metric.key),
                *figure(ours, probe.metric.key, probe.metric.unit),
                *figure(factor, "factor"),
            )
            found.append(
                Finding(key=frame.key(row), size=factor, is_fail=True, detail=detail, figures=figures)
            )
            break
    return found, readable(sql, bind.values)


def _drift(ours: float | None, theirs: float | None, rel: float) -> float | None:
    if not ours or not theirs or abs(theirs - ours) <= rel * ours:
        return None
    return factor_of(ours, theirs, rel)


CHECK = Check(name=NAME, run=run, raws=raws)
