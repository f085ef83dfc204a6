"""Bad answers of a model, as they were tried by hand: none of them changes anything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.systems.mosaic.adversary.adversary import Bench
from treec.ask.transport import Answer, Request, TransportError
from treec.files.library import load_library
from treec.files.view import View
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.situation import DecisionResult

ROOT = Path(__file__).parents[3]
SALAD = (
    "get pepper",
    "get ranch sauce",
    "prepare lettuce",
    "pour pepper into bowl",
    "pour ranch sauce into bowl",
    "put lettuce into bowl",
    "stir bowl",
    "put ranch sauce away",
)
AGENTS = ["R1", "R2", "user"]
SAUCE = {"task": "get", "args": {"item": "ranch sauce"}}
PROPOSALS = [
    {"id": "p1", "agent": "R2", "subtask": "get pepper"},
    {"id": "p2", "agent": "user", "subtask": "prepare lettuce"},
]


@lru_cache(maxsize=1)
def view() -> View:
    library = load_library(ROOT)
    return View(library, library.find("system", "mosaic"))


def decide(node: str, given: Mapping[str, Any], answer: Mapping[str, Any]) -> DecisionResult:
    """What the node makes of this answer, asked once."""
    entry = view().find("action", node) or view().find("reading", node)
    assert entry is not None
    case = DecisionCase("bad", "", "bad", view(), entry, given=given)
    return asyncio.run(case.situation({}).expected(answer))


def modify(acts: list[dict[str, Any]], *actions: dict[str, Any], words: str = "") -> DecisionResult:
    given = {
        "subtasks": list(SALAD),
        "agents": AGENTS,
        "proposals": PROPOSALS,
        "acts": acts,
        "user_input": words,
    }
    return decide("Modify_Subtask", given, {"reasoning": "", "actions": list(actions)})


def assign(agent: str, *subtasks: str, because: str | None, **more: object) -> dict[str, Any]:
    return {"assign": {"agent": agent, "subtasks": list(subtasks), "because": because, **more}}


def refusal(result: DecisionResult) -> str:
    assert not result.accepted, result
    (attempt,) = result.attempts
    return str(attempt.verdict)


REQUEST = [{"id": "u1.1", "kind": "request", "quote": "get the ranch sauce", **SAUCE}]
YES = [{"id": "u1.1", "kind": "accept", "quote": "yes", "proposals": ["p1"]}]
ALL_YES = [{"id": "u1.1", "kind": "accept", "quote": "yes", "proposals": ["p1", "p2"]}]
DONE = [{"id": "u1.1", "kind": "done", "quote": "lettuce", "subtasks": ["prepare lettuce"]}]
DROP = [{"id": "u1.1", "kind": "drop", "quote": "ranch", "subtasks": ["get ranch sauce"]}]
STOP = [{"id": "u1.1", "kind": "stop", "quote": "stop", "agent": None}]
RESUME = [{"id": "u1.1", "kind": "resume", "quote": "go on", "agent": None}]


def test_a_request_carries_no_other_job() -> None:
    jobs = ("get ranch sauce", "get pepper", "put ranch sauce away")
    assert "u1.1 asks for 'get the ranch sauce'" in refusal(
        modify(REQUEST, assign("R2", *jobs, because="u1.1"))
    )
    for other in ("get pepper", "put ranch sauce away"):
        refusal(modify(REQUEST, assign("R2", other, because="u1.1")))
    assert modify(REQUEST, assign("R2", "get ranch sauce", because="u1.1")).accepted


def test_a_request_that_names_an_agent_is_for_that_agent() -> None:
    acts = [{**REQUEST[0], "agent": "user"}]
    assert "for user, not R2" in refusal(
        modify(acts, assign("R2", "get ranch sauce", because="u1.1"))
    )


def test_a_request_comes_first_only_if_it_says_so() -> None:
    call = assign("R2", "get ranch sauce", because="u1.1", first=True)
    assert "first" in refusal(modify(REQUEST, call))
    assert modify([{**REQUEST[0], "first": True}], call).accepted


def test_a_yes_is_for_the_agent_and_the_subtask_that_were_proposed() -> None:
    for call in (
        assign("R1", "stir bowl", because="p1"),
        assign("R2", "get ranch sauce", because="p1"),
        assign("user", "get pepper", because="p1"),
        assign("R2", "get pepper", "put ranch sauce away", because="p1"),
        assign("user", "prepare lettuce", because="u1.1"),
    ):
        refusal(modify(YES, call))


@pytest.mark.parametrize("because", ["p1", "u1.1"])
def test_a_yes_is_referred_to_by_its_proposal_or_its_act(because: str) -> None:
    assert modify(YES, assign("R2", "get pepper", because=because)).accepted


def test_a_yes_to_two_proposals_is_used_twice_and_no_more() -> None:
    both = (
        assign("R2", "get pepper", because="u1.1"),
        assign("user", "prepare lettuce", because="p2"),
    )
    assert modify(ALL_YES, *both).accepted
    again = assign("R2", "get pepper", because="p1")
    assert "used" in refusal(modify(ALL_YES, *both, again))


def test_a_reason_is_used_up_by_the_action_that_it_allows() -> None:
    twice = assign("R2", "get ranch sauce", because="u1.1")
    assert "used" in refusal(modify(REQUEST, twice, twice))


def test_what_nobody_agreed_to_is_no_reason() -> None:
    assert "p2" in refusal(modify(YES, assign("user", "prepare lettuce", because="p2")))


def test_a_report_marks_what_it_names() -> None:
    assert "prepare lettuce" in refusal(
        modify(DONE, {"mark_complete": {"subtasks": list(SALAD), "because": "u1.1"}})
    )
    good = {"mark_complete": {"subtasks": ["prepare lettuce"], "because": "u1.1"}}
    assert modify(DONE, good).accepted


def test_what_is_dropped_is_what_was_named() -> None:
    sauce = [name for name in SALAD if "ranch sauce" in name]
    refusal(modify(DROP, {"drop": {"subtasks": [*sauce, "stir bowl"], "because": "u1.1"}}))
    good = {"drop": {"subtasks": ["get ranch sauce"], "because": "u1.1"}}
    assert modify(DROP, good).accepted


@pytest.mark.parametrize(
    ("acts", "action"),
    [
        (STOP, assign("R2", "get pepper", because="u1.1")),
        (STOP, {"drop": {"subtasks": ["get pepper"], "because": "u1.1"}}),
        (RESUME, assign("R2", "get pepper", because="u1.1")),
        (DROP, assign("R2", "get ranch sauce", because="u1.1")),
        (DONE, {"drop": {"subtasks": ["prepare lettuce"], "because": "u1.1"}}),
        (REQUEST, {"drop": {"subtasks": ["get ranch sauce"], "because": "u1.1"}}),
        (YES, {"drop": {"subtasks": ["get pepper"], "because": "p1"}}),
        (REQUEST, {"resume": {"agent": "R2", "because": "u1.1"}}),
        (REQUEST, {"mark_complete": {"subtasks": ["get ranch sauce"], "because": "u1.1"}}),
    ],
)
def test_a_reason_of_another_kind_allows_nothing(
    acts: list[dict[str, Any]], action: dict[str, Any]
) -> None:
    refusal(modify(acts, action))


# Reading: an act names what its quote says


def read(words: str, *acts: dict[str, Any]) -> DecisionResult:
    given = {"user_input": words, "proposals": PROPOSALS, "subtasks": list(SALAD)}
    return decide("Kitchen_Talk", given, {"reasoning": "", "acts": list(acts)})


def act(kind: str, quote: str, **fields: object) -> dict[str, Any]:
    return {"kind": kind, "quote": quote, **fields}


def test_lettuce_is_done_reports_no_other_work() -> None:
    words = "The lettuce is done"
    assert "prepare lettuce" in refusal(read(words, act("done", words, subtasks=list(SALAD))))
    assert read(words, act("done", words, subtasks=["prepare lettuce"])).accepted


def test_forget_the_ranch_drops_what_has_ranch_in_it() -> None:
    words = "Forget the ranch sauce"
    refusal(read(words, act("drop", words, subtasks=["get ranch sauce", "stir bowl"])))
    assert read(words, act("drop", words, subtasks=["get ranch sauce"])).accepted


def test_one_request_carries_no_other_requests() -> None:
    words = "Get the ranch sauce"
    sauce = act("request", words, agent=None, first=False, **SAUCE)
    pepper = {**sauce, "args": {"item": "pepper"}}
    assert "pepper" in refusal(read(words, sauce, pepper))
    assert read(words, sauce).accepted


def test_a_yes_to_one_is_no_yes_to_the_other() -> None:
    words = "R2 yes"
    assert "p2" in refusal(read(words, act("accept", words, proposals=["p1", "p2"])))
    assert read(words, act("accept", words, proposals=["p1"])).accepted


def test_a_parsers_no_keeps_a_models_yes_of_the_same_words_out() -> None:
    words = "No, not the pepper"
    result = read(words, act("accept", words, proposals=["p1"]))
    acts = result.decision.get("acts", [])
    assert not [a for a in acts if a["kind"] == "accept" and "p1" in a["proposals"]], result


def test_the_reader_sees_the_proposals_that_the_parser_heard_declined() -> None:
    bench, prompts = Bench(seed=1), []

    async def ask(request: Request) -> Answer:
        if request.kind == "reading":
            prompts.append(request.messages[-1].content)
        raise TransportError("no answer")

    (first, *_) = bench.run.team.now.open
    bench.adversary.ask = ask  # type: ignore[method-assign]
    bench.say("No")
    assert f"{first.id}: {first.agent} would do" in prompts[0]
    assert not bench.run.team.now.open
