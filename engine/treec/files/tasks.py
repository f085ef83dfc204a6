"""The kinds of work: task, recipe, skill."""

from typing import Annotated, NamedTuple

from pydantic import Field

from treec.files.bindings import Workers
from treec.files.fields import (
    ArgTypes,
    Duration,
    EmptyIsMapping,
    Expr,
    Model,
    OrNull,
    Steps,
    Text,
)


class TaskFile(Model):
    """A kind of subtask: its words, its goal, its steps."""

    task: str
    about: str
    args: ArgTypes = Field({}, description="Its arguments and their types: item: Item.")
    says: list[str] = Field(
        [], description="Patterns of how people ask for it: get <item>, fetch <item>."
    )
    goal: Expr | None = Field(None, description="The condition that holds when it is done.")
    steps: Steps | None = Field(None, description="Skill calls, one a line.")


class SubtaskSpec(Model):
    """A subtask in a recipe."""

    do: str | None = Field(None, description="Its words (default: the key).")
    amount: str | float | None = Field(
        None, description="How much of its thing, which people hear: 200 ml, 2, half."
    )
    at: str | None = Field(None, description="How hot, which people hear: 180 °C.")
    takes: Duration | None = Field(
        None, gt=0, description="How long the step that achieves its goal takes; people hear it."
    )
    note: str | None = Field(None, description="What people hear behind its words: until soft.")
    optional: bool = Field(False, description="It may be left out, and people hear so.")
    makes: str | None = Field(
        None, description="What is in its container then, a name for other subtasks: syrup."
    )
    after: list[str] = Field([], description="Subtasks that must all be done first.")
    after_any: list[str] = Field([], description="Subtasks of which one must be done first.")

    @property
    def is_plain(self) -> bool:
        """Whether people hear no more than its words."""
        return not (self.amount or self.at or self.takes or self.note or self.optional)


class RecipePart(Model):
    """What a recipe takes, and how much of it."""

    name: str
    amount: str | float | None = Field(None, description="For as many as the recipe `serves`.")
    group: str | None = Field(None, description="What it is for: the frosting.")
    note: str | None = None
    optional: bool = False


class RecipeFile(Model):
    """A task graph: subtasks and their predecessors."""

    recipe: str
    about: str | None = None
    serves: int | None = Field(None, ge=1, description="For how many people.")
    language: str | None = Field(None, description="Of its words, if not the system's: de.")
    like: list[str] = Field([], description="Similar names that have no recipe of their own.")
    parts: list[RecipePart] = Field([], description="What it takes, for people.")
    subtasks: dict[str, Annotated[SubtaskSpec, EmptyIsMapping, OrNull]] = Field(
        description="The work by its words, and what each comes after."
    )


class Precondition(NamedTuple):
    """A condition that must hold before a skill, and its repair: a skill call that achieves it."""

    condition: str
    repair: str | None


class SkillFile(Model):
    """A skill: its arguments, preconditions, effects, and workers."""

    skill: str
    about: str
    args: ArgTypes = Field({}, description="Its arguments and their types: item: Item.")
    needs: dict[str, Expr] = Field(
        {}, description="What it is given when it starts, each by a provider: localize(item)."
    )
    if_unmet: Expr | None = Field(
        None,
        description="What is done when a need is not met or its answer is in doubt, before it is "
        "asked again: a skill call. Nothing where the system's `preconditions` are not `repair`.",
    )
    diagnose: Expr | None = Field(
        None, description="What is asked of a provider once it has failed: describe(item)."
    )
    before: list[Expr | Annotated[dict[str, Expr], Field(min_length=1, max_length=1)]] = Field(
        [],
        description="Preconditions, each with an optional repair: a skill call that achieves it.",
    )
    otherwise: dict[str, Text] = Field(
        {}, description="The message when a condition of `before` cannot be achieved."
    )
    at_start: list[Expr] = Field(
        [], description="Effects from its start on, which remain if it is stopped midway."
    )
    after: list[Expr] = Field([], description="Effects of its success.")
    again: bool = Field(
        False, description="Execute it even if all of `after` already holds (scanning)."
    )
    takes: Duration = Field(1.0, description="Its duration.")
    timeout: Duration | None = Field(
        None, gt=0, description="It is stopped after this time: FAILURE."
    )
    runs: Workers = Field(
        {},
        description="A worker for each environment: a Python object, or a mapping where an "
        "extension describes the environment's (`ros`).",
    )
    says: Text | None = Field(None, description="The step in words, for messages to people.")
    also: list[str] = Field([], description="Other names people use for it.")

    @property
    def preconditions(self) -> tuple[Precondition, ...]:
        """Return the items of `before`, in order."""
        pairs = ({item: None} if isinstance(item, str) else item for item in self.before)
        return tuple(Precondition(*pair) for item in pairs for pair in item.items())
