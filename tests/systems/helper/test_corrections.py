"""Short corrections without a model: once more, more of the same, another place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from tests.systems.helper.test_run_helper import events_of
from treec.team.events import Said
from treec_helper.asked import HouseholdWords
from treec_helper.corrections import AGAIN, corrected_program, first_program, is_recount
from treec_helper.goals import KnownWorld

WORDS = HouseholdWords(
    (
        "Mug",
        "Cup",
        "Bowl",
        "Plate",
        "Apple",
        "Tomato",
        "TomatoSliced",
        "CoffeeMachine",
        "HousePlant",
    ),
    {"Tomato": "TomatoSliced"},
)
COFFEE = (
    'mug = InteractionObject("Mug")\nmachine = InteractionObject("CoffeeMachine")\n'
    "mug.place(machine)\nmachine.toggle_on()\n"
)
PUT = (
    'apple = InteractionObject("Apple")\nplate = InteractionObject("Plate")\n'
    "apple.pickup_and_place(plate)\n"
)
WATER = 'plant = InteractionObject("HousePlant")\nplant.fill_up()\n'
MADE = {"Mug_1", "Apple_1"}


def world(*more: str) -> KnownWorld:
    """A mug of coffee in its machine and an apple on a plate, which were just put there."""
    names = ("Mug_1", "Apple_1", "Plate_1", "Bowl_1", "CoffeeMachine_1", *more)
    kinds = {name: name.partition("_")[0] for name in names}
    at = {"Mug_1": "CoffeeMachine_1", "Apple_1": "Plate_1"}
    return KnownWorld(
        kinds,
        lambda fact, thing: (at.get(thing) if fact == "at" else None, True),
        MADE.__contains__,
    )


def corrected(request: str, said: str, program: str, *more: str) -> str:
    return corrected_program(f"<Commander> {request}", said, program, world(*more), WORDS)


@pytest.mark.parametrize(
    "said", ["Again", "do it again, please", "one more", "double it", "Two coffees"]
)
def test_more_coffee_goes_into_another_mug(said: str) -> None:
    program = corrected("Make a mug of coffee", said, COFFEE, "Mug_2")
    assert program.startswith(AGAIN)
    assert 'InteractionObject("Mug", object_instance="Mug_2")' in program
    assert program.index("made1.put_down()") < program.index("mug.place(machine)")
    assert first_program(COFFEE + program) == COFFEE


@pytest.mark.parametrize(
    ("request_", "said", "program", "why"),
    [
        ("Make a mug of coffee", "again", COFFEE, "there is no other mug here"),
        ("Make a mug of coffee", "make it three", COFFEE, "there is 1 other mug here"),
        (
            "Make a mug of coffee",
            "undo that",
            COFFEE,
            "to take back what I have done, I need a model",
        ),
        (
            "Make a mug of coffee",
            "one less",
            COFFEE,
            "to take back what I have done, I need a model",
        ),
        ("Make a mug of coffee", "not that one, the blue one", COFFEE, "I need a model"),
        ("Make a mug of coffee", "in a bowl instead", COFFEE, "I need a model"),
        (
            "Make breakfast: a mug of coffee and a slice of tomato",
            "again",
            COFFEE,
            "I need a model",
        ),
        ("Put an apple on the plate", "in a bowl with milk instead", PUT, "I need a model"),
        ("Make a mug of coffee", "again", "", "nothing was done"),
    ],
)
def test_what_cannot_be_corrected_is_said(request_: str, said: str, program: str, why: str) -> None:
    more = ("Mug_2",) if "three" in said else ()
    with pytest.raises(Exception, match=why):
        corrected(request_, said, program, *more)


def test_what_was_put_somewhere_is_put_elsewhere() -> None:
    moved = corrected("Put an apple on the plate", "no, in a bowl instead", PUT)
    assert 'InteractionObject("Apple", object_instance="Apple_1")' in moved
    assert 'target = InteractionObject("Bowl")' in moved
    assert first_program(PUT + moved) == PUT.replace("Plate", "Bowl")


def test_the_same_thing_is_done_to_again_what_nothing_was_made_of() -> None:
    assert corrected("Water the plant", "again", WATER) == AGAIN + WATER


def test_a_number_of_something_else_is_a_request() -> None:
    assert is_recount("<Commander> Make a mug of coffee", "two coffees, please", WORDS)
    assert not is_recount("<Commander> Make a mug of coffee", "two slices of tomato", WORDS)
    assert not is_recount("<Commander> Make a mug of coffee", "put two coffees on the plate", WORDS)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["Prepare coffee in a clean mug.", "two coffees"], "I have put that right."),
        (["Prepare coffee in a clean mug.", "forget it"], "All right, I do nothing about that."),
        (["Do it again."], "There is nothing that I could do again."),
    ],
)
@pytest.mark.few(1)
def test_short_corrections_correct_the_last_request(
    treec: Treec, tmp_path: Path, said: list[str], answer: str
) -> None:
    lines = [part for one in said for part in ("--dialogue", one)]
    where = ("--fast", "--runs", tmp_path / "runs", "--memories", tmp_path, "-L", ROOT)
    treec("run", "helper", "--scene", "household_flat", *lines, *where)
    assert [e.text for e in events_of(tmp_path / "runs") if isinstance(e, Said)][-1] == answer
