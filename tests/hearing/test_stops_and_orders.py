"""Stops beside going on or of named work, reminders, and work taken over in two sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hearing.moments import DOMAINS, everyday, everyday_and_network, moment
from treec.team.language import shipped_language, talk_agent
from treec.team.talk import TalkContext, TalkObject, TalkProposal, TalkSubtask, TalkTask
from treec_hearing.ear import Ear

EARS = {"templates": everyday, "network": everyday_and_network}
GET_PEPPER = {"kind": "request", "task": "get", "args": {"item": "pepper"}, "first": False}


@pytest.fixture(params=EARS)
def ear(request: pytest.FixtureRequest) -> Ear:
    return EARS[request.param]()


def two_robots() -> TalkContext:
    """R2 chops the onions, R1 the tomatoes, the person the pepper, that nobody has fetched."""
    here = moment("kitchen", proposals=False)
    return replace(
        here,
        agents=(*here.agents, talk_agent(shipped_language(), "R1", ["the arm"])),
        subtasks=(*here.subtasks, TalkSubtask("s4", "chop tomatoes", "running", "R1")),
        objects=(*here.objects, TalkObject("tomatoes", (), ("Item",))),
    )


def heard(ear: Ear, text: str) -> list[dict[str, object]]:
    acts = ear(text, two_robots())
    return [{name: it for name, it in act.items() if name != "quote"} for act in acts]


@pytest.mark.parametrize(
    ("text", "robot"),
    [
        ("stop r1 but r2 keep going", "R1"),
        ("R2, stop. R1, carry on", "R2"),
        ("stop R2, R1 can continue", "R2"),
        ("R1 keep doing what you are doing, R2 stop", "R2"),
    ],
)
def test_who_is_to_go_on_is_not_stopped(ear: Ear, text: str, robot: str) -> None:
    assert heard(ear, text) == [{"kind": "stop", "agent": robot}]


@pytest.mark.parametrize(
    ("text", "robot"),
    [
        ("all robots stop, except R2", "R1"),
        ("stop, all but the arm", "R2"),
        ("Everyone apart from R1, freeze!", "R2"),
    ],
)
def test_who_is_left_out_of_a_stop_is_not_stopped(ear: Ear, text: str, robot: str) -> None:
    assert heard(ear, text) == [{"kind": "stop", "agent": robot}]


@pytest.mark.parametrize("text", ["R1, do not stop now", "please don't stop R2", "Don't you halt!"])
def test_not_to_stop_is_no_stop(ear: Ear, text: str) -> None:
    assert heard(ear, text) == [{"kind": "remark"}]


def test_to_go_on_where_nobody_was_stopped_stops_nobody(ear: Ear) -> None:
    assert heard(ear, "Please keep going, everyone.") == [{"kind": "remark"}]


@pytest.mark.parametrize(
    ("text", "robot"),
    [
        ("both of you robots freeze till I say so", None),
        ("everyone freeze until I am back", None),
        ("you two, stop what you are doing until I say go", None),
        ("R2 freeze until I say so", "R2"),
        ("all of you, do not move until I have swept the floor", None),
        ("Woah, stay where you are!", None),
    ],
)
def test_a_stop_may_say_how_long_it_lasts(ear: Ear, text: str, robot: str | None) -> None:
    assert heard(ear, text) == [{"kind": "stop", "agent": robot}]


@pytest.mark.parametrize(
    "text", ["keep chopping until I say stop", "do not stop until I say so", "stop if I say so"]
)
def test_a_stop_on_a_condition_is_none_yet(ear: Ear, text: str) -> None:
    assert "stop" not in [act["kind"] for act in heard(ear, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Please stop chopping the onions",
        "R2, quit chopping those onions",
        "stop chopping up the onions",
        "stop getting those onions",
    ],
)
def test_work_that_shall_stop_stops_who_is_at_it(ear: Ear, text: str) -> None:
    assert heard(ear, text) == [{"kind": "stop", "agent": "R2"}]


def test_work_that_shall_stop_and_that_nobody_is_at_is_dropped(ear: Ear) -> None:
    assert heard(ear, "Please stop getting the pepper") == [{"kind": "drop", "subtasks": ["s1"]}]


def test_work_of_the_person_stops_no_robot(ear: Ear) -> None:
    assert "stop" not in [act["kind"] for act in heard(ear, "I will stop chopping the pepper")]


@pytest.mark.parametrize(
    "text",
    [
        "R2, don't forget the pepper",
        "R2 remember to get the pepper",
        "r2 be sure to get the pepper",
    ],
)
def test_a_reminder_is_an_order(ear: Ear, text: str) -> None:
    assert heard(ear, text) == [{**GET_PEPPER, "agent": "R2"}]


def test_a_reminder_of_a_thing_that_no_work_is_with_asks_for_it(ear: Ear) -> None:
    here = two_robots()
    acts = ear("R2, don't forget the pepper", replace(here, subtasks=()))
    assert [(act["kind"], act.get("task")) for act in acts] == [("request", "get")]


@pytest.mark.parametrize(
    "text",
    ["I never forget the pepper", "did you forget the pepper", "don't forget, pepper is hot"],
)
def test_other_words_about_forgetting_are_no_order(ear: Ear, text: str) -> None:
    assert "request" not in [act["kind"] for act in heard(ear, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Leave the pepper. I'll get it.",
        "Never mind the pepper! Let me get it.",
        "Don't worry about the pepper. I am getting it.",
        "Forget the pepper, R2. I've got it covered, I'll go get it.",
    ],
)
def test_what_a_pronoun_means_may_be_named_a_sentence_before(ear: Ear, text: str) -> None:
    here = two_robots()
    nobody_chops_it = tuple(one for one in here.subtasks if one.id != "s3")
    (act,) = ear(text, replace(here, subtasks=nobody_chops_it))
    del act["quote"]
    assert act == {**GET_PEPPER, "agent": "user"}


def test_sentences_are_read_as_one_only_if_that_explains_all(ear: Ear) -> None:
    assert heard(ear, "We said never. Stop R2.") == [{"kind": "stop", "agent": "R2"}]


def test_a_no_with_work_that_is_taken_over_is_to_that_work(ear: Ear) -> None:
    here = two_robots()
    proposals = (
        TalkProposal("p1", "R2", "s1", "get pepper"),
        TalkProposal("p2", "R1", "s4", "chop tomatoes"),
    )
    found = ear("No, I'll get the pepper", replace(here, proposals=proposals))
    assert [(act["kind"], act.get("proposals")) for act in found] == [
        ("decline", ["p1"]),
        ("request", None),
    ]


@pytest.mark.parametrize(
    "text", ["R2, give the pepper a quick chop", "Can R2 give that pepper a chop?"]
)
def test_a_verb_may_stand_behind_its_thing_as_a_noun(ear: Ear, text: str) -> None:
    orders = [act for act in heard(ear, text) if act["kind"] == "request"]
    assert [(act["task"], act["args"]) for act in orders] == [("chop", {"item": "pepper"})]


def test_for_whom_something_is_got_may_stand_behind_the_verb(ear: Ear) -> None:
    assert heard(ear, "R2, get us the pepper") == [{**GET_PEPPER, "agent": "R2"}]
    assert heard(ear, "before anything else R2 needs to get me pepper") == [
        {**GET_PEPPER, "agent": "R2", "first": True}
    ]


def shelves() -> TalkContext:
    """The two robots, with a task of no thing and one of a numbered or lettered thing."""
    here = two_robots()
    names = ("shelf A", "shelf B", "crate 12", "crate 17", "crate 31")
    return replace(
        here,
        tasks=(
            TalkTask("charge", ("charge",), {}),
            TalkTask("scan", ("scan <item>",), {"item": "Item"}),
        ),
        objects=tuple(TalkObject(name, (), ("Item",)) for name in names),
        subtasks=(),
    )


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Everyone, charge", ["R2", "R1"]),
        ("R1 and R2, charge", ["R1", "R2"]),
        ("tell all of you to charge", ["R2", "R1"]),
        ("charge please, both of you", ["R2", "R1"]),
        ("charge, R1", ["R1"]),
        ("everyone but R1, charge", ["R2"]),
        ("all of you except R2, charge", ["R1"]),
        ("everyone but R1, scan crate 12", ["R2"]),
        ("someone should charge", [None]),
    ],
)
def test_an_order_to_several_is_one_to_each(text: str, agents: list[str | None]) -> None:
    acts = everyday()(text, shelves())
    assert [act["agent"] for act in acts if act["kind"] == "request"] == agents


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("R1, scan crates 12 and 31", ["crate 12", "crate 31"]),
        ("scan crates 12, 17 and 31", ["crate 12", "crate 17", "crate 31"]),
        ("scan shelf A and B", ["shelf A", "shelf B"]),
        ("scan shelf B", ["shelf B"]),
        ("scan the crate 12 and then the crate 17", ["crate 12", "crate 17"]),
        ("scan crate 12 or crate 17", []),
        ("everyone, scan crate 12", ["crate 12"]),
    ],
)
def test_an_order_of_several_things_is_one_for_each(text: str, things: list[str]) -> None:
    acts = everyday()(text, shelves())
    args = [act["args"] for act in acts if act["kind"] == "request"]
    assert args == [{"item": thing} for thing in things]


@pytest.mark.parametrize(
    "text",
    [
        "Okay but not R2",
        "Yes, all but R2",
        "okay except R2",
        "Okay, but R2 should not",
        "Everyone except R2 may go ahead",
    ],
)
def test_a_yes_that_leaves_somebody_out_is_a_yes_to_the_others(text: str) -> None:
    proposals = (
        TalkProposal("p1", "R1", "s1", "scan crate 12"),
        TalkProposal("p2", "R2", "s2", "scan crate 17"),
    )
    acts = everyday()(text, replace(shelves(), proposals=proposals))
    assert {act["kind"]: act["proposals"] for act in acts} == {"accept": ["p1"], "decline": ["p2"]}


@pytest.mark.parametrize("text", ["stop, but only R2", "R2, stop, only R2", "stop, just R2"])
def test_a_yes_to_who_is_stopped_in_the_same_breath_is_none(ear: Ear, text: str) -> None:
    here = replace(two_robots(), proposals=(TalkProposal("p1", "R2", "s1", "get pepper"),))
    assert [(act["kind"], act.get("agent")) for act in ear(text, here)] == [("stop", "R2")]


@pytest.mark.parametrize(
    "text",
    [
        "get everything but the pepper",
        "get all but the pepper",
        "get everything except the tomatoes and the pepper",
        "once the tomatoes are chopped, R2 should get the pepper",
        "as soon as the tomatoes are chopped, R2 should get the pepper",
        "after the tomatoes are chopped, get the pepper",
    ],
)
def test_what_is_left_out_or_waits_is_neither_ordered_nor_done(ear: Ear, text: str) -> None:
    assert not [act for act in ear(text, two_robots()) if act["kind"] in ("request", "done")]


@pytest.mark.parametrize(
    "text",
    ["cancel everything but the tomatoes", "all but the tomatoes", "all done but the tomatoes"],
)
def test_what_is_left_out_is_neither_dropped_nor_done(ear: Ear, text: str) -> None:
    acts = heard(ear, text)
    assert not [act for act in acts if act.get("subtasks") == ["s4"]], acts


@pytest.mark.parametrize(
    ("text", "is_order"),
    [
        ("do not let R2 get the pepper", False),
        ("never let the arm chop the pepper", False),
        ("I won't let R2 get the pepper", False),
        ("R2, don't forget to get the pepper", True),
        ("not R1, R2 get the pepper", True),
        ("I can't get the pepper, R2 get it", True),
    ],
)
def test_what_is_not_to_be_let_happen_is_not_ordered(text: str, is_order: bool) -> None:
    acts = everyday_and_network()(text, two_robots())
    assert any(act["kind"] == "request" for act in acts) == is_order


def test_a_report_may_begin_with_when_it_was_done(ear: Ear) -> None:
    acts = heard(ear, "the tomatoes are chopped")
    assert acts == [{"kind": "done", "subtasks": ["s4"]}]


@pytest.mark.parametrize(
    "text",
    [
        "okay, but R1 instead",
        "yes, but with R1",
        "sure, just not R2",
        "yes, only not now",
        "yes, but R2 must not do it",
        "yes, after lunch",
        "yes, the tomatoes",
        "okay, but only the tomatoes",
    ],
)
def test_a_yes_to_something_else_or_not_now_is_none(ear: Ear, text: str) -> None:
    here = replace(two_robots(), proposals=(TalkProposal("p1", "R2", "s1", "get pepper"),))
    assert "accept" not in [act["kind"] for act in ear(text, here)]


def test_a_thing_behind_a_comma_is_not_lost(ear: Ear) -> None:
    found = ear.listen("R2, get the pepper, maybe the tomatoes", two_robots())
    assert [found.text[first:last] for first, last in found.left_over][-1] == "maybe the tomatoes"


INSTEAD = (
    "Can {} do it instead?",
    "Can {} maybe do it instead?",
    "{} can do that instead",
    "No, let {} do it instead",
)


@pytest.mark.parametrize("text", INSTEAD)
@pytest.mark.parametrize("domain", DOMAINS)
def test_who_is_to_do_what_is_proposed_instead_keeps_the_work_at_hand(
    domain: str, text: str
) -> None:
    """It was heard as an order to drop what the robot was at."""
    robot, one, thing, _, _ = DOMAINS[domain]
    here = replace(moment(domain), proposals=(TalkProposal("p1", "user", "s1", f"{one} {thing}"),))
    (act,) = everyday_and_network()(text.format(robot), here)
    assert (act["kind"], act["agent"], act["task"]) == ("request", robot, one)
