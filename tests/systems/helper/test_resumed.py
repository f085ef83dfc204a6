"""HELPER's runs that are cut off go on when they are resumed, with what the robot has learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.bench_resume import WholeRun, record, resume
from tests.support.library import ROOT
from tests.support.tiers import many
from treec.api.prepare import RunSetup
from treec.api.prepare_tree import prepare_any
from treec.files.library import load_library
from treec.world.spec import RunSpec

Cut = tuple[RunSetup, WholeRun]


@pytest.fixture
def whole(tmp_path: Path, request: pytest.FixtureRequest) -> Cut:
    setup = prepare_any(load_library(ROOT), RunSpec(system="helper", scenario=request.param))
    found = record(setup, tmp_path)
    assert found is not None
    return setup, found


@pytest.mark.parametrize("whole", ["plant_is_watered", "pencils_on_the_desk"], indirect=True)
@pytest.mark.few(1)
def test_a_run_that_is_cut_after_any_record_reaches_its_goal(whole: Cut) -> None:
    setup, run = whole
    last = len(run.records) - 1
    for cut in range(2, last + 1, max(1, last // many(16, 5))):
        assert resume(setup, run, cut) is None, f"after record {cut}: {run.records[cut - 1]}"
