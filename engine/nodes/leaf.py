"""What leaves that look at the world share: a path, a runtime, a scope, and failing with words."""

from __future__ import annotations

from py_trees.common import Status

from treec.nodes.base import Leaf
from treec.nodes.runtime import NodeError, Runtime
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import Scope
from treec.world.events import EventRefused
from treec.world.failures import Failure, Reported


class WorldLeaf(Leaf):
    """A leaf in a running world. What it cannot do is a FAILURE with a reason, not a crash.

    ``failure`` is the reason as data, None while there is none; ``feedback_message`` has its words.
    """

    def __init__(self, name: str, runtime: Runtime, scope: Scope) -> None:
        super().__init__(name)
        self.path = name
        self.runtime = runtime
        self.scope = scope
        self.failure: Failure | None = None

    def update(self) -> Status:
        """Do the leaf's work; an error in its files or its data is a FAILURE."""
        try:
            return self.work()
        except NodeError as error:
            return self.fail(error.failure)
        except (LocatedError, EvaluationProblem, EventRefused) as error:
            return self.fail(str(error))

    def work(self) -> Status:
        """What the leaf does at a tick."""
        raise NotImplementedError

    def fail(self, why: Failure | str, module: str = "") -> Status:
        """FAILURE, with the reason where `on_failure` and the journal find it.

        The module is the node's own, unless something that it uses has failed.
        """
        self.failure = Reported(why) if isinstance(why, str) else why
        self.feedback_message = str(why)
        self.runtime.node_failed(self.path, str(why), module or type(self).__module__)
        return Status.FAILURE

    def initialise(self) -> None:
        """A new round has no reason yet."""
        self.feedback_message = ""
        self.failure = None
