"""Checks the arguments of an action, and resolves names to what they stand for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from treec.files.types import MADE_WHILE_RUNNING, Misfit, Names, coerce
from treec.source.diagnostics import unknown
from treec.source.objects import name_of
from treec.team.actions import ActionCall, action_names, find_action
from treec.team.entities import Agent, Subtask
from treec.team.team import Team
from treec.world.events import EventRefused
from treec_asking.new_subtasks import find_subtask


def bind(team: Team, name: str, given: object) -> ActionCall:
    """Check an action's arguments and resolve names to entities. Raises EventRefused."""
    action = find_action(name)
    if action is None:
        raise EventRefused(unknown("action", name, action_names()))
    args: dict[str, object]
    if given is None:
        args = {}
    elif isinstance(given, Mapping):
        args = dict(given)
    elif action.parameters:
        args = {action.parameters[0].name: given}
    else:
        raise EventRefused(f"{action.name} takes no arguments")
    bound: dict[str, object] = {}
    for parameter in action.parameters:
        if parameter.name in args:
            value = args.pop(parameter.name)
            found = coerce(parameter.type, value, _ActionNames(team), shorthand=True)
            if isinstance(found, Misfit):
                raise EventRefused(f"{action.name}'s '{parameter.name}': {found}")
            bound[parameter.name] = found
        elif parameter.required:
            raise EventRefused(f"{action.name} needs '{parameter.name}'")
        else:
            bound[parameter.name] = parameter.default
    if args:
        raise EventRefused(f"unknown argument '{next(iter(args))}' of {action.signature}")
    if "agent" in bound and bound["agent"] is None:
        bound["agent"] = _somebody(team, bound)
    return ActionCall(action, bound)


def _somebody(team: Team, bound: Mapping[str, object]) -> Agent:
    """The agent for an action that names none: an able robot, idle ones first, else a person."""
    requested = bound.get("subtasks", bound.get("subtask"))
    subtasks = requested if isinstance(requested, tuple) else (requested,)
    tasks = [subtask.task for subtask in subtasks if isinstance(subtask, Subtask)]
    able = [
        agent
        for agent in team.agents
        if all(team.knowledge.able(agent.name, task) for task in tasks)
    ]
    if not able:
        raise EventRefused(f"nobody can {' and '.join(map(str, subtasks))}")

    def burden(agent: Agent) -> tuple[bool, bool, int, str]:
        waiting = len(agent.queue) + (agent.current is not None)
        return agent.person, agent.status == "Interrupted", waiting, agent.name

    return min(able, key=burden)


class _ActionNames(Names):
    """Resolves names in an action: those of the run, and subtasks that do not exist yet."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.types, self.things = team.now.types, team.now.things

    def listed_names(self, kind: str) -> Collection[str] | None:
        """The names of a type in the run."""
        return self.team.now.listed_names(kind)

    def entity(self, kind: str, value: object) -> object | None:
        """The entity of a name in the run; a subtask also by words that a task's patterns match."""
        if type(value).__name__ == kind and kind in MADE_WHILE_RUNNING:
            return value
        if kind == "Subtask":
            return find_subtask(self.team, value)
        if kind == "Recipe":
            return self.team.recipe(value)
        return self.team.now.entity(kind, name_of(value) or value)
