"""Value of the wrong type in a node.

`take` takes the queue of an agent, `report` reports a subtask and says in words why it failed, and
`set` gives a name a value of its type: plain data, a reference `$name.path` or an expression
`= n + 1`. All values of a `set` are read before the first is set. The default of a variable or a
port, `n: number = 0`, is an expression, too. The counts of `retry` and `repeat` are numbers.

Wrong:

    - take: {queue: $subtask, into: subtask}

Right:

    - take: {queue: $agent, into: subtask}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from treec.check.base import FieldPlace, Loc, entries, places
from treec.check.environments import environment
from treec.check.names import TypeEnvironment
from treec.check.references import bound_misfits
from treec.check.scopes import tree_names
from treec.check.texts import defaults
from treec.files.fields import Field
from treec.files.nodes import spec_of
from treec.files.types import Type, parse_type, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC311"


def check(view: View) -> Iterator[Diagnostic]:
    """Report values in trees that can never be of the type that their node needs."""
    for entry in entries(view, "tree"):
        for place in defaults(entry, entry.model):
            env, expected = environment(view, place), tree_names(entry)[str(place.loc[-1])]
            for wrong in bound_misfits(env, expected, f"= {place.value}"):
                yield place.problem(CODE, wrong.message, wrong.help)
        for place in places(entry):
            if place.kind != "value":
                continue
            env = environment(view, place)
            spec = spec_of(place.owner)
            given = [] if spec is None else [a for a in spec.assigned(place.owner) if a.is_key]
            if given and spec is not None and place.loc[-1] == spec.key:
                types = tree_names(entry)
                types.update((n, read_type(s.type)) for n, s in view.state.items())
                for assigned in given:
                    name, value = assigned.name, assigned.value
                    if name in types and value is not None:
                        yield from _misfits(env, place, types[name], value, (*place.loc, name))
                continue
            kind = _declared(place)
            if kind is not None:
                yield from _misfits(env, place, kind, place.value, place.loc)


def _declared(place: FieldPlace) -> Type | None:
    """Return the type that the model of a node says a field has."""
    info = type(place.owner).model_fields.get(place.field)
    of = "" if info is None else _type_in(info.metadata) or _type_of(info.annotation)
    return parse_type(of) if of else None


def _type_of(annotation: object) -> str:
    """The type in an annotation such as ``Annotated[NumberValue, …] | int``."""
    found = _type_in(getattr(annotation, "__metadata__", ()))
    return found or next(filter(None, map(_type_of, get_args(annotation))), "")


def _type_in(metadata: Iterable[object]) -> str:
    return next((m.of for m in metadata if isinstance(m, Field) and m.of), "")


def _misfits(
    env: TypeEnvironment, place: FieldPlace, kind: Type, value: object, loc: Loc
) -> Iterator[Diagnostic]:
    for wrong in bound_misfits(env, kind, value):
        span = place.entry.span(*loc, *wrong.loc, key=wrong.key)
        yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)
