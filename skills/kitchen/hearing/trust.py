"""Where the grammar prevails over the learned model, whatever the odds.

It knows negation, questions, whom a yes is addressed to, and what looks like an answer but is none;
a model of words does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import TALK, HeardAct
from treec.skills.kitchen.hearing.certainty import named_elsewhere, sorted_things
from treec.skills.kitchen.hearing.chunks import DENYING, Chunk
from treec.skills.kitchen.hearing.corrections import FOOD, is_excluded
from treec.skills.kitchen.hearing.kind_model import is_known_word
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.single_acts import Single

_AGREEING = frozenset({"yes", "yeah", "yep", "yup", "ok", "okay", "sure", "fine"})
_SPREADING = ("accept", "done", "drop")
Acts = frozenset[Single]


def is_trusted(
    acts: Sequence[HeardAct], own: Acts, other: Acts, chunks: Sequence[Chunk], refs: Refs
) -> bool:
    """Whether the grammar's reading prevails over another."""
    kinds, new = {str(one[0]) for one in own}, {str(one[0]) for one in other - own}
    if kinds == {"remark"}:
        return any(_no_such(kind, acts, other, chunks, refs) for kind in new)
    asks = "ask" in kinds and any(chunk.key == "?" for chunk in chunks)
    only_talk = kinds - TALK and {one[0] for one in other} <= TALK
    dishes = "choose" in new and "choose" not in kinds  # "R2, get the pasta" chooses none
    if asks or only_talk or dishes:
        return True
    return _widens(own, other) or _another_dish(own, other, chunks, refs)


def _no_such(
    kind: str, acts: Sequence[HeardAct], other: Acts, chunks: Sequence[Chunk], refs: Refs
) -> bool:
    """Whether a remark of the grammar is certainly no act of this kind."""
    said = [chunk for chunk in chunks if chunk.kind != "BRK"]
    unheard = len(said) == 1 and said[0].kind == "W" and not is_known_word(said[0].key)
    if kind == "ask" or unheard or is_excluded(kind, acts, chunks):
        return True
    if kind == "accept":
        yes = any(chunk.key in _AGREEING for chunk in chunks)
        return yes or named_elsewhere(chunks, refs.context)
    if kind == "request":
        return _denies(chunks) or bool(sorted_things(chunks))
    if kind == "choose":
        dish = any(one[0] == "choose" and one[1] is not None for one in other)
        food = any(chunk.kind == "O" or chunk.key in FOOD for chunk in chunks)
        return len(said) < 2 or not (dish or food or refs.context.offered)
    return kind == "done" and _is_repetition(other, chunks, refs)


def _widens(own: Acts, other: Acts) -> bool:
    """Whether the other reading does, drops or accepts more, or declines less."""
    for kind in _SPREADING:
        mine, theirs = ({one for one in each if one[0] == kind} for each in (own, other))
        if mine and theirs - mine:
            return True
    mine, theirs = ({one for one in each if one[0] == "decline"} for each in (own, other))
    return bool(theirs and mine - theirs)


def _another_dish(own: Acts, other: Acts, chunks: Sequence[Chunk], refs: Refs) -> bool:
    """Whether the other reading chooses a dish that is refused or only partly named."""
    mine, theirs = ({one[1] for one in each if one[0] == "choose"} for each in (own, other))
    if not mine or not theirs - mine:
        return False
    words = {word for chunk in chunks for word in chunk.key.split()}
    unsaid = (
        name is not None
        and refs.context.offered != (name,)
        and not {word for word in str(name).lower().split() if len(word) > 2} <= words
        for name in theirs - mine
    )
    return _denies(chunks) or any(unsaid)


def _denies(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.kind in DENYING for chunk in chunks)


def _is_repetition(other: Acts, chunks: Sequence[Chunk], refs: Refs) -> bool:
    """Whether the other reading requests finished work, or reports work that nobody has started."""
    ref = refs.read(chunks)
    if not refs.subtasks(ref, [["done"]]):
        return False
    started = {one.id for one in refs.context.subtasks if one.agent}
    return any(one[0] == "done" and one[1] not in started for one in other)
