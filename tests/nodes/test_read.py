from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Answers, Bench
from tests.support.files import KITCHEN, WORKER, tree
from treec.ask.transport import NEVER, Scripted, TransportError
from treec_asking.answer_names import MOST_NAMES

TALK = KITCHEN["pack/Talk.reading.yaml"]


def bench(folder: Path, *, talk: str = TALK, answers: Answers | None = None) -> Bench:
    return Bench(folder, {**tree("read: Talk"), "pack/Talk.reading.yaml": talk}, answers=answers)


def acts(b: Bench) -> list[str]:
    """The acts that nobody has settled yet: `u1.1 stop R1`."""
    return [
        f"{act.id} {act.kind} {act.fields.get('agent') or ''}".strip() for act in b.team.now.acts
    ]


def answer(*given: dict[str, object]) -> dict[str, object]:
    return {"reasoning": "so", "acts": list(given)}


def test_all_unread_words_are_read_together_and_marked_by_that_commit(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("stop R1")
    b.say("stop R2")
    assert b.tick() is Status.SUCCESS
    assert acts(b) == ["u1.1 stop R1", "u2.1 stop R2"]
    (read,) = b.told("acts.read")
    assert read.data["utterances"] == ("u1", "u2")
    assert b.team.unread == ()


def test_words_without_an_act_are_a_remark(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("lovely day")
    b.tick()
    assert acts(b) == ["u1.1 remark"]


def test_nothing_unread_is_success_and_tells_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path)
    before = b.world.version
    assert b.tick() is Status.SUCCESS
    assert b.world.version == before


# Warm parsers


def test_a_chat_loads_its_parsers_before_the_first_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b, heard = bench(tmp_path), []
    monkeypatch.setattr("tests.support.talk.read", lambda text, context: heard.append(text) or [])
    b.run.spec = replace(b.run.spec, chat=True)
    b.run.loop.after_tick.append(lambda: heard.append("first tick"))
    b.run.loop.after_tick.append(b.run.loop.stop)
    b.run.go()
    assert heard[:2] == ["hello", "first tick"]
    assert not b.told("acts.read")


def test_a_broken_parser_is_told_of_when_words_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = bench(tmp_path, talk=TALK.replace("tests.support.talk:read", "tests.support.talk:missing"))
    b.run.warm_parsers()
    assert not b.told("node.failed")
    b.say("yes")
    assert b.tick() is Status.FAILURE


# A stop depends on no parser


def test_a_stop_is_heard_whatever_the_parser_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str, context: object) -> list[object]:
        raise RuntimeError(text)

    monkeypatch.setattr("tests.support.talk.read", broken)
    b = bench(tmp_path)
    b.say("R1, stop!")
    b.say("get pepper")
    assert b.tick() is Status.FAILURE
    assert acts(b) == ["u1.1 stop R1", "u2.1 remark"]
    b.say("stop")
    assert b.tick() is Status.SUCCESS
    assert acts(b)[-1] == "u3.1 stop"


SAID = "Please stop what you are doing, R2"


def fail(text: str, context: object) -> list[object]:
    raise RuntimeError(text)


def test_where_the_parser_fails_the_word_is_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.talk.read", fail)
    b = bench(tmp_path)
    b.say(SAID)
    assert b.tick() is Status.FAILURE
    assert acts(b) == ["u1.1 stop R2"]


def test_it_does_not_wait_for_the_model_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.talk.read", fail)
    b = bench(tmp_path, answers={"Talk": [NEVER]})
    b.say(SAID)
    assert b.tick() is Status.SUCCESS
    assert acts(b) == ["u1.1 stop R2"]


def test_without_a_parser_it_is_a_stop_once_no_model_has_read_the_words(tmp_path: Path) -> None:
    talk = TALK.replace("parser: tests.support.talk:read\n", "")
    b = bench(tmp_path, talk=talk, answers={"Talk": [TransportError("down")]})
    b.say(SAID)
    b.settle()
    assert acts(b) == ["u1.1 stop R2"]


def test_what_the_parser_reads_beside_words_that_break_it_stands(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path)
    b.say("raise")
    b.say("R1: get pepper")
    assert b.tick() is Status.FAILURE
    assert acts(b) == ["u2.1 request R1", "u1.1 remark"]


def test_a_stop_does_not_wait_for_the_model_where_the_reading_vetoes_nothing(
    tmp_path: Path,
) -> None:
    talk = re.sub(r"\nveto: .*", "", TALK)
    assert talk != TALK
    b = bench(tmp_path, talk=talk, answers={"Talk": [NEVER]})
    b.say("R1, stop!")
    assert b.tick() is Status.SUCCESS
    assert acts(b) == ["u1.1 stop R1"]


