"""Lets the rules decide where a run would come to rest because of a model's answer.

A model that answers "wait" once, or only asks or says something, can end the work for good: nothing
changes any more, so nobody is asked again. So while nobody is at work, no answer is on its way, and
the rules would do more than a model's last answer, a timer runs. After some seconds of this the
rules decide at that node and those above, of whatever system it is, with an `overruled` record. An
option that is RUNNING may wait for its time: it is left alone while any timer runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treec.nodes.runtime import Runtime
from treec.nodes.work_log import is_at_or_below
from treec.run.loop import Loop
from treec.world.clock import Timer
from treec_asking.asking import AskingNode


class RestWatch:
    """Looks after each tick whether the run is at rest though the rules would act."""

    def __init__(self, loop: Loop, runtime: Runtime) -> None:
        self._loop = loop
        self._runtime = runtime
        self._trees = -1
        self._nodes: Sequence[AskingNode[Any]] = ()
        self._timer: Timer | None = None
        self._rests: tuple[str, float] | None = None

    def look(self) -> None:
        """Set or cancel the timer."""
        node = self._find()
        rests = None if node is None else (node.path, node.falls_short())
        if rests == self._rests:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._rests, self._timer = rests, None
        if rests is not None:
            clock = self._runtime.clock
            self._timer = clock.call_at(clock.now() + rests[1], self._decide)

    def _decide(self) -> None:
        self._timer = self._rests = None
        node = self._find()
        if node is None:
            return
        node.give_way()
        for other in self._nodes:
            if is_at_or_below(node.path, other.path) and other is not node:
                other.follow_below()
        self._runtime.wake()

    def _find(self) -> AskingNode[Any] | None:
        """The topmost node whose model's answer falls short; None if the run is not at rest."""
        if self._trees != self._loop.trees:
            self._trees = self._loop.trees
            nodes = [node for node in self._loop.root.iterate() if isinstance(node, AskingNode)]
            self._nodes = nodes[::-1]  # a tree is gone through from below
        if self._runtime.is_at_work or any(node.exchange is not None for node in self._nodes):
            return None
        found = next((node for node in self._nodes if node.falls_short()), None)
        if found is not None and found.goes_on and self._timer is None:
            return found if self._runtime.clock.next_due() is None else None
        return found
