"""Which names an expression can use at a place, and of what type each is.

:func:`world` gives what every expression of a view sees: the domain's state and derived names, the
team's names and functions, facts as functions, the things of the scene. :func:`environment` adds
what the place itself brings: arguments, ports, the item of a loop (see ``treec.check.scopes``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from treec.check.fields import ACTS, AGENT_STATUS, CHOICES, FIELDS, SOURCE, act_type
from treec.check.unreadable import unreadable_names
from treec.files.types import (
    ANY,
    NONE,
    ListOf,
    Named,
    Names,
    OneOf,
    Type,
    TypeTree,
    union,
)
from treec.files.view import View
from treec.team.names import SPECIALS, FunctionInfo, team_functions


@dataclass(frozen=True)
class FactFunction:
    """A fact as a function: its arguments' types and the type of what it gives."""

    args: tuple[Type, ...]
    gives: Type


@dataclass(frozen=True, eq=False)
class TypeEnvironment(Names):
    """The names and functions that one expression can use.

    ``whole`` and ``things_whole`` say that nothing which would bring more names failed to load;
    a name that is not here is a mistake only then.
    """

    view: View
    types: TypeTree
    names: Mapping[str, Type]
    """State, derived names and the team's, by name."""
    facts: Mapping[str, FactFunction]
    things: Mapping[str, Type]
    """Objects of the scene and agents."""
    acts: Mapping[str, Mapping[str, Type]]
    """Kinds of acts and their fields."""
    functions: Mapping[str, FunctionInfo] = field(default_factory=team_functions)
    local: Mapping[str, Type] = field(default_factory=dict)
    """What the place itself brings."""
    visible: frozenset[str] | None = None
    """What a node sees of ``names``; None where everything may be used."""
    partly: Mapping[str, str] = field(default_factory=dict)
    """Names that are bound in some cases only, and what is to be said of them."""
    calls: frozenset[str] | None = frozenset()
    """Functions besides, of which nothing is known; None: any."""
    whole: bool = True
    things_whole: bool = True
    acts_whole: bool = True

    def type_of(self, name: str) -> Type | None:
        """The type of a name, or None when there is none of this name."""
        for names in (self.local, self.names, self.things):
            found = names.get(name)
            if found is not None:
                return found
        return None

    def child(self, names: Mapping[str, Type]) -> TypeEnvironment:
        """This environment with more local names."""
        return replace(self, local={**self.local, **names}) if names else self

    def usable(self) -> tuple[str, ...]:
        """Every name that can be used here, the nearest first."""
        names = tuple(self.names)
        if self.visible is not None:
            names = tuple(name for name in names if name in self.visible)
        return (*self.local, *names, *self.things)

    def readable(self, type_: Type) -> Mapping[str, Type] | None:
        """The fields of a type; None when nobody can tell. A thing and plain data have none."""
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
            return self._joined(type_.item)
        if type_ == ACTS:
            if not self.acts_whole:
                return None
            return {kind: ListOf(act_type(kind)) for kind in self.acts}
        if type_ in (ANY, Named("mapping")) or not self.types.known(type_.name):
            return None
        if type_.name.endswith(" act"):
            return self.acts.get(type_.name.removesuffix(" act"))
        if type_ == Named("Act"):
            return None  # its kind, and so its fields, is not known
        for name in ("Agent", *FIELDS):
            if self.types.is_a(type_.name, name):
                return FIELDS[name]
        return {}

    def _joined(self, item: Type) -> Mapping[str, Type] | None:
        """Of a list of acts of one kind: a field joined over them. Other lists have no fields."""
        if not isinstance(item, Named) or not item.name.endswith(" act"):
            return None if item == Named("Act") else {}
        fields = self.acts.get(item.name.removesuffix(" act"))
        if fields is None:
            return None
        return {n: t if isinstance(t, ListOf) else ListOf(t) for n, t in fields.items()}

    def listed(self, kind: str) -> Collection[str] | None:
        """Tasks and recipes of the library, also those that could not be read; fixed words."""
        if kind in ("Task", "Recipe"):
            unread = unreadable_names(self.view.library)
            word = kind.lower()
            return (*self.view.all(word), *(name for of, name in unread if of == word))
        return CHOICES.get(kind)

    def entity(self, kind: str, value: object) -> object | None:
        """As of all names; what begins with `$` stands for a value that a run has."""
        if isinstance(value, str) and value.startswith("$") and kind not in CHOICES:
            return value
        return super().entity(kind, value)


RETURNS: Mapping[str, Type] = {"age": Named("number"), "source": SOURCE}
"""What the special forms give."""

STATUS = {"Agent": AGENT_STATUS, "Subtask": Named("status of a subtask")}


def function_names(env: TypeEnvironment) -> tuple[str, ...]:
    """Every function, fact and special form that can be called here."""
    return (*env.facts, *env.functions, *SPECIALS, *(env.calls or ()))
