"""The node `plan`; what it does stands in ``nodes/plan.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Duration, Expr, Value
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class PlanNode(NodeBase):
    """A task graph: asked for, checked, and shared out to agents while they work."""

    plan: str
    goal: str | None = Field(
        None,
        description="The plan file, with `answers: goal`, that is asked first for a task that no "
        "file describes.",
    )
    with_: dict[str, Value] = Field({}, alias="with")
    agents: Expr = Field("robots", description="Who does it, in order, from left to right.")
    layouts: str | None = Field(
        None, description="Folder with layouts SCENE.yaml; without one, geometry is ignored."
    )
    tries: int = Field(3, ge=1, description="How often a sub-task may fail before the graph does.")
    waits: Duration = Field(
        default=300.0,
        description="How long to wait for arms that are out while nothing else can be done.",
    )
    again: int = Field(2, ge=0, description="How often a graph that failed is asked for again.")


def build(at: NodePlace, node: PlanNode) -> Behaviour:
    """The node as a leaf."""
    from treec_dag_plan.files import DRAWN_UP
    from treec_dag_plan.nodes.plan import Options, Plan, find_plan_file

    entry = find_plan_file(at, node.plan, DRAWN_UP)
    agents = at.expression(node.agents, "agents")
    options = Options(node.layouts, node.tries, node.again, node.waits)
    goal = None if node.goal is None else find_plan_file(at, node.goal, ("goal",))
    return Plan(at.path, at.runtime, at.frame, entry, node.with_, agents, options, goal)


_GRAPH = (
    "M3.5 5.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M3.5 13.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3"
    "M12.5 9.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M5 4.5L11 7.4M5 11.5L11 8.6"
)

NODE = NodeSpec(
    key="plan",
    model=PlanNode,
    build=build,
    refers="plan",
    also_refers={"goal": "plan"},
    drawing=Drawing("ask", icon=_GRAPH),
)
