"""Soda Core 4: a contract over a DuckDB view of the file, verified locally."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import duckdb
import soda_core.contracts.impl.contract_verification_impl  # noqa: F401 - its imports are not a run's time
from protocol import Counts, Spec, serve
from soda_core.contracts.api.verify_api import verify_contract_locally
from soda_duckdb.common.data_sources.duckdb_data_source import DuckDBDataSourceImpl
from soda_sql import gaps_of, rules_of


def _contract(spec: Spec) -> str:
    """JSON is YAML."""
    columns = []
    for name in spec["nulls"]:
        checks = [{"missing": {"name": f"null:{name}"}}]
        if name in spec["ranges"]:
            low, high = spec["ranges"][name]
            limits = {"valid_min": low} if high is None else {"valid_min": low, "valid_max": high}
            checks.append({"invalid": {"name": f"range:{name}", **limits}})
        columns.append({"name": name, "checks": checks})
    rows = [
        {"failed_rows": {"name": name, "qualifier": name, "expression": sql}}
        for name, sql in rules_of(spec).items()
    ]
    rows.append({"duplicate": {"name": "doubles", "columns": spec["unique"]}})
    rows.append({"failed_rows": {"name": "days", "qualifier": "days", "query": gaps_of(spec["days"])}})
    return json.dumps({"dataset": "lake/main/shop_days", "columns": columns, "checks": rows})


def _contract_file(spec: Spec) -> str:
    """Written to the worker's own folder, as the contract is read from a file."""
    file = Path("contract.yml")
    file.write_text(_contract(spec), encoding="utf-8")
    return str(file)


def run(file: str, spec: Spec) -> Counts:
    """The contract's counts."""
    with duckdb.connect() as con:
        con.execute(f"CREATE VIEW shop_days AS SELECT * FROM read_parquet('{file}')")
        source = DuckDBDataSourceImpl.from_existing_cursor(con, name="lake")
        result = verify_contract_locally(data_sources=[source], contract_file_path=_contract_file(spec))
        if result.has_errors:
            raise RuntimeError(result.get_errors_str())
        checks = [c for one in result.contract_verification_results for c in one.check_results]
        return {c.check.name: int(c.threshold_value) for c in checks}


serve(run, f"Soda Core {version('soda-core')}, DuckDB {duckdb.__version__}")
