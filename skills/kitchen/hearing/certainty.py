"""What the grammar knows for certain: no statistics choose another reading of it.

The readings with a part left out are right where the grammar misses something. Where it has
understood what such a part does, to leave that out is to hear something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import TALK, Act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.corrections import (
    all_fixed_sayings,
    expresses_fondness,
    is_negated_stop,
)
from treec.skills.kitchen.hearing.kind_model import is_known_word, relations
from treec.skills.kitchen.hearing.phrases import SORTS
from treec.skills.kitchen.hearing.reranking import HARMFUL, meaning
from treec.skills.kitchen.hearing.variants import Variant

_CONDITIONS = frozenset({"if", "unless"})


def is_unambiguous(own: Sequence[Act], chunks: Sequence[Chunk]) -> bool:
    """Whether an utterance has no reading but its own.

    It is of fixed sayings; it hangs on a condition, and so asks; it tells what somebody is fond
    of, or that nobody shall halt.
    """
    kinds = {act.kind for act in own}
    hangs = kinds == {"ask"} and any(chunk.kind in _CONDITIONS for chunk in chunks)
    tells = kinds == {"remark"} and (expresses_fondness(chunks) or is_negated_stop(chunks))
    return hangs or tells or kinds == {"stop"} or all_fixed_sayings(own)


def starts_or_ends(acts: Sequence[Act], own: Sequence[Act]) -> bool:
    """Whether a part is heard to set something going or end it, and the whole is not."""
    return bool({act.kind for act in acts} & HARMFUL - {act.kind for act in own})


def loses_acts(acts: Sequence[Act], own: Sequence[Act]) -> bool:
    """Whether only talk is left of what is done or asked, or a sentence's only act is gone."""
    kinds, meanings = {act.kind for act in acts}, meaning(acts)
    if kinds <= TALK and {act.kind for act in own} - {"remark"} - kinds:
        return True
    actions = [act for act in own if act.kind not in TALK]
    sentences = Counter(act.sentence for act in actions)
    alone = [act for act in actions if sentences[act.sentence] == 1]
    return len({act.sentence for act in own}) > 1 and any(
        not meaning([act]) <= meanings for act in alone
    )


def exceeds_own(
    acts: Sequence[Act],
    own: Sequence[Act],
    variant: Variant,
    chunks: Sequence[Chunk],
    context: TalkContext,
) -> bool:
    """Whether a variant's acts need that something is not said which changes all.

    A yes is to what it names: "yes to the salt" is no yes to the pepper. And a word that nobody
    knows makes another thing of the one before it: the pepper grinder is no pepper, nor is
    the red pepper.
    """
    kinds = {act.kind for act in acts} - {act.kind for act in own}
    if "accept" in kinds and "request" not in {act.kind for act in acts}:
        return named_elsewhere(chunks, context)
    return "request" in kinds and _parts_a_thing(variant, chunks)


def named_elsewhere(chunks: Sequence[Chunk], context: TalkContext) -> bool:
    """Whether things are named of which none is in a subtask or a proposal."""
    about = relations(chunks, context)
    return "R:thing elsewhere" in about and "R:thing proposed" not in about


def sorted_things(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Things that a word makes other things of, each with that word, by their numbers.

    It is their sort before them, or a word right behind them that nobody knows.
    """
    said = [chunk for chunk in chunks if chunk.kind != "BRK"]
    found: list[tuple[int, int]] = []
    for i, (one, other) in enumerate(pairwise(said)):
        strange = other.kind == "W" and not is_known_word(other.key) and other.start <= one.end + 1
        if one.key in SORTS and other.kind == "O":
            found.append((i + 1, i))
        elif one.kind == "O" and strange:
            found.append((i, i + 1))
    return found


def _parts_a_thing(variant: Variant, chunks: Sequence[Chunk]) -> bool:
    """Whether a thing loses the word that makes another of it."""
    said = [chunk for chunk in chunks if chunk.kind != "BRK"]
    cut = variant.pieces[-1][1] if variant.way in ("stop", "comma") else -1
    return any(
        thing not in variant.omitted
        and (word in variant.omitted or said[min(thing, word)].end == cut)
        for thing, word in sorted_things(chunks)
    )
