"""An environment that raises is lost: its skills are stopped, and the run goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.run.test_environments import BOTH, GET, Small, kitchen
from tests.run.test_environments import small as small_world_installed
from tests.support.small_world import SmallWorld
from treec.nodes.worker import Effect, Outcome
from treec.run.run import CannotRun
from treec.world.failures import LostEnvironment, StepFailed, failure_of

__all__ = ["small_world_installed"]


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
