"""One thing that stands for two.

A task or a skill that takes two things needs two: nothing is loaded onto itself. Told are the
words of a recipe's subtask and the calls in a task's steps, where it is certain.

Wrong:

    recipe: Morning Order
    subtasks:
      load cart onto cart: {}

Right:

    recipe: Morning Order
    subtasks:
      load crate onto cart: {}

What a user asks for in this way is refused when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.environments import world
from treec.check.task_words import task_words
from treec.files.entry import AnyEntry
from treec.files.tasks import SkillFile, TaskFile
from treec.files.types import read_type
from treec.files.view import View
from treec.program.binding import ArgumentMismatch, bind
from treec.program.places import StepsError
from treec.program.steps import Arg, Literal, NameRef, StepCall, parse_steps
from treec.source.diagnostics import Diagnostic
from treec.team.knowledge import knowledge_of
from treec.team.words import same_thing

CODE = "TC519"


def check(view: View) -> Iterator[Diagnostic]:
    """Subtasks of recipes, and steps of tasks, in which a thing meets itself."""
    if task_words(view) is not None:
        for entry in entries(view, "recipe"):
            yield from _recipe(view, entry)
    for entry in entries(view, "task"):
        yield from _steps(view, entry)


def _recipe(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    knowledge = knowledge_of(view)
    for id, spec in entry.model.subtasks.items():
        bound = knowledge.words.match(spec.do or id)
        thing = knowledge.thing_twice(bound.task, bound.args) if bound else None
        if thing is not None:
            in_do = spec.do is not None
            loc = ("subtasks", id, "do") if in_do else ("subtasks", id)
            message = f"'{spec.do or id}' needs two things, and {thing} is only one"
            yield Diagnostic(CODE, "error", entry.span(*loc, key=not in_do), message)


def _steps(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    task: TaskFile = entry.model
    try:
        steps = parse_steps(task.steps or "")
    except StepsError:  # TC506 tells
        return
    skills = view.all("skill")
    for step in steps:
        skill = skills.get(step.name)
        again = _again(view, step, skill.model) if skill is not None else None
        if again is not None:
            shown, arg = again
            span = entry.span_in(("steps",), arg.at.offset, arg.at.length)
            message = f"'{step.name}' needs two things, and {shown} is only one"
            yield Diagnostic(CODE, "error", span, message)


def _again(view: View, step: StepCall, skill: SkillFile) -> tuple[str, Arg] | None:
    """The argument that is the same thing as one before it, and how it is written."""
    bound = bind(step.name, list(skill.args), len(step.args), [name for name, _ in step.kwargs])
    if isinstance(bound, ArgumentMismatch):
        return None
    seen: list[tuple[str, str]] = []
    for name, arg in (*zip(bound, step.args, strict=True), *step.kwargs):
        if isinstance(arg, NameRef):
            thing = arg.name
        elif isinstance(arg, Literal) and isinstance(arg.value, str):
            thing = arg.value
        else:
            continue
        for other, earlier in seen:
            if same_thing(skill.args, {other: earlier, name: thing}) and _alike(
                view, skill, other, name
            ):
                return thing, arg
        seen.append((name, thing))
    return None


def _alike(view: View, skill: SkillFile, one: str, other: str) -> bool:
    """Whether a thing could be both; where none can, TC506 tells that one of them does not fit."""
    first, second = read_type(skill.args[one]), read_type(skill.args[other])
    return world(view).types.could_be(first, second)
