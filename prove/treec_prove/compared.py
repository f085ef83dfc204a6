"""What expressions compare names with: which values of them can make a difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from jinja2 import nodes as jinja

from treec.source.expression import Expression

_INEXACT = (jinja.Mod, jinja.FloorDiv, jinja.Pow)
_ROUNDED = ("abs", "int", "round")

Kind = Literal["number", "text", "bool", "any"]


class NameUse(NamedTuple):
    """That an expression uses a name as a value of a kind; as any, where it passes it on."""

    name: str
    kind: Kind


class Inexact(NamedTuple):
    """Arithmetic for which there is no number of values that are all that matter."""

    what: str


def compared_in(parsed: Expression, *, is_condition: bool = True) -> set[object]:
    """The numbers and texts of an expression, the numbers at which its comparisons turn, and uses.

    Where arithmetic is done (``100 - battery > 30``), a comparison turns at another number than
    those that it names: at 70. That number is computed for each name, with the others at 0 and at
    the numbers of the comparison; this is exact where the name occurs once, and others do not.
    """
    found: set[object] = set()
    for part in parsed.ast:
        constants = (part, *part.find_all(jinja.Const))
        found |= {
            node.value
            for node in constants
            if isinstance(node, jinja.Const) and isinstance(node.value, int | float | str)
        }
        for node in (part, *part.find_all((jinja.BinExpr, jinja.Filter))):
            if isinstance(node, _INEXACT):
                found.add(Inexact(f"arithmetic with {node.operator}"))
            elif isinstance(node, jinja.Filter) and node.name in _ROUNDED:
                found.add(Inexact(f"arithmetic with {node.name}"))
        found |= set(_uses(part, "bool" if is_condition else "any"))
        for compared in (part, *part.find_all(jinja.Compare)):
            if isinstance(compared, jinja.Compare):
                found |= set(_turns(compared))
    return found


def _uses(node: jinja.Node, *kinds: Kind) -> Iterator[NameUse]:
    if isinstance(node, jinja.Name):
        yield from (NameUse(node.name, kind) for kind in kinds)
        return
    if isinstance(node, jinja.Compare):
        values = [one.value for one in node.find_all(jinja.Const)]
        kinds = tuple({_kind(value) for value in values}) or ("number",)
    elif isinstance(node, jinja.And | jinja.Or | jinja.Not):
        kinds = ("bool",)
    elif isinstance(node, jinja.BinExpr | jinja.UnaryExpr):
        kinds = ("number",)
    elif not isinstance(node, jinja.Tuple | jinja.List | jinja.Operand):
        kinds = ("any",)
    for child in node.iter_child_nodes():
        yield from _uses(child, *kinds)


def _kind(value: object) -> Kind:
    if isinstance(value, bool) or value is None:
        return "bool"
    return "text" if isinstance(value, str) else "number"


def _turns(compared: jinja.Compare) -> Iterator[float]:
    """The numbers at which a comparison turns, where arithmetic is done in it."""
    sides = [compared.expr, *(one.expr for one in compared.ops)]
    if not any(isinstance(side, jinja.BinExpr | jinja.UnaryExpr) for side in sides):
        return
    names = {key for side in sides for one in _leaves(side) if (key := _unknown(one))}
    others = {Fraction(0)}
    for one in compared.find_all(jinja.Const):
        if isinstance(one.value, int | float):
            others.add(Fraction(one.value))
    for name in names:
        for other in others:
            values = dict.fromkeys(names, other)
            for left, right in pairwise(sides):
                try:
                    at = [
                        _value(left, {**values, name: Fraction(x)})
                        - _value(right, {**values, name: Fraction(x)})
                        for x in (0, 1)
                    ]
                except (ArithmeticError, TypeError):
                    continue
                if at[0] != at[1]:
                    root = at[0] / (at[0] - at[1])
                    yield int(root) if root.denominator == 1 else float(root)


def _leaves(node: jinja.Node) -> Iterator[jinja.Node]:
    if _unknown(node):
        yield node
        return
    for child in node.iter_child_nodes():
        yield from _leaves(child)


def _unknown(node: jinja.Node) -> str:
    """The name of a variable, or of a function that is called."""
    if isinstance(node, jinja.Call) and isinstance(node.node, jinja.Name):
        return node.node.name
    return node.name if isinstance(node, jinja.Name) else ""


def _value(node: jinja.Node, values: Mapping[str, Fraction]) -> Fraction:
    """The value of an arithmetic expression. Raises ArithmeticError, TypeError."""
    if name := _unknown(node):
        return values[name]
    match node:
        case jinja.Const(value=int() | float() as value):
            return Fraction(value)
        case jinja.Neg(node=inner):
            return -_value(inner, values)
        case jinja.Add(left=left, right=right):
            return _value(left, values) + _value(right, values)
        case jinja.Sub(left=left, right=right):
            return _value(left, values) - _value(right, values)
        case jinja.Mul(left=left, right=right):
            return _value(left, values) * _value(right, values)
        case jinja.Div(left=left, right=right):
            return _value(left, values) / _value(right, values)
    raise TypeError(f"no arithmetic: {node}")
