from __future__ import annotations

import re
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from tests.support.workers import SensesWrongly
from treec.nodes.events import NodeFailed, SkillEnded
from treec.nodes.leaves.skill import Skill
from treec.nodes.worker import Effect
from treec.world.failures import StepFailed, TimedOut


def skill(root: str) -> dict[str, str]:
    return tree(f"{root}\nonce: true")


GET = skill("skill: pick\nwith: {agent: R1, item: pepper}")


def go_to(worker: str, timeout: str = "30s") -> dict[str, str]:
    """R1 goes to the pantry, with a worker of its own."""
    text = KITCHEN["pack/go_to.skill.yaml"]
    text = text.replace("treec.envs.symbolic:Effects", f"tests.support.workers:{worker}")
    files = skill("skill: go_to\nwith: {agent: R1, place: pantry}\nwhile: mood == 'calm'")
    return {**files, "pack/go_to.skill.yaml": text.replace("30s", timeout)}


def test_repairs_come_first_then_the_skill(tmp_path: Path) -> None:
    b = Bench(tmp_path, GET)
    b.pass_time(5)
    assert b.skills() == ["go_to R1 ok"]
    b.pass_time(1)
    assert b.skills() == ["go_to R1 ok", "pick R1 ok"]
    assert b.fact("at", "pepper") == "R1"
    assert b.clock.now() == 6.0


def test_a_condition_that_nothing_brings_about_is_a_failure_with_the_reason(
    tmp_path: Path,
) -> None:
    b = Bench(tmp_path, GET)
    b.emit("fact.set", fact="holding", args=["R1"], value="salt", source="told")
    assert b.tick() is Status.FAILURE
    assert "'not holding(agent)' does not hold" in str(b.told("node.failed")[0].data["reason"])


def test_a_repair_that_changes_nothing_is_not_tried_for_ever(tmp_path: Path) -> None:
    pick = KITCHEN["pack/pick.skill.yaml"].replace("go_to(agent, at(item))", "go_to(agent, table)")
    b = Bench(tmp_path, {**GET, "pack/pick.skill.yaml": pick})
    assert b.settle() is Status.FAILURE
    assert len(b.skills()) == 8


def test_what_holds_already_is_not_done_again(tmp_path: Path) -> None:
    b = Bench(tmp_path, skill("skill: go_to\nwith: {agent: R1, place: table}"))
    assert b.tick() is Status.SUCCESS
    assert b.told("skill.started") == []
    assert b.told("skill.ended")[0].data["skipped"]


def test_again_is_done_again(tmp_path: Path) -> None:
    text = KITCHEN["pack/go_to.skill.yaml"] + "again: true\n"
    files = skill("skill: go_to\nwith: {agent: R1, place: table}")
    b = Bench(tmp_path, {**files, "pack/go_to.skill.yaml": text})
    b.tick()
    assert len(b.told("skill.started")) == 1


def test_an_agents_own_time_goes_before_the_skills(tmp_path: Path) -> None:
    b = Bench(tmp_path, skill("skill: go_to\nwith: {agent: R2, place: pantry}"))
    b.tick()
    assert b.told("skill.started")[0].data["takes"] == 5.0


def test_stopped_midway_it_leaves_what_held_from_the_start_and_nothing_of_after(
    tmp_path: Path,
) -> None:
    files = skill("skill: go_to\nwith: {agent: R1, place: pantry}\nwhile: mood == 'calm'")
    b = Bench(tmp_path, files)
    b.pass_time(2)
    b.set(mood="angry")
    b.tick()
    assert b.told("skill.ended")[0].data["cancelled"]
    b.pass_time(10)
    assert b.fact("near", "R1") == "unknown"
    assert len(b.told("skill.ended")) == 1


