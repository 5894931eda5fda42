"""Every identity and every rule between levels of the takeaway model, on rows of no demo shop.

The mutant of an identity is derived from the model: its first own column, or the source's value on its right
side, is moved far beyond the tolerance in one row. An identity that joins the model is proved with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from askcore.base.config import REPO_ROOT
from askcore.base.values import Period
from askcore.checks.catalogue import check_ids, run_checks
from askcore.checks.sql import SOURCE, names_in
from askcore.semantic.model import Identity, Model
from askcore.semantic.parse import load_model
from proofs.proof import Evidence, Proof
from tests.unit.checks.memory_view import MemoryView

if TYPE_CHECKING:
    from askcore.lake import LakeView

START, DAYS = date(2026, 5, 11), 14
PERIOD = Period(start=START, end=START + timedelta(days=DAYS - 1))
AS_OF = START + timedelta(days=DAYS)
SHOPS = tuple(f"K{chain}{shop}" for chain in "12" for shop in "123")
CHAINS, COMPANY = ("K1", "K2"), "K"
IDS = ("companyId", "chainId", "shopId")
_PEOPLE = ("exposureUv", "visitUv", "orderUv", "newOrderUv", "oldOrderUv")
_SUMS = (
    "grossAmt", "incomeAmt", "expenseAmt", "actualPayAmt", "validOrderCnt", "invalidOrderCnt",
    "activitySubsidyAmt", "serviceFeeAmt", "overtimeOrderCnt", "badReviewCnt",
)  # fmt: skip
_RATES = {"aov": ("grossAmt", "validOrderCnt"), "visitRate": ("visitUv", "exposureUv"),
          "orderRate": ("orderUv", "visitUv")}  # fmt: skip


@cache
def model() -> Model:
    """The model that the product ships."""
    return load_model(REPO_ROOT / "data" / "semantic" / "takeaway_daily.yaml")


@lru_cache(maxsize=4)
def _clean(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    shops = pd.DataFrame([_shop(rng, shop, day) for shop in SHOPS for day in _days()])
    chains = _above(shops, "chain", ["date", "companyId", "chainId"])
    return pd.concat([_above(chains, "company", ["date", "companyId"]), chains, shops], ignore_index=True)


def _days() -> list[date]:
    return [START + timedelta(days=n) for n in range(DAYS)]


def _shop(rng: np.random.Generator, shop: str, day: date) -> dict[str, object]:
    """One shop-day; rates and amounts are exact."""
    orders, seen = int(rng.integers(80, 120)), int(rng.integers(20, 30)) * 100
    visits = seen // 10
    users = visits // 4
    gross = orders * 40.0
    return {
        "date": day, "scope": "shop", "companyId": COMPANY, "chainId": shop[:2], "shopId": shop,
        "grossAmt": gross, "incomeAmt": gross * 0.6, "expenseAmt": gross * 0.4, "actualPayAmt": gross * 0.8,
        "validOrderCnt": orders, "invalidOrderCnt": 2, "exposureUv": seen, "visitUv": visits,
        "orderUv": users, "newOrderUv": users // 3, "oldOrderUv": users - users // 3,
        "activitySubsidyAmt": gross * 0.1, "serviceFeeAmt": gross * 0.08, "overtimeOrderCnt": 3,
        "badReviewCnt": 1, "shopScore": 4.6, "cookingMin": 12.0, "openMinutes": 600.0,
    }  # fmt: skip


def _above(below: pd.DataFrame, scope: str, kept: list[str]) -> pd.DataFrame:
    """Money and orders add up; so do people here, which lies within their bounds."""
    found = below.groupby(kept, as_index=False)[[*_SUMS, *_PEOPLE]].sum()
    found = found.assign(scope=scope, shopScore=4.6, cookingMin=12.0, openMinutes=600.0)
    return found.assign(**{i: "" for i in IDS if i not in kept})


def _packed(
    rows: pd.DataFrame, off: pd.Series | None = None, wrong: dict[str, float] | None = None
) -> object:
    """The rows with the source's own rates and changes; `wrong` is added to fields of the masked row."""
    found = rows.copy()
    raw = pd.DataFrame({f"src.{k}": rows[n] / rows[d] for k, (n, d) in _RATES.items()})
    before = rows.sort_values("date").groupby(["scope", *IDS])["grossAmt"].shift()
    raw["grossAmt__last_period_diff"] = rows["grossAmt"] - before
    for name, amount in (wrong or {}).items():
        raw[name] += amount * (off if off is not None else 0)
    records = raw.astype(object).where(raw.notna(), None).to_dict("records")
    found["raw"] = pd.Series(records, index=found.index, dtype=object)
    return MemoryView(model(), found)


