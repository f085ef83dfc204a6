"""A stop is a stop, whatever hangs: all are told, and who does not confirm is named."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.bench import library
from tests.support.files import KITCHEN, tree
from tests.support.hanging import GUARD, HANGS, Arm, Hang, Spin, Stage
from treec.files.view import View
from treec.run import loop_watchdog, stop_button
from treec.run.clocks import SteppingClock
from treec.run.run import Run, RunOutcome
from treec.world import bounded
from treec.world.clock import RealClock
from treec.world.journal import Journal, events

GO = KITCHEN["pack/go_to.skill.yaml"].replace(
    "treec.envs.symbolic:Effects", "tests.support.hanging:Arm"
)
ROBOTS = """\
parallel:
  - {skill: go_to, with: {agent: R1, place: pantry}}
  - {skill: go_to, with: {agent: R2, place: pantry}}
"""
BOTH = f"{ROBOTS}  - {{tests.support.hanging:Spin: {{}}}}\n"
LATE = "did not confirm its stop within 0.05 s"


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    stage = Stage()
    monkeypatch.setattr(Arm, "stage", stage, raising=False)
    monkeypatch.setattr(Spin, "stage", stage, raising=False)
    monkeypatch.setattr(bounded, "BOUND", 0.05)
    yield stage
    stage.end.set()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog and the stop button do not give the loop any time."""
    for module, name in (
        *((loop_watchdog, name) for name in ("GRACE", "LOOK", "STOPPING", "LAST")),
        *((stop_button, name) for name in ("GRACE", "HELD", "UNHEARD")),
    ):
        monkeypatch.setattr(module, name, 0.01)


class Stopped:
    """A run that ``stop`` is done to once both robots have begun."""

    def __init__(
        self,
        folder: Path,
        root: str = BOTH,
        stop: Callable[[Run], object] = lambda run: run.loop.stop(),
        *,
        real: bool = False,
        skill: str = GO,
    ) -> None:
        agents = {name: KITCHEN[name] for name in ("pack/R1.agent.yaml", "pack/R2.agent.yaml")}
        loaded = library(folder, {**tree(root), "pack/go_to.skill.yaml": skill, **agents})
        self.journal = Journal.in_memory()
        view = View(loaded, loaded.find("system", "test"))
        clock = RealClock() if real else SteppingClock()
        self.run = Run(view, clock, self.journal)
        begun = threading.Event()

        def look() -> None:
            if len(self.told("skill.started")) == 2 and not begun.is_set():
                begun.set()
                stop(self.run)

        self.run.loop.after_tick.append(look)
        self.outcome: RunOutcome = self.run.go()

    def told(self, kind: str) -> list[Any]:
        return [e.data for r in self.journal.records for e in events(r) if e.kind == kind]

    @property
    def alarms(self) -> list[str]:
        return [e["what"] for e in self.told("stop.unconfirmed")]

    @property
    def said(self) -> list[str]:
        return [e["text"] for e in self.told("said")]


@pytest.mark.parametrize("real", [False, True], ids=["virtual time", "real time"])
@pytest.mark.parametrize("hang", HANGS.values(), ids=list(HANGS))
def test_a_cancel_that_hangs_is_named_and_the_other_robot_is_told(
    hang: Hang, real: bool, stage: Stage, tmp_path: Path
) -> None:
    stage.does["cancel R1"] = hang
    run = Stopped(tmp_path, real=real)
    assert run.outcome.unconfirmed == (f"R1's go_to {LATE}",)
    assert (run.outcome.reason, run.outcome.ok) == ("stopped", False)
    assert stage.told["R2"].is_set()
    ends = {e["agent"]: e for e in run.told("skill.ended")}
    assert ends["R1"]["unconfirmed"]
    assert "unconfirmed" not in ends["R2"]
    assert run.told("run.end") == [{"ok": False, "reason": "stopped"}]


def test_all_are_told_before_one_is_waited_for_and_before_a_node_is_halted(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "BOUND", GUARD)
    seen: list[bool] = []
    stage.does["cancel R1"] = lambda end: seen.append(stage.told["R2"].wait(GUARD))
    stage.does["terminate"] = lambda end: seen.append(all(e.is_set() for e in stage.told.values()))
    run = Stopped(
        tmp_path, BOTH.replace("parallel:\n", "parallel:\n  - {tests.support.hanging:Spin: {}}\n")
    )
    assert seen == [True] * 3
    assert run.outcome.unconfirmed == ()


def test_a_timeout_tells_all_below_it_before_one_is_waited_for(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "BOUND", GUARD)
    seen: list[bool] = []
    stage.does["cancel R1"] = lambda end: seen.append(stage.told["R2"].wait(GUARD))
    Stopped(tmp_path, f"{ROBOTS}timeout: 1s\n", lambda run: None)
    assert seen == [True]


