"""Contracts, scenarios, systems: places and cases that the fixtures do not show."""

from __future__ import annotations

from pathlib import Path

from tests.check.test_tc5 import BASE, found, told

SYSTEM = (BASE / "trees/demo.system.yaml").read_text()


def test_argument_in_a_quoted_head_stands_where_it_is(tmp_path: Path) -> None:
    text = (
        'contract: more\nabout: More.\neach: "  interrupt( agent , becuase )"\nrequire: now > 60\n'
    )
    problems = told(tmp_path, {"contracts/more.contract.yaml": text})
    assert problems == [("TC601", 3, 29, 3, 36)]


def test_scene_of_another_domain(tmp_path: Path) -> None:
    files = {
        "room/garden.domain.yaml": "domain: garden\n",
        "room/room.scene.yaml": "scene: room\ndomain: garden\nobjects:\n"
        "  kettle: {type: Item}\n  tea pot: {type: Item}\n"
        "  shelf: {type: Place}\n  table: {type: Place}\n",
    }
    (problem,) = found(tmp_path, files)
    assert problem.message == "the scene 'room' belongs to the domain 'garden'"
    assert (problem.code, problem.span.path) == ("TC604", "trees/demo.system.yaml")


def test_scenario_of_a_broken_system_is_right(tmp_path: Path) -> None:
    files = {"trees/demo.system.yaml": SYSTEM.replace("root:", "rooot:")}
    codes = {problem.code for problem in found(tmp_path, files)}
    assert "TC101" in codes
    assert not codes & {"TC603", "TC604"}


def test_pack_outside_the_library_is_no_folder(tmp_path: Path) -> None:
    files = {"trees/demo.system.yaml": SYSTEM.replace("room]", "room, ../other]")}
    assert [p.code for p in found(tmp_path, files)] == ["TC604"]


def test_two_systems_may_have_files_of_the_same_name(tmp_path: Path) -> None:
    other = SYSTEM.replace("system: demo", "system: other")
    other = other.replace("prompts/demo", "prompts/other").replace("scenarios, ", "")
    files = {"trees/other.system.yaml": other}
    for path in (BASE / "prompts/demo").iterdir():
        files[f"prompts/other/{path.name}"] = path.read_text()
    assert found(tmp_path, files) == []


def test_unknown_environment_is_told_once_and_at_the_system(tmp_path: Path) -> None:
    files = {"trees/demo.system.yaml": SYSTEM.replace("default: symbolic", "default: symbolik")}
    (problem,) = found(tmp_path, files)
    assert (problem.code, problem.help) == ("TC512", "did you mean 'symbolic'?")


def test_a_scenario_outside_the_packs_is_checked_with_the_system_that_it_names(
    tmp_path: Path,
) -> None:
    scenario = "scenario: far\nsystem: demo\nuser:\n  - {says: No., means: [declin]}\n"
    (problem,) = found(tmp_path, {"elsewhere/far.scenario.yaml": scenario})
    assert (problem.code, problem.help) == ("TC603", "did you mean 'decline'?")
