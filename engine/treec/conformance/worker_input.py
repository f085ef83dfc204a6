"""The trials of workers: planned faults and bad arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from treec.conformance.bench import (
    WorkerBench,
    held,
    misbehaviour_of,
    only,
    require_quiet,
)
from treec.conformance.stage import Stage
from treec.conformance.trial import Misbehaviour, NotTried
from treec.conformance.worker_reports import (
    WORKERS,
)
from treec.nodes.foreign import BadReport, check_outcome


@WORKERS("W14", "start")
def fault_halfway_is_an_outcome(bench: WorkerBench) -> None:
    """An order has a planned fault after half of its time.

    It ends with an outcome that is not ok and has the fault's reason, so that a scenario can try
    what the robots do then::

        if order.fault is not None:
            outcome = Outcome(False, Reported(order.fault.reason), __name__)

    """
    _require_fault(bench, 0.5)


@WORKERS("W15", "start")
def fault_at_the_start_is_an_outcome(bench: WorkerBench) -> None:
    """An order has a planned fault at its very start.

    It ends with an outcome that is not ok, by `host.finish`; never by an exception::

        takes = order.takes * order.fault.at if order.fault else order.takes

    """
    _require_fault(bench, 0.0)


@WORKERS("W28", "start")
def order_stays_as_it_is(bench: WorkerBench) -> None:
    """The order is compared before and after.

    An order belongs to the run; copy what you change::

        args = dict(order.args)

    """
    actor = only(bench.plain)
    if actor.args.changed is not None:
        raise Misbehaviour("it changed the arguments of its order", actor.args.changed)
    if dict(actor.args.values_of) != dict(bench.order.args):
        raise Misbehaviour("it changed a value among the arguments of its order")


@WORKERS("W29", "start")
def missing_argument(bench: WorkerBench) -> None:
    """An argument is missing.

    The order ends with a failure that names the argument::

        level = order.args.get("level")
        if not isinstance(level, int | float):
            why = Reported(f"{order.skill}: 'level' must be a number, not {level!r}")
            host.finish(order.id, Outcome(False, why, __name__))
            return

    """
    names = (*bench.kinds.numbers, *bench.kinds.things)
    _require_refusals(bench, [(name, _MISSING) for name in names])


@WORKERS("W30", "start")
def number_that_is_none(bench: WorkerBench) -> None:
    """A number is NaN, or infinite.

    The order ends with a failure that names the argument::

        if not math.isfinite(level):
            why = Reported(f"{order.skill}: 'level' must be finite, not {level}")

    """
    numbers = bench.kinds.numbers
    _require_refusals(bench, [(n, value) for n in numbers for value in (float("nan"), _INFINITE)])


@WORKERS("W31", "start")
def unknown_name(bench: WorkerBench) -> None:
    """A thing's name is one that nobody knows.

    It ends, and if with a failure, then with one that says the name. Where there is an environment
    it has to fail::

        if place not in self.map:
            why = Reported(f"there is no place '{place}'")

    """
    _require_refusals(bench, [(name, "no such thing 7") for name in bench.kinds.things])


@WORKERS("W32", "start")
def argument_of_another_type(bench: WorkerBench) -> None:
    """Arguments are None, a list and an object.

    The order ends with a failure that names the argument, or does not look at it::

        if not isinstance(place, str):
            why = Reported(f"{order.skill}: 'place' must be a name, not {place!r}")

    """
    names = (*bench.kinds.numbers, *bench.kinds.things)
    wrong: list[Any] = [None, ["a", "list"], object()]
    _require_refusals(bench, [(name, value) for name in names for value in wrong])


_MISSING = object()
_INFINITE = float("inf")


def _require_fault(bench: WorkerBench, at: float) -> None:
    bench.healthy()
    stage = bench.faulty(at)
    if stage.watch.is_held:
        raise held(stage)
    actor = only(stage)
    require_quiet(actor)
    if not actor.finishes:
        raise Misbehaviour("an order with a planned fault does not end")
    report = actor.finishes[0]
    if report.bad:
        raise Misbehaviour(report.bad, report.place)
    outcome = actor.outcome
    if outcome is None or outcome.ok:
        raise Misbehaviour("an order with a planned fault ended well", report.place)
    if "slipped" not in str(outcome.failure):
        _require_own_reason(bench, str(outcome.failure))
        why = f"the reason is {str(outcome.failure)!r}, not that of the planned fault, 'slipped'"
        raise Misbehaviour(why, report.place)


def _require_refusals(bench: WorkerBench, cases: list[tuple[str, Any]]) -> None:
    bench.healthy()
    if not cases:
        raise NotTried("the order has no such argument")
    for name, value in cases:
        given = {key: old for key, old in bench.order.args.items() if key != name}
        if value is not _MISSING:
            given[name] = value
        stage = bench.play_order(replace(bench.order, args=given))
        _require_refusal(bench, stage, name, value)


def _require_refusal(bench: WorkerBench, stage: Stage, name: str, value: Any) -> None:
    how = f"without '{name}'" if value is _MISSING else f"with {name}={_shown(value)}"
    if stage.watch.is_held:
        raise Misbehaviour(f"{how} {stage.call} does not return", stage.watch.held)
    actor = only(stage)
    for raised in actor.raised:
        found = misbehaviour_of(raised)
        raise Misbehaviour(f"{how} {found}", found.place)
    if not actor.finishes:
        raise Misbehaviour(f"{how} the order does not end")
    report = actor.finishes[0]
    try:
        outcome = check_outcome(report.value, "host.finish()")
    except BadReport as error:
        raise Misbehaviour(f"{how} {error}", report.place) from None
    if not outcome.ok:
        reason = str(outcome.failure)
        said = "<object object" if type(value) is object else str(value)
        if name not in reason and said not in reason:
            _require_own_reason(bench, reason)
            what = f"{how} it failed with {reason!r}, which names neither argument nor value"
            raise Misbehaviour(what, report.place)
        return
    if name not in actor.args.read:
        return
    if isinstance(value, str) and not bench.has_environment:
        return  # nobody has said which names there are
    raise Misbehaviour(f"{how} it ended well, although it read that argument", report.place)


def _shown(value: object) -> str:
    return "an object" if type(value) is object else repr(value)


def _require_own_reason(bench: WorkerBench, reason: str) -> None:
    """Raise NotTried if the order fails for that reason even when all is right."""
    outcome = bench.healthy().outcome
    if outcome is not None and not outcome.ok and str(outcome.failure) == reason:
        raise NotTried(f"the order fails by itself: {reason}")
