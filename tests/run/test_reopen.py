"""A lost environment is opened again: what its robots do is asked, and nothing is begun twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.test_environments import Small, kitchen
from tests.run.test_environments import small as small_world_installed
from tests.support import small_world
from tests.support.files import KITCHEN
from tests.support.small_world import SmallWorld
from treec.nodes import environments, guarded_environment
from treec.nodes.environment import EnvironmentSetup
from treec.world import bounded

__all__ = ["small_world_installed"]

GUARD = 600.0
"""Real seconds that a call may take: a busy machine loses no environment."""

PICK = "skill: pick\nwith: {agent: R1, item: pepper}\nretry: 5"


def breaking(
    monkeypatch: pytest.MonkeyPatch, *, steps: int = 6, refuses: int = 0, busy: int = 0
) -> list[str]:
    """The first small world breaks in a step; so many times no other one can be opened then.

    The new one says for so many looks that R1 still picks. Returns what was opened.
    """
    step, opened = SmallWorld.step, list[str]()

    def broken(self: SmallWorld, until: float) -> float:
        if self is SmallWorld.made[0] and self.steps >= steps:
            raise ConnectionError("the line is dead")
        return step(self, until)

    def open_again(setup: EnvironmentSetup) -> SmallWorld:
        if opened and len(opened) <= refuses:
            opened.append("refused")
            raise ConnectionError("nobody answers")
        opened.append("opened")
        world = SmallWorld(setup)
        world.facts = SmallWorld.made[0].facts  # it is the same robot
        return world

    left = [busy]

    def doing(self: SmallWorld, agent: str) -> str:
        if self is SmallWorld.made[0] or agent != "R1" or not left[0]:
            return ""
        left[0] -= 1
        return "pick(pepper)"

    for module, bound in (
        (environments, "USUAL"),
        (guarded_environment, "PATIENCE"),
        (bounded, "BOUND"),
    ):
        monkeypatch.setattr(module, bound, GUARD)
    monkeypatch.setattr(SmallWorld, "step", broken)
    monkeypatch.setattr(SmallWorld, "doing", doing, raising=False)
    monkeypatch.setattr(small_world, "open_small", open_again)
    return opened


def reopening(root: str, spec: str) -> dict[str, str]:
    files = kitchen(root)
    files["test.system.yaml"] = f"{KITCHEN['test.system.yaml']}reopen: {spec}\n"
    return files


def test_it_is_opened_again_and_the_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = breaking(monkeypatch)
    run = Small(tmp_path, reopening(PICK, "{every: 5s, attempts: 3}")).go()
    (lost,), (back,) = run.told("environment.lost"), run.told("environment.back")
    assert (lost.t, back.t, back.data["attempt"]) == (1.5, 6.5, 1)
    assert opened == ["opened", "opened"]
    assert SmallWorld.made[0].closed
    failed = [event.data["to"].get("FAILURE", ()) for event in run.told("ticked")]  # type: ignore
    assert not [nodes for nodes in failed if 0 in nodes]  # its `retry` has another attempt
    assert run.fact("holding", "R1") == ("pepper", "sensed")
    assert not [s for s in run.told("skill.started") if lost.t < s.t < back.t]
    said = [str(e.data["text"]) for e in run.told("said")]
    assert said == ["The connection to small is lost!", "The connection to small is there again."]


def test_a_robot_that_is_still_at_it_begins_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking(monkeypatch, busy=4)
    run = Small(tmp_path, reopening(PICK, "{every: 1s}")).go()
    (back,) = run.told("environment.back")
    assert back.data["doing"] == {"R1": "pick(pepper)"}
    (again,) = [s for s in run.told("skill.started") if s.t > back.t]
    assert again.t == pytest.approx(back.t + 4 * 0.2)  # four looks later


def test_it_stays_lost_after_so_many_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = breaking(monkeypatch, refuses=99)
    run = Small(tmp_path, reopening(PICK, "{every: 2s, attempts: 3}")).go()
    assert opened == ["opened", "refused", "refused", "refused"]
    first, last = run.told("environment.lost")
    assert last.t == first.t + 6
    assert "not there again in 3 attempts" in str(last.data["reason"])
    assert "nobody answers" in str(last.data["reason"])
    assert run.outcome is not None
    assert run.outcome.reason == "idle"


def test_without_it_an_environment_stays_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = breaking(monkeypatch)
    run = Small(tmp_path, kitchen(PICK)).go()
    assert (opened, run.told("environment.back")) == (["opened"], [])
