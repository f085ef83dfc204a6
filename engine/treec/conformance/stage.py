"""A stage: a clock, announced work and hosts that take note of what workers do."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import (
    Callable,
    ItemsView,
    Iterator,
    Mapping,
    MutableMapping,
    ValuesView,
)
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from treec.conformance.places import place_of_error, place_of_frame
from treec.conformance.trial import CodePlace, NotTried
from treec.conformance.watch import PlayWatch
from treec.nodes.environment import Environment
from treec.nodes.foreign import (
    BadReport,
    GuardedClock,
    check_effects,
    check_outcome,
    check_time,
    failure_of_exception,
    text_of,
)
from treec.nodes.worker import Outcome, WorkOrder
from treec.run.clocks import SteppingClock
from treec.run.skill_trial import CannotTry
from treec.world.clock import Clock, Timer
from treec.world.external import LIMIT, ExternalWork, ExternalWorks
from treec.world.inbox import Inbox

_log = logging.getLogger("treec.conformance")

STEPS = 5_000
"""How many timers and reports a play may have."""


@dataclass(frozen=True)
class HostReport:
    """What a worker reported: `sense`, `finish` or `cancel`, when, and what is wrong about it."""

    what: str
    at: float
    order_id: object
    value: object
    place: CodePlace | None
    in_loop: bool
    bad: str = ""


@dataclass(frozen=True)
class RaisedAt:
    """An exception that left somebody's code, in which call."""

    call: str
    error: BaseException
    text: str
    place: CodePlace | None


class NotedArguments(MutableMapping[str, object]):
    """The arguments of an order, which take note of the names that are read, and of changes.

    Who goes through all of them has not asked for one.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values_of = deepcopy(dict(values))
        self.read: set[str] = set()
        self.changed: CodePlace | None = None

    def __getitem__(self, name: str) -> object:
        self.read.add(name)
        return self.values_of[name]

    def __setitem__(self, name: str, value: object) -> None:
        self.changed = place_of_frame(sys._getframe(1))
        self.values_of[name] = value

    def __delitem__(self, name: str) -> None:
        self.changed = place_of_frame(sys._getframe(1))
        del self.values_of[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_of)

    def __len__(self) -> int:
        return len(self.values_of)

    def __repr__(self) -> str:
        return repr(self.values_of)

    def items(self) -> ItemsView[str, object]:
        """All names and values."""
        return self.values_of.items()

    def values(self) -> ValuesView[object]:
        """All values."""
        return self.values_of.values()


class _NotedClock(GuardedClock):
    """The clock of a stage; timers from other threads are noted."""

    def __init__(self, actor: Actor) -> None:
        super().__init__(actor.stage.clock, lambda error: actor.note_raised("a timer", error))
        self._actor = actor

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        place = place_of_frame(sys._getframe(1))
        actor = self._actor
        if not actor.stage.in_loop:
            actor.timers_off_loop.append(place)

        def call() -> None:
            actor.stage.call = "a timer"
            callback()
            actor.stage.watch.beat()

        timer = super().call_at(when, call)
        actor.timers.append(timer)
        return timer


class _NotedHost:
    """The host of a worker: takes note of every report."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self.clock: Clock = _NotedClock(actor)
        self.environment = actor.stage.environment

    def sense(self, order_id: str, effects: Any) -> None:
        self._note("sense", order_id, effects, check_effects)

    def finish(self, order_id: str, outcome: Any) -> None:
        self._note("finish", order_id, outcome, check_outcome)
        for work in self._actor.external:
            work.done()
        self._actor.stage.inbox.wake()

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        actor = self._actor
        work = actor.stage.external.begin(
            name,
            takes=takes,
            limit=limit,
            on_error=lambda error: actor.note_raised(f"the thread '{name}'", error),
        )
        actor.external.append(work)
        return work

    def _note(
        self, what: str, order_id: str, value: Any, check: Callable[[object, str], object]
    ) -> None:
        actor, bad = self._actor, ""
        place = place_of_frame(sys._getframe(2))
        try:
            check(value, f"host.{what}()")
        except BadReport as error:
            bad = str(error)
        actor.reports.append(
            HostReport(
                what, actor.stage.clock.now(), order_id, value, place, actor.stage.in_loop, bad
            )
        )
        if not actor.stage.in_loop and not actor.external and actor.blocking is None:
            actor.unannounced.append(place)


