"""What the shared templates hear in every domain."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from tests.hearing.moments import ACTS, DOMAINS, everyday, moment
from treec.files.hearing import HearingFile
from treec_hearing.ear import Ear
from treec_hearing.templates import MatchAttempt, TemplateError, template_errors


def heard(text: str, domain: str = "warehouse", **given: Any) -> list[dict[str, object]]:
    acts = everyday()(text, moment(domain, **given))
    return [{name: value for name, value in act.items() if name != "quote"} for act in acts]


@pytest.mark.parametrize("domain", DOMAINS)
def test_everyday_words_are_heard_in_every_domain(domain: str) -> None:
    robot, one, thing, other, second = DOMAINS[domain]
    order = {"kind": "request", "agent": robot, "task": one, "args": {"item": thing}}
    plain = {**order, "first": False}
    said: dict[str, list[dict[str, object]]] = {
        "Yes please.": [{"kind": "accept", "proposals": ["p1"]}],
        "Not yet.": [{"kind": "decline", "proposals": ["p1"]}],
        f"No, not the {thing}.": [{"kind": "decline", "proposals": ["p1"]}],
        f"{robot}, {one} the {thing}.": [plain],
        f"Could {robot} {one} the {thing}, please?": [plain],
        f"{robot} should {one} {thing} first": [{**order, "first": True}],
        f"I'll {one} the {thing}": [{**plain, "agent": "user"}],
        f"{one} the {thing} and {other} the {second}": [
            {**plain, "agent": None},
            {**plain, "agent": None, "task": other, "args": {"item": second}},
        ],
        f"{robot}, stop!": [{"kind": "stop", "agent": robot}],
        "Stop what you are doing now": [{"kind": "stop", "agent": None}],
        "I'm done.": [{"kind": "done", "subtasks": ["s3"]}],
        f"Forget the {second}.": [{"kind": "drop", "subtasks": ["s2"]}],
        f"{robot}, leave that to somebody else": [{"kind": "release", "subtasks": ["s2"]}],
        "Let's do the morning round": [{"kind": "choose", "recipe": "Morning Round"}],
        "Thanks, everyone!": [{"kind": "remark"}],
    }
    assert {text: heard(text, domain) for text in said} == said
    assert heard("Go on.", domain, stopped=True) == [{"kind": "resume", "agent": None}]
    assert heard("The second one", domain, offered=("Evening Round", "Morning Round")) == [
        {"kind": "choose", "recipe": "Morning Round"}
    ]
    assert heard("What is left?", domain)[0]["kind"] == "ask"


@pytest.mark.parametrize(
    "words", ["Quit it!", "cut that out", "don't move", "{robot}, stand still"]
)
def test_a_stop_has_other_words_while_somebody_moves(words: str) -> None:
    robot = DOMAINS["warehouse"][0]
    (act,) = heard(words.format(robot=robot))
    assert act["kind"] == "stop"


def test_a_template_explains_nothing_without_a_word_that_it_needs() -> None:
    """So most of them are not tried."""
    ear, explained = everyday(), 0
    for text in ("Yes, go ahead.", "Hauler, fetch crate 12 and then stop", "not R2, the other one"):
        mentions = ear.mentions(text, moment("warehouse"))
        for at in range(len(mentions.words)):
            said = {word.text for word in mentions.words[at:]}
            for one in ear.templates:
                if any(True for _ in one.part(MatchAttempt(mentions, at, ear.joins), at)):
                    assert one.needed is None or one.needed & said, (one.text, text)
                    explained += 1
    assert explained > 5
    assert sum(one.needed is None for one in ear.templates) < len(ear.templates) / 10


def test_a_yes_needs_something_to_agree_to() -> None:
    assert heard("Yes.", proposals=False) == [{"kind": "remark"}]
    assert heard("Yes.")[0]["kind"] == "accept"


def test_a_name_is_understood_with_a_typing_mistake_and_an_act_quotes_what_was_said() -> None:
    (act,) = everyday()("Hm, water the roses. Thanks.", moment("garden"))
    assert act["quote"] == "water the roses"
    (act,) = everyday()("water the rosse", moment("garden"))
    assert act["args"] == {"item": "roses"}
    assert act["quote"] == "water the rosse"


def test_a_subtask_is_known_by_what_was_done_to_its_thing() -> None:
    assert heard("I have mowed it", "garden") == [{"kind": "remark"}], "two are mowed: which?"
    assert heard("No need to mow the roses", "garden") == [{"kind": "drop", "subtasks": ["s3"]}]
    assert heard("I have watered it", "garden") == [{"kind": "done", "subtasks": ["s1"]}]


def test_taking_what_is_proposed_to_somebody_else_is_no_yes() -> None:
    assert [act["kind"] for act in heard("I'll fetch crate 17")] == ["request"]


def test_what_is_left_over_and_what_else_it_might_be_are_told() -> None:
    found = everyday().listen("Fetch crate 17, bla bla", moment("warehouse"))
    assert [act.kind for act in found.acts] == ["request"]
    assert [found.text[a:b] for a, b in found.left_over] == ["bla bla"]
    again = {"accept": ["so be it"], "remark": ["so be it"]}
    both = Ear(ACTS, again).listen("so be it", moment("warehouse"))
    assert [act.kind for act in both.acts] == ["accept"]
    assert [act.kind for act in both.acts[0].others] == ["remark"]


def test_a_kind_of_ones_own_is_heard_with_its_slots() -> None:
    acts = {"report": {"what": "Item", "text": "text"}, "remark": {}}
    ear = Ear(acts, {"report": ["[please] report on [the] {what}", "note that {text}"]})
    (act,) = ear("Report on the lawn", moment("garden"))
    assert act == {
        "kind": "report",
        "quote": "Report on the lawn",
        "what": "lawn",
        "text": "Report on the lawn",
    }


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("<nowhere> go", "unknown rule '<nowhere>'"),
        ("<round>", "the rule '<round>' uses itself"),
        ("[please]", "'[please]' can be empty: at least one word or slot must be there"),
        ("go to {palce}", "'{palce}' is neither a field of stop"),
        ("(go", "cannot be read"),
    ],
)
def test_a_wrong_template_is_told(template: str, why: str) -> None:
    file = HearingFile.model_validate(
        {"hearing": "x", "about": "", "rules": {"round": "a <round>"}}
    )
    (error,) = template_errors({"stop": {}}, {"stop": ["halt", template]}, file)
    assert error[:2] == ("stop", 1)
    assert why in error[2]
    with pytest.raises(TemplateError, match=re.escape(error[2])):
        Ear({"stop": {}}, {"stop": [template]}, file)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("joins", ["and then"], "one word"),
        ("forms", [["(", "x"]], "missing \\)"),
        ("forms", [["e$", "\\2"]], "invalid group reference"),
    ],
)
def test_what_a_language_gives_wrong_is_told_when_its_file_is_read(
    key: str, value: object, why: str
) -> None:
    with pytest.raises(ValidationError, match=why):
        HearingFile.model_validate({"hearing": "x", "about": "", key: value})


@pytest.mark.parametrize(
    "amount",
    ["200 ml of", "two hundred millilitres of", "a cup and a half of", "1.5 l of", "half of the"],
)
def test_how_much_is_said_of_a_thing_changes_nothing_of_the_order(amount: str) -> None:
    here = moment("kitchen", proposals=False)
    (act,) = everyday()(f"R2, get {amount} pepper, no rush", here)
    assert (act["kind"], act["agent"], act["args"]) == ("request", "R2", {"item": "pepper"})
