"""Reward primitives on states worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from treec_learning import primitives as p
from treec_learning.names import ARGUMENTS, HIGHEST


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # halfway: 1/2 (1 - 0.5 + 1 - tanh 0.2)
        (p.closing_in(np.array(0.2), np.array(0.4)), 0.5 * (0.5 + 1 - math.tanh(0.2))),
        (p.closing_in(np.array(0.0), np.array(0.4)), 1.0),
        (p.obj_horizon(np.array(0.0)), 1.0),
        (p.obj_horizon(np.array(-0.1)), 1 - math.tanh(0.8)),
        (p.joint_qpos(np.array(0.3), np.array(0.0), np.array(1.2), 1.0), 0.25),
        (p.joint_qpos(np.array(0.3), np.array(0.0), np.array(1.2), 0.0), 0.75),
        (p.joint_qpos(np.array(9.0), np.array(0.0), np.array(1.2), 1.0), 1.0),
        (p.ee_height(np.array(1.0), np.array(1.02)), 0.6),
        (p.ee_height(np.array(1.0), np.array(2.0)), 0.0),
        (p.obj_cut(np.array(1.0), np.array(0.0)), 0.5),
        (p.obj_pour(np.array(1.0), np.array(0.0), np.array(0.0)), 2 / 3),
        (
            p.ee_both(np.array(0.0), np.array(1.0), np.array(1.0), np.array(1.0)),
            0.5 * (1.0 + 0.5 * (1 - math.tanh(1.0))),
        ),
        (p.closeness(np.array(0.5)), math.exp(-0.5) - 1),
        (p.refused(np.array(1.0), np.array(0.3)), -0.3),
        (p.refused(np.array(0.0), np.array(0.3)), 0.0),
    ],
)
def test_formula(value: np.ndarray, expected: float) -> None:
    assert float(value) == pytest.approx(expected)


def test_formulas_take_many_states_at_once() -> None:
    found = p.closing_in(np.array([0.0, 0.2]), np.array([0.4, 0.4]))
    assert found.tolist() == [float(p.closing_in(np.array(d), np.array(0.4))) for d in (0.0, 0.2)]


def test_the_names_that_files_use_are_those_that_there_are() -> None:
    assert set(p.PRIMITIVES) == set(ARGUMENTS)
    assert set(HIGHEST) <= set(ARGUMENTS)
