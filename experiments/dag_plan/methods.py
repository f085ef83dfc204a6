"""The schedulers of the evaluation: the paper's rule, and the fewest stages."""

from __future__ import annotations

from experiments.dag_plan.written_plans import Scheduler
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ArmPlan
from treec_dag_plan.arms.schedule.methods import schedule


def paper_rule(graph: TaskGraph, layout: ArmLayout | None) -> ArmPlan:
    """Schedule by DAG-Plan's rule. Raises ValueError for a deadlock."""
    return schedule(graph, "paper", layout=layout)


def shortest(graph: TaskGraph, layout: ArmLayout | None) -> ArmPlan:
    """Schedule with the fewest stages. Raises ValueError for an infeasible graph."""
    return schedule(graph, "shortest", layout=layout)


METHODS: tuple[tuple[str, Scheduler], ...] = (
    ("the paper's rule", paper_rule),
    ("shortest", shortest),
)
