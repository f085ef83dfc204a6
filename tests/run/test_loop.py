import threading
from collections.abc import Callable

import py_trees
import pytest
from py_trees.behaviour import Behaviour
from py_trees.behaviours import Success
from py_trees.common import Status

from tests.support.events import Note
from treec.ask.asker import deliver_answer
from treec.ask.transport import Answer, Request, Scripted, ScriptedTransport
from treec.nodes.leaves.probe import Probe
from treec.nodes.modifiers.repeat import Repeat
from treec.run.loop import Loop, LoopError
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import FactSet, RunBegin, StateSet
from treec.world.facts import FactKind
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Journal
from treec.world.world import World
from treec_asking.driver import SteppedAsker

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


class Leaf(py_trees.behaviour.Behaviour):
    """Calls a function at each tick; remembers every time that it was stopped."""

    def __init__(self, name: str, update: Callable[[], Status] = lambda: Status.RUNNING) -> None:
        super().__init__(name)
        self.path = f"main/{name}"
        self._update = update
        self.ticks = 0
        self.started = 0
        self.stops: list[Status] = []

    def initialise(self) -> None:
        self.started += 1

    def update(self) -> Status:
        self.ticks += 1
        return self._update()

    def terminate(self, new_status: Status) -> None:
        self.stops.append(new_status)


class Bench:
    """A loop on the virtual clock."""

    def __init__(self, root: py_trees.behaviour.Behaviour | None = None, **options: object) -> None:
        self.clock = VirtualClock()
        self.inbox = Inbox(self.clock)
        self.journal = Journal.in_memory()
        self.world = World(
            self.clock, self.journal, facts=[FactKind("hot", ("Item",))], state={"count": 0}
        )
        self.leaf = Leaf("leaf")
        self.heard: list[tuple[float, str, object]] = []
        self.loop = Loop(
            root or self.leaf,
            self.world,
            self.clock,
            self.inbox,
            {"user": self.hear, "answer": deliver_answer},
            **options,  # type: ignore[arg-type]
        )

    def hear(self, message: InboxMessage) -> None:
        self.heard.append((message.time, message.source, message.payload))
        self.world.emit(Note(str(message.payload)), "user")

    def count(self) -> int:
        value = self.world.state["count"]
        assert isinstance(value, int)
        return value + 1

    def emit_count(self, by: str = "main/leaf") -> None:
        self.world.emit(StateSet("count", self.count()), by)


def test_with_nothing_to_happen_it_ticks_once_and_is_idle() -> None:
    bench = Bench()
    assert bench.loop.run() == "idle"
    assert bench.leaf.ticks == 1


def test_messages_are_handled_in_order_before_the_tick() -> None:
    bench = Bench()
    seen: list[int] = []
    bench.leaf._update = lambda: seen.append(bench.world.version) or Status.RUNNING  # type: ignore
    bench.inbox.post("user", "second", at=2.0)
    bench.inbox.post("user", "first", at=1.0)
    bench.loop.run()
    assert [payload for _, _, payload in bench.heard] == ["first", "second"]
    assert seen == [2]


def test_a_step_is_messages_then_hooks_then_tick_then_hooks() -> None:
    order: list[str] = []
    bench = Bench(
        before_tick=[lambda: order.append("before")], after_tick=[lambda: order.append("after")]
    )
    bench.loop.handlers["user"] = lambda message: order.append("message")
    bench.leaf._update = lambda: order.append("tick") or Status.RUNNING  # type: ignore
    bench.inbox.post("user", "hello")
    bench.loop.run()
    assert order == ["message", "before", "tick", "after"]


def test_a_change_during_a_tick_is_ticked_again_at_once() -> None:
    bench = Bench()

    def update() -> Status:
        if bench.count() <= 3:
            bench.emit_count()
        return Status.RUNNING

    bench.leaf._update = update
    assert bench.loop.run() == "idle"
    assert bench.leaf.ticks == 4
    assert bench.clock.now() == 0.0


def test_a_change_after_a_tick_is_ticked_again_and_one_before_it_is_not() -> None:
    bench = Bench()
    bench.loop.after_tick.append(lambda: None if bench.count() > 1 else bench.emit_count("after"))
    bench.loop.run()
    assert bench.leaf.ticks == 2
    bench = Bench()
    bench.loop.before_tick.append(lambda: None if bench.count() > 1 else bench.emit_count("before"))
    bench.loop.run()
    assert bench.leaf.ticks == 1


