"""The paper's Table 7: the tree does each right offline; One-Prompt's answers are refused."""

from __future__ import annotations

from typing import Any

from tests.support.events import happening
from tests.systems.mosaic.table import Table

PEPPER = "get pepper"


def one_prompt(words: str, *actions: dict[str, Any]) -> Table:
    """One-Prompt gives this answer to these words, as often as it is asked."""
    answer = {"reasoning": "", "actions": list(actions)}
    table = Table(answers={"One_Prompt": [answer] * 9}, system="mosaic_one_prompt")
    set_up(table)
    table.say(words, 20)
    return table


def refused(table: Table, why: str) -> bool:
    return any(why in str(e.get("refused")) for e in table.happened("answered"))


def set_up(table: Table) -> None:
    for id, task, args in (
        ("get salt", "get", {"item": "salt"}),
        (PEPPER, "get", {"item": "pepper"}),
        ("pour corn into pot", "pour", {"item": "corn", "container": "pot"}),
        ("prepare vegetables", "prepare", {"item": "vegetables"}),
        ("stir bowl", "stir", {"container": "bowl"}),
    ):
        data = {"id": id, "words": id, "task": task, "args": args}
        table.run.world.emit(happening("subtask.added", **data), "test")


def offline(words: str) -> tuple[Table, str]:
    table = Table()
    set_up(table)
    return table, table.say(words)


def test_a_question_about_what_is_next_assigns_nothing() -> None:
    table, said = offline("Are salt and pepper the next ingredients?")
    assert said
    assert not table.happened("assigned")


def test_a_task_that_the_user_takes_over_is_theirs() -> None:
    table, said = offline("I will pour the corn into the pot instead of R1")
    assert table.happened("assigned") == [
        {"agent": "user", "subtasks": ("pour corn into pot",), "first": False}
    ]
    assert "you pour corn into pot" in said


def test_what_a_robot_cannot_do_is_said_and_the_user_takes_the_rest() -> None:
    table, said = offline("R1 should prepare the vegetables, and I will mix the bowl.")
    assert "No robot can do that. Would you prepare" in said
    assert [e["agent"] for e in table.happened("assigned")] == ["user"]
    assert table.happened("assigned")[0]["subtasks"] == ("stir bowl",)


def test_one_prompts_assignment_without_permission_is_refused() -> None:
    table = one_prompt(
        "Are salt and pepper the next ingredients?",
        {"say": {"message": "Yes, salt and pepper are next. I'll send R2 to get them for you."}},
        {"assign": {"agent": "R2", "subtasks": ["get salt", PEPPER]}},
    )
    assert refused(table, "rests on nothing the user asked for or agreed to")
    assert not table.happened("assigned")


def test_one_prompts_claim_that_nothing_backs_is_refused() -> None:
    said = "Understood, you will pour corn into pot. Let me know if there is anything else!"
    table = one_prompt(
        "I will pour the corn into the pot instead of R1", {"say": {"message": said}}
    )
    assert refused(table, "Words of your own are not said")
    assert said not in table.told()


def test_one_prompts_silence_is_refused() -> None:
    table = one_prompt("R1 should prepare the vegetables, and I will mix the bowl.", {"no_op": {}})
    assert refused(table, "passed over")
    assert not table.happened("assigned")


def test_one_prompts_mix_up_of_who_does_what_is_refused() -> None:
    said = "You will prepare the vegetables and mix the bowl."
    table = one_prompt(
        "R1 should prepare the vegetables, and I will mix the bowl.",
        {"say": {"message": said}},
        {"assign": {"agent": "user", "subtasks": ["prepare vegetables", "stir bowl"]}},
    )
    assert refused(table, "rests on nothing")
    assert not table.happened("assigned")


def test_one_prompt_says_that_it_needs_a_model() -> None:
    assert "need a model" in Table(system="mosaic_one_prompt").say("Let's make a soup")


def test_nothing_is_dropped_that_the_user_did_not_let_go() -> None:
    table = one_prompt(
        "What is left to do?",
        {"drop": {"subtasks": ["get salt"]}},
        {"say": {"message": "Let us see."}},
    )
    assert refused(table, "rests on nothing")
    assert not table.happened("subtask.dropped")
