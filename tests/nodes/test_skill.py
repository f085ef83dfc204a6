from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree


def test_one_skill_from_start_to_success(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("skill: go_to\nwith: {agent: R1, place: pantry}\nonce: true"))
    assert b.tick() is Status.RUNNING
    b.pass_time(4)
    assert b.run.root.status is Status.SUCCESS
    assert b.fact("near", "R1") == "pantry"


def test_an_agent_that_is_none_is_a_failure(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("skill: go_to\nwith: {agent: pantry, place: pantry}"))
    assert b.tick() is Status.FAILURE
    assert "unknown agent 'pantry'" in str(b.told("node.failed")[0].data["reason"])


def test_an_argument_that_nobody_knows_is_a_failure(tmp_path: Path) -> None:
    head = "vars: {where: Place}\n"
    b = Bench(tmp_path, tree("skill: go_to\nwith: {agent: R1, place: $where}", head))
    assert b.tick() is Status.FAILURE
    assert "'place' has no value" in str(b.told("node.failed")[0].data["reason"])


def test_halted_and_begun_again_it_is_a_new_order(tmp_path: Path) -> None:
    root = "skill: go_to\nwith: {agent: R1, place: pantry}\nwhile: mood == 'calm'"
    b = Bench(tmp_path, tree(root))
    b.pass_time(1)
    b.set(mood="angry")
    b.tick()
    b.set(mood="calm")
    b.pass_time(4)
    assert b.skills() == ["go_to R1 cancelled", "go_to R1 ok"]
    assert [e.data["id"] for e in b.told("skill.started")][:2] == ["s1", "s2"]


def test_a_skill_of_another_pack_is_reached_by_pack_and_name(tmp_path: Path) -> None:
    wave = (
        "skill: wave\nabout: Wave.\nargs: {agent: Robot}\ntakes: 2s\n"
        "runs: {symbolic: treec.envs.symbolic:Effects}\n"
    )
    agent = KITCHEN["pack/R1.agent.yaml"].replace("{go_to: {}", "{wave: {}, go_to: {}")
    root = tree("skill: helper/wave\nwith: {agent: R1}\nonce: true")
    b = Bench(tmp_path, {**root, "helper/wave.skill.yaml": wave, "pack/R1.agent.yaml": agent})
    b.pass_time(2)
    assert b.run.root.status is Status.SUCCESS
    assert b.skills() == ["helper/wave R1 ok"]
