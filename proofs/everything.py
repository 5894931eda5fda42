"""All proofs, in the order of the table."""

from __future__ import annotations

from proofs import compared, dimensions, guards, layers, rows, searched, takeaway, told
from proofs.inventory import wanted
from proofs.proof import Proof

PROOFS: tuple[Proof, ...] = (
    *rows.PROOFS,
    *layers.PROOFS,
    *dimensions.PROOFS,
    *takeaway.PROOFS,
    *compared.PROOFS,
    *searched.PROOFS,
    *told.PROOFS,
    *guards.PROOFS,
)


def unproved() -> tuple[str, ...]:
    """What the catalogue, the source and the guards name and no proof is of."""
    done = {(p.kind, p.of) for p in PROOFS}
    return tuple(sorted(f"{kind} {name}" for kind, name in wanted() - done))
