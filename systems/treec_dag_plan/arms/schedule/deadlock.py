"""Deadlocks of a scheduling method."""

from __future__ import annotations

from collections.abc import Sequence

from treec.frozen import frozen
from treec_dag_plan.arms.plan import PlanStage
from treec_dag_plan.arms.schedule.problem import SchedulingProblem
from treec_dag_plan.arms.schedule.serial import Serial


@frozen
class DeadlockReport:
    """The stages so far, the finished nodes, what arms hold, and why each ready node waits."""

    stages: tuple[PlanStage, ...]
    done: int
    nodes: int
    holds: tuple[tuple[str, str], ...]
    reasons: tuple[tuple[str, str], ...]

    def lines(self, most: int = 8) -> list[str]:
        """Describe the deadlock, with at most `most` reasons."""
        after = f"after {len(self.stages)} stages" if self.stages else "at the beginning"
        lines = [f"stuck {after}: {self.done} of {self.nodes} nodes are done"]
        lines += [f"{arm} holds {thing}" for arm, thing in self.holds]
        lines += [f"{node} {why}" for node, why in self.reasons[:most]]
        if len(self.reasons) > most:
            lines.append(f"and {len(self.reasons) - most} more wait")
        return lines


class DeadlockError(ValueError):
    """A method ended in a deadlock; `stuck` describes it."""

    def __init__(self, stuck: DeadlockReport) -> None:
        self.stuck = stuck
        super().__init__("; ".join(stuck.lines()))


def explain_infeasible(problem: SchedulingProblem) -> DeadlockReport | None:
    """Explain why no order of a graph is feasible with these arms; None if one is."""
    serial = Serial(problem)
    path, ready = serial.stuck()
    if len(path) == problem.size:
        return None
    done = sum(1 << v for v in path)
    reasons = [(problem.ids[v], _why(problem, done, v)) for v in ready]
    return DeadlockReport((), len(path), problem.size, (), tuple(reasons))


def _why(problem: SchedulingProblem, done: int, v: int) -> str:
    name = problem.graph.by_id[problem.ids[v]].name
    hold = next((problem.holds[h] for h in problem.own[v]), None)
    if hold is None:
        return f"({name}) needs {problem.need[v]} arms"
    serial = Serial(problem)
    needed = serial.concurrent_holds(done | 1 << v, problem.own[v])
    things = ", ".join(dict.fromkeys(problem.holds[h].thing for h in needed))
    if not things:
        return f"({name}) cannot be let go of again with {_arms(problem)}"
    return (
        f"({name}) cannot be let go of before others have been taken, too: {things}; "
        f"there are {_arms(problem)}"
    )


def _arms(problem: SchedulingProblem) -> str:
    count = len(problem.arms)
    return "one arm" if count == 1 else f"{count} arms"


def arms_of(arms: Sequence[str], mask: int) -> tuple[str, ...]:
    """Return the names of arms given as bits."""
    return tuple(arm for a, arm in enumerate(arms) if mask >> a & 1)
