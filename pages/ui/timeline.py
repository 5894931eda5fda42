"""What the agent did: a folded rail of steps, live while it works."""

from __future__ import annotations

import streamlit as st

from askcore.base.values import Clamp
from askcore.base.views import RunSnapshot, StepView
from pages.ui import format as fmt
from pages.ui import playbook, tables
from pages.ui.safe import esc, short
from pages.ui.text import has, t

ICONS = {
    "running": "spinner",
    "done": ":material/check_circle:",
    "failed": ":material/error:",
}
PREVIEW_ROWS = 20
TITLE_CHARS = 44


def show(run: RunSnapshot, *, is_last: bool) -> None:
    """Draw the rail; keyed so that what is open stays open while steps arrive.

    Turns above the last one do not change any more: their rail is drawn only when opened.
    """
    if not run.steps and not run.is_active:
        return
    label = _label(run)
    if is_last:
        with st.expander(label, type="compact", key=f"trail-{run.run_id}", icon=_icon(run)):
            _steps(run)
        return
    trail = st.expander(label, type="compact", key=f"trail-{run.run_id}", icon=_icon(run), on_change="rerun")
    if trail.open:
        with trail:
            _steps(run)


def _icon(run: RunSnapshot) -> str:
    return "spinner" if run.is_active else ":material/conversion_path:"


def _label(run: RunSnapshot) -> str:
    if run.is_active:
        activity = run.activity or t(f"status.{run.status}")
        return f":shimmer[{esc(activity)}] :gray[{esc(_count(run))}]"
    parts = [t("trail.done", steps=len(run.steps)), fmt.duration(run.elapsed_ms), _mode(run)]
    followed = playbook.label(run)
    return esc(" · ".join(parts)) + (f" · {followed}" if followed else "")


def _count(run: RunSnapshot) -> str:
    parts = [t("trail.running", steps=len(run.steps))] if run.steps else []
    return " · ".join([*parts, fmt.duration(run.elapsed_ms), _mode(run)])


def _mode(run: RunSnapshot) -> str:
    known = t(f"mode.{run.mode}") if has(f"mode.{run.mode}") else run.mode
    if run.mode_auto and run.mode != "auto":
        return t("mode.chosen", mode=known)
    return known


def _steps(run: RunSnapshot) -> None:
    if not run.steps:
        st.caption(t("trail.waiting"))
    for step in run.steps:
        with st.expander(
            _title(step),
            type="step",
            key=f"step-{run.run_id}-{step.id}",
            icon=ICONS.get(step.state, ICONS["done"]),
        ):
            _body(run.run_id, step)
    for number, name in enumerate(playbook.skipped(run)):
        st.expander(
            t("skill.skipped", step=esc(name)),
            type="step",
            key=f"skipped-{run.run_id}-{number}",
            icon=":material/do_not_disturb_on:",
        )


def _title(step: StepView) -> str:
    name = t(f"tool.{step.tool}") if has(f"tool.{step.tool}") else step.tool
    facts = [step.tool] if step.tool and name != step.tool else []
    if step.state != "running":
        facts.append(fmt.duration(step.elapsed_ms))
    if step.row_count:
        one = step.row_count == 1
        facts.append(t("trail.row") if one else t("trail.rows", rows=fmt.integer(step.row_count)))
    if step.bytes:
        facts.append(fmt.size(step.bytes))
    title = short(name or step.thought or t("trail.note"), TITLE_CHARS)
    return f"{title} :gray[{esc(' · '.join(facts))}]" if facts else title


def _body(run_id: str, step: StepView) -> None:
    if step.thought:
        st.text(step.thought)
    arguments = [f"{name}={_argument(value)}" for name, value in step.args.items() if value]
    if arguments:
        st.caption(esc(" · ".join(arguments)))
    for clamp in step.clamped:
        st.caption(f":material/content_cut: {esc(_clamp(clamp))}")
    if step.error is not None:
        hint = f" {t('error.hint')} {esc(step.error.hint)}" if step.error.hint else ""
        st.caption(f":red[:material/error: {esc(step.error.message)}]{hint}")
    for statement in step.sql:
        st.code(statement, language="sql", wrap_lines=True)
    if step.table is not None:
        tables.show(step.table, key=f"rows-{run_id}-{step.id}", limit=PREVIEW_ROWS, with_totals=False)


def _argument(value: object) -> str:
    return ",".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)


def _clamp(clamp: Clamp) -> str:
    return t("trail.clamped", arg=clamp.arg, before=clamp.before, after=clamp.after, why=clamp.why)
