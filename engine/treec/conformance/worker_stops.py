"""The trials of workers: how they are cancelled."""

from __future__ import annotations

from dataclasses import replace

from treec.conformance.bench import (
    WorkerBench,
    held,
    only,
    require_quiet,
    require_released,
)
from treec.conformance.stage import Stage
from treec.conformance.trial import Misbehaviour, NotTried
from treec.conformance.worker_reports import (
    WORKERS,
    describe,
    reported_effects,
    require_cancelled,
    require_silence,
    verdict,
)


@WORKERS("W17", "cancel")
def cancel_before_the_start(bench: WorkerBench) -> None:
    """`cancel` is called before `start`.

    It returns an outcome that is not ok: a stop may come before a thread has begun::

        def __init__(self) -> None:
            self._timer: Timer | None = None

        def cancel(self) -> Outcome:
            if self._timer is not None:
                self._timer.cancel()
            return Outcome(False, Reported("cancelled"), __name__)

    """
    bench.healthy()

    def script(stage: Stage) -> None:
        stage.actor(bench.order).cancel()

    require_cancelled(bench.play(script))


@WORKERS("W18", "cancel")
def cancel_at_once(bench: WorkerBench) -> None:
    """`cancel` is called right after `start`.

    It stops the order and returns an Outcome::

        return Outcome(False, Reported("cancelled"), __name__)

    """
    bench.healthy()

    def script(stage: Stage) -> None:
        actor = stage.actor(bench.order)
        actor.start()
        actor.cancel()
        stage.go_on(2 * bench.order.takes + 1)

    stage = bench.play(script)
    require_cancelled(stage)
    require_silence(only(stage))


@WORKERS("W19", "cancel")
def cancel_halfway(bench: WorkerBench) -> None:
    """`cancel` is called halfway.

    It stops the order at once and returns an Outcome that is not ok::

        def cancel(self) -> Outcome:
            if self._timer is not None:
                self._timer.cancel()
            if self._outcome is None:
                self._outcome = Outcome(False, Reported("cancelled"), __name__)
            return self._outcome

    """
    stage = bench.stopped
    actor = only(stage)
    if actor.finishes and not actor.cancelled:
        raise NotTried("it ended before it could be cancelled")
    require_cancelled(stage)


@WORKERS("W20", "cancel")
def is_silent_after_cancel(bench: WorkerBench) -> None:
    """Time goes on after `cancel`.

    Nothing is reported any more: cancel the timers, and end the threads::

        self._timer.cancel()

    """
    actor = only(bench.stopped)
    if not actor.cancelled:
        raise NotTried("it could not be cancelled halfway")
    require_silence(actor)


@WORKERS("W21", "cancel")
def cancel_returns(bench: WorkerBench) -> None:
    """`cancel` is called on the loop's thread.

    It returns at once; a stop that waits for the arm is no stop for the others::

        self._stop_requested.set()  # and do not join the thread
        return Outcome(False, Reported("cancelled"), __name__)

    """
    stage = bench.stopped
    require_released(stage, "cancel()")
    if only(stage).cancel_seconds > bench.at_once:
        raise Misbehaviour(f"cancel() returned only after {only(stage).cancel_seconds:.1f} s")


@WORKERS("W22", "cancel")
def cancel_twice(bench: WorkerBench) -> None:
    """`cancel` is called twice.

    The second time nothing happens, and the outcome is the same::

        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), __name__)
        return self._outcome

    """
    actor = only(bench.stopped)
    if len(actor.cancelled) < 2:
        if actor.cancelled and actor.raised:
            require_quiet(actor)
        raise NotTried("it could not be cancelled twice")
    first, second = actor.cancelled[:2]
    if first.bad:
        raise NotTried("cancel() gave no Outcome")
    if second.bad:
        raise Misbehaviour(f"the second time {second.bad}")
    if verdict(first) != verdict(second):
        raise Misbehaviour(
            f"the second cancel() gave {describe(second)}, the first {describe(first)}"
        )


@WORKERS("W23", "cancel")
def cancel_after_the_end(bench: WorkerBench) -> None:
    """`cancel` is called after the end.

    The order keeps the outcome that it finished with::

        return self._outcome  # what host.finish() was given

    """
    bench.healthy()

    def script(stage: Stage) -> None:
        actor = stage.actor(bench.order)
        actor.start()
        stage.play_until(lambda: actor.is_over, bench.limit)
        actor.cancel()

    stage = bench.play(script)
    if stage.watch.is_held:
        raise held(stage)
    actor = only(stage)
    require_quiet(actor)
    (report,) = actor.cancelled
    if report.bad:
        raise Misbehaviour(report.bad)
    if verdict(report) != verdict(actor.finishes[0]):
        raise Misbehaviour(
            f"cancel() after the end gave {describe(report)}, and it had finished with "
            f"{describe(actor.finishes[0])}"
        )


@WORKERS("W24", "cancel")
def cancel_reports_nothing_twice(bench: WorkerBench) -> None:
    """The effects of `cancel` are compared with those that were reported before.

    It gives the effects that the host does not know yet::

        return Outcome(False, Reported("cancelled"), __name__, effects=self._not_reported)

    """
    actor = only(bench.stopped)
    if not actor.cancelled or actor.cancelled[0].bad:
        raise NotTried("it could not be cancelled halfway")
    known = [e for r, effects in reported_effects(actor) if r.what == "sense" for e in effects]
    for effect in actor.cancelled[0].value.effects:  # type: ignore[attr-defined]
        if effect in known:
            raise Misbehaviour(f"cancel() gave an Effect on {effect.fact} that had been reported")


@WORKERS("W26", "cancel")
def cancel_of_another(bench: WorkerBench) -> None:
    """One of two workers is cancelled, and the other goes on.

    A stop is for one robot: it ends nothing of another instance::

        self._timer.cancel()  # not one timer of the class

    """
    alone = bench.healthy()
    if bench.has_environment:
        raise NotTried("one agent cannot do two things at once")

    def script(stage: Stage) -> None:
        first, second = (stage.actor(replace(bench.order, id=id)) for id in ("t1", "t2"))
        first.start()
        second.start()
        stage.play_until(lambda: second.is_over, bench.half)
        first.cancel()
        stage.play_until(lambda: second.is_over, bench.limit)

    stage = bench.play(script)
    if stage.watch.is_held or len(stage.actors) < 2:
        raise NotTried("the play was held")
    second = stage.actors[1]
    require_quiet(second)
    if not second.finishes or verdict(second.finishes[0]) != verdict(alone.finishes[0]):
        raise Misbehaviour("when another worker is cancelled it does not end as it does alone")
