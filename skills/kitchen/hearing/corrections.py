"""Correct the grammar's reading with the linear model of kinds.

There are two corrections. A remark becomes the act that is likely by its words, read from the part
that the grammar can read that way, or else made from the names. A very unlikely act becomes a
remark. Speech to others and quotations are not corrected.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.chunks import DENYING, Chunk
from treec.skills.kitchen.hearing.dishes import DISHES, MEALS, MOODS
from treec.skills.kitchen.hearing.kind_model import likelihoods
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.references import GONE, Ref, Refs
from treec.skills.kitchen.hearing.side_talk import FAMILY, make_remark

ENOUGH = {"accept": 0.65, "stop": 0.4, "request": 0.35, "choose": 0.75}
"""Likelihood from which a kind is accepted.

Chosen on open phrases unseen by an earlier grammar and by weights fitted without them: lower values
start actions during small talk, higher ones miss acts.
"""
USUALLY = 0.35
REMARK = 0.8
"""Likelihood from which an utterance is a remark if all its acts are below `UNLIKELY`."""
UNLIKELY = 0.3
SETS_GOING = frozenset({"accept", "stop", "request", "choose"})
_FOND = frozenset({"like", "love", "enjoy", "adore"})
FOOD = DISHES | MEALS | MOODS | {"eat", "cook", "cooking", "hungry", "recipe", "menu"}
"""A wish that names no dish has one of these words."""
_MOODS = frozenset({"worrying", "fussing", "fretting", "apologising", "laughing", "moaning"})
_FIXED = frozenset({"THANKS", "OK", "YES", "GOOD", "HELLO", "UM"})
_MOST = 12
"""Maximum number of parts of an utterance that are read again."""


def correct(acts: list[HeardAct], reader: Reader) -> list[HeardAct]:
    """The acts of an utterance after the corrections."""
    chunks, refs = reader.heard, reader.refs
    if not acts or not any(chunk.kind != "BRK" for chunk in chunks) or all_fixed_sayings(acts):
        return acts
    chances = likelihoods(chunks, refs.context)
    kinds = {act.kind for act in acts}
    best = max(chances, key=lambda kind: chances[kind])
    if kinds == {"remark"}:
        if best == "remark" or chances[best] < ENOUGH.get(best, USUALLY):
            return acts
        if is_excluded(best, acts, chunks):
            return acts
        ref = refs.read(chunks)
        if best in ("choose", "accept", "decline") and ref.counts:
            return _act_from_names(best, acts, chunks, ref, refs) or acts
        return (
            _acts_of_ending(best, reader, ref)
            or _act_from_names(best, acts, chunks, ref, refs)
            or acts
        )
    unlikely = all(chances.get(kind, 1.0) < UNLIKELY for kind in kinds - {"remark"})
    insists = any(chunk.kind == "HEDGE" and chunk.key == "i said" for chunk in chunks)
    if best == "remark" and chances[best] > REMARK and unlikely and not insists:
        for act in acts:
            make_remark(act)
    return acts


def is_excluded(kind: str, acts: Sequence[HeardAct], chunks: Sequence[Chunk]) -> bool:
    """Whether a remark of the grammar is certainly no act of this kind."""
    words = [chunk for chunk in chunks if chunk.kind != "BRK"]
    is_garbled = len(words) == 1 and words[0].kind == "W" and len(words[0].key) > 5
    if kind == "stop" and any(chunk.kind == "NEARLY" for chunk in chunks):
        return True  # "nearly there!"
    if kind in SETS_GOING and (_to_others(chunks) or expresses_fondness(chunks) or is_garbled):
        return True
    if kind == "done" and any(c.kind in DENYING or c.ref == "neither" for c in chunks):
        return True  # "the lettuce is not done"
    if kind in ("decline", "stop", "resume") and is_negated_stop(chunks):
        return True  # "don't stop", "don't go on"
    if kind not in ("ask", "done") and any(chunk.kind == "TALE" for chunk in chunks):
        return True  # a narrative or a figure of speech
    # "good work", "okay": the grammar knows what it says
    return kind != "ask" and all(_is_fixed_saying(act) for act in acts)


def all_fixed_sayings(acts: Sequence[HeardAct]) -> bool:
    """Whether every clause is a fixed saying: "of course", "no problem".

    The grammar knows what these mean at this moment; single words say less.
    """
    return all(act.clause.saying for act in acts)


def is_negated_stop(chunks: Sequence[Chunk]) -> bool:
    """ "Don't stop", "please don't go on": neither a stop nor a resume.

    "Stop by" means to visit, "freeze the peas" is a task, and "stop worrying" stops no work.
    """
    for one, other in pairwise(chunks):
        denied = one.kind in DENYING or one.key == "non"
        if denied and (other.of("STOP") or other.of("GO")):
            return True
        thing = one.key == "freeze" and other.kind in ("IT", "O", "DET", "W")
        mood = other.kind == "W" and other.key in _MOODS
        if one.of("STOP") and (other.key == "by" or thing or mood):
            return True
    return False


def _is_fixed_saying(act: HeardAct) -> bool:
    """Whether an act's clause is a fixed saying or only a vocative."""
    return act.clause.saying in _FIXED or all(c.kind in ("A", "ALL") for c in act.clause.core)


