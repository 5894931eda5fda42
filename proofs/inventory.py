"""What must be proved: ids of the catalogue for two models, and every id that the source gives to a verdict.

The source is read, not imported: each `Verdict(check=…)` and `Outcome(check=…)` of askcore is followed to
its literals. An id that cannot be followed is listed as such, so that the run fails until it can.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import get_args

from askcore.agent.guard import Limits, Ruling
from askcore.agent.rules.understanding import RefusalKind
from askcore.agent.skills import skills
from askcore.base.config import REPO_ROOT
from askcore.base.values import ClaimStatus
from askcore.checks.catalogue import check_ids
from askcore.checks.claims.word_claim import WordKind
from askcore.checks.provenance.result import WINDOW_MISMATCH
from proofs import halls, takeaway
from proofs.proof import Kind

SOURCE = REPO_ROOT / "askcore"
_MADE = ("Verdict", "Outcome")
_LEFT_OUT = ("lake/demo",)  # the manifest of planted facts names checks, it makes no verdict
_PASSED_ON = ("check", "id")  # attributes of values that hold an id already found, or one of the model
Wanted = tuple[Kind, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One parsed source file."""

    path: Path
    tree: ast.Module
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    """Assignments of the module's top level."""
    functions: tuple[ast.FunctionDef, ...] = ()
    calls: tuple[ast.Call, ...] = ()

    @property
    def stem(self) -> str:
        return self.path.stem

    def kind(self, root: Path) -> Kind:
        """Checks of the catalogue and of figures; verdicts of tools and of the agent."""
        return "check" if self.path.relative_to(root).parts[0] == "checks" else "verdict"


def wanted(root: Path = SOURCE) -> frozenset[Wanted]:
    """Every (kind, id) that needs a proof."""
    models = (halls.model(), takeaway.model())
    found: set[Wanted] = {("check", i) for model in models for i in check_ids(model)}
    known = {"identity:*": (), "skill:*": tuple(f"skill:{s.id}" for s in skills())}
    for kind, name in named(root):
        found |= {(kind, i) for i in known.get(name, (name,))}
    return frozenset(found) | guards()


def guards() -> frozenset[Wanted]:
    """What stops a run, a question, a number, a word or a statement, as the types of the source list them."""
    traced = {s for s in get_args(ClaimStatus) if s not in ("exact", "derived", "exempt")} | {WINDOW_MISMATCH}
    listed: Mapping[str, Iterable[str]] = {
        "ruling": (r for r in get_args(Ruling) if r != "allow"),
        "limit": (f.name for f in fields(Limits)),
        "refusal": get_args(RefusalKind),
        "claim": traced,
        "word": get_args(WordKind),
        "args": ("unknown", "clamped:to", "clamped:limit"),
        "lake": ("read_only", "external_access", "locked", "row_cap"),
    }
    return frozenset(("guard", f"{group}:{name}") for group, names in listed.items() for name in names)


def named(root: Path = SOURCE) -> frozenset[Wanted]:
    """Ids as the source names them; "skill:*" for a prefix, "? file:line" where none can be followed."""
    modules = _modules(root)
    found: set[Wanted] = set()
    for module in modules:
        for call in _calls(module, _MADE):
            value = _argument(call, "check", None)
            if value is None:
                continue
            ids = _ids(value, _function_of(module, call), module, modules)
            found |= {(module.kind(root), i) for i in ids}
    return frozenset(found)


@cache
def _modules(root: Path) -> tuple[Module, ...]:
    found = []
    for path in sorted(root.rglob("*.py")):
        if any(str(path.relative_to(root)).startswith(left) for left in _LEFT_OUT):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = tuple(ast.walk(tree))
        found.append(
            Module(
                path=path,
                tree=tree,
                constants=dict(_constants(tree)),
                functions=tuple(n for n in nodes if isinstance(n, ast.FunctionDef)),
                calls=tuple(n for n in nodes if isinstance(n, ast.Call)),
            )
        )
    return tuple(found)


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value


def _calls(module: Module, names: tuple[str, ...]) -> Iterator[ast.Call]:
    for node in module.calls:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in names:
            yield node


