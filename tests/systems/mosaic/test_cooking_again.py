"""One dish after another in one evening, the same one twice, and what was left out."""

from __future__ import annotations

from tests.systems.mosaic.table import Table
from treec.team.events import SubtaskDropped


def cooked() -> Table:
    table = Table("Let's make a fruit salad")
    for words in ("Yes", "The bananas are sliced", "Yes", "Yes", "Yes", "Yes"):
        table.say(words, 45)
    assert table.told()[-1] == "The Fruit Salad is ready. Enjoy your meal!"
    return table


def test_the_same_recipe_can_be_cooked_again() -> None:
    table = cooked()
    assert table.say("Let's make a fruit salad").startswith("Fruit Salad once more!")
    assert table.proposed() == ["R2: get the yoghurt", "user: slice the bananas"]
    for words in ("Yes", "The bananas are sliced", "Yes", "Yes", "Yes", "Yes"):
        table.say(words, 45)
    assert table.told().count("The Fruit Salad is ready. Enjoy your meal!") == 2


def test_what_is_left_counts_the_dish_of_now_alone() -> None:
    table = cooked()
    table.say("Let's make a fruit salad")
    assert table.say("What is left?").startswith("None of 5 is done yet.")
    other = Table("Let's make Caesar salad", "Yes")
    other.pass_time(60)
    other.say("Let's make tomato soup instead")
    assert "None of 10 is done yet." in other.say("What is left?")


def test_the_recipe_that_is_cooked_is_not_begun_anew() -> None:
    table = Table("Let's make a fruit salad", "Yes")
    said = table.say("Let's make a fruit salad")
    assert said == "The Fruit Salad is what we are making."
    assert len(table.happened("recipe.set")) == 1


def test_back_to_the_first_recipe_its_finished_work_counts() -> None:
    table = Table("Let's make Caesar salad", "Yes")
    table.pass_time(60)
    assert table.status("get pepper") == "done"
    table.say("Let's make tomato soup instead")
    table.say("Let's make Caesar salad after all")
    assert table.status("get pepper") == "done"
    assert "1 of 8 is done." in table.say("What is left?")


def test_a_remark_beside_a_choice_is_no_riddle() -> None:
    said = Table().say("Let's make a fruit salad, my sister loves that")
    assert "Fruit Salad it is!" in said
    assert "Sorry" not in said


def test_who_takes_what_waits_for_a_dropped_one_hears_that_it_goes_without() -> None:
    table = Table("Let's make a fruit salad")
    table.run.world.emit(SubtaskDropped(("pour yoghurt into bowl",)), "test")
    said = table.say("R1 should stir the bowl")
    assert "It goes on without this: pour the yoghurt into the bowl." in said
