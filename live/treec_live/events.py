"""What the journal tells of somebody who holds a run."""

from __future__ import annotations

from treec.frozen import frozen
from treec.world.events import Event, EventText, event


@event("debugged")
@frozen
class Debugged(Event):
    """Somebody has held the run, let it go on, or said yes or no.

    ``did`` is pause, paused, step, go on, pause at, approve, yes, no or replaced; ``about`` the
    nodes, with the status that one has in the place of its own, the skill or the actions.
    """

    did: str
    about: str = ""

    def describe(self) -> EventText:
        """What was done."""
        return EventText(f"debugging: {self.did} {self.about}".rstrip(), "warning")
