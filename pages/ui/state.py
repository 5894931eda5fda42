"""Everything this tab remembers, and what it shares with the URL.

The URL holds what a colleague should see under the same link (session, run, language, reading);
the server holds sessions and runs; only what belongs to this tab is kept here.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, cast

import streamlit as st
from streamlit.navigation.page import Page

from askcore.base.values import Lang

KEY = "asklake"
LOCAL_VIEWER = "local"
"""Who asks when nobody has to log in."""


@dataclass(slots=True, kw_only=True)
class Session:
    """The memory of one browser tab."""

    lang: Lang = "zh"
    """Language shown in this script run."""
    chosen_lang: Lang | None = None
    """Language picked by hand; None: follow the browser."""
    session_id: str = ""
    """Conversation that is open; "": a new one."""
    dataset: str = ""
    """Dataset picked by hand; "": follow the conversation, then the default."""
    shown: str = ""
    """Dataset on screen: a question goes there, whatever was loaded since."""
    entity: str = ""
    """Entity picked by hand; "": taken from the question."""
    skill: str = ""
    """Playbook picked by hand for typed questions; "": chosen by the question."""
    collected: tuple[str, ...] = ()
    """Ids of the answers put aside for a report, in their order."""
    verifying: str = ""
    """Id of the report whose verification is shown."""
    flash: tuple[str, str] | None = None
    """A failure to show once: (what failed, what to do)."""
    earlier: frozenset[str] = frozenset()
    """Conversations whose older turns are unfolded."""
    bound: set[str] = field(default_factory=set)
    """Keys of widgets that show a query parameter and always have a value."""
    tab: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    submissions: int = 0


def session() -> Session:
    """The memory of this tab, made at its first run."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Session()
    return cast(Session, st.session_state[KEY])


def begin_run() -> None:
    """Settle the language of this script run and keep a hand-picked one in the URL."""
    tab = session()
    asked = st.query_params.get("lang")
    if asked in ("zh", "en"):
        tab.chosen_lang = cast(Lang, asked)
    elif tab.chosen_lang is not None:
        st.query_params["lang"] = tab.chosen_lang
    tab.lang = tab.chosen_lang or _browser_lang()


def _browser_lang() -> Lang:
    locale = st.context.locale
    return "zh" if locale is None or locale.lower().startswith("zh") else "en"


def set_lang(lang: Lang) -> None:
    """Pick a language by hand."""
    session().chosen_lang = lang
    st.query_params["lang"] = lang


def lang() -> Lang:
    """Language of this script run."""
    return session().lang


def is_dark() -> bool:
    """Whether the dark theme is shown."""
    return st.context.theme.type == "dark"


def timezone_offset() -> int:
    """Minutes from the browser's time to UTC, as browsers count: -480 in Beijing; 0 when unknown."""
    return st.context.timezone_offset or 0


def viewer() -> str:
    """Who is looking: rights and caches depend on it."""
    return str(st.user.to_dict().get("email") or LOCAL_VIEWER)


def link_params(**params: str) -> dict[str, str]:
    """Query parameters of an inner link: the given ones and a hand-picked language."""
    chosen = session().chosen_lang
    return params if chosen is None else {**params, "lang": chosen}


def param(name: str) -> str:
    """A query parameter; "" when it is not in the URL."""
    return st.query_params.get(name, "")


def set_param(name: str, value: str) -> None:
    """Write a query parameter; "" removes it."""
    if value:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def forward(page: Page) -> None:
    """Show another page with the query parameters of this one."""
    st.switch_page(page, query_params=st.query_params.to_dict())


def from_url(name: str, allowed: Collection[str], default: str) -> str:
    """A query parameter with a fixed set of values; anything else reads as the default."""
    found = st.query_params.get(name, default)
    return found if found in allowed else default


def bind(name: str, value: object) -> str:
    """Key of a widget that shows the query parameter `name`, set to `value` as read from the URL.

    With `write_back` as its callback the URL stays the one source of truth, in every language.
    """
    key = f"url.{name}"
    if value is not None:
        session().bound.add(key)
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return key


def write_back(name: str, default: str, text: Callable[[Any], str] = str) -> None:
    """Callback of a bound widget: put its value into the URL; the default drops out.

    A browser that clicks while the page is still being drawn can send all its widgets as unset, also those
    that always have a value: then none of them was changed by hand, and the URL stays.
    """
    if any(st.session_state.get(key, "") is None for key in session().bound):
        return
    value = text(st.session_state[f"url.{name}"])
    set_param(name, "" if value == default else value)


def open_session(session_id: str, run_id: str = "") -> None:
    """Show a conversation ("" = a new one) and name it in the URL."""
    tab = session()
    if session_id != tab.session_id:
        tab.dataset = tab.entity = ""
        set_param("dataset", "")
    tab.session_id = session_id
    set_param("session", session_id)
    set_param("run", run_id)


def next_submission() -> str:
    """Idempotency key of the next question: a double click sends the same one."""
    tab = session()
    return f"{tab.tab}-{tab.submissions}"


def count_submission() -> None:
    """A question was sent: the next one gets a new key."""
    session().submissions += 1


def widget(key: str, default: Any = None) -> Any:
    """Value of a widget, also inside its callback."""
    return st.session_state.get(key, default)


def flash(message: str, hint: str = "") -> None:
    """Remember a failure for the next script run."""
    session().flash = (message, hint)


def take_flash() -> tuple[str, str] | None:
    """The remembered failure, once."""
    tab = session()
    found, tab.flash = tab.flash, None
    return found
