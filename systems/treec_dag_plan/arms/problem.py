"""Load a task for arms and the world of its scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from treec.files.entry import Entry
from treec.files.library import Library, load_file
from treec.files.view import View, per_view, world_of
from treec.frozen import frozen
from treec.run.task_view import tasks_named
from treec.source.diagnostics import unknown
from treec.source.errors import LocatedError
from treec.source.text import Span
from treec_dag_plan.arms.world import (
    HOLDING,
    ArmLimits,
    ArmWorld,
    ArmWorldError,
    SkillModel,
    read_skill,
)
from treec_dag_plan.arms.world_logic import (
    Constant,
    FactValue,
    Key,
    Term,
    read_term,
)
from treec_dag_plan.files import ProblemFile


class ProblemError(Exception):
    """A task cannot be loaded; the text says why, ``span`` where, if not in the task's file."""

    span: Span | None = None


@frozen(slots=False)
class AllocationProblem:
    """A task and its world."""

    entry: Entry[ProblemFile]
    view: View
    world: ArmWorld

    @property
    def has_goal(self) -> bool:
        """Whether the goal says anything."""
        return any(term != Constant(True) for term in self.world.goal)

    @property
    def moved_things(self) -> dict[str, str]:
        """Things that start elsewhere than in their scene → their places."""
        starts = self.model.starts.items()
        return {name: str(facts["at"]) for name, facts in starts if facts.get("at") is not None}

    @property
    def model(self) -> ProblemFile:
        """The file's content."""
        return self.entry.model


def problem_in(library: Library, name: str) -> AllocationProblem:
    """Load a problem of the library by name or by its task's words. Raises ProblemError."""
    entry = library.find("problem", name)
    if entry is None:
        tasks = [*library.of_kind("problem")]
        worded = [*tasks_named(tasks, name)]
        entry = worded[0] if len(worded) == 1 else None
    if entry is None:
        known = [e.name for e in tasks] + [e.model.task for e in tasks if " " in name]
        raise ProblemError(unknown("problem", name, known))
    return make_problem(library, entry)


def problem_from(library: Library, path: Path) -> AllocationProblem:
    """Load a problem from its file, inside or outside the library. Raises ProblemError."""
    try:
        relative = path.resolve().relative_to(library.root.resolve()).as_posix()
    except ValueError:
        relative = path.as_posix()
    entry = next((e for e in library.of_kind("problem") if e.path == relative), None)
    if entry is None:
        if not path.name.endswith(".problem.yaml"):
            raise ProblemError(f"{path}: the file of a task ends in .problem.yaml")
        known = len(library.diagnostics)
        found = load_file(library, path, relative)
        entry = next((e for e in found if e.kind == "problem"), None)
        if entry is None:
            problem = next(iter(library.diagnostics[known:]), None)
            if problem is None:  # the library reported it when it read the file
                problem = next((d for d in library.diagnostics if d.span.path == relative), None)
            reason = "it has no problem"
            raise ProblemError(
                f"{problem.span}: {problem.message}" if problem else f"{path}: {reason}"
            )
    return make_problem(library, entry)


def make_problem(library: Library, entry: Entry[ProblemFile]) -> AllocationProblem:
    """Build a problem in the world of its scene. Raises ProblemError."""
    view = world_of(library, entry.model.scene)
    if view is None:
        known = [scene.name for scene in library.of_kind("scene")]
        raise ProblemError(f"{entry.span('scene')}: {unknown('scene', entry.model.scene, known)}")
    try:
        return AllocationProblem(entry, view, _world(view, entry))
    except ArmWorldError as error:
        raise _problem_error(error) from None


def problem_in_view(view: View, entry: Entry[ProblemFile]) -> AllocationProblem:
    """Build a problem in the world of a system with the same scene. Raises ProblemError."""
    try:
        return AllocationProblem(entry, view, _world(view, entry))
    except ArmWorldError as error:
        raise _problem_error(error) from None


def _problem_error(error: ArmWorldError) -> ProblemError:
    found = ProblemError(str(error))
    found.span = error.span
    return found


@per_view
def skills_of(view: View) -> tuple[SkillModel, ...]:
    """Return a world's skills that have commands. Raises ArmWorldError."""
    arms = {name for name in view.types.names if view.types.is_a(name, "Agent")}
    found = (read_skill(name, e.model, arms) for name, e in sorted(view.all("skill").items()))
    skills = tuple(skill for skill in found if skill is not None)
    for skill in skills if HOLDING in view.facts else ():
        if skill.forgotten is not None:
            span = view.all("skill")[skill.name].span("after")
            why = f"write {skill.forgotten} among the effects of '{skill.name}'"
            raise ArmWorldError(str(span), why, span)
    return skills


def _world(view: View, entry: Entry[ProblemFile]) -> ArmWorld:
    model = entry.model
    facts = _start(view, model)
    listed = model.objects or list(view.objects)
    for place, name in enumerate(listed):
        if name not in view.objects:
            where = entry.span("objects", place)
            raise ProblemError(f"{where}: {unknown('object', name, view.objects)}")
    there = _with_surroundings(listed, facts, view)
    names: dict[str, str] = {}
    for name in listed:
        names[name] = name
        names.update({other: name for other in view.objects[name].also if other not in names})
    goal: list[Term] = []
    for place, text in enumerate(model.goal):
        try:
            goal.append(read_term(text))
        except LocatedError as error:
            raise ProblemError(f"{entry.span('goal', place)}: {error.message}") from None
    return ArmWorld(
        types=view.types,
        things={name: view.objects[name].type for name in view.objects if name in there},
        names=names,
        arms=tuple(view.agents),
        skills=skills_of(view),
        start={
            k: v for k, v in facts.items() if all(a in there or a in view.agents for a in k[1:])
        },
        goal=tuple(goal),
        limits={
            name: ArmLimits(agent.is_, {s: limit.takes for s, limit in agent.skills.items()})
            for name, agent in view.agents.items()
        },
    )


def _start(view: View, model: ProblemFile) -> dict[Key, FactValue]:
    """Return the initial state: facts of the scene and the agents, overridden by the problem's."""
    found: dict[Key, FactValue] = {}
    given: list[tuple[str, Mapping[str, FactValue]]] = [
        *((name, spec.facts) for name, spec in view.objects.items()),
        *((name, agent.starts) for name, agent in view.agents.items()),
        *model.starts.items(),
    ]
    for thing, facts in given:
        for fact, value in facts.items():
            found[(fact, thing)] = value
    return {key: value for key, value in found.items() if value is not None and value is not False}


def _with_surroundings(
    listed: Iterable[str], facts: Mapping[Key, FactValue], view: View
) -> set[str]:
    """Return the task's objects with those that they are in, on or part of."""
    there: set[str] = set()
    todo = list(listed)
    while todo:
        name = todo.pop()
        if name in there:
            continue
        there.add(name)
        todo += [str(v) for k, v in facts.items() if k[1:] == (name,) and v in view.objects]
    return there
