"""identity:<id>: what the model says must hold in every row.

equality: |left - right| within max(abs, rel · |right|) per row; the share of rows outside and their gap
weighted by the right side decide between warn and fail. inequality: the expression is true. Rows with a
null on either side are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askcore.base.values import Severity
from askcore.checks.finding import PASS, Finding, Grade, Outcome
from askcore.checks.frame import DUP, Frame
from askcore.checks.measures import Aggregates, Check, Measured, count_where
from askcore.checks.native import known, native, tightened, whole
from askcore.checks.sql import (
    SOURCE,
    Binder,
    MissingInput,
    fill,
    inputs_of_text,
    names_in,
    readable,
)
from askcore.checks.wording import figure, labels, number, text
from askcore.semantic.model import Identity, Model, Tolerance

NAME = "identity"
_EPSILON = 1e-9  # floats of the same decimal may differ in the last bit
_FACT = "SELECT @{key}, @{sides} FROM fact f WHERE @{where} AND @{bad} ORDER BY @{size} DESC"
_RAW = (
    "SELECT @{key}, @{sides} FROM fact f JOIN raw r ON @{join} AND r.@{dup} = 1"
    " WHERE @{where} AND @{bad} ORDER BY @{size} DESC"
)
_FACT_WEIGHTS = "SELECT @{gap}, @{base} FROM fact f WHERE @{where}"
_RAW_WEIGHTS = "SELECT @{gap}, @{base} FROM fact f JOIN raw r ON @{join} AND r.@{dup} = 1 WHERE @{where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """An identity as SQL."""

    identity: Identity
    evaluable: str
    bad: str
    left: str = "NULL"
    right: str = "NULL"
    is_raw: bool = False


def texts(identity: Identity) -> tuple[str, ...]:
    """Every expression of an identity."""
    found = (identity.left, identity.right, identity.expr, identity.guard)
    return tuple(t for t in found if t)


def asked(frame: Frame) -> Iterator[Identity]:
    """Identities that matter for the frame's metrics."""
    for identity in frame.model.identities:
        parts = [inputs_of_text(frame.model, t) for t in texts(identity)]
        if not frame.asks(f"{NAME}:{identity.id}") or not _names_sources(identity, frame):
            continue
        if frame.wants(frozenset().union(*parts)):
            yield identity


def _names_sources(identity: Identity, frame: Frame) -> bool:
    """Whether the metrics that it reads from the source are asked for; only they are in question then."""
    sources = [name for t in texts(identity) for table, name in names_in(t) if table == SOURCE]
    return not sources or any(frame.names(name) for name in sources)


def terms_of(identity: Identity, frame: Frame) -> Terms:
    """The identity as SQL. Raises: MissingInput when the dataset lacks a column."""
    to_sql = frame.expressions.row
    guard = f"coalesce({_quickly(identity.guard, frame)}, FALSE) AND " if identity.guard else ""
    is_raw = any(table == SOURCE for t in texts(identity) for table, _ in names_in(t))
    if identity.kind == "inequality":
        holds = _quickly(identity.expr, frame)
        has_value = known(identity.expr, frame.expressions) or f"({holds}) IS NOT NULL"
        return Terms(
            identity=identity,
            evaluable=f"({guard}{has_value})",
            bad=f"({guard}{_fails(identity.expr, frame)})",
            is_raw=is_raw,
        )
    left, right = to_sql(identity.left), to_sql(identity.right)
    both = [
        known(text, frame.expressions) or f"({sql}) IS NOT NULL"
        for text, sql in ((identity.left, left), (identity.right, right))
    ]
    evaluable = f"({guard}{' AND '.join(both)})"
    return Terms(
        identity=identity,
        evaluable=evaluable,
        bad=f"({evaluable} AND {_beyond(identity, left, right, frame)})",
        left=left,
        right=right,
        is_raw=is_raw,
    )


def _quickly(text: str, frame: Frame) -> str:
    """A condition over the stored types; over DOUBLE where it has no value there."""
    cast, quick = frame.expressions.row(text), native(text, frame.expressions)
    if quick is None:
        return cast
    return f"coalesce({quick}, {cast})" if quick.startswith("TRY") else quick


