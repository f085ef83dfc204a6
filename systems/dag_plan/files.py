"""DAG-Plan's kinds of files: problem, a task in a scene; plan and goal, prompts for its plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from treec.files.fields import Duration, Expr, Model, Text, Value
from treec.files.nodes import NodeBase
from treec.files.prompts import Prompt


class ProblemFile(Model):
    """A task for arms in a scene: instruction, objects and goal.

    Its world is the scene, the scene's domain, and the skills and agents that lie in the folder of
    that domain.
    """

    problem: str
    about: str | None = None
    task: str = Field(description="The instruction, as somebody says it.")
    constraints: list[str] = Field([], description="Further constraints, in words.")
    scene: str
    objects: list[str] = Field([], description="The scene's objects of this task; all if empty.")
    starts: dict[str, dict[str, Value]] = Field(
        {}, description="Facts that differ from the scene's: crate: {at: dock}."
    )
    words: dict[str, str] = Field(
        {}, description="Descriptions of objects that replace the scene's."
    )
    goal: list[Expr] = Field(min_length=1, description="Conditions that must hold at the end.")
    graph: str | None = Field(
        None, description="Reference task graph: a file, relative to the library's folder."
    )


class PlanAnswer(Model):
    """A plan in an example."""

    reasoning: str = ""
    plan: str


class PlanExample(Model):
    """A task and the plan for it."""

    about: str = ""
    given: dict[str, Value] = Field({})
    answer: PlanAnswer


class PlanFile(Prompt):
    """A plan that a model writes: a task graph for several arms, or stages (to compare with)."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description", "wrong"), "text"),
        **dict.fromkeys(
            ("constraints", "objects", "commands", "done", "holding", "findings"), "list of text"
        ),
    }
    offline_gives: ClassVar[Mapping[str, str] | None] = {"task": "text", "reference": "text"}
    args: ClassVar[Mapping[str, str]] = {"task": "text"}

    plan: str
    form: Literal["graph", "stages"] = Field(
        "graph",
        description="A task graph, or stages that say who does what.",
    )
    at_once: int | None = Field(
        None,
        ge=1,
        description="Maximum number of sub-tasks in a stage (default: one per agent).",
    )
    offline: Expr | None = Field(
        None,
        description="Gives the plan's text when no model does: reference, or reference | stages",
    )
    reflection: Text | None = Field(
        None, description="What a model is told about a plan that is wrong: {{ findings }}."
    )
    examples: list[PlanExample] = Field([])


class GoalAnswer(Model):
    """A goal in an example."""

    reasoning: str = ""
    goal: list[str] = Field([])
    missing: list[str] = Field([])


class GoalExample(Model):
    """A task and its goal."""

    about: str = ""
    given: dict[str, Value] = Field({})
    answer: GoalAnswer


class GoalFile(Prompt):
    """Asks for the goal of a task in words, as facts."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description"), "text"),
        **dict.fromkeys(
            ("constraints", "objects", "facts", "commands", "findings"), "list of text"
        ),
    }
    args: ClassVar[Mapping[str, str]] = {"task": "text"}

    goal: str
    reflection: Text | None = Field(
        None, description="What a model is told about a goal that is wrong: {{ findings }}."
    )
    examples: list[GoalExample] = Field([])


class PlanNode(NodeBase):
    """A task graph: asked for, checked, and shared out to agents while they work."""

    plan: str
    goal: str | None = Field(
        None, description="The goal file that is asked first for a task that no file describes."
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
