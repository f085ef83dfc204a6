"""Probability of every single act, learned from open phrases.

A linear model over the features of single acts (`act_features.py`), shared by all kinds of acts and
kitchens: it knows no thing, task or dish by name. `python -m tests.talk.train_singles --write` fits
its weights to the open half of the corpus (never the half that measures the parser) and writes them
to act_model.bin, one byte per hashed feature.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from treec.skills.kitchen.hearing.act_features import SIZE, ActFeatures
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.kind_model import state
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.single_acts import Single, possible

WEIGHTS = Path(__file__).with_name("act_model.bin")
CLEAR = 7.0
"""Limit of the log odds."""
_HEAD = 2
_ONE = frozenset({"stop", "resume", "choose"})


def odds(
    chunks: Sequence[Chunk], refs: Refs, readings: Collection[frozenset[Single]]
) -> dict[Single, float]:
    """The log odds of each possible single act, within ±CLEAR."""
    scale, bias, weights = _model()
    signs = ActFeatures(chunks, state(refs.context))
    found = {}
    for evidence in possible(chunks, refs, readings):
        numbers = signs.of(evidence)
        total = sum(weights[number] for number in numbers) / scale
        found[evidence.single] = max(-CLEAR, min(CLEAR, bias + total / math.sqrt(len(numbers))))
    return found


def likeliest(chances: Mapping[Single, float]) -> frozenset[Single]:
    """The compatible single acts with positive log odds; else the likeliest one."""
    positive = {one: value for one, value in chances.items() if value > 0}
    for one in [one for one in positive if one[0] == "accept"]:
        other = ("decline", one[1])
        if other in positive:
            positive.pop(min((one, other), key=lambda it: positive[it]))
    for kind in sorted(_ONE):
        every = sorted((one for one in positive if one[0] == kind), key=lambda it: positive[it])
        if kind == "choose" or any(one[1] is None for one in every):
            for one in every[:-1]:
                del positive[one]
    orders: dict[object, Single] = {}
    for one in sorted(
        (one for one in positive if one[0] == "request"), key=lambda it: positive[it]
    ):
        about = _object(one[3])
        if about in orders:
            del positive[orders[about]]
        orders[about] = one
    acts = frozenset(positive) - {("remark",)}
    return acts or frozenset({max(chances, key=lambda it: (chances[it], repr(it)))})


def _object(args: object) -> tuple[str, ...]:
    """The object of an order: of two orders about one object only one is meant."""
    pairs = args if isinstance(args, tuple) else ()
    return tuple(str(value) for name, value in pairs if name in ("item", "container"))


def pack(weights: Sequence[int], scale: int, bias: float) -> bytes:
    """The bytes of a model: scale and bias in hundredths, then one byte per weight."""
    head = array("i", [scale, round(bias * 100)])
    return head.tobytes() + zlib.compress(array("b", weights).tobytes(), 9)


@cache
def _model() -> tuple[int, float, array[int]]:
    raw = WEIGHTS.read_bytes()
    head = array("i")
    size = _HEAD * head.itemsize
    head.frombytes(raw[:size])
    weights = array("b")
    weights.frombytes(zlib.decompress(raw[size:]))
    if len(weights) != SIZE:
        raise ValueError(f"{WEIGHTS.name} has {len(weights)} weights, not {SIZE}")
    return head[0], head[1] / 100, weights
