from __future__ import annotations

import json
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.support.bench import Answers, Bench
from tests.support.files import tree
from treec.ask.transport import NEVER, Scripted, TransportError

DECISION = """\
decision: D
about: What to do.
sees: [level]
recalls: [chat]
options:
  A: The first.
  B: The second.
offline:
  - {when: level == 1, choose: A}
  - {when: level == 2, choose: B}
"""


def steps(name: str, script: str, head: str = "") -> str:
    """A tree of one probe, as an option."""
    return f"tree: {name}\nroot: {{probe: {{name: {name.lower()}, script: {script}}}}}\n{head}"


def bench(
    folder: Path,
    *,
    decision: str = DECISION,
    a: str = "S",
    b: str = "S",
    answers: Answers | None = None,
    more: dict[str, str] | None = None,
    root: str = "ask: D",
) -> Bench:
    files = {
        **tree(root),
        "pack/D.decision.yaml": decision,
        "pack/A.tree.yaml": steps("A", a),
        "pack/B.tree.yaml": steps("B", b),
        "pack/C.tree.yaml": steps("C", "S"),
        **(more or {}),
    }
    return Bench(folder, files, answers=answers)


def ticks(bench: Bench, name: str) -> Status:
    return bench.nodes[f"main/{name}"].status


def choose(name: str) -> dict[str, object]:
    return {"reasoning": "so", "choose": name}


# Offline


def test_chosen_child_is_ticked_in_the_same_tick_and_its_status_is_the_decisions(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path, a="F")
    b.set(level=1)
    assert b.tick() is Status.FAILURE
    assert b.chosen() == ["A"]
    assert b.told("decided")[0].data["by"] == "offline"


def test_equal_observation_is_running_and_ticks_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(level=1)
    assert b.tick() is Status.SUCCESS
    before = b.world.version
    assert b.tick(3) is Status.RUNNING
    assert ticks(b, "A") is Status.INVALID
    assert b.world.version == before


def test_what_is_only_recalled_asks_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.set(level=1)
    b.tick()
    b.say("hello")
    assert b.tick(2) is Status.RUNNING
    assert b.chosen() == ["A"]


def test_nothing_is_asked_while_the_child_runs(tmp_path: Path) -> None:
    b = bench(tmp_path, a="RRS")
    b.set(level=1)
    assert b.tick() is Status.RUNNING
    b.set(level=2)
    assert b.tick() is Status.RUNNING
    assert b.chosen() == ["A"]
    assert b.tick() is Status.SUCCESS
    b.tick()
    assert b.chosen() == ["A", "B"]  # what changed meanwhile is looked at afterwards


def test_always_comes_before_offline_and_before_offers(tmp_path: Path) -> None:
    decision = DECISION + "always:\n  - {when: level == 1, choose: B}\n"
    b = bench(tmp_path, decision=decision)
    b.set(level=1)
    b.tick()
    assert [e.data["by"] for e in b.told("decided")] == ["always"]
    assert b.chosen() == ["B"]


def test_no_rule_takes_the_fallback(tmp_path: Path) -> None:
    b = bench(tmp_path, decision=DECISION + "fallback: C\n")
    assert b.tick() is Status.SUCCESS
    assert b.chosen() == ["C"]


def test_without_a_fallback_it_fails_once_with_a_reason(tmp_path: Path) -> None:
    b = bench(tmp_path)
    assert b.tick() is Status.FAILURE
    assert "no fallback" in str(b.told("node.failed")[0].data["reason"])
    assert b.tick() is Status.RUNNING


def test_a_decision_that_cannot_look_fails_and_lets_the_loop_rest(tmp_path: Path) -> None:
    decision = DECISION.replace("offline:", "always:\n  - {when: done('x'), choose: A}\noffline:")
    b = bench(tmp_path, decision=decision)
    assert b.settle() is Status.FAILURE
    assert len(b.told("node.failed")) == 1
    b.set(mood="worse")
    b.settle()
    assert len(b.told("node.failed")) == 2  # something happened, and it is still so


