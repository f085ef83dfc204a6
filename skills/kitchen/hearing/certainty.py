"""Readings that the grammar is certain of, which no statistics may overrule.

A reading that leaves out a part is right where the grammar misses something. Where the grammar
knows what the part does, leaving it out changes the meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import TALK, HeardAct
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


def is_unambiguous(own: Sequence[HeardAct], chunks: Sequence[Chunk]) -> bool:
    """Whether an utterance has only its own reading: fixed sayings, conditions, preferences, and
    negated stops.
    """
    kinds = {act.kind for act in own}
    hangs = kinds == {"ask"} and any(chunk.kind in _CONDITIONS for chunk in chunks)
    tells = kinds == {"remark"} and (expresses_fondness(chunks) or is_negated_stop(chunks))
    return hangs or tells or kinds == {"stop"} or all_fixed_sayings(own)


def starts_or_ends(acts: Sequence[HeardAct], own: Sequence[HeardAct]) -> bool:
    """Whether these acts start or end something that the utterance's own acts do not."""
    return bool({act.kind for act in acts} & HARMFUL - {act.kind for act in own})


def loses_acts(acts: Sequence[HeardAct], own: Sequence[HeardAct]) -> bool:
    """Whether only talk is left, or a sentence loses its only act."""
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
    acts: Sequence[HeardAct],
    own: Sequence[HeardAct],
    variant: Variant,
    chunks: Sequence[Chunk],
    context: TalkContext,
) -> bool:
    """Whether a variant's acts rely on leaving out a word that changes the meaning.

    A yes applies to what it names: "yes to the salt" is no yes to the pepper. And an unknown
    modifier makes another thing: a pepper grinder or a red pepper is no pepper.
    """
    kinds = {act.kind for act in acts} - {act.kind for act in own}
    if "accept" in kinds and "request" not in {act.kind for act in acts}:
        return named_elsewhere(chunks, context)
    return "request" in kinds and _parts_a_thing(variant, chunks)


def named_elsewhere(chunks: Sequence[Chunk], context: TalkContext) -> bool:
    """Whether things are named, none of which is in a subtask or proposal."""
    about = relations(chunks, context)
    return "R:thing elsewhere" in about and "R:thing proposed" not in about


def sorted_things(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Indices of things with the index of the modifier that makes them other things.

    The modifier is a sort before the thing, or an unknown word right behind it.
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
    """Whether a variant leaves out such a modifier but keeps the thing."""
    said = [chunk for chunk in chunks if chunk.kind != "BRK"]
    cut = variant.pieces[-1][1] if variant.way in ("stop", "comma") else -1
    return any(
        thing not in variant.omitted
        and (word in variant.omitted or said[min(thing, word)].end == cut)
        for thing, word in sorted_things(chunks)
    )
