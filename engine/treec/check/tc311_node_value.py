"""Value of the wrong type in a node.

`take` takes the queue of an agent, `report` reports a subtask and says in words why it failed, and
`set` gives a name a value of its type. A value is plain data or a reference `$name.path`.

Wrong:

    - take: {queue: $subtask, into: subtask}

Right:

    - take: {queue: $agent, into: subtask}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import FieldPlace, Loc, entries, places
from treec.check.environments import environment
from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.check.references import lacks_dollar, value_type
from treec.check.scopes import tree_names
from treec.files.fields import Field
from treec.files.nodes import spec_of
from treec.files.types import Type, a, parse_type, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_reference

CODE = "TC311"


def check(view: View) -> Iterator[Diagnostic]:
    """Report values in trees that can never be of the type that their node needs."""
    for entry in entries(view, "tree"):
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
    kinds = (m.of for m in info.metadata if isinstance(m, Field)) if info is not None else ()
    of = next((kind for kind in kinds if kind), None)
    return None if of is None else parse_type(of)


def _misfits(
    env: TypeEnvironment, place: FieldPlace, kind: Type, value: object, loc: Loc
) -> Iterator[Diagnostic]:
    entry = place.entry
    if is_reference(value):
        given = value_type(env, value)
        if given is not None and not env.types.could_be(given, kind):
            message = f"{value} is {a(given)}, but {a(kind)} is needed here"
            yield Diagnostic(CODE, "error", entry.span(*loc), message)
    elif not isinstance(value, str) or not (
        "{" in value or value.startswith("$") or lacks_dollar(env, value)
    ):
        for wrong in data_misfits(env, kind, value):
            span = entry.span(*loc, *wrong.loc, key=wrong.key)
            yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)