def test_halted_it_chooses_anew(tmp_path: Path) -> None:
    root = "ask: D\nwhile: mood == 'calm'"
    b = bench(tmp_path, a="R", root=root)
    b.set(level=1)
    b.tick()
    b.set(mood="angry")
    assert b.tick() is Status.FAILURE
    b.set(mood="calm")
    assert b.tick() is Status.RUNNING
    assert b.chosen() == ["A", "A"]


# Offers


def offer(name: str, when: str) -> str:
    return (
        f"action: {name}\nabout: It offers itself.\nmay: [say]\n"
        f"offer: {{to: D, when: {when}, because: It is {name}.}}\n"
        f"offline: [{{do: [{{say: {name}}}]}}]\n"
    )


def test_offers_come_before_offline_rules_in_order_of_file_name(tmp_path: Path) -> None:
    more = {
        "pack/b_first.action.yaml": offer("Zed", "level == 1"),
        "pack/z_later.action.yaml": offer("Ack", "level == 1"),
    }
    b = bench(tmp_path, more=more)
    b.set(level=1)
    b.tick()
    assert b.chosen() == ["Zed"]


def test_an_offer_wakes_decisions_that_do_not_see_what_it_looks_at(tmp_path: Path) -> None:
    outer = """\
decision: Top
about: Above.
sees: [recipe_name]
options: {Under: Always.}
offline: [{when: true, choose: Under}]
"""
    more = {
        "pack/Top.decision.yaml": outer,
        "pack/Under.tree.yaml": "tree: Under\nroot: [{ask: D}]\n",
        "pack/offer.action.yaml": offer("Offered", "mood == 'angry'"),
    }
    b = bench(tmp_path, more=more, root="ask: Top", decision=DECISION + "fallback: C\n")
    b.settle()
    assert b.chosen() == ["Under", "C"]
    b.set(mood="angry")
    b.settle()
    assert b.chosen()[2:] == ["Under", "Offered"]


def test_a_model_sees_offers_that_hold_as_options_and_not_the_fallback(tmp_path: Path) -> None:
    more = {
        "pack/offer.action.yaml": offer("Offered", "level == 0"),
        "pack/other.action.yaml": offer("Other", "level == 1"),
    }
    b = bench(tmp_path, decision=DECISION + "fallback: C\n", more=more, answers={"D": [NEVER]})
    b.tick()
    schema = b.requests[0].schema["properties"]
    assert schema["choose"]["enum"] == ["A", "B", "Offered"]  # type: ignore[index]


# With a model


def test_answer_ticks_the_child_in_the_tick_in_which_it_comes(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"D": [choose("B")]})
    assert b.tick() is Status.RUNNING
    assert b.chosen() == []
    assert b.tick() is Status.SUCCESS
    assert b.chosen() == ["B"]
    assert b.told("decided")[0].data["by"] == "scripted"


def test_always_asks_nobody(tmp_path: Path) -> None:
    decision = DECISION + "always:\n  - {when: level == 0, choose: B}\n"
    b = bench(tmp_path, decision=decision, answers={})
    assert b.tick() is Status.SUCCESS
    assert b.requests == []


def test_observation_is_frozen_when_it_asks(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"D": [Scripted(choose("A"), after=2), choose("B")]})
    b.tick()
    b.set(level=7)
    b.pass_time(3)
    assert [r.observation["level"] for r in b.requests] == [0, 7]  # acted on 0, so 7 is new
    assert b.chosen() == ["A", "B"]


def test_wrong_answers_are_asked_again_with_the_reason_then_fall_back(tmp_path: Path) -> None:
    decision = DECISION + "fallback: C\nmodel: {retries: 1}\n"
    b = bench(tmp_path, decision=decision, answers={"D": ["no json", choose("Nothing")]})
    b.settle()
    assert len(b.requests) == 2
    assert "no JSON object" in b.requests[1].messages[-1].content
    assert [(e.data["by"], e.data["choose"]) for e in b.told("decided")] == [("fallback", "C")]


def test_without_valid_answer_and_fallback_it_fails(tmp_path: Path) -> None:
    b = bench(tmp_path, decision=DECISION + "model: {retries: 0}\n", answers={"D": ["?"]})
    b.tick()
    assert b.tick() is Status.FAILURE