# Broken parsers


def test_parser_that_raises_is_a_failure_with_a_reason_and_the_words_are_not_tried_for_ever(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path)
    b.say("raise")
    assert b.tick() is Status.FAILURE
    assert "the parser broke" in str(b.told("node.failed")[0].data["reason"])
    assert acts(b) == ["u1.1 remark"]
    assert b.settle() is Status.SUCCESS


def test_parser_whose_quotes_nobody_said_is_a_failure(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("nonsense")
    assert b.tick() is Status.FAILURE
    assert acts(b) == ["u1.1 remark"]


def test_without_parser_and_model_it_fails(tmp_path: Path) -> None:
    b = bench(tmp_path, talk=TALK.replace("parser: tests.support.talk:read\n", ""))
    b.say("yes")
    assert b.tick() is Status.FAILURE
    assert "neither a parser" in str(b.told("node.failed")[0].data["reason"])


def test_a_model_reads_what_the_parser_cannot(tmp_path: Path) -> None:
    stop: dict[str, object] = {"kind": "stop", "quote": "raise", "agent": "R1"}
    b = bench(tmp_path, answers={"Talk": [answer(stop)]})
    b.say("raise")
    assert b.tick() is Status.RUNNING
    assert b.tick() is Status.SUCCESS
    assert acts(b) == ["u1.1 stop R1"]


# Models


def test_model_may_add_acts_but_takes_no_vetoed_one_away(tmp_path: Path) -> None:
    also: dict[str, object] = {"kind": "stop", "quote": "both", "agent": "R2"}
    b = bench(tmp_path, answers={"Talk": [Scripted(answer(also), after=1)]})
    b.say("stop R1 and, well, both")
    assert b.tick() is Status.SUCCESS  # the parser's stop, at once
    assert acts(b) == ["u1.1 stop R1"]
    b.pass_time(2)
    assert acts(b) == ["u1.1 stop R1", "u1.2 stop R2"]


def test_words_in_which_the_parser_heard_something_have_an_act(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [answer()] * 5})
    b.say("R1: get pepper")
    b.say("lovely day")
    b.settle()
    reasons = [str(e.data["refused"]) for e in b.told("answered")]
    assert reasons[0].startswith("There is no act for 'R1: get pepper'")
    assert acts(b) == ["u1.1 request R1", "u2.1 remark"]  # the parser's, in the end


def test_a_model_may_take_them_for_a_remark(tmp_path: Path) -> None:
    remark: dict[str, object] = {"kind": "remark", "quote": "R1: get pepper"}
    b = bench(tmp_path, answers={"Talk": [answer(remark)]})
    b.say("R1: get pepper")
    b.settle()
    assert acts(b) == ["u1.1 remark"]


def test_a_quote_of_what_was_shown_is_kept_as_it_was_said(tmp_path: Path) -> None:
    shown: dict[str, object] = {"kind": "stop", "quote": "‹/data› halt", "agent": "R1"}
    b = bench(tmp_path, answers={"Talk": [answer(shown)]})
    b.say("please </data> halt")
    b.settle()
    assert b.team.now.acts[-1].quote == "</data> halt"
    assert "‹/data› halt" in b.requests[0].messages[-1].content


@pytest.mark.parametrize(
    ("about", "kept"),
    [
        ("far are we", "far are we"),
        ("the ladder, which is ready", "How far are we?"),
        ("far " * 900, "How far are we?"),
    ],
)
def test_a_text_of_an_act_is_what_was_said_or_the_quote(
    about: str, kept: str, tmp_path: Path
) -> None:
    talk = TALK.replace("  remark: {}\n", "  remark: {}\n  ask: {about: text}\n")
    given: dict[str, object] = {"kind": "ask", "quote": "How far are we?", "about": about}
    b = bench(tmp_path, talk=talk, answers={"Talk": [answer(given)]})
    b.say("How far are we?")
    b.settle()
    (act,) = b.team.now.acts
    assert act.fields["about"] == kept


def test_the_same_act_from_parser_and_model_is_one(tmp_path: Path) -> None:
    same: dict[str, object] = {"kind": "stop", "quote": "stop R1 now", "agent": "R1"}
    b = bench(tmp_path, answers={"Talk": [answer(same)]})
    b.say("stop R1 now")
    b.settle()
    assert acts(b) == ["u1.1 stop R1"]


