"""The file of a study: planners that participants use, recipes, and the survey's questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from treec.files.fields import Model
from treec.files.library import Library
from treec.source.diagnostics import format_text, suggestion
from treec.source.yaml import Document, plain, read_documents, read_file

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


class StudyError(Exception):
    """A study's file or folder cannot be used; the message says why."""


def read_study(path: Path, library: Library) -> StudyFile:
    """The study in a file, whose systems and recipes are the library's. Raises StudyError."""
    file, problems = read_file(path, str(path))
    documents: list[Document] = []
    if file is not None:
        documents, problems = read_documents(file)
    if problems:
        raise StudyError(format_text(problems, {str(path): file} if file is not None else {}))
    try:
        study = StudyFile.model_validate(plain(documents[0].root) if documents else {})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise StudyError(f"{path}: {where}: {first['msg']}") from None
    if wrong := [*_problems(study, library)]:
        raise StudyError("\n".join(f"{path}: {problem}" for problem in wrong))
    return study


def _problems(study: StudyFile, library: Library) -> Iterator[str]:
    """Unknown and repeated systems and recipes, and scales without numbers."""
    labels: dict[str, str] = {}
    for label, name in study.planners.items():
        if name in labels:
            yield f"planners: '{labels[name]}' and '{label}' are the same system"
            continue
        labels[name] = label
        system = library.find_system(name)
        if system is None:
            known = [one.name for one in library.own("system")]
            yield f"planners: unknown system '{name}'; {suggestion(name, known, 'systems')}"
            continue
        inside = library.inside(library.folders(system))
        recipes = sorted({one.name for one in inside if one.kind == "recipe"})
        for recipe in study.recipes:
            if recipe not in recipes:
                help = suggestion(recipe, recipes, "recipes")
                yield f"recipes: unknown recipe '{recipe}' of the system '{name}'; {help}"
    for recipe in sorted({one for one in study.recipes if study.recipes.count(one) > 1}):
        yield f"recipes: '{recipe}' is listed twice"
    for name, question in study.questions.items():
        scale = question.scale
        if scale is not None and scale.from_ >= scale.to:
            span = f"a scale from {scale.from_} to {scale.to}"
            yield f"questions.{name}: {span} has nothing to choose; write the lower number first"
