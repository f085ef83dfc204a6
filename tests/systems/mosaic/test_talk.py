"""Cooking with MOSAIC's planner without a model: what a person says, and what comes of it."""

from __future__ import annotations

import itertools

import pytest

from tests.systems.mosaic.table import Table
from treec.team.events import Proposed, SubtaskDropped


def offered(said: str) -> list[str]:
    found = said.partition("How about ")[2].rstrip("?")
    return found.replace(" or ", ", ").split(", ")


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("I just bought lettuce", {"Salad", "Sandwich", "Tacos"}),
        ("Is there anything with lettuce in it?", {"Salad", "Sandwich", "Tacos"}),
        ("Have you got something with tuna?", {"Tuna"}),
        ("I would like some soup", {"Soup"}),
        ("Something light, not soup", {"Toast", "Salad", "Poke"}),
        ("I'm in the mood for something sweet", {"Smoothie", "Chocolate", "Rice", "Milkshake"}),
    ],
)
def test_hints_are_met_with_two_or_three_that_fit(words: str, kinds: set[str]) -> None:
    names = offered(Table().say(words))
    assert 1 <= len(names) <= 3
    assert all(any(kind in name for kind in kinds) for name in names), names


def test_which_dish_is_asked_where_words_fit_several() -> None:
    table = Table()
    assert table.say("avocado") == "How about Avocado Toast or Guacamole?"
    assert table.say("the avocado one").startswith("Avocado Toast it is!")


def test_a_dish_of_those_that_were_offered_is_named_by_a_word_of_its_name() -> None:
    table = Table()
    assert "Chicken Soup" in offered(table.say("chicken"))
    assert table.say("chicken").startswith("Chicken Soup it is!")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("R2, get the items", "Which items? Say what they are called."),
        ("r2 fetch the stuff please", "What exactly? Say what it is called."),
    ],
)
def test_what_is_meant_is_asked_of_who_names_nothing(words: str, answer: str) -> None:
    table = Table("Let's make Caesar salad.")
    assert table.say(words).startswith(answer)
    assert not table.happened("assigned")


def test_who_takes_over_what_nobody_is_at_has_it() -> None:
    table = Table("Let's make Caesar salad.", "Yes, R2 can get the pepper.")
    assert "you get the ranch sauce" in table.say("R2, leave the ranch sauce, I'll get it")
    assert table.status("get pepper") == "running"


def test_what_is_not_needed_is_dropped_and_stops_nobody_else() -> None:
    table = Table("Let's make pasta.", "Yes")
    said = table.say("R2, leave the spaghetti, we have no need of it")
    assert said.startswith("All right, I have taken these off the list: get the spaghetti and put ")
    assert table.status("get spaghetti") == "dropped"
    assert table.run.team.now.agents["R1"].status == "Running"


def test_what_was_refused_is_not_offered_again() -> None:
    table = Table()
    first = offered(table.say("Something light, not soup"))
    second = offered(table.say("Something else, please"))
    assert not set(first) & set(second)
    assert not any("Soup" in name for name in second)


@pytest.mark.parametrize(
    ("words", "dish"),
    [
        ("Let's make lasagne", "lasagne"),
        ("How about cheese fondue?", "cheese fondue"),  # nobody asked for the cheese
        ("Could we have cheese fondue?", "cheese fondue"),
        ("I'd like cheese fondue", "cheese fondue"),
    ],
)
def test_an_unknown_dish_is_said_to_be_unknown_and_others_are_offered(
    words: str, dish: str
) -> None:
    said = Table().say(words)
    assert said.startswith(f"There is no recipe for {dish}.")
    assert len(offered(said)) == 3


def test_five_are_named_to_who_asks_what_there_is_and_how_many_more() -> None:
    said = Table().say("What can we make?")
    assert "31 more" in said
    assert said.count(",") == 4


def test_a_done_that_frees_a_follow_up_assigns_nothing() -> None:
    table = Table("Let's make a fruit salad", "Yes")
    table.pass_time(60)
    before = len(table.happened("assigned"))
    table.say("The bananas are sliced.")
    assert table.status("slice bananas") == "done"
    assert len(table.happened("assigned")) == before
    assert all(s.status == "waiting" for s in table.run.team.subtasks if s.ready)


def test_of_two_alike_the_one_reported_is_the_persons_own() -> None:
    table = Table("I will pour the pepper into the bowl.", "Let's make Caesar salad")
    assert table.status("pour pepper into bowl") == "waiting"
    table.say("pour the pepper into the bowl is done.")
    assert table.status("pour the pepper into the bowl") == "done"


def test_what_is_reported_is_what_goes_into_the_vessel_that_is_named() -> None:
    table = Table("I will pour the stock into the pot.", "I will pour the stock into the bowl.")
    table.say("pour the stock into the bowl is done.")
    assert table.status("pour the vegetable stock into the bowl") == "done"
    assert table.status("pour the vegetable stock into the pot") == "queued"


