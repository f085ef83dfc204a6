"""Type-checks the plain data by which examples describe values of the world.

An example names agents, subtasks and things by their text, or writes an entity out as a mapping of
its fields. Acts are written as they print (``u3.1 stop(agent: R1)``), as a list of such texts or of
mappings with their kind, or as lists by kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from treec.check.base import Loc
from treec.check.fields import ACTS, AGENT_NAME, FIELDS, TASK_ARGUMENTS, act_type
from treec.check.names import TypeEnvironment
from treec.files.library import Library
from treec.files.types import Misfit, Named, Names, Type, misfits
from treec.source.diagnostics import suggestion

_PRINTED = re.compile(r"(?:\w+\.\d+ )?(?P<kind>\w+)(?:\(|$)")


class ExampleNames(Names):
    """Resolves names in an example, where entities may also be mappings of their fields."""

    def __init__(self, env: TypeEnvironment) -> None:
        self.env = env
        self.types = env.types
        self.things = env.things
        self.things_whole = env.things_whole

    def listed_names(self, kind: str) -> Collection[str] | None:
        """Return the names of a kind, as in every file; of agents, those of all systems."""
        known = self.env.listed_names(kind)
        if known is None or kind != AGENT_NAME.name:
            return known
        every = (entry.name for entry in self.env.view.library.of_kind("agent"))
        return tuple(dict.fromkeys((*known, *every)))

    def entity(self, kind: str, value: object) -> object | None:
        """Resolve as in every file, or among the entities of other systems with this file."""
        if isinstance(value, Mapping):  # the kind of an act is unknown here
            known = kind in ("Act", TASK_ARGUMENTS.name) or self.fields(Named(kind))
            return value if known else None
        found = self.env.entity(kind, value)
        if found is None and kind == AGENT_NAME.name:
            return value if value in (self.listed_names(kind) or ()) else None
        unknown = found is None and isinstance(value, str) and value not in self.things
        if unknown and self.types.is_thing(Named(kind)):
            return value if _known_elsewhere(self.env.view.library, str(value)) else None
        return found

    def fields(self, kind: Type) -> Mapping[str, Type] | None:
        """Return the fields of agents and of other built-in types, and the arguments of tasks."""
        if kind == TASK_ARGUMENTS:
            return self.env.readable(kind)
        if isinstance(kind, Named) and not FIELDS.keys().isdisjoint(self.types.line(kind.name)):
            return self.env.readable(kind)
        return None


def data_misfits(
    env: TypeEnvironment, kind: Type, value: object, loc: Loc = (), *, shorthand: bool = False
) -> Iterator[Misfit]:
    """Yield everything in plain data that does not match a type."""
    if kind == ACTS:
        yield from _acts(env, value, loc)
    else:
        yield from misfits(kind, value, ExampleNames(env), loc, shorthand=shorthand)


def _acts(env: TypeEnvironment, value: object, loc: Loc) -> Iterator[Misfit]:
    if isinstance(value, Mapping):
        for kind, acts in value.items():
            unknown = _unknown_kind(env, kind)
            if unknown is not None:
                yield replace(unknown, loc=(*loc, kind), key=True)
                continue
            for index, act in enumerate(acts if isinstance(acts, list) else [acts]):
                here = (*loc, kind, index) if isinstance(acts, list) else (*loc, kind)
                yield from _act(env, kind, act, here)
    elif isinstance(value, list):
        for index, act in enumerate(value):
            if isinstance(act, str):
                yield from _check_printed_acts(env, act, (*loc, index))
                continue
            kind = act.get("kind") if isinstance(act, Mapping) else act
            unknown = _unknown_kind(env, kind)
            if unknown is not None:
                at_kind = isinstance(act, Mapping) and "kind" in act
                yield replace(unknown, loc=(*loc, index, *(["kind"] if at_kind else [])))
            elif isinstance(act, Mapping):
                yield from _act(env, str(kind), act, (*loc, index))
    elif isinstance(value, str):
        yield from _check_printed_acts(env, value, loc)
    elif value is not None:
        yield Misfit("acts must be a list", "write [{kind: KIND, …}], or {KIND: [{…}]}", loc)


def _check_printed_acts(env: TypeEnvironment, text: str, loc: Loc) -> Iterator[Misfit]:
    """Check acts printed as text, of which only the first one's kind can be read."""
    found = _PRINTED.match(text)
    unknown = _unknown_kind(env, found["kind"]) if found is not None else None
    if unknown is not None:
        yield replace(unknown, loc=loc)


def _unknown_kind(env: TypeEnvironment, kind: object) -> Misfit | None:
    if not env.acts_whole or (isinstance(kind, str) and kind in env.acts):
        return None
    help = suggestion(kind if isinstance(kind, str) else "", env.acts, "kinds")
    if not isinstance(kind, str):
        return Misfit("an act needs a 'kind'", help)
    return Misfit(f"unknown kind of act '{kind}'", help)


def _act(env: TypeEnvironment, kind: str, act: object, loc: Loc) -> Iterator[Misfit]:
    if isinstance(act, Mapping) and kind in env.acts:
        yield from misfits(act_type(kind), act, ExampleNames(env), loc)


def _known_elsewhere(library: Library, name: str) -> bool:
    """Whether some system of the library has a thing or an agent of this name."""
    return any(name == entry.name for entry in library.of_kind("agent")) or any(
        name in scene.model.objects for scene in library.of_kind("scene")
    )
