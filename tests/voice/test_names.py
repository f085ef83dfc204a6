"""Names that were heard as other words are put right, or asked about."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.support.library import ROOT
from treec.files.library import load_library
from treec.files.view import View
from treec.team.knowledge import Knowledge
from treec_voice.names import hot_words, names_anything, put_names_right, spoken_of
from treec_voice.sounds import likeness, sounds_of

pytestmark = [
    pytest.mark.needs_system("mosaic"),
    pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="the extra 'voice' is missing"),
]


@pytest.fixture(scope="module")
def kitchen() -> Knowledge:
    """What the planner's team knows."""
    library = load_library(ROOT)
    return Knowledge(View(library, library.find("system", "mosaic")))


@pytest.mark.parametrize(
    ("heard", "text", "is_sure"),
    [
        ("are to get the pepper please.", "R2 get the pepper please.", True),
        ("Our two, get the pepper.", "R2, get the pepper.", True),
        ("Excuse me, could our one wash it?", "Excuse me, could R1 wash it?", True),
        ("Will our two come along?", "Will our two come along?", True),
        ("You are to wash the tomatoes.", "You are to wash the tomatoes.", True),
        ("wrench saw", "ranch sauce", False),
        ("R2, get the paper", "R2, get the pepper", False),
        ("The plates are to be washed.", "The plates are to be washed.", True),
        ("Let's chop the lettuce.", "Let's chop the lettuce.", True),
        ("What is the next step?", "What is the next step?", True),
    ],
)
def test_what_sounds_like_a_name_is_one_and_what_is_only_near_is_not_sure(
    kitchen: Knowledge, heard: str, text: str, is_sure: bool
) -> None:
    understood = put_names_right(kitchen, heard)
    assert (understood.text, understood.is_sure) == (text, is_sure)


NOW = ["get the pepper", "prepare the lettuce", "Caesar Salad"]


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("I would rather not do the latest", "I would rather not do the lettuce"),
        ("are to get the pepper please.", "R2 get the pepper please."),
        ("I like spagetti", "I like spaghetti"),
        ("get the wrench saw", "get the ranch sauce"),  # behind a verb anything may be named
        *((it, it) for it in ("Is the sauce on its way", "one onion, please", "Got stuck again.")),
        *((it, it) for it in ("Yes, but I will stir it.", "We should do this more often.")),
    ],
)
def test_words_are_a_thing_that_is_not_spoken_of_only_behind_a_verb_or_where_they_mean_nothing(
    kitchen: Knowledge, heard: str, text: str
) -> None:
    assert put_names_right(kitchen, heard, NOW).text == text


def test_where_tasks_have_no_verbs_ordinary_words_are_no_things(
    kitchen: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec_voice.names._any_verb", lambda view: "")
    heard = "I would like the letters, get the wrench saw"
    assert put_names_right(kitchen, heard, NOW[:1]).text == heard


def test_the_recognizer_is_told_of_agents_recipes_things_and_verbs(kitchen: Knowledge) -> None:
    words = hot_words(kitchen)
    assert {"R2", "Caesar Salad", "ranch sauce", "chop"} <= {*words}
    assert words.index("R2") < words.index("Caesar Salad") < words.index("pepper")
    assert words.index("Omelette") < words.index("chop")
    assert names_anything(kitchen, "get the pepper")
    assert not names_anything(kitchen, "I saw a film")


def test_what_is_spoken_of_comes_first_after_the_agents(kitchen: Knowledge) -> None:
    subtasks = ["prepare the lettuce", "get the ranch sauce"]
    now = spoken_of(subtasks[1:], subtasks, "Caesar Salad", kitchen.recipes)
    words = hot_words(kitchen, now)
    first = words.index("get the ranch sauce")
    assert words[first : first + 3] == [*reversed(subtasks), "Caesar Salad"]
    assert words.index("R2") < first < words.index("chop") < words.index("pepper")
    assert words.index("Omelette") > words.index("pepper")  # it is not to be chosen now
    assert "Omelette" in spoken_of((), ["stir the bowl"], "", kitchen.recipes)


def test_vowels_sound_more_alike_than_a_vowel_and_a_consonant() -> None:
    assert 0 < likeness(["K", "AA"], ["K", "P"]) < likeness(["K", "AA"], ["K", "IY"]) < 1


def test_letters_and_numbers_are_read_as_people_say_them() -> None:
    assert sounds_of("R2") == sounds_of("are two")
    assert likeness(sounds_of("wrench"), sounds_of("ranch")) > likeness(
        sounds_of("wrench"), sounds_of("table")
    )
