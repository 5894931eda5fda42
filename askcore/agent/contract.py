"""The command line's JSON: stable, documented, no key left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from askcore.agent.answer import table_of
from askcore.base.errors import AskError, BadRequest, Refused, did_you_mean
from askcore.base.values import Lang, Period, Reading, Sort, StepError
from askcore.base.views import RunSnapshot, StepView

_NO_PROVENANCE: Mapping[str, Any] = {
    "claims": 0,
    "exact": 0,
    "derived": 0,
    "weak": 0,
    "untraced": 0,
    "sign_conflict": 0,
    "unweighted_mean": 0,
    "coverage": None,
    "items": [],
    "words": {"checked": 0, "contradicted": 0, "items": []},
}
_USAGE: Mapping[str, Any] = {"llm_calls": 0, "tokens_in": 0, "tokens_out": 0}


def answer_json(run: RunSnapshot) -> dict[str, Any]:
    """The contract's answer object of a run."""
    return {
        "run_id": run.run_id,
        "session_id": run.session_id,
        "status": run.status,
        "mode": run.mode,
        "mode_auto": run.mode_auto,
        "planner": run.planner,
        "skill": run.skill or None,
        "lang": run.lang,
        "answer": _answer(run),
        "reading": None if run.reading is None else run.reading.as_json(),
        "table": None if run.table is None else {"step": run.table_step, **table_of(run.table)},
        "chart": None if run.chart is None else run.chart.as_json(),
        "verdicts": [v.as_json() for v in run.verdicts],
        "notes": [{"code": n.code, "text": n.text} for n in run.notes],
        "provenance": dict(run.provenance) or dict(_NO_PROVENANCE),
        "slip": [asdict(row) for row in run.slip],
        "ratios": [asdict(row) for row in run.ratios],
        "like_for_like": None if run.like_for_like is None else asdict(run.like_for_like),
        "steps": [_step(s) for s in run.steps],
        "snapshot": {"dataset": run.dataset, "version": run.version},
        "usage": {**_USAGE, **run.usage, "elapsed_ms": round(run.elapsed_ms, 1)},
        "clarify": None if run.clarify is None else dict(run.clarify),
        "report": _report(run),
        "error": None if run.error is None else run.error.as_json(),
    }


def _report(run: RunSnapshot) -> dict[str, Any] | None:
    if run.report is None:
        return None
    files = run.report.get("files") or {}
    named = {key: run.report.get(key) for key in ("id", "kind")}
    return {**named, "html": files.get("html"), "pdf": files.get("pdf")}


def _answer(run: RunSnapshot) -> str:
    """The text; a refusal lists what can be asked instead, which pages show as buttons."""
    text = run.answer or (run.error.message if run.error is not None else "")
    if run.status != "refused":
        return text
    return "\n".join([text, *(f"- {question}" for question in run.follow_ups)])


def failed_json(error: AskError, lang: Lang) -> dict[str, Any]:
    """The contract's answer object of a question that could not even start."""
    run = RunSnapshot(
        run_id="",
        session_id="",
        question="",
        status="refused" if isinstance(error, Refused) else "failed",
        rev=0,
        lang=lang,
        mode="auto",
        mode_auto=True,
        planner="auto",
        dataset="",
        version=0,
        started_at=0.0,
        elapsed_ms=0.0,
        error=StepError(error_class=error.error_class, message=error.message, hint=error.hint),
    )
    return answer_json(run)


def _step(step: StepView) -> dict[str, Any]:
    return {
        "id": step.id,
        "tool": step.tool,
        "thought": step.thought,
        "args": dict(step.args),
        "clamped": [c.as_json() for c in step.clamped],
        "ok": step.state == "done",
        "row_count": step.row_count,
        "scanned": step.scanned,
        "elapsed_ms": round(step.elapsed_ms, 2),
        "bytes": step.bytes,
        "sql": list(step.sql),
        "error": None if step.error is None else step.error.as_json(),
    }


_READING_KEYS = (
    "entity", "metrics", "period", "baseline", "scope", "by", "filters", "sort", "limit", "as_of",
)  # fmt: skip


def reading_from_json(obj: Any) -> Reading:
    """A reading written as the contract's object.

    Raises: BadRequest naming the field that is wrong.
    """
    if not isinstance(obj, Mapping):
        raise BadRequest("a reading must be an object")
    for key in obj:
        if key not in _READING_KEYS:
            hint = did_you_mean(str(key), _READING_KEYS)
            raise BadRequest(f"a reading has no field {key!r}", hint=hint)
    limit = obj.get("limit")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise BadRequest(f"limit must be a positive whole number, not {limit!r}")
    return Reading(
        metrics=_texts(obj, "metrics"),
        as_of=_day(obj.get("as_of"), "as_of"),
        entity=_text(obj, "entity"),
        period=_period(obj, "period"),
        baseline=_period(obj, "baseline"),
        scope=_text(obj, "scope"),
        by=_texts(obj, "by"),
        filters=_filters(obj.get("filters")),
        sort=_sort(_text(obj, "sort")),
        limit=limit,
    )


def _texts(obj: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = obj.get(key) or []
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadRequest(f"{key} must be a list of texts, not {value!r}")
    return tuple(value)


def _text(obj: Mapping[str, Any], key: str) -> str | None:
    value = obj.get(key)
    if value is not None and not isinstance(value, str):
        raise BadRequest(f"{key} must be text, not {value!r}")
    return value or None


def _day(value: Any, key: str) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError) as e:
        raise BadRequest(f"{key} must be a day YYYY-MM-DD, not {value!r}") from e


def _period(obj: Mapping[str, Any], key: str) -> Period | None:
    value = obj.get(key)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise BadRequest(f'{key} must be {{"from", "to"}}, not {value!r}')
    start, end = _day(value.get("from"), f"{key}.from"), _day(value.get("to"), f"{key}.to")
    if end < start:
        raise BadRequest(f"{key} ends {end} before it starts {start}")
    return Period(start=start, end=end)


def _filters(value: Any) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadRequest(f"filters must be an object, not {value!r}")
    return {str(k): _texts(value, k) for k in value}


def _sort(text: str | None) -> Sort | None:
    if text is None:
        return None
    return Sort(key=text.removeprefix("-"), descending=text.startswith("-"))
