"""Contradictory modifiers, or a modifier with a constant condition.

Modifiers are applied in a fixed order, and in some pairs one leaves the other without effect. A
`skip_if` or `fail_if` that always holds, a `while` that never holds, `retry: 0` and `repeat: 0`
disable the node.

Wrong:

    - check: available
      force_success: true
      force_failure: true

Right:

    - check: available
      force_success: true
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.conditions import constant
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.files.nodes import NodeBase
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC310"

PAIRS = (
    ("force_failure", "force_success", "failures become successes, so it has no effect"),
    ("force_success", "invert", "together they mean 'force_failure': write that"),
    ("force_failure", "invert", "together they mean 'force_success': write that"),
    ("once", "retry", "the first result is final, so there is no other attempt"),
    ("once", "repeat", "the first result is final, so there is no other round"),
    ("force_success", "retry", "a node that never fails is never retried"),
    ("force_failure", "repeat", "a node that never succeeds is never repeated"),
    ("keep_running_until_failure", "repeat", "a node that never succeeds is never repeated"),
)
"""The modifier that is reported, the one it contradicts, and why."""

SWITCHES = (
    ("skip_if", True, "always holds: the node is never ticked"),
    ("fail_if", True, "always holds: the node is never ticked"),
    ("while", False, "never holds: the node is never ticked"),
)


def check(view: View) -> Iterator[Diagnostic]:
    """Report contradictory modifiers, and modifiers that disable their node."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if isinstance(at.node, NodeBase):
                yield from _pairs(at, at.node)
                yield from _switched_off(at, at.node)


def _pairs(at: TreeNodeAt, node: NodeBase) -> Iterator[Diagnostic]:
    for one, other, why in PAIRS:
        if _is_set(node, one) and _is_set(node, other):
            span = at.span(one, key=True)
            message = f"'{one}' contradicts '{other}': {why}"
            yield Diagnostic(CODE, "error", span, message, f"remove '{one}' or '{other}'")


def _switched_off(at: TreeNodeAt, node: NodeBase) -> Iterator[Diagnostic]:
    for name, value, why in SWITCHES:
        text = getattr(node, "while_" if name == "while" else name)
        if text is not None and constant(text) is value:
            yield Diagnostic(
                CODE, "error", at.span(name), f"'{name}: {text}' {why}", "remove the node"
            )

    for name in ("retry", "repeat"):
        if getattr(node, name) == 0:
            message = f"'{name}: 0': the node is never ticked"
            help = f"remove '{name}', or write how often: 1 is once, -1 without limit"
            yield Diagnostic(CODE, "error", at.span(name), message, help)


def _is_set(node: NodeBase, name: str) -> bool:
    value = getattr(node, name)
    return value is not None and value is not False
