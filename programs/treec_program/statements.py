"""Statements of programs that a model may write: skill calls, assignments, `for` and `if`.

    for item in ['crate', 'steel bin']:
        if at(item) != table:
            pick(item)
            place(item, table)

or with methods: ``bin = InteractionObject('steel bin')``, ``bin.pick()``. Skills, facts and names
are checked by :mod:`treec_program.checker`. A program's text is only ever parsed to the classes
below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from treec.frozen import frozen
from treec.program.parser import WORDS, SourceReader, read_tree
from treec.program.places import TextPlace
from treec.program.steps import Literal, NameRef, PlacedNode, plain_value
from treec_program.grammar import PROGRAM


@frozen
class Items(PlacedNode):
    """A list literal."""

    items: tuple[Value, ...]
    at: TextPlace


@frozen
class Comparison(PlacedNode):
    """A comparison; the operator is named as in expressions: eq, ne, lt, …, in, notin."""

    operator: str
    left: Value
    right: Value
    at: TextPlace


@frozen
class BooleanOperation(PlacedNode):
    """Conditions of which all must hold (``and``), or one (``or``)."""

    every: bool
    parts: tuple[Value, ...]
    at: TextPlace


@frozen
class Negation(PlacedNode):
    """``not``."""

    value: Value
    at: TextPlace


@frozen
class Keyword:
    """An argument given by name, and where the name stands."""

    name: str
    value: Value
    at: TextPlace


@frozen
class ProgramCall(PlacedNode):
    """A call of a skill, a fact, a function or a constructor; ``at`` is where its name stands.

    ``on`` is the thing before the dot, None for a call in the style of functions.
    """

    name: str
    args: tuple[Value, ...]
    kwargs: tuple[Keyword, ...]
    on: NameRef | None
    at: TextPlace


@frozen
class FieldRef(PlacedNode):
    """A word after a dot that is no call: ``mug.object_instance``."""

    on: NameRef
    name: str
    at: TextPlace


Value = (
    Literal | NameRef | FieldRef | Items | Comparison | BooleanOperation | Negation | ProgramCall
)


@frozen
class Do(PlacedNode):
    """A step: a call of a skill."""

    call: ProgramCall
    at: TextPlace


@frozen
class Assign(PlacedNode):
    """An assignment; ``at`` is the place of the name."""

    name: str
    value: Value
    at: TextPlace


@frozen
class For(PlacedNode):
    """A loop over the items of a list or over ``range(n)``."""

    name: str
    items: Value
    body: Program
    at: TextPlace


@frozen
class IfStatement(PlacedNode):
    """The body of the first condition that holds, else ``otherwise``."""

    branches: tuple[tuple[Value, Program], ...]
    otherwise: Program
    at: TextPlace


Statement = Do | Assign | For | IfStatement
Program = tuple[Statement, ...]

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "lteq",
    ast.Gt: "gt",
    ast.GtE: "gteq",
    ast.In: "in",
    ast.NotIn: "notin",
    ast.Is: "eq",
    ast.IsNot: "ne",
}


@lru_cache(maxsize=256)
def parse_program(text: str, fields: frozenset[str] = frozenset()) -> Program:
    """Parse a program. Raises `StepsError` at the first thing that is not allowed.

    ``fields`` are the words that may stand after a dot without being called.
    """
    tree, lines = read_tree(text, replace(PROGRAM, fields=fields) if fields else PROGRAM)
    return _ProgramReader(lines).block(tree.body)


def statements(program: Program) -> Iterator[Statement]:
    """Yield every statement of a program, each before those in its block."""
    for statement in program:
        yield statement
        if isinstance(statement, For):
            yield from statements(statement.body)
        elif isinstance(statement, IfStatement):
            for _, body in statement.branches:
                yield from statements(body)
            yield from statements(statement.otherwise)


class _ProgramReader(SourceReader):
    """Turns Python's nodes into statements; others are errors."""

    def block(self, body: Sequence[ast.stmt]) -> Program:
        found = (self._statement(node) for node in body if not isinstance(node, ast.Pass))
        return tuple(found)

    def _statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Expr(value=ast.Call() as call):
                step = self._call(call)
                return Do(step, step.at)
            case ast.Expr(value=ast.Name(id=name) as value) if name not in WORDS:
                raise self.error(value, f"'{name}' is not called here", f"write {name}()")
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                self._new_name(target)
                return Assign(name, self._value(value), self.place(target))
            case ast.For(target=ast.Name(id=name) as target, iter=items, orelse=[]):
                self._new_name(target)
                return For(name, self._value(items), self.block(node.body), self.place(target))
            case ast.For(target=target, orelse=[]):
                raise self.error(target, "a loop gives one name to each item", "for item in items:")
            case ast.For():
                help = "write it below the loop"
                raise self.error(node.orelse[0], "a loop cannot have 'else'", help)
            case ast.If():
                return self._if(node)
        help = "a step is a call: place(item, table)"
        raise self.error(node, "this is not a step", help)

    def _if(self, node: ast.If) -> IfStatement:
        at = self.place(node.test)
        branches = [(self._value(node.test), self.block(node.body))]
        # `elif` is an `if` alone in the `else` of the one before: followed here, not called.
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            branches.append((self._value(node.test), self.block(node.body)))
        return IfStatement(tuple(branches), self.block(node.orelse), at)

    def _new_name(self, node: ast.Name) -> None:
        if node.id in WORDS:
            raise self.error(node, f"'{node.id}' is a value and cannot get another")

    def _call(self, node: ast.Call) -> ProgramCall:
        on: NameRef | None = None
        match node.func:
            case ast.Name(id=name) if name not in WORDS:
                at = self.place(node.func)
            case ast.Attribute(value=ast.Name(id=thing) as before, attr=name) if thing not in WORDS:
                on = NameRef(thing, self.place(before))
                at = self._behind_dot(node.func, name)
            case _:
                raise self.error(node.func, "only a name can be called")
        kwargs: dict[str, Keyword] = {}
        for item in node.keywords:
            if item.arg is None:
                raise self.error(item, "'**' cannot be used in a program")
            place = self.place(item)
            place = TextPlace(place.offset, place.line, place.column, len(item.arg))
            if item.arg in kwargs:
                raise self.error(item, f"'{item.arg}' is given twice")
            kwargs[item.arg] = Keyword(item.arg, self._value(item.value), place)
        args = tuple(self._value(arg) for arg in node.args)
        return ProgramCall(name, args, tuple(kwargs.values()), on, at)

    def _behind_dot(self, node: ast.Attribute, name: str) -> TextPlace:
        whole = self.place(node)
        skip = whole.length - len(name)
        return TextPlace(whole.offset + skip, whole.line, whole.column + skip, len(name))

    def _value(self, node: ast.expr) -> Value:
        at = self.place(node)
        if (plain := plain_value(node, at)) is not None:
            return plain
        match node:
            case ast.Attribute(value=ast.Name(id=thing) as before) if thing not in WORDS:
                on = NameRef(thing, self.place(before))
                return FieldRef(on, node.attr, self._behind_dot(node, node.attr))
            case ast.Call():
                return self._call(node)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self._items(elements, at)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Negation(self._value(operand), at)
            case ast.BoolOp(op=operator, values=values):
                parts = tuple(self._value(value) for value in values)
                return BooleanOperation(isinstance(operator, ast.And), parts, at)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._comparison(left, operator, right, at)
            case ast.Compare():
                help = "write 'a < b and b < c'"
                raise self.error(node.comparators[1], "two things are compared at a time", help)
        help = "write text, a number, a name, a list, or a call of a fact"
        raise self.error(node, "this is not a value that a program can have", help)

    def _items(self, elements: Sequence[ast.expr], at: TextPlace) -> Items:
        for element in elements:
            if isinstance(element, ast.List | ast.Tuple):
                raise self.error(element, "a list within a list", "write one list")
        return Items(tuple(self._value(element) for element in elements), at)

    def _comparison(
        self, left: ast.expr, operator: ast.cmpop, right: ast.expr, at: TextPlace
    ) -> Comparison:
        one, other = self._value(left), self._value(right)
        none = isinstance(other, Literal) and other.value is None
        if isinstance(operator, ast.Is | ast.IsNot) and not none:
            raise self.error(right, "'is' asks for none alone", "to compare, write '=='")
        return Comparison(_OPERATORS[type(operator)], one, other, at)
