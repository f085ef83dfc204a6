"""The events of an extension for doors, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from treec.team.schedules import Schedule, ScheduledSpan, ScheduleMade
from treec.world.events import Event, EventText, event
from treec.world.journal import Record
from treec.world.state import State


@dataclass(frozen=True, slots=True)
class DoorState:
    """A door: how often it was opened, and by whom last."""

    opened: int = 0
    by: str = ""


@event("door.opened")
@dataclass(frozen=True, slots=True)
class DoorOpened(Event):
    """A robot opened a door."""

    door: str
    agent: str | None = None

    def change(self, state: State, record: Record) -> None:
        """Count it."""
        doors: Mapping[str, DoorState] = state["doors"]
        door = doors.get(self.door, DoorState())
        opened = replace(door, opened=door.opened + 1, by=self.agent or "")
        state["doors"] = MappingProxyType({**doors, self.door: opened})

    def describe(self) -> EventText:
        """Which door is open."""
        return EventText(f"the {self.door} is open", "warning", "main/door", f"at {self.door}")


@event("doors.assigned")
@dataclass(frozen=True, slots=True)
class DoorsAssigned(ScheduleMade):
    """Each robot is to open a door, one after the other, for ten seconds each."""

    doors: Mapping[str, str]

    @property
    def schedule(self) -> Schedule:
        """Ten seconds a door."""
        spans = (
            ScheduledSpan(door, (agent,), 10.0 * number, 10.0 * (number + 1))
            for number, (door, agent) in enumerate(self.doors.items())
        )
        return Schedule("open the doors", "hand", tuple(spans))
