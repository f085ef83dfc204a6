"""High-level actions: what action files may do, as typed Python functions.

An action returns events, which are committed once the whole answer has passed all contracts. Its
signature defines the schema of answers, its text in prompts and the check of examples. Extensions
declare actions (``actions``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.types import MADE_WHILE_RUNNING, Misfit, Names, Type, annotation_type, coerce
from treec.source.objects import name_of
from treec.team.entities import Act, Agent, Proposal, Recipe, Subtask, Task
from treec.team.events import (
    AgentInterrupted,
    AgentResumed,
    Assigned,
    Proposed,
    RecipeSet,
    Said,
    SubtaskAdded,
    SubtaskDone,
    SubtaskDropped,
    SubtaskReleased,
    SubtaskWaits,
)
from treec.team.placement import DEPTH, complete_task, place_subtask
from treec.team.recipe_change import find_free_id, find_kept_subtasks
from treec.team.statements import render_message, statement_schema
from treec.team.team import Team
from treec.team.warrants import allowed_by
from treec.world.events import Event, EventRefused, StateSet

Function = TypeVar("Function", bound=Callable[..., object])
ItemSchema = Callable[[Team], dict[str, object]]


def proved_by(**lists: ItemSchema) -> Callable[[Function], Function]:
    """Declare the `evidence` of an action, for its function."""

    def declare(function: Function) -> Function:
        function.__dict__["evidence"] = lists
        return function

    return declare


@dataclass(frozen=True)
class Parameter:
    """An argument of a high-level action."""

    name: str
    type: Type
    required: bool
    default: object


@dataclass(frozen=True)
class HighLevelAction:
    """A registered action: its name, purpose, parameters and function."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., Iterable[Event]]
    reasons: tuple[str, ...] = ()
    """The kinds of acts that may be its reason (`because`)."""
    evidence: Mapping[str, ItemSchema] = field(default_factory=dict)
    """Lists that a model is asked for after a refusal only, with the schema of their items."""

    @property
    def signature(self) -> str:
        """The name with its parameters, for messages: ``assign(agent, subtasks, first)``."""
        names = (p.name for p in self.parameters if p.name not in self.evidence)
        return f"{self.name}({', '.join(names)})"


_loaded: dict[str, HighLevelAction] = {}
depends_on_extensions(_loaded.clear)


def _read(name: str, target: str) -> HighLevelAction:
    """Load a declared action: a function of the team and its arguments. Raises ExtensionError."""
    tables = registry()
    function = tables.load(target)
    if not inspect.isfunction(function):
        raise ExtensionError(
            f"{tables.owner(target)}: the action '{name}': {target} is no function"
        )
    parameters = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        required = parameter.default is inspect.Parameter.empty
        default = None if required else parameter.default
        try:
            kind = annotation_type(str(parameter.annotation))
        except ValueError as error:
            message = f"the argument '{parameter.name}': {error}"
            raise ExtensionError(f"{tables.owner(target)}: {target}: {message}") from error
        parameters.append(Parameter(parameter.name, kind, required, default))
    about = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    reasons, evidence = getattr(function, "reasons", ()), getattr(function, "evidence", {})
    return HighLevelAction(name, about, tuple(parameters), function, reasons, evidence)


def find_action(name: str) -> HighLevelAction | None:
    """A declared action by name, or None. Raises ExtensionError if it cannot be loaded."""
    found = _loaded.get(name)
    if found is None and name in registry().actions:
        found = _loaded[name] = _read(name, registry().actions[name])
    return found


def action_names() -> tuple[str, ...]:
    """The names of all actions."""
    return tuple(registry().actions)


@dataclass(frozen=True)
class ActionCall:
    """An action with its arguments bound to entities."""

    action: HighLevelAction
    args: Mapping[str, object]

    def __str__(self) -> str:
        args = ", ".join(
            f"{name}={_format_value(value)}"
            for name, value in self.args.items()
            if value is not None
        )
        return f"{self.action.name}({args})"


def _format_value(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, Act | Proposal):
        return value.id
    return str(value)


def bind(team: Team, name: str, given: object) -> ActionCall:
    """Check an action's arguments and resolve names to entities. Raises EventRefused."""
    action = find_action(name)
    if action is None:
        raise EventRefused(f"'{name}' is no action: {', '.join(action_names())}")
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
        raise EventRefused(f"{action.signature} has no argument '{next(iter(args))}'")
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


def find_subtask(team: Team, value: object) -> Subtask | None:
    """An existing subtask, or a new one for a task or for words that a task's patterns match."""
    if isinstance(value, str):
        found = team.subtask(value)
        if found is not None:
            return found
        bound = team.knowledge.words.match(value)
        if bound is None:
            return None
        value = team.knowledge.task(bound.task, bound.args)
    if not isinstance(value, Task):
        return None
    if any(name not in value.args for name in team.knowledge.tasks[value.name].args):
        completed = complete_task(team, value)
        if completed is None:
            return None
        value = completed
    known = team.same_task(value)
    if known is not None:
        return known
    id, number = value.words, 2
    while id in team.now.subtasks:
        id, number = f"{value.words} ({number})", number + 1
    return Subtask(id, value.words, value.name, dict(value.args), ready=True)


def add_missing(team: Team, subtasks: Iterable[Subtask]) -> Iterator[Event]:
    """The events that add the subtasks that do not exist yet, each at its place in the order.

    What a subtask needs before it is added, too, and what shall come after it waits for it.

    Raises EventRefused for a subtask that has one thing in two roles, such as loading a cart onto
    itself.
    """
    added: set[str] = set()
    for subtask in subtasks:
        yield from _add(team, subtask, None, added, DEPTH)


