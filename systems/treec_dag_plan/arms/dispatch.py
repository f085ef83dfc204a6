"""Online dispatching: assign sub-tasks to arms while they work, without waiting for stages.

From a state (finished and running nodes, open holds, working arms) each alternative is simulated
greedily to the end, and the one that ends soonest is chosen. No node is started after which the
open holds could not be closed again (`schedule.serial`), so there are no deadlocks. The dispatcher
is called again after each change, so it adapts to nodes that end early, late or fail.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.problem import (
    ScheduleError,
    SchedulingProblem,
    bits,
    problem_of,
)
from treec_dag_plan.arms.schedule.serial import Serial, SerialState

Takes = Callable[[str, tuple[str, ...]], float]
"""(node, arms) → duration in seconds."""

Start = tuple[str, tuple[str, ...]]
"""A node and the arms that start it; the first one leads."""

MOST_WAYS = 48
"""Maximum number of alternatives that are simulated."""

SMALL = 60
"""Larger graphs are dispatched greedily, without simulation."""


@frozen(slots=False)
class DispatchState:
    """The state of a graph in execution.

    `running`: node → its arms and its remaining seconds; `held`: occupy node → the arms that hold.
    `free` are the arms that may start a node. `may` says whether these arms can start a node in the
    current world.
    """

    done: frozenset[str]
    running: Mapping[str, tuple[tuple[str, ...], float]]
    held: Mapping[str, tuple[str, ...]]
    free: frozenset[str]
    may: Callable[[str, tuple[str, ...]], bool] = field(default=lambda node, arms: True)


@dataclass
class _Sim:
    """A simulated state by number: times in seconds from now, arms as bits."""

    time: float
    done: int
    running: list[tuple[float, int, int]]  # end, node, arms
    held: dict[int, int]  # hold → arms
    free: int
    ready: int  # nodes that are ready and not running

    def copy(self) -> _Sim:
        running, held = list(self.running), dict(self.held)
        return _Sim(self.time, self.done, running, held, self.free, self.ready)


class Dispatcher:
    """Dispatches the nodes of one graph."""

    def __init__(
        self, problem: SchedulingProblem, takes: Takes, geometry: Geometry | None = None
    ) -> None:
        self.problem = problem
        self.takes = takes
        self.geometry = geometry
        self.number = {id: v for v, id in enumerate(problem.ids)}
        self._serials: dict[int, tuple[Serial, Sequence[int]]] = {}
        self._seconds: dict[tuple[int, int], float] = {}
        self.tail = self._tails()

    def begin(self, moment: DispatchState) -> list[Start]:
        """Return the nodes to start now with their arms; empty if waiting is best or necessary."""
        sim = self._sim(moment)

        def may(v: int, arms: int) -> bool:
            return moment.may(self.problem.ids[v], self._names(arms))

        if self.problem.size > SMALL:
            chosen = self._greedy(sim, may)
        else:
            chosen = self._best(sim, may)
        return [(self.problem.ids[v], self._names(arms)) for v, arms in chosen]

    def slots(
        self, moment: DispatchState | None = None, until: float = math.inf
    ) -> list[tuple[str, tuple[str, ...], float, float]]:
        """Predict the schedule from a state on: (node, arms, start, end), by start.

        After `until`, a time of `time.monotonic`, alternatives are no longer simulated.
        """
        arms = frozenset(self.problem.arms)
        sim = self._sim(moment or DispatchState(frozenset(), {}, {}, arms))
        found: list[tuple[str, tuple[str, ...], float, float]] = []
        while True:
            small = self.problem.size <= SMALL and time.monotonic() < until
            chosen = self._best(sim, None) if small else self._greedy(sim, None)
            for v, taken in chosen:
                names = self._names(taken)
                end = sim.time + self._takes(v, taken)
                found.append((self.problem.ids[v], names, sim.time, end))
                self._start(sim, v, taken)
            if not sim.running:
                return found
            self._pass(sim)

    # From names to numbers

    def _sim(self, moment: DispatchState) -> _Sim:
        problem = self.problem
        place = {arm: 1 << n for n, arm in enumerate(problem.arms)}
        done = sum(1 << self.number[id] for id in moment.done if id in self.number)
        running = [
            (left, self.number[id], sum(place[a] for a in arms if a in place))
            for id, (arms, left) in moment.running.items()
            if id in self.number
        ]
        held = {}
        for h, hold in enumerate(problem.holds):
            hands = moment.held.get(problem.ids[hold.occupy])
            if hands and not done >> hold.release & 1:
                held[h] = sum(place[a] for a in hands if a in place)
        for _, v, taken in running:
            if problem.types[v] == "occupy":
                held.update(dict.fromkeys(problem.own[v], taken))
        free = sum(place[a] for a in moment.free if a in place)
        busy = sum(1 << v for _, v, _ in running)
        left = [v for v in range(problem.size) if not (done | busy) >> v & 1]
        ready = sum(1 << v for v in left if not problem.pred[v] & ~done)
        return _Sim(0.0, done, running, held, free, ready)

    def _names(self, arms: int) -> tuple[str, ...]:
        return tuple(self.problem.arms[a] for a in bits(arms))

    def _takes(self, v: int, arms: int) -> float:
        key = (v, arms)
        if key not in self._seconds:
            self._seconds[key] = max(0.001, self.takes(self.problem.ids[v], self._names(arms)))
        return self._seconds[key]

    def _tails(self) -> list[float]:
        """Node → seconds from its start to the end of its longest chain of successors."""
        problem = self.problem
        one = [self._takes(v, (1 << max(1, used)) - 1) for v, used in enumerate(problem.used)]
        tail = [0.0] * problem.size
        for v in reversed(problem.order):
            tail[v] = one[v] + max((tail[w] for w in problem.succ[v]), default=0.0)
        return tail

    # Feasible starts

    def _candidates(self, sim: _Sim) -> list[int]:
        """Return the ready nodes: those of open holds first, then by length of their tail."""
        return sorted(bits(sim.ready), key=lambda v: (not self._inside(v, sim), -self.tail[v], v))

    def _inside(self, v: int, sim: _Sim) -> bool:
        types = self.problem.types[v]
        return types in ("tool use", "release") and all(h in sim.held for h in self.problem.own[v])

    def _ways(self, v: int, sim: _Sim) -> Iterator[int]:
        """Yield the sets of arms that could start a node now."""
        problem = self.problem
        holding = 0
        for arms in sim.held.values():
            holding |= arms
        free = sim.free & ~holding
        base = 0
        if problem.types[v] in ("tool use", "release"):
            if not self._inside(v, sim):
                return
            for h in problem.own[v]:
                base |= sim.held[h]
            if base & ~sim.free:
                return
        elif problem.types[v] == "occupy" and self._rival(v, sim):
            return
        for extra in problem.extra_arms(v, free):
            arms = base | extra
            if self._apart(v, arms, sim):
                yield arms

    def _rival(self, v: int, sim: _Sim) -> bool:
        rivals = self.problem.rivals
        return any(g in sim.held for h in self.problem.own[v] for g in rivals[h])

    def _apart(self, v: int, arms: int, sim: _Sim) -> bool:
        """Whether working arms leave room for these."""
        if self.geometry is None:
            return True
        for _, u, others in sim.running:
            for a in bits(arms):
                for b in bits(others):
                    left, right = (v, u) if a < b else (u, v)
                    if not self.geometry.beside(left, right):
                        return False
        return True

    def _safe(self, v: int, arms: int, sim: _Sim) -> bool:
        """Whether all open holds can still be closed after starting this node."""
        problem = self.problem
        if problem.types[v] != "occupy":
            return True
        done, holds = sim.done | 1 << v, {**sim.held, **dict.fromkeys(problem.own[v], arms)}
        for _, u, _ in sim.running:
            done |= 1 << u
            if problem.types[u] == "release":
                for h in problem.own[u]:
                    holds.pop(h, None)
        working = sim.free
        for _, _, others in sim.running:
            working |= others
        open_ = tuple(sorted(h for h, own in holds.items() if not own & ~working))
        ready = sim.ready & ~(1 << v)
        for u in (v, *(u for _, u, _ in sim.running)):
            for w in problem.succ[u]:
                if not problem.pred[w] & ~done:
                    ready |= 1 << w
        serial, place = self._serial(working)
        on = tuple(sum(place[a] for a in bits(holds[h])) for h in open_)
        every = working == (1 << len(problem.arms)) - 1
        new = problem.own[v] if every else ()  # so far only what is safe with all arms was begun
        return serial.is_safe(SerialState(done, ready, open_, on), new)

    def _serial(self, working: int) -> tuple[Serial, Sequence[int]]:
        """Return the serial search for the working arms, and each arm's bit in it.

        If they are too few for some node, all arms are used.
        """
        found = self._serials.get(working)
        if found is None:
            problem, place = self.problem, [1 << a for a in range(len(self.problem.arms))]
            numbers = bits(working)
            with suppress(ScheduleError, ValueError):
                problem = problem_of(problem.graph, [problem.arms[a] for a in numbers])
                place = [1 << numbers.index(a) if a in numbers else 0 for a in range(len(place))]
            found = self._serials[working] = Serial(problem), place
        return found

    # Simulation

    def _start(self, sim: _Sim, v: int, arms: int) -> None:
        sim.running.append((sim.time + self._takes(v, arms), v, arms))
        sim.free &= ~arms
        sim.ready &= ~(1 << v)
        if self.problem.types[v] == "occupy":
            sim.held.update(dict.fromkeys(self.problem.own[v], arms))

    def _pass(self, sim: _Sim) -> None:
        """Advance time until a node ends."""
        sim.time = min(end for end, _, _ in sim.running)
        for item in [item for item in sim.running if item[0] <= sim.time + 1e-9]:
            sim.running.remove(item)
            _, v, arms = item
            sim.done |= 1 << v
            sim.free |= arms
            for w in self.problem.succ[v]:
                if not self.problem.pred[w] & ~sim.done:
                    sim.ready |= 1 << w
            if self.problem.types[v] == "release":
                for h in self.problem.own[v]:
                    sim.held.pop(h, None)

    def _greedy(self, sim: _Sim, may: Callable[[int, int], bool] | None) -> list[tuple[int, int]]:
        """Start every node that can be started, in the order of the candidates."""
        trial = sim.copy()
        chosen: list[tuple[int, int]] = []
        for v in self._candidates(sim):
            if not trial.free:
                break
            arms = self._quickest(v, trial, may)
            if arms is not None:
                chosen.append((v, arms))
                self._start(trial, v, arms)
        return chosen

    def _quickest(self, v: int, sim: _Sim, may: Callable[[int, int], bool] | None) -> int | None:
        """Return the arms for a node: the fastest, then those that leave most to the others."""
        ways = [a for a in self._ways(v, sim) if may is None or may(v, a)]
        ways = [arms for arms in ways if self._safe(v, arms, sim)]
        if len(ways) > 1:
            ways.sort(key=lambda a: (self._takes(v, a), -self._beside(v, a, sim), self._way(v, a)))
        return ways[0] if ways else None

    def _beside(self, v: int, arms: int, sim: _Sim) -> int:
        """Count the other nodes that could start at the same time."""
        if self.geometry is None:
            return 0
        trial = sim.copy()
        self._start(trial, v, arms)
        others = [w for w in self._candidates(sim) if w != v]
        return sum(1 for w in others if any(True for _ in self._ways(w, trial)))

    def _way(self, v: int, arms: int) -> float:
        """Return the distance in metres from the hands' initial positions to the node's target."""
        if self.geometry is None:
            return 0.0
        where, hands = self.geometry.where[v], self.geometry.hands
        return sum(self.geometry.distance(where, hands[a]) for a in bits(arms))

    def _end(self, sim: _Sim) -> tuple[int, float, float]:
        """Simulate greedily to the end: (unfinished nodes, end time, sum of end times)."""
        trial = sim.copy()
        total = 0.0
        while True:
            for v, arms in self._greedy(trial, None):
                self._start(trial, v, arms)
            if not trial.running:
                return self.problem.size - trial.done.bit_count(), trial.time, total
            done = trial.done.bit_count()
            self._pass(trial)
            total += trial.time * (trial.done.bit_count() - done)

    def _best(self, sim: _Sim, may: Callable[[int, int], bool] | None) -> list[tuple[int, int]]:
        """Return the alternative that ends soonest."""
        ways = self._all(sim, may)
        if len(ways) == 1:
            return ways[0]
        best: tuple[tuple[float, ...], list[tuple[int, int]]] | None = None
        for number, way in enumerate(ways):
            trial = sim.copy()
            for v, arms in way:
                self._start(trial, v, arms)
            if not trial.running:
                continue  # every arm would be idle
            left, end, total = self._end(trial)
            metres = sum(self._way(v, arms) for v, arms in way)
            score = (
                float(left),
                round(end, 6),
                round(total, 6),
                -float(len(way)),
                metres,
                float(number),
            )
            if best is None or score < best[0]:
                best = score, way
        return best[1] if best is not None else []

    def _all(
        self, sim: _Sim, may: Callable[[int, int], bool] | None
    ) -> list[list[tuple[int, int]]]:
        """Return the alternatives, the greedy one first."""
        greedy = self._greedy(sim, may)
        found = [greedy]
        candidates = self._candidates(sim)

        def extend(place: int, trial: _Sim, way: Sequence[tuple[int, int]]) -> None:
            if len(found) >= MOST_WAYS:
                return
            found.append(list(way))
            if not trial.free:
                return
            for n in range(place, len(candidates)):
                v = candidates[n]
                for arms in self._ways(v, trial):
                    if (may is not None and not may(v, arms)) or not self._safe(v, arms, trial):
                        continue
                    then = trial.copy()
                    self._start(then, v, arms)
                    extend(n + 1, then, (*way, (v, arms)))

        extend(0, sim, ())
        return found