@lru_cache(maxsize=4)
def _twin(seed: int) -> object:
    return _packed(_clean(seed))


def _prove(check: str, spoil: object, seed: int) -> Evidence:
    rng = np.random.default_rng(seed)
    rows = _clean(seed).copy()
    day, shop = _days()[int(rng.integers(2, DAYS - 2))], SHOPS[int(rng.integers(len(SHOPS)))]
    mutant, key = spoil(rows, day, shop)  # type: ignore[operator]
    return Evidence(
        planted=("warn or fail", [key]),
        found=_told(mutant, check),
        twin=_told(_twin(seed), check),
        silence=("pass", []),
    )


def _told(view: object, check: str) -> tuple[str, list[tuple[str, ...]]]:
    found = run_checks(
        cast("LakeView", view), period=PERIOD, as_of=AS_OF, lang="en", ids=(check,)
    )  # fmt: skip
    (one,) = (v for v in found if v.check == check)
    status: str = "warn or fail" if one.status in ("warn", "fail") else one.status
    if status == "pass" and not one.n_checked:
        status = "pass of nothing"
    return status, sorted(tuple(k[n] for n in ("date", "scope", *IDS)) for k in one.keys)


def _at(rows: pd.DataFrame, day: date, scope: str, shop: str) -> pd.Series:
    ids = {"company": (COMPANY, "", ""), "chain": (COMPANY, shop[:2], ""), "shop": (COMPANY, shop[:2], shop)}
    found = (rows["date"] == day) & (rows["scope"] == scope)
    for name, value in zip(IDS, ids[scope], strict=True):
        found &= rows[name] == value
    return found


def _key(day: date, scope: str, shop: str) -> tuple[str, ...]:
    chain = "" if scope == "company" else shop[:2]
    return (day.isoformat(), scope, COMPANY, chain, shop if scope == "shop" else "")


def _broken(identity: Identity) -> Proof:
    """An identity whose left side, or whose source value, is moved in one row."""
    fields = [n for t in (identity.left, identity.right) if t for table, n in names_in(t) if table == SOURCE]
    what = (
        f"the source's {fields[0]} is off in one row"
        if fields
        else f"{_moved(identity)[0]} is off in one row"
    )

    def spoil(rows: pd.DataFrame, day: date, shop: str) -> tuple[object, tuple[str, ...]]:
        mask = _at(rows, day, "shop", shop)
        if fields:
            view = _packed(rows, mask, {f"src.{fields[0]}": 0.5})
        else:
            column, value = _moved(identity)
            rows.loc[mask, column] = value
            view = _packed(rows)
        return view, _key(day, "shop", shop)

    check = f"identity:{identity.id}"
    return Proof(of=check, kind="check", mutant=what, prove=lambda seed: _prove(check, spoil, seed))


def _moved(identity: Identity) -> tuple[str, float]:
    """(column, value) that no tolerance forgives: the first column that may be large on neither side."""
    first = names_in(identity.expr or identity.left)[0][1]
    column = {"totalOrderCnt": "validOrderCnt"}.get(first, first)
    is_total = identity.kind == "inequality"
    return column, (1e6 if "<=" in identity.expr else 0.0) if is_total else 7777.0


def _layered(check: str, scope: str, column: str, factor: float, what: str) -> Proof:
    """A level above that disagrees with the rows below it."""

    def spoil(rows: pd.DataFrame, day: date, shop: str) -> tuple[object, tuple[str, ...]]:
        mask = _at(rows, day, scope, shop)
        if column in _RATES:
            return _packed(rows, mask, {f"src.{column}": factor}), _key(day, scope, shop)
        rows.loc[mask, column] *= factor
        return _packed(rows), _key(day, scope, shop)

    return Proof(of=check, kind="check", mutant=what, prove=lambda seed: _prove(check, spoil, seed))


def _proofs() -> Iterator[Proof]:
    for identity in model().identities:
        yield _broken(identity)
    for rule in model().cross_layer:
        if rule.id.startswith("sum_"):
            yield _layered(rule.id, str(rule.upper), "grossAmt", 1.05, f"a {rule.upper}'s money is 5 % more")
    yield _layered("uv_bound", "company", "visitUv", 1.2, "a company has more people than its chains")
    yield _layered(
        "ratio_recomputed", "company", "orderRate", 0.02, "a company's delivered rate is 2 points off"
    )


PROOFS = tuple(_proofs())
IDS_OF_MODEL = check_ids(model())
