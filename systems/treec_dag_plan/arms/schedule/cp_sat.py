"""A CP-SAT model of the scheduling problem, to improve a schedule or prove it optimal.

A node is an interval, a hold an interval from the start of occupy to the end of release, and the
arms a cumulative resource; if arms differ (a layout, several bodies, different durations), the
assignment is a decision, too. For stages every node has duration 1. OR-Tools is optional
(`pip install 'treec[plans]'`) and imported on first use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits

Times = Sequence[Sequence[int]]
"""Node → the duration of each arm in whole units (relevant for arms that can do it)."""


SHORTEST = 0.05
"""Seconds of search at least."""


class NoSolver(RuntimeError):
    """OR-tools is not installed."""

    def __init__(self) -> None:
        super().__init__("CP-SAT needs the package ortools: pip install 'treec[plans]'")


@frozen
class Solution:
    """Node → its start and its arms (as bits), the best bound, and whether it is optimal.

    `begins` is None when no schedule was found in the time.
    """

    begins: list[int] | None
    arms: list[int] | None
    bound: int
    optimal: bool


def solver_module() -> Any:
    """Import CP-SAT. Raises NoSolver."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise NoSolver from None
    return cp_model


def has_solver() -> bool:
    """Whether OR-Tools is installed, without importing it."""
    return find_spec("ortools") is not None


