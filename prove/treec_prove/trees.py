"""Proofs about trees alone: that two do the same, and which statuses one can return.

Every answer of every leaf and every value of what expressions read is tried at every tick, from
every state that a tree can come to; equal states are visited once. With all states visited this is
a proof; where the number of states is bounded, it is one for the ticks that were looked at.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, Protocol

from treec_prove.answering import Choices, Happened, Met, Undefined

Verdict = Literal["proved", "refuted", "bounded"]


class TickedTree(Protocol):
    """What is ticked: a tree of treec's, or a model of another engine's."""

    name: str

    def tick(self, choices: Choices) -> Happened:
        """Tick once, with these answers."""

    def halt(self) -> Happened:
        """Halt the whole."""

    def save(self) -> object:
        """All that it remembers."""

    def restore(self, saved: object) -> None:
        """Go on from there."""

    @property
    def state(self) -> object:
        """What tells states apart."""

    @property
    def dues(self) -> Sequence[float]:
        """When its timers are due."""

    @property
    def durations(self) -> Collection[float]:
        """How long timers of it take, in seconds."""


@dataclass(frozen=True)
class TreeLimits:
    """How much is looked at: states, ticks that are tried, ticks in a row, seconds of CPU."""

    states: int | None = None
    ticks: int | None = None
    depth: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class TriedTick:
    """A tick, or the halt of the whole: its answers, and what each tree did."""

    answers: tuple[tuple[str, str], ...]
    seconds: float
    did: tuple[Happened, ...]
    is_halt: bool = False
    met: Met | None = None
    """Where it was left off, for it would go on as another one did."""


@dataclass
class TreesExplored:
    """What was found: the verdict, its extent, and the shortest way to a difference."""

    verdict: Verdict
    states: int = 0
    ticks: int = 0
    """How many were tried, one for each way to answer."""
    depth: int = 0
    """The ticks in a row after which every state is known, or were looked at."""
    steps: list[TriedTick] = field(default_factory=list)
    statuses: set[str] = field(default_factory=set)
    seen: dict[str, set[str]] = field(default_factory=dict)
    """The statuses of each node of the first tree, by its path."""
    why: str = ""
    """What ended it, if not all was looked at: depth, or a budget."""


@dataclass
class _State:
    saved: tuple[object, ...]
    depth: int
    before: int
    step: TriedTick | None


def explore(
    trees: Sequence[TickedTree],
    limits: TreeLimits = TreeLimits(),
    on_progress: Callable[[int, int], None] = lambda states, waiting: None,
) -> TreesExplored:
    """Look at all that the trees do, side by side, until they differ.

    They are given the same answers at each tick: the same question, of a leaf that does the same or
    a value, has one answer for all. They differ where a tick's status is another one, or another
    leaf is ticked or halted, or in another order. Raises NotFinite.
    """
    found = TreesExplored("proved")
    began = time.process_time()
    first = tuple(tree.save() for tree in trees)
    states = [_State(first, 0, -1, None)]
    known = {tuple(tree.state for tree in trees)}
    waiting = deque([0])
    is_over = False
    while waiting and not is_over:
        number = waiting.popleft()
        state = states[number]
        if limits.depth is not None and state.depth >= limits.depth:
            found.verdict, found.why = "bounded", "depth"
            continue
        for step in _steps(trees, state.saved):
            found.ticks += 1
            _note(found, trees[0], step)
            if step.met is None and any(_differs(step.did[0], other) for other in step.did[1:]):
                found.verdict, found.why = "refuted", ""
                found.steps = [*_way(states, number), step]
                found.depth, found.states = len(found.steps), len(known)
                return found
            key = tuple(tree.state for tree in trees) if step.met is None else None
            if key is not None and key not in known:
                known.add(key)
                saved = tuple(tree.save() for tree in trees)
                states.append(_State(saved, state.depth + 1, number, step))
                waiting.append(len(states) - 1)
            if found.ticks == limits.ticks:
                found.why, is_over = f"budget {limits.ticks:,} ticks", True
                break
            if found.ticks % 256 == 0:
                on_progress(len(known), len(waiting))
                if limits.seconds is not None and time.process_time() - began > limits.seconds:
                    found.why, is_over = f"budget {limits.seconds:g} s", True
                    break
        state.saved = ()
        found.depth = max(found.depth, state.depth + 1)
        if limits.states is not None and len(known) > limits.states:
            found.why, is_over = f"budget {limits.states:,} states", True
    if is_over:
        found.verdict, found.depth = "bounded", states[number].depth
    found.states = len(known)
    return found


def _steps(trees: Sequence[TickedTree], saved: Sequence[object]) -> Iterator[TriedTick]:
    """Each tick that can follow a state: now, until the next timer is due, or then; and a halt."""
    for tree, kept in zip(trees, saved, strict=True):
        tree.restore(kept)
    now = _now(trees)
    dues = {round(due - now, 9) for tree in trees for due in tree.dues}
    durations = {seconds for tree in trees for seconds in tree.durations}
    for later in (0.0, *moments(dues, durations)):
        known: set[object] | None = set() if len(trees) == 1 else None
        waiting: list[tuple[int, ...]] = [()]
        while waiting:
            choices = Choices(waiting.pop(), known=known)
            did, met = [], None
            for tree, kept in zip(trees, saved, strict=True):
                tree.restore(kept)
            _set_time(trees, now + later)
            is_defined = True
            for tree in trees:
                try:
                    did.append(tree.tick(choices))
                except Undefined:
                    is_defined = False
                    break
                except Met as at:
                    did, met = [Happened()], at
            waiting.extend(choices.others())
            if not is_defined:
                continue
            answers = tuple((_question(q), _answer(a)) for q, a in choices.answers.items())
            yield TriedTick(answers, later, tuple(did), met=met)
    for tree, kept in zip(trees, saved, strict=True):
        tree.restore(kept)
    yield TriedTick((), 0.0, tuple(tree.halt() for tree in trees), is_halt=True)


def moments(dues: Collection[float], durations: Collection[float]) -> list[float]:
    """When to tick until the next timer is due, all in seconds from now, the last one then.

    A timer that begins at one of these moments, or one that begins as it ends, is due before, with
    or after each of those that run; what lies between two such moments is tried on a grid of half
    of what all durations are multiples of, so that there are no more states than on that grid.
    """
    if not dues:
        return []
    first = min(dues)
    sums = {*durations, *(one + other for one in durations for other in durations)}
    cuts = {round(due - one, 9) for due in dues for one in sums}
    points = [0.0, *sorted(cut for cut in cuts if 0 < cut < first), first]
    grid = math.gcd(*(round(one * 2000) for one in durations)) / 4000 or first
    found = []
    for low, high in pairwise(points):
        middle = round((low + high) / 2 // grid * grid, 9)
        found += [middle] if low < middle < high else []
        found.append(high)
    return found


def _now(trees: Sequence[TickedTree]) -> float:
    return max(
        (clock.now() for tree in trees if (clock := getattr(tree, "clock", None))), default=0
    )


def _set_time(trees: Sequence[TickedTree], now: float) -> None:
    for tree in trees:
        clock = getattr(tree, "clock", None)
        if clock is not None:
            clock.set(now)


def _question(question: tuple[str, ...]) -> str:
    return question[0] if len(question) < 4 else f"{question[3]} of {question[0]}"


def _answer(answer: object) -> str:
    return str(getattr(answer, "name", answer))


def _differs(one: Happened, other: Happened) -> bool:
    return (one.status, one.done, one.halted) != (other.status, other.done, other.halted)


def _way(states: Sequence[_State], number: int) -> list[TriedTick]:
    steps: list[TriedTick] = []
    while (step := states[number].step) is not None:
        steps.append(step)
        number = states[number].before
    return steps[::-1]


def _note(found: TreesExplored, tree: TickedTree, step: TriedTick) -> None:
    if step.is_halt:
        return
    nodes = getattr(tree, "nodes", ())
    if step.met is None:
        found.statuses.add(step.did[0].status)
    else:
        ended = (node for node in nodes if node not in step.met.ticked)
        nodes = [node for node in ended if node.status.name in ("SUCCESS", "FAILURE")]
    for node in nodes:
        path = getattr(node, "path", node.name)
        found.seen.setdefault(path, set()).add(node.status.name)
