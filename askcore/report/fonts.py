"""The fonts of PDFs: subsets of Noto Sans SC, made once from the font package and kept in the state folder.

The everyday characters (GB 2312) are two small files. Characters outside them are taken from the whole font
for the report that needs them; what not even that holds is told to the reader in place of a blank.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

FAMILY: Final = "Noto Sans SC"
EXTRA_FAMILY: Final = "AskLake Rare"
WEIGHTS: Final = (400, 700)
_SOURCE: Final = ("justmytype_intl_cjk", "fonts/ofl/notosanssc/NotoSansSC[wght].ttf")
_EDITION: Final = 1  # of the files kept; another one is made anew
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fonts:
    """What a text is set with."""

    folders: tuple[Path, ...]
    missing: frozenset[str]
    """Characters that no font has."""


def fonts_for(characters: Iterable[str], folder: Path) -> Fonts:
    """Fonts that hold the characters; the first call of a new folder takes some ten seconds."""
    base = folder / f"base-{_EDITION}"
    with _LOCK:
        if not all((base / _file(weight)).exists() for weight in WEIGHTS):
            _make(base, everyday(), FAMILY, WEIGHTS)
        rare = {ord(c) for c in characters} - everyday()
        held = rare & _whole() if rare else set()
        folders = [base]
        if held:
            name = hashlib.sha256(str(sorted(held)).encode()).hexdigest()[:16]
            extra = folder / f"extra-{_EDITION}-{name}"
            if not (extra / _file(WEIGHTS[0])).exists():
                _make(extra, held, EXTRA_FAMILY, WEIGHTS[:1])
            folders.append(extra)
    return Fonts(folders=tuple(folders), missing=frozenset(map(chr, rare - held)))


@cache
def everyday() -> frozenset[int]:
    """Code points of GB 2312, ASCII and Latin-1 that the whole font has."""
    found = (
        set(range(0x20, 0x7F)) | set(range(0xA0, 0x100)) | {0x2022, 0x2013, 0x2014, 0x2026, 0x26A0, 0x2713}
    )
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            text = bytes((high, low)).decode("gb2312", errors="ignore")
            found |= {ord(c) for c in text}
    return frozenset(found & _whole())


@cache
def _whole() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(_source(), lazy=True) as font:
        return frozenset(font.getBestCmap())


def _source() -> Path:
    package, path = _SOURCE
    return Path(str(files(package).joinpath(path)))


def _file(weight: int) -> str:
    return f"{weight}.ttf"


def _make(folder: Path, code_points: Iterable[int], family: str, weights: Iterable[int]) -> None:
    """Subset first: instancing all of the font would take minutes."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    folder.mkdir(parents=True, exist_ok=True)
    for weight in weights:
        options = subset.Options(layout_features=[], name_IDs=["*"], notdef_outline=True, hinting=False)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=code_points)
        with TTFont(_source()) as font:
            subsetter.subset(font)
            fixed = instancer.instantiateVariableFont(font, {"wght": weight}, updateFontNames=True)
            for record in fixed["name"].names:
                if record.nameID in (1, 16):
                    record.string = family
            partial = folder / f"{weight}.{os.getpid()}.part"
            fixed.save(partial)
        partial.replace(folder / _file(weight))
