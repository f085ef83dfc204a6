"""Discourse relations of a clause to what was just said: explanation, correction, continuation."""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.reasons import is_excuse
from treec.skills.kitchen.hearing.words import word_set

_AGREEING = ("of course", "naturally", "certainly", "obviously", "absolutely", "i suppose")
_TAGS = word_set("ok right yes no please huh eh correct true deal")
_TAGGING = word_set("would will could can or not what n't is it") | {"all right"}
DEAR = word_set("dear love darling honey sweetheart pet mate please")
_LIKING = ("i like", "i love", "it tastes", "that tastes")


def is_explanation(
    found: Sequence[HeardAct], acts: Sequence[HeardAct], clause: Clause, user: str
) -> bool:
    """Whether the acts only explain something that was just requested or dropped."""
    if is_excuse(found, acts, clause, user):
        return True
    last = acts[-1] if acts else None
    if last is None or last.sentence != clause.sentence or clause.joint != "," or len(found) != 1:
        return False
    (one,) = found
    if one.kind == "accept" and one.bare and last.kind in ("request", "drop", "choose"):
        return clause.words.startswith(_LIKING)  # "throw some bananas in, I like that"
    same = one.fields.get("subtasks") == last.fields.get("subtasks")
    return one.kind == "done" and last.kind == "drop" and same  # "don't stir, it's mixed enough"


def superseded_act(
    found: Sequence[HeardAct], acts: Sequence[HeardAct], clause: Clause
) -> HeardAct | None:
    """The previous act if these acts restate it more precisely; None if it stands."""
    last = acts[-1] if acts else None
    if last is None or not any(c.kind == "IT" for c in clause.core):
        return None
    requests = [a for a in found if a.kind == "request"]
    if len(requests) == 1 and last.kind == "request":
        (one,) = requests
        same = last.fields["args"] == one.fields["args"]
        tasks = (last.fields["task"], one.fields["task"])
        # "I'm looking for the ladle, can you pass it?"
        return last if same and tasks == ("get", "hand over") else None
    topic = last.kind == "ask" and last.sentence == clause.sentence - 1
    topic = topic and all(c.kind == "O" for c in last.clause.core)
    taken_up = {a.kind for a in found} & {"accept", "request", "decline", "drop"}
    return last if topic and taken_up else None  # "the lettuce? I'll wash that"


def apply_neither(found: list[HeardAct], clause: Clause) -> list[HeardAct]:
    """ "Do neither of them": turns the apparent yes into a no."""
    if any(chunk.key.startswith(("neither", "none")) for chunk in clause.core):
        for one in found:
            one.kind = "decline" if one.kind == "accept" else one.kind
    return found


def goes_on(clause: Clause, first: HeardAct) -> bool:
    """Whether a clause continues its sentence's statement about somebody outside the team.

    "They won't eat the crusts, neither of them", "the vet got the calf up and going again".
    """
    if first.kind != "remark" or clause.asks or not clause.core or not _of_others(first.clause):
        return False
    kinds = [c.kind for c in clause.core]
    if kinds[0] == "ORD" and "of" in clause.core[0].key.split():
        return True
    if clause.joint == "," and (kinds == ["R"] or clause.words in _AGREEING):
        return True
    is_continuation = clause.joint == "and" and kinds[0] in ("V", "W") and not clause.has("PLEASE")
    return is_continuation and not any(
        c.kind in ("O", "A", "I", "WE", "YOU", "R") for c in clause.core
    )


def _of_others(clause: Clause) -> bool:
    """Whether the subject of a clause is outside the kitchen."""
    core = clause.core
    if len(core) < 2 or any(c.kind in ("A", "YOU", "ALL", "PLEASE", "O", "R") for c in core):
        return False
    if any(c.of("WANT") for c in core) and not clause.has("not"):
        return False
    is_other = len(core) > 2 and core[0].kind == "DET" and core[1].kind == "W"
    is_other = is_other and core[2].kind in ("V", "W", "is", "has")
    return is_other or core[0].kind in ("THEY", "OTHERS")


def is_tag(clause: Clause) -> bool:
    """ "…, ok?", "…, would you?": a tag question."""
    keys = [c.key for c in clause.chunks if c.kind not in ("A", "YOU", "ALL")]
    if not keys:
        return True
    if len(keys) <= 2 and all(k in _TAGS | _TAGGING | DEAR for k in keys):
        return True
    return clause.saying in ("OK", "YES") and len(clause.chunks) <= 2
