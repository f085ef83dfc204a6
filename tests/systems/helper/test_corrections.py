"""Short corrections without a model: once more, more of the same, another place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from tests.systems.helper.test_run_helper import events_of
from treec.team.events import Said
from treec.world.events import Event, FactSet, StateSet
from treec_helper.asked import HouseholdWords
from treec_helper.constructors import with_class, with_things
from treec_helper.corrections import corrected_program, is_short
from treec_helper.goals import KnownWorld, ThingChange
from treec_helper.marks import (
    AGAIN,
    ANOTHER,
    TAKEN_BACK,
    first_program,
    lasting_program,
    marked,
    varied_program,
)
from treec_helper.mentions import another_one
from treec_helper.taken_back import changes_of

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
        "DiningTable",
        "SinkBasin",
        "CounterTop",
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
AT = {"Mug_1": "CoffeeMachine_1", "Apple_1": "Plate_1", "Mug_3": "DiningTable_1"}
CHANGES = (
    ThingChange("filled", "Mug_1", None),
    ThingChange("at", "Mug_1", "DiningTable_1"),
    ThingChange("dirty", "Mug_1", True),
)


def world(*more: str, cooked: str = "", lost: str = "") -> KnownWorld:
    """A mug of coffee in its machine and an apple on a plate, which were just put there."""
    names = ("Mug_1", "Apple_1", "Plate_1", "Bowl_1", "CoffeeMachine_1", "SinkBasin_1", *more)
    kinds = {name: name.partition("_")[0] for name in (*names, "DiningTable_1", "CounterTop_1")}
    facts: dict[tuple[str, str], object] = {("at", thing): place for thing, place in AT.items()}
    facts |= {("filled", "Mug_1"): "coffee", ("cooked", cooked): True}
    changes = (*CHANGES, *([ThingChange("cooked", cooked, None)] if cooked else ()))
    return KnownWorld(
        kinds,
        lambda fact, thing: (facts.get((fact, thing)), True),
        lambda thing: thing in MADE or thing == cooked,
        lambda request: changes if "coffee" in request else (),
        lambda thing: ("blue",) if thing == "Mug_2" else (),
        is_found=lambda thing: thing != lost,
    )


def corrected(request: str, said: str, program: str, *more: str) -> str:
    return corrected_program(f"<Commander> {request}", said, program, world(*more), WORDS)


@pytest.mark.parametrize(
    "said",
    ["Again", "do it again, please", "one more", "double it", "Two coffees", "one more coffee"],
)
def test_more_coffee_goes_into_another_mug(said: str) -> None:
    program = corrected("Make a mug of coffee", said, COFFEE, "Mug_2")
    assert program.startswith(AGAIN)
    assert 'InteractionObject("Mug", object_instance="Mug_2")' in program
    assert program.index("thing1.put_down()") < program.index("mug.place(machine)")
    assert first_program(COFFEE + program) == COFFEE


def test_a_mug_whose_coffee_was_poured_away_is_free_again() -> None:
    undone = world("Mug_2")
    facts = {("filled", "Mug_1"): "coffee", ("at", "Mug_2"): "DiningTable_1"}
    here = replace(
        undone, get=lambda *of: (facts.get(of), True), is_new=lambda one: one.startswith("Mug")
    )
    program = corrected_program("<Commander> Make a mug of coffee", "one more", COFFEE, here, WORDS)
    assert 'InteractionObject("Mug", object_instance="Mug_2")' in program


@pytest.mark.parametrize(
    ("request_", "said", "program", "why"),
    [
        ("Make a mug of coffee", "again", COFFEE, "there is no other mug here"),
        ("Make a mug of coffee", "make it three", COFFEE, "there is 1 other mug here"),
        ("Make a mug of coffee", "one less", COFFEE, "there was only one"),
        ("Make a mug of coffee", "not that one, the red one", COFFEE, "I know of no red mug"),
        ("Make a mug of coffee", "no, the other one", COFFEE, "there is no other mug here"),
        ("Make a mug of coffee", "the one on the table", COFFEE, "that I took from there"),
        ("Make a mug of coffee", "without milk", COFFEE, "I need a model"),
        ("Make a mug of coffee", "without the mug", COFFEE, "I need a model"),
        ("Make a mug of coffee", "no more coffee", COFFEE, "I need a model"),
        ("Make a mug of coffee", "and another slice of tomato", COFFEE, "I need a model"),
        ("Put an apple on the plate", "and the coffee again", PUT, "I need a model"),
        ("Put an apple on the plate", "also one more mug", PUT, "I need a model"),
        ("Put an apple on the plate", "undo that", PUT, "nothing that I could take back"),
        ("Make a mug of coffee", "in a bowl instead", COFFEE, "I need a model"),
        (
            "Make breakfast: a mug of coffee and a slice of tomato",
            "again",
            COFFEE,
            "there is no other mug here",
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
    coffee = "<Commander> Make a mug of coffee"
    for said in (
        "two coffees, please",
        "another coffee",
        "undo that",
        "the blue one",
        "not that mug, the other one",
    ):
        assert is_short(coffee, said, WORDS), said
    for said in (
        "two slices of tomato",
        "put two coffees on the plate",
        "the mug",
        "half of it",
        "not this time",
    ):
        assert not is_short(coffee, said, WORDS), said


def test_long_words_say_of_no_other_thing() -> None:
    assert another_one("no, " * 9 + "the other one", WORDS.kinds) is not None
    assert another_one("no, " * 99 + "the other one", WORDS.kinds) is None


def test_things_are_named_in_every_form_of_a_constructor() -> None:
    program = (
        'mug = InteractionObject(object_class="Mug", landmark="Sink")\n'
        'é = InteractionObject("Mug", None, ["clean"], "Mug_7")\n'
        'b = InteractionObject(\n    "Bowl"\n)\n'
    )
    named = with_things(program, lambda one: "X" if one.kind == "Mug" else None)
    assert 'landmark="Sink", object_instance="X")' in named
    assert '["clean"], "X")' in named
    assert named.count("X") == 2
    assert with_class(program, "Bowl", "Plate") == program.replace("Bowl", "Plate")
    assert with_class(program, "Mug", "Cup").count("Cup") == 1  # the other is named by itself
    looped = f"for n in range(2):\n    {COFFEE.splitlines()[0]}\n"
    with pytest.raises(Exception, match="in a loop, I need a model"):
        corrected("Make a mug of coffee", "again", looped, "Mug_2")


def test_another_mug_takes_the_place_of_the_first() -> None:
    for said in ("the blue one", "not that one, the blue mug", "no, the other one"):
        program = corrected("Make a mug of coffee", said, COFFEE, "Mug_2")
        back, again = program.split("mug = ")
        assert 'object_instance="Mug_1"' in back
        assert "thing1.pickup_and_place(thing2)" in back
        assert again.startswith('InteractionObject("Mug", object_instance="Mug_2")')
    with pytest.raises(Exception, match="which one you mean: Mug_2 and Mug_3"):
        corrected("Make a mug of coffee", "the other one", COFFEE, "Mug_2", "Mug_3")
    three = world("Mug_2", "Mug_3", lost="Mug_2")
    clean = ("<Commander> Make a mug of coffee", "not that one, the clean one", COFFEE)
    program = corrected_program(*clean, three, WORDS)
    assert 'InteractionObject("Mug", object_instance="Mug_3")' in program
    other = corrected("Put an apple on the plate", "on the other plate", PUT, "Plate_2")
    assert '"Plate", object_instance="Plate_2"' in other


def test_another_one_too_leaves_the_first_where_it_is() -> None:
    for said in ("the other one too", "and the other mug as well"):
        program = corrected("Make a mug of coffee", said, COFFEE, "Mug_2")
        assert program.startswith(AGAIN), said
        assert "Mug_1" not in program
    instead = corrected("Make a mug of coffee", "in the other mug instead", COFFEE, "Mug_2")
    assert instead.startswith(ANOTHER)
    assert instead.index('"Mug_1"') < instead.index('"Mug_2"')
    assert ".pour(" in instead.partition("pickup_and_place")[0]  # what is not wanted is poured away


def test_something_else_goes_to_the_same_place_too() -> None:
    program = corrected("Put an apple on the plate", "the cup too, please", PUT, "Cup_1")
    assert 'InteractionObject("Cup", object_instance="Cup_1")' in program
    assert 'object_instance="Plate_1"' in program
    with pytest.raises(Exception, match="I need a model"):
        corrected("Put an apple on the plate and a mug on the table", "the bowl too", PUT)


def test_what_was_done_is_taken_back_but_for_what_stays() -> None:
    undone = corrected("Make a mug of coffee", "undo that, please", COFFEE)
    assert undone.startswith("# taken back; Mug_1 stays clean\n")
    assert undone.index(".pour(") < undone.index("pickup_and_place")
    assert lasting_program(COFFEE + undone) == ""
    cooked = world("Tomato_1", cooked="Tomato_1")
    with pytest.raises(Exception, match="taken back: Tomato_1 stays cooked"):
        corrected_program("<Commander> Make coffee", "undo that", COFFEE, cooked, WORDS)


def test_the_first_one_is_taken_again_after_another() -> None:
    after = "Make a mug of coffee\n<Driver> Is it right?\n<Commander> no, the other one"
    program = COFFEE.replace("mug.place", "# into the machine\nmug.place")
    for said in ("no, the first one", "the first mug after all"):
        undone = corrected(after, said, program + ANOTHER + program, "Mug_2")
        assert undone.startswith(TAKEN_BACK), said
    with pytest.raises(Exception, match="I need a model"):
        corrected(after, "the first drawer", program + ANOTHER + program, "Mug_2")
    with pytest.raises(Exception, match="I know of no first mug"):
        corrected("Make a mug of coffee", "no, the first one", COFFEE, "Mug_2")


def test_fewer_and_more_are_taken_away_and_put_there() -> None:
    two = "Put two apples on the plate"
    less = corrected(two, "make it one", PUT)
    assert 'object_instance="Apple_1"' in less
    assert 'object_instance="Plate_1"' not in less
    more = corrected(two, "make it three", PUT, "Apple_2")
    assert 'object_instance="Apple_2"' in more
    assert first_program(PUT + more + less) == PUT
    poured = corrected("Make a mug of coffee", "without the coffee", COFFEE)
    assert poured.endswith("thing1.pickup_and_place(thing3)\n")
    several = corrected("Make a mug of coffee", "also two more coffees", COFFEE, "Mug_2", "Mug_3")
    second, _ = several.split(AGAIN)[2].split('object_instance="Mug_3"')
    assert 'object_instance="Mug_2"' in second
    assert "put_down()" in second


def test_what_was_changed_is_read_from_what_happened() -> None:
    at = [("DiningTable_1", True), ("robot", False), ("Plate_1", False)]
    commits: list[list[Event]] = [[StateSet("request", "put")]]
    for place, seen in at:
        found = [FactSet("located", ("Apple_1",), True)] if seen else []
        commits.append([*found, FactSet("at", ("Apple_1",), place)])
    commits += [[StateSet("request", "other")], [FactSet("opened", ("Fridge_1",), True)]]
    assert changes_of(commits, "put", ["robot"]) == [ThingChange("at", "Apple_1", "DiningTable_1")]


def test_all_is_taken_back_with_its_corrections() -> None:
    put, more = "<Commander> Put an apple on the plate", "\n<Driver> ?\n<Commander> one more"
    commits: list[list[Event]] = [[FactSet("at", (f"Apple_{n}",), "Desk_1")] for n in (1, 2)]
    for number, request in enumerate((put, put + more), 1):
        commits += [
            [StateSet("request", request)],
            [FactSet("at", (f"Apple_{number}",), "Plate_1")],
        ]
    last = [ThingChange("at", "Apple_2", "Desk_1")]
    first = [ThingChange("at", "Apple_1", "Desk_1")]
    assert changes_of(commits, put, ["robot"]) == first
    assert changes_of(commits, put, ["robot"], corrections=True) == last + first
    where = {"Apple_1": "Plate_1", "Apple_2": "Plate_1"}
    here = replace(
        world("Apple_2", "Desk_1"),
        get=lambda fact, thing: (where.get(thing) if fact == "at" else None, True),
        changes=lambda request: last,
        all_changes=lambda request: last + first,
    )
    done = PUT + AGAIN + PUT
    for said, things in (
        ("put them back", 2),
        ("undo everything", 2),
        ("please return both", 2),
        ("put it back", 1),
        ("never mind, put the apple back", 1),
    ):
        assert is_short(put + more, said, WORDS), said
        undone = corrected_program(put + more, said, done, here, WORDS)
        assert undone.count("pickup_and_place") == things, said
        assert lasting_program(done + undone) == ("" if things == 2 else PUT)
    both = f"{put} and a mug on the table\n<Driver> ?\n<Commander> put the mug back"
    assert lasting_program(PUT + marked("mug.pickup_and_place(table)\n", both, WORDS)) != ""
    assert not is_short(put, "put the mug back", WORDS)
    with pytest.raises(Exception, match="to put only that back"):
        corrected_program(put + more, "put the plate back", done, here, WORDS)


@pytest.mark.parametrize(
    "said", ["no, in a bowl", "I'd rather have it in a bowl", "put it in a bowl"]
)
def test_another_place_is_heard_in_other_words(said: str) -> None:
    put = "<Commander> Put an apple on the plate"
    assert is_short(put, said, WORDS)
    assert corrected("Put an apple on the plate", said, PUT).startswith("# Bowl instead of Plate")


def test_a_mug_is_put_back_when_it_is_empty() -> None:
    changes = (ThingChange("at", "Mug_1", "DiningTable_1"), ThingChange("filled", "Mug_1", None))
    here = replace(world(), changes=lambda request: changes)
    undone = corrected_program("<Commander> Make coffee", "undo that", COFFEE, here, WORDS)
    assert undone.index(".pour(") < undone.index(".pickup_and_place(")
    assert undone.count("pickup_and_place") == 1


def test_a_correction_lasts_unless_it_asks_for_something_else() -> None:
    put = "<Commander> Put an apple on the plate"
    said = "{}\n<Driver> Is it right?\n<Commander> {}"
    for words, lasts in (
        ("in a bowl instead", False),
        ("make it two", False),
        ("you did not wash the apple", True),
        ("wash the apple this time", False),
    ):
        carried_out = PUT + marked("apple.clean()\n", said.format(put, words), WORDS)
        assert (lasting_program(carried_out) != PUT) == lasts, words
        assert varied_program(carried_out) == PUT + "apple.clean()\n"
    moved = PUT + corrected("Put an apple on the plate", "in a bowl instead", PUT)
    assert lasting_program(moved) == PUT
    assert varied_program(moved) == PUT.replace("Plate", "Bowl")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["Prepare coffee in a clean mug.", "two coffees"], "I have put that right."),
        (["Prepare coffee in a clean mug.", "forget it"], "All right, I do nothing about that."),
        (["Prepare coffee in a clean mug.", "no, the other one"], "I have put that right."),
        (
            ["Rearrange some objects: place two pencils on the desk.", "the pen as well"],
            "I have put",
        ),
        (
            ["Prepare coffee in a clean mug.", "undo that"],
            "I have put that right, but Mug_1 stays clean.",
        ),
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
    assert [e.text for e in events_of(tmp_path / "runs") if isinstance(e, Said)][-1].startswith(
        answer
    )
