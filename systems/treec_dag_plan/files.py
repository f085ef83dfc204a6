"""DAG-Plan's files: problem, a task in a scene; plans that are graphs, stages or goals."""

from collections.abc import Collection, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from treec.files.entry import Entry
from treec.files.fields import Expr, Model, Value
from treec.files.prompts import PlanFile


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


class DrawnUpPlan(PlanFile):
    """A plan for several arms, which the node `plan` carries out."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description", "wrong"), "text"),
        **dict.fromkeys(
            ("constraints", "objects", "commands", "done", "holding", "findings"), "list of text"
        ),
    }
    offline_gives: ClassVar[Mapping[str, str] | None] = {"task": "text", "reference": "text"}
    args: ClassVar[Mapping[str, str]] = {"task": "text"}

    offline: Expr | None = Field(
        None,
        description="Gives the plan's text when no model does: reference, or reference | stages",
    )
    examples: list[PlanExample] = Field([])


DRAWN_UP = ("graph", "stages")
"""The forms of plans that the node `plan` carries out."""


def wrong_form(entry: Entry[PlanFile], forms: Collection[str]) -> str:
    """What is wrong with a plan that answers none of these forms."""
    return f"'{entry.name}' answers {entry.model.answers}, not {' or '.join(forms)}"


class GraphPlan(DrawnUpPlan):
    """A plan that is a task graph: the node `plan` shares out its sub-tasks."""

    answers: Literal["graph"] = "graph"


class StagesPlan(DrawnUpPlan):
    """A plan of stages, which say who does what (to compare with)."""

    answers: Literal["stages"]
    at_once: int | None = Field(
        None,
        ge=1,
        description="Maximum number of sub-tasks in a stage (default: one per agent).",
    )


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


class GoalPlan(PlanFile):
    """The goal of a task in words, as facts."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description"), "text"),
        **dict.fromkeys(
            ("constraints", "objects", "facts", "commands", "findings"), "list of text"
        ),
    }
    args: ClassVar[Mapping[str, str]] = {"task": "text"}

    answers: Literal["goal"]
    examples: list[GoalExample] = Field([])
