"""A name that is misspelt where it is declared is one message, at that place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from treec.check import check_library
from treec.check.unknown_names import is_slip
from treec.files.library import load_library

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("envs/warehouse.domain.yaml", "  near:", "  nera:"),
        ("envs/warehouse.domain.yaml", "  Crate:", "  Crtae:"),
        ("envs/warehouse.domain.yaml", "suggestions:", "suggetsions:"),
        ("envs/warehouse.scene.yaml", "  dock:", "  dokc:"),
        ("envs/scout.agent.yaml", "agent: Scout", "agent: Scuot"),
        ("skills/charge/charge.skill.yaml", "level: number", "leevl: number"),
        ("skills/drive/drive.skill.yaml", "place: Place", "plcae: Place"),
        ("prompts/operator_talk.reading.yaml", "{proposals: list", "{propsoals: list"),
        ("tasks/fetch.task.yaml", "crate: Crate", "crtae: Crate"),
        ("trees/robot_worker.tree.yaml", "{subtask: Subtask", "{sbutask: Subtask"),
        ("prompts/wait_for_work.action.yaml", "Wait_For_Work", "Wait_Fro_Work"),
        ("prompts/dispatch.decision.yaml", "decision: Dispatch", "decision: Disptach"),
    ],
)
def test_a_misspelt_declaration(tmp_path: Path, path: str, old: str, new: str) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    text = (root / path).read_text("utf-8")
    (root / path).write_text(text.replace(old, new, 1), "utf-8")
    line = text[: text.index(old)].count("\n") + 1
    found = check_library(load_library(root))
    assert (path, line) in {(p.span.path, p.span.line) for p in found}
    (blamed,) = (p for p in found if "is used nowhere" in p.message)
    assert blamed.help is not None
    assert blamed.help.startswith("did you mean '")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("near", "nera", True),
        ("Crate", "crate", True),
        ("crate", "craate", True),
        ("suggestions", "suggestion", True),
        ("dispatcher", "dispotcher", True),
        ("Omelette", "completed", False),
        ("pour honey into pot", "fold honey into bowl", False),
        ("inspect crate 12", "inspect crate 13", False),
        ("R1", "R2", False),
        ("cup", "cap", False),
        ("left", "felt", False),
        ("fetch", "fetched", False),
    ],
)
def test_only_names_that_look_alike_are_slips(one: str, other: str, expected: bool) -> None:
    assert is_slip(one, other) is is_slip(other, one) is expected


def test_a_name_of_another_recipe_is_not_blamed(tmp_path: Path) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    orders = root / "trees/orders"
    (orders / "more.recipe.yaml").write_text(
        "recipe: More\nabout: Crates.\nsubtasks: {look at crates: {do: look at the crates}}\n"
    )
    (orders / "other.recipe.yaml").write_text(
        "recipe: Other\nabout: Crates.\nsubtasks:\n  inspect crate 12: {after: [look at crate]}\n"
        "  inspect crate 31: {after: [look at crate]}\n"
    )
    found = [p.message for p in check_library(load_library(root)) if "look at crate'" in p.message]
    assert found == ["unknown subtask 'look at crate' of this recipe"] * 2


def test_a_misspelt_use_is_told_where_it_is(tmp_path: Path) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    path = "trees/warehouse_main.tree.yaml"
    text = (root / path).read_text("utf-8")
    (root / path).write_text(text.replace("dispatcher", "dispatchre"), "utf-8")
    (found,) = check_library(load_library(root))
    assert (found.span.path, found.message) == (path, "unknown tree 'dispatchre'")
    assert found.help == "did you mean 'dispatcher'?"


def test_an_argument_of_a_subtree_that_is_a_list_is_no_agent(tmp_path: Path) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    path = root / "trees/warehouse_main.tree.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("with: {agent: $agent}}", "with: {agent: [7]}}", 1), "utf-8")
    assert check_library(load_library(root))