def test_a_cancel_that_raises_is_named(stage: Stage, tmp_path: Path) -> None:
    def boom(end: threading.Event) -> None:
        raise RuntimeError("no link")

    stage.does["cancel R1"] = boom
    (sentence,) = Stopped(tmp_path).outcome.unconfirmed
    assert sentence.startswith("R1's go_to did not confirm its stop: RuntimeError: no link (")


@pytest.mark.parametrize("method", ["terminate", "shutdown"])
def test_a_node_that_hangs_is_named_and_the_run_ends(
    method: str, stage: Stage, tmp_path: Path
) -> None:
    stage.does[method] = HANGS["waits"]
    run = Stopped(tmp_path)
    assert run.outcome.unconfirmed == (f"the node main/Spin ({method}) {LATE}",)
    assert [e["cancelled"] for e in run.told("skill.ended")] == [True, True]


def test_who_confirms_late_is_not_named_at_the_end(stage: Stage, tmp_path: Path) -> None:
    late = threading.Event()

    def end_late(end: threading.Event) -> None:
        late.wait(GUARD)

    def release(end: threading.Event) -> None:
        late.set()
        (call,) = [m.call for m in run_stops()]
        assert call is not None
        call.wait(GUARD)

    stops: list[Any] = []
    run_stops = lambda: list(stops[0]._missed.values())  # noqa: E731
    stage.does |= {"cancel R1": end_late, "shutdown": release}
    run = Stopped(tmp_path, stop=lambda run: (stops.append(run.runtime.stops), run.loop.stop()))
    assert run.alarms == ["R1's go_to"]
    assert run.outcome.unconfirmed == ()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("call", ["update", "start R2"])
def test_a_hang_in_the_tick_keeps_no_worker_from_being_told(
    call: str, stage: Stage, tmp_path: Path
) -> None:
    def hold(end: threading.Event) -> None:
        if len(stage.calls) > 1:
            runs[0].loop.stop()
            assert stage.told["R1"].wait(GUARD)
            end.wait(GUARD)  # until the watchdog interrupts

    runs: list[Run] = []
    made = Run.__post_init__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "__post_init__", lambda self: (made(self), runs.append(self)))
        stage.does[call] = hold
        run = Stopped(tmp_path, stop=lambda run: None)
    assert run.outcome.reason == "stopped"
    assert stage.told["R1"].is_set()


@pytest.mark.usefixtures("quick")
def test_the_stop_button_tells_all_while_a_node_holds_the_loop(
    stage: Stage, tmp_path: Path
) -> None:
    def hold(end: threading.Event) -> None:
        if begun:
            begun[0].stop_button.press()
            assert all(told.wait(GUARD) for told in stage.told.values())
            end.wait(GUARD)

    begun: list[Run] = []
    stage.does["update"] = hold
    run = Stopped(tmp_path, stop=lambda run: (begun.append(run), run.loop.wake()))
    assert run.outcome.reason == "stopped"


@pytest.mark.usefixtures("quick")
def test_words_that_stop_a_robot_are_heard_while_a_node_holds_the_loop(
    stage: Stage, tmp_path: Path
) -> None:
    def hold(end: threading.Event) -> None:
        if begun:
            begun.pop().say("R2, stop!")
            assert stage.told["R2"].wait(GUARD)
            assert not stage.told["R1"].is_set()
            end.wait(GUARD)

    begun: list[Run] = []
    stage.does["update"] = hold
    Stopped(tmp_path, stop=lambda run: (begun.append(run), run.loop.wake()))
    assert stage.told["R2"].is_set()


def test_stopped_is_not_said_of_who_does_not_confirm(stage: Stage, tmp_path: Path) -> None:
    def press(run: Run) -> None:
        run.stop_button.press()
        run.clock.call_at(run.clock.now() + 10.0, run.loop.stop)

    stage.does["cancel R1"] = HANGS["waits"]
    run = Stopped(tmp_path, stop=press)
    assert run.said == ["R2 has stopped.", "R1 does not come to rest!"]
    assert run.alarms == ["R1's go_to"]


@pytest.mark.usefixtures("quick")
def test_a_run_whose_loop_nobody_can_interrupt_ends_without_it(
    stage: Stage, tmp_path: Path
) -> None:
    abandoned = threading.Event()
    named: list[str] = []

    def stubborn(end: threading.Event) -> None:
        if begun:
            begun[0].loop.stop()
            while not abandoned.is_set():
                try:
                    abandoned.wait(GUARD)
                except BaseException:
                    continue

    def note(unconfirmed: Any) -> None:
        named.extend(unconfirmed)
        abandoned.set()

    def begin(run: Run) -> None:
        run.on_abandoned = note
        begun.append(run)
        run.loop.wake()

    begun: list[Run] = []
    stage.does["update"] = stubborn
    run = Stopped(tmp_path, stop=begin)
    assert all(told.is_set() for told in stage.told.values())
    assert [name.partition(":")[0] for name in named] == ["tests/run/test_hanging_stops.py"]
    assert run.told("run.end") == [{"ok": False, "reason": "stopped"}]
