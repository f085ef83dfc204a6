"""The errors of a stereo depth camera follow the formula that the module states."""

from __future__ import annotations

import numpy as np
import pytest

from treec_perception.files import NoiseSpec
from treec_perception.noise import exact, noisy

WALL = np.ones((200, 200), np.float32)
FINE = NoiseSpec(step=0.0, dropout=0.0)


@pytest.mark.parametrize("z", [0.5, 1.0, 2.0])
def test_the_error_grows_with_the_square_of_the_distance(z: float) -> None:
    measured = noisy(WALL * z, FINE, 616.0, (0.1, 9.0), seed=1)
    assert measured.std() == pytest.approx(z * z * 0.08 / (616.0 * 0.05), rel=0.05)
    assert measured.mean() == pytest.approx(z, abs=0.001)


def test_disparities_come_in_steps() -> None:
    measured = noisy(WALL, NoiseSpec(dropout=0.0), 616.0, (0.1, 9.0), seed=1)
    disparity = 616.0 * 0.05 / measured
    assert np.allclose(disparity * 32, np.round(disparity * 32), atol=1e-3)


def test_edges_lose_most_of_their_pixels() -> None:
    depth = WALL.copy()
    depth[:, 100:] = 2.0
    measured = noisy(depth, FINE, 616.0, (0.1, 9.0), seed=1)
    assert (measured[:, 99:101] == 0).mean() == pytest.approx(0.6, abs=0.1)
    assert (measured[:, :90] > 0).all()


def test_what_is_out_of_range_has_no_depth() -> None:
    depth = np.array([[0.1, 1.0, 5.0, np.inf]], np.float32)
    assert exact(depth, (0.2, 4.0)).tolist() == [[0.0, 1.0, 0.0, 0.0]]
    quiet = NoiseSpec(subpixel=0.0, step=0.0, edges=0.0, dropout=0.0)
    assert noisy(depth, quiet, 616.0, (0.2, 4.0), 0)[0] == pytest.approx([0, 1, 0, 0], abs=1e-6)


def test_equal_seeds_give_equal_errors() -> None:
    one, same, other = (noisy(WALL, NoiseSpec(), 616.0, (0.1, 9.0), seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()
