"""Single mutations of Python code: each is one slip of an author, at one place.

Left alone is what no test can or should judge: docstrings, annotations, decorators, imports for the
type checker, what runs only where a module is the main one, and whether `zip` is strict.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from itertools import cycle, pairwise
from random import Random

from benchmarks.mutations import Mutation

Edit = tuple[int, int, str]
"""A replacement: from an offset to an offset, and by what."""
_OPERATORS = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    **{"is": "is not", "is not": "is", "in": "not in", "not in": "in"},
}
_OPERATOR = re.compile(r"<=|>=|==|!=|<|>|\bis\s+not\b|\bnot\s+in\b|\bis\b|\bin\b")
_JOIN = re.compile(r"\b(and|or)\b")
_TESTED = (ast.If, ast.While, ast.IfExp)
_ACTIONS = (ast.Expr, ast.AugAssign, ast.Delete, ast.Assign)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SLOT = re.compile(r"\{\{|\}\}|\{[^{}]*\}")


class Code:
    """A module's text, and where its syntax nodes are in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.excepthandler) -> tuple[int, int]:
        """Where a node begins and ends. Python counts columns in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def source(self, node: ast.expr) -> str:
        """The text of an expression."""
        start, end = self.span(node)
        return self.text[start:end]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def _offset(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(before.decode())

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes but those that are left alone."""
        return list(_nodes(self.tree))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and re.search("TYPE_CHECKING|__main__", ast.unparse(node.test)):
        return
    yield node
    aside: set[ast.AST] = set()
    for name in ("annotation", "returns", "decorator_list"):
        value = getattr(node, name, None)
        aside.update(value if isinstance(value, list) else () if value is None else (value,))
    if isinstance(node, ast.Call):
        aside.update(keyword for keyword in node.keywords if keyword.arg == "strict")
    for child in ast.iter_child_nodes(node):
        is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if child not in aside and not is_text:
            yield from _nodes(child)


