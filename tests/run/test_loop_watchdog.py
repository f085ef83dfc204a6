"""Code that holds the loop is named, and interrupted when the run is to end."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import cast

import pytest
from py_trees.behaviour import Behaviour
from py_trees.behaviours import Success

from tests.run.test_foreign_code import TWO, Result
from tests.support.foreign import Wrong
from treec.foreign import guard
from treec.nodes.worker import Host, WorkOrder
from treec.run import loop_watchdog
from treec.run.loop import Loop as RealLoop
from treec.run.loop_watchdog import HELD, STOPPING, LoopWatchdog, foreign_line

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


IMPORT = "importlib._bootstrap"


class Loop:
    """What a watchdog sees of a loop."""

    beats = 0
    turn_began = None
    tick_budget = None
    is_stopping = False


class Hand:
    """A monotonic time that only tests move."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


def frame_in(*modules: str) -> FrameType:
    """The innermost of calls from module to module."""
    call: Callable[[], object] = sys._getframe
    for name in reversed(modules):
        scope: dict[str, object] = {"__name__": name, "inner": call}
        exec(compile("def call(): return inner()", f"/x/{name}.py", "exec"), scope)
        call = cast("Callable[[], object]", scope["call"])
    return cast(FrameType, call())


class Watched:
    """A watchdog over this very line."""

    def __init__(self) -> None:
        self.loop, self.hand, self.interrupts = Loop(), Hand(), 0
        self.dog = LoopWatchdog(
            self.loop,  # type: ignore[arg-type]
            monotonic=self.hand,
            frames=lambda: {threading.get_ident(): frame_in("treec.run.run", "depot.arm")},
            interrupt=self.interrupt,
            is_awaited=lambda: self.is_awaited,
        )
        self.is_awaited = False

    def interrupt(self) -> None:
        self.interrupts += 1

    def look(self, after: float) -> None:
        self.hand.time += after
        with guard("depot.arm"):
            self.dog.look()


def test_what_holds_the_loop_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched()
    watched.look(HELD - 0.1)
    assert caplog.messages == []
    watched.look(0.2)
    watched.look(HELD)
    (told,) = caplog.messages
    assert told.startswith("x/depot.arm.py:1 has blocked")
    assert "has blocked the loop for 5 s" in told
    watched.loop.beats += 1
    watched.look(HELD)
    watched.look(HELD)
    assert len(caplog.messages) == 2