@pytest.mark.parametrize("down", [TransportError("down"), NEVER])
def test_a_model_that_is_down_or_late_leaves_it_to_the_offline_rules(
    tmp_path: Path, down: Exception
) -> None:
    decision = DECISION + "model: {timeout: 5s}\nfallback: C\n"
    b = bench(tmp_path, decision=decision, answers={"D": [down]})
    b.set(level=2)
    b.pass_time(6)
    assert [(e.data["by"], e.data["choose"]) for e in b.told("decided")] == [("offline", "B")]
    assert "failed" in b.told("answered")[0].data


def test_halting_cancels_the_request(tmp_path: Path) -> None:
    b = bench(
        tmp_path,
        root="ask: D\nwhile: mood == 'calm'",
        answers={"D": [Scripted(choose("A"), after=2), NEVER]},
    )
    b.tick()
    b.set(mood="angry")
    b.pass_time(5)
    assert b.told("decided") == []
    assert b.told("answered") == []
    b.set(mood="calm")
    b.tick()
    assert len(b.requests) == 2


def test_new_words_discard_the_request_and_ask_with_all_of_them(tmp_path: Path) -> None:
    decision = DECISION.replace("[level]", "[level, user_input]")
    b = bench(
        tmp_path, decision=decision, answers={"D": [Scripted(choose("A"), after=2), choose("B")]}
    )
    b.say("one")
    b.tick()
    b.say("two")
    b.pass_time(5)
    assert [r.observation["user_input"] for r in b.requests] == ["one", "one two"]
    assert b.chosen() == ["B"]


def test_another_change_discards_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"D": [Scripted(choose("A"), after=2)]}, a="R")
    b.tick()
    b.set(level=5)
    b.pass_time(3)
    assert b.chosen() == ["A"]
    assert len(b.requests) == 1


def test_what_becomes_certain_does_not_wait_for_the_answer(tmp_path: Path) -> None:
    decision = DECISION + "always:\n  - {when: level == 9, choose: B}\n"
    b = bench(tmp_path, decision=decision, answers={"D": [NEVER]}, b="R")
    b.tick()
    b.set(level=9)
    assert b.tick() is Status.RUNNING
    assert b.chosen() == ["B"]


def test_after_an_answer_about_an_older_state_it_chooses_again_below_a_decision_that_did(
    tmp_path: Path,
) -> None:
    top = """\
decision: Top
about: Above.
sees: [level]
reactive: true
options: {D: Below., B: At once.}
"""
    answers: Answers = {
        "Top": [choose("D"), choose("D")],
        "D": [Scripted(choose("A"), after=2), choose("B")],
    }
    more = {"pack/Top.decision.yaml": top}
    b = bench(tmp_path, more=more, answers=answers, root="ask: Top")
    b.settle()
    b.pass_time(1)
    b.set(level=7)  # Top decides on it at once, D has asked before
    b.pass_time(5)
    assert b.chosen() == ["D", "A", "B"]
    assert [r.observation["level"] for r in b.requests if r.node == "D"] == [0, 7]


# Where no model is needed

OFFERED = """\
decision: D
about: What to do.
sees: [level]
"""


@pytest.mark.parametrize(("ask", "asked"), [("", 0), ("ask: always\n", 1)])
def test_the_only_option_is_taken_and_nobody_is_asked(tmp_path: Path, ask: str, asked: int) -> None:
    more = {
        "pack/offer.action.yaml": offer("Offered", "level > 0"),
        "pack/other.action.yaml": offer("Other", "level > 1"),
    }
    answers: Answers = {"D": [choose("Offered"), choose("Other")]}
    b = bench(tmp_path, decision=OFFERED + "fallback: C\n" + ask, more=more, answers=answers)
    b.set(level=1)
    b.settle()
    assert b.chosen() == ["Offered"]
    assert len(b.requests) == asked
    assert len(b.told("asked")) == asked
    by = b.told("decided")[0].data["by"]
    assert by == ("scripted" if ask else "only option")
    b.set(level=2)
    b.settle()
    assert len(b.requests) == asked + 1  # two options: that is a question


