"""The trials of workers: how they start, report and end."""

from __future__ import annotations

from treec.conformance.bench import (
    WorkerBench,
    misbehaviour_of,
    only,
    require_released,
)
from treec.conformance.trial import Misbehaviour
from treec.conformance.worker_reports import (
    WORKERS,
    reported_effects,
)
from treec.nodes.foreign import BadReport, check_time
from treec.nodes.worker import Outcome


@WORKERS("W01", "__init__")
def is_made(bench: WorkerBench) -> None:
    """The class is called without arguments.

    A worker is made anew for each order, without arguments, and has `start` and `cancel`::

        class Drive:
            def __init__(self) -> None: ...
            def start(self, order: WorkOrder, host: Host) -> None: ...
            def cancel(self) -> Outcome: ...
    """
    try:
        worker = bench.make()
    except (Exception, SystemExit) as error:
        raise Misbehaviour(f"making it raised {type(error).__name__}: {error}") from None
    for name in ("start", "cancel"):
        if not callable(getattr(worker, name, None)):
            raise Misbehaviour(f"it has no method `{name}`")


@WORKERS("W02", "start")
def start_returns(bench: WorkerBench) -> None:
    """`start` is called on the loop's thread.

    It returns at once: set a timer, or begin a thread that you announce. Meanwhile no other robot
    can move and nobody can be stopped. A class that must wait says how long it may, and is called
    in a thread::

        class Drive:
            blocks = 30.0  # real seconds

    """
    stage = bench.plain
    require_released(stage, "start()")
    actor = only(stage)
    if actor.blocking is None and actor.start_seconds > bench.at_once:
        again = only(bench.again).start_seconds
        if min(again, actor.start_seconds) > bench.at_once:
            raise Misbehaviour(f"start() returned only after {again:.1f} s")


@WORKERS("W03", "start")
def blocks_is_a_time(bench: WorkerBench) -> None:
    """`blocks` of the class is read.

    It is a number of real seconds above 0, or is left out::

        class Drive:
            blocks = 30.0

    """
    blocks = getattr(only(bench.plain).worker, "blocks", None)
    if blocks is None:
        return
    try:
        seconds = check_time(blocks, "`blocks`")
    except BadReport as error:
        raise Misbehaviour(str(error)) from None
    if seconds <= 0:
        raise Misbehaviour(f"`blocks` is {seconds:g}, so that every order times out")


@WORKERS("W04", "start")
def raises_nowhere(bench: WorkerBench) -> None:
    """An order is carried out, and what start, timers and threads raise is caught.

    Report what went wrong as an outcome with its reason; an exception says nothing to the people
    who wait::

        try:
            self.base.drive_to(place)
        except DriverError as error:
            host.finish(order.id, Outcome(False, Reported(f"blocked: {error}"), __name__))

    """
    for raised in only(bench.plain).raised:
        if not isinstance(raised.error, SystemExit):
            raise misbehaviour_of(raised)


@WORKERS("W05", "start")
def never_exits(bench: WorkerBench) -> None:
    """An order is carried out, and calls of `exit()` are caught.

    Finish with a failure; who runs the robots decides when the program ends::

        host.finish(order.id, Outcome(False, Reported("the battery is empty"), __name__))

    """
    for raised in only(bench.plain).raised:
        if isinstance(raised.error, SystemExit):
            raise Misbehaviour(f"{raised.call} called exit()", raised.place)


@WORKERS("W06", "start")
def ends(bench: WorkerBench) -> None:
    """An order is carried out until it ends.

    Every order ends with `host.finish`, also one that fails; set a timer, or announce the thread
    that will call it::

        host.clock.call_at(host.clock.now() + order.takes, end)

    """
    stage = bench.plain
    actor = only(stage)
    if actor.finishes or actor.raised:
        return
    if stage.overdue:
        name = stage.overdue[0]
        raise Misbehaviour(f"the announced work '{name}' was not done in time: call its done()")
    if actor.returned_unfinished:
        raise Misbehaviour("start() returned and had not called host.finish(), but it `blocks`")
    if stage.is_endless:
        raise Misbehaviour("it sets timers without end and never calls host.finish()")
    seconds = f"{stage.clock.now():g} s"
    raise Misbehaviour(f"host.finish() was not called in {seconds}, and nothing is due")


