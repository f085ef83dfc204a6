"""SAPIEN's environment and workers pass the trials of `treec check --deep`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import ROOT
from treec.api.find import find_library
from treec_sapien.dual_kitchen.doors import Open
from treec_testing import check_environment, check_worker


def test_a_worker_is_cancelled_before_it_is_started() -> None:
    outcome = Open().cancel()
    assert (outcome.ok, str(outcome.failure)) == (False, "cancelled")


@pytest.mark.thorough
def test_the_environment_passes() -> None:
    check_environment("sapien", library=ROOT)


@pytest.mark.slow
@pytest.mark.parametrize("skill", [entry.name for entry in find_library(ROOT).of_kind("skill")])
def test_the_workers_of_a_skill_pass(skill: str) -> None:
    check_worker(skill, library=ROOT)
