"""The encoding of a text file, decided by decoding all of it strictly, never by its first bytes alone."""

from __future__ import annotations

import codecs
from pathlib import Path

from askcore.lake.ingest.message import Refusal

PROVEN = ("utf-8", "utf-8-sig", "utf-16", "gb18030")  # anything else is the likeliest of several
_CHUNK = 1 << 20
_SAMPLE = 1 << 18
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# First bytes of formats that are no text, whatever the file is called.
_MAGIC = (
    (b"PK\x03\x04", "xlsx/zip"),
    (b"PAR1", "parquet"),
    (b"\xd0\xcf\x11\xe0", "xls"),
    (b"%PDF", "pdf"),
    (b"\x1f\x8b", "gzip"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"SQLite format 3", "sqlite"),
)
_MIN_COMMON = 0.9  # GB18030 accepts much Latin-1 as rare characters; real Chinese text is common ones


def magic_of(path: Path) -> str | None:
    """The binary format that the first bytes tell, or None for text."""
    with path.open("rb") as file:
        head = file.read(16)
    return next((kind for start, kind in _MAGIC if head.startswith(start)), None)


def detect_encoding(path: Path, name: str) -> str:
    """UTF-8 (with or without BOM), UTF-16 by BOM, GB18030, else what charset-normalizer finds.

    Raises: Refusal when the file is binary or no encoding fits.
    """
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
    for bom, encoding in _BOMS:
        if sample.startswith(bom):
            return _checked(path, encoding, name)
    if b"\x00" in sample:
        raise Refusal("binary", path=name)
    if _decodes(path, "utf-8"):
        return _checked(path, "utf-8", name)
    if _decodes(path, "gb18030") and _is_common_chinese(sample):
        return _checked(path, "gb18030", name)
    return _checked(path, _other(sample, name), name)


def _checked(path: Path, encoding: str, name: str) -> str:
    if not _decodes(path, encoding):
        raise Refusal("encoding_broken", path=name, encoding=encoding)
    if _has_controls(path, encoding):
        raise Refusal("binary", path=name)
    return encoding


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _has_controls(path: Path, encoding: str) -> bool:
    """Whether control characters occur that no table of text holds (NUL, escape …)."""
    controls = bytes(c for c in range(32) if c not in b"\t\n\r\f\v\x1a")
    wide = encoding == "utf-16"
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if not wide and len(chunk.translate(None, controls)) != len(chunk):
                return True
    return False


def _is_common_chinese(sample: bytes) -> bool:
    text = sample.decode("gb18030", "ignore")
    wide = [c for c in text if ord(c) > 127]
    if not wide:
        return True
    common = sum(1 for c in wide if c.encode("gb2312", "ignore"))
    return common >= _MIN_COMMON * len(wide)


def _other(sample: bytes, name: str) -> str:
    from charset_normalizer import from_bytes  # needed for rare files only

    best = from_bytes(sample).best()
    if best is None:
        raise Refusal("encoding_unknown", path=name)
    return str(best.encoding)