def test_a_fault_ends_it_with_the_reason_and_the_module(tmp_path: Path) -> None:
    scenario = (
        "scenario: s\nsystem: test\nfaults:\n  - fail go_to(place=pantry) at 50%: wheel stuck\n"
    )
    b = Bench(tmp_path, {**GET, "pack/s.scenario.yaml": scenario}, scenario="s")
    b.pass_time(2)
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["reason"], ended.data["module"]) == (2.0, "wheel stuck", "symbolic")
    failed = b.told("node.failed")[0].data
    assert failed["reason"] == "go_to(pantry): wheel stuck"
    assert failed["module"] == "symbolic"
    assert b.fact("near", "R1") == "unknown"


def test_timeout_stops_the_worker(tmp_path: Path) -> None:
    b = Bench(tmp_path, go_to("Endless", "3s"))
    b.pass_time(10)
    (ended,) = b.told("skill.ended")
    assert (ended.t, ended.data["reason"]) == (3.0, "timed out after 3 s")
    assert b.run.root.status is Status.FAILURE


def test_a_failure_is_the_same_data_at_the_node_and_in_the_journal(tmp_path: Path) -> None:
    b = Bench(tmp_path, go_to("Endless", "3s"))
    b.pass_time(10)
    (leaf,) = (node for node in b.run.root.iterate() if isinstance(node, Skill))
    (noted,) = (record.event for record in b.told("node.failed"))
    assert isinstance(noted, NodeFailed)
    assert leaf.failure == noted.failure == StepFailed("go_to", ("pantry",), TimedOut(3.0))
    (ended,) = (record.event for record in b.told("skill.ended"))
    assert isinstance(ended, SkillEnded)
    assert ended.failure == TimedOut(3.0)


@pytest.mark.parametrize(
    ("worker", "reason"),
    [
        ("RaisesAtStart", "go_to(pantry): OSError: no such robot"),
        ("RaisesWhenMade", "no driver"),
        ("ReportsNonsense", "colour"),
        ("Missing", "has no attribute 'Missing'"),
    ],
)
def test_what_a_worker_does_wrong_is_a_failure_with_a_reason(
    tmp_path: Path, worker: str, reason: str
) -> None:
    b = Bench(tmp_path, go_to(worker))
    assert b.settle() is Status.FAILURE
    assert reason in str(b.told("node.failed")[-1].data["reason"])


def test_a_worker_that_cannot_be_stopped_is_recorded_so(tmp_path: Path) -> None:
    b = Bench(tmp_path, go_to("RaisesAtCancel"))
    b.tick()
    b.set(mood="angry")
    assert b.tick() is Status.FAILURE
    (ended,) = b.told("skill.ended")
    assert re.fullmatch(
        r"OSError: the line is dead \(tests/support/workers.py:\d+\)", str(ended.data["reason"])
    )
    assert b.told("node.raised") == []


def test_what_a_worker_sensed_is_not_lost_when_it_is_stopped_before_the_next_tick(
    tmp_path: Path,
) -> None:
    b = Bench(tmp_path, go_to("Senses"))
    b.tick()
    b.run.root.stop(Status.INVALID)
    assert b.fact("near", "R1") == "pantry"


@pytest.mark.parametrize("worker", ["Endless", "RaisesAtStart", "RaisesAtCancel", "BlocksQuietly"])
def test_at_start_holds_whoever_wrote_the_worker(tmp_path: Path, worker: str) -> None:
    b = Bench(tmp_path, go_to(worker))
    b.tick()
    b.set(mood="angry")
    b.settle()
    assert len(b.told("skill.ended")) == 1
    assert b.fact("near", "R1") == "unknown"


def test_a_fault_before_it_starts_leaves_its_robot_where_it_was(tmp_path: Path) -> None:
    scenario = "scenario: s\nsystem: test\nfaults:\n  - fail go_to at 0%: wheel stuck\n"
    files = {**go_to("Faulty"), "pack/s.scenario.yaml": scenario}
    b = Bench(tmp_path, files, scenario="s")
    b.settle()
    assert b.fact("near", "R1") == "table"


def test_what_a_worker_senses_counts_more_than_at_start(tmp_path: Path) -> None:
    b = Bench(tmp_path, go_to("Senses"))
    b.tick()
    b.tick()
    assert b.fact("near", "R1") == "pantry"


