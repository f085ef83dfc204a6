"""The things that a program names, where its constructors stand, and changes of them.

A constructor is read in any of its forms: the class first or as `object_class`, with `landmark`,
`attributes` or `object_instance`, over several lines. What a list or a loop gives is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from treec.frozen import frozen

CONSTRUCTOR = "InteractionObject"
_CLASS, _INSTANCE = "object_class", "object_instance"
_ORDER = (_CLASS, "landmark", "attributes", _INSTANCE)
"""Its arguments, as they may be given by place."""


@frozen(slots=False)
class ConstructedThing:
    """A constructor in a program; ``kind`` is "" for a class that is no literal."""

    kind: str
    instance: str
    """The thing that it names itself; else ""."""
    repeated: bool
    """Whether it stands in a loop, and so may be carried out several times."""
    call: ast.Call


def constructed(program: str) -> list[ConstructedThing]:
    """The constructors of a program, in its order; none of a text that cannot be read."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = list(_constructors(tree, repeated=False))
    return sorted(found, key=lambda one: (one.call.lineno, one.call.col_offset))


def _constructors(node: ast.AST, *, repeated: bool) -> Iterator[ConstructedThing]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name == CONSTRUCTOR:
            kind, instance = _text(_argument(node, _CLASS)), _text(_argument(node, _INSTANCE))
            yield ConstructedThing(kind, instance, repeated, node)
    for child in ast.iter_child_nodes(node):
        yield from _constructors(child, repeated=repeated or isinstance(node, ast.For))


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    given: dict[str | None, ast.expr] = dict(zip(_ORDER, call.args, strict=False))
    given.update((one.arg, one.value) for one in call.keywords)
    return given.get(name)


def _text(value: ast.expr | None) -> str:
    literal = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return str(value.value) if literal else ""  # type: ignore[union-attr]


def with_things(program: str, thing: Callable[[ConstructedThing], str | None]) -> str:
    """A program whose constructors name things; those for which ``thing`` is none stay."""
    edits = []
    for one in constructed(program):
        name = thing(one)
        if name is None:
            continue
        value = _argument(one.call, _INSTANCE)
        if value is not None:
            edits.append((*_span(program, value), f'"{name}"'))
        else:
            end = _span(program, one.call)[1] - 1  # before its parenthesis
            first = (*one.call.args, *(keyword.value for keyword in one.call.keywords))
            last = max(_span(program, value)[1] for value in first) if first else end
            edits.append((last, last, f', {_INSTANCE}="{name}"'))
    return _edited(program, edits)


def with_class(program: str, old: str, new: str) -> str:
    """A program whose things of one class are of another; what is named by itself stays."""
    edits = []
    for one in constructed(program):
        value = _argument(one.call, _CLASS)
        if one.kind == old and not one.instance and value is not None:
            edits.append((*_span(program, value), f'"{new}"'))
    return _edited(program, edits)


def _edited(program: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, text in sorted(edits, reverse=True):
        program = program[:start] + text + program[end:]
    return program


def _span(program: str, node: ast.expr) -> tuple[int, int]:
    """Where an expression stands in a text, in characters (`ast` counts bytes of lines)."""
    lines = program.split("\n")

    def offset(line: int, column: int) -> int:
        before = sum(len(text) + 1 for text in lines[: line - 1])
        return before + len(lines[line - 1].encode()[:column].decode())

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
