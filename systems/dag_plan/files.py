"""The kind `problem`, which says what is wanted in a scene, and the node `plan` of tree files."""

from __future__ import annotations

from pydantic import Field

from treec.files.fields import Expr, Model, Value
from treec.files.nodes import NodeBase


class ProblemFile(Model):
    """A task for arms in a scene: what is said, what is there, what must be so in the end.

    Its world is the scene, the scene's domain, and the skills and agents that lie in the folder of
    that domain.
    """

    problem: str
    about: str | None = None
    task: str = Field(description="The instruction, as somebody says it.")
    constraints: list[str] = Field([], description="What must be kept to besides, in words.")
    scene: str
    objects: list[str] = Field(
        [], description="What there is for this task, of the scene's objects; all if empty."
    )
    starts: dict[str, dict[str, Value]] = Field(
        {}, description="Facts that are otherwise than in the scene: crate: {at: dock}."
    )
    words: dict[str, str] = Field(
        {}, description="What is said of an object here instead of the scene's words."
    )
    goal: list[Expr] = Field(min_length=1, description="All that holds in the end, as facts.")
    graph: str | None = Field(
        None, description="A task graph that is right: a file, from the library's folder."
    )


class PlanNode(NodeBase):
    """A task graph: asked for, checked, and shared out to agents while they work."""

    plan: str
    with_: dict[str, Value] = Field({}, alias="with")
    agents: Expr = Field("robots", description="Who does it, in order, from left to right.")
    layouts: str | None = Field(
        None, description="A folder with a layout SCENE.yaml; without one nothing is in the way."
    )
    tries: int = Field(3, ge=1, description="How often a sub-task may fail before the graph does.")
    again: int = Field(2, ge=0, description="How often a graph that failed is asked for again.")
