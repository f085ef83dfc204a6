"""Times on a path: no joint is too fast, and it begins and ends at rest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from treec_sapien.motion.timing import CONTROL, time_parametrize

PATH = np.array([[0.0, 0.0], [1.0, 0.2], [1.2, -0.8], [0.3, -0.8]])
VELOCITY, ACCELERATION = np.array([1.5, 1.0]), np.array([3.0, 2.0])


def test_no_joint_is_faster_than_it_may_be() -> None:
    rows = np.concatenate([PATH[:1], time_parametrize(PATH, VELOCITY, ACCELERATION)])
    speed = np.diff(rows, axis=0) / CONTROL
    assert np.all(np.abs(speed) <= VELOCITY * 1.02)
    pull = np.diff(speed, axis=0) / CONTROL
    assert np.all(np.abs(pull) <= ACCELERATION * 2.0)  # rounded corners are not exact
    assert np.all(np.abs(speed[0]) < 0.1)
    assert np.all(np.abs(speed[-1]) < 0.1)


def test_it_ends_where_the_path_does() -> None:
    assert time_parametrize(PATH, VELOCITY, ACCELERATION)[-1] == pytest.approx(PATH[-1])


def test_half_the_pace_takes_longer() -> None:
    fast = time_parametrize(PATH, VELOCITY, ACCELERATION)
    slow = time_parametrize(PATH, VELOCITY, ACCELERATION, pace=0.5)
    assert len(slow) > 1.4 * len(fast)


def test_a_path_without_length_is_one_row() -> None:
    assert time_parametrize(PATH[[0, 0]], VELOCITY, ACCELERATION) == pytest.approx(PATH[:1])


def test_an_exact_one_keeps_to_the_path_and_a_rounded_one_does_not() -> None:
    def off(rows: np.ndarray) -> float:
        fine = np.concatenate([np.linspace(a, b, 2000) for a, b in itertools.pairwise(PATH)])
        return float(max(np.min(np.linalg.norm(fine - row, axis=1)) for row in rows))

    assert off(time_parametrize(PATH, VELOCITY, ACCELERATION, exact=True)) < 0.001
    assert off(time_parametrize(PATH, VELOCITY, ACCELERATION)) > 0.01
