"""`on_success`: a handler that runs when the node succeeds; the result remains SUCCESS.

SUCCESS: the node returned SUCCESS and the handler has finished, with SUCCESS or FAILURE alike.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING; or it succeeded and the handler returned RUNNING. The handler
starts in the tick in which the node succeeded.

The handler does not run when the node is skipped, or when `succeed_if` on the same node made it
succeed, since that is applied outside.

Memory: whether the handler is running; while it is, the node is not ticked.

Halting: when halted, whichever of the two is running is halted; a halted handler is not resumed. It
never halts either by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml
from treec.nodes.modifiers.on_failure import Handled

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class OnSuccess(Handled):
    """A node, and what is done when it has succeeded."""

    handles = "SUCCESS"


def build(at: NodePlace, value: object, child: Behaviour) -> Behaviour:
    """The node and its handler."""
    return OnSuccess(child.name, child, at.branch(value, "on_success"))


MODIFIER = ModifierSpec(
    key="on_success",
    order=45,
    type="Node | None",
    field=Field(None, description="Run after the node's SUCCESS; the result stays SUCCESS."),
    build=build,
    resume="child",
    shows=lambda value: "",
    drawing=Drawing("modifier", icon="M9.5 1.5L4 9H8L6.5 14.5L12 7H8ZM2 12L4 14L7 11"),
    xml=Xml(script="_onSuccess"),
)
