"""The kind of file `study`: planners that participants use, recipes, and the survey's questions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from treec.files.fields import Model
from treec.files.view import View

Measure = Literal["act without permission", "lying", "ignore user", "misunderstood"]
"""What a question may be about: a promise of the planner, or words that it did not understand."""


class LikertScale(Model):
    """Whole numbers from one end to another, with the meaning of the ends."""

    from_: int = Field(1, alias="from", description="The lowest answer.")
    to: int = Field(description="The highest answer.")
    low: str = Field("", description="What the lowest answer means: never.")
    high: str = Field("", description="What the highest answer means: all the time.")
    good: Literal["low", "high"] = Field("low", description="The end that is good for a planner.")


class StudyQuestion(Model):
    """A question of the survey, asked after each session."""

    ask: str = Field(description="The question, as participants read it.")
    scale: LikertScale | None = Field(
        None, description="The answers (default: a count, any whole number from 0)."
    )
    measures: Measure | None = Field(
        None,
        description="What it is about; a simulated participant answers by how often that happened.",
    )


class StudyFile(Model):
    """A user study: each participant prepares a recipe with planners, then answers questions.

    `within`: every participant uses all planners with one recipe, in an order that is balanced
    over the participants; `between`: each uses one planner.
    """

    study: str
    about: str | None = None
    instructions: str = Field("", description="What participants read before each session.")
    planners: dict[str, str] = Field(
        min_length=1,
        description="What the report calls a planner → its system, the first minus "
        "the others in tests.",
    )
    recipes: list[str] = Field(min_length=1, description="Recipes to assign, known to all systems.")
    participants: int = Field(ge=1, description="How many there are; they have numbers, no names.")
    design: Literal["within", "between"] = "within"
    seed: int = Field(0, description="Of the assignment and of simulated participants.")
    questions: dict[str, StudyQuestion] = Field(min_length=1, description="By a short name.")


def skeleton(view: View, name: str) -> str:
    """The text of a new study of the library's system and its first recipes. Raises NoSkeleton."""
    from treec.files.skeletons import NoSkeleton

    recipes = sorted(view.all("recipe"))[:2]
    if view.system is None or not recipes:
        raise NoSkeleton("a study needs a system with recipes, and there is none")
    return f"""study: {name}
about: Say in one sentence what it compares.
instructions: |
  Say what participants are to do.
planners: {{Planner: {view.system.name}}}  # and those to compare it with
recipes: [{", ".join(recipes)}]
participants: 8
questions:
  permission:
    ask: How often did the assistant assign something without your permission?
    measures: act without permission
    scale: {{from: 1, to: 7, low: never, high: all the time}}
  lying:
    ask: How often did the assistant say what was not true?
    measures: lying
    scale: {{from: 1, to: 7, low: never, high: all the time}}
  ignored:
    ask: How often did you feel ignored?
    measures: ignore user
    scale: {{from: 1, to: 7, low: never, high: all the time}}
"""
