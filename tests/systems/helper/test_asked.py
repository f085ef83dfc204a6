"""What a request asks for by its words, and what of it does not hold."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from treec.files.types import TypeTree
from treec.world.events import FactSet, StateSet
from treec_helper.asked import HouseholdWords, asked
from treec_helper.functions import remembered_program
from treec_helper.goals import KnownWorld, described, unmet_of
from treec_helper.remembered import find_same
from treec_helper.taken_back import values_before

KINDS = (
    *("Apple", "Bowl", "Bread", "BreadSliced", "CounterTop", "Cup", "Desk", "DiningTable", "Fork"),
    *("Fridge", "GarbageCan", "HousePlant", "Mug", "Plate", "Potato", "PotatoSliced", "SinkBasin"),
    *(
        "Candle",
        "StoveBurner",
        "Tomato",
        "TomatoSliced",
        "Book",
        "Microwave",
        "Laptop",
        "Cat",
        "Knife",
    ),
)
PIECES = {"Bread": "BreadSliced", "Potato": "PotatoSliced", "Tomato": "TomatoSliced"}
WORDS = HouseholdWords(KINDS, PIECES)
Q = "\n<Driver> Is it right? Did I miss anything?\n<Commander> "


@pytest.mark.parametrize(
    ("request_", "goal"),
    [
        (
            "Put the plate on the table and the book on the desk",
            "dining table: ; plate: at the dining table; desk: ; book: at the desk",
        ),
        ("Put all the cups in the sink.", "every cup: at the sink basin"),
        (
            "Make two slices of toast on a clean plate",
            "plate: not dirty; 2 × slice of bread: cooked, at the plate",
        ),
        ("Make coffee in the mug, not in the cup", "mug: filled with coffee"),
        ("Two coffees, please: make two coffees", "2 × mug: filled with coffee"),
        ("Wash the forks and the mug", "every fork: not dirty; mug: not dirty"),
        ("Slice the tomato, then put it in the bowl", "tomato: cut, at the bowl"),
        ("Boil a potato by cooking it in water.", "potato: boiled"),
        ("Water the plant", "house plant: filled with water"),
        ("Turn the stove off and open the fridge", "stove burner: not turned on; fridge: open"),
        (
            "Put the fork in the microwave and turn it on",
            "microwave: turned on; fork: at",
        ),
        ("Throw the apple away", "apple: at the garbage can"),
        ("Take the apple off the table", "apple: not at the dining table"),
        ("Open the fridge, please, and leave it open", "fridge: open"),
        ("Make toast without tomato", "slice of bread: cooked"),
        ("Water the plants", "every house plant: filled with water"),
        ("Put the cups in the sink", "every cup: at the sink basin"),
        ("Make a salad with a slice of tomato on a plate", "slice of tomato: at the plate"),
        ("Make me coffee. This is called the Zed coffee: a mug of coffee", "mug: filled with cof"),
        ("This is called the Kim snack: a potato in a bowl", "potato: at the bowl"),
        ("Make a salad. It is the Kim salad. The salad has a slice of tomato", "slice of tomato"),
        ("The knife is in the fridge", ""),
        ("<Commander> Clean it <Driver> What? <Commander> The mug", ""),
        # corrections
        (f"Make two slices of toast{Q}double", "4 × slice of bread: cooked"),
        (f"Make two slices of toast{Q}one less", "slice of bread: cooked"),
        (f"Make toast on a plate{Q}in a bowl instead", "slice of bread: cooked, at the bowl"),
        (f"Make coffee{Q}two coffees", "2 × mug: filled with coffee"),
        (f"Make coffee and toast{Q}without coffee", "slice of bread: cooked"),
        (f"Make toast{Q}Put the fork on the plate, too", "slice of bread: cooked; fork: at the p"),
        (f"Make two slices of toast{Q}two more slices of toast", "4 × slice of bread: cooked"),
        (f"Make two slices of toast{Q}and another two", "4 × slice of bread: cooked"),
        (
            f"Make toast on a plate{Q}I'd rather have it in a bowl",
            "slice of bread: cooked, at the b",
        ),
        (f"Put a fork on the table{Q}not on the table, on the desk", "fork: at the desk"),
        (f"Put a fork on the table{Q}double", "2 × fork: at the dining table"),
        (f"Put two forks on the table{Q}put one of them back", "fork: at the dining table"),
        (f"Put two forks on the table{Q}that's one too many", "fork: at the dining table"),
        (f"Put two forks on the table{Q}all three, please", "3 × fork: at the dining table"),
        (f"Put a fork on the table{Q}two more{Q}put them back", ""),
        (f"Put a fork and a book on the table{Q}put the book back", "fork: at the dining table"),
        (f"Put a fork on the table{Q}put the fork back", ""),
        (f"Put a fork on the desk{Q}return the mug to the table", "fork: at the desk"),
        ("Take the apple out of the fridge and put it back", "apple: not at the fridge"),
        (f"Make two slices of toast{Q}and one more cup", "2 × slice of bread: cooked"),
    ],
)
def test_words_state_goals(request_: str, goal: str) -> None:
    found = described(asked(request_, WORDS))
    for part in goal.replace("dining table: ; ", "").replace("desk: ; ", "").split("; "):
        assert part in found, found
    assert bool(goal) == bool(found)


@pytest.mark.parametrize(
    ("request_", "goal"),
    [
        # wishes and states
        ("I'd like all the mugs in the sink", "every mug: at the sink basin"),
        ("i need the plant watered", "house plant: filled with water"),
        ("Make sure all the cups are clean", "every cup: not dirty"),
        ("The fork has to be cleaned", "fork: not dirty"),
        ("Give the cups a quick wash", "every cup: not dirty"),
        ("Would you mind putting both forks on the desk?", "every fork: at the desk"),
        ("two coffees please", "2 × mug: filled with coffee"),
        ("First cut the bread, then toast a slice", "bread: cut; slice of bread: cooked"),
        ("All the books belong on the desk", "every book: at the desk"),
        ("I want the potatoes cooked", "every potato: cooked"),
        ("Grab the cup and drop it on the desk", "cup: at the desk"),
        ("Take the cup off the table and put it on the desk", "cup: at the desk"),
        ("Put the fork next to the knife, on the desk", "fork: at the desk"),
        ("Put the book on the desk and light the candle", "book: at the desk; candle: turned on"),
        ("Make sure the laptop is closed and the fridge is open", "laptop: not open; fridge: op"),
        ("Slice a tomato and lay two slices on a plate", "tomato: cut; 2 × slice of tomato: at"),
        ("Turn the laptop on, then the microwave off", "laptop: turned on; microwave: not turned"),
        ("Leave the cups, just bring the mugs to the desk", "every mug: at the desk"),
        # second thoughts
        ("Put the cup, no wait, the mug on the desk", "mug: at the desk"),
        ("Put the mug on the table. On second thought, on the desk.", "mug: at the desk"),
        # what was spoken of before
        ("Put the potato in the bowl and the bowl in the fridge", "potato: at the bowl; bowl: at"),
        ("Open the fridge, then close the fridge again", "fridge: not open"),
        # who is turned on, and off
        ("Turn the laptop on and the microwave off", "laptop: turned on; microwave: not turned"),
        # words for putting, throwing away
        ("stick the book on the desk pls", "book: at the desk"),
        ("Throw the apple in the bin", "apple: at the garbage can"),
        ("get rid of the apple on the desk", "apple: at the garbage can"),
        ("Take the cup to the desk", "cup: at the desk"),
        ("Bring me the cup", "cup: fetched"),
        ("Empty the mug", "mug: empty"),
        ("Put a fork or a knife on the desk", "fork: at the desk"),
        ("Put every fork and knife on the desk", "every fork: at the desk; every knife: at the"),
        ("Serve a slice of potato, cooked, on a plate", "slice of potato: cooked, at the plate"),
        ("Take everything off the desk", "every thing there: not at the desk"),
        # what is to stay
        ("Slice the potato, not the tomato", "potato: cut; every tomato: left as it is"),
        (
            "Do not open the fridge. Bring me an apple.",
            "every fridge: left as it is; apple: fetched",
        ),
        ("Leave the cup where it is and clean the mug", "every cup: left as it is; mug: not dirty"),
        ("Leave the mug on the desk", "mug: at the desk"),
        ("Leave the laptop on", "laptop: turned on"),
        ("Do not put the cup on the desk", ""),
        ("Put everything on the desk", ""),
        ("Check whether the laptop is off", ""),
        ("Put the bowl in the toaster", ""),
        ("Throw the knife at the cat", ""),
        ("I like the fork on the desk", ""),
    ],
)
def test_plain_speech_states_goals(request_: str, goal: str) -> None:
    found = described(asked(request_, WORDS))
    if goal:
        assert "; ".join(part for part in found.split("; ") if not part.endswith(": ")).startswith(
            goal
        )
    else:
        assert found == ""


def world(
    *things: str, new: tuple[str, ...] | None = None, hidden: str = "", **facts: object
) -> KnownWorld:
    """Things named by their class and a number; facts as `at__Mug_1="Desk_1"`."""
    known = {tuple(key.split("__")): value for key, value in facts.items()}
    kinds = {name: name.partition("_")[0] for name in things}

    def get(fact: str, thing: str) -> tuple[object, bool]:
        value = known.get((fact, thing))
        return value, value != "?"

    is_new = lambda thing: new is None or thing in new  # noqa: E731
    return KnownWorld(kinds, get, is_new, is_found=lambda thing: thing != hidden)


def wrong(request: str, of: KnownWorld) -> list[str]:
    return unmet_of(asked(request, WORDS), of)


def test_what_does_not_hold_is_said_with_the_things_name() -> None:
    here = world("Mug_1", "DiningTable_1", "SinkBasin_1", at__Mug_1="DiningTable_1")
    assert wrong("Put the mug in the sink", here) == [
        "Mug_1 is at DiningTable_1, not at SinkBasin_1"
    ]
    assert wrong("Put the mug on the table", here) == []
    assert wrong("Open the laptop", here) == ["there is no laptop here"]
    dirty = world("Plate_1", "Plate_2", dirty__Plate_1="?", dirty__Plate_2=True)
    assert wrong("Clean the plates", dirty) == [
        "whether Plate_1 is clean is not known",
        "Plate_2 is still dirty",
    ]


@pytest.mark.parametrize(
    ("says", "lacks"),
    [
        ("Wash the dirty mug", {"dirty__Mug_2": True}),
        ("Wash the blue mug", {"dirty__Mug_2": True}),
        ("Wash the mug that is dirty", {"dirty__Mug_2": True}),
        ("Pass me the mug on the desk", {"at__Mug_2": "Desk_1"}),
        ("Move the mug from the desk to the sink", {"at__Mug_2": "Desk_1"}),
        ("Move the mug on the desk into the sink", {"at__Mug_2": "Desk_1"}),
        ("Put the mug that is on the desk in the sink", {"at__Mug_2": "Desk_1"}),
        ("Put everything from the desk in the sink", {"at__Mug_2": "Desk_1"}),
        ("Bring me the dirty mug", {"at__Mug_2": "Desk_1"}),
        ("Make coffee in the blue mug", {"filled__Mug_2": None}),
    ],
)
def test_the_thing_that_is_meant_is_told_by_how_it_was(says: str, lacks: dict[str, object]) -> None:
    things = ("Mug_1", "Mug_2", "Desk_1", "SinkBasin_1")
    before = {("at", "Mug_2"): "Desk_1", ("dirty", "Mug_2"): True, ("at", "Mug_1"): "DiningTable_1"}
    blue = {"Mug_2": ["blue"]}
    done = {"at__Mug_1": "SinkBasin_1", "at__Mug_2": "SinkBasin_1"}
    done |= {"filled__Mug_1": "coffee", "filled__Mug_2": "coffee"}

    def judged(facts: dict[str, object]) -> list[str]:
        of = world(*things, **facts)
        was = lambda fact, thing: before.get((fact, thing))  # noqa: E731
        words_of = lambda thing: blue.get(thing, ())  # noqa: E731
        return wrong(says, replace(of, was=was, words=words_of, fixed=("Desk_1", "SinkBasin_1")))

    assert judged(done) == []
    (text,) = judged({**done, **lacks})
    assert "Mug_2" in text


def test_what_is_to_be_left_as_it_was_is_judged() -> None:
    was = lambda fact, thing: thing == "Tomato_2" or None  # noqa: E731
    cut = {"sliced__Potato_1": True, "sliced__Tomato_2": True}
    things = ("Potato_1", "Tomato_1", "Tomato_2")
    says = "Slice the potato, but not the tomato"
    assert wrong(says, replace(world(*things, **cut), was=was)) == []
    both = replace(world(*things, **cut, sliced__Tomato_1=True), was=was)
    assert wrong(says, both) == ["Tomato_1 was to be left as it was, and is cut"]


def test_how_things_were_is_as_they_were_found() -> None:
    """What the robot does itself before it knows of a state is no state that was."""

    def fact(name: str, value: object) -> FactSet:
        return FactSet(name, ("Mug_1",), value)

    commits = [
        [StateSet("request", "first"), fact("located", True), fact("at", "Desk_1")],
        [StateSet("request", "wash it")],
        [fact("at", "SinkBasin_1"), fact("opened", True)],
        [StateSet("request", "wash it\n<Driver> ?\n<Commander> again"), fact("at", "Cup_1")],
    ]
    found = values_before(commits)
    assert found == {("at", "Mug_1"): "Desk_1", ("opened", "Mug_1"): None}


def test_all_means_all_and_two_are_two() -> None:
    here = world("Cup_1", "Cup_2", "SinkBasin_1", at__Cup_1="SinkBasin_1", at__Cup_2="Desk_1")
    assert wrong("Put all cups in the sink", here) == ["Cup_2 is at Desk_1, not at SinkBasin_1"]
    assert wrong("Put a cup in the sink", here) == []
    assert wrong("Put two cups in the sink", here) == ["Cup_2 is at Desk_1, not at SinkBasin_1"]


@pytest.mark.parametrize(
    "says", ["Take all the cups off the table", "Wash every cup", "Put all cups on the desk"]
)
def test_all_are_not_done_while_one_has_not_been_found(says: str) -> None:
    here = {"Cup_1": "Desk_1"} | {"DiningTable_1": "Room_1"}
    facts = {f"at__{thing}": at for thing, at in here.items()}
    cups = ("Cup_1", "Cup_2", "DiningTable_1", "Desk_1")
    assert wrong(says, world(*cups, hidden="Cup_2", **facts)) == ["I have not found Cup_2"]
    assert wrong(says, world(*cups, at__Cup_2="Desk_1", **facts)) == []
    gone = {"cut_from__BreadSliced_1": "Bread_1", "sliced__Bread_1": True}
    of_bread = world("Bread_1", "BreadSliced_1", "Desk_1", hidden="BreadSliced_1", **gone)
    assert wrong("Put all slices of bread on the desk", of_bread) == [
        "I have not found BreadSliced_1"
    ]


def test_a_thing_that_is_named_beside_all_of_its_class_takes_none_away() -> None:
    says = "We need clean cups: wash all the cups"
    assert wrong(says, world("Cup_1", "Cup_2")) == []
    assert wrong(says, world("Cup_1", "Cup_2", dirty__Cup_2=True)) == ["Cup_2 is still dirty"]


def test_a_second_slice_is_a_second_slice() -> None:
    facts = {"cooked__BreadSliced_1": True}
    old = world("BreadSliced_1", "BreadSliced_2", new=(), **facts)
    assert wrong("Toast a slice of bread", old) == ["there is no new slice of bread"]
    again = world("BreadSliced_1", "BreadSliced_2", new=("BreadSliced_2",), **facts)
    assert wrong("Toast a slice of bread", again) == ["BreadSliced_2 is not cooked"]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("Could you please prepare a coffee in a clean mug, thanks", "coffee"),
        ("Make coffee in a clean mug", "coffee"),
        ("Make coffee in a clean cup", None),
        ("Make two coffees in a clean mug", None),
        ("Put every fork on the table", "forks"),
        ("Put the fork on the table", None),
        ("David salad again", "salad"),
        ("Make me the David salad, please", "salad"),
        ("Make me the David salad without tomato", None),
        ("David salad and a coffee", None),
        ("I'd like the David salad, if you can", "salad"),
        ("I like the David salad", None),
        ("Can I get my david salad, pls", "salad"),
        ("Make the David salad like last time", "salad"),
        ("it's time for the David salad!", "salad"),
        ("Would you be so kind and make the same David salad as yesterday", "salad"),
        ("One David salad", "salad"),
        ("Two David salads", None),
        ("Was the David salad like last time?", None),
        ("The David salad is for tomorrow", None),
        ("Would you like the David salad?", None),
        ("I would like to make the David salad", None),
        ("Would you put the forks on the dining table for me?", "forks"),
        ("Should I put all the forks on the table?", None),
        ("I want you to put all the forks on the table", "forks"),
        ("I want to put all the forks on the table", None),
        ("Put forks on the table", None),
        ("Make coffees in a clean mug", None),
    ],
)
def test_only_the_same_request_is_carried_out(request_: str, answer: str | None) -> None:
    pairs = [
        {"key": "<Commander> Prepare coffee in a clean mug.", "answer": "coffee"},
        {"key": "Put all the forks on the dining table", "answer": "forks"},
        {"key": "Make the David salad with a fork", "answer": "other"},
        {"key": "Make a salad. It is called the David salad. It has a tomato.", "answer": "salad"},
    ]
    found = find_same(f"<Commander> {request_}", pairs, KINDS)
    assert (found and found["answer"]) == answer


def test_a_remembered_request_to_put_something_back_is_carried_out() -> None:
    """It takes nothing back that the robot has done."""
    types = TypeTree({"Thing": None, "Book": "Thing"})
    view = SimpleNamespace(types=types, objects={})
    team: Any = SimpleNamespace(
        knowledge=SimpleNamespace(view=view), world=SimpleNamespace(state={"corrected": ""})
    )
    pairs = [{"key": "<Commander> Put the book back", "answer": "book"}]
    assert remembered_program(team, "<Commander> Please put the book back", pairs) == "book"
    with pytest.raises(Exception, match="nothing that I could take back"):
        remembered_program(team, "<Commander> Please put it back", pairs)


@pytest.mark.parametrize(
    ("says", "goal"),
    [
        ("put the mug " * 40 + "on the desk", "mug"),  # "put the … back"
        ("please " * 40 + "wash the mug", "mug: not dirty"),
        ("and finally " * 40, ""),
        ("you " * 40, ""),
    ],
)
def test_a_long_request_is_read_at_once(says: str, goal: str) -> None:
    """Its words may be read in as many ways as there are words."""
    assert goal in described(asked(says, WORDS))
