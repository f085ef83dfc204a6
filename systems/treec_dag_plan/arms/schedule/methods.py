"""Schedule a task graph by a method.

schedule(graph)                                     the fewest stages, two arms
schedule(graph, "paper", check="pair-closure")      DAG-Plan's own rule
schedule(graph, "cp-sat", seconds=60)               proved or polished by OR-tools
schedule(graph, team=team, objective="makespan")    in seconds, unlike arms
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Literal

from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ARMS, ArmPlan, Method, PlanStage, Slot, stage
from treec_dag_plan.arms.schedule.assign_arms import assign_arms
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.deadlock import DeadlockError, DeadlockReport, arms_of
from treec_dag_plan.arms.schedule.geometry import Geometry, geometry_of
from treec_dag_plan.arms.schedule.improve import Gap, improve_stages
from treec_dag_plan.arms.schedule.makespan import (
    NodeDurations,
    TimedSchedule,
    schedule_in_time,
)
from treec_dag_plan.arms.schedule.moves import Work
from treec_dag_plan.arms.schedule.paper import Check, PaperRule, PaperVariant
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.shortest import Progress, ShortestPlan, shortest
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.schedule.verify import verify

Objective = Literal["stages", "makespan"]

UNIT = 0.001
"""Seconds are whole milliseconds for CP-SAT."""


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
            problem, team or ArmTeam(tuple(arms)), method, geometry, seconds, started
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
) -> ArmPlan:
    if method == "paper":
        raise ValueError("the paper's rule counts stages: --objective makespan is for the others")
    few = shortest(problem, geometry, seconds=seconds)
    made = schedule_in_time(problem, team, few.stages, geometry)
    if method == "cp-sat":
        made = _improve_makespan(problem, team, made, geometry, seconds)
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


def _improve_makespan(
    problem: SchedulingProblem,
    team: ArmTeam,
    made: TimedSchedule,
    geometry: Geometry | None,
    seconds: float,
) -> TimedSchedule:
    from treec_dag_plan.arms.schedule.cp_sat import solve

    clock = NodeDurations(problem, team)
    times = [[round((t or 0.0) / UNIT) for t in own] for own in clock.each]
    number = {slot.node: slot for slot in made.slots}
    hint = [round(number[id].start / UNIT) for id in problem.ids]
    horizon = math.ceil(made.makespan / UNIT) + problem.size
    found = solve(problem, horizon, geometry=geometry, times=times, hint=hint, seconds=seconds)
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
