"""Speech that is not addressed to the team: quotations, words to strangers, unrelated answers.

A bare yes, no or stop has no effect next to unrelated talk. Orders that name a thing of the kitchen
or an agent are not affected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import word_set

FAMILY = word_set(
    "mom mum dad mommy mummy daddy grandma grandpa granny nana darling honey sweetheart sweetie "
    "babe kiddo kids children thief police minister alexa siri google cortana doctor "
    "doc officer madam cat dog puppy kitty mama mamá papa papá abuela abuelo nonna nonno oma opa "
    "amma appa ammi abba mutti maman tia tía tio tío auntie uncle gran granddad grandad nan sis "
    "bro buddy son daughter bambino hijo hija"
)
"""Forms of address for family members, never robots."""
TITLES = word_set("mr mrs ms miss dr aunt auntie uncle professor")
"""Titles that precede a person's name."""
_SPELLING = ("how do you say", "how do you spell", "what do you call", "what is the word")
_ON_THE_PHONE = word_set("speaking goodbye bye offside")
_QUOTED = re.compile(r"[\"“”]([^\"“”]*)[\"“”]?")
_SUNG = word_set(
    "slogan motto saying song film movie line quote lyrics poem joke show musical book tune album"
)
_TEASING = word_set(
    "blush blushing flatter flattering flatterer tease teasing kind much silly joking kidding "
    "embarrassing charmer terrible awful naughty spoil spoiling exaggerate exaggerating sweet "
    "laugh cry emotional"
)
_KITCHEN = ("O", "A", "R", "ORD", "OTHERONE", "ALL", "DONE")
_SMALL_TALK = word_set(
    "too very good much hands hand dirty wet full busy ready time hungry thank help work great job "
    "nice need idea plan sense lot sure best way like things thing please best kind think know "
    "problem reason dinner lunch food recipe soup salad quick hurry quicker faster save today "
    "robots robot wait later"
)


def quotations(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of quotations: between double quotation marks, or to the end if one is missing."""
    return tuple(match.span(1) for match in _QUOTED.finditer(text))


def make_remark(act: HeardAct) -> None:
    """Turn an act that is not addressed to the team into a remark."""
    act.kind, act.fields, act.ids, act.found, act.bare = "remark", {}, None, None, False


def demote_side_talk(acts: Sequence[HeardAct], parts: Sequence[Clause], text: str) -> None:
    """Turn quotations, and bare answers next to unrelated talk, into remarks."""
    spans = quotations(text)
    for act in acts:
        within = any(start <= act.start and act.end <= end for start, end in spans)
        if within and not all(c.kind in ("O", "R") for c in act.clause.core):
            make_remark(act)
    for part in parts:
        words = part.words.split()
        if words[:1] in (["said"], ["says"], ["shouted"], ["yelled"], ["cried"]):
            for act in acts:  # "Freeze! said the policeman"
                if act.sentence == part.sentence - 1:
                    make_remark(act)
        if words[:2] == ["that", "is"] or words[:2] == ["that is", "is"]:
            sung = _SUNG & set(words)
            for act in acts:  # "… (that's my favourite song)"
                if sung and act.sentence >= part.sentence - 1:
                    make_remark(act)
        kinds = [c.kind for c in part.core]
        is_teasing = bool(_TEASING & set(part.words.split())) or kinds == ["YOU", "W"]
        is_flattery = is_teasing and kinds[:1] == ["YOU"] and not _addresses(part)
        for act in acts:  # "oh stop, you're making me blush"
            near = act.kind == "stop" and act.sentence in (part.sentence, part.sentence - 1)
            if is_flattery and near and _sighs(text, act) and not act.fields.get("agent"):
                make_remark(act)
        if part.has("TALE") and part.words.startswith(("that is what", "that is how")):
            for act in acts:  # "Freeze, police! That's what they said in the film."
                if act.sentence == part.sentence - 1:
                    make_remark(act)
    if any(part.words.startswith(_SPELLING) for part in parts):
        for act in acts:  # "How do you say lechuga? Ah, lettuce, yes."
            if act.kind in ("accept", "decline"):
                make_remark(act)
    calls = any(_ON_THE_PHONE & set(part.words.split()) for part in parts)
    for act in acts:
        if not _unsure(act):
            continue
        if calls or _foreign([p for p in parts if p.sentence == act.sentence + 1], act, parts):
            make_remark(act)


def _sighs(text: str, act: HeardAct) -> bool:
    """Whether an "oh" stands before an act: "oh stop"."""
    return (
        re.search(r"\b(?:oh|ooh|aw|aww|ah|och)[ ,]+(?:you )?$", text[: act.start].lower())
        is not None
    )


def _addresses(clause: Clause) -> bool:
    """Whether a clause is about work in this kitchen."""
    return any(clause.has(kind) for kind in ("O", "A", "R")) or any(
        c.of("STOP") or c.of("WAIT") or c.verb for c in clause.core
    )


def _unsure(act: HeardAct) -> bool:
    """Whether an act rests on an answer that names nothing."""
    if act.clause.addressees or act.clause.has("A") or act.clause.has("O"):
        return False
    halts = act.kind in ("stop", "resume") and act.fields.get("agent") is None
    is_choice = act.kind == "choose" and bool(act.clause.saying)
    return (act.bare and act.kind in ("accept", "decline")) or halts or is_choice


def _foreign(later: Sequence[Clause], act: HeardAct, parts: Sequence[Clause]) -> bool:
    """Whether the sentence after a bare answer is unrelated."""
    if act.kind in ("stop", "resume") or not later:
        return False
    own = [p for p in parts if p.sentence == act.sentence]
    if len(own) > 2 or any(p.has(k) for p in (*own, *later) for k in _KITCHEN):
        return False
    return all(_apart(part) for part in later)


def _apart(clause: Clause) -> bool:
    """Whether a clause has words of its own, none of them about the work."""
    core = clause.core
    if [c.kind for c in core] == ["WE", "W"] and core[1].key not in _SMALL_TALK:
        return True  # "we won!"
    if clause.saying or any(c.kind in ("I", "WE", "YOU", "IT") or c.verb for c in clause.core):
        return False
    loose = [c for c in clause.core if c.kind == "W" and c.key not in _SMALL_TALK]
    return bool(loose)
