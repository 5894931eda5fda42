"""Sets one document: `python -I typeset.py TEMPLATE INPUT OUTPUT FONT_FOLDER…`.

A process of its own, because the typesetter cannot be interrupted and keeps its memory; it imports nothing
of the project, so that it starts at once.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(template: str, document: str, output: str, *folders: str) -> None:
    """Read the template and its input, write the PDF."""
    import typst

    made = typst.compile(
        Path(template).read_bytes(),
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=list(folders)),
        sys_inputs={"report": Path(document).read_text(encoding="utf-8")},
        format="pdf",
    )
    Path(output).write_bytes(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