class Actor:
    """A worker on a stage, and all that it did."""

    def __init__(self, stage: Stage, worker: Any, order: WorkOrder) -> None:
        self.stage = stage
        self.worker = worker
        self.args = NotedArguments(order.args)
        self.order = replace(order, args=self.args)
        self.reports: list[HostReport] = []
        self.cancelled: list[HostReport] = []
        self.raised: list[RaisedAt] = []
        self.timers: list[Timer] = []
        self.timers_off_loop: list[CodePlace | None] = []
        self.external: list[ExternalWork] = []
        self.unannounced: list[CodePlace | None] = []
        self.blocking: ExternalWork | None = None
        self.returned_unfinished = False
        self.reported_at_cancel: int | None = None
        self.start_seconds = self.cancel_seconds = 0.0
        self.host = _NotedHost(self)

    @property
    def finishes(self) -> list[HostReport]:
        """Its calls of `host.finish`."""
        return [report for report in self.reports if report.what == "finish"]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that it finished with, if that is one."""
        return next((r.value for r in self.finishes if isinstance(r.value, Outcome)), None)

    @property
    def is_over(self) -> bool:
        """Whether it has ended or raised."""
        return bool(self.finishes or self.raised or self.returned_unfinished)

    def note_raised(self, call: str, error: BaseException) -> None:
        """Take note of an exception; from any thread."""
        text = str(failure_of_exception(error, type(self.worker).__module__))
        self.raised.append(RaisedAt(call, error, text, place_of_error(error)))
        self.stage.inbox.wake()

    def start(self) -> None:
        """Start the worker; in a thread if its class `blocks`."""
        blocks = getattr(self.worker, "blocks", None)
        if blocks is None:
            self.start_seconds = self._timed("start()", self._start)
            return
        try:
            limit = check_time(blocks, "`blocks`")
        except BadReport:
            return
        work = self.blocking = self.host.begin_external(self.order.skill, limit=limit)

        def start() -> None:
            with work:
                self.worker.start(self.order, self.host)
                self.returned_unfinished = not self.finishes

        threading.Thread(target=start, name=self.order.skill, daemon=True).start()

    def cancel(self) -> HostReport | None:
        """Cancel the worker; what it returned."""
        found: list[HostReport] = []

        def cancel() -> None:
            value = self.worker.cancel()
            bad = ""
            try:
                check_outcome(value, "cancel()")
            except BadReport as error:
                bad = str(error)
            found.append(HostReport("cancel", self.stage.clock.now(), None, value, None, True, bad))

        self.cancel_seconds = max(self.cancel_seconds, self._timed("cancel()", cancel))
        if self.reported_at_cancel is None:
            self.reported_at_cancel = len(self.reports)
        for work in self.external:
            work.cancel()
        self.cancelled += found
        return found[0] if found else None

    def _start(self) -> None:
        self.worker.start(self.order, self.host)

    def _timed(self, call: str, function: Callable[[], None]) -> float:
        began, self.stage.call = time.perf_counter(), call
        try:
            function()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.note_raised(call, error)
        self.stage.watch.beat()
        return time.perf_counter() - began


class Stage:
    """One play: a fresh clock and environment, on which workers are started and cancelled.

    ``make`` makes a worker, ``open`` an environment of the play (None for the symbolic one).
    """

    def __init__(
        self,
        make: Callable[[], Any],
        open: Callable[[], Environment | None],
        watch: PlayWatch,
    ) -> None:
        self.watch = watch
        self.call = ""
        self.is_endless = False
        self.overdue: list[str] = []
        self._make = make
        self._open = open
        self._thread = threading.get_ident()
        self.clock = SteppingClock()
        self.inbox = Inbox(self.clock)
        self.clock.ready = self.inbox.ready
        self.external = ExternalWorks(self.clock, self.inbox)
        self.environment: Environment | None = None
        self.actors: list[Actor] = []

    @property
    def in_loop(self) -> bool:
        """Whether the current thread is the one of the loop."""
        return threading.get_ident() == self._thread

    def run(self, script: Callable[[Stage], None]) -> None:
        """Make a play in a thread of its own, from opening the environment to closing it.

        Raises CannotTry if it cannot be opened.
        """

        def play() -> None:
            self._thread = threading.get_ident()
            try:
                self.environment = self._open()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # environments are somebody's code
                raise CannotTry(f"its environment cannot be opened: {text_of(error)}") from error
            if self.environment is not None:
                self.clock.drive(self.environment)
            try:
                script(self)
            finally:
                if self.environment is not None:
                    try:
                        self.environment.close()
                    except KeyboardInterrupt:
                        raise
                    except BaseException as error:  # that is for the trials of environments
                        _log.info("the environment could not be closed: %s", text_of(error))

        self.watch.run(play)

    def actor(self, order: WorkOrder) -> Actor:
        """A new worker with an order. Raises NotTried when it cannot be made."""
        self.call = "making it"
        try:
            actor = Actor(self, self._make(), order)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise NotTried("it could not be made") from error
        self.actors.append(actor)
        return actor

    def play_until(self, is_over: Callable[[], bool], limit: float) -> None:
        """Let time pass until something is so, at most to a time."""
        for _ in range(STEPS):
            self.watch.beat()
            if self.inbox.ready():
                self.inbox.drain()
            if is_over():
                return
            if self.inbox.ready():
                continue
            if self.external.in_progress:
                if not self._wait():
                    works = [work for actor in self.actors for work in actor.external]
                    self.overdue = [work.name for work in works if not work.is_done]
                    return
                continue
            if self.clock.advance(limit):
                continue
            if self.clock.now() >= limit or not self._hear_threads():
                return
        self.is_endless = True

    def go_on(self, seconds: float) -> None:
        """Let time pass, whatever happens in it."""
        limit = self.clock.now() + seconds
        self.clock.call_at(limit, lambda: None)  # time comes that far in any case
        self.play_until(lambda: False, limit)

    def _wait(self) -> bool:
        """Wait for announced work; whether something was reported in time."""
        for _ in range(4):
            self.watch.beat()
            if self.inbox.wait(self.watch.patience / 4):
                return True
        return False

    def _hear_threads(self) -> bool:
        """Wait for threads that nobody announced; whether there were any."""
        if not self.watch.new_threads():
            return False
        self.watch.join_threads(self.watch.patience)
        return self.inbox.ready()
