"""The planted facts F1 to F12 as manifest entries, written from the placement alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from askcore.base.values import Period
from askcore.lake.demo.faults import DELTA_ERROR_YUAN, DRIFT, PROMO
from askcore.lake.demo.manifest import Fault, Key, SeenBy
from askcore.lake.demo.placement import (
    DROP_FACTOR,
    GAP_SHARE,
    RANK_BEFORE,
    RANK_DURING,
    Placement,
)
from askcore.lake.demo.roster import Roster
from askcore.lake.demo.season import COVERED, CURRENT
from askcore.semantic.calendar import days_of


def planted_faults(roster: Roster, placement: Placement) -> tuple[Fault, ...]:
    """All twelve, in order."""
    keys = _Keys(roster)
    makers = (
        _zero_rows,
        _exposure_drop,
        _simpson,
        _missing_row,
        _twin,
        _gap,
        _nulls,
        _sync,
        _source_delta,
        _rank,
        _drift,
        _open_close,
    )
    return tuple(maker(keys, placement) for maker in makers)


class _Keys:
    """Row keys of entities and days."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster

    def shop(self, shop_id: str, days: Iterable[date]) -> tuple[Key, ...]:
        shop = self._roster.shop(shop_id)
        return tuple(row_key("shop", d, shop.company, shop.chain, shop.id) for d in days)

    def chain(self, chain_id: str, days: Iterable[date]) -> tuple[Key, ...]:
        company = next(c.company for c in self._roster.chains if c.id == chain_id)
        return tuple(row_key("chain", d, company, chain_id) for d in days)

    def chain_above(self, shop_id: str, days: Iterable[date]) -> tuple[Key, ...]:
        return self.chain(self._roster.shop(shop_id).chain, days)

    def shops_of(self, chain_id: str) -> tuple[str, ...]:
        return tuple(s.id for s in self._roster.shops_of(chain_id))


def row_key(scope: str, day: date, company: str, chain: str = "", shop: str = "") -> Key:
    """The contract's key object."""
    return {
        "date": day.isoformat(),
        "scope": scope,
        "companyId": company,
        "chainId": chain,
        "shopId": shop,
    }


def _sums_below(above: tuple[Key, ...], *, zero: bool = False) -> tuple[SeenBy, ...]:
    """Cross-layer checks that see a shop's rows missing from the chain's sum."""
    checks = ["sum_shop_chain", "uv_bound", "ratio_recomputed"]
    if zero:
        checks += ["all_zero_child", "zero_child_vs_parent"]
    return tuple(SeenBy(check=c, keys=above) for c in checks)


def _zero_rows(keys: _Keys, p: Placement) -> Fault:
    return Fault(
        id="F1",
        kind="all_zero_rows",
        check="all_zero_rows",
        status="fail",
        keys=keys.shop(p.zero_shop, p.zero_days),
        grouped_under=(
            *_sums_below(keys.chain_above(p.zero_shop, p.zero_days), zero=True),
            SeenBy(check="anomaly", keys=keys.shop(p.zero_shop, p.zero_days)),
        ),
        detail={"chain_is_normal": True},
    )


def _exposure_drop(keys: _Keys, p: Placement) -> Fault:
    since = Period(start=p.drop_start, end=COVERED.end)
    return Fault(
        id="F2",
        kind="exposure_drop",
        check="change_point",
        status="info",
        keys=keys.shop(p.drop_shop, [p.drop_start]),
        grouped_under=(SeenBy(check="anomaly", keys=keys.shop(p.drop_shop, days_of(since))),),
        columns=("exposureUv",),
        detail={"from": p.drop_start.isoformat(), "factor": DROP_FACTOR, "peers_fall": False},
    )


def _simpson(keys: _Keys, p: Placement) -> Fault:
    shifts = tuple(k for s in p.simpson_shops for k in keys.shop(s, [CURRENT.start]))
    days = tuple(k for s in p.simpson_shops for k in keys.shop(s, days_of(CURRENT)))
    return Fault(
        id="F3",
        kind="simpson",
        check="simpson",
        status="info",
        keys=keys.chain(p.simpson_chain, days_of(CURRENT)),
        grouped_under=(
            SeenBy(check="change_point", keys=shifts),
            SeenBy(check="anomaly", keys=days),
        ),
        columns=("visitUv", "orderUv"),
        detail={"shops": list(p.simpson_shops), "scale": p.simpson_scale},
    )


def _missing_row(keys: _Keys, p: Placement) -> Fault:
    above = keys.chain_above(p.missing_shop, [p.missing_day])
    return Fault(
        id="F4",
        kind="missing_row",
        check="missing_days",
        status="warn",
        keys=keys.shop(p.missing_shop, [p.missing_day]),
        grouped_under=(
            *_sums_below(above),
            SeenBy(check="volume", keys=above),
        ),
        detail={"chain_contains_it": True},
    )


