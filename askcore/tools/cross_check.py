"""`cross_check`: do levels add up, do identities hold; disagreements are listed with their cause."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from askcore.base.errors import BadRequest
from askcore.base.text import say
from askcore.checks.catalogue import reconciling_ids
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput
from askcore.tools.data_quality import checked_output


class CrossCheckArgs(ToolArgs):
    """Reconciles the data with itself: rows of a level against the level above (sum_shop_chain,
    sum_chain_company, uv_bound for people, ratio_recomputed for rates, all_zero_child) and identities
    between columns (income_expense_gross …, also written identity:income_expense_gross). `from` and `to`
    are the inclusive days (default: the last 30 of the data); `checks` names the checks, any other check
    such as missing_days too (default: all between levels and all identities).
    """

    start: date | None = Field(default=None, alias="from", description="first day, YYYY-MM-DD")
    end: date | None = Field(default=None, alias="to", description="last day, YYYY-MM-DD")
    checks: list[str] = Field(default_factory=list, description="check ids; empty = all of them")


def run(args: CrossCheckArgs, ctx: ToolContext) -> ToolOutput:
    """Run the asked checks, or all that reconcile."""
    ids = args.checks or reconciling_ids(ctx.view.model)
    if not ids:
        raise BadRequest(say(ctx.lang, "checks.nothing_to_reconcile"), error_class="empty")
    return checked_output(args.start, args.end, args.checks, ids, ctx)


TOOL = Tool(name="cross_check", args=CrossCheckArgs, run=run)
