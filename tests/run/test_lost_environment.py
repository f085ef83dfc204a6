"""An environment that raises is lost: its skills are stopped, and the run goes on."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tests.run.test_environments import BOTH, GET, Small, kitchen
from tests.run.test_environments import small as small_world_installed
from tests.support.small_world import GRID, SmallWorld, Works
from treec.nodes.environment import EnvironmentSetup
from treec.nodes.guarded_environment import GuardedEnvironment
from treec.nodes.worker import Effect, Outcome
from treec.run import loop_watchdog
from treec.run.run import CannotRun
from treec.world.failures import LostEnvironment, StepFailed, failure_of
from treec.world.world import WorldError

__all__ = ["small_world_installed"]

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""


def raising(monkeypatch: pytest.MonkeyPatch, method: str, steps: int) -> None:
    """The small world raises in a method from a step on."""
    works = getattr(SmallWorld, method)

    def broken(self: SmallWorld, *args: object) -> object:
        if self.steps >= steps:
            raise ConnectionError("the line is dead")
        return works(self, *args)

    monkeypatch.setattr(SmallWorld, method, broken)


def loss(reason: object) -> LostEnvironment:
    """The loss that a journal gives this reason, which has the line that raised."""
    assert re.fullmatch(rf"the line is dead \(tests/run/{Path(__file__).name}:\d+\)", str(reason))
    return LostEnvironment("small", str(reason))


def test_its_skills_are_stopped_at_that_instant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, "step", 6)
    run = Small(tmp_path, kitchen(BOTH)).go()
    (lost,) = run.told("environment.lost")
    gone = loss(lost.data["reason"])
    assert lost.data["module"] == __name__
    assert lost.t == 1.5
    assert run.skills()[-1] == (1.5, "pick", False)
    for ended in run.told("node.failed"):
        failure = failure_of(str(ended.data["reason"]))
        assert isinstance(failure, StepFailed)
        assert failure.why == gone
    assert run.fact("at", "pepper") == (None, "unknown")
    said = [str(e.data["text"]) for e in run.told("said")]
    assert said == ["The connection to small is lost!"]


def test_none_begins_there_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, "step", 6)
    pick = "{skill: pick, with: {agent: R1, item: pepper}, retry: -1}"
    run = Small(tmp_path, kitchen(f"selector: [{pick}, {pick}]")).go()
    (lost,) = run.told("environment.lost")
    assert [e.data["skill"] for e in run.told("skill.started")] == ["go_to", "pick"]
    assert run.told("skill.started")[-1].t <= lost.t
    assert run.outcome is not None
    assert run.outcome.reason == "idle"


def test_an_error_in_sensing_when_a_skill_ends_is_a_loss_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, "sense", 2)
    run = Small(tmp_path, kitchen(GET)).go()
    assert run.told("environment.lost")


def test_one_that_cannot_be_sensed_at_the_start_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, "sense", 0)
    with pytest.raises(CannotRun, match="the environment 'small' cannot be sensed: the line is"):
        Small(tmp_path, kitchen(GET)).go()


def test_an_agent_whose_rest_cannot_be_sensed_is_not_said_to_have_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: SmallWorld, agent: str) -> bool:
        raise ConnectionError("the line is dead")

    monkeypatch.setattr(SmallWorld, "is_at_rest", broken, raising=False)
    run = Small(tmp_path, kitchen("wait: 60s"))
    run.run.open_environments()
    run.run.runtime.arbiter.announce([(("R1",), "R1 has stopped.")], "test")
    run.run.loop.run(deadline=60.0)
    said = [str(e.data["text"]) for e in run.told("said")]
    assert "R1 has stopped." not in said
    assert "R1 does not come to rest!" in said
    assert run.told("environment.lost")


def test_what_others_do_cannot_break_the_run_through_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, "notify", 0)
    run = Small(tmp_path, kitchen("wait: 60s"))
    run.run.open_environments()
    run.run.runtime.apply([Effect("near", ("R1",), "pantry")], "test")
    run.run.loop.run(deadline=60.0)
    assert run.told("environment.lost")


def test_an_exception_in_the_run_cancels_the_skills_before_the_run_ends(tmp_path: Path) -> None:
    cancelled: list[str] = []
    run = Small(tmp_path, kitchen(GET))
    cancel = run.run.runtime.worker("go_to", "R1").__class__.cancel

    def note(self: object) -> Outcome:
        cancelled.append("pick")
        return cancel(self)  # type: ignore[arg-type]

    def fail() -> None:
        if run.run.clock.now() > 0:
            raise RuntimeError("a hook")

    run.run.loop.after_tick.append(fail)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.support.small_world.Works.cancel", note)
        with pytest.raises(RuntimeError, match="a hook"):
            run.go()
    assert cancelled == ["pick"]
    kinds = [r.kind for r in run.journal.records]
    assert kinds.index("skill.ended") < kinds.index("run.end")


WAITS = """\
parallel:
  - {skill: pick, with: {agent: R1, item: pepper}, once: true, force_success: true}
  - {wait: 20s}
