"""What leaves that look at the world share: a path, a runtime, a scope, and failing with words."""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.base import Leaf
from treec.nodes.runtime import NodeError, Runtime
from treec.source.errors import LocatedError, Problem
from treec.source.scope import Scope
from treec.world.events import Refused


class WorldLeaf(Leaf):
    """A leaf in a running world. What it cannot do is a FAILURE with a reason, not a crash."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope) -> None:
        super().__init__(name)
        self.path = name
        self.runtime = runtime
        self.scope = scope

    def update(self) -> Status:
        """Do the leaf's work; an error in its files or its data is a FAILURE."""
        try:
            return self.work()
        except (LocatedError, Problem, NodeError, Refused) as error:
            return self.fail(str(error))

    def work(self) -> Status:
        """What the leaf does at a tick."""
        raise NotImplementedError

    def fail(self, reason: str, module: str = "") -> Status:
        """FAILURE, with the reason where `on_failure` and the journal find it.

        The module is the node's own, unless something that it uses has failed.
        """
        self.feedback_message = reason
        self.runtime.node_failed(self.path, reason, module or type(self).__module__)
        return Status.FAILURE

    def initialise(self) -> None:
        """A new round has no reason yet."""
        self.feedback_message = ""
