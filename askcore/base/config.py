"""Settings: read once from the environment, handed down as one frozen value."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from askcore.base.errors import BadRequest, did_you_mean

REPO_ROOT = Path(__file__).resolve().parents[2]
PREFIX = "ASKCORE_"
_LEAST = {
    "llm_timeout_s": 0.1,
    "run_timeout_s": 0.1,
    "max_turns": 1,
    "max_tool_calls": 1,
    "workers": 1,
    "retention_days": 1,
    "duckdb_threads": 1,
    "duckdb_memory_mb": 0,
}
_MOST: dict[str, float] = {
    "llm_timeout_s": 3600,
    "run_timeout_s": 86_400,
    "max_turns": 100,
    "max_tool_calls": 100,
    "workers": 64,
    "retention_days": 36_500,
    "duckdb_threads": 256,
    "duckdb_memory_mb": 1_048_576,
}
_ONE_OF = {"lang": ("zh", "en")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may be set from outside; each field is `ASKCORE_<NAME>` in the environment."""

    home: Path = REPO_ROOT / "data"
    """Where all state lives: lake/, serving/, state/."""
    dataset: str = ""
    """Dataset to ask by default; "" = the newest loaded, else the demo."""
    lang: str = "zh"
    """Language of texts that answer no question (health, ingest): zh or en."""
    llm_base_url: str = ""
    """OpenAI-compatible endpoint; "" = the SDK's default."""
    llm_model: str = ""
    """Model name; "" = no model, the embedded planner answers."""
    llm_api_key: str = field(default="", repr=False)
    """Key for the endpoint; never written to a trace."""
    llm_timeout_s: float = 45.0
    """Longest wait for one model call."""
    run_timeout_s: float = 120.0
    """Longest wall time of one run."""
    max_turns: int = 10
    """Turns of the loop before it is made to finish."""
    max_tool_calls: int = 16
    """A deep analysis needs 9-12; beyond 16 a run is a loop."""
    workers: int = 2
    """Runs executed at once in one server process; the rest wait in a queue."""
    retention_days: int = 400
    """How long a pinned lake version stays readable for a replay."""
    duckdb_threads: int = 2
    """Threads of one query."""
    duckdb_memory_mb: int = 256
    """Memory that DuckDB may hold for one opened version, beyond it it spills; 0 = 80 % of the machine's.

    256: all checks of 10 million rows stay below 500 MB, no slower than without a limit."""

    @property
    def semantic_dir(self) -> Path:
        """The models that come with the project."""
        return REPO_ROOT / "data" / "semantic"

    @property
    def lake_dir(self) -> Path:
        """Delta tables, one folder a dataset."""
        return self.home / "lake"

    @property
    def serving_dir(self) -> Path:
        """Immutable DuckDB files, one folder a dataset."""
        return self.home / "serving"

    @property
    def state_dir(self) -> Path:
        """SQLite databases."""
        return self.home / "state"

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured."""
        return bool(self.llm_model)


def load_settings(**overrides: Any) -> Settings:
    """Settings from `ASKCORE_*`, then `overrides`.

    Raises: BadRequest on an unknown `ASKCORE_` variable or a value of the wrong type or out of bounds.
    """
    known = {f.name: f for f in fields(Settings)}
    values: dict[str, Any] = {}
    for name, text in os.environ.items():
        if not name.startswith(PREFIX):
            continue
        key = name.removeprefix(PREFIX).lower()
        if key not in known:
            near = did_you_mean(key, known)
            raise BadRequest(f"unknown setting {name}", hint=f"{PREFIX}{near.upper()}" if near else "")
        values[key] = _within(name, key, _parse(name, text, str(known[key].type)))
    values.update(overrides)
    if "home" in values:
        values["home"] = Path(values["home"]).resolve()
    return Settings(**values)


def _parse(name: str, text: str, type_name: str) -> Any:
    parser = {"Path": Path, "str": str, "int": int, "float": float}[type_name]
    try:
        return parser(text)
    except ValueError as e:
        raise BadRequest(f"{name}={text!r} is not a valid {type_name}") from e


def _within(name: str, key: str, value: Any) -> Any:
    """The value when a run can work with it: zero threads or a time-out of NaN would fail far from here."""
    if key in _LEAST:
        least, most = _LEAST[key], _MOST[key]
        if math.isnan(value) or not least <= value <= most:
            raise BadRequest(f"{name}={value} is out of bounds", hint=f"{least} … {most}")
    if key in _ONE_OF and value not in _ONE_OF[key]:
        raise BadRequest(f"{name}={value!r} is not known", hint=", ".join(_ONE_OF[key]))
    return value