def _comparisons(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        for left, right in pairwise([node.left, *node.comparators]):
            start = code.span(left)[1]
            if match := _OPERATOR.search(code.text, start, code.span(right)[0]):
                yield *match.span(), _OPERATORS[" ".join(match.group().split())]


def _conditions(code: Code, node: ast.AST) -> Iterator[Edit]:
    tests = [node.test] if isinstance(node, _TESTED) else []
    tests += node.ifs if isinstance(node, ast.comprehension) else []
    for test in tests:
        yield *code.span(test), f"(not ({code.source(test)}))"


def _constants(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        yield *code.span(node), _other(node)


def _other(node: ast.Constant) -> str:
    """The opposite, the next number, or twice a measure: one more is hardly another."""
    value = node.value
    assert isinstance(value, int | float)
    if isinstance(value, bool):
        return repr(not value)
    return repr(value + 1 if isinstance(value, int) else 2 * value or 1.0)


def _joins(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp):
        (_, start), (end, _) = map(code.span, node.values[-2:])
        if match := _JOIN.search(code.text, start, end):
            yield *match.span(), "or" if match.group() == "and" else "and"


def _actions(code: Code, node: ast.AST) -> Iterator[Edit]:
    if not isinstance(node, _ACTIONS):
        return
    if isinstance(node, ast.Assign) and not isinstance(
        node.targets[0], ast.Attribute | ast.Subscript
    ):
        return
    if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call | ast.Await):
        yield *code.span(node), "pass"


def _exceptions(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Raise) and node.exc is not None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        yield *code.span(raised), "ZeroDivisionError"
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        for caught in node.type.elts if isinstance(node.type, ast.Tuple) else (node.type,):
            yield *code.span(caught), "ZeroDivisionError"


def _messages(code: Code, node: ast.AST) -> Iterator[Edit]:
    """A value of a text for people: one with a word and a space."""
    if isinstance(node, ast.JoinedStr):
        words = "".join(v.value for v in node.values if isinstance(v, ast.Constant))
        if re.search(r"\w ", words):
            for match in _SLOT.finditer(code.text, *code.span(node)):
                if match.group() not in ("{{", "}}"):
                    yield *match.span(), ""


def _keywords(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg in (None, "strict"):
                continue
            start, end = code.span(keyword)
            if after := re.compile(r"\s*,\s*").match(code.text, end):
                end = after.end()
            else:
                start -= len(re.search(r",?\s*$", code.text[:start]).group())  # type: ignore[union-attr]
            yield start, end, ""


def _returns(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            yield *code.span(value), repr(not value.value)
        elif not (isinstance(value, ast.Constant) and value.value is None):
            yield *code.span(value), "None"


def _jumps(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Break | ast.Continue):
        yield *code.span(node), "continue" if isinstance(node, ast.Break) else "break"


def _orders(code: Code, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sorted":
        start, end = code.span(node)
        argument = code.source(node.args[0])
        if isinstance(node.args[0], ast.GeneratorExp):
            argument = argument.removeprefix("(").removesuffix(")")
            argument = f"({argument})"
        rest = [code.text[slice(*code.span(k))] for k in node.keywords if k.arg != "reverse"]
        rest += [] if any(k.arg == "reverse" for k in node.keywords) else ["reverse=True"]
        yield start, end, f"sorted({', '.join([argument, *rest])})"


def _defaults(code: Code, node: ast.AST) -> Iterator[Edit]:
    """Of a parameter, or of a field of a class."""
    defaults: list[ast.expr | None] = []
    if isinstance(node, ast.arguments):
        defaults = [*node.defaults, *node.kw_defaults]
    if isinstance(node, ast.ClassDef):
        defaults = [field.value for field in node.body if isinstance(field, ast.AnnAssign)]
    for default in defaults:
        if not isinstance(default, ast.Constant):
            continue
        if isinstance(default.value, bool | int | float):
            yield *code.span(default), _other(default)
        elif isinstance(default.value, str):
            yield *code.span(default), "'another'"


KINDS: Mapping[str, Callable[[Code, ast.AST], Iterator[Edit]]] = {
    "comparison flipped": _comparisons,
    "condition negated": _conditions,
    "another constant": _constants,
    "'and' for 'or'": _joins,
    "statement removed": _actions,
    "another exception": _exceptions,
    "value of a message dropped": _messages,
    "keyword dropped": _keywords,
    "return value replaced": _returns,
    "'break' for 'continue'": _jumps,
    "order reversed": _orders,
    "another default": _defaults,
}


def edits(code: Code, kind: str) -> list[Edit]:
    """All edits of a kind, in the order of the text."""
    return sorted({edit for node in code.nodes for edit in KINDS[kind](code, node)})


def changes(code: Code, edit: Edit) -> bool:
    """Whether Python reads another program after an edit, and not none at all."""
    start, end, new = edit
    try:
        tree = ast.parse(code.text[:start] + new + code.text[end:])
    except SyntaxError:
        return False
    return ast.dump(tree) != ast.dump(code.tree)


Rooms = Mapping[str, Mapping[str, str]]
"""The modules of each room: path → text."""


def draw(rooms: Rooms, count: int, least: int, seed: int) -> list[Mutation]:
    """Draw mutations: so many a room as it has lines, but a least number; kinds in turns."""
    random = Random(seed)
    turns = cycle(random.sample(sorted(KINDS), len(KINDS)))
    read = cache(Code)
    drawn: list[Mutation] = []
    for room, share in _shares(rooms, count, least).items():
        taken: set[Mutation] = set()
        tries = 0
        while len(taken) < share and tries < len(KINDS) * share:
            tries += 1
            if mutation := _pick(rooms[room], next(turns), taken, read, random):
                taken.add(mutation)
                drawn.append(mutation)
    random.shuffle(drawn)  # so that a part of a draw is a draw
    return drawn


def _pick(
    modules: Mapping[str, str],
    kind: str,
    taken: set[Mutation],
    read: Callable[[str], Code],
    random: Random,
) -> Mutation | None:
    """Pick a mutation of a kind: a module by its lines, then any place in it."""
    order = sorted(modules, key=lambda path: -(random.random() ** (1 / _lines(modules[path]))))
    for path in order:
        code = read(modules[path])
        every = edits(code, kind)
        for edit in random.sample(every, len(every)):
            mutation = Mutation(kind, path, code.line(edit[0]), *edit)
            if mutation not in taken and changes(code, edit):
                return mutation
    return None


def _shares(rooms: Rooms, count: int, least: int) -> dict[str, int]:
    """How many of each room: the least number, and the rest by lines (largest remainder)."""
    lines = {room: sum(map(_lines, modules.values())) for room, modules in rooms.items()}
    rest = max(count - least * len(rooms), 0)
    exact = {room: rest * size / sum(lines.values()) for room, size in lines.items()}
    shares = {room: least + int(part) for room, part in exact.items()}
    by_remainder = sorted(exact, key=lambda room: int(exact[room]) - exact[room])
    for room in by_remainder[: rest - sum(map(int, exact.values()))]:
        shares[room] += 1
    return shares


def _lines(text: str) -> int:
    return text.count("\n") + 1
