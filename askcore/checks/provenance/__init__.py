"""Number provenance: every figure of a text is traced to a cell of the run, or marked.

No model is asked: the executed queries are known, so matching is deterministic. What keeps it
honest is the gate: a value counts only if the sentence names its metric and its entity.
"""

from __future__ import annotations

from askcore.checks.provenance.cells_json import cells_from_json
from askcore.checks.provenance.result import Provenance
from askcore.checks.provenance.trace import trace_numbers

__all__ = ["Provenance", "cells_from_json", "trace_numbers"]
