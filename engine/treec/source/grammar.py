"""Checks that a syntax tree uses only the allowed subset of Jinja's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from jinja2 import nodes

from treec.source.errors import EvaluationProblem, SourceError, suggest
from treec.source.jinja import KEYWORDS, SyntaxTree
from treec.source.registry import FILTERS, TESTS, Builtin, Table

MAX_TREE = 80
"""Maximum depth of the syntax tree: evaluation takes two or three stack frames per level."""

_ALLOWED: frozenset[type[nodes.Node]] = frozenset(
    {
        nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Assign, nodes.AssignBlock,
        nodes.With, nodes.FilterBlock, nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem,
        nodes.Slice, nodes.Call, nodes.Filter, nodes.Test, nodes.Keyword, nodes.And, nodes.Or,
        nodes.Not, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div,
        nodes.FloorDiv, nodes.Mod, nodes.Concat, nodes.Compare, nodes.Operand, nodes.CondExpr,
        nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair,
    }
)  # fmt: skip
_LIMITED = frozenset(
    {nodes.Name, nodes.Getattr, nodes.Tuple, nodes.For, nodes.Call, nodes.Filter, nodes.Test}
)
"""Those that are not always allowed."""
_PYTHON = frozenset({"namespace", "dict", "cycler", "joiner", "lipsum"})
_NAMED_TEST = frozenset({"select", "reject"})
_NAMED_TEST_SECOND = frozenset({"selectattr", "rejectattr"})


def start(node: nodes.Node) -> int:
    """Return the offset at which a node's text begins (its own offset may be later)."""
    while True:
        inner = _first(node)
        if inner is None:
            return node.lineno or 0
        node = inner


_BRACKETS = re.compile(r"'[^']*'|\"[^\"]*\"|[()\[\]{}]|\s(?:and|or|if|else)\s")


def brackets(text: str, begin: int = 0) -> Iterator[tuple[re.Match[str], int]]:
    """Yield each bracket, text in quotes and joining word, with the depth of brackets behind it."""
    depth = 0
    for found in _BRACKETS.finditer(text, begin):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        yield found, depth


_FIRST: dict[type[nodes.Node], str] = {
    **dict.fromkeys((nodes.Getattr, nodes.Getitem, nodes.Call, nodes.Filter, nodes.Test), "node"),
    **dict.fromkeys((nodes.Compare, nodes.Operand), "expr"),
    **dict.fromkeys(nodes.BinExpr.__subclasses__(), "left"),
    nodes.CondExpr: "expr1",
}
"""The field of the child that begins a node's text."""


def _first(node: nodes.Node) -> nodes.Node | None:
    """Return the child that begins a node's text, or None if the node itself does."""
    field = _FIRST.get(type(node))
    if field is not None:
        return cast("nodes.Node | None", getattr(node, field))
    if isinstance(node, nodes.Concat):
        return node.nodes[0]
    if isinstance(node, nodes.Tuple) and node.items:
        return node.items[0]
    return None


LEAVES = frozenset({nodes.Const, nodes.Name, nodes.TemplateData})
"""Nodes without children: more than half of all, and looking for children is slow."""


def offset(node: nodes.Node) -> int:
    """Return the offset to report for a node: that of its field, filter, test or function."""
    if isinstance(node, nodes.Call):
        return offset(node.node)
    if isinstance(node, (nodes.Getattr, nodes.Filter, nodes.Test)):
        return node.lineno
    return start(node)


def children(node: nodes.Node) -> list[nodes.Node]:
    """Return a node's children, in order of the text: `iter_child_nodes` in half the time."""
    found: list[nodes.Node] = []
    for name in node.fields:
        value = getattr(node, name, None)
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, nodes.Node)]
    return found


