"""`treec recipe`: show, check, graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


def test_show(treec: Treec, library: Path) -> None:
    result = treec("recipe", "show", "Caesar Salad", "-L", library)
    assert result.status == 0
    rows = [line.split("  ") for line in result.out.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["subtask", "words", "task", "who can", "after"] in cells
    row = next(row for row in cells if row and row[0] == "pour pepper into bowl")
    assert row[2] == "pour(pepper, bowl)"
    assert "R1" in row[3]
    assert "user" in row[3]
    assert row[4] == "get pepper"


def test_check_tells_of_this_recipe_alone(treec: Treec, library: Path) -> None:
    assert treec("recipe", "check", "Fruit Salad", "-L", library).status == 0
    folder = library / "trees/recipes"
    (folder / "odd.recipe.yaml").write_text(
        "recipe: Odd\nsubtasks:\n  get pepper: {after: [stir bowl]}\n"
        "  stir bowl: {after: [get pepper]}\n  stir pot: {after: [stir bowl]}\n"
        "---\nrecipe: Odder\nsubtasks:\n  gett pepper: {}\n",
        "utf-8",
    )
    result = treec("recipe", "check", "Odd", "-L", library)
    assert result.status == 1
    assert "odd.recipe.yaml:3:24: error TC504" in result.out
    assert "odd.recipe.yaml:5:3: error TC518" in result.out
    assert "gett" not in result.out
    assert "other files: " in result.out
    result = treec("recipe", "check", folder / "odd.recipe.yaml", "-L", library)
    assert "gett" in result.out
    assert treec("recipe", "check", "Fruit Salad", "-L", library).status == 0


def test_check_tells_what_is_wrong_with_a_file_that_cannot_be_read(
    treec: Treec, library: Path
) -> None:
    path = library / "trees/recipes/odd.recipe.yaml"
    path.write_text("recipe: Odd\nsubtask: {}\n", "utf-8")
    result = treec("recipe", "check", "Odd", "-L", library)
    assert result.status == 1
    assert "odd.recipe.yaml:2:1" in result.out
    result = treec("recipe", "show", "Odd", "-L", library)
    assert result.status == 2
    assert "cannot be read" in result.err


@pytest.mark.parametrize("command", ["show", "check", "graph"])
def test_a_recipe_that_there_is_not(treec: Treec, library: Path, command: str) -> None:
    result = treec("recipe", command, "Cesar Salad", "-L", library)
    assert result.status == 2
    assert "did you mean 'Caesar Salad'?" in result.err


def test_graph(treec: Treec, library: Path, tmp_path: Path) -> None:
    assert "stir bowl" in treec("recipe", "graph", "Caesar Salad", "-L", library).out
    for ending in ("svg", "dot", "txt"):
        out = tmp_path / f"x.{ending}"
        assert treec("recipe", "graph", "Caesar Salad", "-o", out, "-L", library).status == 0
        assert "stir bowl" in out.read_text("utf-8") or ending == "svg"
    assert treec("recipe", "graph", "Caesar Salad", "-o", "x.png", "-L", library).status == 2
