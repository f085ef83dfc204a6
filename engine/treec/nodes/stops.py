"""Stops of code of others: each has its second, and whoever does not confirm is named.

`cancel` of workers, `terminate` and `shutdown` of node classes, `close` of environments and
providers are called here, in time. What does not return, or raises, is an alarm in the journal and
is remembered until it confirms after all, so that nobody is told that it has stopped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from treec.foreign import ForeignError, guarded, is_foreign
from treec.frozen import frozen
from treec.nodes.events import StopUnconfirmed
from treec.nodes.foreign import failure_of_stop
from treec.world.bounded import BoundedCall, NotInTime

if TYPE_CHECKING:
    from treec.world.world import World

T = TypeVar("T")
_log = logging.getLogger("treec.stops")


@frozen
class Closing:
    """Something to close, in words, and the real seconds that it may take."""

    what: str
    close: Callable[[], None]
    module: str
    seconds: float | None = None


@frozen
class Missed:
    """A stop that was not confirmed, and the call that has not returned yet, if that is why."""

    event: StopUnconfirmed
    call: BoundedCall[Any] | None

    @property
    def is_open(self) -> bool:
        """Whether it is unconfirmed still; a call that returned late has confirmed."""
        return self.call is None or self.call.status != "ok"


class Stops:
    """The stops of a run that were not confirmed, by what was to stop."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._missed: dict[str, Missed] = {}

    def call(self, what: str, function: Callable[[], T], module: str) -> T:
        """Call what stops something, in time if it is foreign.

        Raises ForeignError and NotInTime; what it is to stop is unconfirmed then.
        """
        return self.result(what, _begin(function, module), module)

    def close(self, closings: Iterable[Closing]) -> None:
        """Close all, whatever one of them does: all begin before one is waited for."""
        calls = [(one, _begin(one.close, one.module, one.seconds)) for one in closings]
        for one, call in calls:
            try:
                self.result(one.what, call, one.module)
            except (ForeignError, NotInTime) as error:  # the run ends all the same
                _log.info("%s could not be closed", one.what, exc_info=error)

    def result(
        self,
        what: str,
        call: BoundedCall[T] | Callable[[], T],
        module: str,
        *,
        agent: str = "",
    ) -> T:
        """The result of a guarded call that may have begun. Raises as :meth:`call` does."""
        try:
            value = call.result() if isinstance(call, BoundedCall) else call()
        except NotInTime as error:
            waiting = call if isinstance(call, BoundedCall) else None
            self._miss(StopUnconfirmed(what, module, agent, error.seconds), waiting)
            raise
        except ForeignError as error:
            why = str(failure_of_stop(error))
            self._miss(StopUnconfirmed(what, module, agent, reason=why), None)
            raise
        self._missed.pop(what, None)
        return value

    def forget_failed(self, agent: str) -> None:
        """Forget stops of an agent that failed at once: it has taken a new order since."""
        for what, missed in tuple(self._missed.items()):
            if missed.event.agent == agent and missed.call is None:
                del self._missed[what]

    def is_confirmed(self, agent: str) -> bool:
        """Whether all skills of an agent that were stopped have confirmed that."""
        return not any(m.is_open and m.event.agent == agent for m in tuple(self._missed.values()))

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """What has not confirmed its stop by now, each in a sentence."""
        return tuple(m.event.sentence for m in tuple(self._missed.values()) if m.is_open)

    def miss_held(self, line: str, seconds: float) -> None:
        """Note that a line of somebody's code has held the loop until the run ended without it."""
        self._miss(StopUnconfirmed(line, "", seconds=seconds), None)

    def _miss(self, event: StopUnconfirmed, call: BoundedCall[Any] | None) -> None:
        self._missed[event.what] = Missed(event, call)
        self._world.emit(event, event.what)


def _begin(
    function: Callable[[], T], module: str, seconds: float | None = None
) -> BoundedCall[T] | Callable[[], T]:
    """Begin a guarded call in time if it is of a foreign module."""
    call = guarded(function, module, NotInTime)
    return BoundedCall(call, seconds) if is_foreign(module) else call