def test_each_free_agent_has_one_open_proposal_at_most() -> None:
    table = Table("Let's make tomato soup")
    for words in ("Yes", "The onions are chopped", "Yes", "Yes", "What is left?"):
        table.say(words, 40)
        agents = [p.agent.name for p in table.run.team.now.open]
        assert len(agents) == len(set(agents))


def test_what_is_dropped_is_not_done_and_what_waits_for_it_is_asked_about() -> None:
    table = Table("Let's make Caesar salad")
    said = table.say("Forget the pepper")
    assert table.status("get pepper") == "dropped"
    assert "stir the bowl without that?" in said or "dropped as well?" in said
    assert "get pepper" not in {e["subtask"] for e in table.happened("subtask.done")}


def test_a_yes_drops_what_nothing_is_left_of_and_a_no_lets_it_go_on() -> None:
    for answer, status in (("Yes", "dropped"), ("No", "waiting")):
        table = Table("Let's make Caesar salad", "No")
        table.run.world.emit(SubtaskDropped(("get ranch sauce",)), "test")
        table.pass_time(1)
        drops = [p for p in table.run.team.now.open if p.drop]
        assert {p.subtask.id for p in drops} == {"pour ranch sauce into bowl"}
        table.say(answer)
        found = table.run.team.now.subtasks["pour ranch sauce into bowl"]
        assert found.status == status
        assert found not in table.run.team.blocked


def test_a_yes_that_names_who_does_it_drops_nothing() -> None:
    table = Table("Let's make Caesar salad", "No")
    table.run.world.emit(SubtaskDropped(("get ranch sauce",)), "test")
    table.pass_time(1)
    said = table.say("Yes, and R1 should pour the ranch sauce into the bowl")
    assert "pour ranch sauce into bowl" in table.happened("assigned")[-1]["subtasks"]
    assert "dropped" not in said
    assert len(table.happened("subtask.dropped")) == 1


def test_of_two_questions_about_one_subtask_a_yes_is_to_the_later() -> None:
    table = Table("Let's make Caesar salad")
    table.say("No")
    for agent, id in (("user", "p8"), ("R2", "p9")):
        table.run.world.emit(Proposed(agent, "get pepper", id=id), "test")
    table.pass_time(1)
    table.say("Yes please.")
    given = {e["agent"] for e in table.happened("assigned") if "get pepper" in e["subtasks"]}
    assert given == {"R2"}


def test_changing_the_recipe_says_what_becomes_of_the_rest() -> None:
    table = Table("Let's make Caesar salad", "Yes")
    said = table.say("Let's make tomato soup instead")
    assert "R2 still finishes this: get the pepper." in said
    assert "left of the Caesar Salad is dropped" in said
    assert table.status("prepare lettuce") == "dropped"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Who can stir?", "R1 can do that."),
        ("What is R2 doing?", "R2 is getting the pepper."),
        ("Who has the pepper?", "The pepper is at the pantry."),
        ("What's left?", "None of 8 is done yet. Still to do: get the ranch sauce, "),
        ("What can R2 do?", "R2 can get and put away."),
    ],
)
def test_questions_are_answered_from_what_is_so(words: str, answer: str) -> None:
    assert answer in Table("Let's make Caesar salad", "Yes").say(words)


def test_what_no_robot_can_is_said_and_the_person_is_asked() -> None:
    said = Table("Let's make Caesar salad").say("R1, chop the onions")
    assert said == "No robot can do that. Would you chop the onions?"


def test_what_another_robot_can_is_proposed_for_that_one() -> None:
    table = Table("Let's make pumpkin soup", "No")
    assert "R1 cannot do that. Shall R2 get the plate?" in table.say("R1, get the plate")
    assert not table.happened("assigned")


@pytest.mark.thorough
def test_a_question_put_again_is_one_question() -> None:
    table = Table("Let's make pumpkin soup", "No")
    for words in ("R1, get the plate", "Let R1 get the plate"):
        assert "R1 cannot do that. Shall R2 get the plate?" in table.say(words)
    asked = [p.subtask.words for p in table.run.team.now.open]
    assert asked.count("get the plate") == 1


def test_nothing_is_said_twice_over() -> None:
    table = Table("Let's make a fruit salad", "Yes")
    for words in ("stop", "go on", "What is left?", "The bananas are sliced", "yes"):
        table.say(words, 30)
    told = table.told()
    assert all(a != b for a, b in itertools.pairwise(told))


def test_a_report_without_a_name_is_of_the_speakers_own_work_or_is_asked_about() -> None:
    table = Table()
    table.say("Let's make caesar salad")
    assert table.say("Finished!").startswith("What is done? Say which work you mean.")
    table.say("yes, both")
    assert table.say("Finished!").startswith("Thank you!")


def test_a_clause_that_is_not_understood_is_told_beside_what_is_done() -> None:
    table = Table()
    table.say("Let's make caesar salad")
    said = table.say("R2, get the pepper and then polish the chandelier")
    assert said.startswith("I did not get: polish the chandelier. R2 will get the pepper.")
