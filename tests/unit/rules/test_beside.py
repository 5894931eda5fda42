"""What other checks of the period say: an open disagreement in its own words, an explained one in short."""

from __future__ import annotations

import pytest

from askcore.agent.rules.compose.wording import Words, beside
from askcore.base.values import Cell, Column, Table, ToolResult, Verdict
from tests.unit.rules.rules_worlds import takeaway


def checked(explained: int, bad: int = 3) -> ToolResult:
    verdict = Verdict(
        id="v7",
        kind="cross-layer",
        check="sum_shop_chain",
        status="fail",
        target="everybody",
        expect="equal",
        actual="not equal",
        severity="major",
        n_checked=21,
        n_bad=bad,
        note="three days of the chain disagree",
    )
    row = {"check": "sum_shop_chain", "title": "Sum of shops", "n_bad": bad}
    return ToolResult(
        id="t3",
        tool="cross_check",
        args={},
        ok=True,
        table=Table(columns=(Column(key="check", label="Check"),), rows=(row,), row_count=1),
        cells=(
            Cell(value=bad, unit="count", metric="sum_shop_chain.bad", step="t3", role="verdict"),
            *(
                Cell(value=n, unit="count", metric="sum_shop_chain.explained", step="t3", role="verdict")
                for n in ([1, explained - 1] if explained else [])
            ),
        ),
        verdicts=(verdict,),
    )


@pytest.mark.parametrize(("explained", "is_short"), [(0, False), (2, False), (3, True)])
def test_only_what_other_checks_explain_wholly_is_shortened(explained: int, is_short: bool) -> None:
    words = Words("en", *takeaway())
    told = beside([checked(explained)], words, None)
    assert "[v7]" in told
    assert ("three days of the chain disagree" in told) is not is_short
    assert ("Sum of shops: " in told) is is_short
