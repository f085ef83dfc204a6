from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from py_trees.common import Status

from tests.support.bench import Answers, Bench
from tests.support.files import KITCHEN, tree
from treec.ask.transport import NEVER, Scripted, TransportError
from treec.nodes.leaf import NodeError
from treec.run.model_requests import NodeRequests
from treec.run.summary import summarize
from treec.team.contracts import BrokenContract, Contract
from treec.team.entities import Act
from treec.team.sentences import LONGEST, MOST
from treec_asking.act import split_call
from treec_asking.understood import find_remedy
from treec_testing.decisions.moments import find_moments

ACTION = """\
action: Do_It
about: Put into effect what the user agreed to or asked for.
sees: [acts, subtasks]
may: [assign, drop, say, propose, no_op]
instructions: Say what to do.
offline:
  - for: r in acts.request
    do:
      - assign: {agent: $r.agent, subtasks: [$r.task], because: $r}
acknowledge:
  assign: "{{ agent }} will {{ subtasks | join(' and ') }}."
"""
ASK_FIRST = """\
contract: ask_first
about: Nobody gets work unless the user asked or agreed.
each:
  - assign(agent, because)
require: because in acts.accept.proposals or because in acts.request
tell: "{{ action }} rests on nothing the user asked for."
"""


def bench(
    folder: Path, *, action: str = ACTION, answers: Answers | None = None, contract: str = ASK_FIRST
) -> Bench:
    files = {"pack/Do_It.action.yaml": action}
    files |= tree("sequence:\n  - read: Talk\n  - do: Do_It\nonce: true")
    if contract:
        files["pack/ask_first.contract.yaml"] = contract
    return Bench(folder, files, answers=answers)


def do(*actions: dict[str, object] | str) -> dict[str, object]:
    return {"reasoning": "so", "actions": list(actions)}


def assign(agent: str, *subtasks: str, because: str | None = None) -> dict[str, object]:
    return {"assign": {"agent": agent, "subtasks": list(subtasks), "because": because}}


def queue(b: Bench, agent: str) -> list[str]:
    return [subtask.id for subtask in b.team.now.agents[agent].queue]


def commits(b: Bench) -> list[str]:
    """The nodes' commits, each by what it did."""
    return [
        " ".join(str(a["action"]) for a in record.data["actions"])  # type: ignore[index,union-attr]
        for record in b.journal.records
        if record.kind == "commit" and record.data.get("for") == "action"
    ]


