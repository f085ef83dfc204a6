"""A household keeps with its run what is true, and is so again when the run is resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from treec import Effect, EnvironmentSetup
from treec_household.environment import STORE, BadScene, PartlySeenHousehold

OBJECTS: Mapping[str, Mapping[str, object]] = {
    "Fridge_1": {"type": "Fridge", "pose": [0.0, 0.0]},
    "CounterTop_1": {"type": "CounterTop", "pose": [8.0, 0.0]},
    "Mug_1": {"type": "Mug"},
}
FACTS = (
    Effect("at", ("Mug_1",), "Fridge_1", "scene"),
    Effect("encloses", ("Fridge_1",), True, "scene"),
    Effect("opens", ("Fridge_1",), True, "scene"),
)


def household(
    folder: Path | None, time: float, facts: tuple[Effect, ...] = FACTS
) -> PartlySeenHousehold:
    return PartlySeenHousehold(
        EnvironmentSetup(
            "household_partial",
            "flat",
            OBJECTS,
            {"robot": {}},
            facts=facts,
            time=time,
            folder=folder,
        )
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run in which the robot has taken the mug to the counter."""
    home = household(tmp_path, 0.0)
    assert "Mug_1" not in home.known
    home.act("go_to", {"agent": "robot", "thing": "Fridge_1"})
    home.act("open", {"agent": "robot", "thing": "Fridge_1"})
    home.act("pickup", {"agent": "robot", "item": "Mug_1"})
    home.act("go_to", {"agent": "robot", "thing": "CounterTop_1"})
    home.close()
    return tmp_path


def test_a_resumed_run_finds_it_as_it_was_left(folder: Path) -> None:
    home = household(folder, 12.0)
    assert home.state.held == "Mug_1"
    assert home.state.get("opened", "Fridge_1")
    assert home.reaches("CounterTop_1")
    assert not home.reaches("Fridge_1")
    assert "Mug_1" in home.known
    assert home.actions.steps > 0
    home.act("go_to", {"agent": "robot", "thing": "Fridge_1"})
    assert household(folder, 14.0).reaches("Fridge_1")


def test_what_a_scenario_changes_is_kept_too(folder: Path) -> None:
    home = household(folder, 12.0)
    home.notify((Effect("dirty", ("Mug_1",), True, "scenario"),))
    assert household(folder, 13.0).state.get("dirty", "Mug_1")


def test_a_thing_whose_place_is_unknown_is_no_fixture_afterwards(folder: Path) -> None:
    """The journal's facts say what the robot believes, not what can be moved."""
    unknown = Effect("at", ("Mug_1",), None, "unknown")
    home = household(folder, 12.0, (unknown, *FACTS[1:]))
    assert home.fixtures == {"Fridge_1", "CounterTop_1"}
    assert home.state.held == "Mug_1"


def test_a_new_run_begins_with_its_scene(folder: Path) -> None:
    assert household(folder, 0.0).state.support("Mug_1") == "Fridge_1"
    assert household(None, 12.0).state.support("Mug_1") == "Fridge_1"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"known": None}, "cannot be read"),
        ({"steps": ...}, "has no 'steps'"),
        ({"robot_at": ...}, "has no 'robot_at'"),
        ({"positions": [1]}, "cannot be read"),
    ],
)
def test_what_is_kept_and_not_whole_is_told(
    folder: Path, change: dict[str, object], why: str
) -> None:
    household(folder, 0.0)
    kept = {**json.loads((folder / STORE).read_text("utf-8")), **change}
    kept = {name: value for name, value in kept.items() if value is not ...}
    (folder / STORE).write_text(json.dumps(kept), "utf-8")
    with pytest.raises(BadScene, match=f"{STORE}.*{why}.*start a new one"):
        household(folder, 12.0)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kinds": {"Mug_1": "Cup"}}'])
def test_what_is_not_of_these_things_is_left_alone(folder: Path, text: str) -> None:
    (folder / STORE).write_text(text, "utf-8")
    assert household(folder, 12.0).state.support("Mug_1") == "Fridge_1"
