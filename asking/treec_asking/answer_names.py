"""The names that an answer may use, for the enums of its schema."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from treec.files.prompts import Prompt
from treec.files.types import ListOf, Named, Names, OneOf, Type, json_schema, options, parse_type
from treec.source.objects import name_of
from treec.source.scope import Scope
from treec.team.actions import HighLevelAction
from treec.team.entities import Proposal, Task
from treec.team.team import Team

SHOWN_BY = {"Agent": "agents", "Recipe": "recipes", "Task": "tasks"}
"""The names of expressions that show a model all names of a type."""

THINGS = "things"
"""The name of expressions that shows a model the things of the scene, by type."""

MOST_NAMES = 200
"""Names in one enum; longer ones are left out to keep the request short."""


class AnswerNames(Names):
    """The names in play now: the work, open proposals, acts, requested work.

    Agents, recipes, tasks and things are those that the node shows in its prompt; if it shows none,
    the model does not know them, and the schema allows any name. So it does where there are more
    than `MOST_NAMES`.
    """

    def __init__(self, team: Team, model: Prompt, scope: Scope) -> None:
        self.team = team
        self.types, self.things = team.now.types, team.now.things
        self._visible = {*model.sees, *model.recalls, *model.knows}
        self._scope = scope

    def all_names(self, kind: str) -> Collection[str] | None:
        """The names of a type; None if any name is allowed."""
        names = self._known_names(kind)
        return names if names is None or len(names) <= MOST_NAMES else None

    def task_things(self) -> Collection[str] | None:
        """The things that tasks can be done with; None if any name is allowed."""
        tasks = self.all_names("Task")
        if tasks is None:
            return None
        kinds = {
            option
            for name in tasks
            if name in self.team.knowledge.tasks
            for kind in self.team.knowledge.tasks[name].args.values()
            for option in options(parse_type(kind))
        }
        names: dict[str, None] = {}
        for kind in sorted(kinds, key=str):
            known = self.all_names(kind.name) if isinstance(kind, Named) else None
            if known is None:
                return None
            names.update(dict.fromkeys(known))
        return tuple(names) if len(names) <= MOST_NAMES else None

    def _known_names(self, kind: str) -> Collection[str] | None:
        base = "Agent" if self.types.is_a(kind, "Agent") else kind
        name = SHOWN_BY.get(base)
        if name is None and self.types.is_thing(Named(kind)):
            return self.things_of(Named(kind)) if THINGS in self._visible else None
        if name is None:
            return self.listed_names(kind)
        values = self._scope.lookup(name) if name in self._visible else None
        if not isinstance(values, list | tuple):
            return None
        fits = Named(kind)
        names = (name_of(value) or str(value) for value in values)
        return tuple(
            one
            for one in names
            if base != "Agent" or one not in self.things or self.types.fits(self.things[one], fits)
        )

    def listed_names(self, kind: str) -> Collection[str] | None:
        """The names of a type."""
        match kind:
            case "Subtask":
                return tuple(dict.fromkeys((*(s.id for s in self.team.work), *self._requested())))
            case "Proposal":
                return tuple(dict.fromkeys((*(p.id for p in self.team.now.open), *self._agreed())))
            case "Act":
                return self._acts()
        return None

    def _acts(self) -> tuple[str, ...]:
        return tuple(act.id for act in self.team.now.acts)

    def _requested(self) -> Iterator[str]:
        """Subtasks that acts ask for, by the id that they have or would get."""
        for value in (value for act in self.team.now.acts for value in act.fields.values()):
            if isinstance(value, Task):
                same = self.team.same_task(value)
                yield value.words if same is None else same.id

    def _agreed(self) -> Iterator[str]:
        for value in (value for act in self.team.now.acts for value in act.fields.values()):
            for item in value if isinstance(value, tuple) else ():
                if isinstance(item, Proposal):
                    yield item.id


class ReasonNames(AnswerNames):
    """The same, with only the acts that may be the reason of an action."""

    def __init__(self, team: Team, model: Prompt, scope: Scope, action: HighLevelAction) -> None:
        super().__init__(team, model, scope)
        self._reasons = action.reasons

    def _acts(self) -> tuple[str, ...]:
        acts = self.team.now.acts
        return tuple(act.id for act in acts if not self._reasons or act.kind in self._reasons)


def schema_of(kind: Type, names: Names) -> dict[str, object]:
    """The JSON Schema of a type with the known names; an option without any is left out.

    A list without a known item has no enum: an empty one is no valid schema.
    """
    if isinstance(kind, ListOf):
        return {"type": "array", "items": schema_of(kind.item, names)}
    kept = [one for one in options(kind) if remaining_names(one, names)]
    if not kept:
        return json_schema(kind)
    if len(kept) == 1:
        return json_schema(kept[0], names)
    return json_schema(OneOf(tuple(kept)), names)


def remaining_names(kind: Type, names: Names) -> bool:
    """Whether a value of a type can be named."""
    known = names.all_names(kind.name) if isinstance(kind, Named) else None
    return known is None or bool(known)