"""
"""R1 works in the small world, and something else in the run takes its time."""


def stuck(
    monkeypatch: pytest.MonkeyPatch, step: Callable[[SmallWorld, float], float], after: int = 6
) -> None:
    """The small world steps otherwise from a step on, and has a short patience."""
    steps = SmallWorld.step

    def other(self: SmallWorld, until: float) -> float:
        return step(self, until) if self.steps >= after else steps(self, until)

    monkeypatch.setattr(SmallWorld, "step", other)
    monkeypatch.setattr(SmallWorld, "patience", 0.05, raising=False)


def reports(self: SmallWorld, until: float) -> float:
    """Report again and again at the same instant."""
    for work in tuple(self.at_work.values()):
        worker = cast("Works", work.__self__)  # type: ignore[attr-defined]
        worker.host.sense(worker.order.id, (Effect("near", ("R1",), "pantry", "sensed"),))
    return self.steps * GRID


def turns_into_exit(self: SmallWorld, until: float) -> float:
    """Wait without end, and exit when that is interrupted."""
    try:
        threading.Event().wait(GUARD)
    except KeyboardInterrupt:
        sys.exit(0)
    return until


def catches(self: SmallWorld, until: float) -> float:
    """Wait without end, whatever is raised meanwhile."""
    while True:
        try:
            threading.Event().wait(GUARD)
        except BaseException:
            continue


STUCK: dict[str, tuple[Callable[[SmallWorld, float], float], str]] = {
    "it waits": (
        lambda self, until: until + float(threading.Event().wait(GUARD)),
        "step() did not return within 0.05 s",
    ),
    "it catches all interrupts": (catches, "step() did not return within 0.05 s"),
    "it exits when it is interrupted": (turns_into_exit, "step() did not return within 0.05 s"),
    "it gives the same time": (
        lambda self, until: self.steps * GRID,
        "its time stands still at 1.5 s: no advance in 0.05 s of step()",
    ),
    "it gives an earlier time": (
        lambda self, until: -1.0,
        "its time stands still at 1.5 s: no advance in 0.05 s of step()",
    ),
    "it reports without end": (
        reports,
        "its time stands still at 1.5 s: no advance in 100 reports of step()",
    ),
    "it gives no time": (
        lambda self, until: float("nan"),
        "step() gave nan, not a time in seconds",
    ),
}


@pytest.mark.parametrize("how", STUCK)
def test_one_that_no_longer_advances_is_lost_by_name_and_the_run_goes_on(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, says = STUCK[how]
    stuck(monkeypatch, step)
    monkeypatch.setattr(loop_watchdog, "LOOK", 0.01)
    monkeypatch.setattr(loop_watchdog, "STOPPING", 0.05)
    run = Small(tmp_path, kitchen(WAITS)).go()
    (lost,) = run.told("environment.lost")
    assert lost.data["name"] == "small"
    assert lost.data["reason"] == says
    assert run.skills()[-1][1:] == ("pick", False)
    assert run.run.clock.now() >= 20


def test_one_that_hangs_when_it_is_asked_for_rest_after_a_stop_is_lost_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only after the time that its calls have otherwise."""
    monkeypatch.setattr(loop_watchdog, "LOOK", 0.01)
    monkeypatch.setattr(loop_watchdog, "STOPPING", 0.05)
    monkeypatch.setattr(
        SmallWorld, "is_at_rest", lambda self, agent: threading.Event().wait(GUARD), raising=False
    )
    run = Small(tmp_path, kitchen(WAITS))
    run.run.clock.call_at(1.0, run.run.stop_button.press)
    run.go()
    (lost,) = run.told("environment.lost")
    assert lost.data["reason"] == "is_at_rest() did not return within 0.05 s"


def test_one_that_is_lost_as_the_run_ends_is_named(tmp_path: Path) -> None:
    run = Small(tmp_path, kitchen("wait: 60s"))

    def lose() -> None:
        environment = run.run.runtime.environments.find_open("small")
        assert environment is not None
        environment.lose(ConnectionError("the line is dead"))
        run.run.loop.stop()

    run.run.loop.after_tick.append(lose)
    run.go()
    (lost,) = run.told("environment.lost")
    assert "the line is dead" in str(lost.data["reason"])


