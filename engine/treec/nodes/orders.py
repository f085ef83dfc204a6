"""Orders in flight: their numbers, what their workers report, and how they end.

Workers report from any thread through their :class:`Host`; reports wait in the inbox until the loop
takes them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from treec.foreign import MOST, BadReport, ForeignError, as_foreign, guard, show
from treec.nodes.environment import Environment
from treec.nodes.events import ExternalWorkOverdue, SkillNoted
from treec.nodes.foreign import (
    GuardedClock,
    OnError,
    caller_line,
    check_effects,
    check_note,
    check_outcome,
    failure_by,
)
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.needs import NeedAnswer
from treec.nodes.sensing import settle_effects
from treec.nodes.worker import Effect, Host, Outcome, Worker, WorkOrder
from treec.source.scope import MappingScope
from treec.team.sentences import sentence
from treec.world.clock import Clock
from treec.world.external import LIMIT, ExternalWork
from treec.world.failures import NOT_AS_EXPECTED, Failure, NotAsExpected, Reported, TimedOut
from treec.world.inbox import InboxMessage

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

T = TypeVar("T")

TOO_MUCH = f"more than {MOST:,} effects and notes at once"
"""Why a worker fails that reports more than the loop can take."""

GroundFact = tuple[str, ...]
"""A fact that an order sets: its name and arguments."""


@dataclass
class _Order:
    """An order in flight: its callback, the facts it sets, its worker's unprocessed reports."""

    done: Callable[[Outcome], None]
    touches: frozenset[GroundFact]
    changes: frozenset[GroundFact]
    environment: GuardedEnvironment | None
    external: list[ExternalWork] = field(default_factory=list)
    reports: deque[tuple[Effect, ...]] = field(default_factory=deque)
    pending: int = 0
    """Effects and notes that the loop has not taken yet."""
    is_over: bool = False
    """Whether its worker has nothing more to report."""
    blocking: ExternalWork | None = None
    """The thread of a worker that blocks."""
    on_need: Callable[[NeedAnswer], None] | None = None
    """What takes the answer of a provider that was asked."""


