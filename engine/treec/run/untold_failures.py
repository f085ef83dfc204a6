"""Tells people of work that failed, where nothing else does.

A failure is usually told by what comes of it: the subtask is proposed anew ("that did not work;
shall R1 try again?"), given to somebody, or dropped, or an action of the system speaks of it. Where
all robots and people are busy, or it has failed too often to be proposed again, nobody would hear
of it. So a second after a failure, if none of this has happened and no answer of a model is on its
way, treec says the sentence `failed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from treec.nodes.asked import Asks
from treec.nodes.runtime import Runtime
from treec.run.loop import Loop
from treec.source.scope import MappingScope
from treec.team.entities import Subtask
from treec.team.events import (
    Assigned,
    Proposed,
    Said,
    SubtaskDone,
    SubtaskDropped,
    SubtaskFailed,
    SubtaskReleased,
)
from treec.team.sentences import sentence
from treec.world.clock import Timer
from treec.world.events import flat
from treec.world.journal import Record

WAIT = 1.0
"""Seconds in which the system itself may speak of a failure."""
BY = "team"


class UntoldFailures:
    """Listens to a run's records, and speaks of failures that nobody has told.

    ``records`` are those of a run that is resumed: what was still to be told then, is told now.
    """

    def __init__(self, loop: Loop, runtime: Runtime, records: Sequence[Record] = ()) -> None:
        self._loop = loop
        self._runtime = runtime
        self._untold: dict[str, None] = {}
        self._timer: Timer | None = None
        last = takewhile(lambda it: it.t >= records[-1].t - WAIT, reversed(records))
        for record in reversed([*last]):
            self._take(record)
        self._wait()
        runtime.world.subscribe(self._on_record)

    def _on_record(self, record: Record) -> None:
        self._take(record)
        self._wait()

    def _wait(self) -> None:
        """Set or cancel the timer."""
        if not (self._untold or self._timer):
            return
        people = (agent.person for agent in self._runtime.team.now.agents.values())
        if self._untold and self._timer is None and any(people):
            clock = self._runtime.clock
            self._timer = clock.call_at(clock.now() + WAIT, self._tell)
        elif not self._untold and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take(self, record: Record) -> None:
        for event in flat(record.event):
            match event:
                case SubtaskFailed(subtask):
                    self._untold[subtask] = None
                case Proposed(subtask=subtask) | SubtaskDone(subtask):
                    self._untold.pop(subtask, None)
                case Assigned(_, subtasks) | SubtaskDropped(subtasks) | SubtaskReleased(subtasks):
                    self._forget(subtasks)
                case Said("assistant", text):
                    self._forget([it for it in self._untold if _speaks_of(text, self._work(it))])

    def _forget(self, subtasks: Iterable[str]) -> None:
        for subtask in subtasks:
            self._untold.pop(subtask, None)

    def _work(self, subtask: str) -> Subtask:
        return self._runtime.team.now.subtasks[subtask]

    def _tell(self) -> None:
        self._timer = None
        now, runtime = self._runtime.team.now, self._runtime
        asking = (node for node in self._loop.root.iterate() if isinstance(node, Asks))
        if any(node.exchange is not None for node in asking):
            self._wait()
            return
        failed = [s for it in self._untold if (s := now.subtasks[it]).status == "failed"]
        self._untold.clear()
        text = sentence(runtime.view, "failed")
        if text is not None and failed:
            told = (text.render(MappingScope({"subtask": s, "reason": s.told})) for s in failed)
            runtime.say(" ".join(told), BY)
        runtime.wake()


def _speaks_of(text: str, subtask: Subtask) -> bool:
    """Whether something that was said names the work or the reason why it failed."""
    names = (subtask.words, subtask.id, subtask.told)
    return any(name and name.lower() in text.lower() for name in names)
