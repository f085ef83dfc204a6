"""Port or argument wired to a value of the wrong type.

The value that `with` gives to an in port or an argument must be of its type; things and agents may
be given by name. The type that an out port writes must fit the variable it is wired to.

Wrong:

    tree: main
    vars: {item: Item}
    root:
      - {tree: robot_worker, with: {agent: $item}}

Right:

    tree: main
    root:
      - {tree: robot_worker, for: agent in robots, with: {agent: $agent}}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import FieldPlace, entries
from treec.check.environments import environment
from treec.check.loops import items_of
from treec.check.names import TypeEnvironment
from treec.check.port_wiring import find_wiring
from treec.check.references import bound_misfits, value_type
from treec.check.tree_nodes import Port, TreeNodeAt, tree_nodes
from treec.files.types import Named, Type, a, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.values import is_reference

CODE = "TC304"


def check(view: View) -> Iterator[Diagnostic]:
    """Report values in `with` that do not match the type of their port."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            found = find_wiring(view, at)
            if found is None or not found.given or isinstance(at.node, list):
                continue
            if at.node.for_ is not None and items_of(view, at.node.for_) is None:
                continue  # reported by TC308; the type of the loop variable is unknown
            field = "with_" if found.loc == ("with",) else found.loc[0]
            place = FieldPlace(
                entry, (*at.loc, *found.loc), "value", found.given, at.node, str(field)
            )
            env = environment(view, place)
            for name, value in found.given.items():
                port = found.ports.get(name)
                if port is not None:
                    yield from _check(env, at, (*found.loc, name), port, value, found.one)


def _check(
    env: TypeEnvironment,
    at: TreeNodeAt,
    loc: tuple[str | int, ...],
    port: Port,
    value: object,
    one: str,
) -> Iterator[Diagnostic]:
    if not is_reference(value):
        if not port.writes:
            for item in bound_misfits(env, port.type, value):
                span = at.span(*loc, *item.loc, key=item.key)
                yield Diagnostic(CODE, "error", span, item.message, item.help)
        return
    kind = value_type(env, value)
    if kind is None:
        return
    if env.types.could_be(kind, port.type):
        yield from _not_all(env, at, loc, port, kind, one)
        return
    yield Diagnostic(
        CODE,
        "error",
        at.span(*loc),
        f"{value} is {a(kind)}, but the {one} '{loc[-1]}' is {a(port.type)}",
        None,
    )


def _not_all(
    env: TypeEnvironment,
    at: TreeNodeAt,
    loc: tuple[str | int, ...],
    port: Port,
    kind: Type,
    one: str,
) -> Iterator[Diagnostic]:
    """Report an Agent for a Robot where some of the agents, a person for instance, are none."""
    given = without_none(kind)
    agents = [name for name, own in env.things.items() if env.types.fits(own, given)]
    others = [name for name in agents if not env.types.could_be(env.things[name], port.type)]
    if given != Named("Agent") or not others or port.writes:
        return
    message = f"an Agent may be '{others[0]}', but the {one} '{loc[-1]}' is {a(port.type)}"
    help = f"give it the type {port.type} where it is declared, or take it from 'robots'"
    yield Diagnostic(CODE, "error", at.span(*loc), message, help)
