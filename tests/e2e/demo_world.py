"""A demo lake with what its manifest says of it, for tests that ask it in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askcore.base.config import Settings
from askcore.service import Service

SEEDS = (0, 3)


@dataclass(frozen=True)
class DemoWorld:
    service: Service
    manifest: dict[str, Any]

    def put(self, question: str) -> dict[str, Any]:
        """The answer object, whatever its status."""
        return self.service.ask(question, viewer="test", planner="rules")

    def fault(self, name: str) -> dict[str, Any]:
        return next(f for f in self.manifest["faults"] if f["id"] == name)

    def ids(self, level: str) -> list[str]:
        return [e["id"] for e in self.manifest["entities"] if e["level"] == level]

    def name(self, entity: str) -> str:
        """As answers write it: a shared name carries its id."""
        names = {e["id"]: e["name"] for e in self.manifest["entities"]}
        shared = list(names.values()).count(names[entity]) > 1
        return f"{names[entity]} {entity}" if shared else names[entity]


@contextmanager
def demo_world(home: Path, seed: int) -> Iterator[DemoWorld]:
    service = Service(Settings(home=home))
    service.install_demo(seed=seed)
    text = (home / "lake" / "demo" / "manifest.json").read_text(encoding="utf-8")
    try:
        yield DemoWorld(service=service, manifest=json.loads(text))
    finally:
        service.close()
