"""How likely every single act is, learned from open phrases: the grammar's fourth opinion.

A linear model over the signs of single acts (`signs.py`), one for all kinds and kitchens: it knows
no thing, task or dish by name. Its weights were fitted to the open half of the corpus by
`python -m tests.talk.train_singles --write` and stand in learned.bin, a byte for each number of
a sign; nothing of the half that measures the parser was used.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.likely import state
from treec.skills.kitchen.hearing.refs import Refs
from treec.skills.kitchen.hearing.signs import SIZE, Signs
from treec.skills.kitchen.hearing.singles import Single, possible

WEIGHTS = Path(__file__).with_name("learned.bin")
CLEAR = 7.0
"""Odds are told up to here, as a logarithm: beyond it nothing is more certain."""
_HEAD = 2
_ONE = frozenset({"stop", "resume", "choose"})


def odds(
    chunks: Sequence[Chunk], refs: Refs, readings: Collection[frozenset[Single]]
) -> dict[Single, float]:
    """Each single act there is reason for → the logarithm of its odds, within ±CLEAR."""
    scale, bias, weights = _model()
    signs = Signs(chunks, state(refs.context))
    found = {}
    for seen in possible(chunks, refs, readings):
        numbers = signs.of(seen)
        total = sum(weights[number] for number in numbers) / scale
        found[seen.single] = max(-CLEAR, min(CLEAR, bias + total / math.sqrt(len(numbers))))
    return found


def likeliest(chances: Mapping[Single, float]) -> frozenset[Single]:
    """The single acts that are likelier than not and go together; else the likeliest one."""
    kept = {one: value for one, value in chances.items() if value > 0}
    for one in [one for one in kept if one[0] == "accept"]:
        other = ("decline", one[1])
        if other in kept:
            kept.pop(min((one, other), key=lambda it: kept[it]))
    for kind in sorted(_ONE):
        every = sorted((one for one in kept if one[0] == kind), key=lambda it: kept[it])
        if kind == "choose" or any(one[1] is None for one in every):
            for one in every[:-1]:
                del kept[one]
    orders: dict[object, Single] = {}
    for one in sorted((one for one in kept if one[0] == "request"), key=lambda it: kept[it]):
        about = _object(one[3])
        if about in orders:
            del kept[orders[about]]
        orders[about] = one
    acts = frozenset(kept) - {("remark",)}
    return acts or frozenset({max(chances, key=lambda it: (chances[it], repr(it)))})


def _object(args: object) -> tuple[str, ...]:
    """What an order is about: of two orders about one thing one is meant."""
    pairs = args if isinstance(args, tuple) else ()
    return tuple(str(value) for name, value in pairs if name in ("item", "container"))


def packed(weights: Sequence[int], scale: int, bias: float) -> bytes:
    """The file of a model: scale and bias in hundredths, then a byte for each weight."""
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
