"""States that differ have different fingerprints."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from treec_prove.fingerprints import Encoder
from treec_prove.moments import PassedTime, ProofClock
from treec_prove.snapshots import Heap

PAST: Any = SimpleNamespace(
    slots=None, facts=None, is_short=False, look=lambda: None, work=lambda: ()
)
"""A run in which nothing was said and no model was asked."""


class Thing:
    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)


def test_a_time_counts_by_its_order_beside_one_that_is_as_at_first() -> None:
    clock = ProofClock()
    root = Thing(begun=clock.now(), heard=None)
    heap = Heap(root)
    encoder = Encoder(heap, clock, PAST)
    clock.pass_to(9.0)
    prints = []
    for heard in (0.0, 3.0, 5.0):  # at the same time, later, later
        root.heard = PassedTime(heard)  # type: ignore[attr-defined]
        prints.append(encoder.fingerprint(heap.save()))
    assert prints[0] != prints[1] == prints[2]


def test_what_was_out_of_reach_for_a_while_is_told_by_what_is_in_it() -> None:
    """Once a run is at rest, what only its beginning needed is no part of its heap."""
    thing, clock = Thing(count=0), ProofClock()
    root = Thing(thing=thing)
    encoder = Encoder(Heap(root), clock, PAST)
    root.thing = None  # type: ignore[attr-defined]
    heap = Heap(root)
    encoder.follow(heap)
    root.thing = thing  # type: ignore[attr-defined]
    prints = set()
    for count in range(3):
        thing.count = count  # type: ignore[attr-defined]
        prints.add(encoder.fingerprint(heap.save()))
    assert len(prints) == 3


def test_calls_differ_by_all_that_they_are_given() -> None:
    def lambdas(value: int) -> tuple[object, ...]:
        return lambda: value, lambda it=value: it, lambda *, it=value: it

    heap = Heap(root := Thing(call=None))
    encoder = Encoder(heap, ProofClock(), PAST)
    prints = set()
    for call in (partial(print, 1), partial(print, 1, end=""), *lambdas(1), *lambdas(2)):
        root.call = call  # type: ignore[attr-defined]
        prints.add(encoder.fingerprint(heap.save()))
    assert len(prints) == 8
