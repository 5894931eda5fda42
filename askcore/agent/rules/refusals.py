"""What is never done: writes, personal data, forecasts, chat, and text that tries to steer the product."""

from __future__ import annotations

from askcore.agent.rules import lexicon
from askcore.agent.rules.declined import lexicon as declined_lexicon
from askcore.agent.rules.outcome import refuse
from askcore.agent.rules.question import Question
from askcore.agent.rules.spans import Claim
from askcore.agent.rules.understanding import Understanding

_STRICT_VERBS = frozenset(
    ("delete", "remove", "insert", "update", "modify", "overwrite", "truncate", "edit", "set",
     "write", "alter", "erase", "wipe", "purge", "rename", "replace")
)  # fmt: skip
_NEAR = 3  # words between a verb and what it would change


def refusal(q: Question) -> Understanding | None:
    """The refusal that the question's words call for, or None."""
    cues = q.cues
    if "injection" in cues:
        return refuse(q, "out_of_scope", "out_of_scope")
    if _is_chat(q):
        return refuse(q, "out_of_scope", "out_of_scope")
    if _is_write(q):
        return refuse(q, "readonly", "readonly")
    if "personal" in cues:
        return refuse(q, "pii", "personal")
    if cues & {"forecast", "next_time"}:
        return refuse(q, "forecast", "forecast")
    return None


_COMPOSE = "write"  # a report is written, data are not


def is_foreign(q: Question) -> bool:
    """Nothing in the question is about the data."""
    frame = q.frame
    named = frame.metrics or frame.unclear or frame.entities or frame.splits.mentioned or frame.splits.by
    about = q.cues & {
        "overview", "coverage", "fresh", "sync", "quality", "define", "why", "peer", "anomaly", "raw",
        "since_when",
        "report", "funnel", "share", "compare", "change", "mom", "yoy", "add_up", "trend", "switch",
        "average",
    }  # fmt: skip
    checks = any(c.startswith("check:") for c in q.cues)
    values = frame.splits.values or frame.ranking
    return not (named or about or checks or values or frame.refs)


def _is_chat(q: Question) -> bool:
    frame = q.frame
    named = frame.metrics or frame.unclear or frame.entities or frame.splits.mentioned or frame.splits.by
    return "chat" in q.cues and not named


def _is_write(q: Question) -> bool:
    for claim in q.scan.says("write"):
        word = q.scan.word(claim)
        if word in lexicon.SWITCH and not _digit_after(q, claim) and (q.follows or _names_after(q, claim)):
            continue
        return True
    verbs = [c for c in q.scan.says("write_verb") if not ("report" in q.cues and q.scan.word(c) == _COMPOSE)]
    return any(_is_written(q, c) for c in verbs)


def _digit_after(q: Question, claim: Claim) -> bool:
    rest = q.scan.text.norm[claim.end :].lstrip(" :=" + "".join(lexicon.WRITE_LINKS))
    return rest[:1].isdigit() and not any(
        c.start == claim.end and c.kind in ("time", "number") for c in q.scan.claims
    )


def _names_after(q: Question, claim: Claim) -> bool:
    after = next((c for c in q.scan.claims if c.start >= claim.end), None)
    return (
        claim.start == 0
        and after is not None
        and after.kind in ("metric", "time", "entity", "number", "grain")
    )


def _is_written(q: Question, claim: Claim) -> bool:
    """An order to change something: the verb leads, or stands right before rows and tables."""
    word = q.scan.word(claim).strip()
    before = [c for c in q.scan.claims if c.end <= claim.start]
    leads = all(c.kind == "stop" for c in before) and not any(t.end <= claim.start for t in q.scan.unread)
    tokens = [t for t in q.scan.text.tokens if t.start >= claim.end]
    near = [t.stem for t in tokens[:_NEAR]]
    objects = {w.rstrip("s") for w in declined_lexicon.WRITE_OBJECTS}
    touches = any(w in objects for w in near) and (leads or word in _STRICT_VERBS)
    texts = [t.text for t in tokens]
    sets_value = "to" in texts and any(t.isdigit() for t in texts[texts.index("to") : texts.index("to") + 4])
    if word in _STRICT_VERBS:
        return leads or touches
    return touches or (leads and sets_value and word in ("change", "correct", "fix"))
