"""The schedulers that the nine tasks are held against: the paper's rule, and the fewest stages."""

from __future__ import annotations

from treec.systems.dag_plan.arms.layout import ArmLayout
from treec.systems.dag_plan.arms.model import TaskGraph
from treec.systems.dag_plan.arms.plan import ArmPlan
from treec.systems.dag_plan.arms.schedule.methods import schedule
from treec.systems.dag_plan.evaluate.dual_arm import Scheduler


def paper_rule(graph: TaskGraph, layout: ArmLayout | None) -> ArmPlan:
    """DAG-Plan's own rule, as we read it. Raises ValueError where it is stuck."""
    return schedule(graph, "paper", layout=layout)


def shortest(graph: TaskGraph, layout: ArmLayout | None) -> ArmPlan:
    """The fewest stages. Raises ValueError for a graph that cannot be done."""
    return schedule(graph, "shortest", layout=layout)


METHODS: tuple[tuple[str, Scheduler], ...] = (
    ("the paper's rule", paper_rule),
    ("shortest", shortest),
)
