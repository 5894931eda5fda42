"""Ask: the conversation with the lake."""

from __future__ import annotations

import streamlit as st

from pages.ui import composer, conversation, frame, session_list, state, welcome

runs = conversation.load()
session_list.show()
here = frame.place(preferred=runs[-1].dataset if runs else "")

failure = state.take_flash()
empty_state = st.empty()  # first, so that a question takes it away before its turn is drawn
if runs:
    conversation.show(runs, here)
elif here is not None:
    with empty_state.container():
        welcome.show(here)
if failure is not None:
    frame.box(*failure)
composer.show(here, conversation.active(runs))
