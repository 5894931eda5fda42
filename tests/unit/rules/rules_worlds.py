"""Three datasets by hand: the takeaway demo, a weekly store file, and the takeaway under other names."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

from askcore.base.values import Period
from askcore.semantic.catalog import Catalog, Entity
from askcore.semantic.model import Additivity, Dimension, Level, Metric, Model, TimeColumn
from askcore.semantic.parse import load_model

ROOT = Path(__file__).resolve().parents[3]
AS_OF = date(2026, 10, 18)
CHAINS = {
    "E01": {
        "C01": ("蜀小馆/Shu Bistro", {"S0101": "科技园店", "S0102": "大学城店", "S0103": "万象天地店",
                                  "S0104": "高新南店", "S0105": "798店", "S0106": "1912街区店"}),
        "C02": ("轻禾轻食/Qinghe Salad", {"S0201": "软件园店", "S0202": "金融街店", "S0203": "滨江店",
                                      "S0204": "会展中心店"}),
        "C03": ("巷口面馆/Alley Noodles", {"S0301": "老城店", "S0302": "火车站店", "S0303": "大学城店",
                                       "S0304": "东门店"}),
    },
    "E02": {"C04": ("云上小锅/Cloud Hotpot", {"S0401": "城西店", "S0402": "奥体中心店"})},
}  # fmt: skip
COMPANIES = {"E01": "悦食餐饮", "E02": "禾味集团"}


PEERS = ("exposureUv", "visitRate", "orderRate")
"""Metrics whose peers the source gives."""


@cache
def takeaway() -> tuple[Model, Catalog]:
    model = load_model(ROOT / "data" / "semantic" / "takeaway_daily.yaml")
    entities = [Entity(level="company", id=k, name=n) for k, n in COMPANIES.items()]
    for company, chains in CHAINS.items():
        for chain, (name, shops) in chains.items():
            entities.append(Entity(level="chain", id=chain, name=name, parents={"company": company}))
            parents = {"company": company, "chain": chain}
            entities += [Entity(level="shop", id=i, name=n, parents=parents) for i, n in shops.items()]
    catalog = Catalog(
        dataset="demo",
        version=1,
        period=Period(start=date(2025, 8, 1), end=date(2026, 10, 17)),
        entities=tuple(entities),
        scopes=("company", "chain", "shop"),
        columns=tuple(m.key for m in model.metrics if not m.reserved),
        raw_fields=(*(f"{k}__peer_{w}" for k in PEERS for w in ("avg", "rank")), "peerShopCnt"),
    )
    return model, catalog


@cache
def stores() -> tuple[Model, Catalog]:
    """Forty-five stores × weeks, names as the file's header has them."""

    def metric(key: str, kind: str, unit: str = "") -> Metric:
        return Metric(
            key=key,
            label={"zh": key, "en": key},
            unit=unit,
            additivity=Additivity(kind=kind),  # type: ignore[arg-type]
        )

    model = Model(
        name="walmart",
        table="fact",
        time=TimeColumn(column="Date", grain="week"),
        metrics=(
            metric("Weekly_Sales", "sum"),
            metric("Temperature", "mean_per_row"),
            metric("Fuel_Price", "mean_per_row"),
            metric("CPI", "mean_per_row"),
            metric("Unemployment", "mean_per_row"),
        ),
        levels=(Level(key="Store", label={"zh": "Store", "en": "Store"}, id="Store", name="Store"),),
        dimensions=(
            Dimension(
                key="Holiday_Flag", label={"zh": "Holiday_Flag", "en": "Holiday_Flag"}, column="Holiday_Flag"
            ),
        ),
    )
    catalog = Catalog(
        dataset="walmart",
        version=1,
        period=Period(start=date(2010, 2, 5), end=date(2012, 10, 26)),
        entities=tuple(Entity(level="Store", id=str(i), name=str(i)) for i in range(1, 46)),
        scopes=("Store",),
        dimension_values={"Holiday_Flag": ("0", "1")},
    )
    return model, catalog
