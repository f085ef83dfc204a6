"""Choose among the readings of an utterance and of its variants.

Each reading is scored by how likely its kinds of acts are (`kind_model.py`), how many variants
agree on it, what must be left out for it, and which names it ignores: a softmax over the readings
of a phrase. The weights (reranking.json) were fitted to open phrases unseen by the grammar's
authors and by kind_model.json (`python -m tests.talk.train`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import TALK, HeardAct
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.variants import Variant

WEIGHTS = Path(__file__).with_name("reranking.json")
MARGIN = 1.5
"""Margin by which another reading must beat the utterance's own."""
HARMFUL = frozenset({"accept", "stop"})
"""Kinds that start or end something: accepted only if the whole utterance has them."""
SURE = -0.5
"""Log likelihood above which an utterance's own reading is not questioned.

On open phrases this skips half of the work and misses no choice.
"""
_KINDS = (
    "accept",
    "decline",
    "request",
    "done",
    "stop",
    "resume",
    "choose",
    "drop",
    "ask",
    "remark",
)
Meaning = frozenset[str]
"""What acts amount to: the kind and fields of each."""


@dataclass(slots=True)
class CandidateReading:
    """The acts of an utterance, and the variants that are read this way (none: the utterance's
    own).
    """

    acts: list[HeardAct]
    own: bool = False
    variants: list[Variant] = field(default_factory=list)

    @property
    def kinds(self) -> set[str]:
        """The kinds of its acts."""
        return {act.kind for act in self.acts}


def meaning(acts: Iterable[HeardAct]) -> Meaning:
    """What acts amount to, without their spans and the topics of questions."""
    every = {f"{act.kind} {sorted(act.fields.items(), key=str)}" for act in acts}
    return frozenset(every - {"remark []"}) or frozenset(every)


def choose_reading(
    readings: Sequence[CandidateReading],
    chances: Mapping[str, float],
    chunks: Sequence[Chunk],
    context: TalkContext,
) -> CandidateReading:
    """The best reading; the first one is the utterance's own."""
    weights = _weights()
    own = readings[0]
    total = {}
    for index, values in enumerate(features(readings, chances, chunks, context)):
        total[index] = sum(weights.get(name, 0.0) * value for name, value in values.items())
    best = max(total, key=lambda index: (total[index], -index))
    return readings[best] if total[best] - total[0] > MARGIN else own


def likelihood(kinds: Collection[str], chances: Mapping[str, float]) -> dict[str, float]:
    """For each kind, the log probability that it is present or absent."""
    return {
        kind: math.log(max(1e-3, chance if kind in kinds else 1 - chance))
        for kind, chance in chances.items()
    }


def features(
    readings: Sequence[CandidateReading],
    chances: Mapping[str, float],
    chunks: Sequence[Chunk],
    context: TalkContext,
) -> list[dict[str, float]]:
    """The features of each reading, by name."""
    chunks_left = [chunk for chunk in chunks if chunk.kind != "BRK"]
    count = max(1, len(chunks_left))
    own = readings[0].kinds
    names = {name for chunk in chunks_left for name in _names(chunk)}
    robots = {name for chunk in chunks_left for name in chunk.agents if name != context.user}
    return [
        {
            **_agreement(reading, count),
            **_change(reading, chunks_left),
            **_kinds(reading.kinds, own, chances),
            "own": float(reading.own),
            "acts": float(len(meaning(reading.acts)) - 1),
            "alike": float(reading.kinds == own and not reading.own),
            "unsaid": _unsaid(reading, names, context),
            "nobody": float(len(robots) == 1 and _nobody(reading)),
        }
        for reading in readings
    ]


def _agreement(reading: CandidateReading, count: int) -> dict[str, float]:
    """The share of the variants of each type that are read this way."""
    ways = [v.way if len(v.omitted) < 2 else f"{v.way} of several" for v in reading.variants]
    found = {f"by {way}": ways.count(way) / count for way in ("hole", "stop", "comma")}
    for way in ("head", "tail"):
        found[f"by {way}"] = sum(v.way == way for v in reading.variants) / count
    found["by ends alone"] = float(bool(ways) and all(v.way == "ends" for v in reading.variants))
    found["by a mark"] = float(any(way in ("stop", "comma") for way in ways) and not reading.own)
    return found


def _change(reading: CandidateReading, chunks_left: Sequence[Chunk]) -> dict[str, float]:
    """The smallest change that leads to a reading."""
    if reading.own:
        return {}
    sizes = [(len(v.omitted) or 1.5, v) for v in reading.variants]
    least = min(size for size, _ in sizes)
    omissions = [v.omitted for size, v in sizes if size == least and v.omitted]
    found = {"least": least / max(1, len(chunks_left)), "least of three": min(least, 3.0) / 3}
    if omissions:
        strange = [
            sum(chunks_left[i].kind == "W" for i in omission) / len(omission)
            for omission in omissions
        ]
        named_counts = [
            sum(chunks_left[i].kind in ("O", "A", "R") for i in omission) for omission in omissions
        ]
        found |= {"strange gone": max(strange), "named gone": min(named_counts) / 2}
    return found


def _kinds(kinds: set[str], own: set[str], chances: Mapping[str, float]) -> dict[str, float]:
    """How likely a reading's kinds are, and how they differ from the utterance's own."""
    each = likelihood(kinds, chances)
    found = {f"likely {kind}": value for kind, value in each.items()}
    found["likely"] = sum(each.values())
    found["remark"] = float(kinds == {"remark"})
    found["ask"] = float(kinds == {"ask"})
    for kind in _KINDS:
        if (kind in kinds) != (kind in own):
            found[f"{'new' if kind in kinds else 'no'} {kind}"] = 1.0
    return found


def _names(chunk: Chunk) -> Iterable[str]:
    yield from chunk.agents
    yield from chunk.names
    if chunk.recipe:
        yield chunk.recipe


def _unsaid(reading: CandidateReading, names: set[str], context: TalkContext) -> float:
    """The share of the names that an order or answer ignores."""
    if reading.kinds <= TALK:
        return 0.0
    about = " ".join(str(act.fields) for act in reading.acts)
    about += " ".join(
        f"{p.agent} {p.subtask} {p.words}" for p in context.proposals if f"'{p.id}'" in about
    )
    return sum(name not in about for name in names) / 3


def _nobody(reading: CandidateReading) -> bool:
    return any(
        act.kind in ("request", "stop") and act.fields.get("agent", "") is None
        for act in reading.acts
    )


@cache
def _weights() -> Mapping[str, float]:
    return cast("Mapping[str, float]", json.loads(WEIGHTS.read_text(encoding="utf-8")))
