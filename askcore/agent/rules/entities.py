"""Which entities a question names, with same-named ones told apart by what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from askcore.agent.rules.scan import Scan
from askcore.agent.rules.vocabulary import EntityTerm, Vocabulary
from askcore.semantic.catalog import Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityUse:
    """One mention: one entity, several of the same name, or none that is known."""

    entities: tuple[Entity, ...]
    start: int
    end: int
    word: str

    @property
    def entity(self) -> Entity | None:
        """The entity when there is exactly one."""
        return self.entities[0] if len(self.entities) == 1 else None


def read_entities(scan: Scan, vocab: Vocabulary, company: str | None) -> tuple[EntityUse, ...]:
    """Mentions in order; candidates narrowed by level words, parents named, and the current company."""
    uses = [
        EntityUse(
            entities=_at_level(claim.value, at, scan),
            start=claim.start,
            end=claim.end,
            word=scan.word(claim).strip(),
        )
        for at, claim in enumerate(scan.claims)
        if claim.kind == "entity"
    ]
    uses = [_with_own_id(use, after, scan) for use, after in zip_longest(uses, uses[1:])]
    named = {(e.level, e.id) for u in uses if (e := u.entity) is not None}
    return tuple(_narrowed(use, named, company, vocab) for use in uses)


def _with_own_id(use: EntityUse, after: EntityUse | None, scan: Scan) -> EntityUse:
    """A shared name that its own id follows, as answers write it: "Hill S0102"."""
    own = None if after is None else after.entity
    if own is None or after is None or own not in use.entities or len(use.entities) < 2:
        return use
    between = [c for c in scan.claims if use.end <= c.start and c.end <= after.start and c.kind != "stop"]
    return use if between else replace(use, entities=(own,))


def _at_level(term: EntityTerm, at: int, scan: Scan) -> tuple[Entity, ...]:
    """Candidates at the level whose word follows, if any are."""
    after = scan.claims[at + 1] if at + 1 < len(scan.claims) else None
    if len(term.entities) > 1 and after is not None and after.kind == "level":
        fitting = tuple(e for e in term.entities if e.level == after.value.level)
        return fitting or term.entities
    return term.entities


def _narrowed(
    use: EntityUse, named: set[tuple[str, str]], company: str | None, vocab: Vocabulary
) -> EntityUse:
    if len(use.entities) < 2:
        return use
    kept = tuple(e for e in use.entities if any((k, v) in named for k, v in e.parents.items()))
    if not kept:
        top = vocab.model.top_level
        kept = tuple(e for e in use.entities if top is None or company in (e.parents.get(top.key), e.id))
    return EntityUse(entities=kept or use.entities, start=use.start, end=use.end, word=use.word)


def entity_filters(uses: Sequence[EntityUse]) -> dict[str, tuple[str, ...]]:
    """Level -> ids; a parent that only tells a same-named or own child apart is left out."""
    chosen = [e for u in uses if (e := u.entity) is not None]
    covered = {(k, v) for e in chosen for k, v in e.parents.items()}
    found: dict[str, list[str]] = {}
    for entity in chosen:
        ids = found.setdefault(entity.level, [])
        if (entity.level, entity.id) not in covered and entity.id not in ids:
            ids.append(entity.id)
    return {level: tuple(ids) for level, ids in found.items() if ids}
