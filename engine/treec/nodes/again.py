"""What `retry` and `repeat` have in common: how often a node begins again, and the pauses between.

A count alone is BehaviorTree.CPP's: a node that was not running and ends begins again in the next
tick. `{times, every, backoff}` pauses: the next attempt begins `every` seconds after the end of the
one before, `backoff` times as long after each, an hour at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Discriminator, Field, Tag

from treec.files.fields import Duration, Model
from treec.files.node_spec import Data, XmlWriter
from treec.nodes.base import Modifier, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock, Timer

LONGEST = 3600.0
"""Seconds that a pause takes at most."""


class Times(Model):
    """How often, and the pauses between."""

    times: int = Field(-1, ge=-1, description="How often at most; -1, the default: unlimited.")
    every: Annotated[Duration, Field(gt=0)] = Field(description="The pause before the next.")
    backoff: float = Field(1.0, ge=1, le=100, description="The next pause is so often as long.")


HowOften = Annotated[
    Annotated[Times, Tag("mapping")] | Annotated[int, Field(ge=-1), Tag("number")],
    Discriminator(lambda data: "mapping" if isinstance(data, Mapping | Times) else "number"),
]
"""A number of times, or a mapping with pauses."""


class Again(Modifier):
    """Begins its node again; subclasses say after what, and call :meth:`begin_pause`."""

    def __init__(self, name: str, limit: int, child: Behaviour) -> None:
        super().__init__(name, child)
        self.limit = limit
        self.count = 0
        self._was_running = False
        self.every: float | None = None
        self.backoff = 1.0
        self.clock: Clock | None = None
        self._due: float | None = None
        self._timer: Timer | None = None

    def paced(self, every: float, backoff: float, clock: Clock) -> None:
        """Pause after each time."""
        self.every, self.backoff, self.clock = every, backoff, clock

    def begin_pause(self, seconds: float) -> None:
        """Do not begin again before so many seconds have passed; the clock requests that tick."""
        assert self.clock is not None
        self._set_due(self.clock.now() + seconds)
        self.status = Status.RUNNING

    def begin_next_pause(self) -> bool:
        """Begin the pause that the file says; false if it says none."""
        if self.every is None:
            return False
        factor = self.backoff ** min(self.count - 1, 60)
        self.begin_pause(min(LONGEST, self.every * factor))
        return True

    @property
    def is_pausing(self) -> bool:
        """Whether the pause is not over yet."""
        if self._due is None or self.clock is None:
            return False
        if self.clock.now() < self._due:
            return True
        self.end_pause()
        return False

    def end_pause(self) -> None:
        """Let it begin again."""
        if self._timer is not None:
            self._timer.cancel()
        self._due = self._timer = None

    def _set_due(self, due: float) -> None:
        assert self.clock is not None
        self.end_pause()
        self._due, self._timer = due, self.clock.call_at(due, self.alarm)

    def alarm(self) -> None:
        """Request the tick in which it begins again."""
        self.wake()

    @property
    def memory(self) -> object:
        """How often it has ended in this round, and until when it pauses."""
        if self._due is not None:
            return {"count": self.count, "due": self._due}
        return self.count or None

    def recall(self, memory: object) -> bool:
        """Go on after so many."""
        if memory is None:  # the first one
            return True
        due = memory.get("due") if isinstance(memory, Mapping) else None
        count = memory.get("count") if isinstance(memory, Mapping) else memory
        if not isinstance(count, int) or count < 0 or count == self.limit:
            return False
        self.count = count
        if isinstance(due, int | float) and self.clock is not None:
            self._set_due(due)
        return True

    @property
    def rounds(self) -> int:
        """The times at one instant, if they are limited."""
        return 1 if self.every is not None else max(1, self.limit)

    def terminate(self, new_status: Status) -> None:
        """Forget how often, and end the pause."""
        self.count = 0
        self.end_pause()


def limit_of(value: Times | int) -> int:
    """How often at most."""
    return value.times if isinstance(value, Times) else value


def build(at: NodePlace, value: Times | int, made: Again) -> Again:
    """The modifier, with the pauses that its value says."""
    if isinstance(value, Times):
        made.paced(value.every, value.backoff, at.clock)
    return made


def shows(key: str, value: Times | int) -> str:
    """Its words in a picture."""
    if not isinstance(value, Times):
        return f"{key} {value}"
    times = f" {value.times}" if value.times != -1 else ""
    backoff = f" × {value.backoff:g}" if value.backoff != 1 else ""
    return f"{key}{times} every {value.every:g} s{backoff}"


def write_pauses(key: str) -> Any:
    """How it is written as XML with pauses: other programs have none."""

    def write(data: Data, to: XmlWriter) -> Any:
        return to.added(key, {"value": data[key]}) if isinstance(data[key], Mapping) else None

    return write
