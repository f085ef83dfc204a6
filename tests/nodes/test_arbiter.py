"""A stop stops, whatever the tree says: see treec.nodes.arbiter."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from treec.nodes import arbiter
from treec.nodes.environment import Environment
from treec.nodes.events import AgentNotAtRest, NodeFailed, SkillEnded, SkillStarted
from treec.nodes.unsaid_stops import unsaid_stops
from treec.nodes.worker import Effect
from treec.run.run import Run
from treec.source.template import TextTemplate
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.events import EventRefused
from treec.world.failures import Dropped, StepFailed, Stopped, TakenBack, failure_of
from treec.world.journal import Journal, Record
from treec_asking.bind import bind
from treec_asking.commit import check, commit

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


@pytest.mark.parametrize("root", [UNGUARDED, f"{UNGUARDED}\nretry: 3", f"{UNGUARDED}\nretry: -1"])
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
    b.pass_time(20)
    assert len(b.told("skill.started")) == 1


def test_a_program_of_a_dropped_subtask_begins_no_skill_whatever_the_tree_does(
    tmp_path: Path,
) -> None:
    program = "{program: Steps, with: {agent: R1, subtask: get pepper}}"
    b = at_work(tmp_path, f"selector:\n  - {program}\n  - {program}")
    b.tick()
    b.emit("subtask.dropped", subtasks=["get pepper"])
    b.pass_time(20)
    assert len(b.told("skill.started")) == 1
    assert reasons(b) == [StepFailed("pick", ("pepper",), Dropped("get pepper"))] * 2


def drop_while_held(b: Bench) -> None:
    b.emit("agent.interrupted", agent="R1")
    b.pass_time(20)
    b.emit("subtask.dropped", subtasks=["get pepper"])
    b.emit("agent.resumed", agent="R1")
    b.pass_time(20)


def at_work(folder: Path, root: str = UNGUARDED) -> Bench:
    """R1 is about to do a skill for its subtask."""
    b = Bench(folder, tree(f"{root}\nonce: true"))
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    return b


def reasons(b: Bench) -> list[object]:
    return [r.event.failure for r in b.told("node.failed") if isinstance(r.event, NodeFailed)]


def test_work_that_is_taken_back_ends_at_once_and_waits_for_somebody_else(tmp_path: Path) -> None:
    b = at_work(tmp_path, f"{UNGUARDED}\nretry: -1")
    b.pass_time(1)
    b.emit("subtask.released", subtasks=["get pepper", "get pepper"])
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["cancelled"]) == (1.0, True)
    b.pass_time(20)
    assert len(b.told("skill.started")) == 1
    assert reasons(b) == [StepFailed("go_to", ("pantry",), TakenBack("get pepper"))]
    subtask = b.team.now.subtasks["get pepper"]
    assert (subtask.status, subtask.agent, subtask.ready) == ("waiting", None, True)
    assert b.team.now.agents["R1"].status == "Idle"
    b.assign("R2", "get pepper")
    assert b.team.now.subtasks["get pepper"].agent == "R2"


def test_a_failure_of_work_that_was_taken_back_is_not_reported(tmp_path: Path) -> None:
    report = "on_failure: [{report: {subtask: get pepper, failed: $reason}}]"
    b = at_work(tmp_path, f"{UNGUARDED}\n{report}")
    b.pass_time(1)
    b.emit("subtask.released", subtasks=["get pepper"])
    b.pass_time(20)
    assert not b.told("subtask.failed")
    assert b.team.now.subtasks["get pepper"].status == "waiting"


@pytest.mark.parametrize(
    ("id", "reason"),
    [("get salt", "'get salt' is assigned to nobody"), ("get pepper", "is done already")],
)
def test_what_nobody_has_cannot_be_taken_back(tmp_path: Path, id: str, reason: str) -> None:
    b = at_work(tmp_path)
    b.add("get salt", item="salt")
    b.emit("subtask.done", subtask="get pepper")
    with pytest.raises(EventRefused, match=reason):
        b.emit("subtask.released", subtasks=[id])


SELECTOR = """\
selector:
  - {skill: go_to, with: {agent: R1, place: pantry}}
  - {skill: pick, with: {agent: R1, item: lettuce}}
  - {skill: pick, with: {agent: R1, item: lettuce}, retry: 3}