def test_an_only_option_does_not_wait_for_an_answer_about_more(tmp_path: Path) -> None:
    more = {
        "pack/offer.action.yaml": offer("Offered", "level > 0"),
        "pack/other.action.yaml": offer("Other", "level > 1"),
    }
    decision = OFFERED + "fallback: C\n"
    b = bench(tmp_path, decision=decision, more=more, answers={"D": [NEVER]})
    b.set(level=2)
    b.tick()
    b.set(level=1)
    b.settle()
    assert b.chosen() == ["Offered"]


ONLY_WHEN = DECISION.replace("offline:", "only_when: {A: level < 3, B: level > 1}\noffline:")


@pytest.mark.parametrize(
    ("level", "chosen", "by"),
    [(1, "A", "only option"), (2, "B", "scripted"), (3, "B", "only option")],
)
def test_an_option_that_cannot_be_right_is_none(
    tmp_path: Path, level: int, chosen: str, by: str
) -> None:
    b = bench(tmp_path, decision=ONLY_WHEN, answers={"D": [choose("B")]})
    b.set(level=level)
    b.settle()
    assert [(e.data["choose"], e.data["by"]) for e in b.told("decided")] == [(chosen, by)]


def test_examples_of_options_that_cannot_be_right_are_not_shown(tmp_path: Path) -> None:
    three = ONLY_WHEN.replace("  B: The second.", "  B: The second.\n  C: The third.")
    shown = [{"given": {"level": n}, "answer": {"choose": c}} for n, c in ((7, "A"), (8, "B"))]
    decision = f"{three}examples: {json.dumps(shown)}\n"
    b = bench(tmp_path, decision=decision, answers={"D": [choose("C")]})
    b.set(level=3)
    b.settle()
    prompt = "\n".join(message.content for message in b.requests[0].messages)
    assert ("level: 7" in prompt, "level: 8" in prompt) == (False, True)


def test_where_no_option_can_be_right_nobody_is_asked(tmp_path: Path) -> None:
    decision = ONLY_WHEN.replace("level > 1", "level > 5") + "fallback: C\n"
    b = bench(tmp_path, decision=decision, answers={})
    b.set(level=4)
    b.settle()
    assert [(e.data["choose"], e.data["by"]) for e in b.told("decided")] == [("C", "fallback")]


def test_to_ask_always_is_to_ask_with_every_option(tmp_path: Path) -> None:
    decision = ONLY_WHEN + "ask: always\n"
    b = bench(tmp_path, decision=decision, answers={"D": [choose("B")]})
    b.set(level=1)
    b.settle()
    assert b.requests[0].schema["properties"]["choose"]["enum"] == ["A", "B"]  # type: ignore[index]
    assert b.chosen() == ["B", "A"]  # B cannot be right and changed nothing


KEPT = DECISION.replace("[level]", "[level, mood]") + "observation: 'mood {{ mood }}'\n"
"""It sees the level and does not show it."""


def kept(b: Bench) -> list[str]:
    """What was chosen, and by whom answers were kept."""
    return [*b.chosen(), *(str(e.data["by"]) for e in b.told("answer.kept"))]


def test_with_an_equal_prompt_the_last_answer_stands_until_something_in_it_changes(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path, decision=KEPT, answers={"D": [choose("A"), choose("B")]})
    b.settle()
    b.set(level=3)
    b.settle()
    assert kept(b) == ["A", "A", "scripted"]
    assert [e.data["by"] for e in b.told("decided")] == ["scripted", "scripted"]
    assert len(b.requests) == len(b.told("asked")) == 1
    b.set(mood="angry")
    b.settle()
    assert kept(b) == ["A", "A", "B", "scripted"]
    assert len(b.requests) == 2


def test_ask_always_asks_the_same_again(tmp_path: Path) -> None:
    decision = KEPT + "ask: always\n"
    b = bench(tmp_path, decision=decision, answers={"D": [choose("A"), choose("B")]})
    b.settle()
    b.set(level=3)
    b.settle()
    assert kept(b) == ["A", "B"]


