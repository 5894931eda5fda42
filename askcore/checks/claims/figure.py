"""Right figure, wrong owner or wrong unit.

A figure that fits nothing of those that it is said of, but fits a neighbour's cell exactly, belongs to the
neighbour; one that fits by its digits alone has the wrong unit or multiplier. Any other figure that fits
nothing is left to the tracing of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from askcore.checks.claims import candidates as find
from askcore.checks.claims import lexicon as words
from askcore.checks.claims.bind import Alternatives, When
from askcore.checks.claims.candidates import Value
from askcore.checks.claims.case import Case
from askcore.checks.claims.outcome import Outcome
from askcore.checks.claims.page import Segment
from askcore.checks.claims.predicate import is_count
from askcore.checks.claims.token import Token
from askcore.checks.claims.word_claim import WordClaim
from askcore.checks.claims.world import World
from askcore.checks.provenance.direction import Wording, read_wording
from askcore.checks.provenance.fit import Reading, readings
from askcore.checks.provenance.mention import Mention
from askcore.checks.provenance.wording import either

# What one written unit may stand for, in the unit of the cells.
_SCALES: Final[Mapping[str, tuple[float, ...]]] = {
    "money": (1.0, 1e3, 1e4, 1e6, 1e8),
    "count": (1.0, 1e3, 1e4, 1e6, 1e8),
    "pct": (1e-2, 1e-1, 1e-3),
    "pp": (1e-2, 1e-4),
    "min": (1.0, 60.0, 1 / 60),
    "score": (1.0,),
    "x": (1.0,),
    "plain": (1.0,),
    "days": (1.0,),
}
_NEXT_METRIC: Final = re.compile(r"\s*(?:yuan\s|cny\s|rmb\s)?(?:in\s|of\s|new\s)?(?:total\s|gross\s)?")
_IN_PLACE: Final = re.compile(rf"^[^,;.]{{0,24}}?(?<![a-z]){either(words.PLACE_WORDS)}\s+(?:the\s)?$")
_FROM: Final = re.compile(r"(?:" + either(words.FROM_WORDS) + r")[^0-9,]{0,12}$")
_TO: Final = re.compile(r"(?:" + either(words.TO_WORDS) + r"|\u2192|->)\s*(?:about\s)?[\u00a5\uffe5$]?$")
_ARROW: Final = re.compile(r"^[^,;0-9]{0,8}(?:\u2192|->)")
_COMPARING: Final = (
    "than",
    "versus",
    "versus_level",
    "versus_good",
    "same",
    "gap",
    "next_to",
    "multiple",
    "share",
)
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Of whom, what and when a figure is told."""

    metrics: Alternatives
    names: tuple[str, ...]
    """() is the whole."""
    spans: When
    is_firm: bool
    """No other entity of the statement may be meant."""
    others: tuple[str, ...]
    """Entities that the statement compares with."""
    compares: bool
    """So the figure may be a difference."""
    allows_base: bool
    is_from: bool
    is_to: bool


def find_figures(case: Case, segment: Segment) -> Iterator[WordClaim]:
    """Figures that the cells give to somebody else or in another unit."""
    if segment.has("mean", "times_of", "denied"):
        return
    for token in segment.all("figure"):
        mention = case.page.figures[token.start]
        if mention.unit in ("rank", "days", "x") or is_count(case, token):
            continue
        said = _said(case, segment, token)
        if said is None:
            continue
        wording = read_wording(mention, case.page.masked, _previous(case, mention))
        options = readings(mention, wording, case.page.canvas[mention.start : mention.end])
        yield from _claims(case, segment, token, mention, options, wording, said)


def _previous(case: Case, mention: Mention) -> Mention | None:
    return max(
        (m for m in case.page.figures.values() if m.start < mention.start),
        key=lambda m: m.start,
        default=None,
    )


# Of whom it is told


def _said(case: Case, segment: Segment, token: Token) -> Said | None:
    metrics = _metrics(case, segment, token)
    if not metrics:
        return None
    names, others, is_firm = _owners(case, segment, token)
    spans = _spans(case, segment, token)
    before = case.page.canvas[max(segment.start, token.start - 24) : token.start]
    after = case.page.canvas[token.end : min(segment.end, token.end + 24)]
    return Said(
        metrics=metrics,
        names=names,
        spans=spans,
        is_firm=is_firm,
        others=others,
        compares=segment.has(*_COMPARING),
        allows_base=_speaks_of_base(case, segment),
        is_from=_FROM.search(before) is not None or _ARROW.match(after) is not None,
        is_to=_TO.search(before) is not None,
    )


