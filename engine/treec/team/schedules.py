"""Schedules of subtasks, made by events of extensions; charts and reports of a run show them."""

from __future__ import annotations

from treec.frozen import frozen
from treec.world.events import Event


@frozen
class ScheduledSpan:
    """A subtask as it is scheduled: by which agents, from when to when in seconds of the run."""

    subtask: str
    agents: tuple[str, ...]
    start: float
    end: float


@frozen
class Schedule:
    """How the subtasks of a task are expected to go, and who made it: a model, ``offline``."""

    task: str
    by: str
    spans: tuple[ScheduledSpan, ...] = ()


class ScheduleMade(Event):
    """The base class of events by which a schedule comes into force; the last one counts."""

    __slots__ = ()

    @property
    def schedule(self) -> Schedule:
        """The schedule. A subclass must define it."""
        raise NotImplementedError
