"""Proofs by mutation: every check and guard fires on a planted fault, and is silent without it.

`python -m proofs` runs all of them over three seeds. Nothing of askcore imports this package.
"""

from __future__ import annotations
