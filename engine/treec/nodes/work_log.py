"""Which nodes changed more than the talk, and when."""

from __future__ import annotations

from treec.nodes.events import SkillEnded, SkillStarted
from treec.team.events import ActsRead, ActsSettled, Proposed, Said, SubtaskAdded, SubtaskWaits
from treec.world.events import Event, StateSet, flat
from treec.world.journal import Record

_TALK = (Said, ActsRead, ActsSettled, Proposed, SubtaskAdded, SubtaskWaits)
"""What changes nothing but what people and robots talk about."""


def is_work(event: Event) -> bool:
    """Whether an event changes more than the talk."""
    if isinstance(event, _TALK):
        return False
    return isinstance(event, SkillStarted) or type(event).change is not Event.change


def is_at_or_below(path: str, top: str) -> bool:
    """Whether a node's path is that of another node, or of one below it."""
    return path == top or path.startswith(f"{top}/")


class WorkLog:
    """The last work of each node, and of each order in flight."""

    def __init__(self) -> None:
        self._latest = 0
        self._last: dict[str, int] = {}
        self._values: dict[str, object] = {}

    def follow(self, record: Record) -> None:
        """Take a record into account."""
        if sum(self._is_new(event) for event in flat(record.event)):  # all are taken note of
            self._latest = self._last[record.by] = record.n
        if isinstance(record.event, SkillEnded):  # no more comes from its order
            self._last.pop(record.event.id or "", None)

    def _is_new(self, event: Event) -> bool:
        if not isinstance(event, StateSet):
            return is_work(event)
        known = event.name in self._values and self._values[event.name] == event.value
        self._values[event.name] = event.value
        return not known  # to set the same value again is no work

    def since(self, version: int, path: str | None = None) -> bool:
        """Whether there was work after a version; with a path, by its node or one below it."""
        if path is None:
            return self._latest > version
        return any(n > version and is_at_or_below(by, path) for by, n in self._last.items())
