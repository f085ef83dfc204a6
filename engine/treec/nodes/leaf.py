"""Base class of leaves that use the world: path, runtime, scope, and failing with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.nodes.base import Leaf, Status
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import Scope
from treec.world.refusal import EventRefused

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime
    from treec.world.failures import Failure


def as_data(why: Failure | str) -> Failure:
    """The reason of a failure as data."""
    from treec.world.failures import Reported  # a check of the files makes none

    return Reported(why) if isinstance(why, str) else why


class NodeError(Exception):
    """A node's failure with its reason: as text, with the place in the files, and as data."""

    def __init__(self, why: Failure | str) -> None:
        super().__init__(str(why))
        self.failure = as_data(why)


class WorldLeaf(Leaf):
    """A leaf in a running world; errors in its files or data become FAILURE with a reason.

    ``failure`` is the reason as data, or None; ``feedback_message`` is its text.
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
        """Do the leaf's work at a tick."""
        raise NotImplementedError

    def fail(self, why: Failure | str, module: str = "") -> Status:
        """Return FAILURE and record the reason for `on_failure` and the journal.

        ``module`` is the module that failed, if it is not the node's own.
        """
        self.failure = as_data(why)
        self.feedback_message = str(why)
        self.runtime.record_node_failure(self.path, str(why), module or type(self).__module__)
        return Status.FAILURE

    def initialise(self) -> None:
        """Clear the reason of the last round."""
        self.feedback_message = ""
        self.failure = None
