"""Minimise the number of stages: optimal for small graphs, near the bound for large ones.

Small graphs are solved exactly (`exact`). For others a beam search (`beam_search`) finds a schedule
that is then shortened piece by piece (`repair`), with several settings until it is near the bound.
Graphs of medium size are then searched exactly for a better schedule, and by CP-SAT if that is
installed, within the time limit. Schedules never end in a deadlock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.beam_search import BeamSearch, Effort
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.cp_sat import has_solver
from treec_dag_plan.arms.schedule.deadlock import (
    DeadlockError,
    DeadlockReport,
    explain_infeasible,
)
from treec_dag_plan.arms.schedule.exact import ExactSearch
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.hold_edges import add_hold_edges
from treec_dag_plan.arms.schedule.improve import Gap, improve_stages
from treec_dag_plan.arms.schedule.moves import Moves, Work
from treec_dag_plan.arms.schedule.problem import SchedulingProblem
from treec_dag_plan.arms.schedule.repair import ROUNDS, Repair
from treec_dag_plan.arms.schedule.serial import Serial

SMALL, MEDIUM = 40, 90
"""Maximum sizes for exact search at once, and after a schedule is known."""

STATES = 3_000_000
ENOUGH = 0.01
"""Relative gap to the bound at which the search stops."""

FAR = 0.05
"""Relative gap from which holds may begin before all that they wait for is done."""

REPAIRED = 75
"""Budget of repair in states per node (at least that of 800 nodes), about 3 ms per node."""

EXACT_SHARE = 0.25
"""Share of the time for our exact search of graphs of medium size, before CP-SAT gets the rest."""

CLOSING = 100
"""Budget of the safety search within the beam search."""

Progress = Callable[[int, int], None]
"""Called with the number of stages so far and of the nodes in them."""


@frozen
class ShortestPlan:
    """Stages with the arms of every node, and a lower bound on their number."""

    stages: tuple[Work, ...]
    bound: int

    @property
    def optimal(self) -> bool:
        """Whether the number of stages equals the bound."""
        return len(self.stages) == self.bound


def shortest(
    problem: SchedulingProblem,
    geometry: Geometry | None = None,
    *,
    seconds: float = 30.0,
    progress: Progress | None = None,
    gap: Gap | None = None,
    proving: bool = True,
    needed: bool = True,
) -> ShortestPlan:
    """Search a short schedule within a time limit. Raises DeadlockError if there is none.

    While one of medium size is not proved, `gap` hears the number of stages and the bound. Without
    `proving` it is left to the caller. The first schedule is found however long it takes, unless it
    is not `needed`: there are then no stages.
    """
    began = time.monotonic()
    until = began + seconds
    if not problem.size:
        return ShortestPlan((), 0)
    bounds = Bounds(problem)
    moves = Moves(problem, geometry)
    bound = bounds.least
    if problem.size <= SMALL:
        found = ExactSearch(moves, bounds, STATES, until).run(problem.size + 1)
        if found.stages is not None:
            return ShortestPlan(found.stages, found.bound)
        bound = max(bound, found.bound)
    best = _beam_search(problem, moves, bounds, until, progress, needed)
    if best is None and not needed:
        return ShortestPlan((), bound)
    if best is None:
        best = _one_by_one(problem, moves)
    if SMALL < problem.size <= MEDIUM and len(best) > bound:
        if gap is not None:
            gap(len(best), bound)
        solver = proving and has_solver()
        share = began + seconds * EXACT_SHARE if solver else until
        found = ExactSearch(moves, bounds, STATES, share).run(len(best))
        bound = max(bound, found.bound)
        best = found.stages or best
        left = until - time.monotonic()
        if solver and len(best) > bound and left > 0:
            best, bound = improve_stages(problem, best, bound, geometry, left, least=bound, gap=gap)
    return ShortestPlan(best, bound)


def efforts(size: int) -> Sequence[Effort]:
    """Return the settings to try in turn for a graph of this size."""
    width = 24 if size <= 200 else 16 if size <= 500 else 8 if size <= 1000 else 5
    narrow = Effort(width)
    broad = Effort(max(2, width // 2), looked=32, share=0.15)
    first, second = (narrow, broad) if size <= 1000 else (broad, narrow)
    return (first, second, Effort(width, nested=1.1))


def _beam_search(
    problem: SchedulingProblem,
    moves: Moves,
    bounds: Bounds,
    until: float,
    progress: Progress | None,
    needed: bool,
) -> tuple[Work, ...] | None:
    guide = Bounds(add_hold_edges(problem))
    serial = Serial(problem, CLOSING)
    repair = Repair(moves, bounds, REPAIRED * max(800, problem.size))
    enough = int(bounds.least * (1 + ENOUGH))
    best: tuple[Work, ...] | None = None
    for effort in efforts(problem.size):
        last = until if best is not None or not needed else math.inf
        found = BeamSearch(moves, guide, serial, effort).run(last, progress)
        if best is None and found is not None and len(found) > bounds.least * (1 + FAR):
            earlier = Bounds(add_hold_edges(problem, meanwhile=True))
            other = replace(effort, meanwhile=True, looked=8)
            early = BeamSearch(moves, earlier, serial, other).run(until, progress)
            found = min((item for item in (found, early) if item is not None), key=len)
        for round in ROUNDS:
            if found is not None and len(found) > enough:
                found = repair.run(found, round, until, enough)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
        if best is not None and (len(best) <= enough or repair.left <= 0):
            break
    return best


def _one_by_one(problem: SchedulingProblem, moves: Moves) -> tuple[Work, ...]:
    """Fallback: one node per stage. Raises DeadlockError if there is no feasible order."""
    serial = Serial(problem)
    order = serial.order()
    if order is None or not problem.alike:
        raise DeadlockError(
            explain_infeasible(problem) or DeadlockReport((), 0, problem.size, (), ())
        )
    state, found = moves.start(), []
    for v in order:
        work = ((v, moves.arms_for(state, v)),)
        found.append(work)
        state = moves.do(state, work)
    return tuple(found)
