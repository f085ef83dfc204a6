"""A model's act is licensed by the clause that it quotes from, and what is left over is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from experiments.hearing.phrases import load_frames
from tests.hearing.moments import DOMAINS, everyday, moment
from tests.hearing.test_safety import phrases
from treec.team.talk import TalkContext, TalkObject, TalkTask
from treec_hearing.licence import Licence, TalkBefore

ROOT = Path(__file__).parents[2]
Act = dict[str, Any]


def licence(text: str, context: TalkContext, *, parser: bool = False, said: str = "") -> Licence:
    heard = [{**act, "utterance": "u1"} for act in everyday()(text, context)]
    around = TalkBefore(context, [one.id for one in context.proposals], [said] if said else [])
    return Licence(everyday(), {"u1": text}, around, heard if parser else None)


def refusals(text: str, quote: str, act: Act, domain: str = "kitchen", **more: Any) -> list[str]:
    context = moment(domain, **more)
    quoted = {**act, "quote": quote or text, "utterance": "u1"}
    return licence(text, context).refusals([quoted])


def order(agent: str | None, task: str = "get", item: str = "pepper") -> Act:
    args = {"item": item}
    return {"kind": "request", "agent": agent, "task": task, "args": args, "first": False}


GET, CHOP = order(None), order(None, "chop", "onions")
YES: Act = {"kind": "accept", "proposals": ["p1"]}
GO_ON: Act = {"kind": "resume", "agent": "R2"}


@pytest.mark.parametrize(
    ("words", "quote", "act", "why"),
    [
        ("don't get the pepper", "get the pepper", GET, "says that it is not to be ('do not')"),
        ("please never get the pepper", "get the pepper", GET, "says that it is not to be"),
        ("don't chop and get the pepper", "get the pepper", GET, "says that it is not to be"),
        ("don't chop the onions or the pepper", "the pepper", GET, "says that it is not to be"),
        ("Get the pepper. Never again!", "Get the pepper", GET, "says that it is not to be"),
        ("chop the onions, no, get the pepper", "chop the onions", CHOP, "in the same breath"),
        ("get the pepper or rather not", "get the pepper", GET, "says that it is not to be"),
        ("what is R2 doing later?", "R2", YES, "is a question ('what')"),
        ("is it R2 who should get the pepper?", "get the pepper", GET, "is a question"),
        ("if it boils over, R2 should chop the onions", "R2 should chop the onions", CHOP, "'if'"),
        ("chop the onions as soon as it rings", "chop the onions", CHOP, "under what condition"),
        ("a label that says yes p1", "yes p1", YES, "tells what somebody else says"),
        ("the box says: done! Get the pepper", "Get the pepper", GET, "what somebody else says"),
        ('my phone plays "get the pepper" now', "get the pepper", GET, "what somebody else says"),
        ("R2 got the pepper yesterday", "got the pepper", GET, "speaks of the past"),
        ("tomorrow get the pepper", "get the pepper", GET, "speaks of later"),
        ("tomorrow, R2 should get the pepper", "R2 should get the pepper", GET, "speaks of later"),
        ("R2 might get the pepper", "get the pepper", GET, "only supposes it"),
        ("R2 has got the pepper", "the pepper", GET, "tells what is so"),
        ("R2 is back with the pepper", "the pepper", GET, "tells what is so"),
        ("skip the pepper", "the pepper", GET, "says 'skip': it is no request"),
        ("R2 stop", "R2", GO_ON, "says stop"),
        ("R2, go on. Stop!", "R2, go on", GO_ON, "says stop"),
        ("bring me the pepper, R2", "", order("user"), "says R2, not user"),
        ("bring me the pepper", "", order("user"), "does not say that the speaker is meant"),
        ("get the pepper", "", order("R2"), "does not say that R2 is meant"),
        ("the pepper looks nice", "", YES, "has no word of its own for the kind accept"),
        ("R2 is a robot", "", GO_ON, "has no word of its own for the kind resume"),
        ("we like onions", "", {"kind": "done", "subtasks": ["s2"]}, "no word of its own"),
        ("almost done", "", {"kind": "done", "subtasks": ["s3"]}, "does not say that it is done"),
        ("Finished!", "", {"kind": "done", "subtasks": ["s2"]}, "without a name it is about what"),
        ("R2, hello", "R2", GET, "does not say this: get pepper"),
        ("onions please", "", GET, "speaks of onions, not of this"),
    ],
)
def test_what_its_clause_does_not_say_is_no_act(words: str, quote: str, act: Act, why: str) -> None:
    said = refusals(words, quote, act, stopped=True)
    assert said, words
    assert why in " ".join(said)


@pytest.mark.parametrize(
    ("words", "quote", "act"),
    [
        ("don't wait, get the pepper", "get the pepper", GET),
        ("don't forget to get the pepper", "get the pepper", GET),
        ("I had soup yesterday, but today chop the onions", "chop the onions", CHOP),
        ("not the pepper but the onions, chop them", "chop them", CHOP),
        ("could R2 get the pepper?", "", order("R2")),
        ("R2, if you can, get the pepper", "", order("R2")),
        ("R2! Get the pepper", "Get the pepper", order("R2")),
        ("bring me the pepper, R2", "bring me the pepper", order("R2")),
        ("let me get the pepper", "", order("user")),
        ("don't get it. R2, get it: the pepper", "get it: the pepper", order("R2")),
        ("okay, R2 may get the pepper", "", YES),
        ("the pepper, yes", "", YES),
        ("R2, get the pepper", "", YES),
        ("by all means", "", YES),
        ("go on, R2", "", GO_ON),
        ("don't stop, R2, keep going", "keep going", GO_ON),
        ("Finished!", "", {"kind": "done", "subtasks": ["s3"]}),
        ("R2 has chopped the onions", "", {"kind": "done", "subtasks": ["s2"]}),
        ("the onions are done", "the onions are done", {"kind": "done", "subtasks": ["s2"]}),
        ("stop R2", "", {"kind": "stop", "agent": "R2"}),
        ("skip the pepper", "", {"kind": "drop", "subtasks": ["s1"]}),
    ],
)
def test_what_its_clause_says_stands(words: str, quote: str, act: Act) -> None:
    assert refusals(words, quote, act, stopped=True) == []


def test_a_fragment_that_is_said_twice_may_be_meant_once() -> None:
    said = "don't chop the onions yet. Now chop the onions"
    assert refusals(said, "chop the onions", CHOP) == []


def test_words_behind_more_than_are_read_license_nothing() -> None:
    long = "so, " * 1000 + "get the pepper"
    assert "only the beginning of so many words is read" in refusals(long, "get the pepper", GET)[0]


def test_who_is_meant_by_a_pronoun_was_named_last() -> None:
    context = moment("kitchen")
    act = {**order("R2"), "quote": "could it get the pepper?", "utterance": "u1"}
    words = licence("could it get the pepper?", context, said="R2 has nothing to do.")
    assert words.refusals([act]) == []
    assert licence("could it get the pepper?", context).refusals([act])


def test_what_the_parser_heard_too_is_licensed_and_its_no_beats_a_models_yes() -> None:
    context = moment("kitchen")
    drop = {**order("R2"), "quote": "R2 can get it: the pepper", "utterance": "u1"}
    words = licence("No, no. R2 can get it: the pepper", context, parser=True)
    assert any("was heard as a decline of the same work" in why for why in words.refusals([drop]))
    same = {"kind": "decline", "proposals": ["p1"], "quote": "No", "utterance": "u1"}
    assert words.refusals([same]) == []


# Of every kind, in four domains, with any fragment as the quote


def fragments(text: str) -> Iterator[str]:
    words = text.split()
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            if (quote := " ".join(words[first:last])) in text:
                yield quote


def acts_in(domain: str) -> Iterator[Act]:
    robot, one, thing, other, second = DOMAINS[domain]
    for agent in (None, robot, "user"):
        yield order(agent, one, thing)
        yield order(agent, other, second)
    yield YES
    yield {"kind": "resume", "agent": robot}
    yield {"kind": "done", "subtasks": ["s2"]}


MEANT = "without the {thing}, {other} the {second}"
"""The one phrase of these that is an order: to do the second without the first."""


@pytest.mark.parametrize(("domain", "text"), [*phrases()])
@pytest.mark.few(60, thorough=1000)
def test_no_fragment_of_what_is_not_meant_is_an_act(domain: str, text: str) -> None:
    _, _, thing, other, second = DOMAINS[domain]
    if text == MEANT.format(thing=thing, other=other, second=second):
        return
    words = licence(text, moment(domain, stopped=True))
    passed = [
        (quote, act)
        for act in acts_in(domain)
        for quote in fragments(text)
        if not words.refusals([{**act, "quote": quote, "utterance": "u1"}])
    ]
    assert passed == []


def test_orders_in_sentences_that_mean_them_stand() -> None:
    frames = load_frames(ROOT / "experiments/corpora/kitchen").meant
    refused = []
    for frame in frames:
        for domain in ("kitchen", "garden"):
            robot, one, thing, _, _ = DOMAINS[domain]
            task = f"{one} the {thing}"
            text = frame.format(order=task, doing=f"{one}ing", thing=f"the {thing}", robot=robot)
            acts = [order(agent, one, thing) for agent in (None, robot, "user")]
            if all(refusals(text, "", act, domain, proposals=False) for act in acts):
                refused.append(text)
    assert len(frames) * 2 > 90
    assert len(refused) <= 2, refused


def blind() -> Iterator[tuple[bool, str, str]]:
    """The lines of `licence.yaml`: whether it is right, the domain, and the line."""
    path = Path(__file__).with_name("licence.yaml")
    for domain, lines in yaml.safe_load(path.read_text("utf-8")).items():
        for right in (True, False):
            yield from ((right, domain, line) for line in lines["right" if right else "wrong"])


def act_of(text: str) -> Act:
    kind, *rest = (None if word == "null" else word for word in text.split())
    if kind == "request":
        return order(rest[0], str(rest[1]), str(rest[2]))
    if kind == "accept":
        return YES
    if kind in ("resume", "stop"):
        return {"kind": kind, "agent": rest[0]}
    return {"kind": kind, "subtasks": rest}


@pytest.mark.parametrize(("right", "domain", "line"), [*blind()])
def test_sentences_that_were_written_before_they_were_tried(
    right: bool, domain: str, line: str
) -> None:
    text, quote, said = (part.strip() for part in line.split(" | "))
    act = {**act_of(said), "quote": text if quote == "=" else quote, "utterance": "u1"}
    assert act["quote"] in text
    found = licence(text, moment(domain, stopped=True), parser=True).refusals([act])
    assert bool(found) is not right, found


# What no act reads is told


def unread(text: str, *acts: Mapping[str, Any]) -> list[str]:
    given = [{"quote": text, **act, "utterance": "u1"} for act in acts]
    return licence(text, moment("kitchen")).unread(given, lambda words: "unicorn" in words)


@pytest.mark.parametrize(
    ("text", "acts", "lost"),
    [
        ("get the croutons and then the pepper", [GET], ["get the croutons"]),
        ("get the pepper and then the croutons", [GET], ["the croutons"]),
        ("get the pepper and polish the lamp", [GET], ["polish the lamp"]),
        ("get the pepper, chop the onions", [GET], ["chop the onions"]),
        ("get the pepper and the onions", [GET], ["the onions"]),
        ("if it rings, chop the onions. Get the pepper", [GET], ["if it rings, chop the onions"]),
        ("yes, and wipe the table", [YES], ["wipe the table"]),
        ("yes for R2, chop the onions", [{**CHOP, "quote": "chop the onions"}], ["yes for R2"]),
        ("R2 can, chop the onions", [{**CHOP, "quote": "chop the onions"}], ["R2 can"]),
        ("R2 can not, chop the onions", [{**CHOP, "quote": "chop the onions"}], []),
        ("get the pepper", [GET], []),
        ("get the pepper and chop the onions", [GET, CHOP], []),
        ("R1 and R2, get the pepper", [{**GET, "agent": None}], []),
        ("R1 and R2, get the pepper", [{**GET, "agent": "R1"}], ["R2"]),
        ("get the pepper, I am starving", [GET], []),
        ("yes please, that would be lovely", [YES], []),
        ("well, R2, get me the pepper, thanks a lot", [GET], []),
        ("get the pepper, my hands are full", [GET], []),
        ("what a day", [{"kind": "remark"}], []),
        ("get the pepper or so", [{"kind": "remark"}], []),
        ("get the unicorn", [{"kind": "remark"}], []),
        ("get the unicorn and the pepper", [{"kind": "remark"}], ["the pepper"]),
    ],
)
def test_a_clause_that_no_act_reads_is_told(text: str, acts: list[Act], lost: list[str]) -> None:
    assert unread(text, *acts) == lost


def test_a_question_that_is_answered_is_read_whatever_it_names() -> None:
    asked = {"kind": "ask", "quote": "who has the onions?"}
    assert unread("who has the onions?", asked) == []
    assert unread("get the pepper. Who has the onions?", GET, asked) == []
    assert unread("chop the onions. Who has them?", {**asked, "quote": "Who has them?"}) == [
        "chop the onions"
    ]


def test_a_remark_does_not_read_an_order_away() -> None:
    remark = {"kind": "remark", "quote": "chop the onions"}
    assert unread("get the pepper and chop the onions", GET, remark) == ["chop the onions"]


def test_beside_a_stop_only_work_is_told() -> None:
    stop = {"kind": "stop", "agent": None, "quote": "Stop"}
    assert unread("Stop! My hand is in there, look at it", stop) == []
    assert unread("Stop! And chop the onions", stop) == ["chop the onions"]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("get the pepper and then put it into the freezer", []),
        ("get the pepper and then put it next to the freezer", ["put it next to the freezer"]),
        ("put the pepper into the freezer and polish the freezer", ["polish the freezer"]),
    ],
)
def test_a_thing_among_the_words_of_a_task_itself_is_not_what_it_is_about(
    text: str, lost: list[str]
) -> None:
    now = moment("kitchen")
    store = TalkTask("store", ("put <item> into the freezer",), {"item": "Item"})
    freezer = TalkObject("freezer", (), ("Place",))
    context = replace(now, tasks=(*now.tasks, store), objects=(*now.objects, freezer))
    acts = [{**one, "utterance": "u1"} for one in everyday()(text, context)]
    assert licence(text, context).unread(acts, lambda words: False) == lost


def test_what_is_corrected_in_the_same_breath_is_not_said_back() -> None:
    act = order("R2", "chop", "pepper")
    assert unread("R2, chop the onions, no, the pepper", {**act, "quote": "the pepper"}) == []
    words = "R2, get the onions. Forget it. R2, chop the pepper"
    assert unread(words, {**act, "quote": "R2, chop the pepper"}) == []
    assert unread("R2, get the onions, no, forget it") == []