def _twin(keys: _Keys, p: Placement) -> Fault:
    return Fault(
        id="F5",
        kind="duplicate_row",
        check="dup_keys",
        status="warn",
        keys=keys.shop(p.twin_shop, [p.twin_day]),
        grouped_under=(SeenBy(check="volume", keys=keys.shop(p.twin_shop, [p.twin_day])),),
        detail={"rows": 2, "identical": True},
    )


def _gap(keys: _Keys, p: Placement) -> Fault:
    above = keys.chain_above(p.gap_shop, [p.gap_day])
    return Fault(
        id="F6",
        kind="identity_gap",
        check="identity:income_expense_gross",
        status="warn",
        keys=keys.shop(p.gap_shop, [p.gap_day]),
        grouped_under=(
            SeenBy(check="sum_shop_chain", keys=above),
            SeenBy(check="ratio_recomputed", keys=above),
        ),
        columns=("incomeAmt",),
        detail={"gap_share_of_gross": -GAP_SHARE, "chain_is_right": True},
    )


def _nulls(keys: _Keys, p: Placement) -> Fault:
    days = list(days_of(COVERED))
    found = list(keys.chain(p.null_chain, days))
    for shop in keys.shops_of(p.null_chain):
        found.extend(keys.shop(shop, [d for d in days if _has_row(p, shop, d)]))
    order = {"chain": 0, "shop": 1}
    found.sort(key=lambda k: (k["date"], order[k["scope"]], k["shopId"]))
    return Fault(
        id="F7",
        kind="null_column",
        check="nulls",
        status="warn",
        keys=tuple(found),
        columns=PROMO,
        detail={"chainId": p.null_chain, "null_share": 1.0, "company_covers_other_chains": True},
    )


def _has_row(p: Placement, shop: str, day: date) -> bool:
    if shop == p.missing_shop and day == p.missing_day:
        return False
    if shop == p.closed_shop and day >= p.closed_day:
        return False
    return not (shop == p.opened_shop and day < p.opened_day)


def _sync(keys: _Keys, p: Placement) -> Fault:
    recovered = p.sync_day + timedelta(days=1)
    return Fault(
        id="F8",
        kind="failed_sync",
        check="sync_log",
        status="warn",
        keys=(row_key("company", p.sync_day, p.sync_company),),
        detail={"entity": p.sync_company, "recovered_on": recovered.isoformat()},
    )


def _source_delta(keys: _Keys, p: Placement) -> Fault:
    return Fault(
        id="F9",
        kind="source_delta",
        check="source_delta",
        status="warn",
        keys=keys.shop(p.delta_shop, [p.delta_day]),
        columns=("last_period_gross_amt_diff",),
        detail={"metric": "grossAmt", "error_yuan": DELTA_ERROR_YUAN},
    )


def _rank(keys: _Keys, p: Placement) -> Fault:
    return Fault(
        id="F10",
        kind="peer_rank",
        check="peer_rank",
        status="info",
        keys=keys.shop(p.rank_shop, days_of(p.rank_days)),
        grouped_under=(SeenBy(check="anomaly", keys=keys.shop(p.rank_shop, days_of(p.rank_days))),),
        columns=("exposureUv",),
        detail={
            "holiday": p.rank_holiday,
            "before": p.rank_before.as_json(),
            "during": p.rank_days.as_json(),
            "rank_before": RANK_BEFORE,
            "rank_during": RANK_DURING,
            "peers_fall": True,
        },
    )


def _drift(keys: _Keys, p: Placement) -> Fault:
    found = keys.shop(p.drift_shop, p.drift_days)
    return Fault(
        id="F11",
        kind="unit_drift",
        check="unit_drift",
        status="warn",
        keys=found,
        grouped_under=(SeenBy(check="identity:visit_rate", keys=found),),
        columns=("clk_exp_rate",),
        detail={"metric": "visitRate", "factor": DRIFT},
    )


def _open_close(keys: _Keys, p: Placement) -> Fault:
    last = p.closed_day - timedelta(days=1)
    found = (
        *keys.shop(p.closed_shop, [p.closed_day]),
        *keys.shop(p.opened_shop, [p.opened_day]),
    )
    return Fault(
        id="F12",
        kind="open_close",
        check="open_close",
        status="info",
        keys=tuple(sorted(found, key=lambda k: k["date"])),
        detail={
            "closed": p.closed_shop,
            "last_row": last.isoformat(),
            "opened": p.opened_shop,
            "first_row": p.opened_day.isoformat(),
        },
    )
