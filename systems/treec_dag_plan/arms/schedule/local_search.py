"""Improve a schedule in seconds by small changes of its order and its arms.

A schedule is a sequence of nodes with arms, of which each starts as early as those before it allow.
A change moves a node or a whole hold within the sequence, or gives it to other arms; it is kept if
the schedule ends sooner than some steps ago (late acceptance hill climbing, Burke and Bykov, 2017).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from treec_dag_plan.arms.plan import Slot
from treec_dag_plan.arms.schedule.deadlock import arms_of
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.makespan import NodeDurations
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits

STEPS = 400
"""Changes that are tried per node."""
MEMORY = 40
"""Steps after which a schedule must end no later than before."""


class LocalSearch:
    """Changes one schedule for a number of steps."""

    def __init__(
        self, problem: SchedulingProblem, clock: NodeDurations, geometry: Geometry | None = None
    ) -> None:
        self.problem = problem
        self.clock = clock
        self.geometry = geometry
        self.rng = random.Random(0)
        self.pred = [bits(mask) for mask in problem.pred]
        self.members = [bits(hold.members) for hold in problem.holds]

    def run(
        self,
        slots: Sequence[Slot],
        until: float,
        bound: float,
        found: Callable[[float], None] | None = None,
    ) -> tuple[Slot, ...]:
        """Return the best schedule that was met until a time of `time.monotonic`."""
        problem = self.problem
        place = {arm: a for a, arm in enumerate(problem.arms)}
        number = {id: v for v, id in enumerate(problem.ids)}
        ordered = sorted(slots, key=lambda slot: (slot.start, slot.end))
        order: Sequence[int] = [number[slot.node] for slot in ordered]
        own = [0] * problem.size
        for slot in slots:
            own[number[slot.node]] = sum(1 << place[arm] for arm in slot.arms)
        arms: Sequence[int] = own
        begin = self.begins(order, arms)
        if begin is None:
            return tuple(slots)
        score = best = self._score(begin, arms)
        kept = (begin, arms)
        past = [score] * MEMORY
        for step in range(STEPS * problem.size):
            if step % 8 == 0 and (time.monotonic() >= until or best[0] <= bound + 1e-9):
                break
            change = self._change(order, arms)
            begin = None if change is None else self.begins(*change)
            if change is None or begin is None:
                continue
            new = self._score(begin, change[1])
            if new <= score or new <= past[step % MEMORY]:
                score, (order, arms) = new, change
                if score < best:
                    if found is not None and score[0] < best[0]:
                        found(score[0])
                    best, kept = score, (begin, arms)
            past[step % MEMORY] = score
        return self._slots(*kept)

    def _score(self, begin: Sequence[float], arms: Sequence[int]) -> tuple[float, float]:
        ends = [b + self.clock.takes(v, arms[v]) for v, b in enumerate(begin)]
        return round(max(ends), 6), round(sum(ends), 6)

    def _slots(self, begin: Sequence[float], arms: Sequence[int]) -> tuple[Slot, ...]:
        problem = self.problem
        slots = [
            Slot(id, arms_of(problem.arms, arms[v]), b, b + self.clock.takes(v, arms[v]))
            for v, (id, b) in enumerate(zip(problem.ids, begin, strict=True))
        ]
        return tuple(sorted(slots, key=lambda s: (s.start, problem.arms.index(s.arms[0]))))

    def begins(self, order: Sequence[int], arms: Sequence[int]) -> list[float] | None:
        """Node → its start; None if the sequence cannot be executed."""
        problem, takes = self.problem, self.clock.takes
        free = [0.0] * len(problem.arms)
        held = [-1] * len(problem.arms)
        end = [-1.0] * problem.size
        begin = [0.0] * problem.size
        closed = [0.0] * len(problem.holds)
        open_: set[int] = set()
        placed: list[int] = []
        for v in order:
            soonest = 0.0
            for u in self.pred[v]:
                if end[u] < 0:
                    return None
                soonest = max(soonest, end[u])
            own, kind = problem.own[v], problem.types[v]
            for a in bits(arms[v]):
                if held[a] >= 0 and (kind == "occupy" or held[a] not in own):
                    return None
                soonest = max(soonest, free[a])
            for h in own if kind == "occupy" else ():
                for g in problem.rivals[h]:
                    if g in open_:
                        return None
                    soonest = max(soonest, closed[g])
                open_.add(h)
            if self.geometry is not None:
                for u in placed:
                    if end[u] > soonest and self._crosses(v, arms[v], u, arms[u]):
                        soonest = end[u]
            begin[v], end[v] = soonest, soonest + takes(v, arms[v])
            placed.append(v)
            for a in bits(arms[v]):
                free[a] = end[v]
                if kind == "occupy":
                    held[a] = own[0]
                elif kind == "release":
                    held[a] = -1
            if kind == "release":
                for h in own:
                    closed[h] = end[v]
                    open_.discard(h)
        return begin

    def _crosses(self, v: int, arms: int, u: int, others: int) -> bool:
        assert self.geometry is not None
        return any(
            a != b and not self.geometry.beside(*((v, u) if a < b else (u, v)))
            for a in bits(arms)
            for b in bits(others)
        )

    def _change(
        self, order: Sequence[int], arms: Sequence[int]
    ) -> tuple[list[int], Sequence[int]] | None:
        """Return the sequence with one node or hold elsewhere, or on other arms, or both."""
        rng, problem = self.rng, self.problem
        v = order[rng.randrange(len(order))]
        hold = problem.own[v][0] if problem.own[v] else None
        kind = rng.random()
        new = list(order)
        if kind < 0.35:  # one node
            new.remove(v)
            at = order.index(v)
            new.insert(max(0, min(len(new), at + rng.randint(-8, 8))), v)
            return new, arms
        others = self._other_arms(v, hold, arms)
        if others is None and kind < 0.6:
            return None
        if kind >= 0.6:  # together
            block = [v] if hold is None else [u for u in order if u in self.members[hold]]
            at = order.index(block[0]) + rng.randint(-10, 10)
            new = [u for u in order if u not in block]
            at = max(0, min(len(new), at))
            new[at:at] = block
        return new, arms if others is None or kind >= 0.8 else others

    def _other_arms(self, v: int, hold: int | None, arms: Sequence[int]) -> list[int] | None:
        """Return the arms with another choice for a node, or for all of its hold."""
        problem = self.problem
        first = v if hold is None else problem.holds[hold].occupy
        if any(len(problem.own[u]) > 1 for u in (self.members[hold] if hold is not None else [v])):
            return None
        every = (1 << len(problem.arms)) - 1
        ways = [way for way in problem.extra_arms(first, every) if way != arms[first]]
        if not ways or not problem.need[first]:
            return None
        way = self.rng.choice(ways)
        new = list(arms)
        for u in self.members[hold] if hold is not None else [v]:
            if u == first:
                new[u] = way
            elif problem.need[u]:  # free arms beyond those of the hold
                spare = list(problem.extra_arms(u, every & ~way))
                if not spare:
                    return None
                new[u] = way | self.rng.choice(spare)
            else:
                new[u] = way
        return new
