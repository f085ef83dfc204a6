"""Plain data that stands for values of the world, as examples give them.

An example names agents, subtasks and things by their text, or writes an entity out as a mapping of
its fields. Acts are written as they print (``u3.1 stop(agent: R1)``), as a list of such texts or of
mappings with their kind, or as lists by kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treec.check.base import Loc
from treec.check.fields import ACTS, CHOICES, FIELDS, act_type, options, without_none
from treec.check.finding import a
from treec.check.fitting import Misfit, listed, misfit
from treec.check.names import Environment
from treec.files.library import Library
from treec.files.types import ANY, ListOf, Named, Type
from treec.source.diagnostics import did_you_mean

_PRINTED = re.compile(r"(?:\w+\.\d+ )?(?P<kind>\w+)(?:\(|$)")


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a part of some data: where in it, whether at its key, and why."""

    loc: Loc
    key: bool
    misfit: Misfit


def wrong(env: Environment, kind: Type, value: object, loc: Loc = ()) -> Iterator[Wrong]:
    """Everything in plain data that does not fit a type."""
    if kind == ANY:
        return
    if kind == ACTS:
        yield from _acts(env, value, loc)
    elif isinstance(kind, ListOf) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from wrong(env, kind.item, item, (*loc, index))
    elif isinstance(value, Mapping):
        yield from _mapping(env, kind, value, loc)
    else:
        found = _plain(env, kind, value)
        if found is not None:
            yield Wrong(loc, False, found)


def _plain(env: Environment, kind: Type, value: object) -> Misfit | None:
    if isinstance(kind, Named) and kind.name in CHOICES:
        known = CHOICES[kind.name]
        if value in known:
            return None
        nearest = did_you_mean(value, known) if isinstance(value, str) else None
        help = f"did you mean '{nearest}'?" if nearest else f"one of: {listed(known)}"
        return Misfit(f"'{value}' is no {kind}", help)
    if isinstance(value, str) and any(env.is_thing(option) for option in options(kind)):
        own = env.things.get(value)
        if own is None and _known_elsewhere(env.view.library, value):
            return None  # of another system that uses this file too
    if isinstance(value, str) and any(option == Named("Act") for option in options(kind)):
        return None
    return misfit(env.view, kind if value is None else without_none(kind), value)


def _mapping(
    env: Environment, kind: Type, value: Mapping[str, object], loc: Loc
) -> Iterator[Wrong]:
    if any(option in (ANY, Named("mapping"), Named("Act")) for option in options(kind)):
        return
    entities = [option for option in options(kind) if _is_entity(env, option)]
    if not entities:
        yield Wrong(loc, False, Misfit(f"a mapping is no {kind}", None))
        return
    fields: dict[str, Type] = {}
    for entity in entities:
        fields.update(env.fields(entity) or {})
    yield from _fields(env, fields, value, loc, f"{a(kind)}")


def _is_entity(env: Environment, kind: Type) -> bool:
    return isinstance(kind, Named) and any(
        env.types.is_a(kind.name, name) for name in ("Agent", *FIELDS)
    )


def _fields(
    env: Environment,
    fields: Mapping[str, Type],
    value: Mapping[str, object],
    loc: Loc,
    what: str,
) -> Iterator[Wrong]:
    for name, item in value.items():
        if name in fields:
            yield from wrong(env, fields[name], item, (*loc, name))
            continue
        nearest = did_you_mean(name, fields)
        help = f"did you mean '{nearest}'?" if nearest else f"its fields: {listed(fields)}"
        yield Wrong((*loc, name), True, Misfit(f"{what} has no field '{name}'", help))


def _acts(env: Environment, value: object, loc: Loc) -> Iterator[Wrong]:
    if isinstance(value, Mapping):
        for kind, acts in value.items():
            unknown = _unknown_kind(env, kind)
            if unknown is not None:
                yield Wrong((*loc, kind), True, unknown)
                continue
            for index, act in enumerate(acts if isinstance(acts, list) else [acts]):
                here = (*loc, kind, index) if isinstance(acts, list) else (*loc, kind)
                yield from _act(env, kind, act, here)
    elif isinstance(value, list):
        for index, act in enumerate(value):
            if isinstance(act, str):
                yield from _printed(env, act, (*loc, index))
                continue
            kind = act.get("kind") if isinstance(act, Mapping) else act
            unknown = _unknown_kind(env, kind)
            if unknown is not None:
                at_kind = isinstance(act, Mapping) and "kind" in act
                yield Wrong((*loc, index, "kind") if at_kind else (*loc, index), False, unknown)
            elif isinstance(act, Mapping):
                yield from _act(env, str(kind), act, (*loc, index))
    elif isinstance(value, str):
        yield from _printed(env, value, loc)
    elif value is not None:
        yield Wrong(
            loc, False, Misfit("acts are a list", "write [{kind: KIND, …}], or {KIND: [{…}]}")
        )


def _printed(env: Environment, text: str, loc: Loc) -> Iterator[Wrong]:
    """Acts as text: only the kind of the first can be told."""
    found = _PRINTED.match(text)
    unknown = _unknown_kind(env, found["kind"]) if found is not None else None
    if unknown is not None:
        yield Wrong(loc, False, unknown)


def _unknown_kind(env: Environment, kind: object) -> Misfit | None:
    if not env.acts_whole or (isinstance(kind, str) and kind in env.acts):
        return None
    nearest = did_you_mean(kind, env.acts) if isinstance(kind, str) else None
    help = f"did you mean '{nearest}'?" if nearest else f"kinds: {listed(env.acts)}"
    if not isinstance(kind, str):
        return Misfit("an act has a 'kind'", help)
    return Misfit(f"'{kind}' is no kind of act that a reading declares", help)


def _act(env: Environment, kind: str, act: object, loc: Loc) -> Iterator[Wrong]:
    if isinstance(act, Mapping) and kind in env.acts:
        fields = {**FIELDS["Act"], **env.acts[kind]}
        yield from _fields(env, fields, act, loc, f"{a(act_type(kind))}")


def _known_elsewhere(library: Library, name: str) -> bool:
    """Whether some system of the library has a thing or an agent of this name."""
    return any(name == entry.name for entry in library.of_kind("agent")) or any(
        name in scene.model.objects for scene in library.of_kind("scene")
    )
