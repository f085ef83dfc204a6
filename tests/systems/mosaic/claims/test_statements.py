"""Claims as data: each is checked, and said in plain words instead of the model's sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.systems.mosaic.claims.moments import moment
from treec.team.actions import ActionCall
from treec.team.bind import bind
from treec.team.events import Said
from treec.team.statements import KINDS, check_statements
from treec.world.events import EventRefused
from treec_mosaic.claims import find_unbacked_claims

Claims = Sequence[Mapping[str, object]]
SETS: Mapping[str, Mapping[str, Any]] = {
    name: yaml.safe_load((Path(__file__).parent / f"{name}.yaml").read_text("utf-8"))
    for name in ("blind_1", "blind_2", "blind_3")
}
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
    team = moment(at)
    claims = [{"says": message, **claim} for claim in claims]
    try:
        call = bind(team, "say", {"message": message, "claims": claims or None})
        if untrue := check_statements(team, [*others, call]):
            return untrue
    except EventRefused as error:
        return [str(error)]
    found = find_unbacked_claims(
        team, message, ({"name": "say", "args": dict(call.args), "by": "model"},)
    )
    if found:
        return list(found)
    (said,) = call.action.run(team, **call.args)
    assert isinstance(said, Said)
    return said.text


@pytest.mark.parametrize(("at", "lie"), LIES)
def test_a_lie_without_claims_is_refused(at: str, lie: str) -> None:
    assert isinstance(answer(at, lie), list)


@pytest.mark.parametrize(("at", "lie", "claims"), CLAIMED)
def test_a_lie_with_its_claims_is_refused(at: str, lie: str, claims: Claims) -> None:
    assert isinstance(answer(at, lie, claims), list)


@pytest.mark.parametrize("name", SETS)
def test_at_most_one_of_fifty_true_sentences_is_refused_with_its_claims(name: str) -> None:
    truths = [
        (at, text, part.get("claims", {}).get(text, ()))
        for at, part in SETS[name].items()
        for text in part["truths"]
    ]
    refused = [
        (at, text)
        for at, text, claims in truths
        if isinstance(answer(at, text), list) and isinstance(answer(at, text, claims), list)
    ]
    assert len(truths) == 50
    assert len(refused) <= MOST_REFUSED, refused


def test_a_true_claim_does_not_let_a_lie_be_said() -> None:
    claim = {"is": "doing", "agent": "R2", "subtask": "get eggs"}
    said = answer("omelette", "The eggs have arrived, and R2 burnt the pan.", [claim])
    assert said == "R2 is at this: get the eggs."


def test_the_other_sentences_are_said_as_they_are_and_checked_as_ever() -> None:
    claim = {"says": "the eggs are coming", "is": "doing", "agent": "R2", "subtask": "get eggs"}
    said = answer("omelette", "Sure! The eggs are coming. Anything else?", [claim])
    assert said == "Sure! R2 is at this: get the eggs. Anything else?"
    lie = answer("omelette", "The butter has melted. The eggs are coming.", [claim])
    assert lie == ["the butter has melted"]


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (
            {"is": "done", "subtask": "get eggs"},
            "done(get eggs) does not hold: 'get eggs' is running (R2)",
        ),
        ({"is": "idle", "agent": "R2"}, "idle(R2) does not hold: R2 is Running, at 'get eggs'"),
        ({"is": "number_done", "number": 3}, "does not hold: 1 of 8 are done"),
        ({"is": "doing", "subtask": "get eggs"}, "'doing' needs 'agent'"),
        ({"is": "idle", "agent": "R2", "number": 2}, "unknown field 'number' of 'idle'"),
        (
            {"is": "done", "subtask": "get egs"},
            "unknown subtask 'get egs'; did you mean 'get eggs'?",
        ),
        ({"is": "finish", "subtask": "get eggs"}, "unknown kind of claim 'finish'; known: done"),
        ({"is": "all_done", "says": "R9 sleeps"}, "stands for no sentence of the message"),
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
        "You are at this: put the butter into the pan.",
    ),
    "will": ("soup", {"agent": "user", "subtask": "chop onions"}, "You will chop the onions."),
    "left": ("soup", {"subtask": "stir pot"}, "Still to do: stir the pot."),
    "after": (
        "omelette",
        {"subtask": "fry eggs", "after": "get butter"},
        "First get the butter, then fry the eggs.",
    ),
    "ready": (
        "sandwich",
        {"subtask": "wash lettuce"},
        "This can begin now: wash the lettuce.",
    ),
    "nobody_at": (
        "omelette",
        {"subtask": "whisk eggs"},
        "Nobody is at this yet: whisk the eggs.",
    ),
    "failed": ("greek", {"subtask": "get tomatoes"}, "This did not work: get the tomatoes."),
    "idle": ("omelette", {"agent": "R1"}, "R1 has nothing to do."),
    "stopped": ("soup", {"agent": "R1"}, "R1 was stopped, and waits for your word to go on."),
    "not_stopped": ("soup", {"agent": "R2"}, "R2 was not stopped."),
    "can": (
        "omelette",
        {"agent": "R1", "subtask": "pour eggs into pan"},
        "R1 can pour the eggs into the pan.",
    ),
    "cannot": (
        "omelette",
        {"agent": "R1", "subtask": "get eggs"},
        "R1 cannot get the eggs.",
    ),
    "abilities": ("fresh", {"agent": "R2"}, "R2 can get, put away."),
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
}


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"dropped"}))
def test_each_kind_of_claim_is_said_in_plain_words_where_it_holds(kind: str) -> None:
    at, fields, words = TRUE[kind]
    assert answer(at, "So it is.", [{"is": kind, **fields}]) == words


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"abilities"}))
def test_each_kind_of_claim_is_refused_where_it_does_not_hold(kind: str) -> None:
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
