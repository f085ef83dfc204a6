"""An environment whose exceptions end it, and not the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, runtime_checkable

from treec.foreign import ForeignError, HeldTooLong, as_foreign, guard
from treec.nodes.environment import Environment
from treec.nodes.foreign import check_effects, check_time, reason_of
from treec.nodes.worker import Effect

T = TypeVar("T")


@runtime_checkable
class Rests(Protocol):
    """An environment that can say whether an agent is at rest; without it, a cancelled one is."""

    def is_at_rest(self, agent: str) -> bool:
        """Whether nothing of the agent's robot moves."""


class GuardedEnvironment:
    """Calls an environment until one of its methods raises; it is lost from then on.

    ``on_lost`` is called once, with the exception. A lost environment is not called again: time
    passes in it, it senses nothing, and nothing in it is known to be at rest.
    """

    def __init__(
        self, name: str, environment: Environment, on_lost: Callable[[str, ForeignError], None]
    ) -> None:
        self.name = name
        self.environment = environment
        self.lost: ForeignError | None = None
        self.module = type(environment).__module__
        self._on_lost = on_lost
        self._reached = 0.0

    @property
    def why_lost(self) -> str:
        """What it raised, with file and line; empty while it is not lost."""
        return "" if self.lost is None else reason_of(self.lost)

    @property
    def busy(self) -> bool:
        """Whether an order is in progress."""
        return self._try(lambda: bool(self.environment.busy), False)

    def step(self, until: float) -> float:
        """Advance to ``until``, to the first report, or to the time at which it is lost."""
        is_lost = self.lost is not None
        self._reached = self._try(
            lambda: check_time(self.environment.step(until), "step()"),
            until if is_lost else self._reached,
        )
        return self._reached

    def sense(self) -> tuple[Effect, ...]:
        """Every fact that it has a sensor for."""
        return self._try(lambda: check_effects(self.environment.sense(), "sense()"), ())

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply effects from elsewhere."""
        self._try(lambda: self.environment.notify(effects), None)

    def is_at_rest(self, agent: str) -> bool:
        """Whether nothing of an agent's robot moves; unknown, hence False, once it is lost."""
        environment = self.environment
        if not isinstance(environment, Rests):
            return self.lost is None
        return self._try(lambda: bool(environment.is_at_rest(agent)), False)

    def lose(self, error: BaseException) -> None:
        """Take it as lost from now on, as if one of its methods had raised this."""
        if self.lost is None:
            self.lost = as_foreign(error, self.module)
            self.lost.module = self.lost.module or self.module
            self._on_lost(self.name, self.lost)

    @property
    def closes_within(self) -> float | None:
        """Real seconds that its `close` may take, if its class says so."""
        seconds = getattr(self.environment, "closes_within", None)
        return float(seconds) if isinstance(seconds, int | float) else None

    def close(self) -> None:
        """Close it, even if it is lost."""
        self.environment.close()

    def _try(self, call: Callable[[], T], instead: T) -> T:
        if self.lost is not None:
            return instead
        try:
            with guard(self.module):
                return call()
        except HeldTooLong as error:  # the run is to end, and its skills are to be stopped still
            self.lose(error)
            return instead
        except ForeignError as error:
            self.lose(error)
            return instead
