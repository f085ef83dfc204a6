"""What DAG-Plan adds to treec."""

from __future__ import annotations

from treec.extensions import Command, Extension, Filter, Kind, Name, PlanForm, Rules, StateSlot

EXTENSION = Extension(
    name="dag_plan",
    kinds=(
        Kind(
            "problem",
            "treec_dag_plan.files:ProblemFile",
            scene=True,
            done="plan_status == 'done'",
            failed="plan_status == 'failed'",
            order=140,
            graph="treec_dag_plan.digraph:problem_digraph",
        ),
    ),
    plans=(
        PlanForm(
            "graph",
            "treec_dag_plan.files:GraphPlan",
            "treec_dag_plan.decisions.plan_case:PlanCase",
            order=10,
        ),
        PlanForm(
            "stages",
            "treec_dag_plan.files:StagesPlan",
            "treec_dag_plan.decisions.plan_case:PlanCase",
            order=20,
        ),
        PlanForm(
            "goal",
            "treec_dag_plan.files:GoalPlan",
            "treec_dag_plan.nodes.goal:GoalLeaf",
            order=30,
            was="goal",
        ),
    ),
    nodes={"plan": "treec_dag_plan.plan_node:NODE"},
    rules=(Rules("treec_dag_plan.check", ("plan", "problem")),),
    pages=("treec_dag_plan.arms.rules",),
    names=(
        Name(
            "plan_status",
            "treec_dag_plan.events:plan_status",
            "text",
            "Of the last task graph: none, running, done or failed.",
            ("none", "running", "done", "failed"),
        ),
    ),
    slots=(
        StateSlot("plans", "treec_dag_plan.events:PlanState"),
        StateSlot("goals", "treec_dag_plan.events:PlanGoal"),
    ),
    events=("treec_dag_plan.events",),
    filters=(Filter("stages", "treec_dag_plan.arms.stages:stages_filter", "text"),),
    commands={
        "plan": Command(
            "treec_dag_plan.cli.plan:app",
            "Make, check, schedule and validate task graphs for arms.",
            "Robots",
        ),
    },
    drawings={"task_graph": "treec_dag_plan.render.task_graph:draw_file"},
    reports={"graphs": "treec_dag_plan.render.report:graphs"},
)
