"""A recipe by its name: `treec recipe show`, `treec check`, `treec render`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


def test_show(treec: Treec, library: Path) -> None:
    result = treec("recipe", "show", "Morning Orders", "-L", library)
    assert result.status == 0
    rows = [line.split("  ") for line in result.out.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["subtask", "task", "who can", "after"] in cells
    row = next(row for row in cells if row and row[0] == "fetch crate 31")
    assert row[1:] == ["fetch(crate 31)", "Hauler", "inspect crate 31"]


def test_check_tells_of_this_recipe_alone(treec: Treec, library: Path) -> None:
    right = treec("check", "Morning Orders", "-L", library)
    assert (right.status, right.out) == (0, "Morning Orders: nothing is wrong\n")
    folder = library / "trees/orders"
    (folder / "odd.recipe.yaml").write_text(
        "recipe: Odd\nsubtasks:\n  fetch crate 12: {after: [inspect crate 12]}\n"
        "  inspect crate 12: {after: [fetch crate 12]}\n  charge dock: {after: [fetch crate 12]}\n"
        "---\nrecipe: Odder\nsubtasks:\n  fetsch crate 12: {}\n",
        "utf-8",
    )
    result = treec("check", "Odd", "-L", library)
    assert result.status == 1
    assert "odd.recipe.yaml:3:28: error TC504" in result.out
    assert "odd.recipe.yaml:5:3: error TC518" in result.out
    assert "fetsch" not in result.out
    assert "elsewhere: " in result.out
    result = treec("check", folder / "odd.recipe.yaml", "-L", library)
    assert "fetsch" in result.out
    assert treec("check", "Morning Orders", "-L", library).status == 0


def test_check_tells_what_is_wrong_with_a_file_that_cannot_be_read(
    treec: Treec, library: Path
) -> None:
    path = library / "trees/orders/odd.recipe.yaml"
    path.write_text("recipe: Odd\nsubtask: {}\n", "utf-8")
    result = treec("check", "Odd", "-L", library)
    assert result.status == 1
    assert "odd.recipe.yaml:2:1" in result.out
    other = library / "trees/orders/odder.recipe.yaml"
    other.write_text("recipe: Odder\nabout: More than Odd.\nsubtask: {}\n", "utf-8")
    result = treec("check", "Odd", "-L", library)
    assert "odd.recipe.yaml:2:1" in result.out
    assert "odder.recipe.yaml" not in result.out
    result = treec("recipe", "show", "Odd", "-L", library)
    assert result.status == 1
    assert "odd.recipe.yaml:2:1: error TC101: unknown key 'subtask'" in result.err


@pytest.mark.parametrize("command", [("recipe", "show"), ("check",), ("render",)], ids="-".join)
def test_a_recipe_that_there_is_not(treec: Treec, library: Path, command: tuple[str, ...]) -> None:
    result = treec(*command, "Morning Order", "-L", library)
    assert result.status == 2
    assert "did you mean 'Morning Orders'?" in result.err


def test_graph(treec: Treec, library: Path, tmp_path: Path) -> None:
    assert "fetch crate 31" in treec("render", "Morning Orders", "-L", library).out
    for ending in ("svg", "dot", "txt"):
        out = tmp_path / f"x.{ending}"
        assert treec("render", "Morning Orders", "-o", out, "-L", library).status == 0
        assert "fetch crate 31" in out.read_text("utf-8") or ending == "svg"
    assert treec("render", "Morning Orders", "-o", "x.png", "-L", library).status == 2
