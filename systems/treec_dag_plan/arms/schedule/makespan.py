"""Schedules in seconds: nodes start as soon as possible, without waiting for a stage to end.

The better of two schedules is used: that of the online dispatcher, and the shortest stages shifted
left as far as edges, arms and (with a layout) concurrent nodes allow. Local search and CP-SAT
improve it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from treec.frozen import frozen
from treec_dag_plan.arms.dispatch import Dispatcher
from treec_dag_plan.arms.plan import Slot
from treec_dag_plan.arms.schedule.deadlock import arms_of
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.moves import Work
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits
from treec_dag_plan.arms.schedule.team import ArmTeam

ROUNDS = 200
"""Rounds in which the weights of a bound on the workload are improved."""


@frozen
class TimedSchedule:
    """Slots by start, and a lower bound on the makespan in seconds."""

    slots: tuple[Slot, ...]
    bound: float

    @property
    def makespan(self) -> float:
        """The end of the last slot, in seconds."""
        return max((slot.end for slot in self.slots), default=0.0)

    @property
    def optimal(self) -> bool:
        """Whether the makespan equals the bound."""
        return self.makespan <= self.bound + 1e-9


class NodeDurations:
    """Durations of nodes by arm; several arms take as long as the slowest."""

    def __init__(self, problem: SchedulingProblem, team: ArmTeam) -> None:
        nodes = problem.graph.by_id
        self.problem = problem
        self.number = {id: v for v, id in enumerate(problem.ids)}
        self.place = {arm: 1 << a for a, arm in enumerate(problem.arms)}
        self.each = [[team.takes(nodes[id], arm) for arm in problem.arms] for id in problem.ids]
        self.least = [
            min(t for a, t in enumerate(own) if t is not None and problem.can[v] >> a & 1)
            for v, own in enumerate(self.each)
        ]

    def takes(self, v: int, arms: int) -> float:
        """Return a node's duration in seconds with these arms (bits)."""
        found = [t for a in bits(arms) if (t := self.each[v][a]) is not None]
        return max(found, default=self.least[v])

    def named(self, id: str, arms: tuple[str, ...]) -> float:
        """Like `takes`, by names."""
        return self.takes(self.number[id], sum(self.place[arm] for arm in arms))


def makespan_bound(problem: SchedulingProblem, clock: NodeDurations) -> float:
    """Return a lower bound in seconds: the longest chain, or the arms' workload."""
    chain = [0.0] * problem.size
    for v in problem.order:
        chain[v] = clock.least[v] + max((chain[u] for u in bits(problem.pred[v])), default=0.0)
        if problem.types[v] == "release":
            for h in problem.own[v]:
                hold = problem.holds[h]
                rest = sum(clock.least[u] for u in bits(hold.members) if u != hold.occupy)
                chain[v] = max(chain[v], chain[hold.occupy] + rest)
    work = sum(clock.least[v] * problem.used[v] for v in range(problem.size))
    for hold in problem.holds:
        between = problem.after[hold.occupy] & problem.before[hold.release]
        inside = between | 1 << hold.release
        longest: dict[int, float] = {}
        for v in (v for v in problem.order if inside >> v & 1):
            before = (longest[u] for u in bits(problem.pred[v] & between))
            longest[v] = clock.least[v] + max(before, default=0.0)
        own = sum(clock.least[v] for v in bits(hold.members))
        spare = clock.least[hold.occupy] + longest[hold.release] - own
        work += max(0.0, spare) * hold.arms
    alike = all(len({t for t in own if t is not None}) < 2 for own in clock.each)
    shared = 0.0 if alike and problem.alike else workload_bound(problem, clock)
    return max(max(chain, default=0.0), work / max(1, len(problem.arms)), shared)


