"""YAML with line numbers, so that an error can say where to look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from askcore.base.errors import BadRequest, did_you_mean

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
    tree = _branch(node, "")
    if not isinstance(tree.data, dict):
        raise tree.error("the model file must be a mapping")
    return tree


def _branch(node: yaml.Node, path: str) -> Branch:
    line = node.start_mark.line + 1
    children: dict[str | int, Branch] = {}
    data: Any
    if isinstance(node, yaml.MappingNode):
        data = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in data:
                raise BadRequest(f"line {key_node.start_mark.line + 1}: {key!r} is given twice")
            children[key] = _branch(value_node, f"{path}.{key}" if path else key)
            data[key] = children[key].data
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            children[index] = _branch(item, f"{path}[{index}]")
        data = [c.data for c in children.values()]
    else:
        data = yaml.safe_load(yaml.serialize(node)) if node.tag != "tag:yaml.org,2002:str" else node.value
    return Branch(data=data, line=line, path=path, children=children)
