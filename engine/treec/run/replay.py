"""Moments of a run as people write them, and the state of the run at a moment."""

from __future__ import annotations

from collections.abc import Iterable

from treec.frozen import frozen
from treec.run.events import Ticked
from treec.run.state import RunState
from treec.world.journal import Record


class ReplayMomentError(ValueError):
    """A text that is not a moment of a run."""


@frozen
class ReplayMoment:
    """A moment: a time in seconds, or the number of a tick."""

    t: float = 0.0
    tick: int | None = None

    def past(self, state: RunState, next: Record) -> bool:
        """Whether the next record is after this moment."""
        if self.tick is None:
            return next.t > self.t + 1e-9
        return state.tick >= self.tick

    def at(self, state: RunState, next: Record) -> bool:
        """Whether the next record belongs to this moment."""
        if self.tick is None:
            return abs(next.t - self.t) <= 1e-9
        return isinstance(next.event, Ticked) and next.event.tick == self.tick


def moment(text: str) -> ReplayMoment:
    """Parse `12.5`, `12.5s`, `1:05`, `1:02:05`, `#14` (a tick) or `end`.

    Raises ReplayMomentError.
    """
    value = text.strip().lower()
    if value == "end":
        return ReplayMoment(float("inf"))
    try:
        if value.startswith("#"):
            return ReplayMoment(tick=_parse_number(value[1:]))
        parts = value.removesuffix("s").split(":")
        seconds = float(parts[-1])
        whole = [_parse_number(part) for part in parts[:-1]]
        if not 0 <= seconds < (60 if whole else float("inf")) or len(whole) > 2:
            raise ValueError
    except ValueError:
        why = f"'{text}' is not a moment: write seconds (12.5), minutes (1:05), a tick (#14) or end"
        raise ReplayMomentError(why) from None
    for place, part in enumerate(reversed(whole), 1):
        seconds += part * 60**place
    return ReplayMoment(seconds)


def state_at(
    records: Iterable[Record], moment: ReplayMoment, state: RunState | None = None
) -> RunState:
    """The state of a run at a moment, after all records of that moment.

    ``state`` is one before the moment, which is changed, and ``records`` those that follow it.
    """
    state = RunState() if state is None else state
    for record in records:
        if moment.past(state, record):
            break
        state.take(record)
    return state


def _parse_number(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError(text)
    return int(text)
