"""The table of a run: as text for the terminal, as Markdown for docs/proofs.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from proofs.proof import Proved

_HEADINGS = ("check or guard", "kind", "what the mutant does", "fired", "silent", "ms")
_INTRO = """# Proofs by mutation

Every check and guard is proved on lakes that have nothing in common with the demo: a generator with a seed
plants one fault (the mutant) and leaves everything else as it is (the twin). **Fired**: on the mutant the
check tells exactly what was planted, with its status and its keys. **Silent**: on the twin it passes; "not
evaluated" is not silent. `make proofs` runs all of them over three seeds and fails when one does not hold, or
when the catalogue or the source names a check that has no proof. This file is written by `make proofs-write`.

"""


def as_text(done: Sequence[Proved]) -> str:
    """Aligned columns, faults below their row."""
    rows = [_HEADINGS, *(_cells(p) for p in done)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]
    lines = []
    for row, proved in zip(rows, (None, *done), strict=True):
        lines.append("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
        lines += [f"    {fault}" for fault in (proved.faults if proved else ())]
    return "\n".join(lines)


def as_markdown(done: Sequence[Proved], missing: Sequence[str], day: date) -> str:
    """The whole of docs/proofs.md."""
    held = sum(p.holds for p in done)
    ids = len({(p.proof.kind, p.proof.of) for p in done})
    head = f"Last proof: {day.isoformat()}; {held} of {len(done)} proofs hold, of {ids} checks and guards; "
    head += f"without a proof: {', '.join(missing) or 'none'}.\n\n"
    lines = ["| " + " | ".join(_HEADINGS) + " |", "|---|---|---|---|---|---:|"]
    lines += ["| " + " | ".join(c.replace("|", "\\|") for c in _cells(p, code=True)) + " |" for p in done]
    return _INTRO + head + "\n".join(lines) + "\n"


def _cells(proved: Proved, *, code: bool = False) -> tuple[str, ...]:
    proof, of = proved.proof, proved.seeds
    name = f"`{proof.of}`" if code else proof.of
    counts = (f"{proved.fired}/{of}", f"{proved.silent}/{of}", f"{proved.elapsed_ms:.0f}")
    return (name, proof.kind, proof.mutant, *counts)
