"""A stop stops, whatever the tree says: see treec.nodes.arbiter."""

from __future__ import annotations

from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from treec.nodes import arbiter
from treec.nodes.events import AgentNotAtRest, NodeFailed, SkillEnded, SkillStarted
from treec.team.events import Said
from treec.world.failures import Dropped, StepFailed, Stopped, failure_of

UNGUARDED = "skill: go_to\nwith: {agent: R1, place: pantry}"


def bench(folder: Path, root: str = UNGUARDED, worker: str = "") -> Bench:
    files = tree(f"{root}\nonce: true")
    if worker:
        text = KITCHEN["pack/go_to.skill.yaml"]
        text = text.replace("treec.envs.symbolic:Effects", f"tests.support.workers:{worker}")
        files["pack/go_to.skill.yaml"] = text
    b = Bench(folder, files)
    b.pass_time(2)
    return b


def test_interrupt_cancels_the_skill_without_a_tick(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("agent.interrupted", agent="R1")
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["cancelled"]) == (2.0, True)


def test_a_stopped_skill_waits_and_begins_again_when_its_agent_is_resumed(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("agent.interrupted", agent="R1")
    b.pass_time(20)
    assert b.tick() is Status.RUNNING
    assert len(b.told("skill.started")) == 1
    b.emit("agent.resumed", agent="R1")
    b.tick()
    assert len(b.told("skill.started")) == 2
    b.pass_time(5)
    assert b.fact("near", "R1") == "pantry"
    assert not b.told("node.failed")


def test_no_skill_begins_while_its_agent_is_interrupted(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(f"{UNGUARDED}\nonce: true"))
    b.emit("agent.interrupted", agent="R1")
    b.pass_time(20)
    assert not b.told("skill.started")


def test_the_skills_of_others_go_on(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.emit("agent.interrupted", agent="R2")
    b.pass_time(5)
    assert b.fact("near", "R1") == "pantry"


@pytest.mark.parametrize("root", [UNGUARDED, f"{UNGUARDED}\nretry: 3"])
def test_a_dropped_subtask_ends_the_skill_with_its_reason(tmp_path: Path, root: str) -> None:
    b = Bench(tmp_path, tree(f"{root}\nonce: true"))
    b.emit("subtask.added", id="get pepper", task="fetch", args={}, words="get pepper")
    b.emit("assigned", agent="R1", subtasks=["get pepper"])
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.tick()
    b.emit("subtask.dropped", subtasks=["get pepper"])
    (ended,) = b.told("skill.ended")
    assert ended.data["cancelled"]
    b.tick()
    (failed,) = [r.event for r in b.told("node.failed") if isinstance(r.event, NodeFailed)]
    assert failed.failure == StepFailed("go_to", ("pantry",), Dropped("get pepper"))


def test_failures_are_read_back() -> None:
    for failure in (Stopped("R1"), Dropped("get pepper")):
        assert failure_of(str(failure)) == failure


class Moving:
    """An environment in which R1 comes to rest at a time."""

    def __init__(self, b: Bench, rests_at: float) -> None:
        self.clock, self.rests_at = b.clock, rests_at

    def is_at_rest(self, agent: str) -> bool:
        return self.clock.now() >= self.rests_at


@pytest.mark.parametrize(
    ("rests_at", "said_at", "text"),
    [
        (2.0, 2.0, "R1 has stopped."),
        (2.3, 2.3, "R1 has stopped."),
        (60.0, 4.0, "R1 does not come to rest!"),
    ],
)
def test_nobody_says_has_stopped_before_the_environment_does(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rests_at: float,
    said_at: float,
    text: str,
) -> None:
    b = bench(tmp_path)
    runtime = b.run.runtime
    moving = Moving(b, rests_at)
    monkeypatch.setattr(runtime.environments, "opened", lambda name: moving)
    b.emit("agent.interrupted", agent="R1")
    runtime.arbiter.announce({"R1"}, "R1 has stopped.", "test")
    b.pass_time(10)
    (said,) = [r for r in b.journal.records if isinstance(r.event, Said)]
    assert said_at <= said.t <= said_at + arbiter.LOOK + 1e-9
    assert said.event.text == text  # type: ignore[attr-defined]
    alarms = [r for r in b.journal.records if isinstance(r.event, AgentNotAtRest)]
    assert len(alarms) == (rests_at > 2.0 + arbiter.REST)


def test_what_had_ended_when_it_was_stopped_stays_done(tmp_path: Path) -> None:
    b = bench(tmp_path)
    kinds = [type(r.event) for r in b.journal.records]
    assert SkillStarted in kinds
    assert SkillEnded not in kinds
    b.pass_time(5)
    b.emit("agent.interrupted", agent="R1")
    assert len(b.told("skill.ended")) == 1
