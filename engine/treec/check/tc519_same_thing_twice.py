"""One thing used as two.

A task or skill that takes two things needs two different ones: nothing is loaded onto itself. The
words of recipes' subtasks and the calls in tasks' steps are checked, and reported when certain.

Wrong:

    recipe: Morning Order
    subtasks:
      load cart onto cart: {}

Right:

    recipe: Morning Order
    subtasks:
      load crate onto cart: {}

Such a request of a user is refused at run time.
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
from treec.team.words import find_repeated_thing

CODE = "TC519"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks of recipes, and steps of tasks, that use one thing as two."""
    if task_words(view) is not None:
        for entry in entries(view, "recipe"):
            yield from _recipe(view, entry)
    for entry in entries(view, "task"):
        yield from _steps(view, entry)


def _recipe(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    knowledge = knowledge_of(view)
    for id, spec in entry.model.subtasks.items():
        bound = knowledge.words.match(spec.do or id)
        thing = knowledge.repeated_thing(bound.task, bound.args) if bound else None
        if thing is not None:
            in_do = spec.do is not None
            loc = ("subtasks", id, "do") if in_do else ("subtasks", id)
            message = f"'{spec.do or id}' needs two things, but {thing} is only one"
            yield Diagnostic(CODE, "error", entry.span(*loc, key=not in_do), message)


def _steps(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    task: TaskFile = entry.model
    try:
        steps = parse_steps(task.steps or "")
    except StepsError:  # reported by TC506
        return
    skills = view.all("skill")
    for step in steps:
        skill = skills.get(step.name)
        repeated = _repeated_argument(view, step, skill.model) if skill is not None else None
        if repeated is not None:
            shown, arg = repeated
            span = entry.span_in(("steps",), arg.at.offset, arg.at.length)
            message = f"'{step.name}' needs two things, but {shown} is only one"
            yield Diagnostic(CODE, "error", span, message)


def _repeated_argument(view: View, step: StepCall, skill: SkillFile) -> tuple[str, Arg] | None:
    """Return the argument that is the same thing as an earlier one, and that thing's name."""
    bound = bind(step.name, list(skill.args), len(step.args), [name for name, _ in step.kwargs])
    if isinstance(bound, ArgumentMismatch):
        return None
    things: list[tuple[str, str]] = []
    for name, arg in (*zip(bound, step.args, strict=True), *step.kwargs):
        if isinstance(arg, NameRef):
            thing = arg.name
        elif isinstance(arg, Literal) and isinstance(arg.value, str):
            thing = arg.value
        else:
            continue
        for other, earlier in things:
            if find_repeated_thing(skill.args, {other: earlier, name: thing}) and _compatible(
                view, skill, other, name
            ):
                return thing, arg
        things.append((name, thing))
    return None


def _compatible(view: View, skill: SkillFile, one: str, other: str) -> bool:
    """Whether a thing could be of both types; if none can, TC506 reports the misfit."""
    first, second = read_type(skill.args[one]), read_type(skill.args[other])
    return world(view).types.could_be(first, second)
