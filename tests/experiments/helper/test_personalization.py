"""The paper's personalization: routines adapted by rules, and the scorer that judges them."""

from __future__ import annotations

import pytest

from experiments.helper.routines import find_wrong, read_routines
from tests.cli.conftest import ROOT
from tests.experiments.conftest import Experiment
from treec_helper.adapt import adapt
from treec_household.state import HouseholdState

KINDS = (
    *("Plate", "Mug", "Cup", "Fork", "Egg", "EggCracked", "Sofa", "ArmChair", "Pillow", "Potato"),
    *("Tomato", "TomatoSliced", "PotatoSliced", "RemoteControl", "CounterTop", "Bread"),
    *("BreadSliced", "CoffeeMachine", "SinkBasin"),
)
KEY = "Make me the Tom salad"
SALAD = """\
plate = InteractionObject("Plate")
plate.clean()
tomato = InteractionObject("Tomato")
tomato.slice()
tomato1 = InteractionObject("TomatoSliced", parent_object = tomato)
tomato1.pickup_and_place(plate)
tomato2 = InteractionObject("TomatoSliced", parent_object = tomato)
tomato2.pickup_and_place(plate)
"""


@pytest.mark.parametrize(
    ("words", "tomatoes", "has", "lacks"),
    [
        ("Make me the Tom salad", 2, "Plate", "Fork"),
        ("Make me the Tom salad with only 1 slice of tomato", 1, "Plate", "Fork"),
        ("Make me the Tom salad with an extra slice of tomato", 3, "Plate", "Fork"),
        ("Make me the Tom salad with five slices of tomato", 5, "Plate", "Fork"),
        ("Make me the Tom salad and bring a fork", 2, '"Fork"', "Egg"),
        ("Make me the Tom salad but add a slice of potato", 2, '"PotatoSliced"', "cook()"),
        ("Make me the Tom salad but add a slice of cooked potato", 2, ".cook()", "Egg"),
        ("Make me the Tom salad without tomato", 0, "Plate", '"Tomato"'),
        ("Make me the Tom salad on the countertop instead", 2, '"CounterTop"', '"Plate"'),
    ],
)
def test_a_routine_is_changed_as_the_words_say(
    words: str, tomatoes: int, has: str, lacks: str
) -> None:
    program = adapt(words, KEY, SALAD, KINDS)
    assert program.count('"TomatoSliced"') == tomatoes
    assert has in program
    assert lacks not in program


def test_a_program_that_is_more_than_plain_lines_stays_as_it_is() -> None:
    looped = "for turn in range(2):\n    put_down()\n"
    assert adapt("Make me the Tom salad without tomato", KEY, looped, KINDS) == looped


def household(at: dict[str, str], **facts: object) -> HouseholdState:
    kinds = {"Plate_1": "Plate", "Mug_1": "Mug", "Mug_2": "Mug"}
    kinds |= {f"T{n}": "TomatoSliced" for n in range(1, 4)}
    state = HouseholdState("robot", kinds)
    for thing, where in at.items():
        state.set("at", thing, where)
    for name, value in facts.items():
        fact, _, thing = name.partition("__")
        state.set(fact, thing, value)
    return state


def test_the_scorer_counts_exactly() -> None:
    goal = {"Plate": [{"TomatoSliced": 2}], "coffee": 1}
    right = household({"T1": "Plate_1", "T2": "Plate_1"}, filled__Mug_1="coffee")
    assert not list(find_wrong(goal, right))
    one_more = household({f"T{n}": "Plate_1" for n in (1, 2, 3)}, filled__Mug_1="coffee")
    assert list(find_wrong(goal, one_more)) == ["3 TomatoSliced on Plate_1, not 2"]
    dirty = household({"T1": "Plate_1", "T2": "Plate_1"}, dirty__Plate_1=True)
    assert list(find_wrong(goal, dirty)) == ["Plate_1 is dirty", "0 coffee, not 1"]
    washed = household({}, dirty__Mug_1=True)
    assert not list(find_wrong({"clean": {"Mug": 1}}, washed))
    assert list(find_wrong({"clean": {"Mug": 2}}, washed)) == ["1 Mug clean, not 2"]


def test_there_are_forty_requests() -> None:
    routines = read_routines()
    assert [len(one["requests"]) for one in routines] == [4] * 10


@pytest.mark.slow
def test_the_command_prints_the_table(experiment: Experiment) -> None:
    result = experiment("helper.personalization", "-L", ROOT)
    assert result.status == 0, result.err
    assert "original plan       10 of 10" in result.out
    assert "37 of 40" in result.out