class OrdersInFlight:
    """The orders of a run that workers carry out."""

    def __init__(self, runtime: Runtime) -> None:
        self.clock: Clock = runtime.clock
        self._runtime = runtime
        self._inbox = runtime.inbox
        self._external = runtime.external
        self._orders: dict[str, _Order] = {}
        self._ending: dict[str, Outcome] = {}
        """What orders have reported whose environment is sensed at this moment."""
        self._count = 0

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._orders)

    def at_work_on(
        self, facts: Collection[GroundFact], changes: Collection[GroundFact] | None = None
    ) -> bool:
        """Whether an order in flight sets one of these facts (name, arguments).

        With ``changes``, those facts whose values differ from the current ones, two orders may set
        the same fact to its current value.
        """
        changed = facts if changes is None else changes
        return any(
            not order.changes.isdisjoint(facts) or not order.touches.isdisjoint(changed)
            for order in self._orders.values()
        )

    def new(
        self,
        done: Callable[[Outcome], None],
        touches: Collection[GroundFact] = (),
        changes: Collection[GroundFact] | None = None,
        environment: GuardedEnvironment | None = None,
    ) -> str:
        """Register an order and return its id; ``done`` is called with its outcome.

        ``touches`` are the facts that it sets, ``changes`` those whose values will differ;
        ``environment`` is what it acts on.
        """
        self._count += 1
        id = f"s{self._count}"
        changed = frozenset(touches if changes is None else changes)
        self._orders[id] = _Order(done, frozenset(touches), changed, environment)
        return id

    def continue_from(self, orders: int) -> None:
        """Continue the numbering of orders of a resumed run."""
        self._count = orders

    def touched_in(self, environment: str) -> list[GroundFact]:
        """The facts that orders set which act on an environment."""
        acting = (
            order
            for order in self._orders.values()
            if order.environment is not None and order.environment.name == environment
        )
        return sorted({fact for order in acting for fact in order.touches})

    def host(self, order_id: str, module: str) -> Host:
        """The host for the worker of an order; ``module`` is the worker's."""
        guarded = self._orders[order_id].environment
        return _Host(self, order_id, module, None if guarded is None else guarded.environment)

    def begin_external(
        self, order_id: str, name: str, takes: float, limit: float, on_error: OnError
    ) -> ExternalWork:
        """Announce work outside the loop that an order's worker has begun."""
        work = self._external.begin(name, by=order_id, takes=takes, limit=limit, on_error=on_error)
        if order_id in self._orders:
            self._orders[order_id].external.append(work)
        else:
            work.cancel()
        return work

    def on_need(self, order_id: str, take: Callable[[NeedAnswer], None]) -> None:
        """Hand the next answer of a provider for an order to a function, on the loop's thread."""
        if order_id in self._orders:
            self._orders[order_id].on_need = take

    def start_in_thread(self, worker: Worker, order: WorkOrder, host: Host, limit: float) -> None:
        """Start a worker that blocks; its order fails after ``limit`` real seconds."""
        work = host.begin_external(order.skill, limit=limit)
        self._orders[order.id].blocking = work

        def start() -> None:
            with work:
                worker.start(order, host)
                self._inbox.post("skill", ("returned", order.id, type(worker).__module__))

        threading.Thread(target=start, name=f"{order.id} {order.skill}", daemon=True).start()

    def report_overdue(self) -> None:
        """Record work that has exceeded its limit, and tell people; fail orders that block."""
        for work in self._external.overdue():
            if (order := self._orders.get(work.by)) is not None and order.blocking is work:
                order.done(self.end(work.by, Outcome(False, TimedOut(work.limit))))
                self._runtime.wake()
                continue
            overdue = ExternalWorkOverdue(work.name, work.limit)
            self._runtime.world.emit(overdue, work.by or "external")
            if (alarm := sentence(self._runtime.view, "overdue")) is not None:
                values = {"name": work.name, "seconds": f"{work.limit:g}"}
                self._runtime.say(alarm.render(MappingScope(values)), "external")

    # What workers report, from any thread

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> bool:
        """Take a worker's report of effects; the loop applies reports in order.

        False if there are too many: those before are dropped, too.
        """
        order = self._orders.get(order_id)
        if order is None or order.is_over:
            return True

        def report() -> None:
            order.reports.append(effects)
            self._inbox.post("skill", ("sense", order_id, len(effects)))

        return self._admit(order, len(effects), report)

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> bool:
        """Take what a worker notes on its way; the journal has it from the next tick on.

        False if there are too many.
        """
        order = self._orders.get(order_id)
        if order is None or order.is_over:
            return True

        def report() -> None:
            self._inbox.post("skill", ("note", order_id, (text, dict(record))))

        return self._admit(order, 0, report)

    def _admit(self, order: _Order, effects: int, report: Callable[[], None]) -> bool:
        """Deliver a report of so many effects, unless too many wait already."""
        with self._inbox.lock:
            order.pending += max(1, effects)
            if order.pending > MOST:
                order.reports.clear()
                return False
            self._deliver(order, report)
        return True

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Take a worker's report that an order ended; what it has announced is done, too."""
        order = self._orders.get(order_id)
        if order is not None and not order.is_over:
            order.is_over = True

            def report() -> None:
                self._inbox.post("skill", ("finish", order_id, outcome))

            self._deliver(order, report)
            for work in order.external:
                work.done()

    def _deliver(self, order: _Order, report: Callable[[], None]) -> None:
        """Post a report, at the earliest when the work that its worker has announced may end."""
        held = next((work for work in order.external if work.is_held), None)
        if held is None:
            report()
        else:
            held.deliver(report)

    # What the loop makes of it

    def take(self, message: InboxMessage) -> None:
        """Handle a worker's report from the inbox."""
        what, order_id, payload = cast(tuple[str, str, Any], message.payload)
        if what == "call":
            payload()
            return
        order = self._orders.get(order_id)
        if order is None:
            return  # it was cancelled; its outcome is in the journal already
        match what:
            case "need":
                if order.on_need is not None:
                    order.on_need(payload)
            case "note":
                order.pending -= 1
                self._runtime.world.emit(SkillNoted(order_id, *payload), order_id)
                if says := payload[1].get("says"):
                    self._runtime.say(str(says), order_id)
            case "sense":
                order.pending -= max(1, payload)
                if order.reports:
                    self._runtime.apply(order.reports.popleft(), order_id, order.environment)
            case "returned":
                why = Reported("start() returned and had not called host.finish()")
                order.done(self.end(order_id, Outcome(False, why, payload)))
            case "finish":
                order.done(self.end(order_id, payload))

    def end(self, order_id: str, outcome: Outcome) -> Outcome:
        """Remove an order; apply its worker's pending reports, then the outcome's effects.

        All that is recorded until the end of this step of the loop is one batch: what the skill has
        done, its end, and what its tree makes of it.
        Where its environment can sense, the sensed values become facts, and the returned outcome is
        a failure if they differ from the expected effects.
        """
        runtime = self._runtime
        runtime.world.journal.hold(sync=True)
        order = self._orders.pop(order_id, None)
        if order is None:  # what it has done could not be recorded
            reported = self._ending.pop(order_id, None)
            if reported is None:
                return outcome
            runtime.apply(reported.effects, order_id)  # its environment holds the loop
            return reported
        for work in order.external:
            work.cancel()
        for effects in order.reports:
            runtime.apply(effects, order_id, order.environment)
        effects = outcome.effects
        if order.environment is not None:
            self._ending[order_id] = outcome
            sensed = order.environment.sense()
            self._ending.pop(order_id, None)
            effects, wrong = settle_effects(effects, sensed)
            if wrong and outcome.ok:
                name = outcome.unless or NOT_AS_EXPECTED
                outcome = Outcome(False, NotAsExpected(wrong, name), outcome.module)
            effects = (*effects, *runtime.sensed_changes(sensed, effects))
        refused = runtime.apply(effects, order_id, order.environment)
        return outcome if refused is None else Outcome(False, Reported(refused), outcome.module)


