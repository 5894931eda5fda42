"""The word-claim fixtures say what their cells say: every sentence carries an expression that decides it.

`truth` is evaluated over `v(metric, row, period=None)`: `v("sales", "A")` is now, `v("sales", "A", "prev")` the
period before, `v("sales", "", "2026-W40")` one point of a series; row '' is the aggregate. Besides it there are
`unit(metric)`, `rows`, `periods`, `grain` (week, day, month or None) and the source's `groups` by name.
"""

from __future__ import annotations

import ast
import json
import operator
import re
from collections import Counter
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "word_claims"
SOURCES = json.loads((FIXTURES / "sources.json").read_text(encoding="utf-8"))
METRICS = json.loads((FIXTURES / "metrics.json").read_text(encoding="utf-8"))
SENTENCES = [
    json.loads(line) for line in (FIXTURES / "sentences.jsonl").read_text(encoding="utf-8").splitlines()
]
TRUE = [s for s in SENTENCES if s["expect"] == "ok"]
MUTANTS = [s for s in SENTENCES if s["expect"] == "bad"]
VALUES = ("value", "total")  # the other roles are derived from these, or count rows
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS = {f.__name__: f for f in (max, min, abs, all, any, sorted, sum, len, round, range)}


class Evaluator:
    """Arithmetic, comparisons, one-loop generators and named functions over one source, and nothing else."""

    def __init__(self, source: str) -> None:
        about = SOURCES[source]
        self.cells: dict[tuple[str, str, str | None], float] = {}
        for cell in about["cells"]:
            if cell["role"] in VALUES:
                key = _key(cell)
                assert key not in self.cells, key
                self.cells[key] = cell["v"]
        self.names = {
            **about["groups"],
            "rows": about["entities"],
            "periods": sorted({c["period"] for c in about["cells"] if "period" in c}),
            "grain": about["grain"],
        }
        self.functions = {
            **FUNCTIONS,
            "v": lambda metric, row, period=None: self.cells[metric, row, period],
            "unit": lambda metric: METRICS[source][metric]["unit"],
        }

    def __call__(self, expression: str):
        return self._of(ast.parse(expression, mode="eval").body, self.names)

    def _of(self, node: ast.expr, names: dict):
        return getattr(self, f"_{type(node).__name__.lower()}", self._refuse)(node, names)

    def _refuse(self, node: ast.expr, names: dict):
        raise ValueError(f"not allowed: {ast.unparse(node)}")

    def _constant(self, node: ast.Constant, names: dict):
        return node.value

    def _name(self, node: ast.Name, names: dict):
        return names[node.id]

    def _unaryop(self, node: ast.UnaryOp, names: dict):
        return OPERATORS[type(node.op)](self._of(node.operand, names))

    def _binop(self, node: ast.BinOp, names: dict):
        return OPERATORS[type(node.op)](self._of(node.left, names), self._of(node.right, names))

    def _boolop(self, node: ast.BoolOp, names: dict):
        parts = (self._of(value, names) for value in node.values)
        return all(parts) if isinstance(node.op, ast.And) else any(parts)

    def _compare(self, node: ast.Compare, names: dict):
        sides = [self._of(side, names) for side in (node.left, *node.comparators)]
        return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False))

    def _subscript(self, node: ast.Subscript, names: dict):
        return self._of(node.value, names)[self._of(node.slice, names)]

    def _slice(self, node: ast.Slice, names: dict):
        return slice(*(None if end is None else self._of(end, names) for end in (node.lower, node.upper)))

    def _generatorexp(self, node: ast.GeneratorExp, names: dict):
        (loop,) = node.generators
        for item in self._of(loop.iter, names):
            inner = {**names, loop.target.id: item}
            if all(self._of(test, inner) for test in loop.ifs):
                yield self._of(node.elt, inner)

    def _call(self, node: ast.Call, names: dict):
        if not isinstance(node.func, ast.Name) or node.func.id not in self.functions or node.keywords:
            self._refuse(node, names)
        return self.functions[node.func.id](*(self._of(arg, names) for arg in node.args))


def _key(cell: dict) -> tuple[str, str, str | None]:
    row, period = cell["row"], cell.get("period")
    if row in ("cur", "prev"):
        return cell["metric"], "", None if row == "cur" else "prev"
    if row.endswith("_prev"):
        return cell["metric"], row.removesuffix("_prev"), "prev"
    return cell["metric"], row, period


EVALUATE = {source: Evaluator(source) for source in SOURCES}


