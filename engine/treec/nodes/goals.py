"""The goal of a subtask's task: what holds when a person reports it as done, and what is missed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from treec.nodes.runtime import Runtime
from treec.nodes.worker import Effect
from treec.program.effects import GroundedEffect, conjuncts, ground, parse_effect
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.team.entities import Subtask
from treec.team.events import SubtaskAdded
from treec.world.events import Event, FactSet, FactUnknown


def goal_facts(
    runtime: Runtime, subtask: str, added: Mapping[str, SubtaskAdded]
) -> Iterator[Event]:
    """The goal of a subtask as facts with the source `told`; none for a goal that is no effect.

    ``added`` are the subtasks that the same commit adds, by id.
    """
    stored = runtime.team.now.subtasks.get(subtask)
    if stored is not None:
        name, args = stored.task, stored.args
    elif subtask in added:
        name, args = added[subtask].task, added[subtask].args
    else:
        return
    task = runtime.team.knowledge.tasks.get(name or "")
    if task is None or task.goal is None:
        return
    scope = _scope(runtime, args)
    for part in conjuncts(task.goal):
        effect = _ground(part.text, scope)
        if effect is not None and effect.value is not None:
            fact, names, value = effect
            yield from _drop_inverse(runtime, fact, names, value)
            yield FactSet(fact, names, value, "told")


def seconds_of_goal(runtime: Runtime, agent: str, effects: Iterable[Effect]) -> float | None:
    """How long a recipe says that it takes to achieve, by these effects, what an agent is at."""
    at = runtime.team.agent(agent)
    subtask = at.current if at is not None else None
    recipe = runtime.team.knowledge.recipe_file((subtask and subtask.recipe) or "")
    spec = recipe.subtasks.get(subtask.id) if recipe is not None and subtask is not None else None
    if spec is None or subtask is None or spec.takes is None:
        return None
    goals = (e for e in goal_facts(runtime, subtask.id, {}) if isinstance(e, FactSet))
    reached = {(effect.fact, effect.args) for effect in effects}
    return spec.takes if any((goal.fact, goal.args) in reached for goal in goals) else None


def missed_goals(runtime: Runtime, subtask: Subtask) -> tuple[str, ...]:
    """The parts of a subtask's goal that do not hold, with its things: ``at(crate) == 'dock'``.

    Empty if its task has no goal, or one about things that the subtask does not name.
    """
    task = runtime.team.knowledge.tasks.get(subtask.task or "")
    if task is None or task.goal is None or set(task.args) - set(subtask.args):
        return ()
    scope = _scope(runtime, subtask.args)
    parts = (part.text for part in conjuncts(task.goal))
    return tuple(_with_things(text, scope) for text in parts if not _holds(text, scope))


def _scope(runtime: Runtime, args: Mapping[str, object]) -> Scope:
    things = {key: runtime.team.agent(value) or value for key, value in args.items()}
    return MappingScope(things, parent=runtime.scope)


def _holds(text: str, scope: Scope) -> bool:
    try:
        return bool(Expression.parse(text).evaluate(scope))
    except LocatedError:  # such as a comparison with a value that is not known
        return False


def _ground(text: str, scope: Scope) -> GroundedEffect | None:
    """A part of a goal as a fact of things; None for one that says more than a fact can hold."""
    try:
        return ground(parse_effect(text), lambda part: Expression.parse(part).evaluate(scope))
    except LocatedError:
        return None


def _with_things(text: str, scope: Scope) -> str:
    effect = _ground(text, scope)
    if effect is None:
        return text
    fact, args, value = effect
    call = f"{fact}({', '.join(args)})"
    if isinstance(value, bool):
        return call if value else f"not {call}"
    return f"{call} == {value!r}"


def _drop_inverse(
    runtime: Runtime, fact: str, args: tuple[str, ...], value: object
) -> Iterator[Event]:
    """Drop the inverse fact that no longer holds: the former holder of a thing holds nothing."""
    stored = runtime.world.facts.get(fact, args)
    if stored is None or len(args) != 1 or stored.value in (None, value):
        return
    holder = str(stored.value)
    for other, kind in runtime.view.facts.items():
        if other == fact or kind.value is None or len(kind.args) != 1:
            continue
        inverse = runtime.world.facts.get(other, (holder,))
        if inverse is not None and inverse.value == args[0]:
            yield FactUnknown(other, (holder,))
