"""High-level actions: what action files may do, as typed Python functions.

An action returns events, which are committed once the whole answer has passed all contracts. Its
signature defines the schema of answers, its text in prompts and the check of examples. Extensions
declare actions (``actions``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.types import Type, annotation_type
from treec.foreign import BadReport, is_foreign, kind_of, listed
from treec.frozen import frozen
from treec.team.entities import Act, Proposal
from treec.team.warrants import allowed_by

if TYPE_CHECKING:
    from treec.team.entities import Agent, Recipe, Subtask
    from treec.team.team import Team
    from treec.world.events import Event

# The check reads what actions take without what they do, so they import events themselves.

MESSAGE = "message"
CLAIMS = "claims"
"""What a model gives in place of the text of `say`: see :mod:`treec_asking.statements`."""


@frozen(slots=False)
class Parameter:
    """An argument of a high-level action."""

    name: str
    type: Type
    required: bool
    default: object


@frozen(slots=False)
class HighLevelAction:
    """A registered action: its name, purpose, parameters and function."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., Iterable[Event]]
    reasons: tuple[str, ...] = ()
    """The kinds of acts that may be its reason (`because`)."""

    @property
    def signature(self) -> str:
        """The name with its parameters, for messages: ``assign(agent, subtasks, first)``."""
        names = (p.name for p in self.parameters if p.name != CLAIMS)
        return f"{self.name}({', '.join(names)})"

    @property
    def speaks(self) -> bool:
        """Whether a model gives claims for its text."""
        return any(p.name == CLAIMS for p in self.parameters)

    def explain(self) -> str:
        """What it takes and is for, as a model is told."""
        signature = f"{self.name}({CLAIMS})" if self.speaks else self.signature
        return f"{signature}: {self.about}"


_loaded: dict[str, HighLevelAction] = {}
depends_on_extensions(_loaded.clear)


