from __future__ import annotations

from pathlib import Path

import pytest

from tests.nodes.test_act import ACTION, do
from tests.nodes.test_decide import DECISION, choose, steps
from tests.nodes.test_read import answer as acts_answer
from tests.nodes.test_read import bench as reading_bench
from tests.support.bench import Bench
from tests.support.files import tree
from treec.ask.transport import ScriptedAnswer

GOES_ON = "parallel: {{until: never, children: [{{reactive_sequence: [{{read: Talk}}, {0}]}}]}}"
SET = "tree: {name}\nroot: {{set: {{mood: {mood}}}}}\n"
SAY = """\
action: {name}
about: Talk.
sees: [level]
may: [say]
offline:
  - do: [{{say: "{name} {{{{ level }}}}"}}]
"""


def bench(folder: Path, answers: list[ScriptedAnswer], decision: str = DECISION) -> Bench:
    """A only talks; B changes the state."""
    files = {
        **tree("ask: D"),
        "pack/D.decision.yaml": decision,
        "pack/A.action.yaml": SAY.format(name="A"),
        "pack/B.tree.yaml": SET.format(name="B", mood="busy"),
        "pack/C.tree.yaml": SET.format(name="C", mood="merry"),
    }
    return Bench(folder, files, answers={"D": answers})


def by(b: Bench) -> list[str]:
    return [f"{e.data['choose']} {e.data['by']}" for e in b.told("decided")]


RULES = DECISION.replace("level == 1, choose: A", "level < 0, choose: A").replace(
    "level == 2", "true"
)


def level(b: Bench, *levels: int) -> None:
    for one in levels:
        b.set(level=one)
        b.settle()


def test_the_rules_decide_where_a_model_insists_on_words(tmp_path: Path) -> None:
    b = bench(tmp_path, [choose("A")] * 9, RULES)
    level(b, 1, 2, 3, 4)
    assert by(b) == ["A scripted"] * 3 + ["B offline"]
    (told,) = b.told("overruled")
    assert (told.data["by"], told.data["answer"]) == ("scripted", "A")


def test_patience_is_a_key(tmp_path: Path) -> None:
    b = bench(tmp_path, [choose("A")] * 9, RULES + "patience: 1\n")
    level(b, 1, 2)
    assert by(b) == ["A scripted", "B offline"]


def test_what_the_rules_would_do_as_well_is_no_insisting(tmp_path: Path) -> None:
    b = bench(tmp_path, [choose("A")] * 9, RULES.replace("level < 0", "true"))
    level(b, *range(1, 8))
    assert by(b) == ["A scripted"] * 7


def test_work_of_the_models_own_choice_gives_it_its_tries_back(tmp_path: Path) -> None:
    answers: list[ScriptedAnswer] = [choose(name) for name in "AABAAAA"]
    rules = RULES.replace("true, choose: B", "true, choose: C")
    b = bench(tmp_path, answers, rules.replace("  B: ", "  C: The third.\n  B: "))
    level(b, *range(1, 8))
    assert by(b) == [*["A scripted"] * 2, "B scripted", *["A scripted"] * 3, "C offline"]


def test_what_the_rules_did_gives_it_no_tries_back(tmp_path: Path) -> None:
    b = bench(tmp_path, [choose("A")] * 9, RULES)
    level(b, 1, 2, 3, 4)
    b.set(mood="calm")  # or B would change nothing
    level(b, 5, 6)
    assert by(b)[3:] == ["B offline"] * len(by(b)[3:])


def test_a_model_that_agrees_is_heard_again(tmp_path: Path) -> None:
    b = bench(tmp_path, [*[choose("A")] * 4, choose("B"), choose("A")], RULES)
    level(b, 1, 2, 3, 4)
    b.set(mood="calm")
    level(b, 5)
    assert by(b)[-1] == "B scripted"
    level(b, 6)
    assert by(b)[-1] == "A scripted"


def test_a_model_that_keeps_itself_going_is_stopped(tmp_path: Path) -> None:
    """Every answer of the action changes what the decision sees."""
    files = {
        **tree(GOES_ON.format("{ask: D}")),
        "pack/D.decision.yaml": RULES.replace("sees: [level]", "sees: [proposals]"),
        "pack/A.action.yaml": SAY.format(name="A"),
        "pack/B.action.yaml": SAY.format(name="B").replace("may: [say]", "may: [say, propose]")
        + "instructions: Propose.\n",
    }
    again = do({"propose": {"agent": "R2", "subtask": "get pepper"}})
    b = Bench(tmp_path, files, answers={"D": [choose("B")] * 99, "B": [again] * 99})
    b.add("get pepper", item="pepper")
    b.say("hello")
    b.settle()
    assert len(b.told("proposed")) == 10
    assert b.said()[-2:] == [
        "I am getting nowhere like this, so I will follow my standard rules.",
        "B 0",
    ]
    asked = len(b.requests)
    b.say("hello")
    b.emit("proposed", agent="R2", subtask="get pepper")
    b.settle()
    assert len(b.requests) > asked  # somebody spoke: it is asked again


