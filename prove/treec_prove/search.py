"""Explores all that can happen to a system, equal states once, the nearest first."""

from __future__ import annotations

import gc
import os
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from treec.source.errors import TreecError
from treec_prove.expander import GB, Expander, Holds, Tried, memory_most, memory_taken
from treec_prove.explored import MOST_AT_ONCE, Explored, Restless
from treec_prove.happenings import Happening
from treec_prove.liveness import StateGraph, breaks_until, never_comes
from treec_prove.properties import (
    DEADLOCK,
    FINISHES,
    RESTLESS,
    STOP,
    Property,
    PropertyJudge,
)
from treec_prove.undecided import Undecided
from treec_prove.visited import Visited, as_happening
from treec_prove.walks import Walks
from treec_prove.workers import ProofProcesses

if TYPE_CHECKING:
    from treec_prove.snapshots import HeapState

OTHERS = 7
"""Ways to break a property that are kept beside the shortest."""

WRITE_EVERY = 60.0
"""Seconds between two times at which it is written what was visited, at least."""

EXHAUSTED, TO_DEPTH, BUDGET = "proved", "proved to depth", "not proved"


@dataclass(frozen=True)
class ProofLimits:
    """When an exploration ends that has not come to an end."""

    depth: int | None = None
    states: int | None = None
    seconds: float | None = None
    snapshots: int = 20_000
    """States kept as they are; others are come to again from the beginning."""
    jobs: int = 1
    """Processes."""
    memory: int | None = None
    """Bytes that all processes take, at most."""
    is_stopped: Callable[[], bool] = lambda: False
    """Whether somebody has said that it is to end."""


@dataclass(frozen=True)
class Broken:
    """A property that is broken: how, and what happens until then."""

    property: str
    how: str
    path: tuple[Happening, ...]
    stop: tuple[Happening, ...] = ()
    """The stop that is then lost, with what happens at the same moment."""
    is_seen: bool = True
    """Whether the end of the path shows it; else it is broken by what need not come after it."""