@WORKERS("W07", "start")
def ends_once(bench: WorkerBench) -> None:
    """Time goes on after the end.

    `host.finish` is called once; remember that the order has ended::

        if self._outcome is None:
            self._outcome = outcome
            host.finish(order.id, outcome)

    """
    actor = bench.healthy()
    if len(actor.finishes) > 1:
        raise Misbehaviour("host.finish() was called again", actor.finishes[1].place)


@WORKERS("W08", "start")
def is_silent_after_the_end(bench: WorkerBench) -> None:
    """Effects are looked for after the end.

    What the order has done is reported before `host.finish`, or with its outcome::

        host.finish(order.id, Outcome(True, effects=order.after))

    """
    actor = bench.healthy()
    ended = actor.reports.index(actor.finishes[0])
    for report in actor.reports[ended + 1 :]:
        if report.what == "sense":
            raise Misbehaviour("host.sense() was called after host.finish()", report.place)


@WORKERS("W09", "start")
def outcome_has_its_form(bench: WorkerBench) -> None:
    """The outcome of `host.finish` is read.

    It is an Outcome: whether it is well, why not, by which module, and the effects::

        Outcome(True, effects=(Effect("at", (order.agent,), "dock", "sensed"),))
        Outcome(False, Reported("blocked"), __name__)

    """
    _require_form(bench, "finish")


@WORKERS("W10", "start")
def effects_have_their_form(bench: WorkerBench) -> None:
    """The effects of `host.sense` are read.

    They are a tuple of Effects: a fact's name, a tuple of names, a value of plain data (no NaN, no
    objects), and where it is from (`expected`, `sensed` or `unknown`)::

        host.sense(order.id, (Effect("battery", (order.agent,), 80.0, "sensed"),))

    """
    _require_form(bench, "sense")


@WORKERS("W11", "start")
def names_its_order(bench: WorkerBench) -> None:
    """The ids in reports are compared with the order's.

    Each report has the id of the order that the worker was started with::

        host.finish(order.id, outcome)

    """
    actor = only(bench.plain)
    for report in actor.reports:
        if report.order_id != actor.order.id:
            what = f"host.{report.what}() gave the order {report.order_id!r}"
            raise Misbehaviour(f"{what}, not '{actor.order.id}'", report.place)


@WORKERS("W12", "start")
def effects_are_declared(bench: WorkerBench) -> None:
    """The effects are compared with the facts that the domain declares.

    Each fact is declared with these arguments, and the value is of its type::

        facts:
          battery: {args: [Robot], value: number}

    """
    actor = only(bench.plain)
    for report, effects in reported_effects(actor):
        for effect in effects:
            if why := bench.judge(effect):
                raise Misbehaviour(why, report.place)


@WORKERS("W13", "start")
def takes_no_time_in_steps_of_nothing(bench: WorkerBench) -> None:
    """The timers of an order are counted.

    Wait for what is due, or wake on an event; do not look again and again::

        host.clock.call_at(host.clock.now() + 0.1, self._look)

    """
    actor = bench.healthy()
    if len(actor.timers) > 1_000:
        raise Misbehaviour(f"it set {len(actor.timers):,} timers for an order")


@WORKERS("W16", "start")
def failure_has_a_reason(bench: WorkerBench) -> None:
    """The reasons of outcomes that are not ok are read.

    An outcome that is not ok has a failure with words that people understand::

        Outcome(False, Reported("the battery is empty"), __name__)

    """
    bench.healthy()
    for stage in (bench.plain, bench.faulty(0.5), bench.stopped):
        for actor in stage.actors:
            for report in (*actor.finishes, *actor.cancelled):
                outcome = report.value
                if not isinstance(outcome, Outcome) or outcome.ok is not False or report.bad:
                    continue
                if outcome.failure is None or not str(outcome.failure).strip():
                    raise Misbehaviour("an Outcome that is not ok has no reason", report.place)


def _require_form(bench: WorkerBench, what: str) -> None:
    for report in only(bench.plain).reports:
        if report.what == what and report.bad:
            raise Misbehaviour(report.bad, report.place)
