"""Judges what must come later, on the graph of all states that were visited.

What has to happen happens some time: of all that can happen in a state again and again, skills'
ends, answers and timers, each does. People may say nothing, scenarios' events may not happen, and
skills that can end need never fail (``happenings.never_has_to``). Then Q comes from a state if,
wherever the run may go without Q, what has to happen can still lead to Q (in a
finite graph these are the same). Where that is lost, Q may never come.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class StateGraph:
    """The steps between states, by their numbers in the order in which they were found."""

    before: array[int] = field(default_factory=lambda: array("L"))
    after: array[int] = field(default_factory=lambda: array("L"))
    has_to: array[int] = field(default_factory=lambda: array("b"))
    """Whether a step has to happen some time, where it can."""

    def add(self, before: int, after: int, has_to: bool) -> None:
        """Note a step."""
        self.before.append(before)
        self.after.append(after)
        self.has_to.append(has_to)

    def coming_to(self, goals: Sequence[bool]) -> list[bool]:
        """Of each state, whether steps that have to happen can lead to a goal."""
        into: list[list[int]] = [[] for _ in goals]
        for before, after, has_to in zip(self.before, self.after, self.has_to, strict=True):
            if has_to:
                into[after].append(before)
        found = list(goals)
        todo = [number for number, is_goal in enumerate(goals) if is_goal]
        while todo:
            for before in into[todo.pop()]:
                if not found[before]:
                    found[before] = True
                    todo.append(before)
        return found

    def going_on(self, first: Sequence[int], may: Callable[[int], bool]) -> list[int]:
        """The states that are reached from some, through such as may be, in order of numbers."""
        out: list[list[int]] = [[] for _ in range(1 + max((*self.before, *self.after, *first)))]
        for before, after in zip(self.before, self.after, strict=True):
            out[before].append(after)
        found = {number for number in first if may(number)}
        todo = list(found)
        while todo:
            for after in out[todo.pop()]:
                if after not in found and may(after):
                    found.add(after)
                    todo.append(after)
        return sorted(found)


def never_comes(graph: StateGraph, from_: Sequence[bool], goals: Sequence[bool]) -> int | None:
    """The first state, come to from one of some without a goal, from which no goal need come."""
    comes = graph.coming_to(goals)
    begins = [number for number, is_first in enumerate(from_) if is_first]
    if not begins:
        return None
    without = graph.going_on(begins, lambda number: not goals[number])
    return next((number for number in without if not comes[number]), None)


def breaks_until(graph: StateGraph, holds: Sequence[bool], goals: Sequence[bool]) -> int | None:
    """The first state, come to from the beginning without a goal, in which it does not hold."""
    without = graph.going_on([0], lambda number: not goals[number])
    return next((number for number in without if not holds[number]), None)
