"""The kinds that say what can be done: task, recipe, skill."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field

from treec.files.fields import (
    ArgTypes,
    Duration,
    EmptyIsMapping,
    Expr,
    Import,
    Model,
    OrNull,
    Steps,
    Text,
)


class TaskFile(Model):
    """A kind of subtask: its words, its goal, its steps."""

    task: str
    about: str
    args: ArgTypes = {}
    says: list[str] = Field([], description="How people say it: get <item>, fetch <item>.")
    goal: Expr | None = Field(None, description="What holds when it is done.")
    steps: Steps | None = Field(None, description="Skill calls, one a line.")


class SubtaskSpec(Model):
    """A subtask in a recipe."""

    do: str | None = Field(None, description="Its words; the key if absent.")
    after: list[str] = Field([], description="Subtasks that must all be done first.")
    after_any: list[str] = Field([], description="Subtasks of which one must be done first.")


class RecipeFile(Model):
    """A task graph: subtasks and what comes after what."""

    recipe: str
    about: str | None = None
    serves: int | None = Field(None, ge=1)
    like: list[str] = Field(
        [], description="Names that no recipe has and that this one comes near to."
    )
    subtasks: dict[str, Annotated[SubtaskSpec, EmptyIsMapping, OrNull]]


class Precondition(NamedTuple):
    """What must hold before a skill, and the skill's call that brings it about."""

    condition: str
    repair: str | None


class SkillFile(Model):
    """A name bound to workers, with what it needs and brings about."""

    skill: str
    about: str
    args: ArgTypes = {}
    needs: dict[str, Expr] = Field({}, description="What perception and forecasting give it.")
    before: list[Expr | Annotated[dict[str, Expr], Field(min_length=1, max_length=1)]] = Field(
        [], description="What must hold; behind the colon the skill that brings it about."
    )
    otherwise: dict[str, Text] = Field(
        {}, description="What people are told when a condition of `before` cannot be brought about."
    )
    at_start: list[Expr] = Field(
        [], description="Holds from its first moment on, and stays when it is stopped midway."
    )
    after: list[Expr] = Field([], description="Holds when it has succeeded.")
    again: bool = Field(
        False, description="Done again even when all of `after` holds already (scanning)."
    )
    takes: Duration = Field(1.0, description="How long it takes.")
    timeout: Duration | None = Field(None, description="Stopped after this long, FAILURE.")
    runs: dict[str, Import] = Field({}, description="A worker for each environment.")
    says: Text | None = Field(None, description="The step in words, for people.")
    also: list[str] = Field([], description="Other names people use for it.")

    @property
    def preconditions(self) -> tuple[Precondition, ...]:
        """What `before` says, in its order."""
        pairs = ({item: None} if isinstance(item, str) else item for item in self.before)
        return tuple(Precondition(*pair) for item in pairs for pair in item.items())
