"""From the template's input to a PDF: small documents here, large ones in a process that can be ended."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from askcore.base.errors import AskError
from askcore.report.progress import Progress, go_on

if TYPE_CHECKING:
    from typst import Fonts as TypstFonts

_TEMPLATE: Final = Path(__file__).parent / "report.typ"
_SCRIPT: Final = Path(__file__).parent / "typeset.py"
_LARGE: Final = 3_000
"""Texts of a document from which setting it takes longer than starting a process."""
_TEXTS_A_SECOND: Final = 4_000
_POLL_S: Final = 0.1
_SET: Final = 0.95


def set_pdf(
    document: Mapping[str, Any], folders: tuple[Path, ...], n_texts: int, stage: str, progress: Progress
) -> bytes:
    """The PDF of a template's input. n_texts: how many texts it holds; stage: what to tell meanwhile.

    Raises: AskError when the typesetter refuses; Cancelled when `progress` said so.
    """
    said = json.dumps(document, ensure_ascii=False)
    if n_texts >= _LARGE:
        return _apart(said, folders, n_texts, stage, progress)
    return _here(said, folders)


def _here(said: str, folders: tuple[Path, ...]) -> bytes:
    import typst

    try:
        made: bytes = typst.compile(
            _template(), font_paths=_loaded(folders), sys_inputs={"report": said}, format="pdf"
        )
    except typst.TypstError as e:
        raise AskError(f"the PDF could not be set: {e}") from e
    return made


def _apart(said: str, folders: Sequence[Path], n_texts: int, stage: str, progress: Progress) -> bytes:
    with tempfile.TemporaryDirectory(prefix="asklake-pdf-") as place:
        document, output = Path(place) / "report.json", Path(place) / "report.pdf"
        document.write_text(said, encoding="utf-8")
        with subprocess.Popen(  # noqa: S603 - our own script and interpreter, no shell
            [
                sys.executable,
                "-I",
                str(_SCRIPT),
                str(_TEMPLATE),
                str(document),
                str(output),
                *map(str, folders),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            try:
                _, told = _waited(child, n_texts, stage, progress)
            finally:
                if child.poll() is None:
                    child.kill()
        if child.returncode != 0 or not output.exists():
            raise AskError(f"the PDF could not be set: {told.strip()[-300:]}")
        return output.read_bytes()


def _waited(child: subprocess.Popen[str], n_texts: int, stage: str, progress: Progress) -> tuple[str, str]:
    """What the child wrote at its end. Its share is guessed from its size: typesetters tell none."""
    started = time.monotonic()
    while True:
        spent = time.monotonic() - started
        go_on(progress, stage, _SET * (1 - exp(-2 * spent * _TEXTS_A_SECOND / n_texts)))
        try:
            return child.communicate(timeout=_POLL_S)
        except subprocess.TimeoutExpired:
            continue


@lru_cache(maxsize=4)
def _loaded(folders: tuple[Path, ...]) -> TypstFonts:
    """Opened once: the same few folders serve all reports."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=list(folders))


@cache
def _template() -> bytes:
    return _TEMPLATE.read_bytes()