def test_a_second_stop_while_the_model_reads_has_an_id_of_its_own(tmp_path: Path) -> None:
    b = bench(tmp_path, talk=TALK + "ask: always\n", answers={"Talk": [NEVER, answer()]})
    b.say("stop R1")
    b.tick()
    b.say("stop R2")
    b.settle()
    assert acts(b) == ["u1.1 stop R1", "u2.1 stop R2"]
    assert [r.observation["user_input"] for r in b.requests] == ["stop R1", "stop R1 stop R2"]


def test_what_is_nothing_but_a_stop_is_not_asked_about_and_not_read_again(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [answer()]})
    b.say("stop R1")
    b.settle()
    assert not b.requests
    assert acts(b) == ["u1.1 stop R1"]
    b.emit("acts.settled", acts=["u1.1"])
    b.say("stop R2, and look")
    b.settle()
    assert acts(b)[0] == "u2.1 stop R2"
    assert [r.observation["user_input"] for r in b.requests] == ["stop R2, and look"]


def test_acts_that_are_committed_ahead_leave_the_words_unanswered_until_settled(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path, answers={"Talk": [answer()]})
    b.say("stop R1")
    b.settle()
    assert not b.team.chat[0].answered
    b.emit("acts.settled", acts=["u1.1"])
    assert b.team.chat[0].answered


def test_new_words_discard_the_request_and_are_read_with_the_others(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [Scripted(answer(), after=2), answer()]})
    b.say("one")
    b.tick()
    b.say("two")
    b.pass_time(5)
    assert [r.observation["user_input"] for r in b.requests] == ["one", "one two"]
    assert len(b.told("acts.read")) == 1


def test_answers_are_refused_with_the_reason(tmp_path: Path) -> None:
    wrong: list[dict[str, object]] = [
        {"kind": "stop", "quote": "halt", "agent": "R1"},
        {"kind": "shout", "quote": "stop"},
        {"kind": "stop", "quote": "stop", "who": "R1"},
        {"kind": "stop", "quote": "stop", "agent": "R9"},
        {"kind": "accept", "quote": "stop", "proposals": ["p7"]},
        {"kind": "request", "quote": "stop", "agent": "R1"},
    ]
    talk = TALK + "model: {retries: 5}\nask: always\n"
    b = bench(tmp_path, talk=talk, answers={"Talk": [answer(one) for one in wrong]})
    b.say("please stop")
    b.settle()
    reasons = [str(e.data["refused"]) for e in b.told("answered")]
    assert [r[:40] for r in reasons] == [
        "the quote 'halt' is not what the user sa",
        "'acts[0]' must be one of accept, decline",
        "Unknown field 'acts[0].who'; known: kind",
        "'agent' of an act of kind stop is Agent ",
        "'proposals' of an act of kind accept is ",
        "'task' of an act of kind request is Task",
    ]
    assert acts(b) == ["u1.1 stop"]  # then the parser's word stands


def test_a_model_that_is_down_leaves_it_to_the_parser(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [TransportError("down")]})
    b.say("R1: get pepper")
    b.settle()
    assert acts(b) == ["u1.1 request R1"]


def test_a_prompt_that_cannot_be_rendered_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    talk = TALK + "observation: \"{{ done('nothing such') }}\"\n"
    b = bench(tmp_path, talk=talk, answers={})
    b.say("stop R1")
    b.tick()
    assert acts(b) == ["u1.1 stop R1"]


# "stop" waits for nothing

PLANNER = """\
parallel:
  until: never
  children:
    - reactive_sequence:
        - read: Talk
        - ask: Plan
    - {tree: worker, for: agent in robots, with: {agent: $agent}}
"""
FILES = {
    **tree(PLANNER),
    "pack/worker.tree.yaml": WORKER,
    "pack/Plan.decision.yaml": """\
decision: Plan
about: What to do.
sees: [acts, mood]
options: {Halt: Stop a robot., Work: Everything else.}
always: [{when: acts.stop, choose: Halt}]
offline: [{when: true, choose: Work}]
""",
    "pack/Halt.action.yaml": """\
action: Halt
about: Stop a robot.
sees: [acts, agents]
may: [interrupt]
instructions: Say what to do.
always:
  - {for: s in acts.stop, when: s.agent, do: [{interrupt: {agent: $s.agent, because: $s}}]}
""",
    "pack/Work.action.yaml": """\
action: Work
about: Everything else.
sees: [acts, mood]
may: [say]
instructions: Say what to do.
""",
}