def _metrics(case: Case, segment: Segment, token: Token) -> Alternatives:
    """The metric right after the figure, else the one bound to it, else all of a list."""
    following = next((t for t in segment.tokens if t.start >= token.end), None)
    if following is None or following.kind != "metric":
        return _bound(case, segment, token)
    if _NEXT_METRIC.fullmatch(case.page.canvas, token.end, following.start):
        here = Token(kind="figure", start=following.start, end=following.start, text="")
        after = case.bind.metrics(segment, here)
        if case.page.figures[token.start].end <= token.end:
            return _flat(after)
        return _flat((*after, *case.bind.metrics_before(segment, token)))  # "40.50 orders" of a price
    return _bound(case, segment, token)


def _bound(case: Case, segment: Segment, token: Token) -> Alternatives:
    """As in "sales and orders were 1 and 2": each figure its own metric; else any of those bound to it."""
    bound = case.bind.metrics(segment, token)
    figures = _figures_after(segment, token)
    if len(bound) > 1 and len(figures) == len(bound) and token in figures:
        return bound[figures.index(token)]
    return _flat(bound)


def _flat(metrics: Iterable[Alternatives]) -> Alternatives:
    return tuple(dict.fromkeys(k for keys in metrics for k in keys))


def _figures_after(segment: Segment, token: Token) -> list[Token]:
    """The figures that follow the last name before `token`, as in "sales and orders were 1 and 2"."""
    before = [t for t in segment.tokens if t.kind in ("metric", "entity", "period") and t.start < token.start]
    start = before[-1].end if before else segment.start
    following = [t for t in segment.tokens if t.start >= start]
    stop = next((t.start for t in following if t.kind in ("metric", "entity", "period")), segment.end)
    return [t for t in following if t.kind == "figure" and t.start < stop]


def _owners(case: Case, segment: Segment, token: Token) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The entities a figure belongs to, those compared with, and whether that is beyond doubt."""
    entities = segment.all("entity")
    host = segment.before if segment.is_aside else None
    if not entities and host is not None and len(host.all("entity")) > 1 and len(segment.all("figure")) > 1:
        return _names(host.all("entity")), (), False
    if segment.has(*_COMPARING):
        return _compared(case, segment, token)
    if not entities:
        owners = case.bind.owners(segment, token)
        return owners.names, (), owners.is_firm
    before = [t for t in entities if t.start < token.start]
    after = [t for t in entities if t.start > token.start]
    if before and after and _is_place(case, token, after[0]):
        if _is_place_before(case, segment, before[-1], token):
            return _names((before[-1], after[0])), (), False
        return _names((after[0],)), (), True
    if not before:
        is_firm = len(after) == 1 or _is_place(case, token, after[0])
        return _names(case.bind.run(segment, "entity", start=token.end)), (), is_firm
    run = case.bind.run(segment, "entity", end=token.start, last=True)
    figures = _figures_after(segment, token)
    if len(run) > 1 and len(figures) == len(run) and token in figures and segment.has("respectively"):
        return _names((run[figures.index(token)],)), (), True
    return _names(run), (), True


def _compared(case: Case, segment: Segment, token: Token) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Of "A lies 5 ahead of B": A, B and no doubt; anything longer may be of any of them."""
    behind = _names(case.bind.comparands(segment))
    named = _names(segment.all("entity"))
    ahead = tuple(n for n in named if n not in behind)
    if not ahead:
        owners = case.bind.owners(segment, token)
        ahead = tuple(n for n in owners.names if n not in behind) if owners.is_firm else ()
    is_firm = len(ahead) == 1 and len(behind) <= 1 and not segment.has("share", "same")
    if not ahead:
        ahead = tuple(n for n in _all_names(case, segment) if n not in behind)
    if not is_firm:
        return tuple(dict.fromkeys((*ahead, *behind))), tuple(_all_names(case, segment)), not named
    return ahead, behind, True


def _is_place(case: Case, token: Token, entity: Token) -> bool:
    gap = case.page.canvas[token.end : entity.start]
    return _IN_PLACE.match(gap) is not None and not any(
        token.end <= start < entity.start for start in case.page.figures
    )


