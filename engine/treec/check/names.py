"""The names that an expression can use at a place, and their types.

``treec.check.environments`` makes these: ``world`` has what every expression of a view sees (the
domain's state and derived names, the built-in names and functions, facts as functions, the things
of the scene), ``environment`` adds what a place binds: arguments, ports, the item of a loop.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from functools import cached_property

from treec.check.fields import (
    ACT_KIND,
    ACTION_NAME,
    ACTS,
    AGENT_NAME,
    AGENT_STATUS,
    CHOICES,
    DATA_FIELDS,
    FIELDS,
    GROUP,
    SOURCE,
    TASK_ARGUMENTS,
    lists_of_acts,
    skills_of,
)
from treec.check.unreadable import unreadable_kinds, unreadable_names
from treec.extensions import registry
from treec.files.types import (
    ANY,
    NONE,
    ListOf,
    Named,
    Names,
    OneOf,
    Type,
    TypeTree,
    parse_type,
    read_type,
    union,
)
from treec.files.view import View
from treec.frozen import frozen
from treec.source.values import is_bound
from treec.team.actions import action_names
from treec.team.names import SPECIALS, FunctionInfo, team_functions, team_texts


@frozen(slots=False)
class FactFunction:
    """A fact as a function: the types of its arguments and of its result."""

    args: tuple[Type, ...]
    gives: Type


@frozen(slots=False, eq=False)
class TypeEnvironment(Names):
    """The names and functions that one expression can use.

    ``whole`` and ``things_whole`` mean that no file that may declare more names failed to load;
    only then is a missing name an error.
    """

    view: View
    types: TypeTree
    names: Mapping[str, Type]
    """Types of state, derived names and built-in names."""
    facts: Mapping[str, FactFunction]
    things: Mapping[str, Type]
    """Objects of the scene and agents."""
    acts: Mapping[str, Mapping[str, Type]]
    """Kinds of acts and their fields."""
    functions: Mapping[str, FunctionInfo] = field(default_factory=team_functions)
    local: Mapping[str, Type] = field(default_factory=dict)
    """Names that the place itself binds."""
    visible: frozenset[str] | None = None
    """The part of ``names`` that the node sees; None if it sees everything."""
    partly: Mapping[str, str] = field(default_factory=dict)
    """Names that are bound in some cases only, with the message about each."""
    calls: frozenset[str] | None = frozenset()
    """Further functions of unknown type; None: any name is a function."""
    whole: bool = True
    things_whole: bool = True
    acts_whole: bool = True
    records: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    """Types of mappings that the view's bindings have, by the type's name: see `Bindings`."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=team_texts)
    """All texts of types that have few, by the type's name."""

    @cached_property
    def surroundings(self) -> object:
        """Stands for all that texts are judged by but the things that they name."""
        files = tuple(tuple(self.view.all(kind).values()) for kind in ("task", "recipe", "skill"))
        acts = tuple((kind, tuple(fields.items())) for kind, fields in self.acts.items())
        tables = (self.types.parents, self.names, self.facts, self.texts)
        flags = (self.whole, self.things_whole, self.acts_whole)
        key = (files, acts, tuple(tuple(table.items()) for table in tables), flags)
        return self.view.library.results.setdefault(key, object())

    def type_of(self, name: str) -> Type | None:
        """Return the type of a name, or None if it is unknown."""
        for names in (self.local, self.names, self.things):
            found = names.get(name)
            if found is not None:
                return found
        return None

    def child(self, names: Mapping[str, Type]) -> TypeEnvironment:
        """Return this environment with more local names."""
        return self.changed(local={**self.local, **names}) if names else self

    def changed(self, **fields: object) -> TypeEnvironment:
        """Return this environment with other values of some fields: `replace` in less time."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__, **fields)
        new.__dict__.pop("surroundings", None)
        return new

    def usable(self) -> tuple[str, ...]:
        """Return every name that can be used here, innermost first."""
        names = tuple(self.names)
        if self.visible is not None:
            names = tuple(name for name in names if name in self.visible)
        return (*self.local, *names, *self.things)

    def readable(self, type_: Type) -> Mapping[str, Type] | None:
        """Return the fields of a type, none for things and plain data; None if unknown."""
        if isinstance(type_, OneOf):
            found: dict[str, Type] = {}
            for option in type_.options:
                if option == NONE:
                    continue
                fields = self.readable(option)
                if fields is None:
                    return None
                for name, kind in fields.items():
                    found[name] = union(found.get(name), kind)
            return found
        if isinstance(type_, ListOf):
            return self._join_fields(type_.item)
        if type_ == ACTS:
            if not self.acts_whole:
                return None
            return lists_of_acts(tuple(self.acts))
        for skill in skills_of(type_):
            args = self.view.all("skill")[skill].model.args
            return {name: read_type(text) for name, text in args.items()}
        if type_ == TASK_ARGUMENTS:
            return self._task_arguments()
        group = type_.name.removeprefix(GROUP)
        if group != type_.name:
            return {"grouper": ANY, "list": ListOf(read_type(group))}
        if type_.name in self.records:
            return self.records[type_.name]
        if type_.name in registry().records:
            return {n: parse_type(text) for n, text in registry().records[type_.name].items()}
        if type_ in (ANY, Named("mapping")) or not self.types.has(type_.name):
            return None
        if type_.name.endswith(" act"):
            return self.acts.get(type_.name.removesuffix(" act"))
        if type_ == Named("Act"):  # of any kind
            return self._any_act()
        if type_.name in DATA_FIELDS:
            return DATA_FIELDS[type_.name]
        for name in ("Agent", *FIELDS):
            if self.types.is_a(type_.name, name):
                return FIELDS[name]
        return {}

    def _task_arguments(self) -> Mapping[str, Type] | None:
        """Return the arguments of all tasks; None if a task may be unknown."""
        if "task" in unreadable_kinds(self.view.library):
            return None
        found: dict[str, Type] = {}
        for task in self.view.all("task").values():
            for name, text in task.model.args.items():
                found[name] = union(found.get(name), read_type(text))
        return found

    def _join_fields(self, item: Type) -> Mapping[str, Type] | None:
        """Return the fields of a list of acts of one kind, each joined over them."""
        if not isinstance(item, Named) or not item.name.endswith(" act"):
            return None if item == Named("Act") else {}
        fields = self.acts.get(item.name.removesuffix(" act"))
        if fields is None:
            return None
        return {n: t if isinstance(t, ListOf) else ListOf(t) for n, t in fields.items()}

    def _any_act(self) -> Mapping[str, Type] | None:
        """Return the fields of acts of any kind; None if a kind may be unknown."""
        if not self.acts_whole:
            return None
        found = dict(FIELDS["Act"])
        for fields in self.acts.values():
            for name, kind in fields.items():
                found[name] = union(found.get(name), kind)
        return found

    def choices(self, name: str) -> tuple[str, ...] | None:
        """Return the texts of an enumeration by the name of its type; None if it is none."""
        if name == ACT_KIND.name:
            return tuple(self.acts) if self.acts_whole else None
        if name == ACTION_NAME.name:
            return tuple(action_names())
        if name == AGENT_NAME.name:
            return tuple(self.view.agents) if self.things_whole else None
        return CHOICES.get(name) or self.texts.get(name)

    def listed_names(self, kind: str) -> Collection[str] | None:
        """Return the names of a type: tasks, recipes (unreadable ones, too), or an enumeration."""
        if kind in ("Task", "Recipe"):
            unread = unreadable_names(self.view.library)
            word = kind.lower()
            return (*self.view.all(word), *(name for of, name in unread if of == word))
        return self.choices(kind)

    def entity(self, kind: str, value: object) -> object | None:
        """Resolve a name; a reference or an expression stands for a value of the run."""
        if is_bound(value) and kind not in CHOICES:
            return value
        return super().entity(kind, value)


RETURNS: Mapping[str, Type] = {
    "age": Named("number"),
    "source": SOURCE,
    "sensor": Named("text"),
    "uncertainty": Named("number"),
    "doubted": Named("bool"),
}
"""Types of the special forms' results."""

STATUS = {"Agent": AGENT_STATUS, "Subtask": Named("status of a subtask")}


def function_names(env: TypeEnvironment) -> tuple[str, ...]:
    """Return every function, fact and special form that can be called here."""
    return (*env.facts, *env.functions, *SPECIALS, *(env.calls or ()))