def cooking(folder: Path, answers: Answers | None) -> Bench:
    """R1 is on its way; the test says `stop R1` in some moment of the planner's."""
    b = Bench(folder, FILES, answers=answers)
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    b.tick(2)
    assert b.team.now.agents["R1"].status == "Running"
    assert [e.data["skill"] for e in b.told("skill.started")] == ["go_to"]
    return b


def stopped_in_one_tick(b: Bench) -> bool:
    b.say("stop R1")
    b.tick()
    (ended,) = b.told("skill.ended")
    assert b.team.now.agents["R1"].status == "Interrupted"
    return bool(ended.data["cancelled"])


def choose(name: str) -> dict[str, object]:
    return {"reasoning": "so", "choose": name}


def test_stop_offline(tmp_path: Path) -> None:
    assert stopped_in_one_tick(cooking(tmp_path, None))


def test_stop_while_the_reading_is_in_flight(tmp_path: Path) -> None:
    b = cooking(tmp_path, {"Plan": [NEVER], "Talk": [NEVER, NEVER, NEVER]})
    b.say("hello")
    b.tick()
    assert b.requests[-1].node == "Talk"
    assert stopped_in_one_tick(b)


def test_stop_while_the_decision_is_in_flight(tmp_path: Path) -> None:
    b = cooking(tmp_path, {"Plan": [NEVER], "Talk": [NEVER]})
    assert b.requests[-1].node == "Plan"
    assert stopped_in_one_tick(b)


def test_stop_while_an_action_below_is_in_flight(tmp_path: Path) -> None:
    b = cooking(tmp_path, {"Plan": [choose("Work")], "Work": [NEVER], "Talk": [NEVER]})
    b.tick()
    assert b.requests[-1].node == "Work"
    assert stopped_in_one_tick(b)


def test_a_list_that_is_null_is_a_list_left_out(tmp_path: Path) -> None:
    given = {"kind": "accept", "quote": "sure", "proposals": None}
    b = bench(tmp_path, answers={"Talk": [answer(given)]})
    b.say("sure")
    b.settle()
    assert [e.data.get("refused") for e in b.told("answered")] == [None]


def test_a_thing_that_does_not_exist_is_told_with_the_nearest(tmp_path: Path) -> None:
    wish = {"kind": "request", "quote": "the peper", "task": "get", "args": {"item": "peper"}}
    talk = TALK + "model: {retries: 0}\n"
    b = bench(tmp_path, talk=talk, answers={"Talk": [answer(wish)]})
    b.say("get me the peper")
    b.settle()
    (refused,) = b.told("answered")
    assert "did you mean 'pepper'?" in str(refused.data["refused"])


def test_the_schema_lists_the_names_that_are_known(tmp_path: Path) -> None:
    talk = TALK.replace("sees: [", "sees: [agents, ")
    assert talk != TALK
    b = bench(tmp_path, talk=talk, answers={"Talk": [answer()]})
    b.say("well")
    b.settle()
    acts = b.requests[0].schema["properties"]["acts"]  # type: ignore[index]
    stop = next(
        one for one in acts["items"]["anyOf"] if one["properties"]["kind"]["const"] == "stop"
    )
    assert stop["properties"]["agent"]["anyOf"][0]["enum"] == ["R1", "R2", "user"]


SHOWS = TALK.replace("sees: [", "knows: [tasks, things]\nsees: [")


def request_args(b: Bench) -> object:
    """The schema of the things that something is asked to be done with, in the first request."""
    acts = b.requests[0].schema["properties"]["acts"]  # type: ignore[index]
    wish = next(
        one for one in acts["items"]["anyOf"] if one["properties"]["kind"]["const"] == "request"
    )
    return wish["properties"]["args"]["additionalProperties"]


def test_the_schema_lists_the_things_that_tasks_are_done_with(tmp_path: Path) -> None:
    b = bench(tmp_path, talk=SHOWS, answers={"Talk": [answer()]})
    b.say("well")
    b.settle()
    assert request_args(b) == {"type": "string", "enum": ["pepper", "salt", "lettuce"]}


def test_things_that_the_model_is_not_shown_are_not_listed(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [answer()]})
    b.say("well")
    b.settle()
    assert request_args(b) == {"type": "string"}


def test_a_field_of_a_type_of_thing_lists_the_things_of_that_type(tmp_path: Path) -> None:
    talk = SHOWS.replace("  remark: {}", "  look: {at: Place or none}\n  remark: {}")
    b = bench(tmp_path, talk=talk, answers={"Talk": [answer()]})
    b.say("well")
    b.settle()
    acts = b.requests[0].schema["properties"]["acts"]  # type: ignore[index]
    look = next(
        one for one in acts["items"]["anyOf"] if one["properties"]["kind"]["const"] == "look"
    )
    listed = {"type": "string", "enum": ["pantry", "table"]}
    assert look["properties"]["at"] == {"anyOf": [listed, {"type": "null"}]}


