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

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.files.nodes import MODIFIERS, NodeBase
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.expression import constant

CODE = "TC310"


def check(view: View) -> Iterator[Diagnostic]:
    """Report contradictory modifiers, and modifiers that disable their node."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if isinstance(at.node, NodeBase):
                yield from _contradictions(at, at.node.modifiers)
                yield from _switched_off(at, at.node.modifiers)


def _contradictions(at: TreeNodeAt, given: Mapping[str, object]) -> Iterator[Diagnostic]:
    for key in given:
        for other, why in MODIFIERS[key].contradicts.items():
            if other in given:
                message = f"'{key}' contradicts '{other}': {why}"
                help = f"remove '{key}' or '{other}'"
                yield Diagnostic(CODE, "error", at.span(key, key=True), message, help)


def _switched_off(at: TreeNodeAt, given: Mapping[str, object]) -> Iterator[Diagnostic]:
    for key, value in given.items():
        off = MODIFIERS[key].off
        if isinstance(off, bool) and constant(str(value)) is off:
            why = f"{'always' if off else 'never'} holds: the node is never ticked"
            message, help = f"'{key}: {value}' {why}", "remove the node"
        elif (
            off is not None and not isinstance(off, bool) and getattr(value, "times", value) == off
        ):
            message = f"'{key}: {off}': the node is never ticked"
            help = f"remove '{key}', or write how often: 1 is once, -1 without limit"
        else:
            continue
        yield Diagnostic(CODE, "error", at.span(key), message, help)
