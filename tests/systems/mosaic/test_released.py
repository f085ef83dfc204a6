"""Work is taken back from a robot by words, without being dropped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.systems.mosaic.table import Table
from tests.systems.mosaic.test_bad_answers import AGENTS, SALAD, act, decide, read, refusal
from treec_testing.decisions.situation import DecisionResult

HAS_PEPPER = ("Let's make Caesar salad.", "Yes, R2 can get the pepper.")


def test_work_is_taken_over_by_the_speaker_and_the_robot_is_free() -> None:
    table = Table(*HAS_PEPPER)
    assert table.status("get pepper") == "running"
    said = table.say("R2, leave the pepper, I'll do it.")
    assert said.startswith("Yours now: get the pepper. Tell me when it is done.")
    own = table.run.team.now.agents["user"].queue
    assert [subtask.id for subtask in own] == ["get pepper"]
    assert table.run.team.now.agents["R2"].status == "Idle"
    assert table.happened("skill.ended")[-1]["cancelled"]
    table.say("The pepper is done.")
    assert table.status("get pepper") == "done"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words",
    [
        "Give the pepper back.",
        "Take the pepper away from R2.",
        "R2, leave the pepper to somebody else.",
        "Leave the pepper, R2.",
        "Leave that to someone else, R2",
        "R2, could you leave the pepper to somebody else?",
    ],
)
def test_work_is_left_for_somebody_else(words: str) -> None:
    table = Table(*HAS_PEPPER)
    said = table.say(words)
    assert said.startswith("For somebody else now: get the pepper.")
    assert table.status("get pepper") == "waiting"
    assert "subtask.dropped" not in {record.kind for record in table.journal.records}
    assert not [p for p in table.proposed() if "R2" in p and "pepper" in p]


@pytest.mark.parametrize(
    "words",
    [
        "I'll get the pepper myself",
        "Don't bother with the pepper, R2, I'll get it",
        "No need to get the pepper, R2, I'll do it",
        "Forget the pepper, R2, I'm going to fetch it",
    ],
)
def test_who_takes_a_robots_work_has_it(words: str) -> None:
    table = Table(*HAS_PEPPER)
    said = table.say(words)
    assert said.startswith("Yours now: get the pepper. Tell me when it is done.")
    assert "already at it" not in said
    users = table.run.team.now.agents["user"].queue
    assert [subtask.id for subtask in users] == ["get pepper"]
    assert table.happened("skill.ended")[-1]["cancelled"]
    assert not table.happened("subtask.dropped")


def test_who_does_it_is_said_after_what_is_done() -> None:
    table = Table("Let's make Caesar salad.")
    said = table.say("I'll get the pepper, I'll do that myself")
    assert said.startswith("Great, then you get the pepper.")
    table = Table(*HAS_PEPPER)
    said = table.say("R2, leave the pepper, I'll do it. And polish the chandelier.")
    assert said.startswith("I did not get: polish the chandelier.")


def test_who_asks_another_robot_is_told_who_is_at_it() -> None:
    table = Table(*HAS_PEPPER)
    assert table.say("R1, get the pepper").startswith("R2 is already at it.")
    assert table.status("get pepper") == "running"


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "words",
    [
        "If R2 is tired, leave the pepper to someone else",
        "My mother said leave the pepper to someone else, R2",
        "Don't leave the pepper to someone else, R2",
        "Never leave the pepper to someone else, R2",
        "I would never take the pepper away from R2",
        "Yesterday somebody said: R2, leave the pepper, I'll do it",
    ],
)
def test_talk_of_taking_work_back_takes_none_back(words: str) -> None:
    table = Table(*HAS_PEPPER)
    table.say(words)
    assert table.status("get pepper") == "running"


def test_what_nobody_is_at_stays_as_it_is() -> None:
    table = Table(*HAS_PEPPER)
    table.say("R2, leave the ranch sauce, I'll get it.")
    assert not table.happened("subtask.released")


# With a model

RELEASE = {"id": "u1.1", "kind": "release", "quote": "leave it", "subtasks": ["get pepper"]}


def modify(named: str | None, **call: Any) -> DecisionResult:
    given = {
        "subtasks": [{"id": id, "agent": "R2", "status": "running"} for id in SALAD[:1]],
        "agents": AGENTS,
        "acts": [{**RELEASE, "to": named}],
        "user_input": "R2, leave it",
    }
    answer = {"take_back": {"subtasks": ["get pepper"], "because": "u1.1", **call}}
    return decide("Modify_Subtask", given, {"reasoning": "", "actions": [answer]})


def test_a_model_takes_back_what_the_user_named_for_whom_they_named() -> None:
    assert modify("user", to="user").accepted
    assert modify(None).accepted
    assert "u1.1 is for user, not R1" in refusal(modify("user", to="R1"))
    assert "does not say who does it instead" in refusal(modify(None, to="R1"))


def test_a_model_takes_nothing_back_without_a_reason() -> None:
    broken = decide(
        "Modify_Subtask",
        {
            "subtasks": [{"id": "get pepper", "agent": "R2", "status": "running"}],
            "agents": AGENTS,
            "acts": [{"id": "u1.1", "kind": "remark", "quote": "nice"}],
            "user_input": "nice",
        },
        {"reasoning": "", "actions": [{"take_back": {"subtasks": ["get pepper"]}}]},
    )
    assert "rests on nothing the user asked for" in refusal(broken)


def test_a_request_takes_work_back_for_whom_it_names_and_nobody_else() -> None:
    given = {
        "subtasks": [{"id": id, "agent": "R2", "status": "running"} for id in SALAD[:2]],
        "agents": AGENTS,
        "user_input": "I'll get the pepper",
    }
    ask = {"id": "u1.1", "kind": "request", "agent": "user", "task": "get", "first": False}
    given["acts"] = [{**ask, "args": {"item": "pepper"}, "quote": "I'll get the pepper"}]

    def taken(**call: Any) -> DecisionResult:
        answer = {"take_back": {"because": "u1.1", "subtasks": ["get pepper"], **call}}
        return decide("Modify_Subtask", given, {"reasoning": "", "actions": [answer]})

    assert taken(to="user").accepted
    assert "u1.1 is for user, not R1" in refusal(taken(to="R1"))
    assert "u1.1 gives it to user: `to` is missing." in refusal(taken())
    another = refusal(taken(to="user", subtasks=[SALAD[1]]))
    assert "u1.1 asks for 'get the pepper' and for nothing else." in another


@pytest.mark.parametrize(
    "words",
    ["R2, leave the pepper to somebody else", "Okay, leave the pepper to somebody else"],
)
def test_a_model_reads_no_more_than_was_said(words: str) -> None:
    assert read(words, act("release", words, subtasks=["get pepper"], to=None)).accepted
    refusal(read(words, act("release", words, subtasks=["get ranch sauce"], to=None)))


def test_what_a_robot_leaves_to_one_that_cannot_do_it_stays_where_it_is() -> None:
    table = Table(*HAS_PEPPER)
    assert table.say("R2, leave the pepper, R1 will get it") == (
        'R1 cannot get the pepper, so R2 stays at it. Say "stop R2" if it should not.'
    )
    assert table.status("get pepper") == "running"
    said = table.say("R2, leave the pepper, I will get it")
    assert said.startswith("Yours now: get the pepper.")
    assert "somebody else" not in said
