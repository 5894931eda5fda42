"""A finished run's answer: table, chart, chips, notes, and the provenance of every number in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from askcore.agent.like_for_like import like_for_like
from askcore.agent.loop import Outcome
from askcore.agent.skills import followed, skill_named
from askcore.agent.state import Action, Clarify, Final, Refuse, State
from askcore.agent.verify import argument_periods
from askcore.base.errors import BadRequest, did_you_mean
from askcore.base.text import say
from askcore.base.values import (
    TIME_GRAINS,
    Cell,
    Lang,
    Note,
    Reading,
    Table,
    ToolResult,
    Verdict,
    VerdictStatus,
)
from askcore.base.views import Chip, RatioRow, SlipRow
from askcore.charts import clamp_chart
from askcore.checks.claims import check_words, word_report_json
from askcore.checks.provenance import trace_numbers
from askcore.semantic.averages import over_label, resolve, split_key
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Model
from askcore.semantic.names import is_bare_number, spoken_value


def answer_fields(outcome: Outcome, reading: Reading | None, skill: str = "") -> dict[str, Any]:
    """Fields of the run's snapshot that the outcome decides.

    skill: id of the playbook that was to be followed; "" for none.
    """
    state, action = outcome.state, outcome.action
    lang = state.request.lang
    fields: dict[str, Any] = {
        "status": outcome.status,
        "error": outcome.error,
        "reading": None if outcome.status == "refused" else reading,
        "chips": () if reading is None else chips(reading, state.model, state.catalog, lang),
        "verdicts": ordered(settled(state.results, _written(action))),
        "notes": _notes(state, action),
        "activity": "",
    }
    if isinstance(action, Clarify):
        options = [{"label": label, "question": q} for label, q in action.options]
        fields["clarify"] = {"question": action.question, "options": options}
        fields["answer"] = action.question
        fields["follow_ups"] = ()
    elif isinstance(action, Refuse):
        fields["answer"] = action.message
        fields["follow_ups"] = action.instead
        fields["provenance"] = _provenance(action.message, state)
    elif isinstance(action, Final):
        fields |= _final_fields(action, state)
        fields |= _skill_fields(skill, fields, state)
        fields |= _contradicted(fields, lang, len(state.verdicts) + 2)
    return fields


def _written(action: Action | None) -> str:
    return action.answer if isinstance(action, Final) else ""


def _skill_fields(skill: str, fields: Mapping[str, Any], state: State) -> dict[str, Any]:
    """The playbook with its verdict; an answer that left a step out says so in its text."""
    if not skill:
        return {}
    lang = state.request.lang
    verdict = followed(skill_named(skill), state.results, lang, len(state.verdicts) + 1)
    found = {"skill": skill, "verdicts": ordered((*fields["verdicts"], verdict))}
    if verdict.status == "pass":
        return found
    said = say(lang, "skills.said", note=verdict.note, id=verdict.id)
    return {**found, "answer": f"{fields['answer']}\n\n{said}"}


def _final_fields(action: Final, state: State) -> dict[str, Any]:
    shown = _headline_result(action, state.results)
    table = None if shown is None else shown.table
    wants_chart = action.chart is None or bool(action.chart)
    chart = (
        clamp_chart(action.chart, table, shown.id)
        if table is not None and shown is not None and wants_chart
        else None
    )
    return {
        "answer": action.answer,
        "headline": action.headline,
        "slip": _rows(SlipRow, shown, "slip"),
        "ratios": _rows(RatioRow, shown, "ratios"),
        "like_for_like": like_for_like(state.results, state.model, state.request.lang),
        "table": table,
        "table_step": "" if shown is None else shown.id,
        "chart": chart,
        "provenance": _provenance(action.answer, state),
        "follow_ups": action.follow_ups,
        "report": _made_report(state.results),
    }


def _made_report(results: Sequence[ToolResult]) -> Mapping[str, Any] | None:
    """The last report that was written."""
    facts = next((r.facts for r in reversed(results) if r.ok and r.tool == "build_report"), None)
    if facts is None:
        return None
    return {"id": facts["report_id"], **{key: facts[key] for key in ("kind", "title", "files")}}


def _rows(kind: Callable[..., Any], shown: ToolResult | None, name: str) -> tuple[Any, ...]:
    """Values of the headline step's own facts."""
    return tuple(kind(**row) for row in (shown.facts.get(name) or ())) if shown is not None else ()


def _headline_result(action: Final, results: Sequence[ToolResult]) -> ToolResult | None:
    with_table = [r for r in results if r.ok and r.table is not None]
    chosen = [r for r in with_table if r.id == action.headline_step]
    found = chosen or with_table[-1:]
    return found[0] if found else None