def test_it_is_told_soon_while_a_stop_is_awaited(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched()
    watched.is_awaited = True
    watched.look(STOPPING - 0.1)
    assert caplog.messages == []
    watched.look(0.2)
    assert "has blocked the loop for 1 s" in caplog.messages[0]
    assert watched.interrupts == 0  # the run goes on


@pytest.mark.parametrize("is_stopping", [False, True])
def test_a_call_is_given_less_time_while_a_stop_is_awaited(is_stopping: bool) -> None:
    """Where the run is to end what holds it is named first, and interrupted with the loop."""
    watched = Watched()
    watched.is_awaited, watched.loop.is_stopping = True, is_stopping
    watched.look(0.1)
    with guard("depot.arm", within=5.0) as call:
        call.began -= STOPPING
        watched.look(STOPPING - 0.2)
    assert watched.interrupts == (not is_stopping)


def test_it_is_interrupted_only_when_the_run_is_to_end() -> None:
    watched = Watched()
    watched.look(10 * HELD)
    assert watched.interrupts == 0
    watched.loop.is_stopping = True
    watched.look(0.1)
    watched.look(0.1)
    assert watched.interrupts == 1


def test_a_node_that_is_still_being_built_has_no_name() -> None:
    """It may be seen by the watchdog before its constructor has given it one."""

    def constructor(node: Behaviour) -> FrameType:
        return sys._getframe()

    loop = RealLoop.__new__(RealLoop)
    loop.beats, loop.turn_began, loop.tick_budget, loop.suspect = 0, 0.0, None, ""
    frame = constructor(Success.__new__(Success))
    dog = LoopWatchdog(
        loop,
        monotonic=Hand(),
        frames=lambda: {threading.get_ident(): frame},
        is_awaited=lambda: False,
    )
    dog._look_at_turn()
    assert loop.suspect == ""


def test_a_run_that_steps_is_left_alone() -> None:
    watched = Watched()
    watched.loop.is_stopping = True
    watched.look(STOPPING - 0.1)
    watched.loop.beats += 1
    watched.look(STOPPING)
    assert watched.interrupts == 0


@pytest.mark.parametrize(
    ("called", "stack", "line"),
    [
        (None, ["treec.run.run"], None),
        (None, ["depot.script", "treec.run.run", "treec.run.loop"], None),
        ("depot.arm", ["treec.run.run", "treec.nodes.skill_run", "depot.arm"], "/depot.arm.py:1"),
        ("depot.arm", ["treec.run.run", "depot.arm", "depot.port", "socket"], "/depot.port.py:1"),
        ("depot.arm", ["treec.run.run", "depot.arm", "numpy.linalg"], "/depot.arm.py:1"),
        ("depot.arm", ["treec.run.run", "depot.arm", IMPORT, "numpy"], "/depot.arm.py:1"),
        ("depot.arm", ["treec.run.run", "depot.arm", "treec.world.clock"], "/depot.arm.py:1"),
        ("depot.arm", ["treec.run.run", "depot.arm", "treec_hearing", IMPORT, "numpy"], None),
        ("treec_sapien.env", ["treec.run.run", "treec_sapien.motion", "numpy.linalg"], None),
        ("treec_hearing.ear", ["treec.run.run", "treec_hearing.ear", IMPORT, "hassil"], None),
        (None, ["treec.run.run", "treec_hearing", "hassil"], None),
        (None, ["treec.run.run", "treec.cli.live_piped", "codecs"], None),
    ],
)
def test_whose_line_is_told(called: str | None, stack: list[str], line: str | None) -> None:
    told = foreign_line(frame_in(*stack), called)
    assert told is None if line is None else told is not None and told.endswith(line), told


def test_a_signal_ends_a_run_that_a_worker_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loop_watchdog, "STOPPING", 0.0)
    monkeypatch.setattr(loop_watchdog, "LAST", GUARD)
    monkeypatch.setattr(loop_watchdog, "LOOK", 0.01)
    caplog.set_level(logging.WARNING)
    runs: list[RealLoop] = []
    made = RealLoop.__init__

    def note(self: RealLoop, *args: object, **values: object) -> None:
        made(self, *args, **values)  # type: ignore[arg-type]
        runs.append(self)

    def block(order: WorkOrder, host: Host) -> None:
        runs[0].stop()
        threading.Event().wait(GUARD)

    monkeypatch.setattr(RealLoop, "__init__", note)
    monkeypatch.setattr(Wrong, "START", block)
    result = Result(tmp_path, TWO)
    assert result.outcome.reason == "stopped"
    assert "tests/run/test_loop_watchdog.py:" in caplog.text
    (skill,) = (e for e in result.told("skill.ended") if e["skill"] == "push")
    assert skill["cancelled"]  # its worker was told
    (ended,) = result.told("run.end")
    assert ended["reason"] == "stopped"


def test_threads_that_pass_on_a_stop_wait_for_no_endless_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stop goes through up to five threads, each of which waits that long for an endless loop."""
    before = sys.getswitchinterval()
    loop = Loop()
    monkeypatch.setattr(loop, "wait_for_stop", threading.Event().wait, raising=False)
    with LoopWatchdog(cast(RealLoop, loop)):
        assert sys.getswitchinterval() == pytest.approx(loop_watchdog.SWITCH)
    assert sys.getswitchinterval() == before
