"""YAML with line numbers, so that an error can say where to look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from askcore.base.errors import BadRequest, did_you_mean

_MOST_PARTS = 50_000  # the largest model seen has 3 000; aliases of aliases reach a billion in ten lines
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A mapping or list of the document with the lines of its parts."""

    data: Any
    line: int
    path: str
    children: Mapping[str | int, Branch]

    def error(self, message: str, *, hint: str = "", key: str | int = "") -> BadRequest:
        """A BadRequest that names the line of this branch, or of its child `key`."""
        line = self.children[key].line if key in self.children else self.line
        where = f"line {line}" + (f", {self.path}" if self.path else "")
        return BadRequest(f"{where}: {message}", hint=hint)

    def mapping(self, key: str) -> Branch:
        """The child mapping `key`. Raises: BadRequest when it is absent or no mapping."""
        child = self.children.get(key)
        if child is None:
            raise self.error(f"missing {key!r}")
        if not isinstance(child.data, dict):
            raise self.error(f"{key!r} must be a mapping", key=key)
        return child

    def items(self, key: str) -> Iterator[Branch]:
        """The mappings of the list `key`; nothing when absent."""
        child = self.children.get(key)
        if child is None or child.data is None:
            return
        if not isinstance(child.data, list):
            raise self.error(f"{key!r} must be a list", key=key)
        for item in child.children.values():
            if not isinstance(item.data, dict):
                raise item.error("must be a mapping")
            yield item

    def only(self, known: tuple[str, ...]) -> None:
        """Refuse keys outside `known` with the near match."""
        for key in self.data:
            if key not in known:
                raise self.error(f"unknown key {key!r}", hint=did_you_mean(str(key), known), key=key)

    def text(self, key: str, default: str | None = None) -> str:
        """The scalar `key` as text. Raises: BadRequest when it is absent and has no default."""
        value = self.data.get(key, default)
        if value is None:
            raise self.error(f"missing {key!r}")
        if isinstance(value, dict | list):
            raise self.error(f"{key!r} must be text", key=key)
        return str(value)

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """The scalar `key`, one of `allowed`."""
        value = self.text(key, default)
        if value not in allowed:
            hint = did_you_mean(value, allowed) or ", ".join(allowed)
            raise self.error(f"{key} {value!r} is not known", hint=hint, key=key)
        return value

    def number(self, key: str, default: float = 0.0) -> float:
        """The scalar `key` as a number."""
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"{key} must be a number, not {value!r}", key=key)
        return float(value)

    def flag(self, key: str) -> bool:
        """The scalar `key` as a truth value, absent = False."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"{key} must be true or false, not {value!r}", key=key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of scalars `key`; () when absent."""
        value = self.data.get(key) or []
        if not isinstance(value, list) or any(isinstance(v, dict | list) for v in value):
            raise self.error(f"{key} must be a list of texts", key=key)
        return tuple(str(v) for v in value)


def read_tree(text: str) -> Branch:
    """Parse one YAML document. Raises: BadRequest with the line on bad YAML or a duplicate key."""
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise BadRequest(f"{where}not valid YAML: {getattr(e, 'problem', e)}") from e
    if node is None:
        raise BadRequest("the model file is empty")
    tree = _Reader().branch(node, "")
    if not isinstance(tree.data, dict):
        raise tree.error("the model file must be a mapping")
    return tree


class _Reader:
    """Turns nodes into branches; anchors may be reused, but neither multiply without end nor form a ring."""

    def __init__(self) -> None:
        self.left = _MOST_PARTS
        self.open: set[int] = set()

    def branch(self, node: yaml.Node, path: str) -> Branch:
        """The branch of `node`. Raises: BadRequest on a ring, a bomb, or a value that is none."""
        line = node.start_mark.line + 1
        self.left -= 1
        if self.left < 0:
            raise BadRequest(f"line {line}: the file has more than {_MOST_PARTS} parts")
        if id(node) in self.open:
            raise BadRequest(f"line {line}: the part {path!r} refers to itself")
        if not isinstance(node, yaml.MappingNode | yaml.SequenceNode):
            return Branch(data=_scalar(node, line), line=line, path=path, children={})
        self.open.add(id(node))
        children = self._mapping(node, path) if isinstance(node, yaml.MappingNode) else self._list(node, path)
        self.open.remove(id(node))
        parts = {key: child.data for key, child in children.items()}
        data = parts if isinstance(node, yaml.MappingNode) else list(parts.values())
        return Branch(data=data, line=line, path=path, children=children)

    def _mapping(self, node: yaml.MappingNode, path: str) -> dict[str | int, Branch]:
        children: dict[str | int, Branch] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise BadRequest(f"line {line}: a key must be text")
            key = str(key_node.value)
            if key in children:
                raise BadRequest(f"line {line}: {key!r} is given twice")
            children[key] = self.branch(value_node, f"{path}.{key}" if path else key)
        return children

    def _list(self, node: yaml.SequenceNode, path: str) -> dict[str | int, Branch]:
        return {i: self.branch(item, f"{path}[{i}]") for i, item in enumerate(node.value)}


def _scalar(node: yaml.Node, line: int) -> Any:
    if node.tag == "tag:yaml.org,2002:str":
        return node.value
    try:
        return yaml.safe_load(yaml.serialize(node))
    except (yaml.YAMLError, ValueError) as e:
        shown = str(node.value)[:40]
        raise BadRequest(f"line {line}: {shown!r} is not a valid value", hint="put it in quotes") from e