def _is_place_before(case: Case, segment: Segment, entity: Token, token: Token) -> bool:
    """Whether the entity before has no figure of its own yet."""
    return not any(t.kind == "figure" and t.start < token.start for t in segment.tokens)


def _spans(case: Case, segment: Segment, token: Token) -> When:
    """The time nearest before the figure, or right after it."""
    own = case.bind.own_spans(segment)
    when = case.bind.when(segment, token)
    if when.is_vague:
        return When()  # some time after the one named
    host = segment.before if segment.is_aside else None
    if host is not None and not own and len(case.bind.own_spans(host)) > 1 and host.has(*_COMPARING):
        return When(spans=tuple(case.bind.own_spans(host)))
    if len(own) < 2 or segment.has("than", "versus", "versus_level", "same"):
        return when
    before = [s for s in own if s.end <= token.start]
    after = [s for s in own if s.start >= token.end]
    chosen = before[-1:] or after[:1]
    follows = bool(after) and _IN_PLACE.match(case.page.canvas[token.end : after[0].start])
    if follows and not any(token.end <= start < after[0].start for start in case.page.figures):
        chosen = after[:1]
    return When(spans=tuple(chosen))


def _speaks_of_base(case: Case, segment: Segment) -> bool:
    """Whether the sentence, or one before it, speaks of another time than now."""
    near = [s for s in case.page.segments if segment.sentence - 1 <= s.sentence <= segment.sentence]
    return any(s.has("base", "since", "after", "versus", "than", "once") for s in near)


# What it may be


def _claims(
    case: Case,
    segment: Segment,
    token: Token,
    mention: Mention,
    options: Sequence[Reading],
    wording: Wording,
    said: Said,
) -> Iterator[WordClaim]:
    if said.is_from or said.is_to:
        wording = Wording(sign=0, role="level", hedge=wording.hedge)
    pools = [
        (world, metric, list(_pool(case, segment, world, metric, said)))
        for world in case.worlds
        for metric in said.metrics
        if metric in world.units
    ]
    pools = [(w, m, pool) for w, m, pool in pools if pool]
    if not pools or any(_fits_any(pool, options) for _, _, pool in pools):
        return
    for _, metric, pool in pools:
        slip = _unit_slip(case, mention, wording, metric, pool, said)
        if slip is not None:
            yield case.claim(token, "unit", slip, end=mention.end)
            return
    for world, metric, pool in pools:
        outcome = _owner_slip(case, world, metric, (mention, wording, options), said, pool)
        if outcome is not None:
            yield case.claim(token, "entity", outcome, end=mention.end)
            return


def _fits_any(pool: Iterable[Value], options: Sequence[Reading]) -> bool:
    return any(_fits(value, reading) for value in pool for reading in options)


def _fits(value: Value, reading: Reading) -> bool:
    return value.unit in reading.units and reading.low <= abs(value.value) <= reading.high


def _periods(world: World, metric: str, entity: str, said: Said) -> list[str]:
    when = said.spans
    labels = world.labels(metric, entity)
    if when.spans:
        named = [label for label in labels if any(label in s.labels(labels) for s in when.spans)]
        if named:
            return named
    known = list(world.levels(metric, entity))
    if said.is_from and not said.is_to:
        base = [p for p in known if find.is_base(p)]
        return base + list(labels) or known
    if said.allows_base and not said.is_to:
        return known
    return [p for p in known if not find.is_base(p)]


def _pool(case: Case, segment: Segment, world: World, metric: str, said: Said) -> Iterator[Value]:
    names = said.names or ("",)
    if not said.is_firm:
        names = (*names, "")
    if segment.has("whole", "together", "share"):
        names = (*names, "")
    for entity in dict.fromkeys((*names, *said.others)):
        if not world.has(metric, entity):
            continue
        periods = _periods(world, metric, entity, said)
        labels = [p for p in periods if p in world.labels(metric, entity)] if said.spans.spans else []
        yield from find.levels(world, metric, entity, periods)
        yield from find.changes(world, metric, entity, find.all_pairs(world, metric, entity, labels))
        yield from find.parts(world, metric, entity)
        yield from find.stated(world, metric, entity)
        if entity:
            yield from find.shares(world, metric, (entity,), periods)
            yield from find.against_others(world, metric, entity, (*said.others, ""), periods)
    if len(said.names) > 1:
        periods = _periods(world, metric, said.names[0], said)
        yield from find.sums(world, metric, said.names, periods)
        yield from find.shares(world, metric, said.names, periods)
    if not said.names and not world.has(metric, ""):
        for entity in world.owners(metric):
            yield from find.levels(world, metric, entity, world.levels(metric, entity))
            yield from find.changes(world, metric, entity, find.all_pairs(world, metric, entity, ()))