def _read(name: str, target: str) -> HighLevelAction:
    """Load a declared action: a function of the team and its arguments. Raises ExtensionError."""
    tables = registry()
    function = tables.load(target)
    if not inspect.isfunction(function):
        raise ExtensionError(
            f"{tables.owner(target)}: the action '{name}': {target} is not a function"
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
    reasons = getattr(function, "reasons", ())
    run = _guarded(target, function) if is_foreign(target) else function
    return HighLevelAction(name, about, tuple(parameters), run, reasons)


def _guarded(target: str, function: Callable[..., object]) -> Callable[..., Iterable[Event]]:
    """An action of an extension that raises EventRefused from whatever it raises."""
    from treec.world.events import Event, EventRefused

    def run(*args: object, **values: object) -> list[Event]:
        def act() -> list[Event]:
            events = listed(function(*args, **values), "it gave")
            for event in events:
                if not isinstance(event, Event):
                    raise BadReport(f"it gave {kind_of(event)} among its events, not an Event")
            return cast("list[Event]", events)

        try:
            return registry().call(target, act, EventRefused)
        except ExtensionError as error:
            raise EventRefused(str(error)) from error

    return run


def find_action(name: str) -> HighLevelAction | None:
    """A declared action by name, or None. Raises ExtensionError if it cannot be loaded."""
    found = _loaded.get(name)
    if found is None and name in registry().actions:
        found = _loaded[name] = _read(name, registry().actions[name])
    return found


def action_names() -> tuple[str, ...]:
    """The names of all actions."""
    return tuple(registry().actions)


@frozen(slots=False)
class ActionCall:
    """An action with its arguments bound to entities; ``rule``: the number of whose it is."""

    action: HighLevelAction
    args: Mapping[str, object]
    rule: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        args = ", ".join(
            f"{name}={_format_value(value)}"
            for name, value in self.args.items()
            if value is not None and name != CLAIMS
        )
        return f"{self.action.name}({args})"


def _format_value(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, Act | Proposal):
        return value.id
    return str(value)


def say(
    team: Team, message: str, claims: list[Mapping[str, object]] | None = None
) -> Iterable[Event]:
    """Tell people something.

    Rules give the text, a model gives claims, which are said in treec's words: `message` is what
    they come to then.
    """
    from treec.team.events import Said

    text = " ".join(message.split())
    return [Said("assistant", text)] if text else []


def set_recipe(team: Team, name: Recipe, serves: int | None = None) -> Iterable[Event]:
    """Choose a recipe, for so many; its subtasks become the work to share out."""
    from treec.source.errors import TreecError
    from treec.source.tools import find_tool
    from treec.team.events import RecipeSet, SubtaskAdded
    from treec.team.recipe_change import find_free_id, find_kept_subtasks
    from treec.world.events import EventRefused, StateSet

    recipe = team.knowledge.recipe_file(name.name)
    if recipe is None:
        raise EventRefused(f"unknown recipe '{name.name}'")
    kept = find_kept_subtasks(team, recipe, name.name)
    yield RecipeSet(name.name, tuple(sorted(kept)))
    if "recipe_name" in team.world.state:
        yield StateSet("recipe_name", name.name)
    ids = {id: id if id in kept else find_free_id(team, id, name.name) for id in recipe.subtasks}
    details = not all(spec.is_plain for spec in recipe.subtasks.values())
    try:
        say: Any = find_tool("recipe_words", "its amounts cannot be said") if details else None
    except TreecError as error:
        raise EventRefused(str(error)) from error
    words = team.knowledge.recipe_words(recipe.subtasks)
    for id, spec in recipe.subtasks.items():
        if id in kept:
            continue
        bound = team.knowledge.words.match(words[id])
        yield SubtaskAdded(
            ids[id],
            spec.do or id if spec.is_plain else say(team.knowledge.view, recipe, id, serves),
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
    from treec.team.events import Proposed
    from treec.team.new_subtasks import add_missing

    assert agent is not None
    _must_be_able(team, agent, subtask)
    yield from add_missing(team, [subtask])
    yield Proposed(agent.name, subtask.id)


def propose_drop(team: Team, subtask: Subtask) -> Iterable[Event]:
    """Ask whether what waits for a dropped subtask shall be dropped; a no lets it go on without."""
    from treec.team.events import Proposed
    from treec.world.events import EventRefused

    if subtask.id not in {s.id for s in team.blocked}:
        raise EventRefused(f"'{subtask.id}' does not wait for a dropped subtask")
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
    from treec.team.events import Assigned
    from treec.team.new_subtasks import add_missing

    assert agent is not None
    for subtask in subtasks:
        _must_be_able(team, agent, subtask)
    yield from add_missing(team, subtasks)
    yield Assigned(agent.name, tuple(subtask.id for subtask in subtasks), first)


def _must_be_able(team: Team, agent: Agent, subtask: Subtask) -> None:
    from treec.world.events import EventRefused

    if not team.knowledge.able(agent.name, subtask.task):
        raise EventRefused(f"{agent.name} cannot {subtask.words}: it can {', '.join(agent.can)}")


@allowed_by("done")
def mark_complete(
    team: Team, subtasks: list[Subtask], because: Act | None = None
) -> Iterable[Event]:
    """Note that subtasks are done, because the user said so."""
    from treec.team.events import SubtaskDone
    from treec.team.new_subtasks import add_missing

    yield from add_missing(team, subtasks)
    for subtask in subtasks:
        yield SubtaskDone(subtask.id)


@allowed_by("accept", "drop")
def drop(
    team: Team, subtasks: list[Subtask], because: Act | Proposal | None = None
) -> Iterable[Event]:
    """Take subtasks off the work: nobody does them, and they are not done."""
    from treec.team.events import SubtaskDropped

    yield SubtaskDropped(tuple(subtask.id for subtask in subtasks))


@allowed_by("release", "request")
def take_back(
    team: Team, subtasks: list[Subtask], to: Agent | None = None, because: Act | None = None
) -> Iterable[Event]:
    """Take subtasks from whoever has them and give them to whom the user named.

    Without `to` they wait, and can be proposed to somebody else.
    """
    from treec.team.events import Assigned, SubtaskReleased

    ids = tuple(subtask.id for subtask in subtasks)
    yield SubtaskReleased(ids)
    if to is not None:
        for subtask in subtasks:
            _must_be_able(team, to, subtask)
        yield Assigned(to.name, ids)


@allowed_by("stop")
def interrupt(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Stop a robot; its queue is held until the user agrees to go on."""
    from treec.team.events import AgentInterrupted

    yield AgentInterrupted(agent.name)


@allowed_by("resume")
def resume(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Let an interrupted robot go on with its queue."""
    from treec.team.events import AgentResumed

    yield AgentResumed(agent.name)


def no_op(team: Team) -> Iterable[Event]:
    """Do nothing."""
    return []
