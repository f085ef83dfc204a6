"""Work outside the loop: virtual time waits for what was announced, and every clock is woken."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from tests.support import small_world
from tests.support.bench import library
from tests.support.extensions import install
from tests.support.files import KITCHEN, tree
from tests.support.workers import Blocks, InThread
from treec.api.embedded_tree import EmbeddedTree
from treec.files.view import View, on_environment
from treec.nodes.python import NodePorts
from treec.run.clocks import ChattingClock, PacedClock, SteppingClock
from treec.run.run import Run
from treec.world.clock import RealClock, VirtualClock
from treec.world.external import ExternalWork, ExternalWorks, unattended
from treec.world.inbox import Inbox
from treec.world.journal import Journal

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


class Hand:
    """A monotonic time that only tests move."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


Make = Callable[[Hand], VirtualClock | RealClock]
MAKES: list[Make] = [
    lambda hand: SteppingClock(),
    lambda hand: PacedClock(1.0, lambda seconds: None, monotonic=hand),
    lambda hand: ChattingClock(monotonic=hand),
    lambda hand: RealClock(monotonic=hand),
]
VIRTUAL = pytest.mark.parametrize("make", MAKES[:2], ids=["virtual", "paced"])
CLOCKS = pytest.mark.parametrize("make", MAKES, ids=["virtual", "paced", "chat", "real"])


@pytest.fixture(autouse=True)
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    go = threading.Event()
    monkeypatch.setattr(InThread, "GO", go)
    monkeypatch.setattr(InThread, "THREADS", [])
    monkeypatch.setattr(InThread, "TAKES", 0.0)
    monkeypatch.setattr(InThread, "LIMIT", 60.0)
    yield go
    go.set()
    for thread in InThread.THREADS:
        thread.join(GUARD)


GO_TO = KITCHEN["pack/go_to.skill.yaml"]
IN_THREAD = GO_TO.replace("treec.envs.symbolic:Effects", "tests.support.workers:InThread")
GOES = {
    **tree("skill: go_to\nwith: {agent: R1, place: pantry}"),
    "pack/go_to.skill.yaml": IN_THREAD,
}


def run_of(folder: Path, files: dict[str, str], clock: VirtualClock | RealClock) -> Run:
    system = KITCHEN["test.system.yaml"] + "at_end: stop\n"
    loaded = library(folder, {**files, "test.system.yaml": system})
    return Run(View(loaded, loaded.find("system", "test")), clock, Journal.in_memory())