class _Host:
    """The run as a worker sees it; what the worker raises or reports wrongly ends its order."""

    def __init__(
        self, orders: OrdersInFlight, order_id: str, module: str, environment: Environment | None
    ) -> None:
        self._orders = orders
        self._order_id = order_id
        self._module = module
        self.environment = environment
        self.clock: Clock = GuardedClock(orders.clock, module, self._on_error)

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        checked = self._check(order_id, "host.sense()", check_effects, effects)
        if checked is not None and not self._orders.sense(self._order_id, checked):
            self._refuse()

    def note(self, order_id: str, text: str, record: Mapping[str, Any]) -> None:
        checked = self._check(order_id, "host.note()", check_note, (text, record))
        if checked is not None and not self._orders.note(self._order_id, *checked):
            self._refuse()

    def finish(self, order_id: str, outcome: Outcome) -> None:
        checked = self._check(order_id, "host.finish()", check_outcome, outcome)
        if checked is not None:
            self._orders.finish(self._order_id, checked)

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        return self._orders.begin_external(self._order_id, name, takes, limit, self._on_error)

    def _check(
        self, order_id: object, call: str, check: Callable[[object, str], T], value: object
    ) -> T | None:
        """A plain copy of what a call reports; None, and the order has failed, if it is wrong."""
        try:
            with guard(self._module):
                checked = check(value, call)
                if order_id != self._order_id:
                    raise BadReport(
                        f"{call} gave the order {show(order_id)}, not '{self._order_id}'"
                    )
        except BadReport as error:
            self._finish_failed(Reported(f"{error} ({caller_line()})"))
        except ForeignError as error:
            self._finish_failed(failure_by(error))
        else:
            return checked
        return None

    def _refuse(self) -> None:
        """Fail an order that reports too much, and end its worker's call, which may go on so."""
        self._finish_failed(Reported(TOO_MUCH))
        raise BadReport(TOO_MUCH)

    def _on_error(self, error: BaseException) -> None:
        self._finish_failed(failure_by(as_foreign(error, self._module)))

    def _finish_failed(self, why: Failure) -> None:
        self._orders.finish(self._order_id, Outcome(False, why, self._module))
