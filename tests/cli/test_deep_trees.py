"""A tree of many levels runs, or is refused by the check with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


def write_chain(folder: Path, trees: int) -> None:
    """Trees that use one another, each in a sequence: a level each, and one for the last node."""
    (folder / "treec.toml").write_text("", "utf-8")
    for n in range(trees):
        text = f"tree: t{n}\nroot:\n  sequence:\n    - tree: t{n + 1}\n"
        (folder / f"t{n}.tree.yaml").write_text(text, "utf-8")
    (folder / f"t{trees}.tree.yaml").write_text(f'tree: t{trees}\nroot: {{check: "true"}}\n')


def test_a_tree_of_a_hundred_levels_runs(treec: Treec, tmp_path: Path) -> None:
    write_chain(tmp_path, 99)
    result = treec("run", "t0", "--fast", "-L", tmp_path, "--runs", tmp_path / "runs")
    assert result.status == 0, result.out + result.err
    assert "SUCCESS" in result.out


@pytest.mark.thorough
@pytest.mark.parametrize("trees", [100, 1000])
def test_a_deeper_tree_is_refused(treec: Treec, tmp_path: Path, trees: int) -> None:
    write_chain(tmp_path, trees)
    result = treec("check", "-L", tmp_path)
    assert result.status == 1
    at = trees - 100
    assert f"t{at}.tree.yaml:4:7: error TC313: the tree 't{at}' is built with more" in result.out
    assert result.out.count("TC313") == 1
