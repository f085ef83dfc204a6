"""`then: repeat`: starts a tree again whenever it has ended.

SUCCESS: never.

FAILURE: never.

RUNNING: always. After SUCCESS or FAILURE the tree is started again in the next tick, which is
requested at once.

Memory: none of its own.

Halting: when halted, the running tree is halted. It never halts the tree of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.node_spec import Spec
from treec.nodes.base import Modifier, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour


class ThenRepeat(Modifier):
    """Repeats without end."""

    def __init__(self, name: str, child: Behaviour) -> None:
        super().__init__(name, child)

    def after(self, child: Behaviour) -> Behaviour | None:
        """Request another tick if the tree has ended."""
        if child.status is not Status.RUNNING:
            self.wake()
        self.status = Status.RUNNING
        return None


SPEC = Spec(key="then", resume="child", swap="open")
