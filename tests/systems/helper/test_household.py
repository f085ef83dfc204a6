"""The symbolic household: what actions do and refuse, what is seen, repairs and searches."""

from __future__ import annotations

import random

import pytest

from experiments.helper.carry_out import SYSTEM, ProgramResult, TrialSettings, carry_out
from tests.support.library import ROOT
from treec.api.find import find_system
from treec.files.library import load_library
from treec.files.view import View, in_scene
from treec_household.actions import Actions, Refused
from treec_household.environment import Household
from treec_household.search import places_to_look
from treec_household.state import HouseholdState

pytestmark = pytest.mark.needs_system("helper")


@pytest.fixture(scope="module")
def view() -> View:
    """HELPER's household system in its small kitchen."""
    library = load_library(ROOT, {"envs/household/shut_away.scene.yaml": SHUT_AWAY})
    return View(library, find_system(library, SYSTEM))


SHUT_AWAY = """\
scene: shut_away
about: Much is in a closet at the other end.
domain: household
objects:
  Sink_1: {type: SinkBasin, pose: [0.0, 0.0, 0.9]}
  Faucet_1: {type: Faucet, pose: [0.0, 0.0, 1.1]}
  CounterTop_1: {type: CounterTop, pose: [1.0, 0.0, 0.9]}
  CounterTop_2: {type: CounterTop, pose: [9.0, 0.0, 0.9]}
  Cabinet_1: {type: Cabinet, pose: [9.0, 0.0, 0.5], room: 9}
  Box_1: {type: Box, at: Cabinet_1, opened: true}
  Candle_1: {type: Candle, at: Cabinet_1, running: true}
  Mug_1: {type: Mug, at: Cabinet_1, dirty: true, filled: coffee}
  Tray_1: {type: Plate, at: Cabinet_1}
  Apple_1: {type: Apple, at: Tray_1}
"""


def go(view: View, program: str, **settings: object) -> ProgramResult:
    return carry_out(view, program, TrialSettings(**settings))  # type: ignore[arg-type]


@pytest.fixture
def home(view: View) -> Household:
    """The small kitchen before anything has happened."""
    return go(view, "# nothing").home


@pytest.fixture
def actions(home: Household) -> Actions:
    return home.actions


def refused(actions: Actions, skill: str, **args: str) -> str:
    with pytest.raises(Refused) as error:
        actions.do(skill, args)
    return str(error.value)


# Actions


def test_the_world_refuses_what_cannot_be(actions: Actions) -> None:
    assert refused(actions, "pickup", item="Tomato_1").startswith("occluded: ")
    actions.walk_to("HousePlant_1")
    assert refused(actions, "pickup", item="Knife_1").startswith("too far: ")
    actions.walk_to("Knife_1")
    actions.do("pickup", {"item": "Knife_1"})
    assert refused(actions, "pickup", item="SaltShaker_1").startswith("full: ")
    assert refused(actions, "open", thing="CounterTop_1").startswith("impossible: ")
    actions.walk_to("Toaster_1")
    actions.do("place", {"item": "Knife_1", "target": "Toaster_1"})
    assert refused(actions, "pickup_and_place", item="Knife_1", target="CounterTop_1").startswith(
        "not done: "
    )


def test_nothing_is_put_into_itself(actions: Actions) -> None:
    actions.walk_to("Pot_1")
    actions.do("pickup", {"item": "Pot_1"})
    assert refused(actions, "place", item="Pot_1", target="Pot_1").startswith("blocked: ")


def test_water_washes_and_fills_what_stands_in_the_basin(home: Household) -> None:
    state, actions = home.state, home.actions
    actions.walk_to("Faucet_1")
    assert state.get("dirty", "Cup_2")
    actions.do("toggle_on", {"thing": "Faucet_1"})
    assert not state.get("dirty", "Cup_2")
    assert state.get("filled", "Cup_2") == "water"


def test_cutting_makes_the_pieces_where_the_whole_was(home: Household) -> None:
    state, actions = home.state, home.actions
    pieces = [n for n in state.kinds if state.get("cut_from", n) == "Potato_1"]
    assert len(pieces) == 7
    assert not any(state.exists(piece) for piece in pieces)
    actions.walk_to("Knife_1")
    actions.do("pickup", {"item": "Knife_1"})
    actions.do("slice", {"item": "Potato_1"})
    assert {state.support(piece) for piece in pieces} == {"CounterTop_1"}
    assert not state.exists("Potato_1")


# Programs