def _verdict(sentence: dict):
    return EVALUATE[sentence["source"]](sentence["truth"])


def test_every_true_sentence_is_true_of_its_cells():
    assert [s["id"] for s in TRUE if _verdict(s) is not True] == []


def test_every_mutant_is_false_of_its_cells():
    assert [s["id"] for s in MUTANTS if _verdict(s) is not False] == []


def test_only_a_forecast_goes_without_cells():
    """An expression that looks at nothing proves nothing."""
    assert [s["kind"] for s in SENTENCES if not re.search(r"\b(v\(|unit\(|grain\b|rows\b)", s["truth"])] == [
        "conditional"
    ]


def test_every_number_written_in_a_true_sentence_is_decided_by_its_expression():
    loose = {s["id"]: left for s in TRUE if (left := _undecided(s))}
    assert loose == {}


def _undecided(sentence: dict) -> set[float]:
    source, text = SOURCES[sentence["source"]], sentence["text"]
    for name in sorted(source["entities"], key=len, reverse=True):
        text = text.replace(name, " ")
    text = re.sub(r"(?m)^\d\. ", "", text)
    written = {float(n.replace(",", "")) for n in NUMBER.findall(text)}
    nodes = ast.walk(ast.parse(sentence["truth"]))
    decided = {
        float(n.value) for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, int | float)
    }
    labels = {float(re.findall(r"\d+", p)[-1]) for p in EVALUATE[sentence["source"]].names["periods"]}
    ahead = {max(labels) + 1} if labels else set()  # a forecast names the period after the last one
    return written - decided - labels - ahead


def test_counts_and_balance():
    assert Counter(s["lang"] for s in TRUE) == {"zh": 100, "en": 100}
    kinds = ("direction", "rank", "unit", "entity", "superlative")
    assert Counter((s["lang"], s["kind"]) for s in MUTANTS) == {
        (lang, k): 12 for lang in ("zh", "en") for k in kinds
    }
    assert len(SOURCES) >= 6
    for some, least in ((TRUE, 20), (MUTANTS, 10)):
        used = Counter(s["source"] for s in some)
        assert set(used) == set(SOURCES)
        assert min(used.values()) >= least
    for field in ("id", "text"):
        assert len({s[field] for s in SENTENCES}) == len(SENTENCES)


def test_a_mutant_differs_from_its_true_sentence_by_one_change():
    by_id = {s["id"]: s for s in TRUE}
    for mutant in MUTANTS:
        origin = by_id[mutant["from"]]
        assert origin["text"].count(mutant["was"]) == 1, mutant["id"]
        assert origin["text"].replace(mutant["was"], mutant["bad_words"]) == mutant["text"], mutant["id"]
        assert (origin["source"], origin["lang"]) == (mutant["source"], mutant["lang"])


def test_language_of_a_sentence():
    """An English sentence holds Chinese in names only."""
    for sentence in SENTENCES:
        text = sentence["text"]
        for name in SOURCES[sentence["source"]]["entities"]:
            text = text.replace(name, "")
        assert bool(re.search(r"[\u3400-\u9fff]", text)) == (sentence["lang"] == "zh"), sentence["id"]


@pytest.mark.parametrize("source", SOURCES)
def test_cells_have_the_form_of_check_provenance(source):
    about = SOURCES[source]
    keys = {"v", "unit", "metric", "row", "rid", "role", "add"}
    rows = {"", "cur", "prev", *about["entities"], *(f"{e}_prev" for e in about["entities"])}
    for cell in about["cells"]:
        assert set(cell) - {"period"} == keys
        assert ("period" in cell) <= (about["grain"] is not None)
        assert cell["row"] in rows
        assert cell["role"] == "rows" or cell["metric"] in METRICS[source]
        if cell["role"] in VALUES:
            assert cell["unit"] == METRICS[source][cell["metric"]]["unit"]
    for words in METRICS[source].values():
        assert words["zh"] and words["en"] and words["polarity"] in (-1, 0, 1)
    for group in about["groups"].values():
        assert set(group) <= set(about["entities"])


@pytest.mark.parametrize(
    "expression",
    ["__import__('os')", "v.__class__", "(lambda: 1)()", "[1, 2]", "max(1, key=abs)", "1 if 1 else 2"],
)
def test_an_expression_can_do_nothing_else(expression):
    with pytest.raises(ValueError, match="not allowed"):
        EVALUATE["shops"](expression)