def test_a_wake_during_a_tick_asks_for_one_more() -> None:
    bench = Bench()
    bench.leaf._update = lambda: (bench.leaf.ticks == 1 and bench.loop.wake()) or Status.RUNNING
    bench.loop.run()
    assert bench.leaf.ticks == 2


def test_virtual_time_goes_from_timer_to_timer() -> None:
    bench = Bench()
    times: list[float] = []
    bench.leaf._update = lambda: times.append(bench.clock.now()) or Status.RUNNING  # type: ignore
    bench.clock.call_at(7200.0, lambda: None)
    bench.clock.call_at(1.5, lambda: bench.inbox.post("user", "hello"))
    assert bench.loop.run() == "idle"
    assert times == [0.0, 1.5, 7200.0]
    assert bench.heard == [(1.5, "user", "hello")]


def test_it_is_done_when_until_holds_after_a_tick() -> None:
    bench = Bench()
    bench.leaf._update = lambda: Status.SUCCESS
    assert bench.loop.run(until=lambda: bench.loop.root.status == Status.SUCCESS) == "done"
    assert bench.leaf.ticks == 1


def test_a_deadline_ends_the_run_after_what_is_due_at_it() -> None:
    bench = Bench()
    bench.clock.call_at(5.0, lambda: None)
    bench.clock.call_at(9.0, lambda: None)
    assert bench.loop.run(deadline=5.0) == "deadline"
    assert (bench.clock.now(), bench.leaf.ticks) == (5.0, 2)
    assert bench.loop.run(deadline=7.0) == "deadline"
    assert bench.clock.now() == 7.0


def test_stop_ends_the_run_once() -> None:
    bench = Bench()
    bench.clock.call_at(1.0, bench.loop.stop)
    bench.clock.call_at(2.0, lambda: None)
    assert bench.loop.run() == "stopped"
    assert (bench.clock.now(), bench.leaf.ticks) == (1.0, 1)
    assert bench.loop.run() == "idle"
    assert bench.clock.now() == 2.0


def test_virtual_time_stands_still_for_what_is_expected_from_outside() -> None:
    outside = threading.Event()
    bench = Bench(expecting=lambda: not outside.is_set())
    bench.clock.call_at(60.0, lambda: None)
    ticked = threading.Event()

    def answer() -> None:
        assert ticked.wait(GUARD)
        outside.set()
        bench.inbox.post("user", "an answer")

    thread = threading.Thread(target=answer)
    thread.start()
    bench.loop.after_tick.append(ticked.set)
    assert bench.loop.run() == "idle"
    thread.join()
    assert bench.heard == [(0.0, "user", "an answer")]
    assert bench.clock.now() == 60.0


def test_a_message_that_nobody_handles_is_an_error() -> None:
    bench = Bench()
    bench.inbox.post("robot", "hello")
    with pytest.raises(LoopError, match="no handler for messages from 'robot'"):
        bench.loop.run()


def restless(bench: Bench) -> list[str]:
    return [str(r.data["node"]) for r in bench.journal.records if r.kind == "branch.restless"]


def test_a_tree_that_never_rests_fails() -> None:
    bench = Bench()
    bench.leaf._update = lambda: bench.emit_count() or Status.RUNNING  # type: ignore
    assert bench.loop.run() == "idle"
    assert 200 <= bench.leaf.ticks <= 210
    assert bench.leaf.status is Status.FAILURE
    assert bench.leaf.feedback_message == "does not come to rest: 201 ticks at 0 s"
    assert restless(bench) == ["main/leaf"]


def test_a_tree_that_finishes_every_tick_and_wakes_the_loop_fails_too() -> None:
    bench = Bench()
    bench.leaf._update = lambda: bench.loop.wake() or Status.SUCCESS  # type: ignore
    assert bench.loop.run() == "idle"
    assert restless(bench) == ["main/leaf"]


def test_waking_for_ever_fails() -> None:
    bench = Bench()
    bench.leaf._update = lambda: bench.loop.wake() or Status.RUNNING  # type: ignore
    assert bench.loop.run() == "idle"
    assert restless(bench) == ["main/leaf"]


def test_what_no_node_does_is_an_error() -> None:
    bench = Bench()
    bench.loop.after_tick.append(bench.loop.wake)
    with pytest.raises(LoopError, match="it is woken at each tick"):
        bench.loop.run()


def test_steps_by_hand_are_not_counted() -> None:
    bench = Bench()
    for _ in range(500):
        assert not bench.loop.step()
    assert bench.leaf.ticks == 500