def _fails(text: str, frame: Frame) -> str:
    """The condition has the value FALSE; rows that meet it even without its slack are seen cheaply."""
    fails, tight = f"NOT ({_quickly(text, frame)})", tightened(text)
    quick = native(tight, frame.expressions) if tight else None
    return f"CASE WHEN {quick} THEN FALSE ELSE {fails} END" if quick else fails


def _beyond(identity: Identity, left: str, right: str, frame: Frame) -> str:
    """The gap is larger than allowed; the cast sides are compared only where the stored ones differ."""
    far = f"abs(({left}) - ({right})) > {allowed(identity.row_tol, right)}"
    limit = whole(identity.row_tol.abs)
    near = native(f"abs(({identity.left}) - ({identity.right})) <= {limit}", frame.expressions)
    return far if near is None else f"CASE WHEN {near} THEN FALSE ELSE {far} END"


def allowed(tolerance: Tolerance, right: str) -> str:
    """SQL of the largest gap a row may have."""
    return f"greatest({tolerance.abs}, {tolerance.rel} * abs({right})) + {_EPSILON}"


def _aggregates(frame: Frame, *, raw: bool) -> Aggregates:
    found: dict[str, str] = {}
    for identity in asked(frame):
        try:
            terms = terms_of(identity, frame)
        except MissingInput:
            continue
        if terms.is_raw != raw:
            continue
        name = identity.id
        found[f"n:{name}"] = count_where(terms.evaluable)
        found[f"bad:{name}"] = count_where(terms.bad)
    return found


def facts(frame: Frame) -> Aggregates:
    """Aggregates of identities over fact columns only."""
    return _aggregates(frame, raw=False)


def raws(frame: Frame) -> Aggregates:
    """Aggregates of identities that compare with the source's own values."""
    return _aggregates(frame, raw=True)


def grade(identity: Identity, *, n_checked: int, n_bad: int, gap: float = 0.0, base: float = 0.0) -> Grade:
    """Warn for any row outside; fail when the share of rows or the weighted gap reaches `fail`.

    gap: Σ |left - right| over rows outside. base: Σ |right| over rows evaluated.
    """
    if n_bad == 0:
        return PASS
    share = n_bad / n_checked
    if identity.kind == "inequality":
        fails = identity.severity == "fail"
    else:
        weighted = gap / base if base else share
        fails = identity.fail > 0 and max(share, weighted) >= identity.fail
    severity: Severity = "major" if fails else "minor"
    return Grade(status="fail" if fails else "warn", severity=severity)


def weights(terms: Terms, frame: Frame) -> tuple[float, float]:
    """(Σ |left - right| over rows outside, Σ |right| over rows evaluated); zeros for an inequality."""
    if terms.identity.kind == "inequality":
        return 0.0, 0.0
    bind = Binder()
    gap = f"abs(({terms.left}) - ({terms.right}))"
    sql = fill(
        _RAW_WEIGHTS if terms.is_raw else _FACT_WEIGHTS,
        gap=f"sum(CASE WHEN {terms.bad} THEN {gap} END)",
        base=f"sum(CASE WHEN {terms.evaluable} THEN abs({terms.right}) END)",
        join=frame.same_row("f", "r"),
        dup=DUP,
        where=frame.where(bind),
    )
    row = frame.rows(sql, bind)[0]
    return float(row[0] or 0.0), float(row[1] or 0.0)


def find(terms: Terms, frame: Frame, *, needed: bool = True) -> tuple[list[Finding], str]:
    """Rows outside, largest gap first, and the statement that lists them; not run unless `needed`."""
    bind = Binder()
    size = f"abs(({terms.left}) - ({terms.right}))"
    sql = fill(
        _RAW if terms.is_raw else _FACT,
        key=frame.key_columns(),
        sides=f"{terms.left} AS left_side, {terms.right} AS right_side",
        join=frame.same_row("f", "r"),
        dup=DUP,
        where=frame.where(bind),
        bad=terms.bad,
        size=size if terms.identity.kind == "equality" else "f.date",
    )
    found = []
    for row in frame.rows(sql, bind, needed=needed):
        left, right = row[-2], row[-1]
        gap = 0.0 if left is None or right is None else abs(left - right)
        unit = _unit(terms.identity, frame)
        found.append(
            Finding(
                key=frame.key(row),
                size=gap,
                detail=_detail(terms, frame, left, right),
                figures=(*figure(left, terms.identity.id, unit), *figure(right, terms.identity.id, unit)),
            )
        )
    return found, readable(sql, bind.values)


