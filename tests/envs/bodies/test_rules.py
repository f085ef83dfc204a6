"""The rules about bodies and people: fixtures as those of the core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly
from tests.support.extensions import using
from treec.check import load_rules

FIXTURES = sorted((Path(__file__).parent / "files").glob("TC*.yaml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    with using(without=("mosaic", "dag_plan")):
        assert_prints_exactly(path, tmp_path / "library")


def test_every_rule_has_a_fixture() -> None:
    own = {rule.code for rule, of in load_rules() if of.__module__.startswith("treec_sapien.")}
    assert own == {path.stem for path in FIXTURES} - {"TC103"}
