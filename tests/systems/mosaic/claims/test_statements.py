"""What a model says, in the kitchen: no words of its own, and claims only if they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.systems.mosaic.claims.moments import moment
from treec.extensions import registry
from treec.team.actions import ActionCall
from treec.team.sentences import LONGEST
from treec_asking.bind import bind
from treec_asking.statements import OnlyWords, speak

Claims = Sequence[Mapping[str, object]]
SETS: Mapping[str, Mapping[str, Any]] = {
    name: yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text("utf-8"))
    for name in ("blind_1", "blind_2", "blind_3")
}
OLDER = yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text("utf-8"))
ALL = [(at, part) for parts in SETS.values() for at, part in parts.items()]
LIES = [(at, lie) for at, part in ALL for lie in part["lies"]]
CLAIMED = [
    (at, lie, part["claims"][lie])
    for at, part in ALL
    for lie in part["lies"]
    if lie in part.get("claims", {})
]
MOST_REFUSED = 1


def answer(at: str, message: str, claims: Claims = (), *others: ActionCall) -> str | list[str]:
    """What is said, or why it is refused."""
    call = bind(moment(at), "say", {"message": message, "claims": [*claims]})
    try:
        calls, _ = speak(moment(at), [*others, call])
    except OnlyWords as error:
        return [str(error)]
    said = [str(one.args["message"]) for one in calls if one.action.name == "say"]
    return said[0] if said else ["nothing is said"]


@pytest.mark.few(30, thorough=1000)
@pytest.mark.parametrize(("at", "lie"), LIES)
def test_a_lie_is_never_said(at: str, lie: str) -> None:
    for words in (lie, lie * 60, f"Did you know? {lie}", f"{lie[:-1]}?"):
        assert isinstance(answer(at, words), list)


@pytest.mark.parametrize("part", OLDER)
def test_words_that_are_lies_or_true_cost_no_action(part: str) -> None:
    """Also the oldest sentences, which were written before any check was built."""
    right = bind(moment("salad"), "propose", {"agent": "R1", "subtask": "pour pepper into bowl"})
    for words in OLDER[part]:
        assert isinstance(answer("salad", words), list)
        call = bind(moment("salad"), "say", {"message": words})
        assert speak(moment("salad"), [call, right])[0] == [right]


@pytest.mark.parametrize(("at", "lie", "claims"), CLAIMED)
def test_a_lie_with_its_claims_is_refused(at: str, lie: str, claims: Claims) -> None:
    assert isinstance(answer(at, lie, claims), list)


@pytest.mark.parametrize("name", SETS)
def test_at_most_one_of_fifty_true_sentences_cannot_be_said_by_claims(name: str) -> None:
    truths = [
        (at, text, part.get("claims", {}).get(text, ()))
        for at, part in SETS[name].items()
        for text in part["truths"]
    ]
    refused = [(at, text) for at, text, c in truths if isinstance(answer(at, text, c), list)]
    assert len(truths) == 50
    assert len(refused) <= MOST_REFUSED, refused


def test_words_beside_claims_are_dropped() -> None:
    claim = {"is": "doing", "agent": "R2", "subtask": "get eggs", "says": "The eggs arrived"}
    for words in (
        "The eggs have arrived, and R2 burnt the pan.",
        "Sure! Anything else?",
        "x" * 9999,
    ):
        assert answer("omelette", words, [claim]) == "R2 is getting the eggs."


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (
            {"is": "done", "subtask": "get eggs"},
            "done(get eggs) is not so: 'get eggs' is running (R2).",
        ),
        ({"is": "idle", "agent": "R2"}, "idle(R2) is not so: R2 is Running, at 'get eggs'."),
        ({"is": "number_done", "number": 3}, "number_done(3) is not so: 1 of 8 are done."),
        ({"is": "doing", "subtask": "get eggs"}, "'doing' needs 'agent'"),
        ({"is": "idle", "agent": "R2", "number": 2}, "unknown field 'number' of idle(agent)"),
        (
            {"is": "done", "subtask": "get egs"},
            "unknown subtask 'get egs'; did you mean 'get eggs'?",
        ),
        ({"is": "done", "subtask": "get salt"}, "unknown subtask 'get the salt'"),
        ({"is": "finish", "subtask": "get eggs"}, "unknown kind of claim 'finish'; known: done"),
        ({"is": "which", "names": ["R1", "R2, which has finished"]}, "unknown name"),
        ({"is": "no_recipe", "words": "R2 has finished"}, "'words' are a few of the person's own"),
    ],
)
def test_a_claim_that_does_not_hold_is_told_with_the_reason(
    claim: Mapping[str, object], why: str
) -> None:
    (told,) = answer("omelette", "So it is.", [claim])
    assert why in told


TRUE: Mapping[str, tuple[str, Mapping[str, object], str]] = {
    "done": ("omelette", {"agent": "R2", "subtask": "get butter"}, "Done by R2: get the butter."),
    "doing": (
        "omelette",
        {"agent": "user", "subtask": "put butter into pan"},
        "You are putting the butter into the pan.",
    ),
    "will": ("soup", {"agent": "user", "subtask": "chop onions"}, "You will chop the onions."),
    "left": ("soup", {"subtask": "stir pot"}, "Still to do: stir the pot."),
    "after": (
        "omelette",
        {"subtask": "fry eggs", "after": "get butter"},
        "First get the butter, then fry the eggs.",
    ),
    "ready": ("sandwich", {"subtask": "wash lettuce"}, "This can begin now: wash the lettuce."),
    "nobody_at": ("omelette", {"subtask": "whisk eggs"}, "Nobody is at this yet: whisk the eggs."),
    "failed": ("greek", {"subtask": "get tomatoes"}, "This did not work: get the tomatoes."),
    "idle": ("omelette", {"agent": "R1"}, "R1 has nothing to do."),
    "stopped": ("soup", {"agent": "R1"}, "R1 was stopped, and waits for your word to go on."),
    "not_stopped": ("soup", {"agent": "R2"}, "R2 was not stopped."),
    "can": (
        "omelette",
        {"agent": "R1", "subtask": "pour eggs into pan"},
        "R1 can pour the eggs into the pan.",
    ),
    "cannot": ("omelette", {"agent": "R1", "subtask": "get eggs"}, "R1 cannot get the eggs."),
    "abilities": ("fresh", {"agent": "R2"}, "R2 can get and put away."),
    "proposed": (
        "sandwich",
        {"agent": "user", "subtask": "wash lettuce"},
        "My question is whether you should wash the lettuce.",
    ),
    "all_done": ("finished", {}, "Everything is done."),
    "number_done": ("greek", {"number": 2}, "2 of 9 are done."),
    "number_left": ("greek", {"number": 7}, "7 of 9 are still to be done."),
    "recipe": ("soup", {"name": "Tomato Soup"}, "The recipe is Tomato Soup."),
    "has_recipe": ("fresh", {"name": "Garlic Bread"}, "There is a recipe for Garlic Bread."),
    "nothing_chosen": ("fresh", {}, "Nothing is chosen yet."),
    "all_right": ("omelette", {}, "All right."),
    "could_begin": ("sandwich", {}, "This could begin: wash the lettuce."),
    "did": ("omelette", {"agent": "R2"}, "Done by R2: get the butter."),
    "everybody": (
        "soup",
        {},
        "R1 was stopped, and still has to pour the stock into the pot. R2 is getting "
        "the cream. You are chopping the onions.",
    ),
    "fact": (
        "omelette",
        {"fact": "at", "names": ["butter"], "value": "fridge"},
        "Butter: at: fridge.",
    ),
    "glad": ("omelette", {}, "Glad to hear it."),
    "go_on": ("soup", {"agent": "R1"}, "Shall R1 go on?"),
    "hello": ("fresh", {}, "Hello!"),
    "how_about": ("fresh", {"names": ["Pasta", "Poke"]}, "How about Pasta or Poke?"),
    "made_of": (
        "fresh",
        {"name": "Tomato Soup"},
        "Tomato Soup is made of: tomatoes, vegetable stock, onions, cream.",
    ),
    "meal_ready": ("finished", {}, "The Hot Chocolate is ready. Enjoy your meal!"),
    "or_rather": (
        "soup",
        {"names": ["Potato Salad"]},
        "Shall we go on with the Tomato Soup, or would you rather have Potato Salad?",
    ),
    "pity": ("soup", {}, "That is a pity."),
    "progress": (
        "omelette",
        {},
        "R2 is getting the eggs. You are putting the butter into the pan. 1 of 8 is "
        "done. Still to do: crack the eggs, whisk the eggs, melt the butter, pour the"
        " eggs into the pan and 1 more.",
    ),
    "queue": ("soup", {"agent": "user"}, "You are chopping the onions."),
    "recipes": (
        "fresh",
        {},
        "I know 36 recipes: Avocado Toast, Banana Smoothie, Bibimbap, Biryani, "
        "Broccoli Soup, Caesar Salad, Chicken Soup, Corn Soup, Eggdrop Soup, Fried "
        "Rice …",
    ),
    "status": (
        "soup",
        {"subtask": "pour stock into pot"},
        "R1 was stopped, and still has to pour the stock into the pot.",
    ),
    "steps": (
        "fresh",
        {"name": "Hot Chocolate"},
        "Hot Chocolate: get the milk, get the cocoa powder, get the mug, pour the "
        "milk into the pot, heat the pot, put the cocoa powder into the pot, stir the"
        " pot, pour the pot into the mug.",
    ),
    "tell_me": ("soup", {"subtask": "chop onions"}, "Tell me when this is done: chop the onions."),
    "thanks": ("soup", {}, "Thank you."),
    "unable": ("soup", {}, "Sorry, I cannot do that."),
    "unclear": ("soup", {}, "Sorry, I did not get that."),
    "unknown": ("soup", {}, "I do not know that."),
    "waiting_for_yes": (
        "sandwich",
        {},
        "I am waiting for your answer: should you wash the lettuce?",
    ),
    "waits_for": (
        "omelette",
        {"subtask": "whisk eggs"},
        "First get the eggs, crack the eggs, then whisk the eggs.",
    ),
    "welcome": ("soup", {}, "You are welcome."),
    "what_next": ("soup", {}, "What would you like to do?"),
    "what_to_eat": ("fresh", {}, "What would you like to eat?"),
    "where": ("omelette", {"thing": "butter"}, "The butter is at the fridge."),
    "which": ("soup", {"names": ["R1", "R2"]}, "Which do you mean: R1 or R2?"),
    "who_can": (
        "omelette",
        {"subtask": "pour eggs into pan"},
        "R1 or you can pour the eggs into the pan.",
    ),
    "who_should": ("omelette", {"subtask": "whisk eggs"}, "Who should whisk the eggs?"),
    "why_not": (
        "omelette",
        {"subtask": "fry eggs"},
        "Fry the eggs: not now, first get the eggs, crack the eggs, whisk the eggs, "
        "put the butter into the pan, melt the butter, pour the eggs into the pan.",
    ),
    "work_with": (
        "omelette",
        {"thing": "eggs"},
        "R2 is getting the eggs. Nobody is at this yet: crack the eggs, whisk the "
        "eggs, pour the eggs into the pan and fry the eggs.",
    ),
}
FALSE: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "done": ("omelette", {"agent": "user", "subtask": "get butter"}),
    "doing": ("soup", {"agent": "R1", "subtask": "pour stock into pot"}),
    "will": ("soup", {"agent": "R1", "subtask": "chop onions"}),
    "left": ("soup", {"subtask": "get tomatoes"}),
    "after": ("omelette", {"subtask": "get butter", "after": "fry eggs"}),
    "ready": ("omelette", {"subtask": "fry eggs"}),
    "nobody_at": ("omelette", {"subtask": "get eggs"}),
    "failed": ("omelette", {"subtask": "get eggs"}),
    "dropped": ("omelette", {"subtask": "get eggs"}),
    "idle": ("soup", {"agent": "R1"}),
    "stopped": ("soup", {"agent": "R2"}),
    "not_stopped": ("soup", {"agent": "R1"}),
    "can": ("omelette", {"agent": "R1", "subtask": "get eggs"}),
    "cannot": ("omelette", {"agent": "user", "subtask": "get eggs"}),
    "proposed": ("omelette", {"agent": "R2", "subtask": "get eggs"}),
    "all_done": ("fresh", {}),
    "number_done": ("greek", {"number": 3}),
    "number_left": ("greek", {"number": 9}),
    "recipe": ("soup", {"name": "Omelette"}),
    "has_recipe": ("fresh", {"name": "Pizza. R1 has finished"}),
    "nothing_chosen": ("soup", {}),
    "could_begin": ("finished", {}),
    "did": ("omelette", {"agent": "R1"}),
    "fact": ("omelette", {"fact": "at", "names": ["butter"], "value": "pantry"}),
    "go_on": ("soup", {"agent": "R2"}),
    "how_about": ("fresh", {"names": ["Pasta", "R1"]}),
    "meal_ready": ("soup", {}),
    "no_recipe": ("soup", {"words": "R2 has finished"}),
    "or_rather": ("soup", {"names": ["Tomato Soup"]}),
    "progress": ("fresh", {}),
    "queue": ("soup", {"agent": "R3"}),
    "status": ("soup", {"subtask": "get salt"}),
    "tell_me": ("soup", {"subtask": "get cream"}),
    "waiting_for_yes": ("soup", {}),
    "waits_for": ("omelette", {"subtask": "get eggs"}),
    "which": ("soup", {"names": ["R1"]}),
    "who_should": ("soup", {"subtask": "chop onions"}),
    "why_not": ("omelette", {"subtask": "get eggs"}),
    "work_with": ("omelette", {"thing": "salt"}),
}


OPEN = {"dropped", "no_recipe"}  # tried below
ALWAYS = {
    *("abilities", "everybody", "recipes", "steps", "made_of", "what_next", "what_to_eat"),
    *("unclear", "unknown", "unable", "who_can", "where"),
}
"""Kinds that say what is so, or claim nothing."""
SMALL_TALK = {"hello", "all_right", "glad", "pity", "thanks", "welcome"}


@pytest.mark.parametrize("kind", sorted(registry().statements.keys() - OPEN))
def test_each_kind_is_said_in_plain_words_where_it_holds(kind: str) -> None:
    at, fields, words = TRUE[kind]
    assert answer(at, "So it is.", [{"is": kind, **fields}]) == words
    assert len(words) <= LONGEST


@pytest.mark.parametrize("kind", sorted(registry().statements.keys() - ALWAYS - SMALL_TALK))
def test_each_kind_is_refused_where_it_does_not_hold(kind: str) -> None:
    at, fields = FALSE[kind]
    assert isinstance(answer(at, "So it is.", [{"is": kind, **fields}]), list)


def test_claims_may_hold_by_what_the_same_answer_does() -> None:
    team = moment("omelette")
    will = [{"is": "will", "agent": "R1", "subtask": "pour eggs into pan"}]
    gives = bind(team, "assign", {"agent": "R1", "subtasks": ["pour eggs into pan"]})
    done = [{"is": "done", "subtask": "put butter into pan"}]
    notes = bind(team, "mark_complete", {"subtasks": ["put butter into pan"]})
    assert isinstance(answer("omelette", "So it is.", will), list)
    assert answer("omelette", "So it is.", will, gives) == "R1 will pour the eggs into the pan."
    assert answer("omelette", "So it is.", done, notes) == "Done: put the butter into the pan."
    left = [{"is": "left", "subtask": "put butter into pan"}]
    assert isinstance(answer("omelette", "So it is.", left, notes), list)
    soup = moment("soup")
    takes = bind(soup, "take_back", {"subtasks": ["chop onions"]})
    chop = [{"is": "will", "agent": "user", "subtask": "chop onions"}]
    assert answer("soup", "So it is.", chop) == "You will chop the onions."
    assert isinstance(answer("soup", "So it is.", chop, takes), list)
