"""`on_halted`: a handler that runs when the node is halted while it is RUNNING.

SUCCESS: the node returned SUCCESS.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING.

Memory: none.

Halting: when halted, the running node is halted, and then the handler is ticked once: one that is
RUNNING then is halted at once, so write what ends in the tick (`set`, `log`, conditions). It does
not run when the node ends by itself, or was not running.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class OnHalted(Control):
    """A node, and what is done when it is halted."""

    def __init__(self, name: str, child: Behaviour, handler: Behaviour) -> None:
        super().__init__(name, [child, handler])
        self.child = child
        self.handler = handler

    def begin(self) -> Behaviour | None:
        """Tick the node."""
        if self.status is not Status.RUNNING:
            self.initialise()
        self.current_child = self.child
        return self.child

    def stop(self, new_status: Status) -> None:  # type: ignore[override]  # no default
        """Halt the node, then run the handler if it was running."""
        halted = self.child.status is Status.RUNNING
        super().stop(new_status)
        if halted:
            self.handler.tick_once()
            self.handler.stop(Status.INVALID)

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Tick the new ones."""
        self.child = by.get(self.child, self.child)
        self.handler = by.get(self.handler, self.handler)


def build(at: NodePlace, value: object, child: Behaviour) -> Behaviour:
    """The node and its handler."""
    return OnHalted(child.name, child, at.branch(value, "on_halted"))


MODIFIER = ModifierSpec(
    key="on_halted",
    order=140,
    type="Node | None",
    field=Field(None, description="Run in the tick in which the node is halted while RUNNING."),
    build=build,
    resume="child",
    swap="open",
    shows=lambda value: "",
    drawing=Drawing("modifier", icon="M9.5 1.5L4 9H8L6.5 14.5L12 7H8ZM2 14.5H14"),
    xml=Xml(script="_onHalted"),
)
