"""The library is right, and every scenario ends as it expects."""

from pathlib import Path

import pytest

import treec

lib = treec.open(Path(__file__).parents[1])


def test_the_library_has_no_errors() -> None:
    assert lib.check().ok, str(lib.check())


@pytest.mark.parametrize("name", lib.names("scenario"))
def test_the_scenario_ends_as_it_expects(name: str) -> None:
    result = lib.run(lib["scenario", name].model.system, scenario=name)
    assert result.ok, str(result)