BREAKFAST = """\
bread = InteractionObject("Bread")
piece = InteractionObject("BreadSliced", parent_object=bread)
plate = InteractionObject("Plate", attributes=["clean"])
bread.slice()
piece.toast()
plate.clean()
piece.pickup_and_place(plate)
mug = InteractionObject("Mug")
machine = InteractionObject("CoffeeMachine")
mug.clean()
mug.empty()
mug.place(machine)
machine.toggle_on()
"""


@pytest.mark.parametrize("sight", ["full", "partial"])
def test_repairs_reach_as_deep_as_is_needed(view: View, sight: str) -> None:
    """Slicing needs the knife, which needs the hand free; toasting needs the toaster, and so on."""
    found = go(view, BREAKFAST, sight=sight)
    assert (found.refused, found.lost) == ("", ())
    state = found.home.state
    toasts = [n for n, kind in state.kinds.items() if kind == "BreadSliced"]
    cooked = [n for n in toasts if state.get("cooked", n)]
    assert len(cooked) == 1
    assert state.kinds[state.support(cooked[0]) or ""] == "Plate"
    assert state.get("filled", "Mug_1") == "coffee"
    assert not state.get("dirty", "Mug_1")


def test_both_styles_mean_the_same(view: View) -> None:
    objects = 'mug = InteractionObject("Mug")\nmug.pickup()\n'
    calls = 'mug = InteractionObject("Mug")\npickup(mug)\n'
    assert go(view, objects).home.state.held == go(view, calls).home.state.held == "Mug_1"


def test_two_names_of_a_class_are_two_things(view: View) -> None:
    program = (
        'one = InteractionObject("Plate")\nother = InteractionObject("Plate")\n'
        'table = InteractionObject("DiningTable")\n'
        "one.pickup_and_place(table)\nother.pickup_and_place(table)\n"
    )
    state = go(view, program).home.state
    assert (state.support("Plate_1"), state.support("Plate_2")) == (
        "DiningTable_1",
        "DiningTable_1",
    )


def test_a_landmark_tells_which(view: View) -> None:
    program = 'cup = InteractionObject("Cup", landmark="SinkBasin")\ncup.pickup()\n'
    assert go(view, program).home.state.held == "Cup_2"


def test_the_toasted_one_is_meant_if_nothing_is_toasted(view: View) -> None:
    made = 'bread = InteractionObject("Bread")\nbread.slice()\n'
    first = 'one = InteractionObject("BreadSliced", parent_object=bread)\none.toast()\n'
    toasted = go(view, made + first).home.state
    taken = 'one = InteractionObject("BreadSliced", attributes=["toasted"])\none.{}()\n'
    moved = carry_out(view, taken.format("pickup"), TrialSettings(), toasted).home.state
    assert moved.held == "Bread_1 piece 1"
    again = carry_out(view, taken.format("toast"), TrialSettings(), toasted).home.state
    assert again.get("cooked", "Bread_1 piece 2")


def test_a_sink_is_its_basin(view: View) -> None:
    program = 'mug = InteractionObject("Mug")\nsink = InteractionObject("Sink")\nmug.place(sink)\n'
    assert go(view, program).home.state.support("Mug_1") == "Sink_1"


def test_conditions_are_read_when_they_are_reached(view: View) -> None:
    program = (
        'mug = InteractionObject("Mug")\n'
        'if mug.check_attribute("dirty", True):\n    mug.clean()\n'
        'if mug.check_attribute("dirty", True):\n    mug.pickup()\nelse:\n    mug.put_down()\n'
    )
    found = go(view, program)
    assert not found.lost
    assert found.home.state.held is None


def test_an_assertion_changes_nothing_and_is_no_failed_step(view: View) -> None:
    found = go(view, 'mug = InteractionObject("Mug")\nmug.change_state("dirty", False)\n')
    assert found.ended
    assert [(one.line, one.assertion) for one in found.lost] == [(2, True)]
    assert found.home.state.get("dirty", "Mug_1")


def test_a_failed_step_says_why_and_the_program_goes_on(view: View) -> None:
    program = (
        'plant = InteractionObject("HousePlant")\nplant.open()\n'
        'knife = InteractionObject("Knife")\nknife.pickup()\n'
    )
    found = go(view, program)
    assert not found.ended
    assert [(one.line, one.skill) for one in found.lost] == [(2, "open")]
    assert found.lost[0].reason == "open(HousePlant_1): 'opens(thing)' does not hold"
    assert found.home.state.held == "Knife_1"