def _provenance(text: str, state: State) -> Mapping[str, Any]:
    """The trace of every number, and under "words" what the cells say of the claims made by words."""
    cells = run_cells(state)
    model = state.model
    known = entity_names(model, state.catalog, state.request.lang)
    rows = (c.entity for c in cells if c.entity and not is_bare_number(c.entity))
    names = tuple(dict.fromkeys((*known, *rows)))
    words = {m.key: m.words() for m in model.metrics}
    aliases = _ids_of(state)
    trace = trace_numbers(text, cells=cells, entities=names, metric_words=words, aliases=aliases).as_json()
    polarity = {m.key: _POLARITY[m.polarity] for m in model.metrics}
    own_words = _without_notes(text, state.verdicts)
    said = check_words(
        own_words, cells=cells, entities=names, metric_words=words, polarity=polarity, aliases=aliases
    )
    return {**trace, "words": word_report_json(said)}


def _without_notes(text: str, verdicts: Sequence[Verdict]) -> str:
    """The text without what the checks say, place for place: that is made from what they counted."""
    for note in {v.note.rstrip(_STOPS) for v in verdicts} - {""}:
        text = text.replace(note, " " * len(note))
    return text


_STOPS = "\u3002.;\uff1b"


def _ids_of(state: State) -> Mapping[str, str]:
    """Id -> how results call the entity; ids that read as figures are left out."""
    spoken = {
        e.id: state.catalog.spoken(state.model.levels_by_key[e.level], e.name, e.id, state.request.lang)
        for e in state.catalog.entities
        if not is_bare_number(e.id)
    }
    known = Counter(spoken.values())
    return {entity_id: name for entity_id, name in spoken.items() if known[name] == 1}


_POLARITY = {"up": 1, "down": -1, "neutral": 0}


def _contradicted(fields: Mapping[str, Any], lang: Lang, number: int) -> dict[str, Any]:
    """An answer whose words the cells refute says so itself, with a failing verdict."""
    bad = [i for i in fields["provenance"]["words"]["items"] if i["status"] == "contradicted"]
    if not bad:
        return {}
    said = say(lang, "answer.comma").join(
        say(lang, "refuted.claim", text=item["text"], why=item["why"]) for item in bad
    )
    note = say(lang, "refuted.verdict", claims=said)
    verdict = Verdict(
        id=f"v{number}",
        kind="attribution",
        check="word_claims",
        status="fail",
        severity="critical",
        target=say(lang, "refuted.target"),
        n_checked=fields["provenance"]["words"]["checked"],
        n_bad=len(bad),
        note=note,
    )
    answer = f"{fields['answer']}\n\n**{note}** [{verdict.id}]"
    return {"answer": answer, "verdicts": ordered((*fields["verdicts"], verdict))}


def entity_names(model: Model, catalog: Catalog, lang: Lang) -> tuple[str, ...]:
    """Names and ids that may hold digits, and so must be masked before numbers are read.

    A bare number is no name by itself: only "Store 20" is masked, never every 20 of a text.
    """
    found: list[str] = []
    for entity in catalog.entities:
        spoken = catalog.spoken(model.levels_by_key[entity.level], entity.name, entity.id, lang)
        found += [spoken, entity.name, entity.id]
    for key, values in catalog.dimension_values.items():
        dimension = model.dimensions_by_key.get(key)
        if dimension is not None:
            found += [spoken_value(dimension, v, lang) for v in values]
        found += values
    return tuple(dict.fromkeys(f for f in found if f and not is_bare_number(f)))


def run_cells(state: State) -> tuple[Cell, ...]:
    """Every number that a sentence of this run may cite: cells, verdict counts, arguments."""
    found: list[Cell] = []
    done = [r for r in state.results if r.ok]  # what a failed call was asked for is no source
    for result in done:
        found.extend(result.cells)
        limit = result.args.get("limit")
        if isinstance(limit, int):
            found.append(Cell(value=limit, unit="count", metric="limit", step=result.id, role="arg"))
        for verdict in result.verdicts:
            found += verdict_cells(verdict)
    found += _status_counts(state.verdicts) + _status_counts(settled(state.results))
    reading_days = [
        Cell(value=days, unit="days", metric="range", step=r.id, role="arg")
        for r in done
        for days in argument_days(r.args)
    ]
    return (*found, *reading_days)


def verdict_cells(verdict: Verdict) -> list[Cell]:
    """Numbers that a check has stated: its counts and those of its own sentences.

    A verdict's text is made by the check from what it counted, never by a model, so it is a source.
    """
    stated = trace_numbers(
        "\n".join((verdict.note, verdict.expect, verdict.actual, verdict.tolerance)), cells=(), entities=()
    )
    found = [
        Cell(value=i.value, unit=i.unit, metric="", step=verdict.id, role="verdict")
        for i in stated.items
        if i.status != "exempt"
    ]
    counts = (verdict.n_bad, verdict.n_checked)
    return found + [
        Cell(value=n, unit="count", metric=verdict.check, step=verdict.id, role="verdict") for n in counts
    ]


def _status_counts(verdicts: Sequence[Verdict]) -> list[Cell]:
    return [
        Cell(
            value=sum(v.status == status for v in verdicts),
            unit="count",
            metric="verdicts",
            step=status,
            role="verdict",
        )
        for status in get_args(VerdictStatus)
    ]


def argument_days(args: Mapping[str, Any]) -> tuple[int, ...]:
    """Lengths in days of the periods that a tool was asked for."""
    return tuple(dict.fromkeys(p.days for p in argument_periods(args)))


