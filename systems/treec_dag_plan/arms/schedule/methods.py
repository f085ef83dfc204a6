"""Schedule a task graph by a method.

schedule(graph)                                     the fewest stages, two arms
schedule(graph, "paper", check="pair-closure")      DAG-Plan's own rule
schedule(graph, "cp-sat", seconds=60)               proved or polished by OR-tools
schedule(graph, team=team, objective="makespan")    in seconds, unlike arms
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ARMS, ArmPlan, Method, PlanStage, Slot, stage
from treec_dag_plan.arms.schedule.assign_arms import assign_arms
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.cp_sat import has_solver, solve, solver_module
from treec_dag_plan.arms.schedule.deadlock import DeadlockError, DeadlockReport, arms_of
from treec_dag_plan.arms.schedule.geometry import Geometry, geometry_of
from treec_dag_plan.arms.schedule.improve import Gap, improve_stages
from treec_dag_plan.arms.schedule.local_search import LocalSearch
from treec_dag_plan.arms.schedule.makespan import (
    NodeDurations,
    TimedSchedule,
    dispatched,
    schedule_in_time,
)
from treec_dag_plan.arms.schedule.moves import Work
from treec_dag_plan.arms.schedule.paper import Check, PaperRule, PaperVariant
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.shortest import MEDIUM, SMALL, Progress, ShortestPlan, shortest
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.schedule.verify import verify

Objective = Literal["stages", "makespan"]

UNIT = 0.001
"""Seconds are whole milliseconds for CP-SAT."""

STAGES_SHARE = 0.25
"""Share of the time for the schedule in seconds that is improved."""

LOCAL_SHARE, LARGE_SHARE = 0.4, 0.75
"""Share of what is left for local search, if CP-SAT follows; of graphs that it seldom improves."""

SOLVER_LEAST = 5.0
"""Seconds that must be left for CP-SAT, of which its import and its model take one or two."""

TimeGap = Callable[[float, float], None]
"""Called with the makespan and its bound in seconds whenever one of them has improved."""


def schedule(
    graph: TaskGraph,
    method: Method = "shortest",
    *,
    layout: ArmLayout | None = None,
    check: Check = "pair-any",
    arms: Sequence[str] = ARMS,
    team: ArmTeam | None = None,
    objective: Objective = "stages",
    seconds: float = 30.0,
    progress: Progress | None = None,
    gap: Gap | None = None,
    time_gap: TimeGap | None = None,
) -> ArmPlan:
    """Schedule a graph. The arms are the team's, else the layout's hands, else `arms`.

    Raises DeadlockError for a deadlock, PairError and ScheduleError for graphs that are invalid or
    infeasible, NoSolver for cp-sat without OR-Tools.
    """
    started = time.perf_counter()
    if layout is not None and team is None:
        arms = tuple(layout.hands)
    problem = problem_of(graph, arms, team)
    geometry = None if layout is None else geometry_of(problem, layout)
    if objective == "makespan":
        plan = _schedule_makespan(
            problem, team or ArmTeam(tuple(arms)), method, geometry, seconds, started, time_gap
        )
    else:
        plan = _schedule_stages(problem, method, geometry, check, seconds, started, progress, gap)
    verify(graph, plan, team)
    return plan


def _schedule_stages(
    problem: SchedulingProblem,
    method: Method,
    geometry: Geometry | None,
    check: Check,
    seconds: float,
    started: float,
    progress: Progress | None,
    gap: Gap | None,
) -> ArmPlan:
    if method == "paper":
        found = PaperRule(problem, PaperVariant(check=check), geometry).run()
        if isinstance(found, DeadlockReport):
            raise DeadlockError(found)
        bound = Bounds(problem).least
        return _plan(problem, found, bound, len(found) == bound, method, started)
    proving = method != "cp-sat"
    few = shortest(problem, geometry, seconds=seconds, progress=progress, gap=gap, proving=proving)
    if method == "cp-sat":
        best, bound = improve_stages(problem, few.stages, few.bound, geometry, seconds, gap=gap)
        few = ShortestPlan(best, bound)
    stages = tuple(_stage(problem, work) for work in few.stages)
    return _plan(problem, stages, few.bound, few.optimal, method, started)


def _plan(
    problem: SchedulingProblem,
    stages: tuple[PlanStage, ...],
    bound: int,
    optimal: bool,
    method: Method,
    started: float,
) -> ArmPlan:
    return ArmPlan(stages, problem.arms, bound, optimal, time.perf_counter() - started, method)


def _stage(problem: SchedulingProblem, work: Work) -> PlanStage:
    done = {arm: problem.ids[v] for v, arms in work for arm in arms_of(problem.arms, arms)}
    return stage(problem.arms, done)


def _schedule_makespan(
    problem: SchedulingProblem,
    team: ArmTeam,
    method: Method,
    geometry: Geometry | None,
    seconds: float,
    started: float,
    gap: TimeGap | None,
) -> ArmPlan:
    if method == "paper":
        raise ValueError("the paper's rule counts stages: --objective makespan is for the others")
    begun = time.monotonic()
    until, first = begun + seconds, begun + seconds * STAGES_SHARE
    if method == "cp-sat":
        solver_module()
    clock = NodeDurations(problem, team)
    made = None
    if problem.size > SMALL:  # stages of many nodes or of unlike arms take long to search
        made = dispatched(problem, clock, geometry, first)
    if made is None or problem.alike:
        share, needed = seconds * STAGES_SHARE, made is None
        few = shortest(problem, geometry, seconds=share, proving=False, needed=needed)
        if made is None or few.stages:
            made = schedule_in_time(problem, clock, few.stages, geometry, first, made)
    worth = until - time.monotonic() >= SOLVER_LEAST and has_solver()
    solver = method == "cp-sat" or worth
    told = None if gap is None else partial(_tell, gap, bound=made.bound)
    if not made.optimal:
        share = LOCAL_SHARE if problem.size <= MEDIUM else LARGE_SHARE
        share = share if solver else 1.0
        left = until - time.monotonic()
        search = LocalSearch(problem, clock, geometry)
        slots = search.run(made.slots, time.monotonic() + share * left, made.bound, told)
        made = min(made, TimedSchedule(slots, made.bound), key=lambda one: one.makespan)
    left = until - time.monotonic()
    if solver and left > 0 and not (made.optimal and method != "cp-sat"):
        made = _improve_makespan(problem, clock, made, geometry, left, gap)
    starts = sorted({slot.start for slot in made.slots})
    stages = tuple(
        stage(problem.arms, {a: s.node for s in made.slots if s.start == t for a in s.arms})
        for t in starts
    )
    return ArmPlan(
        stages,
        problem.arms,
        Bounds(problem).least,
        made.optimal,
        time.perf_counter() - started,
        method,
        made.slots,
        made.makespan,
        made.bound,
    )


def _tell(gap: TimeGap, makespan: float, bound: float) -> None:
    gap(makespan, bound)


def _improve_makespan(
    problem: SchedulingProblem,
    clock: NodeDurations,
    made: TimedSchedule,
    geometry: Geometry | None,
    seconds: float,
    gap: TimeGap | None,
) -> TimedSchedule:
    times = [[round((t or 0.0) / UNIT) for t in own] for own in clock.each]
    number = {slot.node: slot for slot in made.slots}
    found = solve(
        problem,
        math.ceil(made.makespan / UNIT) + problem.size,
        geometry=geometry,
        times=times,
        hint=[round(number[id].start / UNIT) for id in problem.ids],
        arm_hint=[sum(clock.place[arm] for arm in number[id].arms) for id in problem.ids],
        seconds=seconds,
        progress=None if gap is None else lambda end, bound: gap(end * UNIT, bound * UNIT),
    )
    bound = max(made.bound, found.bound * UNIT)
    if found.begins is None:
        return TimedSchedule(made.slots, bound)
    arms = found.arms
    if arms is None:
        least = [round(t / UNIT) for t in clock.least]  # identical arms
        ends = [begin + size for begin, size in zip(found.begins, least, strict=True)]
        arms = assign_arms(problem, found.begins, ends)
    slots = [
        Slot(id, arms_of(problem.arms, arms[v]), begin, begin + clock.takes(v, arms[v]))
        for v, id in enumerate(problem.ids)
        for begin in (found.begins[v] * UNIT,)
    ]
    better = TimedSchedule(tuple(sorted(slots, key=lambda slot: slot.start)), bound)
    return better if better.makespan < made.makespan - 1e-9 else TimedSchedule(made.slots, bound)
