"""`python -m proofs [NAME]`: runs every proof (or those of ids that start with NAME) and prints the table.

Exit code 1 when a proof does not hold or something has none. `--write` also writes docs/proofs.md.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from askcore.base.config import REPO_ROOT
from proofs.everything import PROOFS, unproved
from proofs.proof import SEEDS, Proved, run
from proofs.table import as_markdown, as_text

DOCS = REPO_ROOT / "docs" / "proofs.md"


def main() -> int:
    """Run, print, and say by the exit code whether everything is proved."""
    asked = argparse.ArgumentParser(prog="proofs", description="proofs by mutation of every check and guard")
    asked.add_argument("name", nargs="?", default="", help="only ids that start with this")
    asked.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    asked.add_argument("--write", action="store_true", help="rewrite docs/proofs.md")
    given = asked.parse_args()
    done = [_told(run(p, given.seeds)) for p in PROOFS if p.of.startswith(given.name)]
    missing = unproved()
    print(as_text(done))
    broken = [p for p in done if not p.holds]
    print(f"\n{len(done) - len(broken)} of {len(done)} proofs hold; without a proof: {len(missing)}")
    for name in missing:
        print(f"    no proof: {name}")
    if given.write and not given.name:
        DOCS.write_text(as_markdown(done, missing, datetime.now(UTC).date()), encoding="utf-8")
    return 1 if broken or missing or not done else 0


def _told(proved: Proved) -> Proved:
    """Progress on stderr, since a whole run takes a minute or two."""
    print("." if proved.holds else "F", end="", file=sys.stderr, flush=True)
    return proved


if __name__ == "__main__":
    sys.exit(main())
