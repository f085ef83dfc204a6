"""Which acts an utterance may be, and what is said of them without a name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest

from experiments.hearing.phrases import Act
from tests.hearing.moments import DOMAINS, everyday, moment
from tests.hearing.stub_network import act_of, two_proposals
from treec.team.talk import TalkAgent, TalkContext, TalkObject, TalkSubtask, TalkTask
from treec_hearing.candidates import (
    AGENT,
    COUNT,
    LIMIT,
    OTHER_AGENT,
    OTHER_COUNT,
    OTHER_TASK,
    OTHER_THING,
    PART,
    TASK,
    THING,
    Candidate,
)
from treec_hearing.network import network_input


def found(text: str, now: TalkContext) -> list[Candidate]:
    return network_input(everyday(), text, now)[1]


def acts(text: str, now: TalkContext, *kinds: str) -> list[Act]:
    return [act_of(one) for one in found(text, now) if one.kind in kinds]


def one(text: str, now: TalkContext, act: Act) -> Candidate:
    (candidate,) = (it for it in found(text, now) if act_of(it) == act)
    return candidate


def marks(text: str, now: TalkContext, act: Act) -> dict[int, int]:
    """The relation of each word, for an act in which no word has two."""
    given = one(text, now, act).marks
    assert len(dict(given)) == len(given)
    return dict(given)


def order(agent: str | None, task: str, **args: str) -> Act:
    return ("request", agent, task, tuple(sorted(args.items())), False)


def test_each_proposal_may_be_answered_by_a_yes_and_by_a_no() -> None:
    both = [("accept", "p1"), ("decline", "p1"), ("accept", "p2"), ("decline", "p2")]
    assert acts("bla bla", two_proposals(), "accept", "decline") == both
    assert acts("yes", moment("garden", proposals=False), "accept", "decline") == []


def test_orders_are_made_of_the_tasks_things_and_agents_that_are_named() -> None:
    now = moment("garden", proposals=False)
    assert acts("Rover, water the lawn", now, "request") == [
        order(None, "water", item="lawn"),
        order("Rover", "water", item="lawn"),
        order(None, "water"),
        order("Rover", "water"),
        order(None, "water", item="roses"),  # the work there is
        order("Rover", "water", item="roses"),
        order(None, "mow", item="lawn"),
        order("Rover", "mow", item="lawn"),
    ]
    assert acts("let me mow", now, "request")[:2] == [order(None, "mow"), order("user", "mow")]
    assert acts("bla bla", now, "request") == []


def test_an_order_has_no_thing_of_a_wrong_type_and_none_twice() -> None:
    mix = TalkTask("mix", ("mix <one> with <other>",), {"one": "Item", "other": "Item"})
    now = moment("garden", proposals=False)
    robot = TalkObject("shed", (), ("Place",))
    now = replace(now, tasks=(*now.tasks, mix), objects=(*now.objects, robot))
    said = acts("mix the roses with the lawn in the shed", now, "request")
    mixes = [dict(act[3]) for act in said if act[2] == "mix"]  # type: ignore[call-overload]
    assert {"one": "roses", "other": "lawn"} in mixes
    assert {"one": "lawn", "other": "roses"} in mixes
    assert not any("shed" in things.values() for things in mixes)
    assert not any(len({*things.values()}) < len(things) for things in mixes)


def test_a_thing_alone_may_be_a_wish_for_it_where_its_task_is_one_of_wishes() -> None:
    for domain, is_wished in (("kitchen", True), ("garden", False)):
        _, one, _, _, second = DOMAINS[domain]
        said = acts(f"the {second} would be nice", moment(domain, proposals=False), "request")
        assert (order(None, one, item=second) in said) == is_wished


def test_work_that_there_is_may_be_ordered_by_its_thing_alone() -> None:
    assert acts("the lawn now", moment("garden", proposals=False), "request") == [
        order(None, "mow", item="lawn")
    ]


def test_a_word_of_a_name_is_enough_for_an_order() -> None:
    now = moment("warehouse", proposals=False)
    assert order(None, "inspect", item="label printer") in acts(
        "inspect the printer", now, "request"
    )
    assert marks("inspect the printer", now, order(None, "inspect", item="label printer")) == {
        0: TASK,
        2: PART,
    }


def test_work_in_hand_may_be_done_or_dropped_and_other_work_if_it_is_mentioned() -> None:
    now = moment("garden", proposals=False)
    in_hand = [("done", "s2"), ("drop", "s2"), ("done", "s3"), ("drop", "s3")]
    s1 = [("done", "s1"), ("drop", "s1")]
    assert acts("bla bla", now, "done", "drop") == in_hand
    assert acts("the roses are lovely", now, "done", "drop") == [*s1, *in_hand]
    assert acts("bla bla", moment("garden"), "done", "drop") == [*s1, *in_hand], "it is proposed"


@pytest.mark.parametrize("status", ["done", "dropped"])
def test_what_is_over_is_not_reported_again(status: str) -> None:
    now = moment("garden", proposals=False)
    over = tuple(replace(subtask, status=status) for subtask in now.subtasks)
    now = replace(now, subtasks=over)
    assert acts("mowed the roses and the lawn", now, "done", "drop") == []


def test_each_robot_and_all_of_them_may_be_told_to_stop_and_to_go_on() -> None:
    now = moment("garden")
    now = replace(now, agents=(*now.agents, TalkAgent("Digger")))
    assert acts("bla bla", now, "stop", "resume") == [
        (kind, robot) for robot in (None, "Rover", "Digger") for kind in ("stop", "resume")
    ]


def test_where_there_is_no_work_nobody_stops() -> None:
    idle = replace(moment("garden", proposals=False), subtasks=())
    assert acts("stop", idle, "stop", "resume") == []
    assert ("stop", None) in acts("stop", replace(idle, recipe_name="Morning Round"), "stop")


def test_a_recipe_may_be_chosen_that_is_named_or_was_offered() -> None:
    now = moment("garden")
    assert acts("bla bla", now, "choose") == [("choose", None)]
    assert acts("the evening one", now, "choose") == [("choose", None), ("choose", "Evening Round")]
    offered = moment("garden", offered=("Evening Round", "Morning Round"))
    assert acts("bla bla", offered, "choose") == [
        ("choose", None),
        ("choose", "Evening Round"),
        ("choose", "Morning Round"),
    ]
    second = one("the second one", offered, ("choose", "Morning Round"))
    assert "counted" in second.signs
    assert {mark for _, mark in second.marks} == {THING, COUNT}
    first = one("the second one", offered, ("choose", "Evening Round"))
    assert "counted" not in first.signs
    assert {mark for _, mark in first.marks} == {OTHER_THING, OTHER_COUNT}


def test_only_the_kinds_of_the_moment_are_candidates() -> None:
    now = replace(moment("garden"), acts=("accept", "remark"))
    assert {one.kind for one in found("Rover, mow the lawn and stop", now)} == {"accept"}


def test_words_are_marked_by_what_they_are_to_an_act() -> None:
    text, now = "Rover, water the roses", moment("garden")
    own = {0: AGENT, 1: TASK, 2: THING, 3: THING}
    assert marks(text, now, ("accept", "p1")) == own
    assert marks(text, now, order("Rover", "water", item="roses")) == own
    assert marks(text, now, ("drop", "s3")) == {**own, 0: OTHER_AGENT, 1: OTHER_TASK}
    assert marks(text, now, ("drop", "s2")) == {
        0: AGENT,
        1: OTHER_TASK,
        2: OTHER_THING,
        3: OTHER_THING,
    }


@pytest.mark.parametrize(
    ("text", "counted", "other"),
    [
        ("the second one", ["p2"], ["p1"]),
        ("the last", ["p2"], ["p1"]),
        ("the first", ["p1"], ["p2"]),
        ("both", ["p1", "p2"], []),
        ("the third one", [], ["p1", "p2"]),
    ],
)
def test_proposals_are_counted(text: str, counted: list[str], other: list[str]) -> None:
    said = {id: one(text, two_proposals(), ("accept", id)) for id in ("p1", "p2")}
    assert [id for id, it in said.items() if "counted" in it.signs] == counted
    assert [id for id, it in said.items() if OTHER_COUNT in dict(it.marks).values()] == other


UTTERANCES = (
    "yes please, {robot}",
    "{robot}, {one} the {thing} and {other} the {second}",
    "I'll {other} the {thing} myself",
    "no, not the {second}, the {thing}",
    "stop {robot} and go on with the morning round",
    "is the {thing} done?",
)


def utterances(domain: str) -> Iterator[str]:
    robot, one, thing, other, second = DOMAINS[domain]
    for text in UTTERANCES:
        yield text.format(robot=robot, one=one, thing=thing, other=other, second=second)


def nameless(candidates: Collection[Candidate]) -> list[object]:
    return [(one.kind, one.signs, one.marks) for one in candidates]


def test_signs_and_marks_are_the_same_in_a_domain_with_other_names() -> None:
    for text, other in zip(utterances("kitchen"), utterances("ward"), strict=True):
        here, there = found(text, moment("kitchen")), found(other, moment("ward"))
        assert nameless(here) == nameless(there), text
        assert [one.fields for one in here] != [one.fields for one in there]


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_sign_contains_a_name(domain: str) -> None:
    names = {*DOMAINS[domain], "Morning Round", "Evening Round", "user", "p1", "s1", "s2", "s3"}
    signs = {
        sign
        for text in utterances(domain)
        for one in found(text, moment(domain, offered=("Evening Round",)))
        for sign in one.signs
    }
    assert len(signs) > 20
    assert not [(sign, name) for sign in signs for name in names if name in sign.split()]


def test_of_more_than_the_limit_the_first_are_scored() -> None:
    now = moment("garden")
    things = tuple(TalkObject(f"bed {number}", (), ("Item",)) for number in range(40))
    tasks = tuple(TalkTask(verb, (f"{verb} <item>",), {"item": "Item"}) for verb in "abcdefgh")
    big = replace(now, objects=things, tasks=tasks)
    text = "a b c d e f g h " + " ".join(thing.name for thing in things[:20])
    said = found(text, big)
    assert len(said) == LIMIT
    assert [act_of(one) for one in said[:2]] == [("accept", "p1"), ("decline", "p1")]
    assert len(found(" ".join(text.split()[:5]), big)) < LIMIT


def test_the_candidates_of_an_utterance_are_always_in_the_same_order() -> None:
    text = "Rover, water the roses, then mow the lawn, both of them"
    assert nameless(found(text, two_proposals())) == nameless(found(text, two_proposals()))


def test_a_subtask_whose_words_are_no_task_is_a_candidate_like_others() -> None:
    now = moment("garden")
    odd = TalkSubtask("s9", "polish the floor", "running", "user")
    now = replace(now, subtasks=(*now.subtasks, odd))
    assert acts("bla bla", now, "done")[-1] == ("done", "s9")