@dataclass
class Found:
    """What an exploration has come to."""

    states: int = 0
    steps: int = 0
    refused: int = 0
    """Answers that were read and not tried, since they are refused as others are."""
    depth: int = 0
    """How many happenings lie between the beginning and the farthest state."""
    is_complete: bool = False
    """Whether all states were visited."""
    why_not: str = ""
    """Why not, if not."""
    sure: int = 0
    """All that takes at most so many steps was judged."""
    before: int = 0
    """How many of the states were visited before this process went on."""
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of all processes."""
    memory: int = 0
    """Bytes that all processes took, at most."""
    broken: list[Broken] = field(default_factory=list)
    """For each property that is broken the shortest way there."""
    others: dict[str, list[Broken]] = field(default_factory=dict)
    """The next ways there, which a run may confirm where it does not confirm the shortest."""
    unreached: list[str] = field(default_factory=list)
    """Nodes that were never ticked, and options that were never chosen."""
    unused: set[str] = field(default_factory=set)
    """Properties that nothing could break of what has happened."""
    ends: list[str] = field(default_factory=list)
    """The nodes that wait in states in which nothing can happen any more."""
    notes: set[str] = field(default_factory=set)

    later: frozenset[str] = frozenset((FINISHES,))
    """Properties that only all states together can show."""
    open: frozenset[str] = frozenset()
    """Properties about what comes in time, where timers are due at any moment."""
    proved_before: frozenset[str] = frozenset()
    """Properties that an exploration before this one has proved."""

    def verdict_of(self, property_: str) -> str:
        """The verdict about a property that is not broken."""
        if property_ in self.proved_before:
            return EXHAUSTED
        if property_ in self.open:
            return f"{BUDGET} (with timers that are due at any moment nothing comes in time)"
        if property_ in self.later and not self.is_complete:
            return f"{BUDGET} (only all states together show it)"
        # in the farthest states nobody has looked at what can happen next
        return self._verdict(self.sure - (property_ in (DEADLOCK, STOP)))

    @property
    def verdict(self) -> str:
        """The verdict about properties of single states that are not broken."""
        return self._verdict(self.sure)

    def _verdict(self, depth: int) -> str:
        if self.is_complete:
            return EXHAUSTED
        if depth < 1:
            return f"{BUDGET} ({self.why_not})"
        is_wanted = self.why_not.startswith("depth")
        return f"{TO_DEPTH} {depth}" if is_wanted else f"{TO_DEPTH} {depth} ({self.why_not})"


@dataclass
class _OpenState:
    """A state that is to be expanded."""

    print: bytes
    depth: int
    state: HeapState | None
    worker: int = 0
    """The process that has found it."""


Progress = Callable[[int, int], None]
"""Told how many states were visited and are open."""


class Search:
    """One exploration of a run."""

    def __init__(
        self,
        explored: Explored,
        judge: PropertyJudge,
        limits: ProofLimits,
        *,
        stops: bool = True,
        on_progress: Progress = lambda visited, open_: None,
        file: Path | None = None,
    ) -> None:
        self.explored = explored
        self.judge = judge
        self.limits = limits
        self.expander = Expander(explored, judge, stops)
        self.found = Found(later=frozenset((FINISHES, *(one.text for one in judge.later))))
        self.parents: dict[bytes, tuple[bytes, Happening] | None] = {}
        self._progress = on_progress
        self._file = file
        """Where it is written what was visited, and from where it goes on."""
        self._expanded: set[int] = set()
        self._write_after = 0.0
        self.graph = StateGraph()
        self.numbers: dict[bytes, int] = {}
        """The number of each state, in the order in which they were found."""
        self._conditions: dict[Property | None, tuple[list[bool], list[bool]]] = {
            one: ([], []) for one in (None, *judge.later)
        }
        """In each state, whether the first and the second condition of a property hold."""
        self._first: HeapState | None = None
        self._kept = 0
        self._began = self._told = 0.0
        self._memory = memory_taken()
        """Bytes that all processes take."""
        self._most = 0
        self._until_broken = False
        self._by_chance: set[str] = set()
        """Properties that so far only a walk has broken, maybe not by the shortest way."""

    def run(self, until_broken: bool = False) -> Found:
        """Explore; with ``until_broken`` the first broken property ends it."""
        gc.collect()
        gc.freeze()
        gc.disable()
        began, cpu = time.monotonic(), sum(os.times()[:4])
        try:
            self._explore(began, until_broken)
        finally:
            gc.enable()
            gc.unfreeze()
        if self.explored.time.was_looked_at:
            self.found.is_complete, self.found.sure = False, 0
            self.found.why_not = "conditions look at the time: age(…) or now"
            if self.found.open:
                self.found.why_not += ", or a node does"
        elif self.explored.answers.was_cut:
            self.found.is_complete, self.found.sure = False, 0
            self.found.why_not = "answers were cut"
            if self.found.open:
                self.found.why_not += f", or more than {MOST_AT_ONCE} timers run at once"
        self._judge_later()
        reached = self.judge.reached
        self.found.unreached = [name for name in self.judge.known if name not in reached]
        firsts = {one: first for one, (first, _) in self._conditions.items()}
        self.found.ends = self.judge.ends
        self.found.unused = self.judge.unused(firsts)
        self.found.seconds = time.monotonic() - began
        self.found.cpu = sum(os.times()[:4]) - cpu
        self.found.states = max(len(self.parents), self.found.before)
        self.found.refused = self.expander.refused
        self.found.notes |= self.explored.answers.notes | self.explored.notes
        self.found.memory = max(self._most, memory_most() if self.limits.jobs == 1 else 0)
        return self.found

    def _explore(self, began: float, until_broken: bool) -> None:
        first = self._first = self.explored.save()
        print_ = self.explored.fingerprint(first)
        self._add(print_, None, self.expander.holds())
        self._note_broken(print_, None, self.judge.take())
        self._began = self._told = began
        self._until_broken = until_broken
        todo = deque([_OpenState(print_, 0, first)])
        if self._file is not None and self._file.exists():
            is_whole, todo = self._come_again(Visited.read(self._file), todo[0])
            if not is_whole:
                return
        is_whole = self._in_processes(todo) if self.limits.jobs > 1 else self._alone(todo)
        if is_whole:
            self.found.sure = self.limits.depth or self.found.depth
        self.found.is_complete = is_whole and not self.found.why_not
        self._write()
        if is_whole and not self.found.is_complete:
            self.found.why_not = f"depth {self.limits.depth}"

    def _alone(self, todo: deque[_OpenState]) -> bool:
        """Expand all states in this process; False if something ended that."""
        assert self._first is not None
        walks = Walks(self.expander, self._first)
        while todo:
            node = todo.popleft()
            if self._is_cut(node):
                continue
            self.found.sure = node.depth
            for step in self.expander.expand(self._state_of(node)):
                if self._is_over(len(todo)):
                    return False
                new = self._merge(node, step)
                if new is not None:
                    keeps = self._kept < self.limits.snapshots
                    self._kept += keeps
                    new.state = step.state if keeps else None
                    todo.append(new)
            self._expanded.add(self.numbers[node.print])
            self._walk(walks)
            self._write_now_and_then()
            if self._is_over(len(todo)):
                return False
        return True

    def _walk(self, walks: Walks) -> None:
        """Go farther by chance, now and then; what that breaks counts until a shorter way does."""
        for way in walks.take_if_due(self.found.steps):
            if all(one.property != way[0] for one in self.found.broken):
                self._by_chance.add(way[0])
                self.found.broken.append(Broken(*walks.shorten(way)))
                return

    def _in_processes(self, todo: deque[_OpenState]) -> bool:
        """Expand all states in several processes, one depth after the other; the same."""
        assert self._first is not None
        self.explored.restore(self._first)  # where the copies begin
        with ProofProcesses(self.expander, self.limits.jobs, self.limits.snapshots) as workers:
            following, taken = list(todo), {-1: memory_taken()}
            while following := [node for node in following if not self._is_cut(node)]:
                level = [node for node in following if node.depth == following[0].depth]
                del following[: len(level)]
                self.found.sure = level[0].depth
                known = {node.print: node for node in level}
                tasks = [(node.print, node.worker, self.path(node.print)) for node in level]
                for worker, print_, report in workers.expand(tasks):
                    self.expander.adopt(report)
                    taken[worker] = report.memory
                    self._memory = sum(taken.values())
                    self._most = max(self._most, self._memory)
                    for step in report.steps:
                        if new := self._merge(known[print_], step):
                            new.worker = worker
                            following.append(new)
                    self._expanded.add(self.numbers[print_])
                    self._write_now_and_then()
                    if self._is_over(len(following)):
                        return False
        return True

    def _is_cut(self, node: _OpenState) -> bool:
        is_cut = self.limits.depth is not None and node.depth >= self.limits.depth
        if is_cut:
            self.found.why_not = f"depth {self.limits.depth}"
        return is_cut

    def _is_over(self, open_: int) -> bool:
        """Whether the exploration ends before all states are visited."""
        found, limits, now = self.found, self.limits, time.monotonic()
        if now - self._told > 1:
            self._told = now
            self._progress(len(self.parents), open_)
            gc.collect(0)
            if limits.jobs == 1:
                self._memory = memory_taken()
        why = ""
        if self._until_broken and found.broken:
            why = "a property is broken"
        elif limits.is_stopped():
            why = "stopped"
        elif limits.seconds is not None and now - self._began > limits.seconds:
            why = f"budget of {limits.seconds:g} s"
        elif limits.states is not None and len(self.parents) >= limits.states and open_:
            why = f"budget of {limits.states:,} states"
        elif limits.memory is not None and self._memory > limits.memory:
            why = f"memory: {limits.memory / GB:.3g} GB are taken"
        found.why_not = why or found.why_not
        return bool(why)

    def _come_again(self, known: Visited, begin: _OpenState) -> tuple[bool, deque[_OpenState]]:
        """Come to all states that were visited before, and say which of them are to be expanded.

        False if something ends that before: then what is known of them is all that is found. Raises
        TreecError if it cannot be come to them.
        """
        prints, depths, states = [begin.print], [0], {0: begin.state}
        last = {parent: number for number, parent in enumerate(known.parents)}
        for parent in known.parents[1:]:
            depths.append(depths[parent] + 1)
        open_ = [number for number in range(len(depths)) if number not in known.expanded]
        self.found.sure = min((depths[number] for number in open_), default=max(depths))
        self.found.before, self.found.depth = len(depths), max(depths)
        self._adopt(known)
        for number, (parent, happening) in enumerate(zip(known.parents, known.by, strict=True)):
            if number == 0:
                continue
            if self._is_over(len(depths) - number):
                return False, deque()
            state = states.get(parent)
            try:
                self._come_to(prints[parent], state, happening)
            except (Restless, Undecided, LookupError, StopIteration):
                why = "what was visited is not come to in the same way any more"
                raise TreecError(f"{self._file}: {why}; remove it to begin anew") from None
            after = self.explored.save()
            print_ = self.explored.fingerprint(after)
            self.judge.take()
            prints.append(print_)
            if print_ not in self.parents:
                self._add(print_, (prints[parent], happening), self.expander.holds())
                self.expander.met.add(print_)
            is_needed = number in last or number not in known.expanded
            if is_needed and len(states) < self.limits.snapshots:
                states[number] = after
            if last[parent] == number and parent in known.expanded:
                states.pop(parent, None)
        self._adopt_steps(known, [self.numbers[one] for one in prints])
        self.found.before = len(self.parents)
        opened = {prints[n]: _OpenState(prints[n], depths[n], states.get(n)) for n in open_}
        ways = (one for one in opened.values() if self.numbers[one.print] not in self._expanded)
        self._kept = len(states)
        return True, deque(sorted(ways, key=lambda one: one.depth))

    def _come_to(self, print_: bytes, state: HeapState | None, happening: Happening) -> None:
        """Go to a state, as it was kept or from the beginning, and let something happen there."""
        if state is None:
            assert self._first is not None
            self.expander.go_to(self._first, (*self.path(print_), happening))
        else:
            self.expander.go_to(state, (happening,))

    def _adopt_steps(self, known: Visited, numbers: Sequence[int]) -> None:
        """Take over the steps between states, by their present numbers."""
        self._expanded = {numbers[number] for number in known.expanded}
        for before, after, has_to in zip(known.before, known.after, known.has_to, strict=True):
            self.graph.add(numbers[before], numbers[after], bool(has_to))

    def _adopt(self, known: Visited) -> None:
        """Take over what was found before."""
        found, explored = self.found, self.explored
        found.steps = len(known.before)
        for first, *others in known.broken:
            ways = [Broken(*as_happening(one)) for one in (first, *others)]
            found.broken.append(ways[0])
            found.others[ways[0].property] = ways[1:]
        self.expander.refused = known.known["refused"]
        self.judge.reached |= set(known.known["reached"])
        explored.notes |= set(known.known["notes"])
        explored.answers.notes |= set(known.known["answers"])
        explored.answers.was_cut |= known.known["cut"]
        explored.time.was_looked_at |= known.known["time"]

    def _write_now_and_then(self) -> None:
        """Write what was visited, unless that was done lately."""
        now = time.monotonic()
        if not self._write_after:
            self._write_after = now + WRITE_EVERY
        elif now >= self._write_after:
            self._write()

    def _write(self) -> None:
        """Write what was visited, if somebody keeps it."""
        if self._file is None:
            return
        began = time.monotonic()
        graph, explored = self.graph, self.explored
        edges = zip(graph.before, graph.after, graph.has_to, strict=True)
        kept = [edge for edge in edges if edge[0] in self._expanded]
        columns = [array("q", (edge[place] for edge in kept)) for place in range(3)]
        ways = [parent or (b"", ()) for parent in self.parents.values()]
        Visited(
            parents=array("q", (self.numbers.get(parent, -1) for parent, _ in ways)),
            by=[happening for _, happening in ways],
            expanded=self._expanded,
            before=columns[0],
            after=columns[1],
            has_to=columns[2],
            broken=[
                [list(astuple(one)) for one in (first, *self.found.others.get(first.property, ()))]
                for first in self.found.broken
            ],
            known={
                "refused": self.expander.refused,
                "reached": sorted(self.judge.reached),
                "notes": sorted(explored.notes),
                "answers": sorted(explored.answers.notes),
                "cut": explored.answers.was_cut,
                "time": explored.time.was_looked_at,
            },
        ).write(self._file)
        now = time.monotonic()
        self._write_after = now + max(WRITE_EVERY, 50 * (now - began))

    def _merge(self, node: _OpenState, step: Tried) -> _OpenState | None:
        """Take note of a step from a state; the state it leads to, if that is new."""
        found = self.found
        if step.deadlock:
            self._break(DEADLOCK, step.deadlock, node.print, None)
        for stop, how in step.lost:
            if all(one.property != STOP for one in found.broken):
                found.broken.append(Broken(STOP, how, self.path(node.print), stop))
        if step.happening is None:
            return None
        found.steps += 1
        if step.print is None:
            self._break(RESTLESS, step.restless, node.print, step.happening)
            return None
        is_new = step.print not in self.parents
        if is_new:
            assert step.holds is not None
            self._add(step.print, (node.print, step.happening), step.holds)
            found.depth = max(found.depth, node.depth + 1)
        self.graph.add(self.numbers[node.print], self.numbers[step.print], step.has_to)
        self._note_broken(node.print, step.happening, step.broken)
        return _OpenState(step.print, node.depth + 1, None) if is_new else None

    def _add(
        self, print_: bytes, parent: tuple[bytes, Happening] | None, holds: Sequence[Holds]
    ) -> None:
        """Take note of a new state, and which conditions hold in it."""
        self.numbers[print_] = len(self.parents)
        self.parents[print_] = parent
        for (first, then), now in zip(self._conditions.values(), holds, strict=True):
            first.append(now[0])
            then.append(now[1])

    def _judge_later(self) -> None:
        """Judge what must come later, if all states are known."""
        if not self.found.is_complete or self.found.open:
            return
        prints = list(self.parents)
        for one, (first, then) in self._conditions.items():
            at = None
            if one is not None and one.word == "until":
                at = breaks_until(self.graph, first, then)
            ends_before = at is not None
            if at is None:
                begins = first
                if one is not None and one.word != "leads to":
                    begins = [number == 0 for number in range(len(first))]
                at = never_comes(self.graph, begins, then)
            if at is not None:
                what = "nobody comes to the end of it" if one is None else f"not {one.then}"
                how = f"from then on it may be for ever: {what}"
                if one is not None and ends_before:
                    how = f"before {one.then} it is not so: {one.first}"
                name = FINISHES if one is None else one.text
                self._break(name, how, prints[at], None, is_seen=ends_before)

    def _state_of(self, node: _OpenState) -> HeapState:
        """Go to a state: as it was kept, or by all that has happened until then."""
        if node.state is not None:
            self._kept -= 1
            return self.expander.go_to(node.state)
        assert self._first is not None
        return self.expander.go_to(self._first, self.path(node.print))

    def _note_broken(
        self, before: bytes, happening: Happening | None, broken: Iterable[tuple[str, str]]
    ) -> None:
        for property_, how in broken:
            self._break(property_, how, before, happening)

    def _break(
        self, property_: str, how: str, at: bytes, then: Happening | None, *, is_seen: bool = True
    ) -> None:
        others = self.found.others.setdefault(property_, [])
        if property_ in self._by_chance:
            self._by_chance.remove(property_)
            others += (one for one in self.found.broken if one.property == property_)
            self.found.broken = [one for one in self.found.broken if one.property != property_]
        is_first = all(one.property != property_ for one in self.found.broken)
        if not is_first and len(others) >= OTHERS:
            return
        path = self.path(at)
        broken = Broken(property_, how, (*path, *([then] if then else [])), is_seen=is_seen)
        if broken in others or broken in self.found.broken:
            return
        (self.found.broken if is_first else others).append(broken)  # the first is the shortest

    def path(self, print_: bytes) -> tuple[Happening, ...]:
        """What has happened until a state."""
        found: list[Happening] = []
        while (parent := self.parents[print_]) is not None:
            print_, happening = parent
            found.append(happening)
        return tuple(found[::-1])
