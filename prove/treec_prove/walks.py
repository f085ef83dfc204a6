"""Random walks beside an exploration: they come to where it takes long to come to level by level.

An exploration goes to the nearest states first, so that with a budget it stays near the beginning.
A walk goes far, by a kind of happening that is drawn, then by one of that kind; of answers that a
node refuses alike only two are drawn from. What a walk breaks is a way to break it, but not the
shortest: it is made shorter by leaving out what it does not need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from treec_prove.explored import Restless
from treec_prove.happenings import Happening
from treec_prove.properties import DEADLOCK, RESTLESS
from treec_prove.refusals import refused_alike, without_middles
from treec_prove.undecided import Undecided

if TYPE_CHECKING:
    from treec_prove.expander import Expander
    from treec_prove.snapshots import HeapState

LONGEST = 25
"""Happenings in a walk, at most."""

OFTEN, MANY, SELDOM = 50, 20, 1_000
"""A walk for so many steps of the exploration, as long as there are not so many; then for more."""

Way = tuple[str, str, tuple[Happening, ...]]
"""A property that is broken, how, and by what."""


class Walks:
    """Walks from the first state; the same ones in each proof."""

    def __init__(self, expander: Expander, first: HeapState) -> None:
        self._expander = expander
        self._first = first
        self._random = Random(0)
        self._count = 0
        self._next = OFTEN

    def take_if_due(self, steps: int) -> Iterator[Way]:
        """Walk as often as the exploration's steps make it time to; what that breaks."""
        while steps >= self._next:
            self._count += 1
            self._next += OFTEN if self._count < MANY else SELDOM
            yield from self._walk()

    def _walk(self) -> Iterator[Way]:
        expander, explored = self._expander, self._expander.explored
        expander.go_to(self._first)
        path: tuple[Happening, ...] = ()
        for _ in range(LONGEST):
            state = explored.save()
            happenings = explored.happenings()
            if deadlock := expander.deadlock(happenings):
                yield DEADLOCK, deadlock, path
            groups = refused_alike(explored, happenings)
            options = list(without_middles(happenings, groups))
            if not options:
                return
            try:
                path = (*path, self._let_one(state, options))
            except Restless as error:
                expander.judge.take()
                yield RESTLESS, error.args[0], (*path, error.args[1])
                return
            for property_, how in expander.judge.take():
                yield property_, how, path

    def _let_one(self, state: HeapState, options: list[Happening]) -> Happening:
        """Let one of some happenings happen, with answers that are read then. Raises Restless."""
        explored = self._expander.explored
        while True:
            kind = self._random.choice(sorted({one[0] for one in options}))
            happening = self._random.choice([one for one in options if one[0] == kind])
            explored.restore(state)
            try:
                explored.let(happening)
            except Undecided as error:
                self._expander.judge.take()
                answers, alike = error.tried(happening)
                options = list(without_middles(answers, alike))
            except Restless as error:
                raise Restless(str(error), happening) from None
            else:
                return happening

    def shorten(self, way: Way) -> Way:
        """The same without what is not needed for it."""
        property_, how, path = way
        size = max(1, len(path) // 2)
        while True:
            at = 0
            while at < len(path):
                shorter = (*path[:at], *path[at + size :])
                again = self._replay(property_, shorter)
                if again is None:
                    at += size
                else:
                    how, path = again
            if size == 1:
                return property_, how, path
            size = (size + 1) // 2

    def _replay(
        self, property_: str, path: Sequence[Happening]
    ) -> tuple[str, tuple[Happening, ...]] | None:
        """How a path breaks a property, and the part of it that does; None if it does not."""
        expander, explored = self._expander, self._expander.explored
        expander.go_to(self._first)
        for number, happening in enumerate(path, 1):
            try:
                explored.let(happening)
            except Restless as error:
                broken = [(RESTLESS, str(error)), *expander.judge.take()]
            except (Undecided, LookupError, StopIteration, ValueError):
                expander.judge.take()
                return None
            else:
                broken = expander.judge.take()
            if property_ == DEADLOCK and (how := expander.deadlock(explored.happenings())):
                broken.append((DEADLOCK, how))
            for name, how in broken:
                if name == property_:
                    return how, tuple(path[:number])
            if any(name == RESTLESS for name, _ in broken):
                return None
        return None