def test_many_ticks_are_fine_while_time_passes() -> None:
    bench = Bench()

    def update() -> Status:
        # One change at each instant: the tree comes to rest, and then time goes on.
        if bench.clock.next_due() is None and bench.clock.now() < 1000.0:
            bench.clock.call_at(bench.clock.now() + 1.0, lambda: None)
            bench.emit_count()
        return Status.RUNNING

    bench.leaf._update = update
    assert bench.loop.run() == "idle"
    assert bench.leaf.ticks > 1000


def raising(times: int) -> tuple[Bench, Leaf, Leaf]:
    """A running leaf beside one that raises so many times, both new in a parallel in a sequence."""
    left = [times]

    def update() -> Status:
        if left[0]:
            left[0] -= 1
            raise ValueError(f"bad luck {object()}")
        return Status.RUNNING

    runner, raiser = Leaf("runner"), Leaf("raiser", update)
    policy = py_trees.common.ParallelPolicy.SuccessOnAll()
    parallel = py_trees.composites.Parallel("parallel", policy, children=[runner, raiser])
    root = py_trees.composites.Sequence("root", memory=True, children=[parallel])
    return Bench(root), runner, raiser


def test_a_raise_is_an_event_that_names_the_node_and_the_module() -> None:
    bench, _, _ = raising(1)
    bench.loop.run()
    (record,) = bench.journal.records
    assert (record.kind, record.by) == ("node.raised", "main/raiser")
    assert record.data == {
        "path": "main/raiser",
        "error": "ValueError: bad luck <object object>",
        "module": __name__,
    }


def test_after_a_raise_nothing_stays_and_the_next_tick_starts_afresh() -> None:
    bench, runner, raiser = raising(1)
    bench.loop.step()
    assert {node.status for node in bench.loop.root.iterate()} == {Status.INVALID}
    assert runner.stops == [Status.INVALID]
    assert raiser.stops == [Status.INVALID]
    bench.loop.step()
    assert (runner.started, raiser.started) == (2, 2)
    assert bench.loop.root.status == Status.RUNNING


def test_three_raises_in_a_row_are_too_many() -> None:
    bench, runner, _ = raising(3)
    with pytest.raises(LoopError, match=r"main/raiser raised in 3 ticks in a row.*bad luck") as e:
        bench.loop.run()
    assert isinstance(e.value.__cause__, ValueError)
    assert runner.status == Status.INVALID
    bench, _, raiser = raising(2)
    assert bench.loop.run() == "idle"
    assert raiser.ticks == 3


def test_a_node_that_cannot_be_stopped_does_not_keep_the_others_running() -> None:
    bench, runner, raiser = raising(0)

    def stuck(new_status: Status) -> None:
        raise RuntimeError("stuck")

    raiser.terminate = stuck  # type: ignore[method-assign]
    runner_after = Leaf("after")
    parallel = bench.loop.root.children[0]
    parallel.add_child(runner_after)
    bench.loop.step()
    assert runner_after.status == Status.RUNNING
    bench.loop.shutdown()
    assert {node.status for node in bench.loop.root.iterate()} == {Status.INVALID}
    assert runner.stops == [Status.INVALID]
    assert runner_after.stops == [Status.INVALID]


def test_shutdown_halts_what_runs_and_shuts_down() -> None:
    bench, runner, raiser = raising(0)
    down: list[str] = []
    runner.shutdown = lambda: down.append("runner")  # type: ignore[method-assign]
    bench.loop.run()
    assert runner.status == Status.RUNNING
    bench.loop.shutdown()
    assert (runner.stops, raiser.stops) == ([Status.INVALID], [Status.INVALID])
    assert down == ["runner"]


def test_visitors_and_handlers_of_py_trees_work() -> None:
    bench = Bench()
    seen: list[str] = []

    class Visitor(py_trees.visitors.VisitorBase):
        def __init__(self) -> None:
            super().__init__(full=False)

        def run(self, behaviour: py_trees.behaviour.Behaviour) -> None:
            seen.append(behaviour.name)

    bench.loop.tree.add_visitor(Visitor())
    bench.loop.tree.add_post_tick_handler(lambda tree: seen.append("post"))
    bench.loop.run()
    assert seen == ["leaf", "post"]


class Asking(Leaf):
    """Asks when started, runs until the answer has come, cancels when stopped."""

    def __init__(self, name: str, asker: SteppedAsker) -> None:
        super().__init__(name)
        self._asker = asker
        self.answer: Answer | Exception | None = None

    def initialise(self) -> None:
        self.answer = None
        request = Request(self.name, "decision", (), {}, {})
        self.handle = self._asker.start(request, self.receive, deadline=20.0)

    def receive(self, answer: Answer | Exception) -> None:
        self.answer = answer

    def update(self) -> Status:
        return Status.RUNNING if self.answer is None else Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        if new_status == Status.INVALID:
            self.handle.cancel()


