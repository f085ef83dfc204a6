"""The trials of workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from treec.foreign import ForeignError, guard
from treec.nodes.environment import Environment
from treec.nodes.foreign import GuardedClock, check_effects, check_outcome, check_time
from treec.nodes.worker import Effect, FaultHit, Outcome, WorkOrder
from treec.world.clock import Timer
from treec.world.external import LIMIT, ExternalWork
from treec.world.values import freeze
from treec_testing.isolation import PREPARING, caller_place, checked, contain, watch
from treec_testing.skill_trial import CannotTry
from treec_testing.stage import Stage
from treec_testing.trial import WORKER, CodePlace, Misbehaviour, NotApplicable, described, trial

GENERIC_ORDER = WorkOrder(
    "t1", "trial", "R1", {"agent": "R1", "place": "dock"}, 4.0, (), (Effect("at", ("R1",), "dock"),)
)
"""The order for a worker that no skill of a library names."""


@dataclass
class WorkerBench:
    """A worker class, an order, and the names of arguments that are varied.

    ``judge`` says why an effect is not on a fact of the domain, or not of its type; or nothing.
    """

    code: Any
    order: WorkOrder = GENERIC_ORDER
    arguments: Collection[str] = ()
    open: Callable[[], Environment] | None = None
    judge: Callable[[Effect], str] = lambda effect: ""

    @contextmanager
    def stage(self) -> Iterator[Stage]:
        """A stage in an environment of its own. Raises CannotTry if that cannot be opened."""
        environment = None
        if self.open is not None:
            watch("opening its environment", PREPARING)
            try:
                with guard("", CannotTry):
                    environment = self.open()
            except ForeignError as error:
                raise CannotTry(f"its environment cannot be opened: {error}") from error
        yield Stage(environment)
        if environment is not None:
            with suppress(ForeignError), guard(""):  # that is for the trials of environments
                environment.close()

    def carry_out(self, **changes: Any) -> _PlayedWorker:
        """A worker that has carried out the order, with changes, and some time after that."""
        with self.stage() as stage:
            worker = _PlayedWorker(stage, self, replace(self.order, **changes))
            worker.start()
            stage.run_until(worker.has_ended, self.limit)
            if stage.environment is not None:
                worker.sensed = {effect.fact for effect in stage.environment.sense()}
            stage.let_pass(self.order.takes + 1)
        return worker

    def carry_out_well(self) -> _PlayedWorker:
        """A worker that has carried out the order. Raises NotApplicable if it failed."""
        worker = self.carry_out()
        if not worker.outcome().ok:
            raise NotApplicable(f"the order fails by itself: {worker.outcome().failure}")
        return worker

    @property
    def limit(self) -> float:
        """The simulated time by which an order has ended."""
        return max(600.0, 10 * self.order.takes)


class _PlayedWorker(GuardedClock):
    """A worker with its order; and the host and clock that it sees, which note what it does."""

    end: Outcome | None = None
    ended_at = 0.0
    place: CodePlace | None = None
    _over = ""

    def __init__(self, stage: Stage, bench: WorkerBench, order: WorkOrder) -> None:
        super().__init__(stage.clock, "", stage.note_raised)
        self.clock, self.stage, self.environment = self, stage, stage.environment
        self.judge, self.order = bench.judge, replace(order, args=dict(order.args))
        self.worker = contain("making it", bench.code)
        self.effects: dict[tuple[str, tuple[str, ...]], object] = {}
        self.sensed: set[str] = set()
        self.problems: dict[str, Misbehaviour] = {}
        """The first problem with its form, end, silence and threads."""
        self._works: list[ExternalWork] = []

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        self._require_loop("clock.call_at() was called outside the loop's thread")
        return super().call_at(when, callback)

    def sense(self, order_id: str, effects: object) -> None:
        self._take("host.sense()", order_id, effects)

    def finish(self, order_id: str, outcome: object) -> None:
        self._take("host.finish()", order_id, outcome)
        self._over = self._over or "host.finish()"
        for work in self._works:
            work.done()
        self.stage.inbox.wake()

    def note(self, order_id: str, text: str, record: object) -> None:
        pass

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        note = self.stage.note_raised
        work = self.stage.external.begin(name, takes=takes, limit=limit, on_error=note)
        self._works.append(work)
        return work

    def _take(self, call: str, order_id: str, value: Any) -> None:
        place, problems = caller_place(), self.problems
        if not self._works:
            self._require_loop(f"{call} was called by a thread that was not announced")
        if order_id != self.order.id:
            what = f"{call} gave the order {order_id!r}, not '{self.order.id}'"
            problems.setdefault("end", Misbehaviour(what, place))
        if self._over:
            topic = "silence" if self._over == "cancel()" else "end"
            what = f"{call} was called after {self._over}"
            problems.setdefault(topic, Misbehaviour(what, place))
            return
        end, ends = Outcome(False), call == "host.finish()"
        try:
            if ends:
                self.ended_at, self.place = self.now(), place
                end = checked(check_outcome, value, call, place)
                value = end.effects
            for effect in checked(check_effects, value, call, place):
                self.effects[effect.fact, effect.args] = effect.value
                if why := self.judge(effect):
                    raise Misbehaviour(why, place)
        except Misbehaviour as error:
            problems.setdefault("form", error)
        finally:
            if ends:  # last: the loop's thread reads the rest as soon as it has ended
                self.end = end

    def _require_loop(self, what: str) -> None:
        if threading.current_thread() is not threading.main_thread():
            self.problems.setdefault("threads", Misbehaviour(what, caller_place()))

    def start(self) -> None:
        """Start it; in a thread if its class `blocks`."""
        limit = getattr(self.worker, "blocks", None)
        if limit is None:
            contain("start()", lambda: self.worker.start(self.order, self))
            return
        work = self.begin_external("start()", limit=checked(check_time, limit, "`blocks`"))

        def start() -> None:
            with work:
                self.worker.start(self.order, self)

        threading.Thread(target=start, daemon=True).start()

    def cancel(self) -> Outcome:
        """Cancel it. Raises Misbehaviour unless it returns an outcome at once."""
        value = contain("cancel()", lambda: self.worker.cancel())
        self._over = "cancel()"
        for work in self._works:
            work.cancel()
        return checked(check_outcome, value, "cancel()")

    def has_ended(self) -> bool:
        return self.end is not None

    def outcome(self) -> Outcome:
        """How it ended. Raises Misbehaviour if it did not."""
        if self.end is None:
            raise Misbehaviour("it is over without a call of host.finish()")
        return self.end

    def require(self, topic: str) -> None:
        """Raise Misbehaviour if there was a problem with this."""
        if topic in self.problems:
            raise self.problems[topic]


@trial("W01", WORKER, "start")
def returns_and_raises_nothing(bench: WorkerBench) -> None:
    """An order is carried out; calls are timed, and what they, timers and threads raise is caught.

    A worker is made anew for each order. `start` returns at once, since no other robot can move
    meanwhile: set a timer, announce a thread, or let the class say how long it `blocks`. What goes
    wrong is an outcome with its reason::

        try:
            reply = self.session.post(url, json=goal, timeout=5.0)  # in an announced thread
        except requests.RequestException as error:
            host.finish(order.id, Outcome(False, Reported(f"the base: {error}"), __name__))
    """
    bench.carry_out()


@trial("W02", WORKER, "start")
def ends_once(bench: WorkerBench) -> None:
    """An order is carried out, and time goes on after its end.

    Every order ends with one `host.finish` under its own id, also an order that fails. Effects come
    before it, or with its outcome::

        if self._outcome is None:
            self._outcome = outcome
            host.finish(order.id, outcome)
    """
    worker = bench.carry_out()
    worker.require("end")
    worker.outcome()


@trial("W03", WORKER, "start")
def reports_have_their_form(bench: WorkerBench) -> None:
    """What it reports is read, and compared with the facts that the domain declares.

    An Outcome says whether it is well, why not, and by which module. Effects are on facts of the
    domain, with values of their types: plain data, no NaN, no objects::

        host.sense(order.id, (Effect("battery", (order.agent,), 80.0, "sensed"),))
        host.finish(order.id, Outcome(False, Reported("the battery is empty"), __name__))
    """
    bench.carry_out().require("form")


@trial("W04", WORKER, "start")
def effects_fit_after(bench: WorkerBench) -> None:
    """What an order that ended well has reported is compared with the skill's `after`.

    Nothing is believed that is neither reported nor sensed by the environment. Report what was
    measured, or else what the skill's file promises; if that is not so, the order has failed::

        host.finish(order.id, Outcome(True, effects=order.after))
    """
    worker = bench.carry_out_well()
    for promised in bench.order.after:
        value = worker.effects.get((promised.fact, promised.args), ...)
        if value is ... and (promised.fact in worker.sensed or not promised.value):
            continue
        if value is ... or freeze(value) != freeze(promised.value):
            what = "has not reported" if value is ... else f"reported {value!r} for"
            promise = f"`after` promises {promised.value!r}"
            shown = f"{promised.fact}({', '.join(promised.args)})"
            raise Misbehaviour(f"it ended well and {what} {shown}; {promise}", worker.place)


@trial("W05", WORKER, "cancel")
def is_cancelled(bench: WorkerBench) -> None:
    """`cancel` is called before `start`, right after it, halfway, after the end, and twice.

    It does not wait, and returns the outcome that counts: not ok, unless the order had ended.
    Nothing is reported after it, also by a thread that cannot be interrupted: that one sets its
    outcome and calls `host.finish` under the same lock::

        def cancel(self) -> Outcome:
            self._stop.set()  # and do not join the thread
            with self._lock:
                if self._outcome is None:
                    self._outcome = Outcome(False, Reported("cancelled"), __name__)
                return self._outcome
    """
    worker = bench.carry_out()
    worker.outcome()
    half, end = worker.ended_at / 2, bench.limit
    moments = {"right after start()": 0.0, "halfway": half, "after the end": end}
    for when, moment in {"before start()": -1.0, **moments}.items():
        with bench.stage() as stage, described(when):
            worker = _PlayedWorker(stage, bench, bench.order)
            if moment >= 0:
                worker.start()
            if moment > 0:
                stage.run_until(worker.has_ended, moment)
            outcome = worker.cancel()
            if outcome.ok and worker.end is None:
                raise Misbehaviour("cancel() gave an Outcome that is ok before the order's end")
            expected = _verdict(worker.end or outcome)
            stage.let_pass(2 * half + 1)
            stage.join_threads()
            worker.require("silence")
            for again in (outcome, worker.cancel()):
                if _verdict(again) != expected:
                    what = f"cancel() gave {_verdict(again)}; the order had ended with {expected}"
                    raise Misbehaviour(what)


@trial("W06", WORKER, "__init__")
def orders_are_independent(bench: WorkerBench) -> None:
    """The order is carried out again, and by three workers at once, one of which is cancelled.

    Each ends as it does alone: keep the state in the instance, never in the class or module, and
    let two instances share a connection only if that serves both::

        def __init__(self) -> None:
            self._outcome: Outcome | None = None
    """
    alone = bench.carry_out()
    expected, workers = _verdict(alone.outcome()), [bench.carry_out()]
    if bench.open is None:  # in an environment an agent cannot do two things at once
        with bench.stage() as stage:
            orders = [replace(bench.order, id=id) for id in ("t1", "t2", "t3")]
            cancelled, *others = (_PlayedWorker(stage, bench, order) for order in orders)
            for worker in (cancelled, *others):
                worker.start()
            stage.run_until(cancelled.has_ended, alone.ended_at / 2)
            cancelled.cancel()
            stage.let_pass(bench.limit)
        workers += others
    for worker in workers:
        with described("after another one" if worker is workers[0] else "beside others"):
            worker.require("end")
            if _verdict(worker.outcome()) != expected:
                raise Misbehaviour(f"it does not end as it does alone, with {expected}")


@trial("W07", WORKER, "start")
def threads_are_announced(bench: WorkerBench) -> None:
    """The threads that report or set timers are looked at.

    Announce a thread before it starts, so that virtual time waits for it and a deadline holds. From
    it report only: timers belong to the loop's thread::

        work = host.begin_external("the arm", limit=30.0)

        def run() -> None:
            with work:
                host.finish(order.id, self.arm.move())

        threading.Thread(target=run, daemon=True).start()
    """
    bench.carry_out().require("threads")


@trial("W08", WORKER, "start")
def failures_are_outcomes(bench: WorkerBench) -> None:
    """Orders have a planned fault, at the start or halfway, or an argument of no use.

    Each ends, and without an exception. A planned fault lets a scenario try what the robots do
    then: the order fails with its reason. Arguments come from models and people::

        if order.fault is not None:
            outcome = Outcome(False, Reported(order.fault.reason), __name__)
        if not isinstance(place, str):
            outcome = Outcome(False, Reported(f"'place' must be a name, not {place!r}"), __name__)
    """
    bench.carry_out_well()
    for at in (0.0, 0.5):
        with described("with a planned fault"):
            worker = bench.carry_out(fault=FaultHit("slipped", at))
            if "slipped" not in str(worker.outcome().failure):
                what = f"it ended with {_verdict(worker.outcome())}, not with the fault's 'slipped'"
                raise Misbehaviour(what, worker.place)
    for name in bench.arguments:
        for value in (None, float("nan"), "no such thing 7", ["a", "list"]):
            with described(f"with {name}={value!r}"):
                bench.carry_out(args={**bench.order.args, name: value}).outcome()


def _verdict(outcome: Outcome) -> str:
    if not outcome.ok and not str(outcome.failure or "").strip():
        raise Misbehaviour("an Outcome that is not ok has no reason")
    return "success" if outcome.ok else f"the failure '{outcome.failure}'"