def test_an_act_that_a_choice_leaves_open_is_answered_by_the_rules(tmp_path: Path) -> None:
    decision = RULES.replace("sees: [level]", "sees: [acts]")
    files = {
        **tree("sequence: [{read: Talk}, {ask: D}]"),
        "pack/D.decision.yaml": decision,
        "pack/A.tree.yaml": steps("A", "S"),
        "pack/B.action.yaml": SAY.format(name="B").replace("sees: [level]", "sees: [acts, level]"),
    }
    b = Bench(tmp_path, files, answers={"D": [choose("A")]})
    b.say("hello")
    b.settle()
    assert by(b) == ["A scripted", "B offline"]
    assert b.said() == ["B 0"]
    assert not b.team.now.acts


def test_a_choice_that_the_rules_would_not_make_stands_while_its_option_asks(
    tmp_path: Path,
) -> None:
    """Nothing has come of it yet, since its answer has not."""
    files = {
        **tree(GOES_ON.format("{ask: D}")),
        "pack/D.decision.yaml": RULES.replace("sees: [level]", "sees: [acts]\nreactive: true"),
        "pack/A.action.yaml": ACTION.replace("Do_It", "A"),
        "pack/B.action.yaml": SAY.format(name="B"),
    }
    unclear = do({"say": {"claims": [{"is": "unclear"}]}})
    b = Bench(tmp_path, files, answers={"D": [choose("B"), choose("A")] * 9, "A": [unclear] * 9})
    b.settle()
    b.say("hello")
    b.settle()
    assert "Sorry, I did not get that." in b.said()
    assert not b.told("overruled")


def test_refused_answers_leave_it_to_the_rules_before_the_fallback(tmp_path: Path) -> None:
    b = bench(tmp_path, [choose("Nothing")] * 3, RULES + "fallback: A\n")
    level(b, 1)
    assert by(b) == ["B offline"]


REQUEST = "R2: get pepper"


def acting(folder: Path, *answers: ScriptedAnswer) -> Bench:
    decision = "decision: D\nabout: Act.\nsees: [acts]\noptions: {Do_It: Always.}\n"
    decision += "always: [{when: acts, choose: Do_It}, {when: 'true', choose: Rest}]\n"
    files = {
        **tree(GOES_ON.format("{ask: D}")),
        "pack/D.decision.yaml": decision.replace("Always.", "Always., Rest: Never."),
        "pack/Do_It.action.yaml": ACTION,
        "pack/Rest.tree.yaml": steps("Rest", "S"),
    }
    return Bench(folder, files, answers={"Do_It": answers})


def test_an_action_that_only_talks_where_the_rules_work_is_overruled(tmp_path: Path) -> None:
    b = acting(tmp_path, *[do({"say": {"claims": [{"is": "unclear"}]}})] * 9)
    for _ in range(4):
        b.say(REQUEST)
        b.settle()
    assert b.said() == [
        *["Sorry, I did not get that."] * 3,
        "I am getting nowhere like this, so I will follow my standard rules.",
        "R2 will get pepper.",
    ]


@pytest.mark.parametrize("given", ["no_op", None])
def test_an_action_that_does_nothing_where_the_rules_do_is_done_by_the_rules(
    tmp_path: Path, given: str | None
) -> None:
    b = acting(tmp_path, do(*([given] if given else [])))
    b.say(REQUEST)
    b.settle()
    assert [r.node for r in b.requests].count("Do_It") == 1
    assert len(b.told("assigned")) == 1
    assert [e.data["answer"] for e in b.told("overruled")] == ["no_op()" if given else "nothing"]


def test_a_reading_of_remarks_only_is_overruled(tmp_path: Path) -> None:
    remark = {"kind": "remark", "quote": "yes"}
    b = reading_bench(tmp_path, answers={"Talk": [acts_answer(remark)] * 4})
    b.add("get pepper", item="pepper")
    b.emit("proposed", agent="R2", subtask="get pepper")
    for _ in range(4):
        b.say("yes")
        b.settle()
    kinds = [act["kind"] for e in b.told("acts.read") for act in e.data["acts"]]
    assert kinds == ["remark", "remark", "remark", "accept"]
    assert len(b.told("overruled")) == 1
