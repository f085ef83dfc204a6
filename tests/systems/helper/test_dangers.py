"""What the household's contracts refuse, and what is moved off a full thing, program by program."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from experiments.helper.talk_user import TalkUser
from tests.cli.conftest import ROOT
from treec.ask.transport import ScriptedTransport
from treec.files.library import load_library
from treec.files.view import View, in_scene
from treec.nodes.events import SkillStarted
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.team.events import Said, SubtaskDone
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_helper.functions import corrective_program

pytestmark = pytest.mark.needs_system("helper")

SCENE = """\
scene: dangers
about: Things that are not to come together.
domain: household
objects:
  Sink_1: {type: SinkBasin, pose: [0.0, 1.0, 0.9]}
  Faucet_1: {type: Faucet, pose: [0.0, 1.0, 1.1], controls: Sink_1}
  CounterTop_1: {type: CounterTop, pose: [1.0, 0.0, 0.9]}
  Shelf_1: {type: Shelf, pose: [2.0, 0.0, 0.9], room: 2}
  Fridge_1: {type: Fridge, pose: [3.0, 0.0, 0.5], room: 1}
  Toaster_1: {type: Toaster, pose: [1.0, 0.0, 0.9]}
  Cat_1: {type: Cat, pose: [9.0, 9.0, 0.0]}
  DogBed_1: {type: DogBed, pose: [1.0, 2.0, 0.0]}
  Dog_1: {type: Dog, at: DogBed_1}
  Laptop_1: {type: Laptop, at: CounterTop_1}
  CellPhone_1: {type: CellPhone, at: Sink_1}
  Cup_1: {type: Cup, at: CounterTop_1, filled: water}
  Bowl_1: {type: Bowl, at: CounterTop_1}
  Plate_1: {type: Plate, at: Sink_1}
  Apple_1: {type: Apple, at: CounterTop_1}
  Egg_1: {type: Egg, at: Fridge_1}
  Book_1: {type: Book, at: Shelf_1}
  Candle_1: {type: Candle, at: Shelf_1}
  Vase_1: {type: Vase, at: CounterTop_1}
  Watch_1: {type: Watch, at: CounterTop_1}
  Microwave_1: {type: Microwave, pose: [2.0, 2.0, 1.0]}
  StoveBurner_1: {type: StoveBurner, pose: [2.5, 2.0, 1.0]}
  Cabinet_1: {type: Cabinet, pose: [3.0, 2.0, 1.0], opened: true}
  Cat_2: {type: Cat, at: Cabinet_1}
  BathtubBasin_1: {type: BathtubBasin, pose: [4.0, 2.0, 0.4]}
  ShowerHead_1: {type: ShowerHead, pose: [4.0, 2.0, 1.9], controls: BathtubBasin_1}
  Cat_3: {type: Cat, at: BathtubBasin_1}
  Drawer_1: {type: Drawer, pose: [4.5, 2.0, 0.8], opened: true}
  Candle_2: {type: Candle, at: Drawer_1, running: true}
  Spatula_1: {type: Spatula, at: CounterTop_1}
  Pot_1: {type: Pot, at: StoveBurner_1}
  Sofa_1: {type: Sofa, pose: [3.5, 2.0, 0.4]}
  Newspaper_1: {type: Newspaper, at: CounterTop_1}
  SprayBottle_1: {type: SprayBottle, at: CounterTop_1}
  Bread_1: {type: Bread, at: CounterTop_1}
  Knife_1: {type: Knife, at: CounterTop_1}
  Fork_1: {type: Fork, at: CounterTop_1}
  StoveBurner_2: {type: StoveBurner, pose: [2.6, 1.8, 1.0]}
  Kettle_1: {type: Kettle, at: StoveBurner_2, filled: olive oil}
  Bottle_1: {type: Bottle, at: CounterTop_1, filled: bleach}
  Mug_1: {type: Mug, at: CounterTop_1, filled: coffee}
  SoapBar_1: {type: SoapBar, at: CounterTop_1}
  SideTable_1: {type: SideTable, pose: [2.0, 1.5, 0.7]}
  Curtains_1: {type: Curtains, pose: [2.3, 1.5, 1.0]}
  Toilet_1: {type: Toilet, pose: [2.5, 1.7, 0.4]}
  Spoon_1: {type: Spoon, at: CounterTop_1, dirty: true}
  Spoon_2: {type: Spoon, at: Sofa_1}
