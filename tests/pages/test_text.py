"""Both languages say the same things, and every key that code uses exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import yaml

from pages.ui.text import EN, ZH

ROOT = Path(__file__).resolve().parents[2]
CJK = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
SOURCES = [ROOT / "app.py", ROOT / "serve.py", *sorted((ROOT / "pages").rglob("*.py"))]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_languages_have_the_same_keys_and_placeholders() -> None:
    assert ZH.keys() == EN.keys()
    assert {k for k in ZH if fields(ZH[k]) != fields(EN[k])} == set()
    assert [k for k, v in {**ZH, **EN}.items() if not v.strip()] == []


def test_every_literal_key_exists() -> None:
    used = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "t" and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    used.add(first.value)
    assert used - ZH.keys() == set()


def test_words_live_only_in_the_text_module() -> None:
    for path in SOURCES:
        if path.name != "text.py":
            found = [
                node.value
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and CJK.search(node.value)
            ]
            assert found == [], path


def test_a_check_is_called_the_same_on_pages_and_in_its_own_sentences() -> None:
    """A remedy says "open Data health → Missing days": that name must be there."""
    titles = yaml.safe_load((ROOT / "askcore" / "base" / "prompts" / "checks.yaml").read_text("utf-8"))
    named = {key.removesuffix("_title"): said for key, said in titles.items() if key.endswith("_title")}
    own = {check: said for check, said in named.items() if "{" not in said["zh"] and check != "column"}
    assert {c for c, said in own.items() if ZH[f"check.{c}"] != said["zh"]} == set()
    assert {c for c, said in own.items() if EN[f"check.{c}"] != said["en"]} == set()
