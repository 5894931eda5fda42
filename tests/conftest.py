"""Fixtures for every test: a tiny lake that a reader can add up by hand, clean settings, no network."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from askcore.base.config import Settings
from askcore.lake import Delivery, Lake, LakeView
from askcore.semantic.model import Model
from askcore.semantic.parse import load_model

ROOT = Path(__file__).resolve().parents[1]
TODAY = date(2026, 10, 18)
TINY = "tiny"
TINY_FIRST = date(2026, 10, 13)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture(autouse=True)
def clean_env(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, key or proxy of the developer's machine reaches a test."""
    for name in list(os.environ):
        if name.startswith(("ASKCORE_", "OPENAI_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the machine itself can be reached."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX and (not isinstance(address, tuple) or address[0] not in _LOOPBACK):
            raise OSError(f"tests have no network: {address!r}")
        real(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose state lives in a temporary folder."""
    return Settings(home=tmp_path / "home")


@pytest.fixture(scope="session")
def takeaway_model() -> Model:
    """The model that comes with the project."""
    return load_model(ROOT / "data" / "semantic" / "takeaway_daily.yaml")


@pytest.fixture(scope="session")
def tiny_lake(tmp_path_factory: pytest.TempPathFactory, takeaway_model: Model) -> Iterator[Lake]:
    """Dataset "tiny": company E01, chain C01, 3 shops x 5 days (Tue 2026-10-13 … Sat 2026-10-17).

    | shop a day      | S1 东门店               | S2 西门店 | S3 南门店          | company and chain row |
    | grossAmt        | 100 110 120 130 140     | 200      | 50 60 70 80 90     | 350 370 390 410 430   |
    | incomeAmt       | 80 % of grossAmt        | 80 %     | 80 %               | 280 296 312 328 344   |
    | expenseAmt      | 20 % of grossAmt        | 20 %     | 20 %               | 70 74 78 82 86        |
    | validOrderCnt   | 10 11 12 13 14          | 20       | 10                 | 40 41 42 43 44        |
    | exposureUv      | 1000                    | 2000     | 500                | 3000                  |
    | visitUv         | 100                     | 100      | 100                | 280                   |
    | orderUv         | 9                       | 18       | 9                  | 34                    |
    | shopScore       | 4.5                     | 4.8      | 4.0                | -                     |

    Totals of the five days: grossAmt S1 600, S2 1000, S3 350, all 1950; incomeAmt 1560; expenseAmt 390;
    validOrderCnt 60 + 100 + 50 = 210; exposureUv of shops 17500, of the company 15000; visitUv of shops
    1500, of the company 1400; orderUv of shops 180, of the company 170. aov 1950/210, visitRate of the
    company 1400/15000, of the shops' sum 1500/17500; shopScore (4.5*60 + 4.8*100 + 4.0*50)/210.
    promoSpendAmt and the other columns are absent. Read-only: other tests share it.
    """
    lake = Lake(Settings(home=tmp_path_factory.mktemp("tiny")))
    lake.load(TINY, Delivery(table=tiny_table()), takeaway_model)
    yield lake
    lake.close()


@pytest.fixture
def tiny_view(tiny_lake: Lake) -> Iterator[LakeView]:
    """The newest version of the tiny lake."""
    with tiny_lake.open(TINY) as view:
        yield view


def tiny_table() -> pa.Table:
    """The delivery of `tiny_lake`."""
    rows: list[dict[str, object]] = []
    for i in range(5):
        shops = [
            ("S1", "东门店", 100.0 + 10 * i, 10 + i, 1000, 9, 4.5),
            ("S2", "西门店", 200.0, 20, 2000, 18, 4.8),
            ("S3", "南门店", 50.0 + 10 * i, 10, 500, 9, 4.0),
        ]
        day = TINY_FIRST + timedelta(days=i)
        for shop, name, gross, orders, exposure, buyers, score in shops:
            row = _tiny_row(day, gross, orders, exposure, 100, buyers)
            names = {"chainId": "C01", "chainName": "蜀小馆", "shopId": shop, "shopName": name}
            rows.append(row | names | {"scope": "shop", "shopScore": score})
        whole = _tiny_row(day, 350.0 + 20 * i, 40 + i, 3000, 280, 34)
        rows.append(whole | {"scope": "chain", "chainId": "C01", "chainName": "蜀小馆"})
        rows.append(whole | {"scope": "company"})
    columns = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: [row.get(name) for row in rows] for name in columns})


def _tiny_row(
    day: date, gross: float, orders: int, exposure: int, visits: int, buyers: int
) -> dict[str, object]:
    return {
        "date": day,
        "companyId": "E01",
        "companyName": "悦食餐饮",
        "grossAmt": gross,
        "incomeAmt": gross * 0.8,
        "expenseAmt": gross * 0.2,
        "validOrderCnt": orders,
        "exposureUv": exposure,
        "visitUv": visits,
        "orderUv": buyers,
    }