"""


def test_bare_skills_beside_a_dropped_one_do_not_begin_for_it(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(f"{SELECTOR}once: true"))
    b.add("get pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.pass_time(1)
    b.emit("subtask.dropped", subtasks=["get pepper"])
    b.pass_time(20)
    assert [e.data["skill"] for e in b.told("skill.started")] == ["go_to"]
    assert {step.why for step in reasons(b) if isinstance(step, StepFailed)} == {
        Dropped("get pepper")
    }


def test_skills_without_a_subtask_begin_again_after_the_tick_of_the_drop(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(SELECTOR))
    b.add("get pepper")
    b.assign("R1", "get pepper")
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.pass_time(1)
    b.emit("subtask.dropped", subtasks=["get pepper"])
    assert b.tick() is Status.FAILURE
    b.tick()
    assert [e.data["skill"] for e in b.told("skill.started")] == ["go_to", "go_to"]


def test_a_stopped_skill_of_a_dropped_subtask_does_not_begin_again(tmp_path: Path) -> None:
    b = at_work(tmp_path)
    b.pass_time(2)
    drop_while_held(b)
    assert len(b.told("skill.started")) == 1
    assert reasons(b) == [StepFailed("go_to", ("pantry",), Dropped("get pepper"))]


def test_a_held_skill_of_a_dropped_subtask_does_not_begin(tmp_path: Path) -> None:
    b = at_work(tmp_path, "skill: pick\nwith: {agent: R1, item: pepper}")
    b.tick()
    drop_while_held(b)  # in its repair
    assert b.skills() == ["go_to R1 cancelled"]
    assert reasons(b) == [StepFailed("pick", ("pepper",), Dropped("get pepper"))]


def test_a_subtask_dropped_after_its_skill_began_again_ends_it(tmp_path: Path) -> None:
    b = at_work(tmp_path)
    b.tick()
    b.emit("agent.interrupted", agent="R1")
    b.emit("agent.resumed", agent="R1")
    b.tick()
    b.emit("subtask.dropped", subtasks=["get pepper"])
    assert len(b.told("skill.started")) == 2
    assert [r.data["cancelled"] for r in b.told("skill.ended")] == [True, True]


TOGETHER = "skill: meet\nwith: {agent: R1, other: R2}"
MEET = """\
skill: meet
about: Do something together.
args: {agent: Robot, other: Agent}
takes: 4s
runs: {symbolic: treec.envs.symbolic:Effects}
"""


def meeting(skill: str = MEET) -> dict[str, str]:
    robot = KITCHEN["pack/R1.agent.yaml"].replace("place: {}", "place: {}, meet: {}")
    return {"pack/meet.skill.yaml": skill, "pack/R1.agent.yaml": robot}


@pytest.mark.parametrize("stopped", ["R1", "R2"])
def test_a_joint_skill_stops_with_each_robot_in_it(tmp_path: Path, stopped: str) -> None:
    b = Bench(tmp_path, {**tree(f"{TOGETHER}\nonce: true"), **meeting()})
    b.pass_time(2)
    b.emit("agent.interrupted", agent=stopped)
    b.pass_time(20)
    assert b.skills() == ["meet R1 cancelled"]
    b.emit("agent.resumed", agent=stopped)
    b.pass_time(5)
    assert b.skills()[1:] == ["meet R1 ok"]


def test_a_skill_with_a_person_goes_on_when_that_person_stops(tmp_path: Path) -> None:
    with_user = TOGETHER.replace("R2", "user")
    b = Bench(tmp_path, {**tree(f"{with_user}\nonce: true"), **meeting()})
    b.pass_time(2)
    b.emit("agent.interrupted", agent="user")
    b.pass_time(3)
    assert b.skills() == ["meet R1 ok"]


def test_a_joint_subtask_is_queued_again_for_its_owner_alone(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(f"{UNGUARDED}\nonce: true"))
    b.add("get pepper", item="pepper")
    b.emit("assigned", agent="R1", subtasks=["get pepper"], helpers=["R2"])
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    for robot in ("R2", "R1"):
        b.emit("agent.requeued", agent=robot)
    agents = b.team.now.agents
    assert [s.id for s in agents["R1"].queue] == ["get pepper"]
    assert not agents["R2"].queue
    assert agents["R1"].current is None
    assert agents["R2"].current is None


def test_the_skill_of_a_joint_subtask_stops_with_its_helper(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree(f"{UNGUARDED}\nonce: true"))
    b.add("get pepper", item="pepper")
    b.emit("assigned", agent="R1", subtasks=["get pepper"], helpers=["R2"])
    b.emit("subtask.started", agent="R1", subtask="get pepper")
    b.pass_time(2)
    b.emit("agent.interrupted", agent="R2")
    assert b.skills() == ["go_to R1 cancelled"]


def test_the_repair_by_another_robot_stops_with_the_one_it_is_for(tmp_path: Path) -> None:
    meet = MEET + "before:\n  - near(other) == 'pantry': go_to(other, 'pantry')\n"
    b = Bench(tmp_path, {**tree(f"{TOGETHER}\nonce: true"), **meeting(meet)})
    b.pass_time(2)
    b.emit("agent.interrupted", agent="R1")
    assert b.skills() == ["go_to R2 cancelled"]


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
    monkeypatch.setattr(runtime.environments, "find_open", lambda name: moving)
    b.emit("agent.interrupted", agent="R1")
    runtime.arbiter.announce([(("R1",), "R1 has stopped.")], "test")
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


def commit_calls(b: Bench, *calls: tuple[str, dict[str, object]]) -> None:
    texts = {
        "interrupt": TextTemplate.parse("{{ agent }} has stopped."),
        "drop": TextTemplate.parse("It is dropped."),
    }
    bound = [bind(b.team, name, args) for name, args in calls]
    checked = check(b.run.runtime, bound, "test", scope=b.run.scope)
    commit(b.run.runtime, "x", "x", checked, scope=b.run.scope, acknowledge=texts)


def words(b: Bench) -> list[tuple[float, str]]:
    return [(round(r.t, 2), str(r.data["text"])) for r in b.told("said")]


def restless(b: Bench, monkeypatch: pytest.MonkeyPatch, rests_at: dict[str, float]) -> None:
    class Robots:
        def is_at_rest(self, agent: str) -> bool:
            return b.clock.now() >= rests_at.get(agent, 0.0)

    monkeypatch.setattr(b.run.runtime.environments, "find_open", lambda name: Robots())


def test_each_of_two_robots_has_stopped_when_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 2.12, "R2": 60.0})
    commit_calls(b, ("interrupt", {"agent": "R1"}), ("interrupt", {"agent": "R2"}))
    b.pass_time(10)
    assert words(b) == [(2.15, "R1 has stopped."), (4.0, "R2 does not come to rest!")]


def test_a_run_that_is_cut_off_before_it_is_said_says_it_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 2.12})
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    cut = b.journal.records
    assert unsaid_stops(b.run.runtime, cut) == [("R1", "R1 has stopped.", "x")]
    b.pass_time(10)
    assert unsaid_stops(b.run.runtime, b.journal.records) == []
    resumed = Run(b.run.view, VirtualClock(2.0), Journal.in_memory(), records=cut)
    resumed.go()
    said = [r for r in resumed.journal.records if isinstance(r.event, Said)]
    assert [(r.t, r.data["text"]) for r in said] == [(2.0, "R1 has stopped.")]


def test_a_stop_that_was_acknowledged_in_other_words_is_not_said_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 60.0, "R2": 60.0})
    commit_calls(b, ("interrupt", {"agent": "R1"}), ("interrupt", {"agent": "R2"}))
    b.world.emit(Said("assistant", "R1 and R2 have come to rest.", "u9"), "x")
    assert unsaid_stops(b.run.runtime, b.journal.records) == []


@pytest.mark.parametrize("kind", ["agent.resumed", "agent.not_at_rest"])
def test_what_is_no_longer_to_be_said_is_not_said_when_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 60.0})
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    b.emit(kind, agent="R1", **({"seconds": 2.0} if kind == "agent.not_at_rest" else {}))
    assert unsaid_stops(b.run.runtime, b.journal.records) == []


def test_a_second_stop_is_not_acknowledged_before_the_robot_is_at_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 2.52})
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    b.pass_time(10)
    assert words(b) == [(2.55, "R1 has stopped.")]


def test_a_robot_that_goes_on_before_it_is_at_rest_has_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path)
    restless(b, monkeypatch, {"R1": 60.0})
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    b.pass_time(0.5)
    b.emit("agent.resumed", agent="R1")
    b.pass_time(10)
    assert words(b) == []
    assert not b.told("agent.not_at_rest")


def test_a_drop_is_acknowledged_at_once_since_its_robot_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = at_work(tmp_path, f"{UNGUARDED}\nretry: 3")
    b.pass_time(2)
    restless(b, monkeypatch, {"R1": 60.0})
    commit_calls(b, ("drop", {"subtasks": ["get pepper"]}))
    b.pass_time(10)
    assert words(b) == [(2.0, "It is dropped.")]
    assert not b.told("agent.not_at_rest")


def test_a_system_words_the_alarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = KITCHEN["test.system.yaml"] + 'sentences: {not_at_rest: "Mind {{ agent }}!"}\n'
    b = Bench(tmp_path, {**tree(f"{UNGUARDED}\nonce: true"), "test.system.yaml": system})
    b.pass_time(2)
    restless(b, monkeypatch, {"R1": 60.0})
    commit_calls(b, ("interrupt", {"agent": "R1"}))
    b.pass_time(10)
    assert words(b) == [(4.0, "Mind R1!")]


def test_an_environment_is_not_notified_of_what_it_sensed_itself(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    runtime, notified = b.run.runtime, []

    class Simulator:
        def notify(self, effects: tuple[Effect, ...]) -> None:
            notified.append(effects)

    simulator = cast(Environment, Simulator())
    runtime.environments._open["sim"] = simulator

    def sense(record: Record) -> None:
        if record.kind == "agent.interrupted":
            runtime.apply((Effect("near", ("R1",), "pantry", "sensed"),), "s1", simulator)

    b.world.subscribe(sense)  # as the cancelled worker's outcome is: while a record is published
    b.emit("agent.interrupted", agent="R1")
    assert b.fact("near", "R1") == "pantry"
    assert not notified
