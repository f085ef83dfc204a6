"""`treec skill try`: one skill, on a fresh world."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, WAREHOUSE, Treec
from tests.run.test_environments import kitchen
from tests.support.bench import library
from tests.support.small_world import SmallWorld, install
from treec.nodes.events import SkillEnded
from treec.world.journal import Journal
from treec_testing.cli.skill import _print_event


def test_repairs_conditions_and_promises_are_told(treec: Treec) -> None:
    result = treec("skill", "try", "pick", "crate=crate 12", "--agent", "Hauler", "-L", WAREHOUSE)
    assert result.status == 0, result.out
    lines = result.out.splitlines()
    assert lines[0].startswith("warehouse, warehouse, symbolic, seed 0: ready in")
    assert lines[1] == "pick(agent=Hauler, crate=crate 12)"
    assert "     0.00 s  drive(Hauler, aisle 1) begins" in lines
    assert "  before   near(agent) == at(crate)  did not hold: drive(agent, at(crate))" in lines
    assert "  after    at(crate 12)  expected Hauler, expected Hauler" in lines
    assert lines[-1].startswith("  done     14.00 s simulated in ")


@pytest.mark.needs_system("dag_plan")
def test_a_scene_chooses_the_system_and_a_skill_has_other_names(treec: Treec) -> None:
    result = treec("skill", "try", "pick", "item=apple", "--scene", "kitchen_1", "-L", ROOT)
    assert result.status == 0, result.out
    assert result.out.splitlines()[1] == "grasp(agent=left, item=apple)"


def test_what_must_be_so_before_can_be_done_first(treec: Treec) -> None:
    words = ("skill", "try", "pick", "crate=crate 1", "-L", ROOT / "tests/data/depot")
    alone = treec(*words)
    assert alone.status == 1
    assert "'near(agent) == at(crate)' does not hold" in alone.out
    after = treec(*words, "--first", "go_to place=shelf")
    assert after.status == 0, after.out
    assert "  after    at(crate 1)  expected Hauler, expected Hauler" in after.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pik", "crate=crate 12"), "unknown skill 'pik'; did you mean 'pick'?"),
        (("pick", "crate=crate 122"), "unknown thing 'crate 122'; did you mean 'crate 12'?"),
        (("pick", "thing=crate 12"), "'thing=crate 12': pick takes agent=…, crate=…"),
        (("pick",), "'pick' needs the argument 'crate': it takes pick(agent, crate)"),
        (("pick", "crate=crate 12", "--system", "warehuose"), "unknown system 'warehuose'"),
        (("pick", "crate=crate 12", "--scene", "warehuose"), "no system has a scene 'warehuose'"),
        (("pick", "crate=crate 12", "--env", "sapein"), "unknown environment 'sapein'"),
    ],
)
def test_what_is_wrong_is_said(treec: Treec, words: tuple[str, ...], said: str) -> None:
    result = treec("skill", "try", *words, "-L", WAREHOUSE)
    assert result.status == 2
    assert said in result.err


def test_what_is_sensed_is_held_against_what_was_expected(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"small = {SmallWorld.__module__}:open_small")
    library(tmp_path, kitchen("wait: {for: 1s}", pick="Drops"))
    words = ("skill", "try", "pick", "item=lettuce", "--agent", "R1", "--env", "small")
    result = treec(*words, "-L", tmp_path)
    assert result.status == 1
    lines = result.out.splitlines()
    wanted = "  after    at(lettuce)  expected R1, sensed table, not as expected"
    assert wanted in lines
    assert "failed   pick(lettuce): not as expected: at(lettuce) is table, not R1" in lines[-1]
    assert SmallWorld.made[-1].closed


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"reason": "slipped"}, "failed: slipped"),
        ({"cancelled": True, "reason": "cancelled"}, "stopped"),
        (
            {"cancelled": True, "asked_again": True, "reason": "dark"},
            "asked again: dark",
        ),
    ],
)
def test_what_was_stopped_has_not_failed(
    how: dict[str, object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    event = SkillEnded("pick", "R1", {"item": "apple"}, ok=False, **how)  # type: ignore[arg-type]
    _print_event(Journal.in_memory().append(event, "test", 2.0))
    assert capsys.readouterr().out == f"     2.00 s  pick(R1, apple) {told}\n"


def test_a_film_needs_bodies_and_a_name(treec: Treec, tmp_path: Path) -> None:
    words = (
        "skill",
        "try",
        "drive",
        "place=aisle 1",
        "--agent",
        "Hauler",
        "-L",
        WAREHOUSE,
        "--film",
    )
    wrong = treec(*words, tmp_path / "x.mp4")
    assert wrong.status == 2
    assert "a film must end in .webp or .gif, not '.mp4'" in wrong.err
    none = treec(*words, tmp_path / "x.webp")
    assert none.status == 2
    assert "no film of 'drive': its environment has no bodies" in none.err
