"""The trials of workers: instances, threads and the process around them."""

from __future__ import annotations

from dataclasses import replace

from treec.conformance.bench import (
    WorkerBench,
    first_place,
    only,
    require_quiet,
)
from treec.conformance.stage import Actor, Stage
from treec.conformance.trial import Misbehaviour, NotTried
from treec.conformance.worker_reports import (
    WORKERS,
    describe,
    require_no_prints,
    require_unchanged,
    verdict,
)


@WORKERS("W25", "__init__")
def two_at_once(bench: WorkerBench) -> None:
    """Two workers of the class carry out two orders at once.

    Each ends as it does alone: keep the state in the instance, never in the class or module::

        def __init__(self) -> None:
            self._outcome: Outcome | None = None

    """
    alone = bench.healthy()
    if bench.has_environment:
        raise NotTried("one agent cannot do two things at once")

    def script(stage: Stage) -> None:
        actors = [stage.actor(replace(bench.order, id=id)) for id in ("t1", "t2")]
        for actor in actors:
            actor.start()
        stage.play_until(lambda: all(actor.is_over for actor in actors), bench.limit)

    stage = bench.play(script)
    for actor in stage.actors:
        require_quiet(actor)
        if [report.order_id for report in actor.finishes] != [actor.order.id]:
            place = first_place([report.place for report in actor.finishes])
            raise Misbehaviour("of two workers at once one did not end as it does alone", place)
        if verdict(actor.finishes[0]) != verdict(alone.finishes[0]):
            what = f"beside another one it ended with {describe(actor.finishes[0])}"
            raise Misbehaviour(what, actor.finishes[0].place)


@WORKERS("W27", "__init__")
def the_same_again(bench: WorkerBench) -> None:
    """The same order is carried out twice, with the same seed.

    The same is reported at the same times, so that a run can be repeated. Randomness comes from
    the order's id and the seed of the run, time from the host's clock::

        rng = random.Random(order.id)
        now = host.clock.now()  # not time.time()

    """
    first, again = bench.healthy(), only(bench.again)
    require_quiet(again)
    one, other = _story(first), _story(again)
    if one == other:
        return
    for before, after in zip(one, other, strict=False):
        if before != after:
            place = again.reports[other.index(after)].place
            what = "the second time it reported something else, or at another time"
            raise Misbehaviour(what, place)
    raise Misbehaviour(f"it made {len(one)} reports the first time and {len(other)} the second")


@WORKERS("W33", "start")
def threads_are_announced(bench: WorkerBench) -> None:
    """The threads that report are compared with those that were announced.

    Announce a thread before it starts, so that virtual time waits for it and a deadline holds::

        work = host.begin_external("the arm", limit=30.0)

        def run() -> None:
            with work:
                host.finish(order.id, self.arm.move())

        threading.Thread(target=run, daemon=True).start()

    """
    actor = only(bench.plain)
    if actor.unannounced:
        what = "a thread reported that host.begin_external() had not announced"
        raise Misbehaviour(what, first_place(actor.unannounced))


@WORKERS("W34", "start")
def timers_are_set_in_the_loop(bench: WorkerBench) -> None:
    """The threads that set timers are looked at.

    The clock belongs to the loop's thread; from another one report, or post::

        work.post(value)

    """
    actor = only(bench.plain)
    if actor.timers_off_loop:
        what = "host.clock.call_at() was called outside the loop's thread"
        raise Misbehaviour(what, first_place(actor.timers_off_loop))


@WORKERS("W35", "cancel")
def no_thread_is_left(bench: WorkerBench) -> None:
    """The threads of the process are counted before and after.

    Threads end with their order, also when that is cancelled::

        def cancel(self) -> Outcome:
            self._stop_requested.set()

    """
    bench.healthy()
    for stage, when in ((bench.plain, "its end"), (bench.stopped, "cancel()")):
        if stage.watch.threads_left:
            name = stage.watch.threads_left[0]
            raise Misbehaviour(f"the thread '{name}' is still alive after {when}")


@WORKERS("W36", "start")
def nothing_is_printed(bench: WorkerBench) -> None:
    """Standard output is read.

    It belongs to the program that runs the robots, which may write JSON there; use `logging`::

        logging.getLogger(__name__).info("at %s", place)

    """
    require_no_prints(bench.plain)


@WORKERS("W37", "start")
def process_stays_as_it_is(bench: WorkerBench) -> None:
    """The working directory, `os.environ`, `sys.path`, handlers and the seed of `random` are read.

    They belong to the whole program; change what is your own::

        self._rng = random.Random(order.id)  # not random.seed()

    """
    require_unchanged(bench.plain)


def _story(actor: Actor) -> list[tuple[str, float | None, str]]:
    """What an actor reported; when, as far as that is the loop's."""
    return [(r.what, r.at if r.in_loop else None, repr(r.value)) for r in actor.reports]