def _argument(call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position is not None and position < len(call.args) else None


def _function_of(module: Module, call: ast.Call) -> ast.FunctionDef | None:
    """The function that a call stands in."""
    found = [f for f in module.functions if f.lineno <= call.lineno <= (f.end_lineno or 0)]
    return max(found, key=lambda f: f.lineno, default=None)


def _ids(
    value: ast.expr, function: ast.FunctionDef | None, module: Module, modules: tuple[Module, ...]
) -> frozenset[str]:
    """Every id that an expression may stand for."""
    if isinstance(value, ast.Constant):
        return frozenset({str(value.value)})
    if isinstance(value, ast.Dict | ast.Tuple):
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        return frozenset().union(*(_ids(p, None, module, modules) for p in parts))
    if isinstance(value, ast.JoinedStr):
        return frozenset({_prefix(value, module)})
    if isinstance(value, ast.Subscript):
        return _ids(value.value, function, module, modules)
    if isinstance(value, ast.Attribute):
        return _of_attribute(value, modules) or _unknown(value, module)
    if isinstance(value, ast.Name):
        return _of_name(value.id, function, module, modules) or _unknown(value, module)
    return _unknown(value, module)


def _unknown(value: ast.expr, module: Module) -> frozenset[str]:
    if isinstance(value, ast.Attribute) and value.attr in _PASSED_ON:
        return frozenset()
    return frozenset({f"? {module.path.name}:{value.lineno}"})


def _prefix(value: ast.JoinedStr, module: Module) -> str:
    """As "identity:*", of an f-string that starts with a literal or a constant."""
    text = ""
    for part in value.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        if isinstance(inner, ast.Name):
            inner = module.constants.get(inner.id, inner)
        if not isinstance(inner, ast.Constant):
            return f"{text}*"
        text += str(inner.value)
    return text


def _of_attribute(value: ast.Attribute, modules: tuple[Module, ...]) -> frozenset[str]:
    """As in `all_zero_rows.NAME`."""
    owner = getattr(value.value, "id", "")
    found = [m for m in modules if m.stem == owner and value.attr in m.constants]
    return frozenset().union(*(_ids(m.constants[value.attr], None, m, modules) for m in found))


def _of_name(
    name: str, function: ast.FunctionDef | None, module: Module, modules: tuple[Module, ...]
) -> frozenset[str]:
    """A local, a parameter (what every caller gives) or a constant of the module."""
    if function is not None:
        for node in ast.walk(function):
            value = _assigned(node, name)
            if value is not None:
                return _ids(value, function, module, modules)
        position = next((i for i, a in enumerate(function.args.args) if a.arg == name), None)
        if position is not None:
            return _from_callers(function, name, position, module, modules)
    return _ids(module.constants[name], None, module, modules) if name in module.constants else frozenset()


def _assigned(node: ast.AST, name: str) -> ast.expr | None:
    """The value that a statement gives to a name, alone or among others."""
    if not isinstance(node, ast.Assign):
        return None
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        for one, value in zip(target.elts, node.value.elts, strict=True):
            if getattr(one, "id", "") == name:
                return value
    return node.value if getattr(target, "id", "") == name else None


def _imports(module: Module, stem: str, name: str) -> bool:
    """Whether a module takes `name` from a module called `stem`."""
    return any(
        isinstance(n, ast.ImportFrom)
        and (n.module or "").rpartition(".")[2] == stem
        and name in [a.name for a in n.names]
        for n in module.tree.body
    )


def _from_callers(
    function: ast.FunctionDef, name: str, position: int, module: Module, modules: tuple[Module, ...]
) -> frozenset[str]:
    """What callers give: those of the module, and of modules that import the function from it."""
    found: set[str] = set()
    for caller in modules:
        if caller is not module and not _imports(caller, module.stem, function.name):
            continue
        for call in _calls(caller, (function.name,)):
            value = _argument(call, name, position)
            inside = _function_of(caller, call)
            if value is not None and inside is not function:
                found |= _ids(value, inside, caller, modules)
    return frozenset(found)
