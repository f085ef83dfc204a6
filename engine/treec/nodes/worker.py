"""The interface of workers, which execute skills in the symbolic world, a simulator or a robot.

A skill's leaf makes a `WorkOrder` and a worker for it, starts the worker once and never waits: the
worker reports effects and the outcome to its `Host`. `start` is called on the loop's thread and
returns at once; `cancel` is called in a thread of its own, and has a second. A worker may call its
host from any thread. One that works in a thread or
process of its own announces that (`Host.begin_external`): virtual time waits for it. What a worker
raises or reports wrongly fails its skill.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from treec.frozen import frozen
from treec.world.clock import Clock
from treec.world.external import LIMIT, ExternalWork
from treec.world.facts import Evidence
from treec.world.failures import Failure

if TYPE_CHECKING:
    from treec.nodes.environment import Environment

EffectSource = Literal["expected", "sensed", "unknown"]


@frozen
class Effect:
    """A fact that has changed; source `unknown` (value None): its value is no longer known."""

    fact: str
    args: tuple[str, ...]
    value: object
    source: EffectSource = "expected"
    evidence: Evidence | None = None


@frozen
class Outcome:
    """How an order ended; on failure the reason, and the module that gives it.

    A reason in the worker's own words is a ``Reported``. ``unless`` names the failure to report if
    the facts that are sensed afterwards differ from the expected ones: slipped, dropped.
    """

    ok: bool
    failure: Failure | None = None
    module: str = ""
    effects: tuple[Effect, ...] = ()
    unless: str = ""


@frozen
class FaultHit:
    """A planned failure of an order, after the fraction `at` (0 to 1) of its duration."""

    reason: str
    at: float = 1.0


@frozen
class WorkOrder:
    """One execution of a skill, with bound arguments and grounded effects.

    `takes` is in seconds. `after` are the effects in the skill's file, for workers that cannot
    sense; others report what they sense instead. `at_start` is applied by the engine when the order
    starts; a worker may overwrite it with what it senses.
    """

    id: str
    skill: str
    agent: str
    args: Mapping[str, object]
    takes: float
    at_start: tuple[Effect, ...] = ()
    after: tuple[Effect, ...] = ()
    fault: FaultHit | None = None
    needs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What providers answered to its skill's `needs:`, by name; empty if none were asked."""


class Host(Protocol):
    """The run, as a worker sees it."""

    @property
    def clock(self) -> Clock:
        """The run's clock; timers on it fire on the loop's thread."""

    @property
    def environment(self) -> Environment | None:
        """What the agent acts on; None for the symbolic environment."""

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        """Report effects; applied in order, before later reports of the worker."""

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Report the outcome: at most once, and not after `cancel`."""

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        """Announce a thread, process or callback that will report, before it starts.

        Virtual time then waits for the outcome; it ends with the order. ``name`` stands in the
        alarm if it takes more than ``limit`` real seconds; ``takes`` are the seconds of virtual
        time that it takes at least.
        """


@runtime_checkable
class NotingHost(Protocol):
    """A host that puts what a worker notes on its way into the journal."""

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        """Note words, or a ``record`` of plain data; what the record ``says`` people are told."""


class Worker(Protocol):
    """Executes one order; a new instance for each.

    A class whose ``start`` waits for something says how long it may, in real seconds:
    ``blocks = 30.0``. It is then called in a thread, must call ``host.finish`` before it returns,
    and fails when the time is over; ``cancel`` may be called meanwhile.
    """

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin, and return at once unless the class ``blocks``. Called once."""

    def cancel(self) -> Outcome:
        """Stop at once and return the outcome: within a second, else it did not confirm its stop.

        An order that had ended keeps its outcome. The effects are those not reported to the host
        yet.
        """
