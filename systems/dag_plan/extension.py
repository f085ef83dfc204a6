"""What DAG-Plan adds to treec."""

from __future__ import annotations

from treec.extensions import Extension, Kind

EXTENSION = Extension(
    name="dag_plan",
    kinds=(
        Kind(
            "plan",
            "treec.files.prompts:PlanFile",
            behaviour=5,
            order=70,
            asks="treec.systems.dag_plan.decisions.plan_again:PlanAgain",
        ),
        Kind(
            "problem",
            "treec.systems.dag_plan.files:ProblemFile",
            scene=True,
            order=140,
            graph="treec.systems.dag_plan.digraph:problem_digraph",
        ),
    ),
    rules=("treec.systems.dag_plan.check",),
    pages=("treec.systems.dag_plan.arms.rules",),
    filters={"stages": "treec.systems.dag_plan.arms.stages:stages_filter"},
    commands={
        "plan": "treec.systems.dag_plan.cli.plan:app",
        "evaluate dual_arm": "treec.systems.dag_plan.cli.evaluate_dual_arm:command",
    },
)
