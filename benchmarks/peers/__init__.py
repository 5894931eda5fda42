"""Health tools of others beside ours: one Parquet file, one list of checks, a process and a venv each."""