def test_a_scene_with_too_many_things_is_not_listed_and_still_refused_with_the_nearest(
    tmp_path: Path,
) -> None:
    scene = KITCHEN["pack/kitchen.scene.yaml"]
    more = "".join(f"  cup {number}: {{type: Item}}\n" for number in range(MOST_NAMES - 2))
    wish = {"kind": "request", "quote": "the peper", "task": "get", "args": {"item": "peper"}}
    files = {
        **tree("read: Talk"),
        "pack/Talk.reading.yaml": SHOWS + "model: {retries: 0}\n",
        "pack/kitchen.scene.yaml": scene.replace("  pantry: {type", more + "  pantry: {type"),
    }
    b = Bench(tmp_path, files, answers={"Talk": [answer(wish)]})
    b.say("get me the peper")
    b.settle()
    assert request_args(b) == {"type": "string"}
    (refused,) = b.told("answered")
    assert "did you mean 'pepper'?" in str(refused.data["refused"])


# A yes that names nothing


def waiting(folder: Path, *given: dict[str, object], talk: str = TALK) -> Bench:
    """R1 was proposed for the pepper, and later R2 for the salt."""
    b = bench(folder, talk=talk, answers={"Talk": [answer(one) for one in given]})
    for item in ("pepper", "salt", "sauce"):
        b.add(f"get {item}", item=item)
    b.emit("proposed", id="p1", agent="R1", subtask="get pepper")
    b.pass_time(5)
    b.emit("proposed", id="p2", agent="R2", subtask="get salt")
    return b


def accept(quote: str, *proposals: str) -> dict[str, object]:
    return {"kind": "accept", "quote": quote, "proposals": list(proposals)}


def accepted(b: Bench) -> list[str]:
    acts = (act for act in b.team.now.acts if act.kind == "accept")
    return [proposal.id for act in acts for proposal in act.fields["proposals"]]  # type: ignore[attr-defined]


def refusals(b: Bench) -> list[str]:
    return [str(e.data["refused"]) for e in b.told("answered") if "refused" in e.data]


def test_a_yes_that_names_nothing_accepts_only_what_was_asked_last(tmp_path: Path) -> None:
    b = waiting(tmp_path, accept("fine", "p1", "p2"), accept("fine", "p2"))
    b.say("well, fine")
    b.settle()
    assert accepted(b) == ["p2"]
    assert refusals(b) == [
        "'fine' names nothing: it can be a yes to p2, which was asked last, not to p1."
    ]


def test_of_several_that_were_asked_together_it_accepts_none(tmp_path: Path) -> None:
    b = waiting(tmp_path, accept("fine", "p2", "p3"), accept("fine", "p3"), accept("fine", "p2"))
    b.emit("proposed", id="p3", agent="R1", subtask="get sauce")
    b.say("well, fine")
    b.settle()
    assert not accepted(b)
    assert acts(b) == ["u1.1 remark"]
    assert all("does not say to which of p2 and p3" in why for why in refusals(b))


def test_a_word_out_of_a_remark_is_no_yes(tmp_path: Path) -> None:
    b = waiting(tmp_path, accept("fine", "p2"))
    b.say("a fine day, isn't it")
    b.settle()
    assert not accepted(b)
    assert "has no word of its own for the kind accept" in refusals(b)[0]


def test_a_yes_that_the_parser_heard_or_that_names_what_it_is_for_stands(tmp_path: Path) -> None:
    b = waiting(tmp_path, accept("yes", "p1", "p2", "p3"))
    b.emit("proposed", id="p3", agent="R1", subtask="get sauce")
    b.say("yes")
    b.settle()
    assert accepted(b) == ["p1", "p2", "p3"]
    other = waiting(tmp_path / "other", accept("R2 may, sure", "p2"))
    other.emit("proposed", id="p3", agent="R1", subtask="get sauce")
    other.say("R2 may, sure")
    other.settle()
    assert accepted(other) == ["p2"]


def test_without_a_parser_a_yes_is_for_all_that_was_asked_last(tmp_path: Path) -> None:
    talk = TALK.replace("parser: tests.support.talk:read\n", "")
    b = waiting(tmp_path, accept("sure", "p2", "p3"), talk=talk)
    b.emit("proposed", id="p3", agent="R1", subtask="get sauce")
    b.say("sure")
    b.settle()
    assert accepted(b) == ["p2", "p3"]
