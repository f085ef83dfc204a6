"""A name that is misspelt where it is declared is one message, at that place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from treec.check import check_library
from treec.files.library import load_library

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("envs/warehouse.domain.yaml", "  near:", "  nera:"),
        ("envs/warehouse.domain.yaml", "  Crate:", "  Crtae:"),
        ("envs/warehouse.domain.yaml", "suggestions:", "suggetsions:"),
        ("envs/warehouse.scene.yaml", "  dock:", "  dokc:"),
        ("envs/scout.agent.yaml", "agent: Scout", "agent: Scuot"),
        ("skills/charge/charge.skill.yaml", "level: number", "leevl: number"),
        ("tasks/fetch.task.yaml", "crate: Crate", "crtae: Crate"),
        ("trees/charge_when_low.tree.yaml", "item: level", "item: leevl"),
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
