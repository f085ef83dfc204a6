"""TEACh's own files: games, EDH and TfD instances, here of these tests' own making."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.helper.episodes import EpisodeError
from experiments.helper.teach_files import goal_of_changes, read_teach
from tests.experiments.conftest import Experiment
from tests.experiments.helper.small import SLICES
from tests.support.library import ROOT

pytestmark = pytest.mark.needs_system("helper")

COUNTER = "CounterTop|+00.0|+00.9|+00.0"
SINK = "Sink|+01.0|+00.9|+00.0"
KNIFE = "Knife|+00.1|+00.9|+00.0"
TOMATO = "Tomato|+00.2|+00.9|+00.0"
PIECE = f"{TOMATO}|TomatoSliced_0"
PLATE = "Plate|+00.3|+00.9|+00.0"


def thing(oid: str, on: str | None = None, **more: Any) -> dict[str, Any]:
    """An object's metadata, as AI2-THOR has them."""
    given = {"objectId": oid, "objectType": oid.split("|")[0], "parentReceptacles": on and [on]}
    flags = dict.fromkeys(("isOpen", "isToggled", "isDirty", "isCooked", "isPickedUp"), False)
    return {**given, **flags, **more}


OBJECTS = [
    thing(COUNTER),
    thing(SINK),
    thing(f"{SINK}|SinkBasin"),
    thing("Faucet|+01.0|+01.1|+00.0"),
    thing(KNIFE, COUNTER),
    thing(TOMATO, COUNTER),
    thing(PLATE, SINK),
]


def act(action: int, oid: str | None = None, **more: Any) -> dict[str, Any]:
    """An action of the driver."""
    on_object = {"oid": oid, "x": 0.5, "y": 0.5} if action >= 200 else {"pose": [0.0] * 6}
    given = {"agent_id": 1, "action_id": action, "success": 1, "time_start": 1.0, "duration": 1.0}
    return {**given, **on_object, **more}


def say(words: str, agent: int = 0) -> dict[str, Any]:
    return act(100, agent_id=agent, utterance=words)


CUT = [act(2), act(200, KNIFE), act(206, TOMATO), act(201, COUNTER)]
SERVED = [act(4), act(200, PIECE), act(201, PLATE, success=0), act(201, PLATE)]
GAME = {
    "version": "2.0",
    "task_type": "eqa_complex",
    "definitions": {},
    "tasks": [
        {
            "task_id": 108,
            "task_name": "N Slices Of X In Y",
            "task_params": ["1", "Tomato", "on", "Plate"],
            "episodes": [
                {
                    "episode_id": "small",
                    "world": "FloorPlan1",
                    "world_type": "Kitchen",
                    "initial_state": {
                        "time_start": 0,
                        "agents": [],
                        "objects": OBJECTS,
                        "custom_object_metadata": {PLATE: {"simbotPickedUp": 0}},
                    },
                    "interactions": [say("A slice on a plate."), say("OK", 1), *CUT, *SERVED],
                    "final_state": {
                        "objects": [thing(PLATE, SINK, isDirty=True)],
                        "custom_object_metadata": {},
                    },
                }
            ],
        }
    ],
}
DONE = {"objectId": PIECE, "simbotLastParentReceptacle": PLATE, "simbotPickedUp": 1}
EDH = {
    "game_id": "small",
    "instance_id": "small.edh0",
    "dialog_history": [["Commander", "A slise."]],
    "dialog_history_cleaned": [["Commander", "A slice."], ["Driver", "OK"]],
    "driver_action_history": CUT,
    "driver_actions_future": SERVED[1:],
    "interactions": GAME["tasks"][0]["episodes"][0]["interactions"],  # type: ignore[index]
    "pred_start_idx": 7,
    "init_state_diff": {
        "agents": {},
        "objects": {
            KNIFE: {"parentReceptacles": [COUNTER]},
            PIECE: {"objectType": "TomatoSliced", "parentReceptacles": None, "isPickedUp": True},
        },
    },
    "final_state_diff": {"agents": {}, "objects": {PIECE: DONE}},
    "state_changes": {"agents": {}, "objects": {PIECE: DONE}},
    "expected_init_goal_conditions_total": 2,
    "expected_init_goal_conditions_satisfied": 1,
}
TFD = {key: EDH[key] for key in ("game_id", "dialog_history", "dialog_history_cleaned")}
TFD = {**TFD, "driver_actions_future": [*CUT, *SERVED]}


