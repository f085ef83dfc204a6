"""Comparison that can never hold, or argument of the wrong type.

Reported only when certain: a list never equals a text, a subtask never equals an agent, and a
status is one of a few words. So is state that trees set to texts, and a fact that effects, goals
and scenes give texts, unless one of these is computed, the fact is sensed, or a Python node may
set the state.

Wrong:

    - check: status(agent) == 'Interupted'

Right:

    - check: status(agent) == 'Interrupted'

So is each key of a `switch`, which is compared with its value in the same way: a number, `true` or
`false`, `none`, or a text. What `for_each` goes through is a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jinja2 import nodes

from treec.check.base import FieldPlace, Loc, entries
from treec.check.environments import environment
from treec.check.fields import ACTS
from treec.check.names import TypeEnvironment
from treec.check.texts import diagnostics_of
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.check.type_checker import TypeChecker, infer
from treec.files.nodes import spec_of
from treec.files.types import ANY, TEXT, ListOf, Type, a, options, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import number_in

CODE = "TC213"


def check(view: View) -> Iterator[Diagnostic]:
    """Report comparisons and arguments of incompatible types, and cases that never occur."""
    yield from diagnostics_of(view, CODE)
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            spec = spec_of(at.node)
            if spec is not None and spec.compares is not None:
                yield from _keys(view, at, *spec.compares)
            binds = {} if spec is None or spec.binds is None else spec.binds(at.node)
            for each in binds.values():
                kind = _type(view, at, each.items, each.loc) if each.loc else None
                if kind is not None and not any(map(_is_list, options(without_none(kind)))):
                    message = f"'{each.items}' is {a(kind)}, not a list"
                    yield Diagnostic(CODE, "error", at.span(*each.loc), message)


def _keys(view: View, at: TreeNodeAt, of: Loc, keys: Loc) -> Iterator[Diagnostic]:
    """Report keys that the value they are compared with never equals."""
    text, cases = _below(at.node, of), _below(at.node, keys)
    if not isinstance(text, str) or not isinstance(cases, Mapping):
        return
    kind, env = _type(view, at, text, of), _environment(view, at, text, of)
    if kind is None:
        return
    for key in cases:
        typer = TypeChecker(env, lambda at: 1)
        if not any(_can_be(typer, key, option) for option in options(without_none(kind))):
            found = next(iter(typer.found), None)
            message = f"'{key}' is never {a(kind)}" if found is None else found.message
            span = at.span(*keys, key, key=True)
            yield Diagnostic(CODE, "error", span, message, found.help if found else None)


def _environment(view: View, at: TreeNodeAt, text: str, of: Loc) -> TypeEnvironment:
    place = FieldPlace(at.entry, (*at.loc, *of), "expression", text, at.node, of[0])  # type: ignore[arg-type]
    return environment(view, place)


def _type(view: View, at: TreeNodeAt, text: str, of: Loc) -> Type | None:
    """The type of an expression of a node, if it is known."""
    try:
        return infer(Expression.parse(text).ast[0], _environment(view, at, text, of))
    except LocatedError:
        return None  # reported by TC201


def _is_list(kind: Type) -> bool:
    return isinstance(kind, ListOf) or kind in (ACTS, ANY)


def _can_be(typer: TypeChecker, key: str, kind: Type) -> bool:
    """Whether a key can stand for a value of a type; what it cannot be is noted, if it is known."""
    if key.lower() == "none":  # any value may be none
        return True
    match str(kind):
        case "any" | "text":
            return True
        case "bool":
            return key.lower() in ("true", "false")
        case "number":
            return number_in(key) is not None
        case "integer":
            return (number_in(key) or 0.5).is_integer() or number_in(key) == 0
    before = len(typer.found)
    typer.constant(nodes.Const(key, lineno=0), kind)
    return len(typer.found) == before and typer.env.types.can_be_equal(TEXT, kind)


def _below(node: object, loc: Loc) -> object:
    for step in loc:
        node = getattr(node, str(step))
    return node
