"""Reasons, remarks and orders without a conjunction: "get the salt my hands are wet"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.chunks import FLOATS, Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

BODY = word_set(
    "hands hand fingers finger arms back feet foot legs leg knees knee eyes eye glasses apron head "
    "shoulder wrist wrists nails palms hair nose ears ear sleeves sleeve"
)
"""Body parts and belongings: "wet", "full" or "done" are no reports about them."""
_HELD_BACK = re.compile(
    r"(?:sorry |because |and |but |as |since )*(?:"
    r"i (?:really |just |still )?(?:can not|could not|am not able|will not be able|do not have|"
    r"have not got|have got no|have no|am (?:too |so |a bit |rather |quite |very |really )?"
    r"(?:busy|tired|in|exhausted|stuck|full|tied|wet|covered|short|far|late))\b.*|"
    r"(?:my|both my|these) (?:own )?(?:\w+ )?"
    r"(?:hands?|fingers?|back|arms|feet|legs?|knees?|eyes?|shoulder|wrists?|nails) .*|"
    r"i (?:have|have got) (?:my|both|only one|wet|dirty|sticky|my own) .*)"
)
_LINKING = word_set("is are am was were has have will 's hurts hurt aches ache can could")
_WEATHER = re.compile(
    r"(?:it is|it feels|is it|it is getting) "
    r"(?:so |very |too |really |quite |rather |pretty |a bit )*"
    r"(?:hot|cold|warm|cool|freezing|boiling|chilly|stuffy|loud|noisy|dark|late|bright|smoky)"
    r"(?: (?:in here|in this kitchen|in the kitchen|outside|out there|today|tonight|already|now))*"
)
_AIM = re.compile(
    r"(?:that )?(?:i|we|it|they|you|everyone|everybody|nobody|he|she) (?:can|could|have|has|do not|"
    r"does not|will not|will be able|are not|is not|get|gets|might|may|will have|will all)\b"
)
_FINITE = word_set("is are was were has 's")
_OPENINGS = ("A", "ALL", "UM", "YOU", "can", "could", "would", "will", "PLEASE", "FLOAT")
_HANGING = word_set("if when that think sure whether because what who where how which why")
_HANDING = word_set("pass give bring hand get fetch grab reach")
_FETCHING = word_set("reach get fetch find carry lift leave go come")
_TELLERS = word_set(
    "think know hope sure see hear guess believe mean say said tell told like as than what where "
    "who how why when which if that so of for with to from by about because since while until not "
    "only the a an my our your whether and or but is are was were 's"
)


def is_excuse(
    found: Sequence[HeardAct], acts: Sequence[HeardAct], clause: Clause, user: str
) -> bool:
    """Whether all acts only explain why somebody else was just asked."""
    last = next((one for one in reversed(acts) if one.kind != "remark"), None)
    if last is None or last.kind != "request" or last.sentence < clause.sentence - 1:
        return False
    if last.fields.get("agent") == user:
        return False
    kinds = {one.kind for one in found}
    if any(c.verb and c.key not in _FETCHING for c in clause.core) and kinds == {"decline"}:
        return False  # "R2, get it, I can't slice now"
    return bool(kinds) and kinds <= {"decline", "drop", "done", "request"} and (
        _HELD_BACK.fullmatch(clause.words) is not None
        and not (kinds == {"request"} and clause.core and clause.core[0].kind == "V")
    )  # fmt: skip


def aims(clause: Clause) -> bool:
    """ "So we can start", "so it doesn't stick": the purpose of an order."""
    core = clause.core
    is_so = clause.joint == "so" or clause.chunks[0].key == "so"
    core = core[1:] if core[:1] != () and core[0].key in ("so", "that") else core
    return is_so and not clause.asks and _AIM.match(" ".join(c.key for c in core)) is not None


def of_the_room(clause: Clause) -> bool:
    """ "It's hot in here": not about a dish. "It is hot" alone may be."""
    return not clause.asks and len(clause.chunks) > 3 and bool(_WEATHER.fullmatch(clause.words))


def on_body(core: Sequence[Chunk]) -> bool:
    """ "My hands are wet": about the person, not their work."""
    return len(core) > 2 and core[0].kind == "DET" and core[1].key in BODY


def _starts_with_order(before: Sequence[Chunk]) -> bool:
    """Whether the utterance begins with an order."""
    head = next((c for c in before if c.kind not in _OPENINGS), None)
    if head is None or head.kind != "V" or any(c.kind in _HANGING for c in before):
        return False
    return any(form == "base" for _, form in head.verb)


def _explains(chunk: Chunk, before: Sequence[Chunk], behind: Sequence[Chunk]) -> bool:
    """Whether a reason begins here, behind an order and its object."""
    last = before[-1]
    if (
        last.kind not in ("O", "PLEASE", "FLOAT", "W")
        or not _starts_with_order(before)
        or not behind
    ):
        return False
    own = chunk.kind == "DET" and chunk.key in ("my", "our", "the", "your")
    if last.kind == "W" and not own:
        return False
    if not own and chunk.kind not in ("OTHERS", "R", "O", "there", "THEY") and chunk.key != "it":
        return False
    if not any(c.kind in ("O", "IT", "W", "PLEASE") for c in before[1:]):
        return False
    reach = behind[1:3] if own else behind[:1]
    is_joined = any(c.kind in ("and", "or", "where", "BRK") for c in behind[:2])
    return any(c.kind in _FINITE for c in reach) and not is_joined


def remarks(chunk: Chunk, chunks: Sequence[Chunk], index: int, before: Sequence[Chunk]) -> bool:
    """Whether a remark or reason begins here without a break: "get it my hands are wet"."""
    if _explains(chunk, before, chunks[index + 1 : index + 4]):
        return True
    words = [c for c in before if c.kind not in FLOATS]
    if not words or before[-1].key.split()[-1] in _TELLERS or before[-1].kind == "TALE":
        return False
    if any(c.kind in ("if", "who", "what", "where", "when", "how", "which") for c in before):
        return False
    next_words = [c.key.split()[0] for c in chunks[index + 1 : index + 3]]
    if chunk.kind == "OTHERS":
        return bool(next_words[:1]) and next_words[0] in _LINKING
    if chunk.kind == "DET" and next_words[:1] and next_words[0] in BODY:
        return next_words[1:2] != [] and next_words[1] in _LINKING
    verbs = any(c.kind in ("V", "do", "DONE") for c in before)
    if chunk.key in ("it", "we", "i", "there") and len(chunks) > index + 2:
        whole = before[-1].kind in (
            "O",
            "FLOAT",
            "PLEASE",
            "DONE",
            "in",
            "out",
            "there",
            "here",
            "IT",
        )
        feels = chunk.key == "i" and next_words[:1] in (["love"], ["hate"], ["am"])
        tells = chunk.key != "i" and next_words[:1] in (["is"], ["are"], ["smells"], ["looks"])
        ahead = chunks[index + 2].key.startswith(("going", "to_be")) or chunks[index + 2].verb
        return verbs and whole and (feels or tells) and not ahead
    is_complete = before[-1].kind in ("O", "V", "DONE", "FLOAT", "IT", "PLEASE", "out", "in")
    has_verb = verbs and before[0].kind not in ("is", "are", "has", "have", "do", "does", "did")
    if (
        has_verb
        and is_complete
        and chunk.key == "i"
        and next_words[:1]
        and chunks[index + 1].key == "did it"
    ):
        return True
    if has_verb and is_complete and chunk.key == "i" and len(chunks) > index + 2:
        is_past = (
            any(form == "past" for _, form in chunks[index + 1].verb) or next_words[0] == "did"
        )
        return is_past and chunks[index + 2].kind == "IT"
    if has_verb and is_complete and chunk.kind in ("O", "DET", "the") and len(chunks) > index + 2:
        place = index + 1 + (chunk.kind != "O" and chunks[index + 1].kind == "W")
        copula = chunks[place].key in ("is", "'s") and place + 1 < len(chunks)
        apart = place > index + 1 or (chunk.kind == "O" and before[-1].kind == "O")
        return (
            copula and apart and chunks[place + 1].kind in ("W", "ADJ", "FLOAT", "DET", "DONE", "V")
        )
    if chunk.kind == "what" and next_words[:1] == ["a"]:
        return verbs
    return False


def bids_anew(chunk: Chunk, before: Sequence[Chunk], behind: Chunk | None) -> bool:
    """ "Onions are done forget the salt", "forget the ranch bring yoghurt": a new order."""
    last = before[-1]
    forms = [form for _, form in chunk.verb]
    forms += [form for name, form in chunk.classes if name == "DROP"]
    if chunk.kind != "V" or "base" not in forms or "ing" in forms or behind is None:
        return False
    if behind.kind == "I" and chunk.key in _HANDING and before[0].kind != "V":
        copula = next((i for i, c in enumerate(before) if c.kind in ("is", "are", "am")), 0)
        has_predicate = 0 < copula < len(before) - 1 and last.kind in (
            "W",
            "V",
            "DONE",
            "ADJ",
            "O",
            "FLOAT",
        )
        if has_predicate and not any(c.kind in _HANGING for c in before):
            return True  # "my eyes are burning pass me a towel"
    if behind.kind not in ("O", "I", "DET", "IT", "A") or last.kind not in ("O", "DONE", "IT"):
        return False
    head = next((c for c in before if c.kind not in _OPENINGS), None)
    is_drop = head is not None and head.of("DROP", "base") and last.kind in ("O", "IT")
    over = last.kind == "DONE" and any(c.kind in ("is", "are") for c in before)
    return bool(is_drop or over) and not any(c.kind in _HANGING for c in before)


_COMES = ("will", "is", "are", "am", "might", "would", "goes", "could")
_WHOSE = ("OTHERS", "IT", "THEY", "WE", "I", "there", "R", "O", "DET", "W")


def threatens(clause: Clause) -> bool:
    """ "Or the kids will find it", "or else": a consequence, no alternative."""
    core = clause.core
    if clause.words in ("else", "otherwise"):
        return True
    begins = next((i for i, c in enumerate(core[:4]) if c.kind in _COMES), 0)
    return begins > 0 and core[0].kind in _WHOSE and core[0].key != "let's"