def write(folder: Path, game: Any = GAME, **instances: Any) -> None:
    """Files as TEACh lays them out, with the definition of the task beside the games."""
    for name, data in {"games": game, **instances}.items():
        ends = {"games": "game", "edh_instances": "edh0", "tfd_instances": "tfd"}[name]
        file = folder / name / "train" / f"small.{ends}.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(data), "utf-8")
    (folder / "tasks").mkdir()
    (folder / "tasks" / "108.json").write_text(json.dumps(SLICES), "utf-8")


@pytest.mark.parametrize(
    ("folder", "conditions", "before"),
    [("games", 4, 2), ("tfd_instances", 4, 2), ("edh_instances", 2, 1)],
)
def test_files_of_teach_are_carried_out_and_judged(
    experiment: Experiment, tmp_path: Path, folder: str, conditions: int, before: int
) -> None:
    write(tmp_path, edh_instances=EDH, tfd_instances=TFD)
    given = ("helper.household", "--episodes", tmp_path / folder / "train", "--library", ROOT)
    options = ("--repairs", "on", "--sight", "full", "--output-format", "json")
    tasks = () if folder == "edh_instances" else ("--tasks", tmp_path / "tasks")
    result = experiment(*given, *tasks, *options)
    assert result.status == 0, result.err
    (found,) = json.loads(result.out)["summaries"]
    assert (found["done"], found["conditions"], found["conditions_before"]) == (
        1,
        conditions,
        before,
    )
    assert found["done_weighted"] < 1, "the paths are weighted by the recorded one"
    assert ("not judged: simbotPickedUp" in result.err) == (folder == "edh_instances")


def test_an_instance_begins_where_its_history_ends(tmp_path: Path) -> None:
    write(tmp_path, edh_instances=EDH)
    found = read_teach(tmp_path / "edh_instances" / "train" / "small.edh0.json")
    assert found.dialogue == "<Commander> A slice. <Driver> OK"
    kinds = sorted(spec["label"] for spec in found.scene.values())
    assert "Tomato" not in kinds, "it is cut"
    assert found.held is not None
    assert found.scene[found.held]["label"] == "TomatoSliced"
    assert "slice()" not in found.program
    assert found.length == 3
    (plate,) = (spec for spec in found.scene.values() if spec["label"] == "Plate")
    assert [found.scene[one]["label"] for one in plate["supported_by"]] == ["SinkBasin"]


def test_what_is_judged_is_counted_as_teach_does() -> None:
    two = {f"{TOMATO}|TomatoSliced_{n}": {"isCooked": True, "simbotIsCooked": True} for n in (0, 1)}
    goal, _ = goal_of_changes(two)
    assert [(one.number, dict(one.conditions)) for one in goal.components] == [
        (2, {"objectType": "TomatoSliced", "simbotIsCooked": True})
    ]


@pytest.mark.parametrize(
    ("instance", "said"),
    [
        ({"game_id": "other"}, "its game is missing"),
        ({"state_changes": None}, "small.edh0.json: 'state_changes' is missing or no object"),
        ({"pred_start_idx": 99}, "'pred_start_idx' is 99, of 10 interactions"),
        ({"init_state_diff": {"objects": {"Cup|1|2|3": {}}}}, "unknown object 'Cup|1|2|3'"),
        ({"dialog_history_cleaned": ["Hello"]}, "a turn of the dialogue is a speaker and words"),
        ({"interactions": [say("Hi")] * 9}, "does nothing to any object that is known"),
    ],
)
def test_what_is_wrong_in_an_instance_is_said(
    tmp_path: Path, instance: dict[str, Any], said: str
) -> None:
    write(tmp_path, edh_instances={**EDH, **instance})
    with pytest.raises(EpisodeError, match=said.replace("|", r"\|")):
        read_teach(tmp_path / "edh_instances" / "train" / "small.edh0.json")


def test_a_game_without_a_state_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"tasks": [{"episodes": [{"interactions": []}]}]})
    with pytest.raises(EpisodeError, match=r"tasks\[0\].episodes\[0\]: 'initial_state' is missing"):
        read_teach(tmp_path / "games" / "train" / "small.game.json")