def walk(body: tuple[nodes.Node, ...]) -> Iterator[tuple[nodes.Node, int]]:
    """Yield every node with its depth, outer ones first, in order of the text."""
    stack = [(node, 1) for node in reversed(body)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        if type(node) in LEAVES:
            continue
        stack.extend([(child, depth + 1) for child in reversed(children(node))])


def check(parsed: SyntaxTree) -> None:
    """Raise `SourceError` for anything that is not allowed."""
    for node, depth in walk(parsed.body):
        if depth > MAX_TREE:
            raise SourceError("this is nested too deeply", offset(node))
        try:
            _check(node)
        except EvaluationProblem as problem:
            at = offset(node)
            length = parsed.lengths.get(at, 1)
            raise SourceError(problem.message, at, length, problem.help) from None


def _check(node: nodes.Node) -> None:
    if type(node) not in _ALLOWED:
        what = "'set' of a namespace" if isinstance(node, nodes.NSRef) else type(node).__name__
        raise EvaluationProblem(f"{what} cannot be used here")
    if type(node) not in _LIMITED:
        return
    if isinstance(node, nodes.Name):
        _check_name(node.name, "a name")
    elif isinstance(node, nodes.Getattr):
        _check_name(node.attr, "a field")
    elif isinstance(node, nodes.Tuple) and any(isinstance(i, nodes.Slice) for i in node.items):
        raise EvaluationProblem("only one slice can be taken at a time")
    elif isinstance(node, nodes.For) and node.recursive:
        raise EvaluationProblem("a loop cannot be recursive")
    elif isinstance(node, (nodes.Call, nodes.Filter, nodes.Test)):
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            raise EvaluationProblem("arguments are written out: '*' and '**' cannot be used")
        if isinstance(node, nodes.Call):
            _check_call(node)
        else:
            _check_builtin(node)


def _check_name(name: str, what: str) -> None:
    if what == "a name" and name in KEYWORDS:
        raise EvaluationProblem(f"'{name}' cannot be a name, and something is missing beside it")
    if name.startswith("_"):
        raise EvaluationProblem(f"{what} cannot begin with '_'")


def _check_call(node: nodes.Call) -> None:
    if not isinstance(node.node, nodes.Name):
        raise EvaluationProblem("only functions are called, by their plain name")
    if node.node.name in _PYTHON:
        raise EvaluationProblem(f"'{node.node.name}' cannot be used here")
    _once(node.node.name, [keyword.key for keyword in node.kwargs])


def _once(name: str, keywords: list[str]) -> None:
    for keyword in keywords:
        if keywords.count(keyword) > 1:
            raise EvaluationProblem(f"'{name}' gets its argument '{keyword}' twice")


def _check_builtin(node: nodes.Filter | nodes.Test) -> None:
    table, what = (FILTERS, "filter") if isinstance(node, nodes.Filter) else (TESTS, "test")
    otherwise = "write '==' to compare" if what == "test" else None
    builtin = _find_builtin(node.name, table, what, otherwise)
    keywords = [keyword.key for keyword in cast("list[nodes.Keyword]", node.kwargs)]
    _once(node.name, keywords)
    builtin.check(len(node.args), keywords)
    if not isinstance(node, nodes.Filter):
        return
    if node.name in _NAMED_TEST:
        _check_name_argument(node, 0, TESTS, "test")
    elif node.name in _NAMED_TEST_SECOND:
        _check_name_argument(node, 1, TESTS, "test")
    elif node.name == "map" and not keywords:
        _check_name_argument(node, 0, FILTERS, "filter")


def _find_builtin(name: str, table: Table, what: str, otherwise: str | None = None) -> Builtin:
    builtin = table.get(name)
    if builtin is None:
        near = suggest(name, table) if otherwise is None or name.lower() == name else None
        raise EvaluationProblem(f"unknown {what} '{name}'", near or otherwise)
    return builtin


def _check_name_argument(node: nodes.Filter, at: int, table: Table, what: str) -> None:
    """Check the test or filter that `select` or `map` names as its argument."""
    if len(node.args) <= at:
        return
    named = node.args[at]
    if not isinstance(named, nodes.Const) or not isinstance(named.value, str):
        raise EvaluationProblem(f"'{node.name}' takes the name of a {what} in quotes")
    _find_builtin(named.value, table, what).check(len(node.args) - at - 1, ())
