"""`python -m askcore …`."""

from __future__ import annotations

from askcore.cli import cli

cli()
