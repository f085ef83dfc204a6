"""Describe a task's objects for prompts: parts, places and states.

The format is DAG-Plan's (appendix E.4): for each object whether it is an actor or an articulation,
whether it is fixed, where it is, and the descriptions of it and of its parts.
"""

from __future__ import annotations

from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.world_logic import LogicName, Term, facts_in, reader

AT, PART = "at", "part_of"
"""The facts for an object's place and for the object that it is part of."""


def object_names(problem: AllocationProblem) -> tuple[str, ...]:
    """Return every name that sub-tasks may use, in the order of the task."""
    return tuple(problem.world.names)


def object_descriptions(problem: AllocationProblem) -> dict[str, dict[str, object]]:
    """Describe each object by name, with its parts nested.

    An object is fixed if no command can take it. Its `state` are the Boolean facts of its type that
    commands change, such as whether a door is open; its `traits` are those that none changes, that
    are so, and that a command's conditions ask about, such as `two_handed`.
    """
    found: dict[str, dict[str, object]] = {}
    start = problem.world.start
    listed = dict.fromkeys(problem.world.names.values())
    whole = {name: str(start.get((PART, name), name)) for name in listed}
    for name in listed:
        if whole[name] != name and whole[name] in listed:
            continue  # nested in the object that it is part of
        parts = [other for other in listed if whole[other] == name and other != name]
        also = [alias for alias, meant in problem.world.names.items() if meant == name != alias]
        entry: dict[str, object] = {"type": "articulation" if also or parts else "actor"}
        entry["fixed"] = not _can_be_taken(problem, name)
        if also or parts:
            entry["links"] = [*also, *parts]
        entry["spatial_relationship"] = _where(problem, name)
        entry["description"] = _about(problem, name)
        if parts:
            entry["parts"] = {
                part: {"description": _about(problem, part), **_state(problem, part)}
                for part in parts
            }
        found[name] = {**entry, **_state(problem, name)}
    return found


def _can_be_taken(problem: AllocationProblem, name: str) -> bool:
    world = problem.world
    takes = [skill for skill in world.skills if skill.type == "occupy" and len(skill.objects) == 1]
    return any(world.fits(name, skill.types[skill.objects[0]]) for skill in takes)


def _about(problem: AllocationProblem, name: str) -> str | None:
    entry = problem.model.words.get(name)
    return entry if entry is not None else problem.view.objects[name].about


def _where(problem: AllocationProblem, name: str) -> str | None:
    """Return an object's initial place as a sentence."""
    place = problem.world.start.get((AT, name))
    if not isinstance(place, str) or place == name:
        return None
    return f'"{name}" is {_word(problem, place)} "{place}".'


def _word(problem: AllocationProblem, place: str) -> str:
    """Return the preposition of the commands that put something there: `in`, `on`, else `at`."""
    world = problem.world
    for skill in world.skills:
        if skill.type != "release":
            continue
        names = {skill.objects[-1]: place}
        fixed = [term for term in skill.before if world.fixed(term, skill) and _only(term, names)]
        if fixed and all(reader(term, names)(world.start) for term in fixed):
            return skill.command.split()[-1].removesuffix("to")
    return "at"


def _only(term: Term, names: dict[str, str]) -> bool:
    """Whether a condition refers only to these arguments."""
    used = {arg.name for fact in facts_in(term) for arg in fact.args if isinstance(arg, LogicName)}
    return used <= set(names)


def _state(problem: AllocationProblem, name: str) -> dict[str, object]:
    """Return the Boolean facts of an object's type that commands change, and its traits."""
    kind, world = problem.world.things[name], problem.world
    conditions = [term for skill in world.skills for term in skill.before]
    asked = {fact.name for term in conditions for fact in facts_in(term)}
    traits = [
        fact
        for fact, spec in problem.view.facts.items()
        if fact in asked - world.fluents and spec.value is None and world.start.get((fact, name))
    ]
    found = {
        fact: bool(world.start.get((fact, name)))
        for fact, spec in problem.view.facts.items()
        if spec.args == [kind] and spec.value is None and fact in world.fluents
    }
    return ({"state": found} if found else {}) | ({"traits": traits} if traits else {})
