"""Rules about problems, and what of a problem the kept check depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_cache import checks, errors
from tests.check.test_fixtures import assert_prints_exactly
from treec.cli import main

__all__ = ["checks"]


FIXTURES = sorted((Path(__file__).parent / "files").glob("TC*.yaml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    assert_prints_exactly(path, tmp_path / "library")


def test_a_graph_that_a_problem_names_counts(tmp_path: Path, checks: list[Path]) -> None:
    root = tmp_path / "two_arms"
    assert main(["init", str(root), "--from", "dag_plan"]) == 0
    elsewhere = tmp_path / "graph.yaml"
    (root / "tasks/juice.yaml").rename(elsewhere)
    problem = root / "tasks/juice.problem.yaml"
    text = problem.read_text("utf-8")
    problem.write_text(text.replace("graph: tasks/juice.yaml", f"graph: {elsewhere}"), "utf-8")
    assert [errors(root), errors(root), len(checks)] == [[], [], 1]
    elsewhere.write_text(elsewhere.read_text("utf-8").replace("[3]", "[9]"), "utf-8")
    assert errors(root) == ["TC608"]
