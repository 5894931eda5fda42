"""The rules of the pages, checked on their source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "pages"
SOURCES = [ROOT / "app.py", ROOT / "serve.py", *sorted(PAGES.rglob("*.py"))]
SCREENS = [ROOT / "app.py", PAGES / "ask/ask.py", PAGES / "lake/overview.py", PAGES / "lake/health.py"]
MAX_SCREEN_LINES = 80
MAX_FUNCTION_LINES = 40


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def attributes_of_st(path: Path) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "st"
    }


def test_no_script_lies_directly_under_pages() -> None:
    assert [p.name for p in PAGES.glob("*.py")] == ["__init__.py"]


def test_every_folder_is_a_package() -> None:
    folders = [p for p in PAGES.rglob("*") if p.is_dir() and p.name != "__pycache__"]
    assert [p for p in folders if not (p / "__init__.py").exists()] == []


@pytest.mark.parametrize("path", SCREENS, ids=lambda p: p.name)
def test_screens_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_SCREEN_LINES


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_functions_stay_small(path: Path) -> None:
    long = [
        node.name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
    ]
    assert long == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_state_and_caches_have_one_home(path: Path) -> None:
    used = attributes_of_st(path)
    if path.name != "state.py":
        assert not used & {"session_state", "query_params"}
    if path.name != "cache.py":
        assert not used & {"cache_data", "cache_resource"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_raw_html_and_no_pickle(path: Path) -> None:
    names = {kw.arg for node in ast.walk(tree(path)) if isinstance(node, ast.Call) for kw in node.keywords}
    assert "unsafe_allow_html" not in names
    assert not attributes_of_st(path) & {"html", "iframe", "components", "write"}
    assert "pickle" not in path.read_text(encoding="utf-8").replace("pickling", "")


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_pages_import_only_the_facade_and_base(path: Path) -> None:
    for node in ast.walk(tree(path)):
        module = node.module if isinstance(node, ast.ImportFrom) else None
        if module is not None and module.startswith("askcore"):
            assert module == "askcore.service" or module.startswith("askcore.base"), module


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_caches_are_bounded(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "attr", "").startswith("cache_"):
                    assert {"ttl", "max_entries"} <= {kw.arg for kw in mark.keywords}, node.name
                    assert node.args.args[0].arg == "viewer", node.name


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_popover_is_tertiary(path: Path) -> None:
    """While open, Streamlit writes its label in a dark blue that cannot be read on the dark theme (2.1 : 1)."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "popover":
            kinds = [kw.value for kw in node.keywords if kw.arg == "type"]
            assert [k for k in kinds if getattr(k, "value", "") == "tertiary"] == [], node.lineno
