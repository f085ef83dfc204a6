"""The nine tasks: what is in them, and what the paper counts otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from treec.files.library import Library
from treec_dag_plan.arms.layout import read_layout
from treec_dag_plan.arms.problem import (
    AllocationProblem,
    ProblemError,
    problem_from,
    problem_in,
)
from treec_dag_plan.arms.problem_words import object_descriptions, object_names
from treec_sapien.bodies.scene import read

from .conftest import NUMBERS, ROOT, graph

Task = Callable[[int], AllocationProblem]

SUB_TASKS = (4, 6, 8, 8, 10, 11, 7, 9, 13)
"""Table 8."""
TP_S = (4, 6, 8, 8, 10, 11, 8, 10, 13)
"""Table 2: the stages of plans for one arm, which is where 78 comes from."""


def test_the_graphs_have_the_sub_tasks_of_table_8() -> None:
    counts = tuple(len(list(graph(number).work())) for number in NUMBERS)
    assert counts == SUB_TASKS
    assert sum(counts) == 76
    assert sum(TP_S) == 78


def test_the_scenes_have_the_objects_that_the_page_counts(task: Task) -> None:
    """Table 9 has 5 + 8 + 13 = 26, a thing in two scenes counted twice; ours add plate and bowl."""
    scenes: dict[str, set[object]] = {}
    for number in NUMBERS:
        world, scene = task(number).world, task(number).model.scene
        whole = (world.start.get(("part_of", name), name) for name in world.names.values())
        scenes.setdefault(scene, set()).update(whole)
    assert {scene: len(found) for scene, found in scenes.items()} == {
        "kitchen_1": 5 + 1,
        "kitchen_2": 8,
        "kitchen_3": 13 + 1,
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_every_object_of_a_task_is_described(task: Task, number: int) -> None:
    problem = task(number)
    told = object_descriptions(problem)
    inner = {name for one in told.values() for name in one.get("parts", {})}  # type: ignore[attr-defined]
    assert {*told, *inner} == set(problem.world.names.values())
    assert set(problem.world.names.values()) <= set(object_names(problem))
    for name, one in told.items():
        assert one["type"] == ("articulation" if "links" in one else "actor"), name


def test_a_description_says_what_prompts_need(task: Task) -> None:
    told = object_descriptions(task(5))
    assert told["microwave"]["links"] == ["microwave_body", "microwave_door"]
    assert told["microwave"]["fixed"] is True
    assert told["bowl"]["fixed"] is False
    assert told["bowl"]["spatial_relationship"] == '"bowl" is in "refrigerator_cooler_body".'
    assert told["microwave"]["parts"]["microwave_door"]["state"] == {"opened": False}  # type: ignore[index]
    heavy = [one for n in NUMBERS for one in object_descriptions(task(n)).values()]
    assert any("two_handed" in one.get("traits", ()) for one in heavy)  # type: ignore[operator]
    assert object_descriptions(task(4))["bowl"]["description"] == (
        "A used bowl, to the right of the cup."
    )


def test_what_a_task_says_is_otherwise_is_so(task: Task) -> None:
    assert task(4).world.start[("at", "bowl")] == "table"
    assert task(5).world.start[("at", "bowl")] == "refrigerator_cooler_body"
    assert "tin" not in task(4).world.names


def test_a_problem_may_lie_outside_the_library(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "mine.problem.yaml"
    path.write_text(
        "problem: mine\ntask: open it\nscene: kitchen_2\ngoal: [opened(microwave_door)]\n",
        "utf-8",
    )
    problem = problem_from(library, path)
    assert problem.world.unmet_goals(problem.world.start)
    assert "tin" in problem.world.names, "without 'objects' a task has all of the scene's"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("problem: a\ntask: b\nscene: kitchn_2\ngoal: [opened(microwave_door)]\n", "kitchen_2"),
        ("problem: a\ntask: b\nscene: kitchen_2\ngoal: [opened(microwave_door) + 1]\n", ":4:8"),
        ("problem: a\ntask: b\nscene: kitchen_2\nobjects: [tinn]\ngoal: [true]\n", "'tin'?"),
        ("problem: a\ntask: b\nscene: kitchen_2\ngoals: [true]\n", "unknown key 'goals'"),
        ("tasks: x\n", "first key"),
    ],
)
def test_a_problem_that_cannot_be_used_says_why(
    library: Library, tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / f"p{abs(hash(text))}.problem.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ProblemError) as caught:
        problem_from(library, path)
    assert says in str(caught.value)


def test_an_unknown_name_is_told(library: Library) -> None:
    with pytest.raises(ProblemError, match="did you mean 'task_1'"):
        problem_in(library, "tsk_1")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_layouts_place_things_where_the_scenes_do(library: Library, number: int) -> None:
    """To 30 cm: planning goes by plain points, physics by bodies."""
    layout, problems = read_layout(ROOT / f"trees/dag_plan/layouts/kitchen_{number}.yaml")
    assert problems == []
    assert layout is not None
    scene = library.find("scene", f"kitchen_{number}")
    assert scene is not None
    objects = {name: spec.model_dump() for name, spec in scene.model.objects.items()}
    bodies = read(objects, scene.model.bodies)
    names = {
        name: own
        for own, spec in scene.model.objects.items()
        if spec.body is not None
        for name in (own, *spec.also)
    }
    assert set(layout.objects) == set(names) - {"shelf"}
    for name, point in layout.objects.items():
        x, y, _ = bodies.where(names[name])
        assert math.dist(point[:2], (x, y)) < 0.3, name
