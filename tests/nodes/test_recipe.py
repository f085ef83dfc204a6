from __future__ import annotations

from pathlib import Path

from py_trees.common import Status

from tests.support.bench import Bench
from tests.support.files import tree


def test_its_subtasks_become_work_until_all_are_done_or_dropped(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("recipe: Salad\nonce: true"))
    assert b.tick() is Status.RUNNING
    assert [(s.id, s.ready) for s in b.team.subtasks] == [("get pepper", True), ("get salt", False)]
    assert b.world.state["recipe_name"] == "Salad"
    b.emit("subtask.done", subtask="get pepper")
    assert b.tick() is Status.RUNNING
    b.emit("subtask.dropped", subtasks=["get salt"])
    assert b.tick() is Status.SUCCESS


def test_it_is_set_once(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("recipe: Salad"))
    b.tick(3)
    assert len(b.told("recipe.set")) == 1


def test_a_subtask_that_the_other_recipe_takes_along_is_work_again(tmp_path: Path) -> None:
    other = "recipe: Pepper\nsubtasks:\n  get pepper: {}\n"
    b = Bench(tmp_path, {**tree("recipe: Pepper"), "pack/Pepper.recipe.yaml": other})
    b.emit("recipe.set", name="Salad")
    b.emit("subtask.added", id="get pepper", words="get pepper", task="get", recipe="Salad")
    b.tick()
    assert b.team.now.subtasks["get pepper"].status == "waiting"
    assert b.team.now.subtasks["get pepper"].recipe == "Pepper"


def test_an_unknown_recipe_is_a_failure(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("recipe: Moon"))
    assert b.tick() is Status.FAILURE
    assert b.told("node.failed")[0].data["reason"] == "unknown recipe 'Moon'"


def test_a_recipe_of_another_pack_is_reached_by_pack_and_name(tmp_path: Path) -> None:
    other = "recipe: Pepper\nsubtasks:\n  get pepper: {}\n"
    b = Bench(tmp_path, {**tree("recipe: helper/Pepper"), "helper/Pepper.recipe.yaml": other})
    assert b.tick() is Status.RUNNING
    assert [subtask.id for subtask in b.team.subtasks] == ["get pepper"]


def test_a_library_gives_models_more_time_than_a_prompt(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("recipe: Salad"))
    assert (b.run.runtime.answer_timeout(None), b.run.runtime.answer_timeout(60.0)) == (20.0, 60.0)
    settings = {"treec.toml": '[model]\ntimeout = "2m"\n'}
    slow = Bench(tmp_path / "slow", {**tree("recipe: Salad"), **settings})
    assert slow.run.runtime.answer_timeout(60.0) == 120.0
