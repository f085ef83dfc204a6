"""What a request wants, by its words."""

from __future__ import annotations

import pytest

from treec_helper.wanted import missing_things, speaks_of, unasked_things, unmet_wants

KINDS = ("Plate", "Mug", "Bread", "BreadSliced", "Tomato", "TomatoSliced", "Fridge", "HousePlant")
KEY = "Make a slice of toast and put it on a clean plate."


@pytest.mark.parametrize(
    ("request_", "missing"),
    [
        ("Make toast and pour juice", ["juice"]),
        ("Make toast and some orange juice", ["orange juice"]),
        ("Could you get me the pizza out of the fridge?", ["pizza"]),
        ("Bring a beer, and three slices of cheese", ["beer", "cheese"]),
        ("Serve a cup of tea", ["tea"]),
        ("Bring me a burger, a steak and fries", ["burger", "steak", "fries"]),
        ("Make toast, some juice, and a pie", ["juice", "pie"]),
        ("Make toast, pour juice and fry bacon", ["juice", "bacon"]),
        ("Bring a mug of coffee and a cup of water", []),
        ("Make toast with butter", ["butter"]),
        ("Make toast and honey", ["honey"]),
        ("Make toast and add sugar", ["sugar"]),
        ("Make a snack with a tomato", []),
        ("Make toast, please, and thank you", []),
        ("Serve it on a plate", []),
        ("Water the plant, then clean it", []),
        ("Make me the Kim snack", []),
        ("Make a snack. It is called the Kim snack and has toast.", []),
        ("<Commander> Get the beer. <Driver> Where? <Commander> In the fridge.", []),
        ("", []),
    ],
)
def test_things_that_nothing_is_called_are_missing(request_: str, missing: list[str]) -> None:
    assert missing_things(request_, KEY, KINDS) == missing


def test_a_remembered_request_says_what_its_words_are() -> None:
    assert missing_things("Make breakfast", KEY, KINDS) == ["breakfast"]
    assert missing_things("Make breakfast", "Make me a breakfast: toast.", KINDS) == []


@pytest.mark.parametrize(
    ("request_", "unasked"),
    [
        ("<Commander> Clean the plate", ["BreadSliced"]),
        ("Put a tomato on a plate", ["BreadSliced"]),
        ("A slice of bread, please", []),
        ("Make a breakfast", []),
        ("Make the Kim snack", []),
    ],
)
def test_a_program_about_other_things_is_not_what_was_asked_for(
    request_: str, unasked: list[str]
) -> None:
    key = f"<Commander> {KEY} It is a breakfast, the Kim snack of old."
    assert unasked_things(request_, key, ["BreadSliced"], KINDS) == unasked


def test_what_things_are_to_be_like_is_counted() -> None:
    kinds = {"Plate_1": "Plate", "b1": "BreadSliced", "b2": "BreadSliced"}
    so = {("dirty", "Plate_1"), ("cooked", "b1")}

    def unmet(request: str) -> list[str]:
        return unmet_wants(request, kinds, lambda fact, thing: (fact, thing) in so)

    assert unmet("Make toast on a clean plate") == ["1 clean plate: there is 0"]
    assert unmet("Make two slices of toast") == ["2 toasted bread slices: there is 1"]
    so.clear()
    assert unmet("Put the clean plate on the table, without toast") == []


def test_what_is_not_known_is_not_taken_for_so() -> None:
    kinds = {"Plate_1": "Plate", "Plate_2": "Plate"}
    known: dict[str, bool | None] = {"Plate_1": None, "Plate_2": True}

    def unmet(request: str) -> list[str]:
        return unmet_wants(request, kinds, lambda fact, thing: known[thing])

    text = "1 clean plate: there is 0, and of 1 it is not known"
    assert unmet("Make toast on a clean plate") == [text]
    known["Plate_2"] = False
    assert unmet("Make toast on a clean plate") == []


def test_what_is_put_on_a_table_is_not_how_it_is_set() -> None:
    key = "<Commander> Put all the salt shakers on the dining table."
    kinds = (*KINDS, "DiningTable", "SaltShaker")
    for request in ("Set the table", "Set the table, please", "Lay the table for two"):
        assert unasked_things(f"<Commander> {request}", key, ["SaltShaker"], kinds)


@pytest.mark.parametrize(
    ("request_", "is_so"),
    [
        ("toast", True),
        ("Put it on a plate", True),
        ("Get the mug", True),
        ("the", False),
        ("The cat sat", False),
        ("the weather is clear", False),
        ("purple", False),
        ("", False),
    ],
)
def test_a_request_speaks_of_the_household_or_of_what_is_remembered(
    request_: str, is_so: bool
) -> None:
    assert speaks_of(request_, KEY, KINDS) is is_so
