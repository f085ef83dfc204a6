"""Lies and truths of a model in MOSAIC and in the warehouse: none is said, none costs an action."""

from __future__ import annotations

import pytest

from experiments.statements.measure import SETS, measure, table
from tests.support.tiers import many


@pytest.mark.few(0, thorough=1)
@pytest.mark.parametrize("name", sorted(SETS, reverse=True))
def test_lies_are_stopped_truths_are_said_and_no_words_cost_the_action(name: str) -> None:
    found = measure(name, every=many(1, 12))
    assert (found.said, found.cost) == ([], [])
    assert len(found.refused) <= found.truths // 50
    assert found.lies + found.truths > many(100, 8)
    assert f"| {name} | {found.lies} of {found.lies} |" in table({name: found})
