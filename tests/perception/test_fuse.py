"""One point from several cameras."""

from __future__ import annotations

import numpy as np
import pytest

from treec_perception.fuse import fuse


def look(
    camera: str, point: list[float] | None, score: float = 0.5, depth: float = 1.0
) -> dict[str, object]:
    return {
        "camera": camera,
        "found": point is not None,
        "point": point,
        "score": score,
        "depth": depth,
    }


def test_cameras_that_agree_are_averaged() -> None:
    found = fuse([look("a", [0.0, 0.0, 1.0]), look("b", [0.02, 0.0, 1.0])], 0.04)
    assert found is not None
    assert found.point == pytest.approx((0.01, 0.0, 1.0))
    assert (found.cameras, dict(found.apart)) == (("a", "b"), {})


def test_the_nearer_camera_counts_more() -> None:
    found = fuse([look("far", [0.02, 0.0, 1.0], depth=2.0), look("near", [0.0, 0.0, 1.0])], 0.04)
    assert found is not None
    assert found.point[0] == pytest.approx(0.02 / 17)


def test_the_mean_of_noisy_looks_is_better_than_the_best() -> None:
    """Errors as of a stereo camera: their deviation grows with the square of the distance."""
    rng = np.random.default_rng(5)
    best, fused = [], []
    for _ in range(300):
        near, far = rng.normal(0, 0.004, 3), rng.normal(0, 0.008, 3)
        found = fuse([look("near", list(near)), look("far", list(far), depth=1.414)], 0.1)
        assert found is not None
        best.append(np.linalg.norm(near))
        fused.append(np.linalg.norm(found.point))
    assert np.mean(fused) < 0.93 * np.mean(best)


def test_a_camera_that_says_something_else_is_told_and_not_used() -> None:
    found = fuse([look("a", [0.0, 0.0, 1.0]), look("b", [0.3, 0.4, 1.0], 0.4)], 0.04)
    assert found is not None
    assert found.point == (0.0, 0.0, 1.0)
    assert found.cameras == ("a",)
    assert found.apart == {"b": pytest.approx(0.5)}


def test_no_camera_has_a_point() -> None:
    assert fuse([look("a", None), look("b", None)], 0.04) is None
    assert fuse([], 0.04) is None


def test_two_cameras_outweigh_one_that_scores_more() -> None:
    looks = [
        look("near", (0.5, -0.2, 0.8), 0.29),
        look("far", (-0.09, -0.24, 0.8), 0.22),
        look("head", (-0.09, -0.241, 0.8), 0.18),
    ]
    fused = fuse(looks, 0.04)
    assert fused is not None
    assert fused.cameras == ("far", "head")
    assert fused.score == 0.22
    assert fused.apart == pytest.approx({"near": 0.59}, abs=0.01)


def test_a_second_best_proposal_is_confirmed_by_another_camera() -> None:
    second = {"others": [{"point": [-0.092, -0.24, 0.8], "score": 0.21}]}
    looks = [
        {**look("near", (0.5, -0.2, 0.8), 0.29), **second},
        look("far", (-0.09, -0.24, 0.8), 0.22),
    ]
    fused = fuse(looks, 0.04)
    assert fused is not None
    assert fused.cameras == ("far", "near")
    assert fused.apart == {}
    assert fused.point == pytest.approx((-0.091, -0.24, 0.8), abs=0.001)


def test_a_camera_at_another_place_counts_as_another_one() -> None:
    near, right = [0.3, 0.0, 1.0], [0.0, 0.0, 1.0]
    looks = [look("head", near, 0.4), {**look("head", right, 0.3), "place": 1}]
    twice = [*looks, {**look("head", right, 0.3), "place": 2}]
    once, both = fuse(looks, 0.04), fuse(twice, 0.04)
    assert once is not None
    assert both is not None
    assert (once.point, once.cameras) == (tuple(near), ("head",))
    assert both.point == pytest.approx(right)
    assert both.cameras == ("head from place 2", "head from place 3")
    assert both.apart == {"head": pytest.approx(0.3)}
