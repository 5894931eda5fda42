"""The synthetic demo lake: deterministic, with planted faults and a manifest that names them all."""

from __future__ import annotations

from askcore.lake.demo.build import DemoData, build_demo
from askcore.lake.demo.install import InstallReport, install_demo, write_files
from askcore.lake.demo.manifest import EntityLine, Fault, Manifest, SeenBy

__all__ = [
    "DemoData",
    "EntityLine",
    "Fault",
    "InstallReport",
    "Manifest",
    "SeenBy",
    "build_demo",
    "install_demo",
    "write_files",
]