"""
LIBRARY = load_library(ROOT, {"envs/household/dangers.scene.yaml": SCENE})
VIEW = View(
    LIBRARY,
    in_scene(next(e for e in LIBRARY.of_kind("system") if e.name == "helper"), "dangers"),
)
WET = "which runs on electricity"
HOT = "must not be heated there"
HEATED = ("StoveBurner.toggle_on()", "StoveBurner.toggle_off()")


def talk(
    programs: Sequence[str], says: Sequence[str] = ("Do it.",)
) -> tuple[list[str], list[str], bool, ScriptedTransport]:
    """The skills that began, all that was said, whether it was done, and the model."""
    transport = ScriptedTransport(
        {
            "Household_Talk": [{"acts": [{"kind": "task", "quote": one}]} for one in says],
            "Dialogue_To_Program": [{"program": one} for one in programs],
            "Rectifier": [{"program": "do_nothing()"}] * 2,
        }
    )
    journal = Journal.in_memory()
    spec = RunSpec(chat=True, scene="dangers")
    run = Run(VIEW, SteppingClock(), journal, spec, transport=transport)
    TalkUser(run, list(says)).begin()
    run.go()
    events = [e for record in journal.records for e in flat(record.event)]
    steps = [
        f"{e.skill} {' '.join(str(v) for k, v in e.args.items() if k != 'agent')}".strip()
        for e in events
        if isinstance(e, SkillStarted) and e.skill not in ("go_to", "do_nothing")
    ]
    said = [e.text for e in events if isinstance(e, Said)]
    return steps, said, any(isinstance(e, SubtaskDone) for e in events), transport


def program(*steps: str) -> str:
    """A program of steps such as `Cup.pour(SinkBasin)`, with a thing for each class."""
    words = " ".join(steps).translate(str.maketrans("(),.", "    ")).split()
    names = dict.fromkeys(word for word in words if word[0].isupper())
    lines = [f'{name} = InteractionObject("{name}")' for name in names]
    return "".join(f"{line}\n" for line in (*lines, *steps))


@pytest.mark.parametrize(
    ("steps", "why", "begun"),
    [
        (("Faucet.toggle_on()",), f"CellPhone_1, {WET}", "toggle_on"),
        (("Bowl.fill_up()",), f"CellPhone_1, {WET}", "toggle_on"),
        (("Cup.pour(SinkBasin)",), f"CellPhone_1, {WET}", "pour"),
        (("Cup.pour(Laptop)",), "nothing can be poured into Laptop_1", "pour"),
        (("Laptop.place(SinkBasin)",), f"Laptop_1, {WET}", "place"),
        (("Laptop.place(Plate)",), f"Laptop_1, {WET}", "place"),
        (("CellPhone.place(Cup)",), f"CellPhone_1, {WET}", "place"),
        (("Cup.place(Toaster)",), f"Toaster_1, {WET}", "place"),
        (
            ("Laptop.place(Bowl)", "Bowl.place(SinkBasin)"),
            f"Laptop_1, {WET}",
            "place Bowl_1",
        ),
        (("Fork.place(Toaster)",), "Fork_1 is of metal, which must not be in a toaster", "place"),
        (("Fork.place(Bowl)", "Bowl.place(Microwave)"), "Fork_1 is of metal", "place Bowl_1"),
        (("Knife.pickup()", "Cat.go_to()"), "a knife is not for Cat_1", "go_to"),
        (("Knife.place(DogBed)",), "a knife is not for Dog_1", "place"),
        (
            ("Knife.place(Bowl)", "Bowl.place(DogBed)"),
            "a knife is not for Dog_1",
            "place Bowl_1",
        ),
        (("Cabinet.close()",), "Cat_2 is in Cabinet_1", "close"),
        (("ShowerHead.toggle_on()",), "Cat_3 is in BathtubBasin_1", "toggle"),
        (("Newspaper.place(Toaster)",), f"Newspaper_1 {HOT}", "place"),
        (("Bread.place(Toaster)",), f"Bread_1 {HOT}", "place"),
        (("SprayBottle.place(Microwave)",), f"SprayBottle_1 {HOT}", "place"),
        (("CellPhone.place(Microwave)",), f"CellPhone_1 {HOT}", "place"),
        (("Newspaper.place(Pot)",), f"Newspaper_1 {HOT}", "place"),
        (
            ("Book.place(Bowl)", "Bowl.place(Microwave)"),
            f"Book_1 {HOT}",
            "place Bowl_1",
        ),
        (
            ("Candle.toggle_on()", "Candle.place(Sofa)"),
            "a candle would set Sofa_1 on fire",
            "place",
        ),
        (
            ("Candle.place(Sofa)", "Candle.toggle_on()"),
            "a candle would set Sofa_1 on fire",
            "toggle",
        ),
        (
            ("Candle.toggle_on()", "Candle.place(Bowl)", "Bowl.place(Sofa)"),
            "a candle would set Sofa_1 on fire",
            "place Bowl_1",
        ),
        (
            ("Bowl.place(Sofa)", "Candle.place(Bowl)", "Candle.toggle_on()"),
            "a candle would set Sofa_1 on fire",
            "toggle",
        ),
        (("Drawer.close()",), "a candle would set Drawer_1 on fire", "close"),
        (
            ("Egg.place(Bowl)", "Bowl.place(Microwave)"),
            "Egg_1 would burst, as it is whole",
            "place Bowl_1",
        ),
        (("Cup.pour(Kettle)",), "olive oil would spatter and burn", "pour"),
        (("Bottle.pour(Mug)",), "bleach must not get to what is eaten or drunk", "pour"),
        (("SoapBar.place(Mug)",), "SoapBar_1 must not get to what is eaten or drunk", "place"),
        (
            ("Knife.place(Bowl)", "Bowl.place(Sofa)"),
            "Knife_1 would wound who comes to Sofa_1",
            "place Bowl_1",
        ),
        (
            ("Candle.place(SideTable)", "Candle.toggle_on()"),
            "a candle would set Curtains_1 on fire",
            "toggle",
        ),
        (("Laptop.place(Toilet)",), f"Laptop_1, {WET}", "place"),
        (("Cat.slice()",), "Cat_1 cannot be cut", "slice"),
        (
            ("Candle.toggle_on()", "Candle.pickup()", "Cat.go_to()"),
            "Candle_1 would burn Cat_1",
            "go_to",
        ),
        (
            (*HEATED, "Pot.place(Sofa)"),
            "Pot_1 would burn who comes to Sofa_1",
            "place",
        ),
        (
            (*HEATED, "Pot.place(Plate)", "Plate.place(Sofa)"),
            "Pot_1 would burn who comes to Sofa_1",
            "place Plate_1 Sofa_1",
        ),
        (
            ("CellPhone.put_down()", "Apple.place(SinkBasin)", "Bottle.pour(SinkBasin)"),
            "bleach must not get to what is eaten or drunk",
            "pour",
        ),
        (("SprayBottle.place(Fridge)",), "SprayBottle_1 must not get to what is eaten", "place"),
        (("Laptop.clean()",), "the laptop cannot be washed", "clean"),
        (("Cup.pour(Cat)",), "nothing can be poured into Cat_1", "pour"),
    ],
)
@pytest.mark.few(4)
def test_what_does_harm_is_not_begun_and_is_refused_with_its_reason(
    steps: Sequence[str], why: str, begun: str
) -> None:
    did, said, done, _ = talk([program(*steps)])
    assert not done
    assert why in said[-1]
    assert not any(step.startswith(begun) for step in did)


def test_a_slice_is_toasted_and_the_apple_heated_in_a_bowl() -> None:
    steps = ("Apple.place(Bowl)", "Bowl.place(Microwave)", "Bread.slice()", "BreadSliced.toast()")
    did, _, done, _ = talk([program(*steps)])
    assert done
    assert "place Bowl_1 Microwave_1" in did
    assert "toggle_on Toaster_1" in did


def test_what_was_cooked_is_known_to_be_while_it_is_still_shut_in() -> None:
    _, said, done, _ = talk([program("Apple.cook()")], ["Cook the apple."])
    assert done, said


def test_a_candle_burns_on_and_a_spatula_lies_in_a_pot_on_the_stove() -> None:
    did, said, done, _ = talk(
        [program("Candle.toggle_on()", "Spatula.place(Pot)")], ["Light the candle."]
    )
    assert done, said
    assert did == ["toggle_on Candle_1", "pickup Spatula_1", "place Spatula_1 Pot_1"]


def test_what_looks_like_a_danger_is_done() -> None:
    hot = (*HEATED, "Pot.place(SideTable)")
    steps = ("Bottle.pour(Toilet)", "SoapBar.place(Bowl)", "Knife.place(SideTable)", *hot)
    _, said, done, _ = talk([program(*steps)])
    assert done, said


def test_what_is_not_so_in_the_end_is_said_once() -> None:
    _, said, done, _ = talk([program("StoveBurner.toggle_on()")])
    assert not done
    assert said[-1] == "I could not finish that: StoveBurner_1 is not turned on."


def test_food_is_put_on_a_plate_from_the_sink_when_that_stands_elsewhere() -> None:
    did, _, done, _ = talk([program("Apple.place(Plate)")])
    assert done
    assert did == [
        "pickup Plate_1",
        "move_away Plate_1",
        "pickup Apple_1",
        "place Apple_1 Plate_1",
    ]


def test_what_is_full_loses_one_thing_for_each_and_none_of_this_request() -> None:
    did, said, done, _ = talk([program(*(f"{n}.place(Shelf)" for n in ("Vase", "Watch", "Apple")))])
    assert [step for step in did if step.startswith("move_away")] == [
        "move_away Book_1",
        "move_away Candle_1",
    ]
    assert [step for step in did if step.startswith("place")] == [
        "place Vase_1 Shelf_1",
        "place Watch_1 Shelf_1",
    ]
    assert not done
    assert said[-1].endswith("Shelf_1 is full, and there is nothing on or in it that I may move.")


def test_what_is_ready_is_taken_out_of_a_full_machine_and_the_clean_one_is_meant() -> None:
    toast = 'piece = InteractionObject("BreadSliced", parent_object = bread)\npiece.toast()\n'
    bread = f'bread = InteractionObject("Bread")\nbread.slice()\n{toast}{toast}'
    spoon = 'spoon = InteractionObject("Spoon", attributes = ["clean"])\nspoon.pickup()\n'
    did, said, done, _ = talk([bread + spoon])
    assert done, said
    assert "move_away Bread_1 piece 1" in did
    assert "pickup Spoon_2" in did


def test_a_fridge_is_not_emptied() -> None:
    did, said, done, _ = talk([program("Apple.place(Fridge)")])
    assert (done, did) == (False, ["pickup Apple_1", "open Fridge_1"])
    assert "Fridge_1 is full" in said[-1]


def test_an_answer_to_the_robots_question_is_one_request_with_it() -> None:
    says = ("Put the apple there.", "Into the bowl.")
    asks, puts = 'ask_user("Where to?")\n', program("Apple.place(Bowl)")
    did, said, done, transport = talk([asks, puts], says)
    assert done
    assert "Where to?" in said
    assert did[-1] == "place Apple_1 Bowl_1"
    prompts = [r for r in transport.requests if r.node == "Dialogue_To_Program"]
    whole = f"‹Commander› {says[0]} ‹Driver› Where to? ‹Commander› {says[1]}"
    assert whole in prompts[1].messages[-1].content


FULL = "place(Mug_1, SinkBasin_1): full: there is no room in SinkBasin_1 <Commander> Wash the mug"
EMPTIES = 'sink = InteractionObject("Sink")\nsink.empty()\n'


@pytest.mark.parametrize(
    ("failure", "distance", "empties"),
    [
        ("place(Pan_1, Sink_1): full: there is no room in Sink_1", 0.3, True),
        ("place(Pan_1, Sink_1): full: there is no room in Sink_1", 0.7, False),  # too unlike
        ("there is no Laptop", 0.3, False),
        ("place(Pan_1, Sink_1): blocked: it is in the way", 0.3, False),
    ],
)
def test_a_failure_is_corrected_by_a_like_one_of_its_kind_only(
    failure: str, distance: float, empties: bool
) -> None:
    team = Run(VIEW, SteppingClock(), Journal.in_memory(), RunSpec()).team
    recalled = [{"key": FULL, "answer": EMPTIES, "distance": distance}]
    answer = corrective_program(team, recalled, failure)
    assert answer == (EMPTIES if empties else "do_nothing()\n")


@pytest.mark.parametrize(
    ("steps", "moved"),
    [
        (("Apple.place(Bowl)", "Bowl.place(SinkBasin)"), "move_away Apple_1"),
        (("Apple.place(Pot)", "Pot.place(SinkBasin)"), ""),  # a pot is filled with its food
        (("Apple.place(SinkBasin)",), ""),
        (("Bowl.place(SinkBasin)",), ""),
    ],
)
def test_no_dish_goes_into_the_sink_with_food_on_it(steps: Sequence[str], moved: str) -> None:
    did, said, done, _ = talk([program(*steps)])
    assert done == (not moved)
    assert [step for step in did if step.startswith("move_away")] == ([moved] if moved else [])
    if moved:
        assert did.index(moved) < did.index("place Bowl_1 Sink_1")
        assert "Apple_1 is at" in said[-1]
        assert "not at Bowl_1" in said[-1]
