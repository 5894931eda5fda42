"""The file's own total row against the sums of what was loaded."""

from __future__ import annotations

from collections.abc import Mapping

from askcore.lake.ingest.combine import Records
from askcore.lake.ingest.message import Message, message
from askcore.lake.ingest.plan import Plan


def check_totals(
    plan: Plan, totals: Records, sums: Mapping[str, int | float | None]
) -> tuple[list[Message], list[Message]]:
    """(decisions, warnings): what agrees and what does not.

    Only a lone total row is compared: several are subtotals of parts that are not known here.
    """
    if len(totals) == 0:
        return [], []
    if len(totals) > 1:
        return [message("totals_several", count=len(totals))], []
    agree: list[str] = []
    warnings: list[Message] = []
    for column in plan.of("metric"):
        reading = totals.numbers(column.name)
        stated, total = reading.plain[0].as_py(), sums.get(column.name)
        if stated is None or total is None:
            continue
        gap = round(float(total) - float(stated), 6)
        if abs(gap) <= 0.5 * 10.0**-reading.scale:
            agree.append(column.name)
        else:
            values = {"column": column.name, "stated": float(stated), "total": total, "gap": gap}
            warnings.append(message("total_differs", **values))
    decisions = [message("total_agrees", columns=", ".join(agree))] if agree else []
    return decisions, warnings
