"""`skip_unless`: the node is skipped whenever a condition does not hold, also while it is running.

What is skipped has no status, and the node above goes on as if it were not there: see `skip_if`.
This is BehaviorTree.CPP's `_while`; with `while` the node fails.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the condition is true and the node returned RUNNING.

A condition that cannot be evaluated counts as false. A node that has ended by then, since the last
of its skills or waits has, keeps its result.

Memory: none. The condition is evaluated before every tick of the node, including the first.

Halting: when the condition is false, the running node is halted in that tick. When halted, the
running node is halted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Expr
from treec.files.node_spec import Drawing, ModifierSpec, Xml
from treec.nodes.guards import LastingGuard

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class SkipUnless(LastingGuard):
    """A condition without which it is skipped."""

    otherwise = "INVALID"
    words = "skipped"


def build(at: NodePlace, value: str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return SkipUnless(child.name, at.condition(value), child)


MODIFIER = ModifierSpec(
    key="skip_unless",
    order=28,
    type=Expr | None,
    field=Field(None, description="False: the node is stopped this tick, and skipped."),
    build=build,
    off=False,
    changes=True,
    resume="child",
    swap="open",
    drawing=Drawing("modifier", icon="M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7"),
    xml=Xml(condition="_while"),
)
