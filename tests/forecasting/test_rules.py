"""The rule about forecasters: a fixture as those of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly, check, write_files
from tests.support.extensions import using
from treec.check import load_rules
from treec_forecasting.check import tc871_forecaster_model

FIXTURES = sorted((Path(__file__).parent / "files").glob("TC*.yaml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    with using(without=("mosaic", "dag_plan")):
        assert_prints_exactly(path, tmp_path / "library")


def test_a_forecaster_by_cameras_needs_a_camera(tmp_path: Path) -> None:
    text = "# file: spare/f.forecaster.yaml\nforecaster: f\njoints:\n  camera: {}\n"
    with using(without=("mosaic", "dag_plan")):
        write_files(text, tmp_path / "library")
        found = check(tmp_path / "library")
    assert "f.forecaster.yaml:3:11: error TC872: no camera shows the person" in found


def test_every_rule_has_a_fixture() -> None:
    own = {rule.code for rule, of in load_rules() if of.__module__.startswith("treec_forecasting.")}
    assert own
    assert own <= {path.stem for path in FIXTURES}


def test_the_names_that_the_rule_knows_are_those_that_runs_have() -> None:
    pytest.importorskip("numpy")
    from treec_forecasting import baselines, forecaster

    assert set(tc871_forecaster_model.EXTRAPOLATED) == set(baselines.BASELINES)
    assert forecaster.MADE == tc871_forecaster_model.MADE
