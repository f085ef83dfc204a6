"""Between a skill and what it acts on: the same for the symbolic world, a simulator, a robot.

A skill's leaf makes a `WorkOrder` and a worker for it, starts the worker once and never waits: the
worker tells its `Host` what becomes true and how it ended. `start`, `poll` and `cancel` are called
on the loop's thread and return at once; a worker may call its host from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from treec.world.clock import Clock
from treec.world.failures import Failure

if TYPE_CHECKING:
    from treec.nodes.environment import Environment

EffectSource = Literal["expected", "sensed", "unknown"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One fact that has changed; `unknown` says that its value (then None) is known no longer."""

    fact: str
    args: tuple[str, ...]
    value: object
    source: EffectSource = "expected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an order ended; on failure why, and the module that says so.

    A worker that has words of its own gives them as ``Reported``. ``unless`` names the failure that
    it was, after all, when what is sensed then is not what was expected: slipped, dropped.
    """

    ok: bool
    failure: Failure | None = None
    module: str = ""
    effects: tuple[Effect, ...] = ()
    unless: str = ""


@dataclass(frozen=True, slots=True)
class FaultHit:
    """A failure that was planned for one order: it ends after `at` (0 to 1) of its time."""

    reason: str
    at: float = 1.0


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """One skill to be done once, its arguments bound and its declared effects grounded.

    `takes` is in seconds. `at_start` and `after` are what the skill's file promises, for workers
    that cannot sense; one that can tells what it sees instead.
    """

    id: str
    skill: str
    agent: str
    args: Mapping[str, object]
    takes: float
    at_start: tuple[Effect, ...] = ()
    after: tuple[Effect, ...] = ()
    fault: FaultHit | None = None


class Host(Protocol):
    """What a worker may ask of the run that started it."""

    @property
    def clock(self) -> Clock:
        """The run's clock; timers on it fire on the loop's thread."""

    @property
    def environment(self) -> Environment | None:
        """What the agent acts on; None where there is no more to it than its workers."""

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        """Make these facts hold, in order, and before whatever the worker says later."""

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Say how the order ended: at most once, and not after `cancel`."""


class Worker(Protocol):
    """Does one order. Made anew for each."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin, and return at once. Called once."""

    def poll(self) -> Outcome | None:
        """Return how it ended, or None while it goes on."""

    def cancel(self) -> Outcome:
        """Stop at once, from whatever point, and return how it ended.

        What had ended already keeps its outcome. The effects are those the host has not been told.
        """


WorkerFactory = Callable[[], Worker]
