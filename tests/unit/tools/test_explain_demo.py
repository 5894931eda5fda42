"""`explain_change` on the demo lakes of five seeds against the manifest's own numbers, written before any fault."""

from __future__ import annotations

import math
from datetime import date

import pytest

from askcore.base.config import Settings
from askcore.checks.provenance import trace_numbers
from askcore.lake import Lake
from askcore.lake.demo import build_demo, install_demo
from askcore.tools import explain_change
from askcore.tools.base import ToolContext, call

CURRENT = {"from": "2026-10-11", "to": "2026-10-17"}
REL = 1e-9


class Demo:
    """One demo lake and what its manifest says."""

    def __init__(self, seed, lake):
        self.manifest = build_demo(seed, False).manifest
        self.expected = self.manifest.expected
        install_demo(lake, seed=seed)
        self.view = lake.open("demo")

    def ask(self, lang="zh", **args):
        ctx = ToolContext(
            view=self.view,
            lang=lang,
            as_of=date(2026, 10, 18),
            viewer="u",
            entity=self.manifest.default_entity,
        )
        result = call(explain_change.TOOL, {"current": CURRENT} | args, ctx)
        assert result.ok, result.error
        return result


@pytest.fixture(scope="module", params=range(5), ids=lambda n: f"seed{n}")
def demo(request, tmp_path_factory):
    lake = Lake(Settings(home=tmp_path_factory.mktemp("explain")))
    found = Demo(request.param, lake)
    yield found
    found.view.close()
    lake.close()


def cells(result, **wanted):
    return [c.value for c in result.cells if all(getattr(c, k) == v for k, v in wanted.items())]


def one(result, **wanted):
    found = cells(result, **wanted)
    assert len(found) == 1, (wanted, found)
    return found[0]


def rows(result, part):
    return {r["id"]: r for r in result.table.rows if r["part"] == part}


def said(demo, level, line):
    """The name as cells have it: one that several shops share carries the id."""
    name = line[f"{level}Name"]
    names = [e.name for e in demo.manifest.entities if e.level == level]
    return f"{name} {line[f'{level}Id']}" if names.count(name) > 1 else name


def verdict(result, check):
    return next(v for v in result.verdicts if v.check == check)


def test_the_gross_change_by_driver_chain_and_shop_is_the_true_one(demo):
    expected = demo.expected["gross_change"]
    result = demo.ask(metric="grossAmt")
    total = expected["total"]
    assert one(result, metric="grossAmt", role="total", period="cur") == pytest.approx(
        total["current"], rel=REL
    )
    assert one(result, metric="grossAmt", role="total", period="prev") == pytest.approx(
        total["baseline"], rel=REL
    )
    assert one(result, metric="grossAmt", role="delta", period="cur", entity="") == pytest.approx(
        total["contribution"], rel=REL
    )
    for line in expected["drivers"]:
        found = one(result, metric=line["driver"], role="delta", period="grossAmt", entity="")
        assert found == pytest.approx(line["contribution"], rel=REL)
        assert one(result, metric=line["driver"], role="total", period="cur") == pytest.approx(
            line["current"], rel=REL
        )
    for part, lines in (("chain", expected["chains"]), ("shop", expected["shops"])):
        found = rows(result, part)
        for line in lines:
            row = found.pop(line[f"{part}Id"], {"baseline": 0, "current": 0, "contribution": 0})
            for key in ("baseline", "current", "contribution"):
                assert row[key] == pytest.approx(line[key], rel=REL), line
            if line["contribution"]:
                assert line["contribution"] in [
                    pytest.approx(v, rel=REL)
                    for v in cells(result, entity=said(demo, part, line), role="delta", period="cur")
                ]
        assert found == {}  # no further part: nothing is called "other"


def test_only_the_shops_with_lost_rows_are_restored(demo):
    result = demo.ask(metric="grossAmt")
    restored = {k for k, r in rows(result, "shop").items() if r["kind"] == "restored"}
    lost = {}
    for fault in ("F1", "F4"):
        for key in demo.manifest.fault(fault).keys:
            if "2026-10-04" <= key["date"] <= "2026-10-17":
                lost.setdefault(key["shopId"], []).append(dict(key))
    assert restored == set(lost)
    found = verdict(result, "restored_rows")
    assert found.status == "warn"
    assert sorted(map(str, found.keys)) == sorted(str(k) for keys in lost.values() for k in keys)
    for line in demo.expected["gross_change"]["shops"]:
        if line["shopId"] in lost:
            amounts = cells(result, entity=said(demo, "shop", line), period="restored")
            hidden = (
                line["baseline"] + line["current"] - line["delivered_baseline"] - line["delivered_current"]
            )
            assert math.fsum(amounts) == pytest.approx(hidden, rel=REL)


def test_a_shop_that_lost_rows_is_not_explained_as_if_it_were_whole(demo):
    for fault in ("F1", "F4"):
        keys = [dict(k) for k in demo.manifest.fault(fault).keys]
        current = {"from": min(k["date"] for k in keys), "to": "2026-10-17"}
        result = demo.ask(metric="grossAmt", shops=[keys[0]["shopId"]], current=current)
        found = verdict(result, "missing_rows")
        assert found.status in ("warn", "fail")
        assert [dict(k) for k in found.keys] == keys
        assert result.facts["missing_rows"]["total"][0]["id"] == keys[0]["shopId"]


def test_every_split_adds_up_and_says_so(demo):
    for metric in ("grossAmt", "validOrderCnt", "incomeAmt", "aov", "orderRate", "exposureUv", "cookingMin"):
        result = demo.ask(metric=metric)
        found = verdict(result, "attribution_sum")
        assert (found.status, found.kind) == ("pass", "attribution"), (metric, found)
        for part, level in result.facts["segments"].items():
            total = math.fsum(r["contribution"] for r in rows(result, part).values())
            whole = level["total"]
            assert total == pytest.approx(whole["change"], abs=REL * max(whole["baseline"], whole["current"]))
        assert all(s["is_exact"] for s in result.facts["sums"])