def _add(
    team: Team, subtask: Subtask, recipe: str | None, added: set[str], depth: int
) -> Iterator[Event]:
    if subtask.id in team.now.subtasks or subtask.id in added:
        return
    added.add(subtask.id)
    thing = team.knowledge.repeated_thing(subtask.task, subtask.args)
    if thing is not None:
        raise EventRefused(f"'{subtask.words}' needs two things, and {thing} is only one")
    place = place_subtask(team, subtask)
    recipe = recipe or place.recipe
    needs = [new for task in place.needs if (new := find_subtask(team, task)) is not None and depth]
    for other in needs:
        yield from _add(team, other, recipe, added, depth - 1)
    after = (*place.after, *(other.id for other in needs))
    yield SubtaskAdded(subtask.id, subtask.words, subtask.task, subtask.args, recipe, after or None)
    for id in place.before:
        yield SubtaskWaits(id, (subtask.id,))


@proved_by(claims=statement_schema)
def say(
    team: Team, message: str, claims: list[Mapping[str, object]] | None = None
) -> Iterable[Event]:
    """Tell the user something.

    Claims say as data what sentences of the message claim of the work. Each must hold; the
    sentences are said as their claims, in treec's words.
    """
    text = " ".join(render_message(team, message, claims).split() if claims else message.split())
    return [Said("assistant", text)] if text else []


def set_recipe(team: Team, name: Recipe) -> Iterable[Event]:
    """Choose a recipe; its subtasks become the work to share out."""
    recipe = team.knowledge.recipe_file(name.name)
    if recipe is None:
        raise EventRefused(f"'{name.name}' is no recipe of the library")
    kept = find_kept_subtasks(team, recipe, name.name)
    yield RecipeSet(name.name, tuple(sorted(kept)))
    if "recipe_name" in team.world.state:
        yield StateSet("recipe_name", name.name)
    ids = {id: id if id in kept else find_free_id(team, id, name.name) for id in recipe.subtasks}
    for id, spec in recipe.subtasks.items():
        if id in kept:
            continue
        words = spec.do or id
        bound = team.knowledge.words.match(words)
        yield SubtaskAdded(
            ids[id],
            words,
            task=bound.task if bound else None,
            args=bound.args if bound else {},
            recipe=name.name,
            after=tuple(ids.get(other, other) for other in spec.after),
            after_any=tuple(ids.get(other, other) for other in spec.after_any),
        )


def propose(team: Team, agent: Agent | None, subtask: Subtask) -> Iterable[Event]:
    """Ask the user whether an agent may do a subtask; it is not assigned before a yes.

    Without an agent, somebody who can is chosen.
    """
    assert agent is not None
    _must_be_able(team, agent, subtask)
    yield from add_missing(team, [subtask])
    yield Proposed(agent.name, subtask.id)


def propose_drop(team: Team, subtask: Subtask) -> Iterable[Event]:
    """Ask whether what waits for a dropped subtask shall be dropped; a no lets it go on without."""
    if subtask.id not in {s.id for s in team.blocked}:
        raise EventRefused(f"'{subtask.id}' waits for nothing that was dropped")
    agent = subtask.agent or min(team.knowledge.people, default="")
    yield Proposed(agent, subtask.id, drop=True)


@allowed_by("accept", "request")
def assign(
    team: Team,
    agent: Agent | None,
    subtasks: list[Subtask],
    first: bool = False,
    because: Act | Proposal | None = None,
) -> Iterable[Event]:
    """Give subtasks to an agent, at the end of its queue or first.

    Without an agent, somebody who can is chosen.
    """
    assert agent is not None
    for subtask in subtasks:
        _must_be_able(team, agent, subtask)
    yield from add_missing(team, subtasks)
    yield Assigned(agent.name, tuple(subtask.id for subtask in subtasks), first)


def _must_be_able(team: Team, agent: Agent, subtask: Subtask) -> None:
    if not team.knowledge.able(agent.name, subtask.task):
        raise EventRefused(f"{agent.name} cannot {subtask.words}: it can {', '.join(agent.can)}")


@allowed_by("done")
def mark_complete(
    team: Team, subtasks: list[Subtask], because: Act | None = None
) -> Iterable[Event]:
    """Note that subtasks are done, because the user said so."""
    yield from add_missing(team, subtasks)
    for subtask in subtasks:
        yield SubtaskDone(subtask.id)


@allowed_by("accept", "drop")
def drop(
    team: Team, subtasks: list[Subtask], because: Act | Proposal | None = None
) -> Iterable[Event]:
    """Take subtasks off the work: nobody does them, and they are not done."""
    yield SubtaskDropped(tuple(subtask.id for subtask in subtasks))


@allowed_by("release", "request")
def take_back(
    team: Team, subtasks: list[Subtask], to: Agent | None = None, because: Act | None = None
) -> Iterable[Event]:
    """Take subtasks from whoever has them and give them to whom the user named.

    Without `to` they wait, and can be proposed to somebody else.
    """
    ids = tuple(subtask.id for subtask in subtasks)
    yield SubtaskReleased(ids)
    if to is not None:
        for subtask in subtasks:
            _must_be_able(team, to, subtask)
        yield Assigned(to.name, ids)


@allowed_by("stop")
def interrupt(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Stop a robot; its queue is held until the user agrees to go on."""
    yield AgentInterrupted(agent.name)


@allowed_by("resume")
def resume(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Let an interrupted robot go on with its queue."""
    yield AgentResumed(agent.name)


def no_op(team: Team) -> Iterable[Event]:
    """Do nothing."""
    return []