def test_halted_in_the_same_state_it_keeps_its_answer(tmp_path: Path) -> None:
    root = "ask: D\nwhile: mood == 'calm'"
    b = bench(tmp_path, a="R", root=root, answers={"D": [choose("A")]})
    for mood in ("calm", "angry", "calm"):
        b.set(mood=mood)
        b.settle()
    assert kept(b) == ["A", "A", "scripted"]
    assert len(b.requests) == 1


def test_after_a_failure_the_same_is_asked_again(tmp_path: Path) -> None:
    b = bench(tmp_path, decision=KEPT, a="F", answers={"D": [choose("A"), choose("B")]})
    b.settle()
    b.set(level=3)
    b.settle()
    assert kept(b) == ["A", "B"]


def test_without_a_model_the_rules_choose_also_where_one_option_is_left(tmp_path: Path) -> None:
    more = {"pack/offer.action.yaml": offer("Offered", "level > 0")}
    b = bench(tmp_path, decision=OFFERED + "fallback: C\n", more=more)
    b.set(level=1)
    b.settle()
    assert [e.data["by"] for e in b.told("decided")] == ["offline"]


# Reactive


def test_reactive_same_choice_never_restarts(tmp_path: Path) -> None:
    decision = DECISION.replace("level == 1", "level % 2 == 1") + "reactive: true\n"
    b = bench(tmp_path, decision=decision, a="RRS")
    b.set(level=1)
    b.tick()
    b.set(level=3)
    b.tick()
    assert b.tick() is Status.SUCCESS  # its third tick: the script went on
    assert b.chosen() == ["A"]


def test_reactive_other_choice_stops_the_child_before_the_new_one_is_ticked(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path, decision=DECISION + "reactive: true\n", a="R", b="R")
    seen: list[str] = []
    first, second = b.nodes["main/A"], b.nodes["main/B"]
    stop, update = first.stop, second.update
    first.stop = lambda status: (seen.append("A stopped"), stop(status))  # type: ignore[assignment,func-returns-value]
    second.update = lambda: (seen.append("B ticked"), update())[1]  # type: ignore[method-assign,func-returns-value]
    b.set(level=1)
    b.tick()
    seen.clear()
    b.set(level=2)
    b.tick()
    assert seen == ["A stopped", "B ticked"]
    assert ticks(b, "A") is Status.INVALID


def test_reactive_asks_while_the_child_runs(tmp_path: Path) -> None:
    answers: Answers = {"D": [choose("A"), Scripted(choose("B"), after=1)]}
    b = bench(tmp_path, decision=DECISION + "reactive: true\n", a="R", b="R", answers=answers)
    b.settle()
    b.set(level=5)
    b.tick()
    assert ticks(b, "A") is Status.RUNNING  # it goes on until there is another answer
    b.pass_time(2)
    assert b.chosen() == ["A", "B"]
    assert ticks(b, "A") is Status.INVALID


def test_reactive_error_while_the_child_runs_does_not_leave_it_chosen(tmp_path: Path) -> None:
    decision = DECISION.replace("level == 1", "level == 1 and 1 / (level - 3)")
    decision = decision.replace("level == 2", "1 / (level - 3)") + "reactive: true\n"
    b = bench(tmp_path, decision=decision, a="R")
    b.set(level=1)
    b.tick()
    b.set(level=3)
    assert b.tick() is Status.FAILURE
    assert ticks(b, "A") is Status.INVALID
    b.set(level=1)
    assert b.tick() is Status.RUNNING
    assert b.chosen() == ["A", "A"]


# Certain words


STOP = """\
decision: D
about: What to do.
sees: [acts]
options: {A: Work., B: Stop.}
always: [{when: acts.stop, choose: B}]
offline: [{when: true, choose: A}]
"""


def test_certain_words_get_past_a_running_child(tmp_path: Path) -> None:
    root = "reactive_sequence:\n  - read: Talk\n  - ask: D"
    b = bench(tmp_path, decision=STOP, root=root, a="R", b="R")
    b.tick()
    b.say("hello")
    b.tick()
    assert b.chosen() == ["A"]
    b.say("stop")
    b.tick()
    assert b.chosen() == ["A", "B"]
    assert b.nodes["main/D/A"].status is Status.INVALID
    b.say("stop")
    b.tick()
    assert b.chosen() == ["A", "B"]  # the same choice never restarts it
