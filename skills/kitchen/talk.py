"""Classify what a person says in a kitchen, without a model.

The parser of the reading: the answer when there is no model, and a lower bound for a model's. The
grammar is in `treec.skills.kitchen.hearing`. What it cannot explain is a question or a remark:
accepting, starting or stopping something by mistake is worse than missing it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treec import TalkContext
from treec.skills.kitchen.hearing.act_selection import weigh
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.arbitration import arbitrate
from treec.skills.kitchen.hearing.certainty import (
    exceeds_own,
    is_unambiguous,
    loses_acts,
    starts_or_ends,
)
from treec.skills.kitchen.hearing.corrections import correct
from treec.skills.kitchen.hearing.kind_model import likelihoods
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.reranking import (
    SURE,
    CandidateReading,
    choose_reading,
    likelihood,
    meaning,
)
from treec.skills.kitchen.hearing.serving import requests_as_wishes
from treec.skills.kitchen.hearing.variants import variants

ACTS = ["accept", "decline", "request", "done", "drop", "stop", "resume", "choose", "ask", "remark"]
"""The kinds of acts that it can give."""
LONGEST = 2000
_SMALL = ("YES", "OK", "NO", "GOOD", "HELLO", "UM", "THANKS", "PLEASE", "WAIT", "NEVERMIND")


def readings(
    text: str, context: TalkContext
) -> tuple[list[CandidateReading], Mapping[str, float], Reader]:
    """The readings of the utterance and its variants, the likelihood of each kind, and the reader.

    Overheard speech and unambiguous utterances have only their own reading.
    """
    own, reader = reading(text, context)
    meanings = {meaning(own): CandidateReading(own, own=True)}
    chances = likelihoods(reader.heard, context)
    sure = sum(likelihood({act.kind for act in own}, chances).values()) > SURE
    if own and not sure and not reader.overheard and not is_unambiguous(own, reader.heard):
        for variant in variants(text, reader.heard):
            acts, _ = reading(variant.text, context)
            foreign = any(act.kind not in context.acts for act in acts)
            if foreign or loses_acts(acts, own) or starts_or_ends(acts, own):
                continue
            if exceeds_own(acts, own, variant, reader.heard, context):
                continue
            for act in acts:
                act.start, act.end = variant.place(act.start), variant.place(act.end)
            if acts:
                meanings.setdefault(meaning(acts), CandidateReading(acts)).variants.append(variant)
    return list(meanings.values()), chances, reader


def reading(text: str, context: TalkContext) -> tuple[list[HeardAct], Reader]:
    """The acts of this text alone: the grammar's, corrected by the linear model."""
    reader = Reader(context)
    acts = weigh(reader.read(text), reader.refs)
    if not reader.overheard:
        other = correct(acts, reader)
        acts = acts if other is acts else weigh(other, reader.refs)
    return requests_as_wishes(acts, text, context), reader


def read(text: str, context: TalkContext) -> list[dict[str, object]]:
    """The acts in `text`, in order; each quotes words of it verbatim.

    Only the first 2,000 characters are read. Never raises. Only kinds in `context.acts` are
    returned; acts of other kinds become remarks.
    """
    text = text[:LONGEST]
    found, chances, reader = readings(text, context)
    acts = choose_reading(found, chances, reader.heard, context).acts
    acts = arbitrate(acts, found, reader)
    kinds = set(context.acts)
    result: list[dict[str, object]] = []
    for act in _join_acts(acts, kinds):
        quote = text[act.start : act.end] or text  # without the part that was repaired
        if act.kind not in kinds:
            continue
        fields = {"about": quote} if act.kind == "ask" else act.fields
        entry = {"kind": act.kind, "quote": quote, **fields}
        if entry not in result:
            result.append(entry)
    return result


def _join_acts(acts: list[HeardAct], kinds: set[str]) -> list[HeardAct]:
    """Merge questions and remarks of one sentence, and drop short remarks next to other acts."""
    acts = [a if a.kind in kinds else replace(a, kind="remark", fields={}) for a in acts]
    if any(a.kind != "remark" for a in acts):
        acts = [a for a in acts if not (a.kind == "remark" and a.clause.saying in _SMALL)]
    result: list[HeardAct] = []
    for act in acts:
        last = result[-1] if result else None
        same = last is not None and last.sentence == act.sentence
        if last is not None and same and act.kind == last.kind and act.kind in ("ask", "remark"):
            last.end = act.end
        elif last is not None and same and act.kind == "ask" and last.kind == "remark":
            result[-1] = replace(act, start=last.start)
        elif (
            last
            and act.kind == "remark"
            and (last.kind == "remark" or (same and last.kind == "ask"))
        ):
            last.end = act.end
        else:
            result.append(act)
    return result
