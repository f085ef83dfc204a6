"""The kitchen's recipes: how many, how long, and that each is cooked to its end.

The six of MOSAIC's end-to-end trials and those of its user study are among them by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import dist
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import happening
from tests.support.tiers import first_fast
from treec.files.entry import Entry
from treec.files.library import load_library
from treec.files.systems import ScenarioFile
from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.run.run import Run, RunOutcome
from treec.source.text import SourceFile
from treec.source.yaml import Mapping as Node
from treec.source.yaml import read_documents
from treec.team.knowledge import Knowledge
from treec.team.language import articles_before
from treec.team.words import BoundTask, Words
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

ROOT = Path(__file__).parents[4]
TRIALS = {
    *("Toss Salad", "Tuna Sandwich", "Vegetable Soup"),
    *("Corn Soup", "Caesar Salad", "Chicken Soup"),
}
STUDY = {
    *("Avocado Toast", "Sundae", "Milkshake", "Biryani", "Ramen", "Stir Fried Noodles", "Pasta"),
    *("Mango Sticky Rice", "Eggdrop Soup", "Pasta Salad"),
}
NAMES = sorted(
    path.read_text("utf-8").splitlines()[0].removeprefix("recipe: ")
    for path in ROOT.glob("trees/recipes/*.recipe.yaml")
)
ROBOT_TASKS = ("get", "put away", "stir", "pour", "stack", "spread", "hand over")
LIMIT = "30m"


@cache
def view() -> View:
    library = load_library(ROOT)
    return View(library, library.find("system", "mosaic"))


@cache
def knowledge() -> Knowledge:
    return Knowledge(view())


def recipe(name: str) -> RecipeFile:
    return knowledge().recipes[name]


def words(found: RecipeFile) -> dict[str, str]:
    return {id: spec.do or id for id, spec in found.subtasks.items()}


def bound(said: str) -> BoundTask:
    task = knowledge().words.match(said)
    assert task is not None, said
    return task


def before(found: RecipeFile, id: str) -> set[str]:
    """All that must be done before a subtask."""
    near = found.subtasks[id].after
    return set(near).union(*(before(found, other) for other in near))


def joins(found: RecipeFile) -> int:
    return sum(len(spec.after) > 1 for spec in found.subtasks.values())


def scenario(user: list[dict[str, Any]], finally_: str = "all_done") -> Entry[ScenarioFile]:
    given = {
        "scenario": "cook",
        "system": "mosaic",
        "user": user,
        "expect": {"finally": finally_, "within": LIMIT},
    }
    documents, _ = read_documents(SourceFile("cook.scenario.yaml", "scenario: cook\n"))
    node = documents[0].root
    assert isinstance(node, Node)
    model = ScenarioFile.model_validate(given)
    return Entry("scenario", "cook", model, node, documents[0].file)


def run(
    user: list[dict[str, Any]],
    finally_: str = "all_done",
    at: Mapping[str, str] | None = None,
) -> tuple[Run, RunOutcome]:
    """A run in which some things stand elsewhere than the scene says."""
    made = Run(
        view().including(scenario(user, finally_)),
        VirtualClock(),
        Journal.in_memory(),
        RunSpec(scenario="cook"),
    )
    for item, place in (at or {}).items():
        told = {"fact": "at", "args": [item], "value": place, "source": "scene"}
        made.world.emit(happening("fact.set", **told), "test")
    return made, made.go()


def unfinished(made: Run) -> list[str]:
    return [f"{s.words}: {s.status}, {s.reason}" for s in made.team.subtasks if s.status != "done"]


def failures(made: Run) -> list[str]:
    return [s.words for s in made.team.subtasks if s.failures]


def test_there_are_enough_and_those_of_the_papers() -> None:
    assert len(NAMES) >= 32
    assert set(NAMES) == knowledge().recipes.keys()
    assert set(NAMES) >= TRIALS | STUDY


def test_half_of_them_are_long_and_come_together_twice() -> None:
    found = [recipe(name) for name in NAMES]
    long = [r for r in found if len(r.subtasks) >= 8 and joins(r) >= 2]
    assert len(long) * 2 >= len(found)


@pytest.mark.few(12, thorough=1000)
@pytest.mark.parametrize("name", NAMES)
def test_its_words_mean_one_task_each(name: str) -> None:
    tasks = {name: (task.says, task.args) for name, task in knowledge().tasks.items()}
    things = {name: (spec.type, spec.also) for name, spec in view().objects.items()}
    things.update({name: (spec.is_, spec.also) for name, spec in view().agents.items()})
    alone = {
        task: Words({task: tasks[task]}, things, view().types.is_a, articles_before(view()))
        for task in tasks
    }
    for said in words(recipe(name)).values():
        meant = {task for task, one in alone.items() if one.match(said) is not None}
        assert meant == {bound(said).task}, said


@pytest.mark.parametrize("name", NAMES)
def test_the_arm_is_given_only_what_is_on_the_table_by_then(name: str) -> None:
    found = recipe(name)
    said = words(found)
    for id in found.subtasks:
        task = bound(said[id])
        if "R1" not in able(task.task):
            continue
        earlier = [bound(said[other]) for other in before(found, id)]
        fetched = {str(b.args["item"]) for b in earlier if b.task == "get"}
        for thing in task.args.values():
            assert thing in fetched or view().objects[thing].facts["at"] == "table", (id, thing)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_fetched_from_where_it_stands_and_all_of_it_is_used(name: str) -> None:
    found = recipe(name)
    said = words(found)
    tasks = {id: bound(text) for id, text in said.items()}
    for id, task in tasks.items():
        if task.task != "get":
            continue
        (item,) = task.args.values()
        assert view().objects[item].facts["at"] != "table", id
        later = [t for other, t in tasks.items() if id in before(found, other)]
        assert any(item in t.args.values() for t in later), f"nobody uses the {item}"


def able(task: str) -> set[str]:
    robots = knowledge().agents.keys() - knowledge().people
    return {robot for robot in robots if knowledge().able(robot, task)}


def test_each_robot_task_is_one_robots() -> None:
    fetching = ("get", "put away")
    expected = {task: {"R2"} if task in fetching else {"R1"} for task in ROBOT_TASKS}
    assert {task: able(task) for task in ROBOT_TASKS} == expected


@pytest.mark.parametrize("name", first_fast(NAMES, 8))
@pytest.mark.few(4)
def test_it_is_cooked_to_the_end_by_someone_who_agrees(name: str) -> None:
    made, outcome = run(
        [
            {"says": f"Let's make {name}."},
            {"whenever": "current('user')", "says": "I'm done.", "after": 5},
            {"whenever": "proposals", "says": "Yes please.", "after": 1},
        ]
    )
    assert made.world.state["recipe"] == name
    assert unfinished(made) == []
    assert failures(made) == []
    assert outcome.ok
    assert len(made.team.subtasks) == len(recipe(name).subtasks)


def said_to_robots(task: str) -> Iterable[str]:
    """Every way in which the recipes ask robots for a task, once."""
    found = {text: None for name in NAMES for text in words(recipe(name)).values()}
    return [text for text in found if bound(text).task == task]


@pytest.mark.thorough
@pytest.mark.parametrize("task", ROBOT_TASKS)
def test_its_steps_can_be_done_for_everything_the_recipes_name(task: str) -> None:
    (robot,) = able(task)
    asked = said_to_robots(task)
    assert asked
    things = {thing for text in asked for thing in bound(text).args.values()}
    table = {} if task == "get" else dict.fromkeys(things, "table")
    made, outcome = run(
        [{"when": "not subtasks or all_done", "says": f"{robot} should {text}."} for text in asked],
        at=table,
    )
    assert unfinished(made) == []
    assert failures(made) == []
    assert outcome.ok
    done = {(s.task, *sorted(s.args.items())) for s in made.team.subtasks}  # once each is enough
    assert done == {(b.task, *sorted(b.args.items())) for b in map(bound, asked)}


@pytest.mark.parametrize("moment", [1, 4, 7, 10, 13, 16, 19, 22])
@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("R1 should stack the ham on the bread", "stacked('ham') == 'bread'"),
        ("R1 should spread the butter on the bread", "spread_on('butter', 'bread')"),
        ("R1 should hand over the ham", "at('ham') == 'user'"),
        ("R2 should put the salt away", "at('salt') == 'pantry'"),
        ("R2 should get the ham", "at('ham') == 'table'"),
        ("R1 should stir the bowl", "stirred('bowl')"),
    ],
)
@pytest.mark.few(6)
def test_a_robot_stopped_midway_goes_on_from_where_it_is(
    words: str, goal: str, moment: int
) -> None:
    robot = words[:2]
    at = {"ham": "table", "butter": "table", "bread": "table", "salt": "user"}
    if robot == "R2":
        at["ham"] = "fridge"
    made, outcome = run(
        [
            {"says": f"{words}."},
            {"when": f"current('{robot}')", "says": "Stop!", "after": moment},
            {"when": "all_done or status('" + robot + "') == 'Interrupted'", "says": "Go on."},
        ],
        finally_=f"all_done and {goal}",
        at=at,
    )
    assert unfinished(made) == []
    assert failures(made) == []
    assert outcome.ok


def test_a_robot_that_stopped_with_something_in_its_gripper_deals_with_it() -> None:
    made, outcome = run(
        [
            {"says": "R1 should stack the ham on the bread."},
            {"when": "holding('R1')", "says": "Stop!"},
            {"when": "status('R1') == 'Interrupted'", "says": "R1 should stir the bowl first."},
            {"says": "Go on."},
        ],
        finally_="all_done and stirred('bowl') and stacked('ham') == 'bread'",
        at={"ham": "table", "bread": "table"},
    )
    assert unfinished(made) == []
    assert outcome.ok


def test_what_lies_on_something_is_picked_up_again() -> None:
    _, outcome = run(
        [
            {"says": "R1 should stack the ham on the bread."},
            {"when": "all_done", "says": "R2 should put the ham away."},
        ],
        finally_="all_done and at('ham') == 'fridge' and not stacked('ham')",
        at={"ham": "table", "bread": "table"},
    )
    assert outcome.ok


def test_things_that_stand_at_one_place_stand_apart() -> None:
    objects = view().objects
    kept = ("Place", "Appliance")
    placed = [(n, s) for n, s in objects.items() if s.type not in kept and s.body is not None]
    for index, (name, spec) in enumerate(placed):
        assert spec.pose is not None, name
        place = objects[str(spec.facts["at"])].pose
        assert place is not None
        assert dist(spec.pose[:2], place[:2]) < 0.9, f"{name} is not at its place"
        for other, near in placed[:index]:
            assert near.pose is not None
            assert dist(spec.pose, near.pose) >= 0.06, f"{name} stands in the {other}"


def test_every_name_is_one_things() -> None:
    seen: dict[str, str] = {}
    for name, spec in view().objects.items():
        for word in (name, *spec.also):
            assert seen.setdefault(word.lower(), name) == name, word