# What went wrong


def _unit_slip(
    case: Case, mention: Mention, wording: Wording, metric: str, pool: Sequence[Value], said: Said
) -> Outcome | None:
    """The digits of a value of the right owner, in another unit or multiplier."""
    if mention.bare or wording.hedge in ("over", "under") or (not said.is_firm and mention.digits < 2):
        return None
    for value in pool:
        if not _may_slip(value, wording, said):
            continue
        if any(_same_digits(value, scale, mention) for scale in _SCALES.get(value.unit, (1.0,))):
            return Outcome(
                status="contradicted",
                why=case.say(
                    "not_unit",
                    who=case.who(value.entity, value.period),
                    metric=case.label(metric),
                    value=case.value(value.value, value.unit),
                    written=case.page.text(mention.start, mention.end),
                ),
            )
    return None


def _may_slip(value: Value, wording: Wording, said: Said) -> bool:
    """Whether the statement may be about a value of this nature at all."""
    if value.nature == "level":
        return wording.role != "change"
    is_plain = wording.role in ("level", "any") and wording.sign == 0
    return value.unit != "x" and (said.compares or not is_plain)


def _same_digits(value: Value, scale: float, mention: Mention) -> bool:
    """Whether the value in units of `scale` reads as written, in a unit other than the written one."""
    if value.unit == mention.unit and abs(scale - mention.scale) < _CLOSE * scale:
        return False
    rates = ("pp", "pct")
    if mention.digits < 2 and (
        value.unit == mention.unit or value.unit not in rates or mention.unit not in rates
    ):
        return False
    written, step = abs(mention.value) / mention.scale, mention.quantum / mention.scale
    size = abs(value.value) / scale
    return size >= step and abs(size - written) <= step / 2 * (1 + 1e-9) + 1e-12


def _owner_slip(
    case: Case,
    world: World,
    metric: str,
    written: tuple[Mention, Wording, Sequence[Reading]],
    said: Said,
    pool: Sequence[Value],
) -> Outcome | None:
    """A value of the same kind that somebody else, or another time, has."""
    mention, wording, options = written
    if not said.is_firm or wording.hedge in ("over", "under"):
        return None
    if mention.digits < 2 and not (not _is_change(wording, mention) and world.units[metric] == "count"):
        return None
    is_change = _is_change(wording, mention)
    own = next((v for v in pool if v.nature == ("change" if is_change else "level")), pool[0])
    for value in _elsewhere(world, metric, said, is_change=is_change):
        if any(_fits(value, r) and not r.assumed for r in options):
            return Outcome(
                status="contradicted",
                why=case.say(
                    "not_owner",
                    who=case.who(own.entity, own.period),
                    metric=case.label(metric),
                    value=case.value(own.value, own.unit),
                    written=case.page.text(mention.start, mention.end),
                    other=case.spot(value.entity, value.period),
                ),
            )
    return None


def _is_change(wording: Wording, mention: Mention) -> bool:
    return wording.role == "change" or (mention.explicit_sign != 0 and not mention.glued_sign)


def _elsewhere(world: World, metric: str, said: Said, *, is_change: bool) -> Iterator[Value]:
    """The same kind of value, of the others and at other times."""
    peers = world.peers(metric, said.names)
    if said.others:
        for entity in said.names:
            periods = _periods(world, metric, entity, said)
            yield from find.against_others(world, metric, entity, peers, periods)
        return
    for entity in (*peers, *said.names, ""):
        if not world.has(metric, entity):
            continue
        if is_change:
            yield from find.changes(world, metric, entity, find.all_pairs(world, metric, entity, ()))
            continue
        is_own = entity in said.names or (not said.names and not entity)
        for period in world.levels(metric, entity):
            if is_own and not said.spans.spans and not find.is_base(period) and not said.is_from:
                continue
            yield from find.levels(world, metric, entity, (period,))


def _all_names(case: Case, segment: Segment) -> Iterator[str]:
    part: Segment | None = segment
    while part is not None:
        yield from _names(part.all("entity"))
        part = part.before


def _names(tokens: Iterable[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(min(t.names) for t in tokens))
