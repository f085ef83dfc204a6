"""Patterns for the paths of nodes."""

from __future__ import annotations

import pytest

from treec.run.node_patterns import fits

WAIT = "main/robot_worker[Hauler]/sequence/wait"


@pytest.mark.parametrize(
    "pattern",
    [WAIT, "wait", "sequence/wait", "*/wait", "main/*", "robot_worker[Hauler]/sequence/wait"],
)
def test_a_path_or_its_end_fits(pattern: str) -> None:
    """Brackets are an instance's as `treec render` shows them, not a choice of letters."""
    assert fits(pattern, WAIT)


@pytest.mark.parametrize(
    "pattern", ["ait", "sequence", "main", "robot_worker[Scout]/sequence/wait", "WAIT"]
)
def test_another_path_does_not_fit(pattern: str) -> None:
    assert not fits(pattern, WAIT)


def test_a_pattern_may_choose_an_instance() -> None:
    assert fits("robot_worker[Hauler]/*", WAIT)
    assert not fits("robot_worker[Scout]/*", WAIT)
    assert fits("robot_worker*/wait", WAIT)
