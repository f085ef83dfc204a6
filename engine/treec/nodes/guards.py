"""What guards of a node have in common: a condition, and what the node is without a tick."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from treec.nodes.base import Condition, Modifier, Status, ended_last

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour


class NodeGuard(Modifier):
    """Has a status of its own instead of starting a round, if a condition holds."""

    otherwise: ClassVar[str]
    """That status; INVALID is skipped."""
    words: ClassVar[str]

    def __init__(self, name: str, condition: Condition, child: Behaviour) -> None:
        super().__init__(name, child)
        self.condition = condition

    def begin(self) -> Behaviour | None:
        """Tick the node, unless the condition holds as a round begins."""
        if self.status is not Status.RUNNING:
            self.initialise()
            if self.condition():
                self.feedback_message = self.words
                self.stop(Status[self.otherwise])
                return None
            self.feedback_message = ""
        return self.decorated


class LastingGuard(NodeGuard):
    """A condition that is evaluated before every tick, and has to hold."""

    def begin(self) -> Behaviour | None:
        """Tick the node if the condition holds; stop it if not."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.feedback_message = ""
        if self.condition():
            return self.decorated
        has_ended = self.status is Status.RUNNING and ended_last(self.decorated)
        self.end(self.words, has_ended, Status[self.otherwise])
        return None
