from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.team.actions import find_action
from treec.team.sentences import misfit
from treec.world.events import Commit, EventRefused
from treec_asking.bind import bind


@pytest.fixture
def b(tmp_path: Path) -> Bench:
    return Bench(tmp_path, tree("check: true"))


def test_words_that_a_task_knows_become_its_subtask(b: Bench) -> None:
    call = bind(b.team, "assign", {"agent": "R1", "subtasks": ["get pepper"]})
    (subtask,) = call.args["subtasks"]  # type: ignore[attr-defined]
    assert (subtask.task, dict(subtask.args)) == ("get", {"item": "pepper"})


def test_the_same_task_is_not_brought_into_being_twice(b: Bench) -> None:
    b.add("my pepper", item="pepper")
    call = bind(b.team, "drop", {"subtasks": "get pepper"})
    assert [str(s) for s in call.args["subtasks"]] == ["my pepper"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("fly", {}, "unknown action"),
        ("say", {}, "needs 'message'"),
        ("say", {"message": "a", "loud": True}, "unknown argument 'loud'"),
        ("no_op", "x", "takes no arguments"),
        (
            "assign",
            {"agent": "R9", "subtasks": []},
            "'agent': 'R9' is not an Agent of the scene",
        ),
        (
            "assign",
            {"agent": "R1", "subtasks": ["get moon"]},
            "unknown subtask 'get moon'",
        ),
        ("interrupt", {"agent": "R1", "because": "u9"}, "'because': unknown act 'u9'"),
        (
            "assign",
            {"agent": "R1", "subtasks": [], "first": "yes"},
            "'yes' is not true or false",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_words(
    b: Bench, name: str, given: object, reason: str
) -> None:
    with pytest.raises(EventRefused, match=reason):
        bind(b.team, name, given)


def test_an_agent_gets_no_work_it_cannot_do(b: Bench) -> None:
    b.add("dance", task=None)
    call = bind(b.team, "assign", {"agent": "R1", "subtasks": ["dance"]})
    with pytest.raises(EventRefused, match="R1 cannot dance"):
        list(call.action.run(b.team, **call.args))


def test_the_signature_is_the_functions(b: Bench) -> None:
    action = find_action("assign")
    assert action is not None
    assert action.signature == "assign(agent, subtasks, first, because)"
    assert [p.required for p in action.parameters] == [True, True, False, False]


SOUP = "recipe: Soup\nsubtasks:\n  get salt: {}\n  get pepper: {after: [get salt]}\n"


@pytest.fixture
def two(tmp_path: Path) -> Bench:
    return Bench(tmp_path, {**tree("check: true"), "pack/Soup.recipe.yaml": SOUP})


def choose(b: Bench, recipe: str) -> None:
    call = bind(b.team, "set_recipe", {"name": recipe})
    b.world.emit(Commit("action", tuple(call.action.run(b.team, **call.args))), "test")


def work(b: Bench) -> dict[str, str]:
    return {s.id: s.status for s in b.team.subtasks}


def test_what_a_change_of_recipe_dropped_returns_with_its_recipe(two: Bench) -> None:
    choose(two, "Salad")
    two.emit("subtask.done", subtask="get pepper")
    choose(two, "Soup")
    choose(two, "Salad")
    assert work(two)["get salt"] == "waiting"
    assert work(two)["get pepper"] == "done"


def test_work_done_for_another_recipe_counts_unless_something_comes_before_it(two: Bench) -> None:
    choose(two, "Salad")
    two.emit("subtask.done", subtask="get pepper")
    choose(two, "Soup")
    assert work(two) == {"get pepper": "done", "get salt": "waiting", "get pepper (2)": "waiting"}
    two.emit("subtask.done", subtask="get salt")
    assert [s.id for s in two.team.subtasks if s.ready] == ["get pepper (2)"]
    choose(two, "Salad")
    assert work(two) == {"get pepper": "done", "get salt": "done", "get pepper (2)": "dropped"}


def test_what_was_asked_for_before_the_recipe_is_part_of_it(two: Bench) -> None:
    two.add("get pepper", item="pepper")
    choose(two, "Salad")
    assert work(two) == {"get pepper": "waiting", "get salt": "waiting"}


def test_the_recipe_that_is_cooked_adds_nothing_again(two: Bench) -> None:
    choose(two, "Salad")
    two.emit("subtask.dropped", subtasks=["get salt"])
    choose(two, "Salad")
    assert work(two) == {"get pepper": "waiting", "get salt": "dropped"}


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        ("done", "a claim is {is: KIND, …}, not 'done'"),
        ({"subtask": "u1"}, "a claim is {is: KIND, …}, not {'subtask': 'u1'}"),
        ({"is": "dnoe"}, "unknown kind of claim 'dnoe'; did you mean 'done'?"),
        ({"is": "done"}, "'done' needs 'subtask'"),
        ({"is": "done", "subtask": None}, "'done' needs 'subtask'"),
        ({"is": "done", "subtask": "u1", "hue": 1}, "unknown field 'hue' of done(subtask, agent?)"),
        ({"is": "done", "subtask": "u1", "agent": "R1"}, None),
    ],
)
def test_a_claim_that_has_another_form(claim: object, problem: str | None) -> None:
    assert misfit(claim) == problem
