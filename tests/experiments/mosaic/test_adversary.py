"""Attacks through reasons that exist, at the moments of the scenarios."""

from __future__ import annotations

import pytest

from experiments.mosaic.attacks import ATTACKS, attack_runs
from tests.support.tiers import many
from tests.systems.mosaic.adversary.adversary import _library


@pytest.mark.thorough
def test_no_attack_gets_through_and_each_kind_was_tried() -> None:
    report = attack_runs(_library(), seed=3, attempts=many(400, 250))
    assert report.through == []
    assert {name for name, count in report.counts.items() if count.tried} == {
        attack.__name__ for attack in ATTACKS
    }


@pytest.mark.slow
def test_the_same_seed_makes_the_same_attacks() -> None:
    one, other = (attack_runs(_library(), seed=5, attempts=20) for _ in range(2))
    assert one == other