def _detail(terms: Terms, frame: Frame, left: float | None, right: float | None) -> str:
    if left is None or right is None:
        return terms.identity.expr
    unit = _unit(terms.identity, frame)
    return text(
        frame.lang,
        "identity_detail",
        left=number(left, unit),
        right=number(right, unit),
        factor=_factor(terms.identity, left, right, frame),
    )


def _unit(identity: Identity, frame: Frame) -> str:
    """Unit of both sides: that of the source's metric, else of the right side's first metric."""
    names = names_in(identity.right) if identity.right else ()
    metric = frame.model.by_key.get(names[0][1]) if names else None
    return "" if metric is None else metric.unit


def _factor(identity: Identity, left: float, right: float, frame: Frame) -> str:
    """A mark like "(×100)" when one side is the other in another unit."""
    for probe in identity.unit_probe:
        if probe == 1:
            continue
        for factor, mark in ((probe, f"×{probe:g}"), (1 / probe, f"÷{probe:g}")):
            limit = max(identity.row_tol.abs, identity.row_tol.rel * abs(left), 0.02 * abs(left))
            if left and abs(right / factor - left) <= limit:
                return text(frame.lang, "identity_unit", factor=mark)
    return ""


def run(frame: Frame, measured: Measured) -> Sequence[Outcome]:
    """One verdict an identity."""
    found = []
    for identity in asked(frame):
        try:
            terms = terms_of(identity, frame)
        except MissingInput as e:
            found.append(_skipped(identity, frame, "skip_no_column", e.name))
            continue
        found.append(_outcome(terms, frame, measured))
    return found


def _outcome(terms: Terms, frame: Frame, measured: Measured) -> Outcome:
    identity = terms.identity
    n_checked = measured.count(f"n:{identity.id}", raw=terms.is_raw)
    n_bad = measured.count(f"bad:{identity.id}", raw=terms.is_raw)
    if n_checked == 0:
        return _skipped(identity, frame, "skip_no_rows", "")
    gap, base = weights(terms, frame) if n_bad else (0.0, 0.0)
    findings, sql = find(terms, frame, needed=n_bad > 0)
    return Outcome(
        check=f"{NAME}:{identity.id}",
        kind="identity",
        grade=grade(identity, n_checked=n_checked, n_bad=n_bad, gap=gap, base=base),
        n_checked=n_checked,
        findings=findings,
        words=words_of(identity) | {"gap": number(gap)},
        n_total=n_bad if findings else None,
        sql=sql,
    )


def words_of(identity: Identity) -> dict[str, object]:
    """Placeholders that every sentence about an identity may use."""
    rule = identity.expr or f"{identity.left} = {identity.right}"
    tolerance = identity.row_tol
    return {
        "rule": rule,
        "abs": f"{tolerance.abs:g}",
        "rel": f"{tolerance.rel:.2%}",
        "warn": f"{identity.warn:.2%}",
        "fail": f"{identity.fail:.2%}",
    }


def _skipped(identity: Identity, frame: Frame, reason: str, name: str) -> Outcome:
    return Outcome(
        check=f"{NAME}:{identity.id}",
        kind="identity",
        grade=Grade(status="skip"),
        n_checked=0,
        words=words_of(identity) | {"column": labels([name], frame) if name else ""},
        reason=reason,
    )


def ids_of(model: Model, name: str) -> tuple[str, ...]:
    """One id an identity of the model."""
    return tuple(f"{name}:{identity.id}" for identity in model.identities)


CHECK = Check(name=NAME, run=run, facts=facts, raws=raws, ids_of=ids_of)
