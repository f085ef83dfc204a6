"""The rules about rewards and learning files: fixtures as those of the core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly
from tests.support.extensions import using
from treec.check import load_rules
from treec_learning.files import HAND_AT_TARGET
from treec_learning.names import HAND_STARTS, REWARDS, STARTS
from treec_learning.shipped import learning_files, reward_files
from treec_learning.term_faults import term_faults

HERE = Path(__file__).parent / "files"
FIXTURES = sorted(HERE.glob("TC*.yaml"))


@pytest.fixture(autouse=True, scope="module")
def _no_system() -> Iterator[None]:
    with using(without=("mosaic", "dag_plan")):
        yield


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    assert_prints_exactly(path, tmp_path / "library")


def test_every_rule_has_a_fixture() -> None:
    own = {rule.code for rule, of in load_rules() if of.__module__.startswith("treec_learning.")}
    assert own
    assert own <= {path.stem for path in FIXTURES}


def test_the_names_that_the_check_knows_are_those_of_treec_s_files() -> None:
    assert sorted(REWARDS) == sorted(reward_files())


def test_treec_s_own_files_have_no_fault() -> None:
    for reward in reward_files().values():
        assert list(term_faults(reward)) == [], reward.reward
    for learning in learning_files().values():
        assert learning.reward in REWARDS
        of_hands = learning.environment == HAND_AT_TARGET
        assert set(learning.all_starts()) <= set(HAND_STARTS if of_hands else STARTS)
