"""Each mode of appendix H: runs by hand that pass and runs that do not."""

from __future__ import annotations

import pytest

from tests.experiments.mosaic.tales import Tale, accept, offer, request

GET_SALT = ("get salt", "get", {"item": "salt"})
STIR = ("stir pot", "stir", {"container": "pot"})
CHOP = ("chop onions", "chop", {"item": "onions"})


def vague(fitting: list[str]) -> Tale:
    act = {"do": "describe", "words": "soup", "fitting": fitting}
    return Tale().plan("A").user("Some kind of soup, please.", act, mode="A")


def choice(tale: Tale, recipe: str = "Tomato Soup", mode: str = "A") -> Tale:
    act = {"do": "choose", "recipe": recipe}
    return tale.wait(3).user(f"{recipe}, please.", act, mode=mode)


SOUPS = ["Corn Soup", "Tomato Soup"]


def test_a_passes_when_a_fitting_recipe_is_named_and_the_choice_is_set() -> None:
    tale = choice(vague(SOUPS).says("How about Tomato Soup or Corn Soup?"))
    assert tale.event("recipe.set", name="Tomato Soup").passes()


def test_a_passes_when_it_asks() -> None:
    tale = choice(vague(SOUPS).says("What do you have at home?"))
    assert tale.event("recipe.set", name="Tomato Soup").passes()


def test_a_passes_when_the_only_recipe_that_fits_is_set_at_once() -> None:
    assert vague(["Tomato Soup"]).event("recipe.set", name="Tomato Soup").passes()


@pytest.mark.parametrize(
    "tale",
    [
        choice(vague(SOUPS)).event("recipe.set", name="Tomato Soup"),
        choice(vague(SOUPS).says("Caesar Salad!")).event("recipe.set", name="Tomato Soup"),
        vague(SOUPS).event("recipe.set", name="Tomato Soup").says("Tomato Soup it is!"),
        choice(vague(SOUPS).says("Which soup?")).event("recipe.set", name="Corn Soup"),
        choice(vague(SOUPS).says("Which soup?")).says("Sorry, I did not get that."),
        choice(vague(SOUPS).says("Which soup?")).wait(16).event("recipe.set", name="Tomato Soup"),
    ],
    ids=["no reply", "names another", "set unasked", "wrong one", "choice ignored", "too late"],
)
def test_a_fails(tale: Tale) -> None:
    assert not tale.passes()


def unknown(*replies: str) -> Tale:
    tale = Tale().plan("B")
    tale.user("Let's make lasagne.", {"do": "choose_unknown", "dish": "lasagne"}, mode="B")
    for reply in replies:
        tale.says(reply)
    return tale


def test_words_that_fit_one_dish_alone_choose_it() -> None:
    """Found with seed 61: "some smoothie" where there is one."""
    tale = unknown("I don't know lasagne. How about Pasta Salad?")
    only = {"do": "describe", "words": "red soup", "fitting": ["Tomato Soup"]}
    tale.user("A red soup, then.", only, mode="A")
    assert tale.event("recipe.set", name="Tomato Soup").passes()


def test_b_passes_when_it_says_so_and_suggests_what_there_is() -> None:
    tale = choice(unknown("I don't know lasagne. How about Pasta Salad?"), mode="B")
    assert tale.event("recipe.set", name="Tomato Soup").passes()


@pytest.mark.parametrize(
    "tale",
    [
        choice(unknown("We could make Pasta Salad."), mode="B"),
        choice(unknown("Sorry, I have no recipe for lasagne."), mode="B"),
        choice(unknown(), mode="B"),
        choice(unknown("Sorry, I did not get that.", "Pasta Salad?"), mode="B"),
        unknown("I don't know it: Pasta Salad!").event("recipe.set", name="Pasta Salad"),
    ],
    ids=["does not say so", "suggests nothing", "no reply", "not understood", "sets another"],
)
def test_b_fails(tale: Tale) -> None:
    assert not tale.event("recipe.set", name="Tomato Soup").passes()


def disagree(agent: str, words: str, task: str, proposed: str) -> Tale:
    tale = Tale().plan("C").cook(GET_SALT, STIR, CHOP).propose(proposed, words).wait(2)
    decline = {"do": "decline", "proposals": [offer(proposed, words)]}
    wish = request(agent, words, task)
    return tale.user(f"No, {agent} should do that.", decline, wish, mode="C")


def test_c_passes_when_whom_they_asked_for_has_it() -> None:
    tale = disagree("user", "stir pot", "stir", "R1").assign("user", "stir pot")
    assert tale.says("Great, then you stir pot.").passes()


def test_c_passes_when_it_says_who_cannot_and_offers_the_person() -> None:
    tale = disagree("R1", "chop onions", "chop", "user")
    assert tale.says("R1 cannot chop onions. Would you chop onions?").passes()


def test_c_passes_when_another_who_can_is_named() -> None:
    tale = disagree("R1", "get salt", "get", "R2")
    assert tale.says("R1 cannot get salt, but R2 can.").passes()


@pytest.mark.parametrize(
    "tale",
    [
        disagree("user", "stir pot", "stir", "R1").assign("R1", "stir pot"),
        disagree("user", "stir pot", "stir", "R1").says("All right."),
        disagree("user", "stir pot", "stir", "R1").wait(16).assign("user", "stir pot"),
        disagree("R1", "chop onions", "chop", "user").assign("R1", "chop onions"),
        disagree("R1", "chop onions", "chop", "user").says("Would you chop onions?"),
        disagree("R1", "chop onions", "chop", "user").says("R1 cannot chop onions."),
        disagree("R1", "chop onions", "chop", "user").says("Sorry, I did not get that. You?"),
        disagree("R1", "chop onions", "chop", "user")
        .says("R1 cannot chop onions.")
        .says("Would you get salt?"),
    ],
    ids=[
        "to whom it was",
        "to nobody",
        "too late",
        "to who cannot",
        "not said",
        "no offer",
        "not understood",
        "an offer of something else",
    ],
)
def test_c_fails(tale: Tale) -> None:
    assert not tale.passes()


def extra(agent: str | None) -> Tale:
    tale = Tale().plan("D").cook(STIR)
    wish = {**request(agent, "get the salt", "get", item="salt"), "subtask": None}
    tale.user("Could somebody bring the salt?", wish, mode="D")
    data = {"words": "get the salt", "task": "get", "args": {"item": "salt"}}
    return tale.event("subtask.added", id="get the salt (2)", **data)


def test_d_passes_when_somebody_who_can_has_it() -> None:
    assert extra(None).assign("R2", "get the salt (2)").passes()
    assert extra("R2").assign("R2", "get the salt (2)").passes()


def test_d_passes_when_it_is_proposed_and_agreed_to() -> None:
    tale = extra(None).propose("R2", "get the salt (2)").wait(4)
    tale.user("Yes.", accept("R2", "get the salt (2)"))
    assert tale.assign("R2", "get the salt (2)").passes()


@pytest.mark.parametrize(
    "tale",
    [
        extra(None).says("Sorry, I did not get that."),
        extra(None).assign("R1", "get the salt (2)"),
        extra("R2").assign("user", "get the salt (2)"),
        extra(None).wait(61).assign("R2", "get the salt (2)"),
        extra(None).assign("R2", "stir pot"),
    ],
    ids=["to nobody", "to who cannot", "to another", "too late", "something else"],
)
def test_d_fails(tale: Tale) -> None:
    assert not tale.passes()


def test_what_did_not_come_about_is_not_passed() -> None:
    (result,) = Tale().plan("D").cook(STIR).verdict().passed
    assert (result.passed, result.reached) == (False, False)