def expresses_fondness(chunks: Sequence[Chunk]) -> bool:
    """ "I love caesar salad", "I like to stir": a preference is no request."""
    return any(
        one.kind in ("I", "WE") and other.key.split()[:1] and other.key.split()[0] in _FOND
        for one, other in pairwise(chunks)
    )


def _to_others(chunks: Sequence[Chunk]) -> bool:
    """Whether somebody outside the team is addressed."""
    others = FAMILY | {"bye", "goodbye"}
    return any(word in others for chunk in chunks for word in chunk.key.split())


def _acts_of_ending(kind: str, reader: Reader, ref: Ref) -> list[HeardAct]:
    """The acts of the longest ending of an utterance that the grammar reads as the likely kind.

    A vocative may stand before that ending.
    """
    robots = set(ref.agents) & set(reader.refs.robots)
    for chunk in [chunk for chunk in reader.heard if chunk.kind != "BRK"][1 : _MOST + 1]:
        anew = Reader(reader.context).read(reader.text[chunk.start :])
        found = [act for act in anew if act.kind != "remark"]
        if found and {act.kind for act in found} == {kind}:
            for act in found:
                act.start += chunk.start
                act.end += chunk.start
                if act.fields.get("agent", "") is None and len(robots) == 1:
                    act.fields["agent"] = next(iter(robots))
            return found
    return []


def _act_from_names(
    kind: str, acts: list[HeardAct], chunks: Sequence[Chunk], ref: Ref, refs: Refs
) -> list[HeardAct]:
    """An act of this kind about the names in the utterance, if it fits them."""
    fields = _fields(kind, ref, chunks, refs)
    if fields is None:
        return []
    act = acts[0]
    act.end = acts[-1].end
    ids = fields.pop("ids", None)
    act.kind, act.fields = kind, fields
    act.ids = ids if isinstance(ids, tuple) else None
    return [act]


def _fields(kind: str, ref: Ref, chunks: Sequence[Chunk], refs: Refs) -> dict[str, object] | None:
    context = refs.context
    if kind in ("stop", "resume"):
        robots = [agent for agent in ref.agents if agent in refs.robots]
        return {"agent": robots[0] if len(robots) == 1 else None}
    if kind in ("accept", "decline"):
        return _answer(ref, refs)
    if kind == "choose":
        dish = _dish(chunks, context, ref)
        if sum(chunk.kind != "BRK" for chunk in chunks) < 2:
            return None  # "yummy"
        food = dish or context.offered or any(c.kind == "O" or c.key in FOOD for c in chunks)
        return {"recipe": dish} if food and not context.recipe_name else None
    if kind == "drop":
        subtasks = refs.subtasks(
            ref, [[s.status for s in context.subtasks if s.status not in GONE]]
        )
        return {"subtasks": [s.id for s in subtasks]} if ref.things and subtasks else None
    if kind == "done":
        mine = [s.id for s in context.subtasks if s.agent == context.user and s.status == "running"]
        if not ref.things and not ref.tasks:
            return {"subtasks": mine} if mine else None
        subtasks = refs.subtasks(
            ref, [["running"], ["queued", "ready"], ["interrupted", "waiting"]]
        )
        if refs.subtasks(ref, [["done"]]) and all(s.agent is None for s in subtasks):
            return None  # a repeated report, not one of work that has not started
        return {"subtasks": [s.id for s in subtasks]} if len(subtasks) == 1 else None
    return {} if kind == "ask" else None


def _answer(ref: Ref, refs: Refs) -> dict[str, object] | None:
    if not refs.context.proposals:
        return None
    ids = refs.proposals(ref)
    if ids == () and not ref.things and not set(ref.agents) - {refs.user}:
        ids = None  # only verbs, of something else
    if ids is None:
        return {"ids": tuple(p.id for p in refs.context.proposals)}
    return {"ids": ids} if ids else None


def _dish(chunks: Sequence[Chunk], context: TalkContext, ref: Ref) -> str | None:
    recipes = [chunk.recipe for chunk in chunks if chunk.recipe]
    if recipes:
        return recipes[0] if len(set(recipes)) == 1 else None
    order = {"first": 0, "second": 1, "third": 2, "last": -1}
    positions = [order[count] for count in ref.counts if count in order]
    if len(positions) == 1 and context.offered[positions[0] :][:1]:
        return context.offered[positions[0]]
    return context.offered[0] if len(context.offered) == 1 and not ref.things else None