def test_the_planted_simpson_case_is_named(demo):
    expected = demo.expected["simpson"]
    result = demo.ask(metric="orderRate", chains=[expected["chainId"]], by="shop")
    found = verdict(result, "simpson")
    assert found.status == "warn"
    assert "+0.59 个百分点" in found.note and "-2.62 个百分点" in found.note
    facts = result.facts["simpson"][0]
    assert facts["holds"] and facts["sign_conflict"] and facts["all_against"]
    assert one(result, role="delta", period="rate", entity="") == pytest.approx(
        expected["rate_effect"], rel=REL
    )
    assert one(result, role="delta", period="mix", entity="") == pytest.approx(
        expected["mix_effect"], rel=REL
    )
    assert one(result, role="delta", period="cur", entity="") == pytest.approx(expected["delta"], rel=REL)
    found = rows(result, "shop")
    assert set(found) == {line["shopId"] for line in expected["shops"]}
    for line in expected["shops"]:
        assert found[line["shopId"]]["rate_effect"] == pytest.approx(line["rate_effect"], rel=REL)
        assert found[line["shopId"]]["mix_effect"] == pytest.approx(line["mix_effect"], rel=REL)


def test_the_drop_of_one_shop_lies_in_exposure(demo):
    expected = demo.expected["exposure_drop"]
    result = demo.ask(metric="validOrderCnt", shops=[expected["shopId"]], baseline=expected["baseline"])
    assert result.args["scope"] == "shop"
    assert result.table.totals["contribution"] == expected["total"]["contribution"]
    for line in expected["drivers"]:
        found = one(result, metric=line["driver"], role="delta", period="validOrderCnt")
        assert found == pytest.approx(line["contribution"], rel=REL)
    assert verdict(result, "attribution_market").status == "skip"  # orders have no peer mean
    peers = demo.ask(metric="exposureUv", shops=[expected["shopId"]], baseline=expected["baseline"])
    split = peers.facts["market"]
    if split["reason"] is None:
        told = expected["peer_exposure"]  # the source rounds its daily means to 0.1
        assert split["peers"][0]["baseline"] == pytest.approx(told["baseline"], abs=0.05)
        own = peers.table.totals
        market = own["baseline"] * (split["peers"][0]["current"] / split["peers"][0]["baseline"] - 1)
        assert split["market"] == pytest.approx(market, rel=REL)
        assert split["market"] + split["own"] == pytest.approx(own["contribution"], rel=REL)
        assert verdict(peers, "attribution_market").status == "pass"
    else:
        assert verdict(peers, "attribution_market").status == "skip"


def test_drivers_of_the_shops_add_up_to_the_change_with_the_restored_rows_apart(demo):
    found = demo.ask(metric="grossAmt", by="shop").facts["segments"]["shop"]["drivers"]
    total = demo.expected["gross_change"]["total"]["contribution"]
    assert math.fsum((*found["sum"].values(), found["left"])) == pytest.approx(total, rel=REL)
    lost = {k["shopId"] for f in ("F1", "F4") for k in demo.manifest.fault(f).keys}
    assert {r["id"] for r in found["rows"] if r["left"]} <= lost


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_number_in_notes_and_verdicts_has_a_source(demo, lang):
    catalog, model = demo.view.catalog, demo.view.model
    entities = tuple(n for e in catalog.entities for n in (e.id, e.name))
    words = {m.key: m.words() for m in model.metrics}
    shop = demo.expected["exposure_drop"]["shopId"]
    for result in (
        demo.ask(metric="grossAmt", lang=lang),
        demo.ask(metric="orderRate", lang=lang),
        demo.ask(metric="incomeAmt", lang=lang),
        demo.ask(metric="grossAmt", shops=[demo.manifest.fault("F1").keys[0]["shopId"]], lang=lang),
        demo.ask(metric="exposureUv", shops=[shop], lang=lang),
        demo.ask(metric="exposureUv", baseline={"from": "2026-09-01", "to": "2026-09-30"}, lang=lang),
    ):
        texts = [n.text for n in result.notes]
        texts += [t for v in result.verdicts for t in (v.note, v.actual)]
        for text in texts:
            found = trace_numbers(text, cells=result.cells, entities=entities, metric_words=words).as_json()
            untraced = [i["text"] for i in found["items"] if i["status"] not in ("exact", "exempt")]
            assert untraced == [], text


def test_sentences_about_contributions_are_traced(demo):
    catalog, model = demo.view.catalog, demo.view.model
    entities = tuple(n for e in catalog.entities for n in (e.id, e.name))
    words = {m.key: m.words() for m in model.metrics}
    result = demo.ask(metric="grossAmt")
    drivers = rows(result, "driver")
    chain = next(r for r in result.table.rows if r["part"] == "chain")

    def moved(value):
        return f"{'增加' if value > 0 else '减少'} {abs(value):,.2f} 元"

    text = "。".join(
        (
            f"营业额{moved(result.table.totals['contribution'])}",
            f"其中曝光人数使营业额{moved(drivers['exposureUv']['contribution'])}",
            f"客单价使营业额{moved(drivers['aov']['contribution'])}",
            f"{chain['name']}营业额{moved(chain['contribution'])}，占总变化的 {chain['share'] * 100:.2f}%",
        )
    )
    found = trace_numbers(text, cells=result.cells, entities=entities, metric_words=words).as_json()
    assert [(i["text"], i["status"]) for i in found["items"] if i["status"] != "exact"] == [], text
