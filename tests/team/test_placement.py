"""Work that is added while a recipe is under way gets its place in the order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.events import happening
from tests.support.files import KITCHEN, tree
from treec.world.events import Commit, EventRefused
from treec_asking.bind import bind

GET = f"{KITCHEN['pack/get.task.yaml'].rstrip()}\ngoal: at(item) == 'table'\n"
LOAD = """\
task: load
about: Put one thing into another.
args: {item: Item, into: Item}
says: [load <item> into <into>]
steps: |
  pick(item)
"""
SHIP = """\
task: ship
about: Send something away.
args: {item: Item}
says: [ship <item>]
steps: |
  pick(item)
"""
SCENE = """\
scene: kitchen
domain: kitchen
objects:
  box: {type: Item, at: table}
  crate: {type: Item, at: table}
  sack: {type: Item, at: pantry}
  pepper: {type: Item, at: pantry}
  salt: {type: Item, at: pantry}
  lettuce: {type: Item, at: table}
  pantry: {type: Place}
  table: {type: Place}
"""
ORDER = """\
recipe: Salad
subtasks:
  get pepper: {}
  get salt: {}
  get box: {}
  load pepper into box: {after: [get pepper, get box]}
  load salt into box: {after: [get salt, get box]}
  ship box: {after: [load pepper into box, load salt into box]}
"""


LETTUCE = """\
  get lettuce: {}
  load lettuce into box: {after: [get lettuce]}
"""


def _able(name: str) -> str:
    return KITCHEN[f"pack/{name}.agent.yaml"].replace("can: [get]", "can: [get, load, ship]")


def bench(folder: Path, order: str = ORDER) -> Bench:
    b = Bench(
        folder,
        {
            **tree("check: true"),
            "pack/get.task.yaml": GET,
            "pack/load.task.yaml": LOAD,
            "pack/ship.task.yaml": SHIP,
            "pack/kitchen.scene.yaml": SCENE,
            "pack/Salad.recipe.yaml": order,
            **{f"pack/{name}.agent.yaml": _able(name) for name in ("R1", "R2")},
        },
    )
    do(b, "set_recipe", {"name": "Salad"})
    return b


def do(b: Bench, action: str, given: object) -> None:
    call = bind(b.team, action, given)
    b.world.emit(Commit("action", tuple(call.action.run(b.team, **call.args))), "test")


def after(b: Bench, id: str) -> list[str]:
    return sorted(b.team.now.subtasks[id].after)


@pytest.mark.parametrize(
    "words", ["load sack into box", {"task": "load", "args": {"item": "sack"}}]
)
def test_one_more_of_its_kind_gets_its_place(tmp_path: Path, words: object) -> None:
    b = bench(tmp_path)
    if not isinstance(words, str):
        words = b.team.knowledge.task("load", {"item": "sack"})
    do(b, "assign", {"agent": "R1", "subtasks": [words]})
    assert after(b, "load sack into box") == ["get box", "get sack"]
    assert after(b, "get sack") == []
    assert "load sack into box" in after(b, "ship box")
    new = b.team.now.subtasks["get sack"]
    assert (new.task, dict(new.args), new.recipe) == ("get", {"item": "sack"}, "Salad")


def test_the_robot_waits_with_it_until_it_can_begin(tmp_path: Path) -> None:
    b = bench(tmp_path)
    do(b, "assign", {"agent": "R1", "subtasks": ["load sack into box"]})
    assert b.team.takeable("R1") is None
    b.emit("subtask.done", subtask="get sack")
    b.emit("subtask.done", subtask="get box")
    taken = b.team.takeable("R1")
    assert taken is not None
    assert taken.id == "load sack into box"


def test_what_is_there_already_is_not_added_again(tmp_path: Path) -> None:
    b = bench(tmp_path)
    do(b, "assign", {"agent": "R2", "subtasks": ["get sack"]})
    do(b, "assign", {"agent": "R1", "subtasks": ["load sack into box"]})
    assert [id for id in b.team.now.subtasks if "get sack" in id] == ["get sack"]
    assert after(b, "load sack into box") == ["get box", "get sack"]


def test_what_has_begun_does_not_wait_any_more(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.assign("R1", "ship box")
    b.emit("subtask.started", agent="R1", subtask="ship box")
    do(b, "assign", {"agent": "R2", "subtasks": ["load sack into box"]})
    assert "load sack into box" not in after(b, "ship box")
    assert after(b, "load sack into box") == ["get box", "get sack"]


def test_work_of_another_kind_has_no_place(tmp_path: Path) -> None:
    b = bench(tmp_path)
    do(b, "assign", {"agent": "R1", "subtasks": ["get sack"]})
    new = b.team.now.subtasks["get sack"]
    assert (new.recipe, new.after) == (None, ())
    assert not b.told("subtask.waits")


def test_it_needs_what_most_of_its_kind_need(tmp_path: Path) -> None:
    b = bench(
        tmp_path,
        ORDER.replace("[get salt, get box]", "[get box]").replace(
            "  ship box:",
            "  get lettuce: {}\n  load lettuce into box: {after: [get lettuce]}\n  ship box:",
        ),
    )
    do(b, "assign", {"agent": "R1", "subtasks": ["load sack into box"]})
    assert after(b, "load sack into box") == ["get box", "get sack"]
    assert not b.told("subtask.waits")  # the box is shipped without the lettuce


def test_where_the_recipe_leaves_a_choice_nothing_is_completed(tmp_path: Path) -> None:
    b = bench(tmp_path, ORDER.replace("load salt into box", "load salt into crate"))
    task = b.team.knowledge.task("load", {"item": "sack"})
    with pytest.raises(EventRefused, match="is not a Subtask"):
        bind(b.team, "assign", {"agent": "R1", "subtasks": [task]})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"subtask": "get pepper", "after": ("ship box",)}, "'ship box' itself waits for"),
        ({"subtask": "get pepper", "after": ("get pepper",)}, "'get pepper' itself waits for"),
        ({"subtask": "get pepper", "after": ("get moon",)}, "unknown subtask 'get moon'"),
        ({"subtask": "get salt", "after": ("get pepper",)}, "'get salt' is done"),
    ],
)
def test_an_order_that_cannot_be_is_refused(
    tmp_path: Path, data: dict[str, object], reason: str
) -> None:
    b = bench(tmp_path)
    b.emit("subtask.done", subtask="get salt")
    with pytest.raises(EventRefused, match=reason):
        b.world.emit(happening("subtask.waits", **data), "test")


def test_what_is_there_already_says_nothing_about_fetching(tmp_path: Path) -> None:
    """The lettuce lies on the table: of those that had to be fetched, all were."""
    order = ORDER.replace("  get salt: {}\n", "").replace("[get salt, get box]", "[get box]")
    order = order.replace("load salt", "load lettuce")
    b = bench(tmp_path, order)
    do(b, "assign", {"agent": "R1", "subtasks": ["load sack into box"]})
    assert after(b, "load sack into box") == ["get box", "get sack"]