def test_of_an_empty_vessel_nothing_is_poured_but_away(view: View) -> None:
    names = ("Mug", "SinkBasin", "HousePlant")
    program = "".join(f'{n} = InteractionObject("{n}")\n' for n in names) + "Mug.pour(SinkBasin)\n"
    found = go(view, program + "Mug.pour(SinkBasin)\nMug.pour(HousePlant)\n")
    assert [one.line for one in found.lost] == [6]
    assert "'filled(item)' does not hold" in (found.lost[0].reason or "")
    assert not found.home.state.get("filled", "HousePlant_1")
    watered = go(view, program + "Mug.fill_up()\nMug.pour(HousePlant)\nMug.pour(HousePlant)\n")
    assert watered.lost == ()
    assert watered.home.state.get("filled", "HousePlant_1") == "water"


def test_after_thirty_failed_steps_it_is_given_up(view: View) -> None:
    program = 'plant = InteractionObject("HousePlant")\n' + "plant.open()\n" * 40
    found = go(view, program)
    assert not found.ended
    assert len(found.lost) == 30


# Sight


def test_with_partial_sight_what_is_shut_away_is_looked_for(view: View) -> None:
    program = 'plate = InteractionObject("Plate", landmark="Cabinet")\nplate.pickup()\n'
    tomato = 'tomato = InteractionObject("Tomato")\ntomato.pickup()\n'
    assert go(view, program, sight="partial").ended
    full, partial = go(view, tomato), go(view, tomato, sight="partial")
    assert full.home.state.held == partial.home.state.held == "Tomato_1"
    assert "Tomato_1" in partial.home.known
    assert "Fork_1" not in partial.home.known  # in the drawer, which nothing has opened


@pytest.mark.parametrize(
    ("step", "fact", "value"),
    [
        ("Box.close()", ("opened", "Box_1"), None),
        ("Candle.toggle_off()", ("running", "Candle_1"), None),
        ("Mug.clean()", ("dirty", "Mug_1"), None),
        ("Mug.pour(SinkBasin)", ("filled", "Mug_1"), None),
        ("Mug.empty()", ("filled", "Mug_1"), None),
        ("Plate.empty()", ("at", "Apple_1"), "CounterTop_2"),
    ],
)
def test_what_has_not_been_seen_is_not_so_already(
    view: View, step: str, fact: tuple[str, str], value: object
) -> None:
    names = ("Box", "Candle", "Mug", "Plate", "SinkBasin")
    program = "".join(f'{n} = InteractionObject("{n}")\n' for n in names) + step
    shut_away = View(view.library, in_scene(find_system(view.library, SYSTEM), "shut_away"))
    found = go(shut_away, program, sight="partial")
    assert found.lost == ()
    assert found.home.state.get(*fact) == value


def test_what_has_not_been_seen_is_asserted_of_nothing(view: View) -> None:
    program = 'bowl = InteractionObject("Bowl")\n' + "".join(
        f'bowl.change_state("{name}", {value})\n'
        for name, value in (("dirty", False), ("clean", True), ("filled", False))
    )
    assert [one.line for one in go(view, program, sight="partial").lost] == [2, 3, 4]
    assert go(view, program).lost == ()


def test_what_is_nowhere_is_given_up_after_all_places(view: View) -> None:
    program = (
        'tomato = InteractionObject("Tomato")\n'
        'piece = InteractionObject("TomatoSliced", parent_object=tomato)\npiece.pickup()\n'
    )
    found = go(view, program, sight="partial")
    assert not found.ended
    assert len(found.lost) == 1


def test_a_seed_gives_the_same_run(view: View) -> None:
    one, other = (go(view, BREAKFAST, sight="partial", slips=0.5, seed=3) for _ in range(2))
    assert (one.lost, one.steps, one.walked) == (other.lost, other.steps, other.walked)


def test_likely_places_are_searched_first(home: Household) -> None:
    """Against a random order: fewer places until a thing of the small kitchen is found."""
    state, rng = home.state, random.Random(0)
    looked, by_chance = [], []
    for thing in (n for n in state.kinds if state.exists(n) and n not in home.fixtures):
        places = places_to_look(state, thing)
        if _place(state, thing) not in places:
            continue
        looked.append(places.index(_place(state, thing)))
        shuffled = rng.sample(places, len(places))
        by_chance.append(shuffled.index(_place(state, thing)))
    assert len(looked) > 15
    assert sum(looked) < 0.6 * sum(by_chance)


def _place(state: HouseholdState, thing: str) -> str:
    return list(state.chain(thing))[-1]
