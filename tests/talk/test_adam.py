"""Steps of Adam: how long they are, where they end, and in which precision."""

from __future__ import annotations

import numpy as np
import pytest

from tests.talk.adam import Adam


def test_the_first_step_is_as_long_as_the_rate_however_steep_the_slope() -> None:
    weights = np.zeros(3)
    Adam(weights, 0.05).step(np.array([1e-3, -7.0, 0.0]))
    assert weights == pytest.approx([-0.05, 0.05, 0.0], rel=1e-4)


def test_it_ends_where_nothing_slopes() -> None:
    weights = np.zeros(2)
    adam = Adam(weights, 0.1)
    for _ in range(500):
        adam.step(weights - np.array([2.0, -1.0]))
    assert weights == pytest.approx([2.0, -1.0], abs=1e-3)


def test_weights_keep_their_precision() -> None:
    weights = np.zeros((2, 2), np.float32)
    Adam(weights, 0.3, new=0.01, tiny=1e-7).step(np.ones((2, 2), np.float32))
    assert weights.dtype == np.float32
