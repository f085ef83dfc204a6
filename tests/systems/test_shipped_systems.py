"""The shipped systems beside each other: statuses in their journals, trials of their skills."""

from __future__ import annotations

import pytest

from experiments.skills.cases import SkillSelection, select_trials
from tests.run.test_status_recorder import assert_replayed, ran
from tests.support.library import ROOT
from treec.files.library import load_library


@pytest.mark.parametrize(
    ("system", "scenario"),
    [
        pytest.param("dag_plan", "slipped", marks=pytest.mark.needs_system("dag_plan")),
        pytest.param("dag_plan", "arm_drops_out", marks=pytest.mark.needs_system("dag_plan")),
        pytest.param("mosaic", "slippery", marks=pytest.mark.needs_system("mosaic")),
    ],
)
def test_a_replay_has_the_statuses_that_the_nodes_had(system: str, scenario: str) -> None:
    assert_replayed(*ran(load_library(ROOT), system, scenario))


@pytest.mark.needs_system("mosaic", "dag_plan")
def test_systems_of_the_same_skills_are_tried_once() -> None:
    library = load_library(ROOT)
    cases = select_trials(library, "symbolic", SkillSelection(("both",), ("grasp", "go_to")), 1, 0)
    assert {trial.system for trial in cases.trials} == {"dag_plan", "mosaic"}