def whole_run() -> str:
    """Two nodes that ask, a person who speaks, facts that change: the journal's text."""
    bench = Bench()
    script = {"a": [Scripted("yes", 1.25)], "b": [Scripted({"choose": "x"}, 0.1 + 0.2)]}
    asker = SteppedAsker(ScriptedTransport(script, clock=bench.clock), bench.clock, bench.inbox)
    leaves = [Asking(name, asker) for name in ("a", "b")]
    policy = py_trees.common.ParallelPolicy.SuccessOnAll()
    root = py_trees.composites.Parallel("root", policy, children=leaves)
    loop = Loop(root, bench.world, bench.clock, bench.inbox, bench.loop.handlers)
    bench.world.emit(RunBegin(seed=7), "run")

    def told() -> None:
        for leaf in leaves:
            if leaf.answer is not None and not bench.world.facts.is_known("hot", [leaf.name]):
                bench.world.emit(FactSet("hot", (leaf.name,), source="told"), leaf.path)

    loop.after_tick.append(told)
    bench.clock.call_at(1.0, lambda: bench.inbox.post("user", "hello"))
    assert loop.run(until=lambda: root.status == Status.SUCCESS) == "done"
    return bench.journal.text()


def test_the_same_run_gives_the_same_journal_byte_for_byte() -> None:
    text = whole_run()
    assert text == whole_run()
    assert text.splitlines() == [
        '{"n":1,"t":0.0,"kind":"run.begin","by":"run","data":{"format":1,"seed":7}}',
        '{"n":2,"t":0.3,"kind":"fact.set","by":"main/b",'
        '"data":{"args":["b"],"fact":"hot","source":"told","value":true}}',
        '{"n":3,"t":1.0,"kind":"note","by":"user","data":{"text":"hello"}}',
        '{"n":4,"t":1.25,"kind":"fact.set","by":"main/a",'
        '"data":{"args":["a"],"fact":"hot","source":"told","value":true}}',
    ]


# The real clock, with time that a test moves and an inbox that does not really wait


class Hand:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


class HandInbox(Inbox):
    """Waiting moves the hand instead."""

    hand: Hand

    def __init__(self, clock: RealClock, hand: Hand) -> None:
        super().__init__(clock)
        self.hand = hand
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None) -> bool:
        self.waits.append(timeout)
        if not self.ready():
            assert timeout is not None
            self.hand.time += timeout
        return self.ready()


class RealBench(Bench):
    """A loop on a real clock moved by hand."""

    def __init__(self, speed: float = 1.0, **options: object) -> None:
        super().__init__()
        self.hand = Hand()
        self.real = RealClock(speed, self.hand)
        self.hand_inbox = HandInbox(self.real, self.hand)
        self.world = World(self.real, self.journal, state={"count": 0})
        self.loop = Loop(
            self.leaf,
            self.world,
            self.real,
            self.hand_inbox,
            {"user": self.hear},
            **options,  # type: ignore[arg-type]
        )


def test_idle_it_does_not_tick_and_calls_the_hooks_of_waiting() -> None:
    calls: list[float] = []
    bench = RealBench(while_waiting=[lambda: calls.append(bench.hand.time)])
    assert bench.loop.run(deadline=100.0) == "deadline"
    assert bench.leaf.ticks == 1
    assert set(bench.hand_inbox.waits) == {1.0}
    assert calls == [float(second) for second in range(1, 101)]


# What a tick means is the same on both clocks


BENCHES = pytest.mark.parametrize("make", [Bench, RealBench])


@BENCHES
def test_a_running_behaviour_of_others_is_ticked_at_the_rate_of_the_system(
    make: Callable[..., Bench],
) -> None:
    bench = make(tick_period=0.25)
    times: list[float] = []
    bench.leaf._update = lambda: (
        times.append(bench.loop.clock.now()) or Status.SUCCESS
        if len(times) == 4
        else times.append(bench.loop.clock.now()) or Status.RUNNING
    )
    assert bench.loop.run(until=lambda: bench.loop.has_finished, deadline=9.0) == "done"
    assert times == [0.0, 0.25, 0.5, 0.75, 1.0]


@BENCHES
def test_one_that_wakes_itself_is_ticked_when_it_does(make: Callable[..., Bench]) -> None:
    bench = make(tick_period=0.25)
    bench.leaf.wakes_itself = True  # type: ignore[attr-defined]
    bench.loop.clock.call_at(2.0, bench.loop.wake)
    bench.loop.run(deadline=9.0)
    assert bench.leaf.ticks == 2


