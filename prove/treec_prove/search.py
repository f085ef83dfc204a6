"""Explores all that can happen to a system, equal states once, the nearest first."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec_prove.explored import BUTTON, Explored, Restless
from treec_prove.happenings import Happening, is_voluntary, never_has_to, parts_of
from treec_prove.liveness import StateGraph, breaks_until, never_comes
from treec_prove.properties import (
    DEADLOCK,
    FINISHES,
    RESTLESS,
    STOP,
    Property,
    PropertyJudge,
    find_deadlock,
    has_work,
)

if TYPE_CHECKING:
    from treec_prove.snapshots import HeapState

OTHERS = 7
"""Ways to break a property that are kept beside the shortest."""

EXHAUSTED, TO_DEPTH, BUDGET = "proved", "proved to depth", "not proved"


@dataclass(frozen=True)
class ProofLimits:
    """When an exploration ends that has not come to an end."""

    depth: int | None = None
    states: int | None = None
    seconds: float | None = None
    snapshots: int = 20_000
    """States kept as they are; others are come to again from the beginning."""


@dataclass(frozen=True)
class Broken:
    """A property that is broken: how, and what happens until then."""

    property: str
    how: str
    path: tuple[Happening, ...]
    stop: tuple[Happening, ...] = ()
    """The stop that is then lost, with what happens at the same moment."""


@dataclass
class Found:
    """What an exploration has come to."""

    states: int = 0
    steps: int = 0
    depth: int = 0
    """How many happenings lie between the beginning and the farthest state."""
    is_complete: bool = False
    """Whether all states were visited."""
    why_not: str = ""
    """Why not, if not."""
    seconds: float = 0.0
    cpu: float = 0.0
    broken: list[Broken] = field(default_factory=list)
    """For each property that is broken the shortest way there."""
    others: dict[str, list[Broken]] = field(default_factory=dict)
    """The next ways there, which a run may confirm where it does not confirm the shortest."""
    unreached: list[str] = field(default_factory=list)
    """Nodes that were never ticked, and options that were never chosen."""
    notes: set[str] = field(default_factory=set)

    later: frozenset[str] = frozenset((FINISHES,))
    """Properties that only all states together can show."""

    def verdict_of(self, property_: str) -> str:
        """The verdict about a property that is not broken."""
        if property_ in self.later and not self.is_complete:
            return f"{BUDGET} (only all states together show it)"
        return self.verdict

    @property
    def verdict(self) -> str:
        """The verdict about properties of single states that are not broken."""
        if self.is_complete:
            return EXHAUSTED
        if self.why_not.startswith("depth"):
            return f"{TO_DEPTH} {self.depth}"
        return f"{BUDGET} ({self.why_not})"


@dataclass
class _OpenState:
    """A state that is to be expanded."""

    print: bytes
    depth: int
    state: HeapState | None


Progress = Callable[[int, int], None]
"""Told how many states were visited and are open."""


class Search:
    """One exploration of a run, in one process."""

    def __init__(
        self,
        explored: Explored,
        judge: PropertyJudge,
        limits: ProofLimits,
        *,
        stops: bool = True,
        on_progress: Progress = lambda visited, open_: None,
    ) -> None:
        self.explored = explored
        self.judge = judge
        self.limits = limits
        self.stops = stops
        self.found = Found(later=frozenset((FINISHES, *(one.text for one in judge.later))))
        self.parents: dict[bytes, tuple[bytes, Happening] | None] = {}
        self._progress = on_progress
        self.graph = StateGraph()
        self.numbers: dict[bytes, int] = {}
        """The number of each state, in the order in which they were found."""
        self._conditions: dict[Property | None, tuple[list[bool], list[bool]]] = {
            one: ([], []) for one in (None, *judge.later)
        }
        """In each state, whether the first and the second condition of a property hold."""
        self._first: HeapState | None = None
        self._kept = 0

    def run(self, until_broken: bool = False) -> Found:
        """Explore; with ``until_broken`` the first broken property ends it."""
        gc.collect()
        gc.freeze()
        gc.disable()
        began, cpu = time.monotonic(), time.process_time()
        try:
            self._explore(began, until_broken)
        finally:
            gc.enable()
            gc.unfreeze()
        if self.explored.time.was_looked_at:
            self.found.is_complete = False
            self.found.why_not = "conditions look at the time: age(…) or now"
        self._judge_later()
        reached = self.judge.reached
        self.found.unreached = [name for name in self.judge.known if name not in reached]
        self.found.seconds = time.monotonic() - began
        self.found.cpu = time.process_time() - cpu
        self.found.states = len(self.parents)
        self.found.notes |= self.explored.answers.notes | self.explored.notes
        if self.explored.answers.was_cut and self.found.is_complete:
            self.found.is_complete, self.found.why_not = False, "answers were cut"
        return self.found

    def _explore(self, began: float, until_broken: bool) -> None:
        explored, found, limits = self.explored, self.found, self.limits
        first = self._first = explored.save()
        print_ = explored.fingerprint(first)
        self._add(print_, None)
        self._note_broken(print_, None)
        todo: deque[_OpenState] = deque([_OpenState(print_, 0, first)])
        told = began
        cut_by_depth = False
        while todo:
            if until_broken and found.broken:
                found.why_not = "a property is broken"
                return
            now = time.monotonic()
            if now - told > 1:
                told = now
                self._progress(len(self.parents), len(todo))
                gc.collect(0)
            if limits.seconds is not None and now - began > limits.seconds:
                found.why_not = f"budget of {limits.seconds:g} s"
                return
            if limits.states is not None and len(self.parents) >= limits.states:
                found.why_not = f"budget of {limits.states:,} states"
                return
            node = todo.popleft()
            if limits.depth is not None and node.depth >= limits.depth:
                cut_by_depth = True
                continue
            self._expand(node, todo)
        found.is_complete = not cut_by_depth
        if cut_by_depth:
            found.why_not = f"depth {limits.depth}"

    def _expand(self, node: _OpenState, todo: deque[_OpenState]) -> None:
        explored, found = self.explored, self.found
        state = self._state_of(node)
        happenings = explored.happenings()
        must = any(not is_voluntary(one) for one in happenings)
        never = never_has_to(happenings, explored.late())
        if why := find_deadlock(explored.run, must):
            self._break(DEADLOCK, why, node.print, None)
        if self.stops and explored.orders():
            self._try_stop(node, state)
        waiting = deque(happenings)
        while waiting:
            happening = waiting.popleft()
            explored.restore(state)
            found.steps += 1
            try:
                explored.let(happening)
            except Restless as error:
                self.judge.take()
                self._break(RESTLESS, str(error), node.print, happening)
                continue
            waiting += explored.other_moments
            after = explored.save()
            print_ = explored.fingerprint(after)
            is_new = print_ not in self.parents
            if is_new:
                self._add(print_, (node.print, happening))
            has_to = never.isdisjoint(parts_of(happening))
            self.graph.add(self.numbers[node.print], self.numbers[print_], has_to)
            self._note_broken(node.print, happening)
            if is_new:
                found.depth = max(found.depth, node.depth + 1)
                keeps = self._kept < self.limits.snapshots
                self._kept += keeps
                todo.append(_OpenState(print_, node.depth + 1, after if keeps else None))

    def _add(self, print_: bytes, parent: tuple[bytes, Happening] | None) -> None:
        """Take note of a new state, which the run is in."""
        self.numbers[print_] = len(self.parents)
        self.parents[print_] = parent
        run = self.explored.run
        for one, (first, then) in self._conditions.items():
            at_work = has_work(run)
            holds = (at_work, not at_work) if one is None else one.holds_now(run)
            first.append(holds[0])
            then.append(holds[1])

    def _judge_later(self) -> None:
        """Judge what must come later, if all states are known."""
        if not self.found.is_complete:
            return
        prints = list(self.parents)
        for one, (first, then) in self._conditions.items():
            at = None
            if one is not None and one.word == "until":
                at = breaks_until(self.graph, first, then)
            if at is None:
                begins = first
                if one is not None and one.word != "leads to":
                    begins = [number == 0 for number in range(len(first))]
                at = never_comes(self.graph, begins, then)
            if at is not None:
                what = "nobody comes to the end of it" if one is None else f"not {one.then}"
                name = FINISHES if one is None else one.text
                self._break(name, f"from then on it may be for ever: {what}", prints[at], None)

    def _state_of(self, node: _OpenState) -> HeapState:
        """Go to a state: as it was kept, or by all that has happened until then."""
        explored = self.explored
        if node.state is not None:
            self._kept -= 1
            explored.restore(node.state)
            return node.state
        assert self._first is not None
        explored.restore(self._first)
        for happening in self.path(node.print):
            explored.let(happening)
        self.judge.take()
        return explored.save()

    def _try_stop(self, node: _OpenState, state: HeapState) -> None:
        explored = self.explored
        lost = []
        for stop in explored.stops():
            explored.restore(state)
            still = explored.stop_all(stop)
            self.judge.take()
            if still:
                how = " and ".join(one[-1] for one in stop)
                lost.append((stop, f"{', '.join(still)} goes on after {how}"))
        if lost and all(one.property != STOP for one in self.found.broken):
            # words alone make the plainest scenario, a button none that a file has
            stop, how = min(lost, key=lambda one: (one[0] == (BUTTON,), len(one[0])))
            self.found.broken.append(Broken(STOP, how, self.path(node.print), stop))
        explored.restore(state)

    def _note_broken(self, before: bytes, happening: Happening | None) -> None:
        for property_, how in self.judge.take():
            self._break(property_, how, before, happening)

    def _break(self, property_: str, how: str, at: bytes, then: Happening | None) -> None:
        others = self.found.others.setdefault(property_, [])
        is_first = all(one.property != property_ for one in self.found.broken)
        if not is_first and len(others) >= OTHERS:
            return
        path = self.path(at)
        broken = Broken(property_, how, (*path, *([then] if then else [])))
        (self.found.broken if is_first else others).append(broken)  # the first is the shortest

    def path(self, print_: bytes) -> tuple[Happening, ...]:
        """What has happened until a state."""
        found: list[Happening] = []
        while (parent := self.parents[print_]) is not None:
            print_, happening = parent
            found.append(happening)
        return tuple(found[::-1])
