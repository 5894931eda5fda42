"""The checks that both Soda versions take as SQL."""

from __future__ import annotations

from itertools import pairwise

from protocol import Spec


def rules_of(spec: Spec) -> dict[str, str]:
    """Name -> condition of a bad row."""
    found = {"all_zero": " AND ".join(f'coalesce("{c}", 0) = 0' for c in spec["zero"])}
    for name, s in spec["sums"].items():
        gap = f"abs({' + '.join(s['parts'])} - {s['total']})"
        found[name] = f"{gap} > greatest({s['abs']}, {s['rel']} * abs({s['total']})) + 1e-9"
    columns = spec["order"]["columns"]
    pairs = pairwise(columns)
    found[spec["order"]["name"]] = " OR ".join(f"{b} > {a}" for a, b in pairs)
    return found


def gaps_of(days: Spec) -> str:
    day, entity = days["day"], days["entity"]
    return (
        f'SELECT "{entity}" FROM shop_days GROUP BY "{entity}"'
        f" HAVING count(DISTINCT {day}) < date_diff('day', min({day}), DATE '{days['last']}') + 1"
    )