@BENCHES
def test_a_probe_is_ticked_at_that_rate_and_other_leaves_of_treec_are_not(
    make: Callable[..., Bench],
) -> None:
    for wakes_itself, ticks in ((False, 5), (True, 1)):
        probe = Probe("probe", "RRRRS")
        probe.wakes_itself = wakes_itself  # type: ignore[misc]
        bench = make(tick_period=0.25, at_end="stop")
        bench.loop.tree.root = probe
        statuses: list[Status] = []
        probe.on_tick = lambda node, status, found=statuses: found.append(status)
        bench.loop.run(deadline=9.0)
        assert len(statuses) == ticks


@BENCHES
@pytest.mark.parametrize(
    ("at_end", "starts", "end"),
    [("stop", [0.0], 0.0), ("wait", [0.0, 5.0], 9.0), ("restart", [n / 2 for n in range(19)], 9.0)],
)
def test_what_the_end_of_the_root_means(
    make: Callable[..., Bench], at_end: str, starts: list[float], end: float
) -> None:
    bench = make(at_end=at_end, tick_period=0.5)
    times: list[float] = []

    def update() -> Status:
        times.append(bench.loop.clock.now())
        bench.emit_count()
        return Status.SUCCESS

    bench.leaf._update = update
    bench.loop.clock.call_at(5.0, lambda: bench.loop.inbox.post("user", "hello"))
    reason = bench.loop.run(deadline=9.0)
    assert reason in (("finished",) if at_end == "stop" else ("idle", "deadline"))
    assert times == starts
    assert bench.loop.clock.now() in (end, times[-1])


def test_it_waits_no_longer_than_to_the_next_timer() -> None:
    bench = RealBench(speed=2.0)
    fired: list[float] = []
    bench.real.call_at(0.5, lambda: fired.append(bench.real.now()))
    assert bench.loop.run(until=lambda: bool(fired)) == "done"
    assert fired == [0.5]
    assert bench.hand_inbox.waits == [0.25]


def test_a_message_is_handled_without_waiting() -> None:
    bench = RealBench()
    bench.hand_inbox.post("user", "hello")
    assert bench.loop.run(until=lambda: bool(bench.heard)) == "done"
    assert bench.hand_inbox.waits == []


def test_a_tree_that_never_rests_fails_on_the_real_clock_too() -> None:
    bench = RealBench()
    bench.leaf._update = lambda: bench.emit_count() or Status.RUNNING  # type: ignore
    assert bench.loop.run(until=lambda: bench.leaf.status is Status.FAILURE) == "done"
    assert restless(bench) == ["main/leaf"]


def test_another_thread_wakes_and_stops_a_waiting_loop() -> None:
    clock = RealClock()
    inbox = Inbox(clock)
    ticked = threading.Event()
    leaf = Leaf("leaf", lambda: ticked.set() or Status.RUNNING)  # type: ignore
    # A rate so slow that only what another thread does can end this in time.
    world = World(clock, Journal.in_memory())
    loop = Loop(leaf, world, clock, inbox, {}, poll=GUARD)
    reasons: list[str] = []
    thread = threading.Thread(target=lambda: reasons.append(loop.run()))
    thread.start()
    assert ticked.wait(GUARD)
    ticked.clear()
    loop.wake()
    assert ticked.wait(GUARD / 2)
    loop.stop()
    thread.join(GUARD / 2)
    assert reasons == ["stopped"]


def bench_of_repeats(*cycles: int) -> Bench:
    """A leaf that succeeds at once, in repetitions within repetitions; the innermost first."""
    bench = Bench()
    node: Behaviour = Success("leaf")
    for count in cycles:
        node = Repeat("repeat", count, node)
        node.wake = bench.loop.wake
    bench.loop.replace_tree(node)
    return bench


@pytest.mark.parametrize("cycles", [(300,), (30, 40)])
def test_limited_repetition_at_one_instant_is_work(cycles: tuple[int, ...]) -> None:
    bench = bench_of_repeats(*cycles)
    bench.loop.at_end = "stop"
    assert bench.loop.run() == "finished"
    assert bench.loop.root.status is Status.SUCCESS


@pytest.mark.parametrize("cycles", [(-1,), (300, -1)])
def test_repetition_without_limit_fails(cycles: tuple[int, ...]) -> None:
    bench = bench_of_repeats(*cycles)
    assert bench.loop.run() == "idle"
    assert bench.loop.root.status is Status.FAILURE
    assert restless(bench)
