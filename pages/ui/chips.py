"""How the question was understood, part by part; each part can be corrected and asked again."""

from __future__ import annotations

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Reading
from askcore.base.views import Chip, RunSnapshot
from pages.ui import asking, playbook, reading_editor, state
from pages.ui.frame import Place
from pages.ui.safe import esc, short
from pages.ui.text import t

VALUE_CHARS = 28
OPTIONAL = ("baseline", "by", "filters", "sort", "limit")


def show(run: RunSnapshot, here: Place | None, *, is_last: bool) -> None:
    """Draw the chips; those of the newest finished turn open an editor."""
    if run.reading is None or not run.chips:
        return
    with st.container(horizontal=True, gap="xsmall", key=f"chips-{run.run_id}"):
        for chip in run.chips:
            if is_last and here is not None and not run.is_active:
                _editable(run, run.reading, chip, here)
            else:
                _plain(chip)
        if is_last and here is not None and not run.is_active:
            _more(run, run.reading, here)


def _plain(chip: Chip) -> None:
    st.badge(f"{esc(chip.label)} **{short(chip.value, VALUE_CHARS)}**", color="gray")


def _editable(run: RunSnapshot, reading: Reading, chip: Chip, here: Place) -> None:
    if chip.kind not in reading_editor.EDITORS:
        _plain(chip)
        return
    popover = st.popover(
        f":gray[{esc(chip.label)}] {short(chip.value, VALUE_CHARS)}",
        key=f"chip-{run.run_id}-{chip.kind}",
        on_change="rerun",
    )
    if popover.open:
        with popover:
            _form(run, reading, (chip.kind,), here, f"edit-{run.run_id}-{chip.kind}")


def _more(run: RunSnapshot, reading: Reading, here: Place) -> None:
    missing = tuple(k for k in OPTIONAL if k not in {c.kind for c in run.chips})
    if not missing:
        return
    popover = st.popover(
        "",
        help=t("chips.more"),
        icon=":material/tune:",
        key=f"chip-{run.run_id}-more",
        on_change="rerun",
    )
    if popover.open:
        with popover:
            _form(run, reading, missing, here, f"edit-{run.run_id}-more")


def _form(run: RunSnapshot, reading: Reading, kinds: tuple[str, ...], here: Place, key: str) -> None:
    try:
        offered = reading_editor.choices(here.overview())
    except AskError as e:
        st.caption(esc(e.message))
        return
    with st.form(f"form-{key}", border=False):
        edited = reading
        for kind in kinds:
            edited = reading_editor.edit(kind, edited, offered, key)
        asked = st.form_submit_button(t("chips.ask"), type="primary", key=f"ask-{key}")
    if asked:
        asking.submit(
            run.question,
            reading=edited,
            dataset=run.dataset,
            key=state.next_submission(),
            skill=playbook.chosen(),
        )
        st.rerun()