def workload_bound(problem: SchedulingProblem, clock: NodeDurations) -> float:
    """Return a lower bound in seconds for arms that are not alike, of which each can do so much.

    With weights of the arms that add up to 1, no schedule ends before the sum of what each hold and
    each node costs least (Lagrange). The weights of arms with much to do grow.
    """
    every = (1 << len(problem.arms)) - 1
    units = [
        (hold.occupy, [u for u in bits(hold.members) if len(problem.own[u]) == 1])
        for hold in problem.holds
    ]
    units += [(v, [v]) for v in range(problem.size) if problem.need[v] and not problem.own[v]]
    costs: list[list[tuple[list[int], float]]] = [
        [(bits(way), sum(clock.takes(u, way) for u in own)) for way in ways]
        for v, own in units
        if (ways := list(problem.extra_arms(v, every)))
    ]
    weights: list[float] = [1.0 / len(problem.arms)] * len(problem.arms)
    best = 0.0
    for number in range(1, ROUNDS + 1):
        load, total = [0.0] * len(weights), 0.0
        for choices in costs:
            arms, seconds = _cheapest(choices, weights)
            for a in arms:
                load[a] += seconds
                total += seconds * weights[a]
        best = max(best, total)
        rate = 0.5 / math.sqrt(number) / (max(load) or 1.0)
        grown = [w * math.exp(rate * own) for w, own in zip(weights, load, strict=True)]
        weights = [w / sum(grown) for w in grown]
    return best


def _cheapest(
    ways: Sequence[tuple[list[int], float]], weights: Sequence[float]
) -> tuple[list[int], float]:
    return min(ways, key=lambda way: way[1] * sum(weights[a] for a in way[0]))


def left_shift(
    problem: SchedulingProblem,
    clock: NodeDurations,
    stages: Sequence[Work],
    geometry: Geometry | None = None,
) -> tuple[Slot, ...]:
    """Left-shift a stage plan: start each node as early as the nodes before it allow."""
    free = [0.0] * len(problem.arms)
    end = [0.0] * problem.size
    begin = [0.0] * problem.size
    placed: list[tuple[int, int]] = []
    for work in stages:
        for v, arms in work:
            soonest = max((end[u] for u in bits(problem.pred[v])), default=0.0)
            soonest = max([soonest, *(free[a] for a in bits(arms))])
            for h in problem.own[v] if problem.types[v] == "occupy" else ():
                rivals = (problem.holds[g].release for g in problem.rivals[h])
                soonest = max([soonest, *(end[u] for u in rivals)])
            if geometry is not None:
                soonest = max(
                    [soonest, *(end[u] for u, o in placed if _cross(geometry, v, arms, u, o))]
                )
            begin[v], end[v] = soonest, soonest + clock.takes(v, arms)
            placed.append((v, arms))
            for a in bits(arms):
                free[a] = end[v]
    found = [
        Slot(problem.ids[v], arms_of(problem.arms, arms), begin[v], end[v]) for v, arms in placed
    ]
    return tuple(sorted(found, key=lambda slot: (slot.start, problem.arms.index(slot.arms[0]))))


def _cross(geometry: Geometry, v: int, arms: int, u: int, others: int) -> bool:
    return any(
        a != b and not geometry.beside(*((v, u) if a < b else (u, v)))
        for a in bits(arms)
        for b in bits(others)
    )


def staged_makespan(
    problem: SchedulingProblem, clock: NodeDurations, stages: Sequence[Work]
) -> float:
    """Return the makespan in seconds if every stage waits for the previous one to end."""
    return sum(max((clock.takes(v, arms) for v, arms in work), default=0.0) for work in stages)


def schedule_in_time(
    problem: SchedulingProblem,
    clock: NodeDurations,
    stages: Sequence[Work],
    geometry: Geometry | None = None,
    until: float = math.inf,
    free: TimedSchedule | None = None,
) -> TimedSchedule:
    """The better of the two schedules; ``free`` is the dispatcher's, if it is there already."""
    free = free or dispatched(problem, clock, geometry, until)
    bound = makespan_bound(problem, clock) if free is None else free.bound
    staged = TimedSchedule(left_shift(problem, clock, stages, geometry), bound)
    return staged if free is None else min(free, staged, key=lambda one: one.makespan)


def dispatched(
    problem: SchedulingProblem,
    clock: NodeDurations,
    geometry: Geometry | None = None,
    until: float = math.inf,
) -> TimedSchedule | None:
    """The dispatcher's schedule, greedy from a time on; None if it does not finish."""
    slots = Dispatcher(problem, clock.named, geometry).slots(until=until)
    if len(slots) < problem.size:
        return None
    free = tuple(Slot(node, arms, start, end) for node, arms, start, end in slots)
    return TimedSchedule(free, makespan_bound(problem, clock))