def _notes(state: State, action: Final | Clarify | Refuse | None) -> tuple[Note, ...]:
    found = [*state.notes, *(n for r in state.results for n in r.notes)]
    if isinstance(action, Final):
        found = [*action.notes, *found]
    return tuple(dict.fromkeys(found))


def distinct(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Each finding once: two tools may run the same check over the same rows."""
    found: dict[tuple[str, str, str], Verdict] = {}
    for verdict in verdicts:
        found.setdefault((verdict.check.rpartition(":")[2], verdict.status, verdict.note), verdict)
    return tuple(found.values())


def settled(results: Sequence[ToolResult], written: str = "") -> tuple[Verdict, ...]:
    """The verdicts of a run, each once.

    A check-up of everything has put each fault under the check that owns it; what the same checks say by
    themselves of the same days would tell those faults a second time. written: an answer whose verdicts
    are kept as it cites them.
    """
    whole = [r for r in results if r.tool == "data_quality" and r.ok and not r.args.get("checks")]
    days = {(r.args.get("from"), r.args.get("to")) for r in whole}
    owned = {v.check for r in whole for v in r.verdicts}

    def is_told(result: ToolResult, verdict: Verdict) -> bool:
        same_days = (result.args.get("from"), result.args.get("to")) in days
        is_second = result.tool == "cross_check" and same_days and verdict.check in owned
        return is_second and f"[{verdict.id}]" not in written

    return distinct(v for r in results for v in r.verdicts if not is_told(r, v))


def ordered(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Fail first, then warn, skip, pass; within that by severity."""
    return tuple(sorted(verdicts, key=lambda v: v.rank))


def chips(reading: Reading, model: Model, catalog: Catalog, lang: Lang) -> tuple[Chip, ...]:
    """The reading as labelled parts that the analyst can see and edit."""
    found: list[tuple[str, str]] = []
    top = model.top_level
    if reading.entity is not None and top is not None:
        entity = catalog.entity(top.key, reading.entity)
        found.append(("entity", reading.entity if entity is None else entity.name))
    if reading.metrics:
        found.append(("metrics", _join(lang, [metric_label(model, k, lang) for k in reading.metrics])))
    for kind, period in (("period", reading.period), ("baseline", reading.baseline)):
        if period is not None:
            found.append((kind, say(lang, "chips.range", start=period.start, end=period.end)))
    if reading.by:
        found.append(("by", _join(lang, [dimension_label(model, k, lang) for k in reading.by])))
    for key, ids in reading.filters.items():
        names = [_value_name(model, catalog, key, i, lang) for i in ids]
        found.append(("filters", f"{dimension_label(model, key, lang)}: {_join(lang, names)}"))
    if reading.sort is not None:
        order = say(lang, "chips.descending" if reading.sort.descending else "chips.ascending")
        found.append(("sort", f"{metric_label(model, reading.sort.key, lang)} {order}"))
    if reading.limit is not None:
        found.append(("limit", str(reading.limit)))
    return tuple(Chip(kind=k, label=say(lang, f"chips.{k}"), value=v) for k, v in found)


def _join(lang: Lang, parts: Sequence[str]) -> str:
    return say(lang, "chips.comma").join(parts)


def metric_label(model: Model, key: str, lang: Lang) -> str:
    """What a metric or average is called, e.g. "Gross sales per day"."""
    base, over = split_key(key)
    metric = resolve(model, base)
    label = metric.label.get(lang) or metric.label.get("en") or base
    if over is None:
        return label
    kind, name = over_label(model, key, lang) or ("row", "")
    return say(lang, f"chips.average_{kind}", metric=label, over=name)


def dimension_label(model: Model, key: str, lang: Lang) -> str:
    """What a level, dimension or time grain is called. Raises: BadRequest when it is none of them."""
    if key in model.levels_by_key:
        return model.levels_by_key[key].label[lang]
    if key in model.dimensions_by_key:
        label = model.dimensions_by_key[key].label
        return label.get(lang) or label.get("en") or key
    if key not in TIME_GRAINS:
        known = (*TIME_GRAINS, *model.levels_by_key, *model.dimensions_by_key)
        hint = did_you_mean(key, known) or ", ".join(known)
        raise BadRequest(f"nothing here is called {key!r}", hint=hint, error_class="unknown_name")
    return say(lang, f"chips.grain_{key}")


def _value_name(model: Model, catalog: Catalog, key: str, value: str, lang: Lang) -> str:
    entity = catalog.entity(key, value)
    if entity is not None:
        return entity.name
    dimension = model.dimensions_by_key.get(key)
    if dimension is not None and value in dimension.values:
        return dimension.values[value].get(lang, value)
    return value


def table_of(table: Table) -> dict[str, Any]:
    """The contract's `table` object without its step."""
    return {
        "columns": [{"key": c.key, "label": c.label, "unit": c.unit} for c in table.columns],
        "rows": [dict(r) for r in table.rows],
        "totals": dict(table.totals),
        "row_count": table.row_count,
        "shown": table.shown,
    }
