"""After a no: nobody is pestered, nothing is forgotten, and whoever asks what is next hears it."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.table import Table, heard


def refused() -> Table:
    table = Table("Let's make a fruit salad", "No, not yet")
    assert table.proposed() == []
    return table


def test_what_was_refused_is_asked_again_after_a_calm_minute() -> None:
    table = refused()
    table.pass_time(55)
    assert table.proposed() == []
    table.pass_time(6)
    assert table.proposed() == ["R2: get the yoghurt", "user: slice the bananas"]


def test_another_no_begins_the_minute_anew() -> None:
    table = refused()
    table.pass_time(40)
    table.say("What's next?")
    table.say("No")
    table.pass_time(50)
    assert table.proposed() == []
    table.pass_time(12)
    assert table.proposed()


def test_nothing_is_asked_twice_while_it_waits_for_an_answer() -> None:
    table = Table("Let's make a fruit salad")
    table.pass_time(300)
    assert len(table.happened("proposed")) == 2


def test_what_is_next_names_what_waits_for_a_yes() -> None:
    said = Table("Let's make a fruit salad").say("What's next?")
    assert said == "Waiting for your yes: R2 could get the yoghurt, you could slice the bananas."


def test_what_is_next_asks_again_what_was_refused() -> None:
    table = refused()
    assert table.say("What's next?") == "Shall R2 get the yoghurt? Would you slice the bananas?"


def test_what_is_next_tells_who_is_at_what() -> None:
    said = Table("Let's make a fruit salad", "Yes").say("What's next?")
    assert said == "R2 is getting the yoghurt. You are slicing the bananas."


def test_what_is_left_tells_what_waits_for_a_yes() -> None:
    said = Table("Let's make a fruit salad").say("What is left?")
    assert "Waiting for your yes: get the yoghurt" in said


def test_if_another_can_do_it_is_answered_of_what_is_proposed() -> None:
    table = Table("Let's make a fruit salad", "I'll slice the bananas")
    said = table.say("Is it true that R1 can do that?")
    assert table.happened("assigned")[-1]["subtasks"] == ("slice bananas",)
    assert said == "No, R1 cannot do that, but R2 can."


def test_whom_they_name_beside_a_yes_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("Let's make a fruit salad")
    wish = {"agent": "user", "task": "get", "args": {"item": "yoghurt"}, "first": False}
    yes = {"kind": "accept", "proposals": ["p1"]}
    heard(monkeypatch, yes, {"kind": "request", **wish})
    table.say("Let me get that, I like doing it")
    assert [(e["agent"], e["subtasks"]) for e in table.happened("assigned")] == [
        ("user", ("get yoghurt",))
    ]


def test_a_report_of_what_is_done_already_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("Let's make a fruit salad", "Yes", "The bananas are sliced")
    assert table.status("slice bananas") == "done"
    heard(monkeypatch, {"kind": "done", "subtasks": ["slice bananas"]})
    assert table.say("The bananas are sliced") == "I have noted that already: slice the bananas."


def test_of_two_recipes_in_a_breath_the_last_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    names = ("Caesar Salad", "Tomato Soup")
    heard(monkeypatch, *({"kind": "choose", "recipe": name} for name in names))
    table.say("Caesar salad, no, tomato soup")
    assert [e["name"] for e in table.happened("recipe.set")] == ["Tomato Soup"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Do you know who has the pepper?", "The pepper is at the pantry."),
        ("What could we cook next?", "We are making Fruit Salad. We could also make"),
    ],
)
def test_other_questions_with_such_words_are_not_about_what_is_next(
    words: str, answer: str
) -> None:
    assert answer in Table("Let's make a fruit salad").say(words)
