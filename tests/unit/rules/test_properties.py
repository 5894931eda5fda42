"""What holds for any text: no exception, valid days, JSON-able arguments, and a quick answer."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from rules_worlds import AS_OF, stores, takeaway

from askcore.agent.rules.understand import understand
from askcore.semantic.catalog import Entity

WORDS = [
    "上周",
    "昨天",
    "近7天",
    "9月",
    "去年",
    "国庆",
    "Q3",
    "2月30日",
    "9999年",
    "近0天",
    "近99999天",
    "10月1日",
    "到",
    "和",
    "比",
    "环比",
    "同比",
    "营业额",
    "订单量",
    "进店率",
    "客单价",
    "净利润",
    "科技园店",
    "大学城店",
    "蜀小馆",
    "门店",
    "品牌",
    "各",
    "每",
    "按",
    "前5",
    "Top3",
    "最高",
    "最差",
    "占比",
    "走势",
    "平均",
    "日均",
    "加权",
    "为什么",
    "不含",
    "高于",
    "30",
    "%",
    "呢",
    "换成",
    "只看",
    "last",
    "week",
    "vs",
    "sales",
    "by",
    "chain",
    "store",
    "20",
    "top",
    "5",
    "average",
    "per",
    "day",
    "weighted",
    "by",
    "share",
    "of",
    "why",
    "not",
    "2011",
    "0000-00-00",
    "2026-13-45",
    "99月99日",
    "week",
    "60",
    "Feb",
    "30",
    ",",
    "?",
    "、",
    "(",
    ")",
    "/",
    "-",
    "~",
]


def check(text: str, context: tuple[str, ...], world) -> None:
    model, catalog = world()
    entity = "E01" if world is takeaway else None
    found = understand(text, context=context, model=model, catalog=catalog, as_of=AS_OF, entity=entity)
    json.dumps([dict(c.args) for c in found.calls])
    for call in found.calls:
        for key in ("from", "to"):
            if key in call.args:
                date.fromisoformat(call.args[key])
        if "from" in call.args:
            assert call.args["from"] <= call.args["to"]
        for side in ("current", "baseline"):
            if side in call.args:
                assert call.args[side]["from"] <= call.args[side]["to"]
    assert all(0 <= s.start <= s.end <= len(text) for s in found.spans)
    ends = [found.refusal is not None, found.clarification is not None, bool(found.calls)]
    assert any(ends)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=12), st.lists(st.sampled_from(WORDS), max_size=4), st.booleans()
)
def test_any_mix_of_words_is_handled(words, before, chinese):
    glue = "" if chinese else " "
    for world in (takeaway, stores):
        check(glue.join(words), (glue.join(before),) if before else (), world)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_handled(text):
    check(text, (), takeaway)


def test_a_question_is_read_quickly():
    model, catalog = takeaway()
    shops = tuple(
        Entity(level="shop", id=f"X{i:04}", name=f"样本{i}号街店", parents={"company": "E01", "chain": "C01"})
        for i in range(300)
    )
    big = replace(catalog, entities=catalog.entities + shops)
    question = "按周看今年Q3各品牌订单量和营业额，蜀小馆的科技园店排第几"
    understand(question, model=model, catalog=big, as_of=AS_OF, entity="E01")
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        understand(question, model=model, catalog=big, as_of=AS_OF, entity="E01")
        best = min(best, time.perf_counter() - start)
    assert best < 0.02  # 10 ms are asked for; a busy machine gets twice that
