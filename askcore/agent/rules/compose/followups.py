"""Follow-up questions that name the next check or the next look."""

from __future__ import annotations

from askcore.agent.rules.compose.wording import Words
from askcore.agent.rules.understanding import Understanding
from askcore.base.text import say
from askcore.base.values import ToolResult

_SHOWN = 3


def figure_follow_ups(found: Understanding, result: ToolResult, words: Words) -> tuple[str, ...]:
    """What to ask after a figure: its check first, then its change, ranking or trend."""
    metrics = list(result.args.get("metrics") or ())
    if not metrics:
        return ()
    key = metrics[0].partition("@")[0]
    metric = words.label(key)
    wanted = [check_question(words)]
    if found.intent != "compare":
        wanted.append(words.say("ask_compare", metric=metric))
    leaf = words.model.leaf_level
    if found.intent not in ("ranking", "share") and leaf is not None:
        level = leaf.label[words.lang].split("/")[0]
        wanted.append(words.say("ask_rank", metric=metric, level=level.lower()))
    if found.intent != "trend":
        grain = say(words.lang, f"suggest.grain_{words.model.time.grain}")
        wanted.append(words.say("ask_trend", metric=metric, grain=grain))
    return tuple(wanted[:_SHOWN])


def check_question(words: Words) -> str:
    """The check that fits the dataset: cross-layer sums where there are layers, else its health."""
    scopes = words.catalog.scopes
    if len(scopes) < 2 or not words.model.cross_layer:
        return words.say("ask_health")
    levels = words.model.levels_by_key
    upper, lower = (levels[s].label[words.lang].split("/")[0].lower() for s in scopes[-2:])
    return words.say("ask_sums", lower=lower, upper=upper)
