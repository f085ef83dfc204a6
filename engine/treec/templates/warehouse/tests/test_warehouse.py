"""The library and its own Python are right, and every scenario ends as it expects."""

from pathlib import Path

import pytest

import treec

ROOT = Path(__file__).parents[1]

lib = treec.open(ROOT)


def test_the_library_has_no_errors() -> None:
    assert lib.check().ok, str(lib.check())


@pytest.mark.parametrize("name", lib.names("scenario"))
def test_the_scenario_ends_as_it_expects(name: str) -> None:
    result = lib.run(lib["scenario", name].model.system, scenario=name)
    assert result.ok, str(result)


def test_its_worker_and_its_node_class_pass_all_trials() -> None:
    trials = pytest.importorskip("treec_testing", reason="pip install 'treec[testing]'")
    trials.check_worker("charge", library=ROOT)
    trials.check_node("hysteresis", library=ROOT)
