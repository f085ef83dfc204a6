"""AI2-THOR's interface: skills become its actions, its metadata becomes facts."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.conftest import ROOT, Treec, treec
from tests.envs.thor.controller import CLOSED, FULL, NO_ROOM, UNSEEN, FakeController
from treec import Effect, EnvironmentSetup
from treec_household.actions import Refused
from treec_household.environment import BadScene
from treec_thor.actions import reason_of
from treec_thor.environment import ThorHousehold
from treec_thor.facts import innermost_receptacle, objects_of
from treec_thor.names import ObjectNames
from treec_thor.scene_file import BadMetadata, scene_of_metadata

__all__ = ["treec"]

pytestmark = pytest.mark.needs_system("household")

CLASSES = (
    *("Fridge", "CounterTop", "Sink", "SinkBasin", "CoffeeMachine", "Faucet", "ArmChair"),
    *("Tomato", "TomatoSliced", "Knife", "Bread", "BreadSliced", "Mug", "Plate"),
)


@pytest.fixture
def controller() -> FakeController:
    return FakeController()


@pytest.fixture
def home(controller: FakeController) -> ThorHousehold:
    return ThorHousehold(setup_for(controller), controller)


def setup_for(controller: FakeController, **more: str) -> EnvironmentSetup:
    names = ObjectNames(controller.objects)
    kinds = {str(names.name(o["objectId"])): o["objectType"] for o in controller.objects}
    kinds |= {f"Tomato_1 piece {n}": "TomatoSliced" for n in (1, 2, 3)} | more
    facts = {
        *(("encloses", "Fridge_1"), ("opens", "Fridge_1"), ("drains", "SinkBasin_1")),
        *(("room", name) for name in ("Fridge_1", "CounterTop_1", "SinkBasin_1")),
    }
    return EnvironmentSetup(
        "thor",
        "FloorPlan1",
        {name: {"type": kind} for name, kind in kinds.items()},
        {"robot": {"is": "Robot"}},
        facts=tuple(Effect(fact, (thing,), True) for fact, thing in sorted(facts)),
    )


def believed(home: ThorHousehold) -> dict[tuple[str, str], object]:
    return {(e.fact, e.args[0]): e.value for e in home.sense()}


def test_names_are_numbers_in_the_order_of_ids(controller: FakeController) -> None:
    names = ObjectNames(controller.objects)
    assert names.name("Fridge|+00.00|+00.90|+00.00") == "Fridge_1"
    assert names.id("SinkBasin_1") == "Sink|+04.00|+00.90|+00.00|SinkBasin"


def test_the_innermost_receptacle_is_what_a_thing_is_in(controller: FakeController) -> None:
    objects = objects_of(controller.last_event.metadata)
    basin, sink = "Sink|+04.00|+00.90|+00.00|SinkBasin", "Sink|+04.00|+00.90|+00.00"
    for parents in ([sink, basin], [basin, sink]):
        assert innermost_receptacle({"parentReceptacles": parents}, objects) == basin
    assert innermost_receptacle({"parentReceptacles": None}, objects) is None


def test_sight_is_partial(home: ThorHousehold) -> None:
    facts = believed(home)
    assert facts["located", "Fridge_1"] is True, "fixtures are known"
    assert facts["located", "Bread_1"] is True, "visible from the start"
    assert facts["at", "Bread_1"] == "CounterTop_1"
    assert facts["located", "Tomato_1"] is False, "in the closed fridge"
    home.act("look_for", {"thing": "Tomato_1"})
    facts = believed(home)
    assert (facts["located", "Tomato_1"], facts["at", "Tomato_1"]) == (True, "Fridge_1")


def test_skills_are_its_actions(home: ThorHousehold, controller: FakeController) -> None:
    fridge, tomato = "Fridge|+00.00|+00.90|+00.00", "Tomato|+00.00|+00.90|+00.10"
    home.act("go_to", {"thing": "Fridge_1"})
    home.act("open", {"thing": "Fridge_1"})
    home.act("pickup", {"item": "Tomato_1"})
    assert believed(home)["holding", "robot"] == "Tomato_1"
    home.act("go_to", {"thing": "CounterTop_1"})
    home.act("place", {"item": "Tomato_1", "target": "CounterTop_1"})
    assert controller.calls == [
        {"action": "GetInteractablePoses", "objectId": fridge},
        {
            "action": "Teleport",
            "position": {"x": 0.0, "y": 0.9, "z": 0.75},
            "rotation": {"x": 0, "y": 180, "z": 0},
            "horizon": 30,
            "standing": True,
        },
        {"action": "OpenObject", "objectId": fridge},
        {"action": "PickupObject", "objectId": tomato},
        {"action": "GetInteractablePoses", "objectId": "CounterTop|+02.00|+00.90|+00.00"},
        {**controller.calls[5], "action": "Teleport"},
        {"action": "PutObject", "objectId": "CounterTop|+02.00|+00.90|+00.00"},
    ]
    assert believed(home)["at", "Tomato_1"] == "CounterTop_1"


def test_pieces_take_the_place_of_what_was_cut(home: ThorHousehold) -> None:
    home.act("look_for", {"thing": "Tomato_1"})
    home.act("open", {"thing": "Fridge_1"})
    home.act("slice", {"item": "Tomato_1"})
    facts = believed(home)
    assert facts["at", "Tomato_1 piece 1"] == "Fridge_1"
    assert not home.state.exists("Tomato_1")


def test_coffee_is_brewed_and_poured_away(home: ThorHousehold, controller: FakeController) -> None:
    home.act("go_to", {"thing": "Mug_1"})
    home.act("pickup", {"item": "Mug_1"})
    home.act("go_to", {"thing": "SinkBasin_1"})
    home.act("place", {"item": "Mug_1", "target": "SinkBasin_1"})
    with pytest.raises(Refused, match="not done: no water has run over Mug_1"):
        home.act("clean", {"item": "Mug_1"})
    home.act("toggle_on", {"thing": "Faucet_1"})
    home.act("clean", {"item": "Mug_1"})
    assert home.state.get("filled", "Mug_1") == "water"
    home.act("pickup", {"item": "Mug_1"})
    home.act("pour", {"item": "Mug_1", "target": "SinkBasin_1"})
    assert controller.calls[-1]["action"] == "EmptyLiquidFromObject"
    assert home.state.get("filled", "Mug_1") is None
    home.act("go_to", {"thing": "CoffeeMachine_1"})
    home.act("place", {"item": "Mug_1", "target": "CoffeeMachine_1"})
    home.act("toggle_on", {"thing": "CoffeeMachine_1"})
    assert believed(home)["filled", "Mug_1"] == "coffee"


def test_put_down_tries_the_surfaces_in_turn(home: ThorHousehold) -> None:
    home.act("go_to", {"thing": "Bread_1"})
    home.act("pickup", {"item": "Bread_1"})
    home.act("go_to", {"thing": "ArmChair_1"})
    home.act("put_down", {"item": "Bread_1"})
    assert home.state.get("at", "Bread_1") == "CounterTop_1"


def test_why_no_surface_takes_what_is_put_down(
    home: ThorHousehold, controller: FakeController, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.act("go_to", {"thing": "Bread_1"})
    home.act("pickup", {"item": "Bread_1"})
    monkeypatch.setattr(controller, "_PutObject", lambda target, **args: NO_ROOM)
    with pytest.raises(Refused, match=f"full: .*{NO_ROOM}"):
        home.act("put_down", {"item": "Bread_1"})
    assert home.state.get("at", "Bread_1") == "robot"


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (UNSEEN, "occluded"),
        (CLOSED, "blocked"),
        (NO_ROOM, "full"),
        (FULL, "full"),
        ("", "impossible"),
    ],
)
def test_failures_have_the_households_words(message: str, word: str) -> None:
    assert reason_of("PutObject", message).startswith(f"{word}: ")
    assert message in reason_of("PutObject", message)


def test_what_it_refuses_fails_the_skill(home: ThorHousehold) -> None:
    with pytest.raises(Refused, match=r"occluded: .*specified visibility"):
        home.act("pickup", {"item": "Tomato_1"})
    with pytest.raises(Refused, match="not found: Tomato_1 piece 1 is nowhere"):
        home.act("pickup", {"item": "Tomato_1 piece 1"})
    with pytest.raises(Refused, match="needs the argument 'item'"):
        home.act("pickup", {})
    with pytest.raises(Refused, match="unknown action 'dance'"):
        home.act("dance", {})


def test_another_view_is_the_next_pose(home: ThorHousehold, controller: FakeController) -> None:
    home.act("go_to", {"thing": "Fridge_1"})
    home.act("move_alternate_viewpoint", {})
    home.act("move_closer", {})
    seen = [c["position"]["z"] for c in controller.calls if c["action"] == "Teleport"]
    assert seen == [0.75, 0.5]
    assert controller.calls[-1] == {"action": "MoveAhead"}


def test_a_scene_with_other_objects_is_refused(controller: FakeController) -> None:
    with pytest.raises(BadScene, match="'FloorPlan1' has no Kettle_1: write the scene's file anew"):
        ThorHousehold(setup_for(controller, Kettle_1="Kettle"), controller)


# The scene's file


def test_a_scene_is_made_of_metadata(controller: FakeController) -> None:
    text, unknown = scene_of_metadata(controller.last_event.metadata, CLASSES[1:])
    assert "scene: FloorPlan1\n" in text
    assert "  Bread_1: {type: Bread, pose: [2.0, 0.0, 0.9], at: CounterTop_1}\n" in text
    assert "dirty: true" in text
    assert unknown == ["Fridge"]


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        ({}, "no usable 'sceneName'"),
        ({"sceneName": "../x", "objects": []}, "no usable 'sceneName'"),
        ({"sceneName": "A", "objects": []}, "no 'objects'"),
        ({"sceneName": "A", "objects": [{"objectId": "Mug|1"}]}, "KeyError..objectType"),
        ({"sceneName": "A", "objects": [7]}, "not as AI2-THOR publishes it"),
    ],
)
def test_bad_metadata_is_told(metadata: dict[str, object], why: str) -> None:
    with pytest.raises(BadMetadata, match=why):
        scene_of_metadata(metadata, CLASSES)


# From the command line


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[FakeController]:
    """AI2-THOR as if it were installed, with the fake controller."""
    opened: list[FakeController] = []

    def make(**settings: object) -> FakeController:
        opened.append(FakeController(**settings))  # type: ignore[arg-type]
        return opened[-1]

    module = SimpleNamespace(Controller=make)
    monkeypatch.setitem(sys.modules, "ai2thor", SimpleNamespace(controller=module))
    monkeypatch.setitem(sys.modules, "ai2thor.controller", module)
    return opened


def test_the_command_says_what_is_missing(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ai2thor.controller", None)  # also where it is installed
    told = treec("thor", "scene", "FloorPlan1", "-L", ROOT).err
    assert "pip install 'treec[thor]', or give --metadata FILE" in told
    told = treec(
        "run", "helper", "--env", "thor", "--dialogue", "x", "-L", ROOT, "--runs", tmp_path
    ).err
    assert "the environment 'thor' cannot be opened" in told
    assert "pip install 'treec[thor]'" in told
    assert "either a scene" in treec("thor", "scene", "-L", ROOT).err
    bad = tmp_path / "half.json"
    bad.write_text('{"objects": [', "utf-8")
    out = treec("thor", "scene", "--metadata", bad, "-L", ROOT)
    assert (out.status, "half.json: Expecting value" in out.err) == (2, True)


def test_the_command_writes_a_scene(treec: Treec, tmp_path: Path) -> None:
    recorded = tmp_path / "metadata.json"
    recorded.write_text(json.dumps(FakeController().last_event.metadata), "utf-8")
    out = treec("thor", "scene", "--metadata", recorded, "-o", tmp_path / "s.yaml", "-L", ROOT)
    assert out.out == f"{tmp_path / 's.yaml'}: 11 objects\n"


def test_helper_runs_in_it(
    treec: Treec,
    tmp_path: Path,
    installed: list[FakeController],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    library = tmp_path / "lab"
    library.mkdir()
    (library / "treec.toml").write_text("[library]\n", "utf-8")
    (library / "lab.system.yaml").write_text(LAB, "utf-8")
    made = treec("thor", "scene", "FloorPlan1", "-o", library / "FloorPlan1.scene.yaml", "-L", ROOT)
    assert made.status == 0, made.err
    assert treec("check", "-L", library).status == 0
    words = ("--dialogue", "Serve three slices of tomato on a plate.", "--fast")
    out = treec("run", "lab", "-L", library, *words)
    assert "slice(Tomato_1)" in out.out, out.out + out.err
    controller = installed[-1]
    assert controller.settings == {"visibilityDistance": 1.5, "gridSize": 0.25}
    actions = [call["action"] for call in controller.calls]
    assert actions.index("OpenObject") < actions.index("SliceObject")
    assert controller.stopped


LAB = """\
system: lab
about: HELPER in a scene of AI2-THOR.
uses: [treec-kitchen/helper, treec-kitchen/household, ./]
root: helper_main
domain: household
scene: FloorPlan1
runs_on: {default: thor}
"""
