"""The events of an extension for doors."""

from __future__ import annotations

from dataclasses import dataclass

from treec.world.events import Event, event
from treec.world.journal import Record
from treec.world.state import State


@event("door.opened")
@dataclass(frozen=True, slots=True)
class DoorOpened(Event):
    """A robot opened a door."""

    door: str
    agent: str | None = None

    def change(self, state: State, record: Record) -> None:
        """Count it."""
        state["doors"] = (*state["doors"], self.door)
