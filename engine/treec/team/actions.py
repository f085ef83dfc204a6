"""High-level actions: what action files may do, as typed Python functions of extensions.

An action returns events, which are committed once the whole answer has passed all contracts. Its
signature defines the schema of answers, its text in prompts and the check of examples.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.files.types import Type, annotation_type
from treec.foreign import BadReport, is_foreign, kind_of, listed
from treec.frozen import frozen
from treec.team.entities import Act, Proposal

if TYPE_CHECKING:
    from treec.team.entities import Recipe
    from treec.team.team import Team
    from treec.world.events import Event

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


Function = TypeVar("Function", bound=Callable[..., object])


def allowed_by(*kinds: str) -> Callable[[Function], Function]:
    """Declare the kinds of acts that may be the reason of an action, for its function."""

    def declare(function: Function) -> Function:
        function.__dict__["reasons"] = kinds
        return function

    return declare


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


def set_recipe(team: Team, name: Recipe, serves: int | None = None) -> Iterable[Event]:
    """Choose a recipe, for so many; its subtasks become the work to share out."""
    # The check reads what actions take without what they do, so they import events themselves.
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
