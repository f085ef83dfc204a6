"""What a fixed camera sees, judged in plain Python, agrees with the camera that takes pictures."""

from __future__ import annotations

import numpy as np
import pytest

from treec_perception.files import CameraFile
from treec_perception.frustum import Frustum
from treec_sapien.view.camera import Camera

CAMERA = CameraFile.model_validate(
    {
        "camera": "a",
        "about": "A.",
        "pose": {"eye": [1.4, 0.15, 1.95], "looks_at": [-0.05, 0.0, 0.75]},
    }
)


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.75), (0.3, -0.2, 0.8), (-0.8, 0.4, 0.75)])
def test_projection_agrees_with_the_camera_of_pictures(point: tuple[float, float, float]) -> None:
    frustum = Frustum.of(CAMERA)
    camera = Camera(frustum.pose, 616.0, 616.0, 320.0, 240.0, 640, 480)
    assert frustum.project(point) == pytest.approx(camera.pixels(np.array(point)), abs=1e-6)


def test_what_it_looks_at_is_in_the_middle() -> None:
    x, y, _ = Frustum.of(CAMERA).project((-0.05, 0.0, 0.75))
    assert (x, y) == pytest.approx((320.0, 240.0))


def test_a_camera_has_one_place() -> None:
    with pytest.raises(ValueError, match="either a 'pose' or is 'mounted'"):
        CameraFile.model_validate({"camera": "a", "about": "A."})
