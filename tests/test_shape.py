"""Rules about the code itself: where Chinese may stand, what an import costs, what documents name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from string import Formatter

import pytest
import yaml

from askcore.base.config import Settings
from askcore.base.text import PROMPTS

ROOT = Path(__file__).resolve().parents[1]
CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
CORE = sorted((ROOT / "askcore").rglob("*.py"))
# Placeholders that one language does not need: an English sentence names what a Chinese one leaves out.
OPTIONAL = {"dataset", "year", "s"}
LEXICONS = [p for p in CORE if p.name == "lexicon.py"]


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_chinese_stands_only_in_lexicon_and_prompt_files(path):
    if path.name == "lexicon.py" or "prompts" in path.parts:
        return
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if CJK.search(line)
    ]
    assert found == []


def _strings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


@pytest.mark.parametrize("path", LEXICONS, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_lexicon_entry_is_an_entity_or_longer_than_six_characters(path):
    names = yaml.safe_load((ROOT / "data" / "demo" / "names.yaml").read_text(encoding="utf-8"))
    entities = {s for s in _leaves(names) if CJK.search(s) and len(s) > 2}
    entries = [run for s in _strings(path) for run in re.findall(r"[\u3400-\u9fff]+", s)]
    assert [run for run in entries if len(run) > 6] == []
    assert entities.isdisjoint(entries)


def _leaves(tree) -> list[str]:
    if isinstance(tree, dict):
        return [s for v in tree.values() for s in _leaves(v)]
    if isinstance(tree, list):
        return [s for v in tree for s in _leaves(v)]
    return [str(tree)]


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_sentence_exists_in_both_languages_with_the_same_placeholders(path):
    sentences = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert sentences
    for name, texts in sentences.items():
        assert set(texts) == {"zh", "en"}, name
        assert all(isinstance(t, str) for t in texts.values()), name
        zh, en = ({h for _, h, _, _ in Formatter().parse(texts[lang]) if h} for lang in ("zh", "en"))
        assert zh <= en | OPTIONAL and en <= zh | OPTIONAL, name


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_sentence_that_is_said_exists(path):
    """`say(lang, "area.key")` with a literal key must find its sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say" and len(node.args) > 1:
            key = node.args[1]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                area, _, name = key.value.partition(".")
                sentences = yaml.safe_load((PROMPTS / f"{area}.yaml").read_text(encoding="utf-8"))
                assert name in sentences, key.value


def test_importing_the_facade_loads_no_driver():
    heavy = ("duckdb", "deltalake", "pyarrow", "pandas", "sqlglot", "plotly", "openai", "streamlit", "numpy")
    code = f"import sys, askcore.service; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_names_every_setting_and_command(readme):
    text = (ROOT / readme).read_text(encoding="utf-8")
    for setting in fields(Settings):
        assert f"ASKCORE_{setting.name.upper()}" in text, setting.name
    for command in ("demo", "ingest", "ask", "health", "search", "runs", "replay", "check-provenance"):
        assert f"askcore {command}" in text, command
    assert "make run" in text and "make test" in text
    for image in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text):
        assert (ROOT / image).is_file(), image


def test_every_check_is_documented():
    from askcore.checks.catalogue import CHECKS

    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert [c.name for c in CHECKS if f"`{c.name}" not in text] == []


def test_every_tool_names_its_arguments_to_the_model():
    from askcore.tools import TOOLS

    for tool in TOOLS:
        for name in tool.schema().get("properties", {}):
            described = tool.schema()["properties"][name].get("description")
            assert described or f"`{name}`" in tool.description, (tool.name, name)