def test_an_answer_is_one_record_with_all_that_it_brings_about(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("R1: get pepper")
    assert b.tick() is Status.SUCCESS
    assert commits(b) == ["assign"]
    record = next(r for r in b.journal.records if r.data.get("for") == "action")
    kinds = [event["kind"] for event in record.data["events"]]  # type: ignore[index,union-attr]
    assert kinds == ["subtask.added", "assigned", "said", "acts.settled"]
    assert b.team.now.acts == ()
    assert b.team.chat[0].answered


def test_the_contracts_judge_each_answer_of_a_model_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    judge = Contract.judge

    def counted(self: Contract, action: str, *args: Any) -> BrokenContract | None:
        judged.append(action)
        return judge(self, action, *args)

    monkeypatch.setattr(Contract, "judge", counted)
    b = bench(tmp_path, answers=answers_of(do(assign("R1", "get pepper", because="u1.1"))))
    b.say("R1: get pepper")
    b.settle()
    assert queue(b, "R1") == ["get pepper"]
    assert judged == ["assign", "answer"]


def test_acknowledgement_is_rendered_from_what_was_committed(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("R2: get salt")
    b.tick()
    assert b.said() == ["R2 will get salt."]


def test_what_is_committed_is_told_in_plain_words_where_the_file_has_none(tmp_path: Path) -> None:
    b = bench(tmp_path, action=ACTION[: ACTION.index("acknowledge")])
    b.say("R2: get salt")
    b.tick()
    assert b.said() == ["R2 will get salt."]


def test_an_empty_acknowledgement_says_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path, action=ACTION[: ACTION.index('  assign: "')] + "  assign: ''\n")
    b.say("R2: get salt")
    b.tick()
    assert b.said() == []


def test_nothing_to_do_is_success_and_settles_what_it_saw(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.say("lovely day")
    assert b.tick() is Status.SUCCESS
    assert b.team.chat[0].answered


def test_acts_that_it_does_not_see_stay_for_others(tmp_path: Path) -> None:
    b = bench(tmp_path, action=ACTION.replace("[acts, subtasks]", "[subtasks]"))
    b.say("lovely day")
    b.tick()
    assert [act.kind for act in b.team.now.acts] == ["remark"]


def test_answers_says_which_kinds_its_commit_settles(tmp_path: Path) -> None:
    b = bench(tmp_path, action=ACTION + "answers: [request]\n")
    b.say("lovely day")
    b.say("R1: get pepper")
    b.tick()
    assert [act.kind for act in b.team.now.acts] == ["remark"]


def test_one_broken_contract_refuses_the_whole_answer(tmp_path: Path) -> None:
    action = ACTION.replace(", because: $r", "").replace(
        "    do:\n", "    do:\n      - say: Certainly.\n"
    )
    b = bench(tmp_path, action=action)
    b.say("R1: get pepper")
    assert b.tick() is Status.FAILURE
    assert commits(b) == []
    assert b.said() == []
    (refused,) = b.told("refused")
    assert "rests on nothing" in str(refused.data["reason"])


def test_an_action_that_cannot_be_refuses_the_whole_answer(tmp_path: Path) -> None:
    action = ACTION.replace("[$r.task]", "[$r.task, 'fly to the moon']")
    b = bench(tmp_path, action=action)
    b.say("R1: get pepper")
    assert b.tick() is Status.FAILURE
    assert [str(e.data["by"]) for e in b.told("refused")] == ["offline"]
    assert b.team.subtasks == ()


def test_one_subtask_for_two_agents_is_refused(tmp_path: Path) -> None:
    answer = do(assign("R1", "get pepper"), assign("R2", "get pepper"))
    action = ACTION + "model: {retries: 0}\n"
    b = bench(tmp_path, action=action, answers={"Do_It": [answer], "Talk": []}, contract="")
    b.settle()
    assert "is given to R1 and to R2" in str(b.told("refused")[0].data["reason"])


def test_always_comes_before_the_model(tmp_path: Path) -> None:
    b = bench(tmp_path, action=ACTION + "always: [{do: [{say: At once.}]}]\n", answers={})
    assert b.tick() is Status.SUCCESS
    assert b.said() == ["At once."]


def test_answer_is_asked_again_with_the_contracts_words(tmp_path: Path) -> None:
    answers: Answers = {"Do_It": [do(assign("R1", "get pepper")), do("no_op")]}
    b = bench(tmp_path, answers=answers)
    assert b.tick() is Status.RUNNING
    b.settle()
    assert len(b.requests) == 2
    assert "rests on nothing" in b.requests[1].messages[-1].content
    assert b.told("assigned") == []


def test_answer_that_stays_refused_is_a_failure_with_the_reason(tmp_path: Path) -> None:
    wrong = do(assign("R1", "get pepper"))
    action = ACTION + "model: {retries: 1}\n"
    b = bench(tmp_path, action=action, answers={"Do_It": [wrong, wrong]})
    b.tick(2)
    assert b.tick() is Status.FAILURE
    assert [e.data["by"] for e in b.told("refused")] == ["scripted"]


def test_after_the_last_refusal_the_rules_answer_for_what_was_said(tmp_path: Path) -> None:
    wrong = do(assign("R2", "get pepper", because="u1.1"))
    b = bench(tmp_path, action=ACTION + "model: {retries: 0}\n", answers=answers_of(wrong))
    b.say("R1: get pepper")
    b.settle()
    assert (queue(b, "R1"), queue(b, "R2")) == (["get pepper"], [])
    assert b.said() == ["R1 will get pepper."]


def test_one_refusal_takes_no_independent_action_with_it(tmp_path: Path) -> None:
    both = do(
        assign("R1", "get pepper", because="u1.1"), assign("R2", "get lettuce", because="u9.9")
    )
    rules = ACTION.replace("offline:", "answers: [request]\noffline:").replace(
        "for: r in acts.request", "for: r in (acts.request if subtasks else [])"
    )
    action = rules + "model: {retries: 0}\n"
    b = bench(tmp_path, action=action, answers=answers_of(both))
    b.say("R1: get pepper")
    b.settle()
    assert (queue(b, "R1"), queue(b, "R2")) == (["get pepper"], [])
    assert commits(b) == ["assign"]


def test_what_neither_model_nor_rules_can_do_is_a_failure_in_words_for_people(
    tmp_path: Path,
) -> None:
    action = ACTION.partition("offline:")[0] + "model: {retries: 0}\n"
    wrong = do(assign("R2", "get pepper", because="u1.1"))
    b = bench(tmp_path, action=action, answers=answers_of(wrong))
    b.say("R1: get pepper")
    assert b.settle() is Status.FAILURE
    node = next(n for name, n in b.nodes.items() if name.endswith("Do_It"))
    assert node.feedback_message == (
        "I understood this: R1 should get pepper. Nothing has changed; please say it in other words"
    )


def test_without_instructions_no_model_is_asked(tmp_path: Path) -> None:
    action = ACTION.replace("instructions: Say what to do.\n", "")
    b = bench(tmp_path, action=action, answers={"Talk": [TransportError("down")]})
    b.say("R1: get pepper")
    b.settle()
    assert queue(b, "R1") == ["get pepper"]


def answers_of(answer: dict[str, object]) -> Answers:
    """The model is down when words are read, and gives this answer when it should act."""
    return {"Talk": [TransportError("down")], "Do_It": [answer]}


def test_malformed_answers_are_refused_by_their_reason(tmp_path: Path) -> None:
    wrong: list[dict[str, object] | str] = [
        "prose",
        {"actions": "say"},
        do({"set_recipe": {"name": "Salad"}}),
        do({"say": {"message": "a"}, "drop": {}}),
        do({"assign": {"agent": "R7", "subtasks": []}}),
        do({"say": {"text": "hello"}}),
        do({"say": {"claims": []}}, {"drop": {}}),
    ]
    b = bench(tmp_path, action=ACTION + "model: {retries: 6}\n", answers={"Do_It": wrong})
    b.settle()
    reasons = [str(e.data["refused"]) for e in b.told("answered")]
    assert [reason[:45] for reason in reasons] == [
        "it has no JSON object.",
        "'actions' must be a list, not \"say\".",
        "'actions[0]' must be one of assign, drop, say",
        "'actions[0]' must be one of assign, drop, say",
        "assign's 'agent': 'R7' is not an Agent of the",
        "Words of your own are not said. `say` takes c",
        "'actions[1].drop.subtasks' is missing.",
    ]


def test_short_forms_of_actions_are_held_against_the_schema_written_out(tmp_path: Path) -> None:
    short = do("no_op", {"say": {"claims": {"is": "hello"}}}, {"drop": "get pepper"})
    b = bench(tmp_path, answers={"Do_It": [short]}, contract="")
    b.add("get pepper", item="pepper")
    assert b.settle() is Status.SUCCESS
    assert commits(b) == ["no_op say drop"]


def test_what_may_do_nothing_does_nothing(tmp_path: Path) -> None:
    action = ACTION.replace("[assign, drop, say, propose, no_op]", "[]") + "model: {retries: 0}\n"
    action = action[: action.index("acknowledge")] + "model: {retries: 0}\n"
    b = bench(tmp_path, action=action, answers={"Do_It": [do({"say": "Hello."})]}, contract="")
    assert b.settle() is Status.FAILURE
    assert "none of the allowed forms" in str(b.told("answered")[0].data["refused"])


def test_a_model_that_is_down_leaves_it_to_the_offline_rules(tmp_path: Path) -> None:
    answers: Answers = {"Do_It": [TransportError("down")], "Talk": [TransportError("down")]}
    b = bench(tmp_path, answers=answers)
    b.say("R1: get pepper")
    b.settle()
    assert queue(b, "R1") == ["get pepper"]


# Late answers


def test_new_words_discard_the_answer_and_ask_with_all_of_them(tmp_path: Path) -> None:
    late = Scripted(do(assign("R1", "get pepper", because="u1.1")), after=2)
    files = {
        **tree("parallel:\n  until: never\n  children:\n    - read: Talk\n    - do: Do_It"),
        "pack/Do_It.action.yaml": ACTION,
    }
    b = Bench(
        tmp_path,
        files,
        answers={"Do_It": [NEVER, late, *[NEVER] * 5], "Talk": [TransportError("x")] * 9},
    )
    b.say("R1: get pepper")
    b.settle()
    b.say("R2: get salt")
    b.pass_time(5)
    asked = [r for r in b.requests if r.node == "Do_It"]
    assert [len(r.observation["acts"]) for r in asked][-1] == 2  # type: ignore[arg-type]
    assert b.told("assigned") == []


def test_after_any_other_change_todays_world_judges(tmp_path: Path) -> None:
    late = Scripted(do(assign("R1", "get pepper")), after=2)
    b = bench(tmp_path, answers={"Do_It": [late, do("no_op")]}, contract="")
    b.add("get pepper", item="pepper")
    b.tick()
    b.emit("subtask.done", subtask="get pepper")
    b.pass_time(3)
    assert "done already" in b.requests[1].messages[-1].content
    assert b.told("assigned") == []


def test_a_change_that_does_not_matter_lets_the_answer_stand(tmp_path: Path) -> None:
    late = Scripted(do(assign("R1", "get pepper")), after=2)
    b = bench(tmp_path, answers={"Do_It": [late, NEVER]}, contract="")
    b.add("get pepper", item="pepper")
    b.tick()
    b.add("get salt", item="salt")
    b.pass_time(3)
    assert queue(b, "R1") == ["get pepper"]


def test_halting_cancels_the_request_and_commits_nothing(tmp_path: Path) -> None:
    files = {**tree("do: Do_It\ntimeout: 1s"), "pack/Do_It.action.yaml": ACTION}
    late = Scripted(do({"say": {"message": "late"}}), after=2)
    b = Bench(tmp_path, files, answers={"Do_It": [late, NEVER, NEVER, NEVER, NEVER]})
    b.pass_time(1)
    b.pass_time(2)
    assert b.said() == []


def test_arguments_given_by_the_tree_are_names_of_the_action(tmp_path: Path) -> None:
    files = {
        **tree("do: Tell\nwith: {reason: $mood}"),
        "pack/Tell.action.yaml": """\
action: Tell
about: Say why.
args: {reason: text}
may: [say]
instructions: Say what to do.
offline: [{do: [{say: "It is {{ reason }}."}]}]
""",
    }
    b = Bench(tmp_path, files)
    b.tick()
    assert b.said() == ["It is calm."]


@pytest.mark.parametrize(("ask", "asked"), [("needed", 0), ("always", 1)])
def test_an_action_that_can_only_do_nothing_asks_nobody(
    tmp_path: Path, ask: str, asked: int
) -> None:
    action = ACTION.replace("[assign, drop, say, propose, no_op]", "[no_op]") + f"ask: {ask}\n"
    b = bench(tmp_path, action=action, answers={"Do_It": [do({"no_op": {}})]})
    b.say("Thank you.")
    b.settle()
    assert len([r for r in b.requests if r.node == "Do_It"]) == asked
    (record,) = (r for r in b.journal.records if r.data.get("for") == "action")
    assert record.data["by"] == ("scripted" if asked else "only option")


def test_a_system_may_ask_always(tmp_path: Path) -> None:
    action = ACTION.replace("[assign, drop, say, propose, no_op]", "[no_op]")
    files = {"pack/Do_It.action.yaml": action, **tree("do: Do_It\nonce: true")}
    system = KITCHEN["test.system.yaml"] + "asks: always\n"
    answers: Answers = {"Do_It": [do({"no_op": {}})]}
    b = Bench(tmp_path, {**files, "test.system.yaml": system}, answers=answers)
    b.settle()
    assert len(b.requests) == 1


def test_an_answer_that_stood_and_is_refused_now_is_asked_for_again(tmp_path: Path) -> None:
    action = ACTION.replace("[acts, subtasks]", "[]") + "answers: []\n"
    files = {
        "pack/Do_It.action.yaml": action,
        **tree("sequence:\n  - on_change: level\n  - do: Do_It"),
    }
    files["pack/calm.contract.yaml"] = (
        "contract: calm\nabout: Calm.\neach: [say(message)]\nrequire: level < 3\ntell: Too loud.\n"
    )
    answers: Answers = {"Do_It": [do({"say": {"claims": [{"is": "hello"}]}}), do("no_op")]}
    b = Bench(tmp_path, files, answers=answers)
    for level in (1, 2, 3):
        b.set(level=level)
        b.settle()
    assert b.said() == ["Hello!", "Hello!"]
    assert len(b.requests) == 2
    assert [e.data["attempt"] for e in b.told("asked")] == [1, 1]
    assert not b.told("refused")
    assert len(b.told("answer.kept")) == 2
    (first, _), (second, _) = b.told("asked"), b.told("answer.kept")
    assert [moment.n for moment in find_moments(b.journal.records)] == [first.n, second.n]
    assert requests(b).kept == 2
    assert requests(b).asked == 2


def requests(b: Bench) -> NodeRequests:
    """The requests of the run, as its summary counts them."""
    return summarize(b.journal.records).requests


LEFT: dict[str, object] = {"is": "left", "subtask": "get pepper"}
LIE = "The pepper has been fetched, and R1 is stirring. " * 60


def say(*claims: dict[str, object], **words: str) -> dict[str, object]:
    return {"say": {**({"claims": [*claims]} if claims else {}), **words}}


def speaker(tmp_path: Path, *answers: dict[str, object] | str) -> Bench:
    """A node that is asked with get pepper to do, and gives these answers."""
    b = bench(tmp_path, answers={"Do_It": [*answers]}, contract="")
    b.add("get pepper", item="pepper")
    b.tick()
    b.settle()
    return b


def test_a_model_is_asked_for_claims_and_for_no_words(tmp_path: Path) -> None:
    b = speaker(tmp_path, do(say(LEFT)))
    (option,) = [o for o in options(b) if "say" in o]
    assert list(option["say"]["properties"]) == ["claims"]
    assert option["say"]["properties"]["claims"]["maxItems"] == MOST
    prompt = b.requests[0].messages[0].content
    assert "`say` takes claims, a list of {is: KIND, FIELD: …}" in prompt
    assert "; left(subtask, agent?); after(subtask, after): `after` comes first;" in prompt
    assert b.said() == ["Still to do: get pepper."]


def test_a_node_may_say_the_claims_that_it_names_and_no_others(tmp_path: Path) -> None:
    action = ACTION + "claims: [left, unclear]\n"
    answers: Answers = {"Do_It": [do(say({"is": "hello"}, LEFT)), do(say({"is": "hello"}))] * 2}
    b = bench(tmp_path, action=action, answers=answers, contract="")
    b.add("get pepper", item="pepper")
    b.tick()
    b.settle()
    (option,) = [o for o in options(b) if "say" in o]
    claim = option["say"]["properties"]["claims"]["items"]["properties"]
    assert claim["is"]["enum"] == ["left", "unclear"]
    assert [*claim] == ["is", "agent", "subtask"]
    assert "Kinds: left(subtask, agent?); unclear()." in b.requests[0].messages[0].content
    assert b.said() == ["Still to do: get pepper."]


def options(b: Bench) -> list[Any]:
    schema: Any = b.requests[0].schema
    return [one["properties"] for one in schema["properties"]["actions"]["items"]["anyOf"]]


def test_where_words_alone_are_the_answer_the_model_is_asked_again_once(tmp_path: Path) -> None:
    b = speaker(tmp_path, *[do(say(message="The pepper is missing."))] * 3)
    assert len(b.requests) == 2
    refusal = b.requests[1].messages[-1].content
    assert "Words of your own are not said. `say` takes claims" in refusal
    assert "Kinds: done(subtask, agent?);" in refusal
    assert not b.said()


def test_a_claim_that_does_not_hold_is_told_with_the_truth(tmp_path: Path) -> None:
    b = speaker(tmp_path, do(say({**LEFT, "is": "done"}, LEFT)), do(say(LEFT)))
    refusal = b.requests[1].messages[-1].content
    assert "done(get pepper) is not so: 'get pepper' is waiting." in refusal
    assert b.said() == ["Still to do: get pepper."]


@pytest.mark.parametrize(
    "words",
    [
        say(message="Sure!"),
        say(message="All done, enjoy."),
        say(message=LIE),
        say(message=f"Did you know that {LIE}?"),
        say({"is": "done", "subtask": "get pepper"}),
        say({"is": "no such kind"}, message="El trabajo está hecho."),
        say({"is": "no_recipe", "words": LIE}),
        say({"is": "which", "names": ["R1", LIE]}),
        {"say": "Done!"},
        {"say": {"text": LIE, "tone": "warm", "claims": LIE}},
        {"say": {}},
    ],
)
def test_no_words_cost_the_action_beside_them(words: dict[str, object], tmp_path: Path) -> None:
    for answer in ([{"drop": "get pepper"}, words], [words, {"drop": "get pepper"}]):
        b = speaker(tmp_path / str(len(answer) * (answer[0] is words)), do(*answer))
        assert commits(b) == ["drop"]
        assert len(b.requests) == 1
        assert not b.said()
        assert [event.data["by"] for event in b.told("unsaid")] == ["scripted"]


def test_what_holds_is_said_beside_an_action_as_it_is_after_it(tmp_path: Path) -> None:
    claims = ({"is": "dropped", "subtask": "get pepper"}, LEFT)
    b = speaker(tmp_path, do({"drop": "get pepper"}, say(*claims, message="Fine by me!")))
    assert commits(b) == ["drop say"]
    assert b.said() == ["This is dropped: get pepper."]
    assert "left(get pepper) is not so" in str(b.told("unsaid")[0].data["why"])


def test_a_say_is_no_longer_than_it_may_be(tmp_path: Path) -> None:
    b = speaker(tmp_path, do(say(*[LEFT, {"is": "progress"}, {"is": "everybody"}] * 40)))
    (said,) = b.said()
    assert len(said) <= LONGEST


@pytest.mark.parametrize(
    ("tell", "why"),
    [
        ("tell: '{{ agent }} rests today.'\n", "R1 rests today"),
        ("tell: '{{ action }} is for another day'\n", "that is for another day"),
        ("", "Nobody gets work on a Sunday"),
    ],
)
def test_who_gave_the_order_hears_why_a_contract_refuses_it(
    tell: str, why: str, tmp_path: Path
) -> None:
    sunday = (
        "contract: sunday\nabout: Nobody gets work on a Sunday.\n"
        f"each: assign(agent)\nrequire: false\n{tell}"
    )
    b = bench(tmp_path, contract=sunday)
    b.say("R1: get pepper")
    assert b.settle() is Status.FAILURE
    node = next(n for name, n in b.nodes.items() if name.endswith("Do_It"))
    assert node.feedback_message == why


def test_nobody_hears_a_call(tmp_path: Path) -> None:
    action = ACTION.replace("[$r.task]", "['get pepper', 'get pepper (all)']")
    b = bench(tmp_path, action=action, contract="")
    b.say("R1: get pepper")
    assert b.settle() is Status.FAILURE
    node = next(n for name, n in b.nodes.items() if name.endswith("Do_It"))
    assert "(" not in node.feedback_message


def test_a_task_without_its_thing_is_asked_about(tmp_path: Path) -> None:
    team = bench(tmp_path).team
    task = team.knowledge.task("get")
    assert find_remedy(team, [Act("u1.1", "request", "get", "u1", {"task": task})]) == (
        "say which item is meant"
    )


@pytest.mark.parametrize(
    ("then", "said", "asked"),
    [
        (("say", {"is": "progress"}), ["None of 1 is done yet. Still to do: get salt."], 2),
        (("words", None), ["By rules."], 3),
        (("same", None), [], 2),
    ],
)
def test_a_question_whose_answer_was_dropped_is_asked_about_once_more(
    then: tuple[str, dict[str, object] | None], said: list[str], asked: int, tmp_path: Path
) -> None:
    talk = KITCHEN["pack/Talk.reading.yaml"]
    talk = talk.replace("  remark: {}\n", "  remark: {}\n  ask: {about: text}\n")
    ask = {"kind": "ask", "quote": "How far are we?", "about": "How far are we?"}
    first = do({"drop": {"subtasks": ["get pepper"]}}, say(message="Nearly there!"))
    others = {"words": do(say(message="Nearly there!")), "same": first}
    steps, rule = (
        "read: Talk, check: acts | list, do: Do_It",
        "{when: acts.ask, do: [say: By rules.]}",
    )
    second = do(say(then[1])) if then[1] else others[then[0]]
    files = {
        **tree("parallel: {until: never, children: [{reactive_sequence: [" + steps + "]}]}"),
        "pack/Do_It.action.yaml": ACTION.replace("offline:\n", f"offline:\n  - {rule}\n"),
        "pack/Talk.reading.yaml": talk,
    }
    answers: Answers = {"Talk": [{"acts": [ask]}], "Do_It": [first, *[second] * 5]}
    b = Bench(tmp_path, files, answers=answers)
    b.add("get pepper", item="pepper")
    b.add("get salt", item="salt")
    b.say("How far are we?")
    b.settle()
    assert b.said() == said
    assert sum(request.node == "Do_It" for request in b.requests) == asked
    assert b.team.now.subtasks["get pepper"].status == "dropped"


def test_an_action_in_a_file_is_a_name_or_a_name_with_its_arguments() -> None:
    assert split_call("no_op") == ("no_op", None)
    assert split_call({"say": {"message": "a"}}) == ("say", {"message": "a"})
    for given in ({"say": 1, "ask": 2}, ["say"]):
        with pytest.raises(NodeError, match=re.escape(f"with its arguments, not {given!r}")):
            split_call(given)
