"""Soda Core 3: a SodaCL scan over a DuckDB view of the file; no cloud, no samples of failed rows."""

from __future__ import annotations

from importlib.metadata import version

import duckdb
from protocol import Counts, Spec, serve
from soda.scan import Scan
from soda_sql import gaps_of, rules_of


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
    for name, condition in rules_of(spec).items():
        lines += [
            "  - failed rows:",
            f"      name: {name}",
            *_UNSAMPLED,
            f"      fail condition: {condition}",
        ]
    query = gaps_of(spec["days"])
    lines += ["  - failed rows:", "      name: days", *_UNSAMPLED, f"      fail query: {query}"]
    return "\n".join(lines)


_UNSAMPLED = ["      samples limit: 0"]


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
