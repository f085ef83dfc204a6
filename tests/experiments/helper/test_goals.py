"""Goals of tasks: their parameters, groups of classes, and what holds of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.helper.episodes import Episode, parse_episode
from experiments.helper.goals import Definitions, GoalError, check_goal
from experiments.helper.task_groups import classes_of
from experiments.helper.task_parameters import hidden_parameters
from tests.experiments.helper.small import CHANGES, HASTY, SCENE, episode
from treec_household.state import HouseholdState

pytestmark = pytest.mark.needs_system("helper")


def definition(name: str, desc: str, parameters: int, **more: Any) -> dict[str, Any]:
    data = {"task_name": name, "desc": desc, "task_nparams": parameters, "components": {}}
    return {**data, "task_anchor_object": None, "relations": [], **more}


def thing(kind: str, number: str = "all", **more: object) -> dict[str, Any]:
    conditions = {"simbotObjectClass": kind, **more}
    return {"determiner": number, "conditions": conditions, "condition_failure_descs": {}}


TASKS = (
    definition(
        "Toggle X All Y",
        "Turn #0 all #2.",
        3,
        components={"#1": thing("#2", isToggled="#1")},
    ),
    definition("Clean All X", "Clean all the #0s.", 1, components={"#0": thing("#0", isDirty=0)}),
    definition(
        "Breakfast",
        "Prepare breakfast.",
        14,
        components={
            "coffee": thing("Mug", "#0"),
            "tomato": thing("TomatoSliced", "#11"),
            "spot": thing("#13", "a"),
        },
        relations=[
            {
                "head_entity_list": ["coffee"],
                "tail_entity_list": ["spot"],
                "tail_determiner_list": ["a"],
                "failure_desc": "All on the #13.",
            }
        ],
    ),
)


@pytest.fixture
def definitions(tmp_path: Path) -> Definitions:
    for number, data in enumerate(TASKS):
        (tmp_path / f"{number}.json").write_text(json.dumps(data), "utf-8")
    return Definitions(tmp_path)


def home(**kinds: str) -> HouseholdState:
    state = HouseholdState("robot", kinds)
    for name in kinds:
        state.positions[name] = (0.0, 0.0)
    return state


def heard(dialogue: str) -> Episode:
    return parse_episode(
        json.dumps(episode(HASTY, dialogue=dialogue, scene=SCENE, changes=CHANGES))
    )


@pytest.mark.parametrize(("word", "on"), [("on", True), ("off", False)])
def test_all_of_a_group_are_turned_on_or_off(definitions: Definitions, word: str, on: bool) -> None:
    goal = definitions.goal(f"Turn_{word}_all_Lamps")
    state = home(a="DeskLamp", b="FloorLamp", c="Television")
    state.set("running", "a", True)
    held = [one.met for one in check_goal(goal, state) if one.about.endswith("isToggled")]
    assert sorted(held) == [False, True]
    state.set("running", "a", on)
    state.set("running", "b", on)
    assert all(one.met for one in check_goal(goal, state))


def test_a_group_in_the_plural_means_its_classes(definitions: Definitions) -> None:
    assert classes_of("Dishwares") == ("Bowl", "Plate")
    goal = definitions.goal("Clean_all_the_Dishwares")
    assert len(check_goal(goal, home(a="Bowl", b="Plate", c="Mug"))) == 4


@pytest.mark.parametrize(
    ("dialogue", "wanted"),
    [
        ("<Commander> Breakfast: coffee and a salad. Put it on the coffee table.", "CoffeeTable"),
        ("<Commander> A cup of coffee and a salad, please.", ""),
    ],
)
def test_a_breakfast_is_what_was_said_and_recorded(
    definitions: Definitions, dialogue: str, wanted: str
) -> None:
    own = heard(dialogue)
    parameters = hidden_parameters("Breakfast", own)
    assert parameters is not None
    assert parameters[9:12] == ["1", "0", "1"]  # a salad of tomato alone
    assert parameters[13] == wanted
    goal = definitions.goal("Prepare_breakfast", lambda task: hidden_parameters(task, own))
    names = {component.name for component in goal.components}
    assert {"tomato", *(["spot"] if wanted else [])} <= names
    assert bool(goal.relations) == bool(wanted and "coffee" in names)


def test_a_task_without_its_parameters_is_told(definitions: Definitions) -> None:
    with pytest.raises(GoalError, match="does not say the 14 parameters of 'Breakfast'"):
        definitions.goal("Prepare_breakfast")
