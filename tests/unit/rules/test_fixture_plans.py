"""The project's own question fixture: plans as expected, under the demo's names and under others."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rules_worlds import AS_OF, ROOT, takeaway

from askcore.agent.rules.understand import Understanding, understand
from askcore.semantic.catalog import Catalog
from askcore.semantic.model import Metric, Model

FILE = ROOT / "tests" / "fixtures" / "questions" / "questions.jsonl"
# Kinds whose plan may read more metrics than were named.
WIDE = ("clarify", "report", "peer", "compare", "why")


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(FILE).read_text(encoding="utf-8").splitlines() if line.strip()]


def read(case: dict[str, Any], world: tuple[Model, Catalog], words: dict[str, str]) -> Understanding:
    def said(text: str) -> str:
        for old, new in sorted(words.items(), key=lambda w: -len(w[0])):
            text = text.replace(old, new)
        return text

    model, catalog = world
    context = [said(case["context"])] if case["context"] else []
    return understand(
        said(case["question"]), context=context, model=model, catalog=catalog, as_of=AS_OF, entity="E01"
    )


def differs(tool: str, want: dict[str, Any], got: dict[str, Any], wide: bool) -> list[str]:
    def as_set(value: Any) -> set[str]:
        return set() if value is None else {value} if isinstance(value, str) else set(value)

    bad = []
    for key, value in want.items():
        mine = got.get(key)
        if key == "metrics":
            ok = set(value) <= set(mine) if wide else set(value) == set(mine)
        elif key in ("by", "shops", "chains"):
            ok = as_set(value) == as_set(mine)
        elif key == "checks":
            ok = not mine or bool(set(value) & set(mine))
        else:
            ok = mine == value
        if not ok:
            bad.append(f"{tool}.{key}: {mine!r} instead of {value!r}")
    return bad


def problems(case: dict[str, Any], found: Understanding) -> list[str]:
    expect = case["expect"]
    if expect.startswith("refuse") or expect == "decline_or_naive":
        return [] if found.refusal is not None else ["not refused"]
    if expect == "clarify":
        return [] if found.clarification is not None else ["no question back"]
    bad: list[str] = []
    at = 0
    for step in case["plan"]:
        tries = [
            (i, differs(step["tool"], step["args"], dict(c.args), case["kind"] in WIDE))
            for i, c in enumerate(found.calls)
            if i >= at and c.tool == step["tool"]
        ]
        good = next((i for i, d in tries if not d), None)
        if good is None:
            bad.extend(tries[0][1] if tries else [f"{step['tool']} is not called"])
        else:
            at = good + 1
    chart = case.get("chart")
    if chart:
        spec = found.chart.as_json() if found.chart else {}
        bad.extend(f"chart {k}" for k, v in chart.items() if spec.get(k) != v)
    return bad


@pytest.mark.parametrize("case", cases(), ids=lambda c: c["id"])
def test_plan(case):
    assert problems(case, read(case, takeaway(), {})) == []


NAMES = {
    "蜀小馆": "椰岛厨房", "Shu Bistro": "Palm Kitchen", "轻禾轻食": "青麦食堂", "Qinghe Salad": "Green Wheat",
    "巷口面馆": "石桥粉铺", "Alley Noodles": "Stone Bridge", "科技园店": "望江路店", "大学城店": "梧桐里店",
    "万象天地店": "星河广场店", "高新南店": "白沙店", "798店": "327店", "1912街区店": "1865园区店",
    "软件园店": "云谷店", "金融街店": "海岸城店", "滨江店": "翠湖店", "会展中心店": "天河北店",
    "老城店": "鼓楼店", "火车站店": "机场店", "东门店": "西湖店", "悦食餐饮": "万味餐饮", "禾味集团": "百禾集团",
}  # fmt: skip
# Every label and synonym that the questions use, under another word that keeps its shape.
METRICS = {
    "营业额": "进账额", "gross sales": "booked takings", "Gross sales": "Booked takings", "sales": "takings",
    "revenue": "takings", "收入": "净得款", "支出": "扣减款", "有效订单": "完成单量", "订单量": "完成单数", "订单": "完成单",
    "valid orders": "completed tickets", "valid order": "completed ticket", "orders": "tickets",
    "进店率": "点入率", "visit rate": "entry rate", "下单率": "成交率", "order rate": "closing rate",
    "conversion": "closing", "客单价": "件均额", "利润率": "留存率", "曝光": "触达", "曝光人数": "触达人数",
    "出餐": "制作",
}  # fmt: skip


@cache
def renamed() -> tuple[Model, Catalog]:
    model, catalog = takeaway()

    def swap(text: str) -> str:
        for old, new in sorted(METRICS.items(), key=lambda w: -len(w[0])):
            text = text.replace(old, new)
        return text

    def metric(one: Metric) -> Metric:
        return replace(
            one,
            label={k: swap(v) for k, v in one.label.items()},
            synonyms={k: tuple(swap(w) for w in v) for k, v in one.synonyms.items()},
        )

    def name(text: str) -> str:
        for old, new in NAMES.items():
            text = text.replace(old, new)
        return text

    entities = tuple(replace(e, name=name(e.name)) for e in catalog.entities)
    return replace(model, metrics=tuple(metric(m) for m in model.metrics)), replace(
        catalog, entities=entities
    )


@pytest.mark.parametrize("case", cases(), ids=lambda c: c["id"])
def test_other_names_and_labels_give_the_same_plan(case):
    plain = read(case, takeaway(), {})
    other = read(case, renamed(), {**NAMES, **METRICS})
    assert [(c.tool, c.args) for c in other.calls if c.tool != "search_metadata"] == [
        (c.tool, c.args) for c in plain.calls if c.tool != "search_metadata"
    ]
    assert other.intent == plain.intent
    assert other.chart == plain.chart
