"""MOSAIC's form of plan: outline, a recipe as a list of subtasks."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from treec.files.fields import Model, Value
from treec.files.prompts import PlanFile


class OutlineAnswer(Model):
    """An outline in an example."""

    reasoning: str = ""
    plan: str


class OutlineExample(Model):
    """A recipe page and its outline."""

    about: str = ""
    given: dict[str, Value] = Field({})
    answer: OutlineAnswer


class OutlinePlan(PlanFile):
    """A recipe as a list of subtasks; `treec recipe import` asks for the one on a page."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description"), "text"),
        **dict.fromkeys(("objects", "commands", "findings"), "list of text"),
    }

    answers: Literal["outline"]
    examples: list[OutlineExample] = Field([])
