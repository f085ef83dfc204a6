"""Impossible thresholds of a parallel node.

`success` and `failure` count children: they are at least 1 and at most the number of children, or
count from the end (-1: all). `until: never` never ends, so thresholds have no effect with it. A
parallel needs at least one child.

Wrong:

    parallel:
      success: 3
      children: [{tree: left}, {tree: right}]

Right:

    parallel:
      success: 2
      children: [{tree: left}, {tree: right}]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.check.base import entries
from treec.check.loops import count
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.files.view import View
from treec.nodes.control.parallel import ParallelBody, ParallelNode
from treec.source.diagnostics import Diagnostic

CODE = "TC307"


def check(view: View) -> Iterator[Diagnostic]:
    """Report parallels with impossible thresholds."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if isinstance(at.node, ParallelNode):
                yield from _check(view, at, at.node.parallel)


def _check(
    view: View, at: TreeNodeAt, body: ParallelBody | Sequence[object]
) -> Iterator[Diagnostic]:
    children = body.children if isinstance(body, ParallelBody) else body
    given = body.model_fields_set if isinstance(body, ParallelBody) else set()
    if isinstance(body, ParallelBody) and body.until == "never":
        for what in ("success", "failure"):
            if what in given:
                yield Diagnostic(
                    CODE,
                    "error",
                    at.span("parallel", what, key=True),
                    f"'{what}' has no effect with 'until: never'",
                    f"remove '{what}' or 'until'",
                )
        return
    if not children:
        yield Diagnostic(
            CODE,
            "error",
            at.span("parallel", key=True),
            "a parallel without children",
            "add children, or remove it",
        )
        return
    if not isinstance(body, ParallelBody):
        return
    number = count(view, children)
    for what in ("success", "failure"):
        expected = getattr(body, what)
        if what in given and (expected == 0 or (number is not None and expected < -number)):
            message = f"'{what}: {expected}' is reached before any child has ended"
            help = "write at least 1, or -1 for all"
            yield Diagnostic(CODE, "error", at.span("parallel", what), message, help)
        elif what in given and number is not None and expected > number:
            yield Diagnostic(
                CODE,
                "error",
                at.span("parallel", what),
                f"'{what}: {expected}' can never be reached: there {_are(number)}",
                f"write at most {number}, or -1 for all",
            )


def _are(number: int) -> str:
    return "is 1 child" if number == 1 else f"are {number} children"