def test_what_had_ended_when_its_time_was_over_keeps_its_outcome(tmp_path: Path) -> None:
    b = Bench(tmp_path, go_to("EndsAsItIsStopped", "3s"))
    b.pass_time(4)
    assert b.skills() == ["go_to R1 ok"]
    assert b.fact("near", "R1") == "pantry"
    assert b.run.root.status is Status.SUCCESS


def test_an_environment_that_the_skill_does_not_know_is_a_failure(tmp_path: Path) -> None:
    system = KITCHEN["test.system.yaml"] + "runs_on: {default: symbolic, R1: arm}\n"
    b = Bench(tmp_path, {**GET, "test.system.yaml": system})
    assert b.tick() is Status.FAILURE
    assert "runs on symbolic, not on 'arm'" in str(b.told("node.failed")[0].data["reason"])


def test_the_fact_of_an_effect_is_expected_and_has_an_age(tmp_path: Path) -> None:
    b = Bench(tmp_path, GET)
    b.pass_time(10)
    assert b.world.facts.source("at", ["pepper"]) == "expected"
    assert b.world.facts.age(b.clock.now(), "at", ["pepper"]) == 4.0


def test_a_repair_that_the_agent_has_no_skill_for_is_a_failure(tmp_path: Path) -> None:
    file = "pack/R1.agent.yaml"
    agent = KITCHEN[file].replace("go_to: {}, ", "")
    assert agent != KITCHEN[file]
    b = Bench(tmp_path, {**GET, file: agent})
    assert b.settle() is Status.FAILURE
    assert b.skills() == []
    reason = str(b.told("node.failed")[0].data["reason"])
    assert "unknown skill 'go_to' of R1" in reason


def test_of_two_who_reach_for_the_same_thing_one_gets_it(tmp_path: Path) -> None:
    both = """\
parallel:
  children:
    - {skill: pick, with: {agent: R1, item: lettuce}, once: true}
    - {skill: pick, with: {agent: R2, item: lettuce}, once: true}
"""
    pick = KITCHEN["pack/pick.skill.yaml"].replace(
        "before:", "before:\n  - at(item) not in agents", 1
    )
    b = Bench(tmp_path, {**tree(both), "pack/pick.skill.yaml": pick})
    b.pass_time(5)
    assert b.skills() == ["pick R1 ok"]
    assert b.fact("holding", "R2") is None
    assert "'at(item) not in agents' does not hold" in str(b.told("node.failed")[0].data["reason"])


@pytest.mark.parametrize(
    ("effect", "reason"),
    [
        (Effect("near", ("R1",), 17), "near: '17' is not a Place"),
        (Effect("near", ("R1",), "R2"), "near: 'R2' is a Robot"),
        (Effect("near", ("pantry",), "table"), "near: 'pantry' is a Place"),
        (Effect("near", ("R1",), "nowhere"), "near: 'nowhere' is not a Place"),
        (Effect("holding", ("R1",), "table"), "holding: 'table' is a Place"),
    ],
)
def test_no_value_of_another_type_becomes_a_fact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effect: Effect, reason: str
) -> None:
    monkeypatch.setattr(SensesWrongly, "EFFECT", effect)
    b = Bench(tmp_path, go_to("SensesWrongly"))
    assert b.settle() is Status.FAILURE
    assert reason in str(b.told("skill.ended")[0].data["reason"])
    facts = {fact: known.value for fact, known in b.run.world.facts}
    assert facts.get((effect.fact, effect.args)) != effect.value


def test_an_argument_of_another_type_begins_nothing(tmp_path: Path) -> None:
    b = Bench(tmp_path, GET)
    b.emit("fact.set", fact="at", args=["pepper"], value="R2", source="told")
    b.settle()
    (failed, *_) = b.told("node.failed")
    reason = str(failed.data["reason"])
    assert reason.startswith("pick(pepper): 'near(agent) == at(item)' does not hold: ")
    assert "go_to's 'place': 'R2' is a Robot, but a Place is expected here" in reason
    assert b.told("skill.started") == []
