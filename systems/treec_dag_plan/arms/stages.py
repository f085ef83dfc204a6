"""Convert task graphs to plans of stages, and stages to task graphs.

A graph becomes stages by being scheduled; an expression writes `reference | stages`, or
`reference | stages(1)` for one sub-task at a time. Stages become a graph in which each sub-task
waits for the whole stage before its own, and is for the arms that its stage names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from treec.frozen import frozen
from treec.source.errors import EvaluationProblem
from treec_dag_plan.arms.commands import action_of
from treec_dag_plan.arms.finding_kinds import CROWDED_STAGE
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.plan import ArmPlan
from treec_dag_plan.arms.validate_read import StageStep
from treec_dag_plan.arms.world import ArmWorld
from treec_kitchen.graph_findings import GraphFinding

Held = tuple[str, tuple[str, ...]]
"""The words of an occupy sub-task, and the arms that hold its object."""


@frozen
class StagedGraph:
    """A graph that follows a plan's stages: its text, and the arms of each node.

    `before`: nodes for what is held at the start → their words.
    """

    text: str
    arms: Mapping[str, tuple[str, ...]]
    before: Mapping[str, str]


def graph_of_stages(
    steps: Sequence[StageStep], world: ArmWorld, held: Sequence[Held] = ()
) -> StagedGraph:
    """Convert stages to a graph. Raises ValueError for words that are not a sub-task."""
    nodes: list[GraphNode] = []
    arms: dict[str, tuple[str, ...]] = {}
    before: dict[str, str] = {}

    def add(name: str, who: tuple[str, ...], after: tuple[str, ...]) -> str:
        found = action_of(world, name, who)
        if isinstance(found, GraphFinding):
            raise ValueError(found.message)
        id = f"node_{len(nodes) + 1}"
        nodes.append(GraphNode(id, name, "", (), len(who), after, found.skill.type))
        arms[id] = who
        return id

    last: tuple[str, ...] = ()
    for name, who in held:
        before[add(name, who, ())] = name
    last = tuple(before)
    for step in steps:
        now = tuple(add(part.name, part.arms, last) for part in step.parts)
        last = now or last
    nodes.append(GraphNode(f"node_{len(nodes) + 1}", "task complete", "", (), 0, last, "complete"))
    return StagedGraph(graph_text(nodes), arms, before)


def graph_text(nodes: Sequence[GraphNode]) -> str:
    """Render a graph as YAML, one line per node."""
    lines = ["nodes:"]
    for node in nodes:
        edge = ", ".join(id.removeprefix("node_") for id in node.after)
        name = json.dumps(node.name, ensure_ascii=False)
        rest = f"arm_num: {node.arms}, edge: [{edge}], type: {node.type}"
        lines.append(f"  {node.id}: {{name: {name}, {rest}}}")
    return "\n".join(lines) + "\n"


def stages_text(graph: TaskGraph, plan: ArmPlan, at_once: int | None = None) -> str:
    """Render a plan's stages as YAML, with at most `at_once` sub-tasks in a stage.

    The sub-tasks of a stage are possible in either order, so a stage may be split.
    """
    names = {node.id: node.name for node in graph.nodes}
    lines = ["stages:"]
    for stage in plan.stages:
        nodes = stage.nodes
        size = at_once or max(1, len(nodes))
        for first in range(0, len(nodes), size):
            some = nodes[first : first + size]
            told = {arm: names[id] if id in some else None for arm, id in stage.arms.items() if id}
            whole = {arm: told.get(arm) for arm in stage.arms}
            lines.append(f"  - {json.dumps(whole, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def stages_filter(text: object, at_once: int | None = None) -> str:
    """`reference | stages`: the shortest stages for a graph's text; '' for an empty text."""
    from treec_dag_plan.arms.read import read_graph
    from treec_dag_plan.arms.schedule.methods import schedule

    if not str(text or "").strip():
        return ""
    graph, problems = read_graph(str(text))
    if graph is None:
        raise EvaluationProblem(f"'stages' is for task graphs: {problems[0].message}")
    try:
        return stages_text(graph, schedule(graph), at_once)
    except ValueError as error:
        raise EvaluationProblem(f"this graph cannot be done in stages: {error}") from None


def crowded_stages(steps: Sequence[StageStep], at_once: int | None) -> Iterator[GraphFinding]:
    """The stages with more sub-tasks than a plan may have at one time."""
    for step in steps:
        if at_once is not None and len(step.parts) > at_once:
            yield CROWDED_STAGE.at(label=step.label, most=at_once)
