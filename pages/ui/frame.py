"""What surrounds every screen: brand, language, the dataset's name and error boxes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from askcore.base.errors import AskError
from askcore.base.values import Lang
from askcore.base.views import DatasetInfo, Overview
from pages.ui import cache, state
from pages.ui import format as fmt
from pages.ui.safe import esc
from pages.ui.text import t


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which data a screen looks at, and for whom."""

    viewer: str
    dataset: str
    version: int
    lang: Lang
    synthetic: bool

    def overview(self) -> Overview:
        """The cached overview of this dataset."""
        return cache.overview(self.viewer, self.dataset, self.version, self.lang)


def show(icon: Path) -> None:
    """Brand above the navigation, language switch below it: in one place on every screen."""
    st.logo(
        str(icon.with_name(f"logo_{'dark' if state.is_dark() else 'light'}.svg")),
        size="medium",
        icon_image=str(icon),
    )
    other: Lang = "en" if state.lang() == "zh" else "zh"
    with st.sidebar:
        st.button(
            t("lang.switch"),
            key="frame.lang",
            icon=":material/translate:",
            type="tertiary",
            on_click=state.set_lang,
            args=(other,),
        )


def error(what: str, problem: AskError) -> None:
    """What failed, why and what to do."""
    box(what, problem.message, problem.hint)


def failure() -> None:
    """The failure of a callback, once."""
    found = state.take_flash()
    if found is not None:
        box(*found)


def box(what: str, message: str, hint: str = "") -> None:
    """An error box from plain texts."""
    body = f"**{esc(what)}**  \n{esc(message)}"
    if hint:
        body += f"  \n{t('error.hint')} {esc(hint)}"
    st.error(body, icon=":material/error:")


def place(preferred: str = "") -> Place | None:
    """The dataset to look at; None after an empty or error state was drawn.

    preferred: a dataset by name, e.g. of the open conversation; a hand-picked one goes first.
    """
    viewer = state.viewer()
    try:
        found = {d.name: d for d in cache.datasets(viewer)}
        wanted = state.session().dataset or state.param("dataset") or preferred
        if found and wanted not in found:
            wanted = cache.default_dataset(viewer)
    except AskError as e:
        error(t("error.lake"), e)
        return None
    if not found:
        _no_data()
        return None
    info = found.get(wanted) or next(iter(found.values()))
    state.session().shown = info.name
    return _place_of(info, viewer)


def opened() -> tuple[Place, Overview] | None:
    """The dataset to look at and its overview; None after an empty or error state was drawn."""
    here = place()
    if here is None:
        return None
    try:
        return here, here.overview()
    except AskError as e:
        error(t("error.lake"), e)
        return None


def _place_of(info: DatasetInfo, viewer: str) -> Place:
    return Place(
        viewer=viewer,
        dataset=info.name,
        version=info.version,
        lang=state.lang(),
        synthetic=info.synthetic,
    )


def _no_data() -> None:
    with st.container(border=True):
        st.subheader(t("empty.lake.title"), anchor=False)
        st.text(t("empty.lake.body"))
        st.code("python -m askcore demo\npython -m askcore ingest data.csv", language="bash")


def data_note(overview: Overview) -> str:
    """Names the data on screen: the demo and its clock, or how far the data goes."""
    if overview.dataset.synthetic:
        return t("data.demo", day=overview.as_of.isoformat())
    if overview.period is None:
        return t("data.none")
    return t("data.until", day=overview.period.end.isoformat())


def data_badge(overview: Overview) -> None:
    """The same as a badge, orange for synthetic data."""
    synthetic = overview.dataset.synthetic
    st.badge(
        esc(data_note(overview)),
        icon=":material/science:" if synthetic else ":material/schedule:",
        color="orange" if synthetic else "gray",
    )


def source_note(text: str) -> None:
    """Says whose words they are when a text on screen quotes the source in another language."""
    if fmt.quotes_source(text):
        st.caption(f":material/format_quote: {t('data.source_text')}")


def dataset_picker(here: Place, key: str) -> None:
    """Menu of datasets; nothing when there is only one."""
    names = [d.name for d in cache.datasets(here.viewer)]
    if len(names) < 2:
        return
    st.menu_button(
        esc(here.dataset),
        names,
        key=key,
        icon=":material/database:",
        type="tertiary",
        help=t("data.pick"),
        format_func=esc,
        on_click=_pick_dataset,
        args=(key,),
    )


def _pick_dataset(key: str) -> None:
    tab = state.session()
    tab.dataset = str(state.widget(key) or "")
    tab.entity = ""
    state.set_param("dataset", tab.dataset)