def solve(
    problem: SchedulingProblem,
    horizon: int,
    *,
    geometry: Geometry | None = None,
    times: Times | None = None,
    least: int = 0,
    hint: Sequence[int] | None = None,
    arm_hint: Sequence[int] | None = None,
    seconds: float = 30.0,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> Solution:
    """Minimise the end within a horizon, which must be feasible. Raises NoSolver.

    The seconds are those of the import and of the model's making, too.

    `progress` is called with the best end so far and the bound, from the solver's thread.
    """
    until = time.monotonic() + seconds
    cp = solver_module()
    model = _Model(cp.CpModel(), problem, horizon, times, geometry)
    model.build()
    end = model.model.new_int_var(least, horizon, "end")
    for node_end in model.ends:
        model.model.add(end >= node_end)
    model.model.minimize(end)
    for begin, value in zip(model.begins, hint or (), strict=False):
        model.model.add_hint(begin, value)
    if hint is not None and arm_hint is not None:
        model.hint_arms(hint, arm_hint)
    solver = cp.CpSolver()
    solver.parameters.max_time_in_seconds = max(SHORTEST, until - time.monotonic())
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = 0
    if progress is None:
        status = solver.solve(model.model)
    else:
        status = solver.solve(model.model, _watch(cp, solver, horizon, least, progress))
    bound = max(least, round(solver.best_objective_bound))
    if status not in (cp.OPTIMAL, cp.FEASIBLE):
        return Solution(None, None, bound, False)
    begins = [solver.value(var) for var in model.begins]
    arms = None
    if model.takes is not None:
        arms = [
            sum(1 << a for a, var in enumerate(own) if solver.value(var)) for own in model.takes
        ]
    return Solution(begins, arms, bound, status == cp.OPTIMAL)


def _watch(cp: Any, solver: Any, end: int, least: int, progress: Callable[[int, int], None]) -> Any:
    """Report the gap whenever the solver finds a solution or a better bound."""
    best = [end, least]

    class Watch(cp.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            best[0] = round(self.objective_value)
            progress(*best)

    def on_bound(bound: float) -> None:
        best[1] = max(least, round(bound))
        progress(*best)

    solver.best_bound_callback = on_bound
    return Watch()


class _Model:
    def __init__(
        self,
        model: Any,
        problem: SchedulingProblem,
        horizon: int,
        times: Times | None,
        geometry: Geometry | None,
    ) -> None:
        self.model = model
        self.problem = problem
        self.horizon = horizon
        self.geometry = geometry
        self.arms = len(problem.arms)
        self.times = times or [[1] * self.arms] * problem.size
        self.begins: list[Any] = []
        self.ends: list[Any] = []
        self.sizes: list[Any] = []
        self.takes: list[list[Any]] | None = None
        self.extra: list[list[Any]] = []
        self.spans: list[tuple[Any, int, int]] = []

    def hint_arms(self, begins: Sequence[int], arms: Sequence[int]) -> None:
        """Hint the assignment, sizes and ends, so that the hint is a whole solution."""
        if self.takes is None:
            return
        add = self.model.add_hint
        ends = []
        for v, begin in enumerate(begins):
            used = bits(arms[v])
            ends.append(begin + max(self.times[v][a] for a in used))
            add(self.ends[v], ends[v])
            add(self.sizes[v], ends[v] - begin)
            held = 0
            for h in () if self.problem.types[v] == "occupy" else self.problem.own[v]:
                held |= arms[self.problem.holds[h].occupy]
            for a in range(self.arms):
                add(self.takes[v][a], arms[v] >> a & 1)
                add(self.extra[v][a], (arms[v] & ~held) >> a & 1)
        for size, first, last in self.spans:
            add(size, ends[last] - begins[first])

    def build(self) -> None:
        alike = self.geometry is None and self.problem.alike
        alike = alike and all(len(set(own)) == 1 for own in self.times)
        for v, own in enumerate(self.times):
            can = [own[a] for a in bits(self.problem.can[v])]
            self.begins.append(self.model.new_int_var(0, self.horizon, f"begin{v}"))
            self.ends.append(self.model.new_int_var(0, self.horizon, f"end{v}"))
            self.sizes.append(
                own[0] if alike else self.model.new_int_var(min(can), max(can), f"size{v}")
            )
        self.nodes = [
            self.model.new_interval_var(b, s, e, f"node{v}")
            for v, (b, s, e) in enumerate(zip(self.begins, self.sizes, self.ends, strict=True))
        ]
        self.holds = [self._hold(h) for h in range(len(self.problem.holds))]
        for v, mask in enumerate(self.problem.pred):
            for u in bits(mask):
                self.model.add(self.begins[v] >= self.ends[u])
        for h, hold in enumerate(self.problem.holds):
            self.model.add_no_overlap(self.nodes[v] for v in bits(hold.members))
            for g in self.problem.rivals[h]:
                if g > h:
                    self.model.add_no_overlap([self.holds[h], self.holds[g]])
        if alike:
            self._add_cumulative()
        else:
            self._add_assignment()

    def _hold(self, h: int) -> Any:
        hold = self.problem.holds[h]
        size = self.model.new_int_var(0, self.horizon, f"held{h}")
        self.spans.append((size, hold.occupy, hold.release))
        return self.model.new_interval_var(
            self.begins[hold.occupy], size, self.ends[hold.release], f"hold{h}"
        )

    def _add_cumulative(self) -> None:
        problem = self.problem
        parts = [(self.holds[h], hold.arms) for h, hold in enumerate(problem.holds)]
        for v, need in enumerate(problem.need):
            if problem.types[v] != "occupy" and need:
                parts.append((self.nodes[v], need))
        self.model.add_cumulative([p for p, _ in parts], [need for _, need in parts], self.arms)

    def _add_assignment(self) -> None:
        model, problem, k = self.model, self.problem, self.arms
        takes = [[model.new_bool_var(f"arm{v}_{a}") for a in range(k)] for v in range(problem.size)]
        self.takes = takes
        by_arm: list[list[Any]] = [[] for _ in range(k)]
        for v in range(problem.size):
            own = [model.new_bool_var(f"own{v}_{a}") for a in range(k)]
            held = () if problem.types[v] == "occupy" else problem.own[v]
            self.extra.append(own)
            model.add(sum(own) == problem.need[v])
            for a in range(k):
                model.add(
                    takes[v][a] == own[a] + sum(takes[problem.holds[h].occupy][a] for h in held)
                )
                model.add(self.sizes[v] >= self.times[v][a]).only_enforce_if(takes[v][a])
                if not problem.can[v] >> a & 1:
                    model.add(own[a] == 0)
            if problem.need[v] > 1 and len(problem.bodies) > 1:
                bodies = [model.new_bool_var(f"body{v}_{n}") for n in range(len(problem.bodies))]
                model.add_exactly_one(bodies)
                for body, mask in zip(bodies, problem.bodies, strict=True):
                    model.add(sum(own[a] for a in bits(mask)) == problem.need[v] * body)
            if problem.types[v] != "occupy" and problem.need[v]:
                for a in range(k):
                    by_arm[a].append(self._optional(v, v, own[a], f"own{v}_{a}"))
        for h, hold in enumerate(problem.holds):
            for a in range(k):
                present = takes[hold.occupy][a]
                by_arm[a].append(self._optional(hold.occupy, hold.release, present, f"on{h}_{a}"))
        for intervals in by_arm:
            model.add_no_overlap(intervals)
        if self.geometry is not None:
            self._side_by_side(self.geometry, takes)

    def _optional(self, first: int, last: int, present: Any, name: str) -> Any:
        size = self.model.new_int_var(0, self.horizon, f"{name}_size")
        self.spans.append((size, first, last))
        return self.model.new_optional_interval_var(
            self.begins[first], size, self.ends[last], present, name
        )

    def _side_by_side(self, geometry: Geometry, takes: list[list[Any]]) -> None:
        model, problem, k = self.model, self.problem, self.arms
        for u in range(problem.size):
            for v in range(u + 1, problem.size):
                right, left = geometry.right_of[u] >> v & 1, geometry.left_of[u] >> v & 1
                ordered = (problem.before[v] >> u | problem.before[u] >> v) & 1
                if ordered or (right and left):
                    continue
                first = model.new_bool_var(f"first{u}_{v}")
                second = model.new_bool_var(f"second{u}_{v}")
                model.add(self.begins[v] >= self.ends[u]).only_enforce_if(first)
                model.add(self.begins[u] >= self.ends[v]).only_enforce_if(second)
                if not right and not left:
                    model.add_bool_or([first, second])
                    continue
                for a in range(k):
                    for b in range(k):
                        if (a < b and not right) or (a > b and not left):
                            model.add_bool_or([first, second, ~takes[u][a], ~takes[v][b]])
