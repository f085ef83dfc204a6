"""Choose between the grammar's acts and those of the learned model.

Where they differ, a linear model scores how likely the acts of each are, what only one of them has,
and how many of the grammar's readings agree. It was fitted to phrases unseen by the grammar and, in
each fold, by the learned model (`python -m tests.talk.train_singles`); its weights are in
arbitration.json. Starting or ending something needs a larger margin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from treec.skills.kitchen.hearing.act_features import words
from treec.skills.kitchen.hearing.act_model import CLEAR, likeliest, odds
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.certainty import is_unambiguous
from treec.skills.kitchen.hearing.chunks import Chunk, names_of
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.reranking import CandidateReading
from treec.skills.kitchen.hearing.single_acts import ANSWERS, Single, singles
from treec.skills.kitchen.hearing.trust import is_trusted

WEIGHTS = Path(__file__).with_name("arbitration.json")
MARGIN = 0.5
"""Margin, in log odds, by which the learned acts must be likelier."""
SAFE = 2.0
"""Margin if they start or end something and the grammar's do not."""
HARMFUL = frozenset({"accept", "stop", "request"})
Both = tuple[frozenset[Single], frozenset[Single]]
"""The grammar's acts, and the learned model's."""


def arbitrate(
    acts: list[HeardAct], found: Sequence[CandidateReading], reader: Reader
) -> list[HeardAct]:
    """The grammar's acts, or those that are likeliest one by one."""
    if not open_to_doubt(acts, found, reader):
        return acts
    chances, both, values = compare(acts, found, reader)
    if both[0] == both[1] or {str(one[0]) for one in both[1]} - set(reader.context.acts):
        return acts
    if is_trusted(acts, *both, reader.heard, reader.refs):
        return acts
    weights = _weights()
    surer = sum(weights.get(name, 0.0) * value for name, value in values.items())
    kinds = [{one[0] for one in each} for each in both]
    if surer <= (SAFE if kinds[1] & HARMFUL - kinds[0] else MARGIN):
        return acts
    return _to_acts(both[1], acts, reader, chances)


def open_to_doubt(
    acts: Sequence[HeardAct], found: Sequence[CandidateReading], reader: Reader
) -> bool:
    """Whether the grammar's acts may be overruled: not for overheard speech or fixed sayings."""
    has_words = any(chunk.kind != "BRK" for chunk in reader.heard)
    return (
        bool(acts) and has_words and not reader.overheard and not is_unambiguous(acts, reader.heard)
    )


def compare(
    acts: Sequence[HeardAct], found: Sequence[CandidateReading], reader: Reader
) -> tuple[Mapping[Single, float], Both, dict[str, float]]:
    """The odds of single acts, the two readings, and the features of the choice by name."""
    own = singles(acts)
    readings = [singles(reading.acts) for reading in found]
    chances = odds(reader.heard, reader.refs, [own, *readings])
    other = likeliest(chances)
    return chances, (own, other), features((own, other), chances, readings, reader.heard)


def features(
    both: Both,
    chances: Mapping[Single, float],
    readings: Sequence[frozenset[Single]],
    chunks: Sequence[Chunk],
) -> dict[str, float]:
    """Features in favour of the second of two readings, by name."""
    own, other = both
    found = {"always": 1.0}
    for name, mine, theirs in (("own", own, other), ("other", other, own)):
        found[f"{name} likely"] = _likely(mine, chances)
        found[f"{name} least"] = min((chances.get(one, -CLEAR) for one in mine), default=0.0)
        others = (value for one, value in chances.items() if one not in mine)
        found[f"{name} left out"] = max(others, default=0.0)
        found[f"{name} alone"] = float(len(mine - theirs))
        for one in mine - theirs:
            for key, value in (
                (f"{name} {one[0]}", 1.0),
                (f"{name} odds {one[0]}", chances.get(one, 0.0)),
            ):
                found[key] = found.get(key, 0.0) + value
        kinds = {one[0] for one in mine}
        for talk in ("remark", "ask"):
            found[f"{name} is {talk}"] = float(kinds == {talk})
        alike = sum({one[0] for one in reading} == kinds for reading in readings)
        found[f"{name} backed"] = alike / len(readings)
    line = words(chunks)
    found |= {
        "better": found["other likely"] - found["own likely"],
        "same kinds": float({one[0] for one in own} == {one[0] for one in other}),
        "both": float(len(own & other)),
        "less": float(other < own),
        "more": float(other > own),
        "read": float(other in readings),
        "as it stands": float(own == readings[0]),
        "readings": math.log(len(readings)),
        "length": len(line) / 10,
        "plain": sum(word == kind for word, kind, _ in line) / max(1, len(line)),
    }
    return found


def _likely(acts: Collection[Single], chances: Mapping[Single, float]) -> float:
    """The log probability of exactly these acts."""
    log_odds = (-value if one in acts else value for one, value in chances.items())
    return -sum(math.log1p(math.exp(value)) for value in log_odds)


def _to_acts(
    selection: Collection[Single],
    acts: Sequence[HeardAct],
    reader: Reader,
    chances: Mapping[Single, float],
) -> list[HeardAct]:
    """Acts for single ones: the grammar's own where it has them, else quoting their part."""
    own = [act for act in acts if singles([act]) <= set(selection)]
    expressed = {one for act in own for one in singles([act])}
    guesses = [
        _act(one, acts[0], reader)
        for one in sorted(selection, key=lambda one: (-chances.get(one, 0.0), repr(one)))
        if one not in expressed
    ]
    return sorted([*own, *guesses], key=lambda act: (act.start, act.end))


def _act(single: Single, like: HeardAct, reader: Reader) -> HeardAct:
    kind = str(single[0])
    fields: dict[str, object] = {}
    if kind in ANSWERS:
        fields["proposals"] = [single[1]]
    elif kind in ("done", "drop"):
        fields["subtasks"] = [] if single[1] is None else [single[1]]
    elif kind in ("stop", "resume"):
        fields["agent"] = single[1]
    elif kind == "choose":
        fields["recipe"] = single[1]
    elif kind == "request":
        pairs = cast("tuple[tuple[str, str], ...]", single[3])
        fields |= {"agent": single[1], "task": single[2], "args": dict(pairs), "first": single[4]}
    start, end = _span(single, reader)
    return replace(like, kind=kind, fields=fields, start=start, end=end, ids=None, found=None)


def _span(single: Single, reader: Reader) -> tuple[int, int]:
    """The part of the utterance, between its breaks, with most names of an act."""
    parts: list[list[Chunk]] = [[]]
    for chunk in reader.heard:
        if chunk.kind == "BRK":
            parts.append([])
        else:
            parts[-1].append(chunk)
    names = f" {' '.join(str(one) for one in single[1:])} "
    for part in (has_words := [part for part in parts if part]):
        if any(name in names for name in names_of(part)):
            return part[0].start, part[-1].end
    return has_words[0][0].start, has_words[-1][-1].end


@cache
def _weights() -> Mapping[str, float]:
    return cast("Mapping[str, float]", json.loads(WEIGHTS.read_text(encoding="utf-8")))
