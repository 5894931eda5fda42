"""Soda Core 3: a SodaCL scan over a DuckDB view of the file; no cloud, no samples of failed rows."""

from __future__ import annotations

from importlib.metadata import version
from itertools import pairwise

import duckdb
from protocol import Counts, Spec, serve
from soda.scan import Scan


def _checks(spec: Spec) -> str:
    """SodaCL of the list."""
    lines = ["checks for shop_days:"]
    for column in spec["nulls"]:
        lines += [f"  - missing_count({column}) = 0:", f"      name: null:{column}", *_UNSAMPLED]
    for column, (low, high) in spec["ranges"].items():
        lines += [f"  - invalid_count({column}) = 0:", f"      name: range:{column}", *_UNSAMPLED]
        lines += [f"      valid min: {low}"] + ([] if high is None else [f"      valid max: {high}"])
    key = ", ".join(spec["unique"])
    lines += [f"  - duplicate_count({key}) = 0:", "      name: doubles", *_UNSAMPLED]
    for name, condition in _rules(spec).items():
        lines += [
            "  - failed rows:",
            f"      name: {name}",
            *_UNSAMPLED,
            f"      fail condition: {condition}",
        ]
    query = _gaps(spec["days"])
    lines += ["  - failed rows:", "      name: days", *_UNSAMPLED, f"      fail query: {query}"]
    return "\n".join(lines)


_UNSAMPLED = ["      samples limit: 0"]


def _rules(spec: Spec) -> dict[str, str]:
    """Name -> condition of a bad row."""
    found = {"all_zero": " AND ".join(f"coalesce({c}, 0) = 0" for c in spec["zero"])}
    for name, s in spec["sums"].items():
        gap = f"abs({' + '.join(s['parts'])} - {s['total']})"
        found[name] = f"{gap} > greatest({s['abs']}, {s['rel']} * abs({s['total']})) + 1e-9"
    columns = spec["order"]["columns"]
    pairs = pairwise(columns)
    found[spec["order"]["name"]] = " OR ".join(f"{b} > {a}" for a, b in pairs)
    return found


def _gaps(days: Spec) -> str:
    day, entity = days["day"], days["entity"]
    return (
        f"SELECT {entity} FROM shop_days GROUP BY {entity}"
        f" HAVING count(DISTINCT {day}) < date_diff('day', min({day}), DATE '{days['last']}') + 1"
    )


def run(file: str, spec: Spec) -> Counts:
    """The scan's counts."""
    with duckdb.connect() as con:
        con.execute(f"CREATE VIEW shop_days AS SELECT * FROM read_parquet('{file}')")
        scan = Scan()
        scan.disable_telemetry()
        scan.set_data_source_name("lake")
        scan.add_duckdb_connection(con, data_source_name="lake")
        scan.add_sodacl_yaml_str(_checks(spec))
        scan.execute()
        if scan.has_error_logs():
            raise RuntimeError(scan.get_error_logs_text())
        return {c.name: int(c.check_value) for c in scan._checks}


serve(run, f"Soda Core {version('soda-core')}, DuckDB {duckdb.__version__}")