def test_one_that_nothing_interrupts_does_not_hold_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends without its loop, and names the line."""
    abandoned: list[str] = []

    def deaf(self: SmallWorld, until: float) -> float:
        while not abandoned:
            try:
                catches_once()
            except BaseException:
                continue
        return until

    def catches_once() -> None:
        while not abandoned:
            try:
                threading.Event().wait(0.02)
            except BaseException:
                continue

    stuck(monkeypatch, deaf)
    monkeypatch.setattr(loop_watchdog, "LOOK", 0.01)
    monkeypatch.setattr(loop_watchdog, "STOPPING", 0.05)
    run = Small(tmp_path, kitchen(WAITS))
    run.run.on_abandoned = abandoned.extend
    run.go()
    assert any("test_lost_environment.py" in one for one in abandoned)
    assert run.journal.records[-1].kind == "run.end"


PICK = "{skill: pick, with: {agent: R1, item: lettuce}}"


def test_what_an_order_had_reported_is_kept_when_its_environment_then_holds_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker said that it was done; a resumed run must not do it again."""
    sense, run = SmallWorld.sense, Small(tmp_path, kitchen(PICK))
    held: list[str] = []

    def hold(self: SmallWorld) -> tuple[Effect, ...]:
        if self.steps and not held:
            held.append("now")
            watchdog = threading.Thread(target=run.run._abandon, args=("line",))
            watchdog.start()
            watchdog.join(GUARD)
        return sense(self)

    monkeypatch.setattr(SmallWorld, "sense", hold)
    run.run.on_abandoned = held.extend
    with pytest.raises(WorldError):  # a process would have ended meanwhile
        run.go()
    (ended,) = [r for r in run.told("skill.ended") if r.data["skill"] == "pick"]
    assert ended.data["ok"]
    assert run.fact("holding", "R1") == ("lettuce", "expected")


def test_time_in_which_nobody_asks_it_to_advance_does_not_count() -> None:
    times = iter([0.0, 0.0, 60.0, 60.0, 120.0, 120.0, 180.0, 180.0, 240.0, 240.0])
    small = SmallWorld(EnvironmentSetup("small", "", {}, {}))
    lost: list[str] = []
    guarded = GuardedEnvironment(
        "small", small, lambda name, why: lost.append(str(why)), monotonic=lambda: next(times)
    )
    small.step = lambda until: 0.0  # type: ignore[method-assign]
    for _ in range(5):
        guarded.step(1.0)
    assert lost == []


SENSED: dict[str, tuple[Effect, str]] = {
    "a fact that the domain lacks": (
        Effect("colour", ("R1",), "red", "sensed"),
        "the domain declares no fact 'colour'",
    ),
    "a number for a place": (Effect("near", ("R1",), 17, "sensed"), "near: '17' is not a Place"),
    "a place that there is not": (
        Effect("near", ("R1",), "attic", "sensed"),
        "near: 'attic' is not a Place of the scene (known: pantry, table)",
    ),
    "of a thing of another type": (
        Effect("near", ("pantry",), "pantry", "sensed"),
        "near: 'pantry' is a Place, but an Agent is expected here",
    ),
    "of too many": (
        Effect("near", ("R1", "R2"), "pantry", "sensed"),
        "near takes (Agent), not (R1, R2)",
    ),
}


@pytest.mark.parametrize("what", SENSED)
def test_one_that_senses_what_the_domain_lacks_is_lost_by_name(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    effect, says = SENSED[what]
    sense = SmallWorld.sense
    monkeypatch.setattr(SmallWorld, "sense", lambda self: (effect,) if self.steps else sense(self))
    run = Small(tmp_path, kitchen(WAITS)).go()
    (lost,) = run.told("environment.lost")
    assert lost.data["reason"] == f"sense() gave what the domain has not: {says}"
    assert run.run.clock.now() >= 20


def test_one_that_senses_without_end_is_lost_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sense = SmallWorld.sense
    many = (Effect("near", ("R1",), "pantry", "sensed"),) * 1_000_000
    monkeypatch.setattr(SmallWorld, "sense", lambda self: many if self.steps else sense(self))
    run = Small(tmp_path, kitchen(WAITS)).go()
    (lost,) = run.told("environment.lost")
    assert lost.data["reason"] == "sense() gave more than 10,000 at once"
