"""What `retry` and `repeat` have in common: how often a node begins again, and the pauses between.

A count alone is BehaviorTree.CPP's: a node that was not running and ends begins again in the next
tick. The count may be computed (`$n`, `= n + 1`): once a round, as that begins.
`{times, every, backoff}` pauses: the next attempt begins `every` seconds after the end of the
one before, `backoff` times as long after each, an hour at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import ConfigDict, Discriminator, Field, Tag

from treec.files.fields import Duration, Model, NumberValue
from treec.files.node_spec import Data, XmlWriter
from treec.nodes.base import Modifier, Status, WakeUp
from treec.source.errors import LocatedError
from treec.source.values import is_reference, resolve

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace
    from treec.world.clock import Clock

LONGEST = 3600.0
"""Seconds that a pause takes at most."""


Count = Annotated[
    Annotated[NumberValue, Tag("value")] | Annotated[int, Field(ge=-1), Tag("number")],
    Discriminator(lambda data: "value" if isinstance(data, str) else "number"),
]
"""A number of times, or a value that is one."""


class Times(Model):
    """How often, and the pauses between."""

    model_config = ConfigDict(defer_build=False)  # each type of nodes has it, and makes it anew

    times: Count = Field(-1, description="How often at most; -1, the default: unlimited.")
    every: Annotated[Duration, Field(gt=0)] = Field(description="The pause before the next.")
    backoff: float = Field(1.0, ge=1, le=100, description="The next pause is so often as long.")


HowOften = Annotated[
    Annotated[Times, Tag("mapping")] | Annotated[Count, Tag("count")],
    Discriminator(lambda data: "mapping" if isinstance(data, Mapping | Times) else "count"),
]
"""A number of times, or a mapping with pauses."""


class Again(Modifier):
    """Begins its node again; subclasses say after what, and call :meth:`begin_pause`."""

    ends: ClassVar[str]
    """The status after the last time."""

    def __init__(self, name: str, limit: int, child: Behaviour) -> None:
        super().__init__(name, child)
        self.limit = limit
        self.count = 0
        self._was_running = False
        self.every: float | None = None
        self.backoff = 1.0
        self.clock: Clock | None = None
        self._pause: WakeUp | None = None
        self.count_now: Callable[[], int | None] | None = None
        """Computes the limit, if it is none of the file's; None if it is no count."""

    def begin(self) -> Behaviour | None:
        """Begin the node, unless a pause is not over."""
        if self.status is not Status.RUNNING:
            self.initialise()
            limit = self.limit if self.count_now is None else self.count_now()
            if limit is None:
                self.feedback_message = "not a number of times"
                self.stop(Status.FAILURE)
                return None
            self.limit = limit
        return None if self.is_pausing else self.next()

    def next(self) -> Behaviour | None:
        """Begin the node again, if it was not the last time."""
        if self.count == self.limit:
            self.stop(Status[self.ends])
            return None
        self._was_running = self.decorated.status is Status.RUNNING
        return self.decorated

    def paced(self, every: float, backoff: float, clock: Clock) -> None:
        """Pause after each time."""
        self.every, self.backoff = every, backoff
        self.on_clock(clock)

    def on_clock(self, clock: Clock) -> None:
        """Pause by a clock."""
        self.clock, self._pause = clock, WakeUp(clock, self.alarm)

    def begin_pause(self, seconds: float) -> None:
        """Do not begin again before so many seconds have passed; the clock requests that tick."""
        assert self.clock is not None
        assert self._pause is not None
        self._pause.set(self.clock.now() + seconds)
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
        if self._pause is None or self._pause.due is None:
            return False
        if not self._pause.is_due:
            return True
        self.end_pause()
        return False

    def end_pause(self) -> None:
        """Let it begin again."""
        if self._pause is not None:
            self._pause.cancel()

    def alarm(self) -> None:
        """Request the tick in which it begins again."""
        self.wake()

    @property
    def memory(self) -> object:
        """How often it has ended in this round, and until when it pauses."""
        due = None if self._pause is None else self._pause.due
        kept: dict[str, object] = {} if due is None else {"due": due}
        if self.count_now is not None and self.status is Status.RUNNING:
            kept["limit"] = self.limit
        return {"count": self.count, **kept} if kept else self.count or None

    def recall(self, memory: object) -> bool:
        """Go on after so many."""
        if memory is None:  # the first one
            return True
        due = memory.get("due") if isinstance(memory, Mapping) else None
        if isinstance(memory, Mapping) and isinstance(memory.get("limit"), int):
            self.limit = memory["limit"]
        count = memory.get("count") if isinstance(memory, Mapping) else memory
        if not isinstance(count, int) or count < 0 or count == self.limit:
            return False
        self.count = count
        if isinstance(due, int | float) and self._pause is not None:
            self._pause.set(due)
        return True

    @property
    def rounds(self) -> int:
        """The times at one instant, if they are limited."""
        return 1 if self.every is not None else max(1, self.limit)

    def terminate(self, new_status: Status) -> None:
        """Forget how often, and end the pause."""
        self.count = 0
        self.end_pause()


def limit_of(value: Times | int | str) -> int:
    """How often at most; 1 if that is computed."""
    times: Any = value.times if isinstance(value, Times) else value
    return 1 if isinstance(times, str) else times


def build(at: NodePlace, value: Times | int | str, made: Again) -> Again:
    """The modifier, with the pauses and the count that its value says."""
    times: Any = value
    if isinstance(value, Times):
        made.paced(value.every, value.backoff, at.clock)
        times = value.times

    def count_now() -> int | None:
        try:
            number = resolve(times, at.frame)
        except LocatedError as error:
            at.report_failure(f"{times}: {error.message}")
            return None
        match number:
            case int() | float() if number is not True and number >= -1 and number % 1 == 0:
                return int(number)
        at.report_failure(f"{times}: {number!r} is not a number of times: -1, 0 or more")
        return None

    if isinstance(times, str):
        made.count_now = count_now
    return made


def shows(key: str, value: Times | int | str) -> str:
    """Its words in a picture."""
    if not isinstance(value, Times):
        return f"{key} {value}"
    times = f" {value.times}" if value.times != -1 else ""
    backoff = f" × {value.backoff:g}" if value.backoff != 1 else ""
    return f"{key}{times} every {value.every:g} s{backoff}"


def write_own(key: str) -> Any:
    """How it is written as XML with pauses and computed counts: other programs have none."""

    def write(data: Data, to: XmlWriter) -> Any:
        value = data[key]
        is_entry = is_reference(value) and "." not in value and to.target == "btcpp"
        if isinstance(value, Mapping) or (isinstance(value, str) and not is_entry):
            return to.added(key, {"value": value})
        return None

    return write
