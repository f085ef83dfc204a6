"""`retry`: the node again after a FAILURE, up to a number of attempts.

SUCCESS: the node returned SUCCESS.

FAILURE: the node has returned FAILURE `attempts` times in this round; at once if `attempts` is 0.
-1 means without limit. Also if a skill failed since its subtask was dropped or its environment is
lost, or since a contract forbids it: another attempt cannot succeed.

RUNNING: the node returned RUNNING; or a node that was not running returned FAILURE and attempts
are left: the next attempt then starts in the next tick, which is requested at once
(BehaviorTree.CPP's wake-up rule). A node that had been running and returns FAILURE starts its next
attempt in the same tick.

Memory: the failed attempts of this round. SUCCESS, FAILURE and a halt reset them.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.base import Modifier, Status
from treec.nodes.modifiers.on_failure import is_final

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class Retry(Modifier):
    """BehaviorTree.CPP's RetryUntilSuccessful."""

    def __init__(self, name: str, attempts: int, child: Behaviour) -> None:
        super().__init__(name, child)
        if attempts < -1:
            raise ValueError(f"attempts are -1 (no limit), 0 or more, not {attempts}")
        self.attempts = attempts
        self.failures = 0

    def tick(self) -> Iterator[Behaviour]:
        """Run an attempt, and further ones as far as the wake-up rule allows."""
        if self.status is not Status.RUNNING:
            self.initialise()
        child = self.decorated
        while self.failures != self.attempts:
            was_running = child.status is Status.RUNNING
            yield from child.tick()
            status = child.status
            if status is not Status.FAILURE:
                self.finish(status)
                yield self
                return
            self.failures += 1
            if is_final(child):
                break
            if not was_running and self.failures != self.attempts:
                self.wake()
                self.status = Status.RUNNING
                yield self
                return
        self.stop(Status.FAILURE)
        yield self

    @property
    def memory(self) -> object:
        """The number of failed attempts of this round."""
        return self.failures or None

    def recall(self, memory: object) -> bool:
        """Go on after so many."""
        if memory is None:  # the first one
            return True
        if not isinstance(memory, int) or memory < 0 or memory == self.attempts:
            return False
        self.failures = memory
        return True

    @property
    def rounds(self) -> int:
        """The attempts, if they are limited."""
        return max(1, self.attempts)

    def terminate(self, new_status: Status) -> None:
        """Forget the attempts."""
        self.failures = 0


def build(at: NodePlace, value: int, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return Retry(child.name, value, child)


MODIFIER = ModifierSpec(
    key="retry",
    order=60,
    type=int | None,
    field=Field(None, ge=-1, description="Attempts until SUCCESS; -1: unlimited."),
    build=build,
    endless=-1,
    off=0,
    resume="place",
    swap="open",
    drawing=Drawing("modifier", "↺", "M2.8 8A5.2 5.2 0 1 0 5.4 3.5M5.2 .8V3.7H8.3"),
    xml=Xml(
        tags=(
            XmlTag("RetryUntilSuccessful", ("btcpp",), value="num_attempts"),
            XmlTag("RetryUntilSuccesful", (), value="num_attempts"),
            XmlTag("Retry", ("py_trees",), value="num_failures", least=0),
        )
    ),
)