def wait_for_threads(run: Run, go: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads work only while the loop waits, and the loop really waits for them."""
    wait = run.inbox.wait

    def waiting(seconds: float | None) -> bool:
        go.set()
        return wait(GUARD)

    monkeypatch.setattr(run.inbox, "wait", waiting)
    if isinstance(run.clock, ChattingClock):
        run.clock.wait = waiting


def kinds(run: Run, *wanted: str) -> list[tuple[float, str, Any]]:
    return [(r.t, r.kind, r.data) for r in run.journal.records if r.kind in wanted]


@CLOCKS
def test_a_worker_in_a_thread_is_noticed_when_it_ends(
    tmp_path: Path, make: Make, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path, GOES, make(Hand()))
    wait_for_threads(run, threads, monkeypatch)
    assert run.loop.run(deadline=100.0) == "finished"
    assert run.root.status is Status.SUCCESS
    ((t, _, data),) = kinds(run, "skill.ended")
    assert (t, data["ok"]) == (0.0, True)


@VIRTUAL
@pytest.mark.parametrize("is_early", [True, False])
def test_it_takes_virtual_time_however_fast_the_thread_is(
    tmp_path: Path,
    make: Make,
    is_early: bool,
    threads: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(InThread, "TAKES", 4.0)
    run = run_of(tmp_path, GOES, make(Hand()))
    if is_early:
        threads.set()
        run.loop.step()
        InThread.THREADS[0].join(GUARD)
    wait_for_threads(run, threads, monkeypatch)
    assert run.loop.run(deadline=100.0) == "finished"
    ((t, _, data),) = kinds(run, "skill.ended")
    assert (t, data["ok"]) == (4.0, True)


@VIRTUAL
def test_work_that_does_not_answer_is_an_alarm_and_time_goes_on(
    tmp_path: Path, make: Make, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand()
    monkeypatch.setattr(InThread, "LIMIT", 5.0)
    run = run_of(tmp_path, GOES, make(hand))
    run.runtime.external.monotonic = hand

    def waiting(seconds: float | None) -> bool:
        assert seconds is not None
        hand.time += seconds
        return run.inbox.ready()

    monkeypatch.setattr(run.inbox, "wait", waiting)
    assert run.loop.run(deadline=100.0) == "finished"
    assert hand.time == 5.0
    overdue, said, ended = kinds(run, "external.overdue", "said", "skill.ended")
    assert overdue[2] == {"name": "the gripper", "seconds": 5.0}
    assert said[2]["text"] == "the gripper has not answered for 5 s!"
    assert (ended[0], ended[2]["reason"]) == (30.0, "timed out after 30 s")


@pytest.mark.parametrize("make", MAKES[2:], ids=["chat", "real"])
def test_the_alarm_is_the_same_on_a_real_clock(
    tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand()
    monkeypatch.setattr(InThread, "LIMIT", 5.0)
    run = run_of(tmp_path, GOES, make(hand))
    run.runtime.external.monotonic = hand

    def waiting(seconds: float | None) -> bool:
        if not run.inbox.ready():
            hand.time += seconds or 0.0
        return run.inbox.ready()

    monkeypatch.setattr(run.inbox, "wait", waiting)
    if isinstance(run.clock, ChattingClock):
        run.clock.wait = waiting
    assert run.loop.run(deadline=100.0) == "finished"
    overdue, ended = kinds(run, "external.overdue", "skill.ended")
    assert (overdue[0], ended[0]) == (5.0, 30.0)


def test_the_work_of_a_cancelled_order_is_not_waited_for(tmp_path: Path) -> None:
    files = {**GOES, **tree("skill: go_to\nwith: {agent: R1, place: pantry}\ntimeout: 1s")}
    run = run_of(tmp_path, files, VirtualClock())
    run.loop.step()
    assert run.runtime.external.in_progress
    run.root.stop(Status.INVALID)
    assert not run.runtime.external.in_progress


class Download(Behaviour):
    """Gets a number in a thread, and is ticked only when it is there."""

    ports: ClassVar[dict[str, str]] = {"into": "out number"}
    wakes_itself: ClassVar[bool] = True
    ticks: ClassVar[list[float]] = []

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports

    def initialise(self) -> None:
        """Start the thread."""
        self.work = self.io.begin_external("the download")
        threading.Thread(target=self._fetch, args=(self.work,), daemon=True).start()

    def update(self) -> Status:
        """SUCCESS when it is done."""
        self.ticks.append(self.io.clock.now())
        if not self.work.is_done:
            return Status.RUNNING
        (value,) = self.work.take()
        self.io.set("into", value)
        return Status.SUCCESS

    def _fetch(self, work: ExternalWork) -> None:
        with work:
            if InThread.GO.wait(GUARD):
                work.post(42)


@CLOCKS
def test_a_node_class_of_ones_own_works_in_a_thread(
    tmp_path: Path, make: Make, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = f"node_classes={{'download': '{__name__}:Download'}}"
    install(tmp_path, monkeypatch, "web", nodes)
    root = "sequence:\n  - download: {into: $n}\n  - check: n == 42"
    run = run_of(tmp_path / "lib", tree(root, "vars: {n: number}\n"), make(Hand()))
    wait_for_threads(run, threads, monkeypatch)
    run.clock.call_at(7.0, lambda: None)
    assert run.loop.run(deadline=100.0) == "finished"
    assert run.root.status is Status.SUCCESS
    assert run.clock.now() == 0.0


def test_a_tree_inside_another_one_waits_for_it_too(
    tmp_path: Path, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path, GOES, SteppingClock())
    wait_for_threads(run, threads, monkeypatch)
    with EmbeddedTree("robot", run, 10.0) as embedded:
        embedded.tick_once()
        assert embedded.status is Status.RUNNING
        embedded.tick_once()
        assert embedded.status is Status.SUCCESS
    ((_, _, data),) = kinds(run, "skill.ended")
    assert data["ok"]


def test_values_are_taken_once_and_in_order() -> None:
    work = unattended("a sensor")
    work.post(1)
    work.post(2)
    assert (work.take(), work.take(), work.is_done) == ([1, 2], [], False)
    work.done()
    assert work.is_done


def test_what_is_held_comes_with_its_end_at_its_time() -> None:
    clock = VirtualClock()
    inbox = Inbox(clock)
    works = ExternalWorks(clock, inbox)
    work = works.begin("a sensor", takes=2.0)
    work.post(1)
    work.done()
    assert (work.take(), work.is_done, inbox.ready(), works.in_progress) == (
        [],
        False,
        False,
        False,
    )
    clock.advance()
    assert (work.take(), work.is_done, inbox.ready()) == ([1], True, True)


def test_words_from_outside_end_a_pause(tmp_path: Path) -> None:
    hand = Hand()

    def pause(seconds: float) -> None:
        hand.time += seconds
        if hand.time == 2.0:
            run.say("hello")

    files = tree("wait: 60s")
    run = run_of(tmp_path, files, PacedClock(1.0, pause, monotonic=hand))
    assert run.loop.run(deadline=100.0) == "finished"
    assert [t for t, _, _ in kinds(run, "said")] == [2.0]
    assert (run.clock.now(), hand.time) == (60.0, 60.0)


def test_an_environment_announces_its_work_to_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_world.install(tmp_path, monkeypatch, f"small = {small_world.__name__}:open_small")
    run = run_of(tmp_path / "lib", {**GOES, **tree("wait: 60s")}, SteppingClock())
    run.view.system = on_environment(run.system, "small")
    run.open_environments()
    work = small_world.SmallWorld.made[-1].setup.begin_external("the driver")
    assert run.runtime.external.in_progress
    work.done()
    assert not run.runtime.external.in_progress


# Workers that block


BLOCKS = {**GOES, "pack/go_to.skill.yaml": IN_THREAD.replace(":InThread", ":Blocks")}


@CLOCKS
def test_a_worker_that_blocks_is_started_in_a_thread(
    tmp_path: Path, make: Make, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path, BLOCKS, make(Hand()))
    wait_for_threads(run, threads, monkeypatch)
    assert run.loop.run(deadline=100.0) == "finished"
    assert run.root.status is Status.SUCCESS
    assert InThread.THREADS[0] is not threading.current_thread()


@CLOCKS
def test_a_worker_that_blocks_fails_when_its_time_is_over(
    tmp_path: Path, make: Make, threads: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand()
    run = run_of(tmp_path, BLOCKS, make(hand))
    run.runtime.external.monotonic = hand

    def waiting(seconds: float | None) -> bool:
        hand.time += min(seconds or 1.0, 1.0)
        return run.inbox.ready()

    monkeypatch.setattr(run.inbox, "wait", waiting)
    if isinstance(run.clock, ChattingClock):
        run.clock.wait = waiting
    assert run.loop.run(deadline=100.0) == "finished"
    ((_, _, data),) = kinds(run, "skill.ended")
    assert (data["ok"], data["reason"]) == (False, "timed out after 20 s")


@pytest.mark.parametrize(
    ("blocks", "forgets", "why"),
    [
        (20.0, True, "start() returned and had not called host.finish()"),
        ("long", False, "`blocks` gave a str, not a time in seconds"),
    ],
)
def test_a_worker_that_blocks_wrongly_is_told(
    tmp_path: Path,
    threads: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
    blocks: object,
    forgets: bool,
    why: str,
) -> None:
    monkeypatch.setattr(Blocks, "blocks", blocks)
    monkeypatch.setattr(Blocks, "FORGETS", forgets)
    run = run_of(tmp_path, BLOCKS, SteppingClock())
    wait_for_threads(run, threads, monkeypatch)
    assert run.loop.run(deadline=100.0) == "finished"
    ((_, _, data),) = kinds(run, "skill.ended")
    assert (data["ok"], data["reason"]) == (False, why)
