"""Every check and guard has a proof, every proof holds on a seed, and a new check without one is noticed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from askcore.base.config import REPO_ROOT
from proofs.everything import PROOFS, unproved
from proofs.inventory import named
from proofs.proof import Evidence, Proof, run
from proofs.table import as_markdown, as_text

SEED = 7


def test_everything_has_a_proof() -> None:
    assert unproved() == ()


def test_the_document_lists_what_is_proved() -> None:
    text = (REPO_ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([^`]+)` \| (\w+) \|", text, flags=re.MULTILINE))
    assert listed == {(p.of, p.kind) for p in PROOFS}


@pytest.mark.parametrize("proof", PROOFS, ids=[f"{p.of} - {p.mutant}" for p in PROOFS])
def test_it_fires_on_the_mutant_and_is_silent_on_the_twin(proof: Proof) -> None:
    assert run(proof, (SEED,)).faults == ()


def evidence(found: object, twin: object) -> Evidence:
    return Evidence(planted="fail", found=found, twin=twin, silence="pass")


@pytest.mark.parametrize(
    ("found", "twin", "counts"),
    [("fail", "pass", (1, 1)), ("pass", "pass", (0, 1)), ("fail", "skip", (1, 0)), ("warn", "fail", (0, 0))],
)
def test_what_a_proof_asks_for(found: str, twin: str, counts: tuple[int, int]) -> None:
    proof = Proof(of="x", kind="check", mutant="m", prove=lambda seed: evidence(found, twin))
    done = run(proof, (1,))
    assert (done.fired, done.silent, done.holds) == (*counts, counts == (1, 1))
    assert len(done.faults) == 2 - sum(counts)


def test_a_generator_that_breaks_is_a_fault() -> None:
    def broken(seed: int) -> Evidence:
        raise ValueError(f"seed {seed} breaks")

    done = run(Proof(of="x", kind="guard", mutant="m", prove=broken), (1, 2))
    assert not done.holds
    assert done.faults == ("seed 1: ValueError: seed 1 breaks", "seed 2: ValueError: seed 2 breaks")


SOURCE = """
from x import Verdict
NAME = "brand_new"
NAMES = {"a": "one_way", "b": "other_way"}


def direct():
    return Verdict(check="literal", status="fail")


def by_name():
    return Verdict(check=NAME)


def by_dict(mode):
    check, other = NAMES[mode], 1
    return Verdict(check=check)


def _skip(check, why):
    return Verdict(check=check, status="skip")


def callers():
    return _skip("told_by_a_caller", "")


def unknown(row):
    return Verdict(check=row["check"].lower())
"""


def test_a_new_check_in_the_source_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "new.py").write_text(SOURCE, encoding="utf-8")
    found = {name for _, name in named(tmp_path)}
    assert found == {
        "literal", "brand_new", "one_way", "other_way", "told_by_a_caller", "? new.py:29",
    }  # fmt: skip


def test_the_table_names_what_does_not_hold() -> None:
    proof = Proof(of="a|b", kind="check", mutant="m", prove=lambda seed: evidence("pass", "pass"))
    done = [run(proof, (1, 2, 3))]
    assert "0/3" in as_text(done)
    assert "planted 'fail', found 'pass'" in as_text(done)
    from datetime import date

    text = as_markdown(done, ["check x"], date(2026, 1, 2))
    assert "Last proof: 2026-01-02; 0 of 1 proofs hold" in text
    assert "without a proof: check x" in text
    assert "| `a\\|b` | check | m | 0/3 | 3/3 |" in text
