"""Who is in the demo: companies, chains and shops, from the data file or from its pool of name parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
import yaml

from askcore.base.config import REPO_ROOT
from askcore.lake.demo.season import ProfileName, stream

NAMES_FILE = REPO_ROOT / "data" / "demo" / "names.yaml"
_PROFILES: tuple[ProfileName, ...] = ("hearty", "light", "noodle")
_SIZES: Mapping[ProfileName, int] = {"hearty": 6, "light": 4, "noodle": 4}
_SMALL: tuple[ProfileName, ...] = ("hearty", "noodle")  # chains of the second company, two shops each


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A shop and where it belongs (ids)."""

    id: str
    name: str
    chain: str
    company: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain; `profile` says what kind of restaurant it runs."""

    id: str
    name: str
    company: str
    profile: ProfileName


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A company; the first of a roster is the one asked about by default."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Everybody, in a fixed order that all arrays share."""

    companies: tuple[Company, ...]
    chains: tuple[Chain, ...]
    shops: tuple[Shop, ...]

    def shop_index(self, shop_id: str) -> int:
        """Row of a shop in every shop array."""
        return next(i for i, s in enumerate(self.shops) if s.id == shop_id)

    def shop(self, shop_id: str) -> Shop:
        """The shop with this id."""
        return self.shops[self.shop_index(shop_id)]

    def shops_of(self, chain_id: str) -> tuple[Shop, ...]:
        """Shops of one chain, in order."""
        return tuple(s for s in self.shops if s.chain == chain_id)

    def chains_of(self, company_id: str) -> tuple[Chain, ...]:
        """Chains of one company, in order."""
        return tuple(c for c in self.chains if c.company == company_id)

    def profile(self, shop: Shop) -> ProfileName:
        """What kind of restaurant a shop is."""
        return next(c.profile for c in self.chains if c.id == shop.chain)


@cache
def names() -> dict[str, Any]:
    """The parsed data file: default roster and placement, name pool, sync messages."""
    loaded: dict[str, Any] = yaml.safe_load(NAMES_FILE.read_text(encoding="utf-8"))
    return loaded


def roster_for(seed: int) -> Roster:
    """Seed 0: the documented roster. Any other seed: other names, ids and chain order."""
    return _parse(names()["default"]["companies"]) if seed == 0 else _invent(seed)


def _parse(tree: Sequence[Mapping[str, Any]]) -> Roster:
    companies = tuple(Company(id=c["id"], name=c["name"]) for c in tree)
    chains = tuple(
        Chain(
            id=chain["id"],
            name=chain["name"],
            company=company["id"],
            profile=cast("ProfileName", chain["profile"]),
        )
        for company in tree
        for chain in company["chains"]
    )
    shops = tuple(
        Shop(id=str(key), name=name, chain=chain["id"], company=company["id"])
        for company in tree
        for chain in company["chains"]
        for key, name in chain["shops"].items()
    )
    return Roster(companies=companies, chains=chains, shops=shops)


def _invent(seed: int) -> Roster:
    rng = stream(seed, "roster")
    pool = names()["pool"]
    order = tuple(_PROFILES[int(i)] for i in rng.permutation(len(_PROFILES)))
    profiles = order + _SMALL
    chain_numbers = np.sort(rng.choice(np.arange(10, 99), len(profiles), replace=False))
    company_numbers = rng.choice(np.arange(10, 99), 2, replace=False)
    company_names = _pairs(rng, pool["company_heads"], pool["company_tails"], 2)
    chain_names = _chain_names(rng, pool, profiles)
    shop_names = _shop_names(rng, pool, order)
    tree: list[dict[str, Any]] = [
        {"id": f"E{number}", "name": name, "chains": []}
        for number, name in zip(company_numbers, company_names, strict=True)
    ]
    for i, (profile, number) in enumerate(zip(profiles, chain_numbers, strict=True)):
        is_first = i < len(order)
        size = _SIZES[profile] if is_first else 2
        ids = [f"S{number}{n:02d}" for n in range(1, size + 1)]
        tree[0 if is_first else 1]["chains"].append(
            {
                "id": f"C{number}",
                "name": chain_names[i],
                "profile": profile,
                "shops": {shop_id: shop_names.pop() for shop_id in ids},
            }
        )
    return _parse(tree)


def _pairs(rng: np.random.Generator, heads: Sequence[str], tails: Sequence[str], count: int) -> list[str]:
    """`count` names of a head and a tail; no head is used twice."""
    chosen = rng.permutation(len(heads))[:count]
    return [heads[int(i)] + tails[int(rng.integers(len(tails)))] for i in chosen]


def _chain_names(
    rng: np.random.Generator, pool: Mapping[str, Any], profiles: Sequence[ProfileName]
) -> list[str]:
    heads = rng.permutation(len(pool["chain_heads"]))
    found = []
    for i, profile in enumerate(profiles):
        head = pool["chain_heads"][int(heads[i])]
        tails = [t for t in pool["chain_tails"] if t["profile"] == profile]
        tail = tails[int(rng.integers(len(tails)))]
        found.append(f"{head['zh']}{tail['zh']}/{head['en']} {tail['en']}")
    return found


def _shop_names(rng: np.random.Generator, pool: Mapping[str, Any], order: Sequence[ProfileName]) -> list[str]:
    """Names to be popped shop by shop: two with digits, and one used in two chains of the first company."""
    first = [_SIZES[p] for p in order]
    total = sum(first) + 2 * len(_SMALL)
    plain = [
        pool["shop_heads"][h] + pool["shop_tails"][t]
        for h in range(len(pool["shop_heads"]))
        for t in range(len(pool["shop_tails"]))
    ]
    found = [plain[int(i)] for i in rng.permutation(len(plain))[:total]]
    digits = rng.permutation(len(pool["shop_digits"]))
    places = 1 + rng.permutation(first[0] - 1)[:2]
    for place, digit in zip(places, digits, strict=False):
        found[int(place)] = pool["shop_digits"][int(digit)]
    found[first[0] + int(rng.integers(first[1]))] = found[0]
    return found[::-1]
