"""MOSAIC's kind of file: outline, the prompt that asks for a recipe as a list of subtasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from treec.files.fields import Model, Text, Value
from treec.files.prompts import Prompt


class OutlineAnswer(Model):
    """An outline in an example."""

    reasoning: str = ""
    plan: str


class OutlineExample(Model):
    """A recipe page and its outline."""

    about: str = ""
    given: dict[str, Value] = Field({})
    answer: OutlineAnswer


class OutlineFile(Prompt):
    """Prompt of `treec recipe import` that turns a page into a list of subtasks."""

    gives: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("task", "description"), "text"),
        **dict.fromkeys(("objects", "commands", "findings"), "list of text"),
    }

    outline: str
    reflection: Text | None = Field(
        None, description="What a model is told about a list that is wrong: {{ findings }}."
    )
    examples: list[OutlineExample] = Field([])
