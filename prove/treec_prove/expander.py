"""Expands a state: all that can happen next, each tried, with what it leads to and breaks."""

from __future__ import annotations

import os
import resource
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec_prove.explored import BUTTON, Explored, Restless
from treec_prove.happenings import Happening, is_voluntary, never_has_to, parts_of
from treec_prove.properties import PropertyJudge, find_deadlock, has_work
from treec_prove.refusals import refused_alike, without_middles
from treec_prove.undecided import Undecided

if TYPE_CHECKING:
    from treec_prove.snapshots import HeapState

Holds = tuple[bool, bool]
"""Whether the first and the second condition of a property hold."""

Lost = tuple[tuple[Happening, ...], str]
"""A stop that does not stop all, and what goes on."""


GB = 10**9


def memory_taken() -> int:
    """Bytes of memory that this process takes, or has taken where the system tells no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return memory_most()


def memory_most() -> int:
    """Bytes of memory that this process has taken until now, at most."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def memory_bound() -> int:
    """Bytes at which a proof ends if nobody says otherwise: most of what the machine has."""
    return int(0.8 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


@dataclass
class Tried:
    """What happens in a state, and where it leads; or, without that, what is wrong in the state."""

    happening: Happening | None = None
    print: bytes | None = None
    """The fingerprint of the state that it leads to; None if that does not come to rest."""
    has_to: bool = False
    """Whether it has to happen some time, where it can."""
    broken: list[tuple[str, str]] = field(default_factory=list)
    restless: str = ""
    holds: tuple[Holds, ...] | None = None
    """Of a state that this process has not met before, for each property about what comes later."""
    deadlock: str = ""
    lost: list[Lost] = field(default_factory=list)
    state: HeapState | None = None


@dataclass
class Expansion:
    """What a process has found in a state, with all that it has come across until now."""

    steps: list[Tried]
    reached: set[str]
    notes: set[str]
    answers_notes: set[str]
    answers_cut: bool
    time_was_looked_at: bool
    refused: int
    memory: int
    """Bytes that the process takes."""


class Expander:
    """Expands states of one run."""

    def __init__(self, explored: Explored, judge: PropertyJudge, stops: bool) -> None:
        self.explored = explored
        self.judge = judge
        explored.notes |= judge.notes
        judge.notes = explored.notes
        self.stops = stops
        self.refused = 0
        """Answers that were not tried, since others that are refused alike were."""
        self.met: set[bytes] = set()
        """States that this process has met."""

    def go_to(self, state: HeapState, path: Iterable[Happening] = ()) -> HeapState:
        """Go to a state, and from there by what happens then."""
        self.explored.restore(state)
        for happening in path:
            self.explored.let(happening)
            state = self.explored.save()
        self.judge.take()
        return state

    def deadlock(self, happenings: Iterable[Happening]) -> str:
        """Who has work that nobody will ever do, if no more can happen; empty if nobody has."""
        must = any(not is_voluntary(one) for one in happenings)
        return find_deadlock(self.explored.run, must)

    def expand(self, state: HeapState) -> Iterator[Tried]:
        """All that can happen in the state that the run is in."""
        explored = self.explored
        happenings = explored.happenings()
        if not happenings:
            self.judge.note_end()
        never = never_has_to(happenings, explored.late())
        deadlock = self.deadlock(happenings)
        groups = refused_alike(explored, happenings)
        lost = list(self._lost_stops(state)) if self.stops and explored.orders() else []
        if deadlock or lost:
            yield Tried(deadlock=deadlock, lost=lost)
        prints: dict[Happening, bytes | None] = {}
        waiting = deque(without_middles(happenings, groups))
        while waiting or groups:
            if not waiting:  # of answers that are refused alike the first and the last were tried
                waiting += self._that_differ(groups.pop(), prints)
                continue
            happening = waiting.popleft()
            explored.restore(state)
            try:
                explored.let(happening)
            except Restless as error:
                self.judge.take()
                yield Tried(happening, restless=str(error))
                continue
            except Undecided as error:
                self.judge.take()
                options, alike = error.tried(happening)
                waiting += without_middles(options, alike)
                groups += alike
                continue
            waiting += explored.other_moments
            after = explored.save()
            print_ = prints[happening] = explored.fingerprint(after)
            has_to = never.isdisjoint(parts_of(happening))
            step = Tried(happening, print_, has_to, self.judge.take(), state=after)
            if print_ not in self.met:
                self.met.add(print_)
                step.holds = self.holds()
            yield step

    def _that_differ(
        self, group: list[Happening], prints: Mapping[Happening, bytes | None]
    ) -> list[Happening]:
        """The answers between the first and the last of a group, unless these lead to the same."""
        between = group[1:-1]
        if between and prints.get(group[0]) is not None and prints[group[0]] == prints[group[-1]]:
            self.refused += len(between)
            return []
        return between

    def holds(self) -> tuple[Holds, ...]:
        """Which conditions hold in the present state: of work, and of what must come later."""
        run = self.explored.run
        at_work = has_work(run)
        return (
            (at_work, not at_work),
            *(one.holds_now(run, self.judge.notes) for one in self.judge.later),
        )

    def _lost_stops(self, state: HeapState) -> Iterator[Lost]:
        """Stops that are lost: words alone, which make the plainest scenario, first."""
        explored, lost = self.explored, []
        waiting = deque(explored.stops())
        while waiting:
            stop = waiting.popleft()
            explored.restore(state)
            try:
                still = explored.stop_all(stop)
            except Undecided as error:
                waiting += [(first, *stop[1:]) for first in error.tried(stop[0])[0]]
                still = []
            self.judge.take()
            if still:
                how = " and ".join(part[-1] for one in stop for part in parts_of(one))
                lost.append((stop, f"{', '.join(still)} goes on after {how}"))
        yield from sorted(lost, key=lambda one: (is_by_button(one[0]), len(one[0])))

    def report(self, steps: list[Tried]) -> Expansion:
        """What another process is told."""
        explored = self.explored
        answers = explored.answers
        refused, self.refused = self.refused, 0
        return Expansion(
            steps,
            self.judge.reached,
            explored.notes,
            answers.notes,
            answers.was_cut,
            explored.time.was_looked_at,
            refused,
            memory_taken(),
        )

    def adopt(self, report: Expansion) -> None:
        """Take over what another process has come across."""
        explored = self.explored
        self.judge.reached |= report.reached
        explored.notes |= report.notes
        explored.answers.notes |= report.answers_notes
        explored.answers.was_cut |= report.answers_cut
        explored.time.was_looked_at |= report.time_was_looked_at
        self.refused += report.refused


def is_by_button(stop: Iterable[Happening]) -> bool:
    """Whether a stop is one by the button alone."""
    return [part for one in stop for part in parts_of(one)] == [BUTTON]
