"""Pictures and recordings of a made-up camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from treec_perception.picture import Picture
from treec_perception.realsense.recording import RecordingWriter
from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera

SMALL = Camera(Pose(), 100.0, 100.0, 40.0, 30.0, 80, 60)


def pictures(count: int, camera: Camera = SMALL, fps: int = 30) -> list[Picture]:
    """Pictures of noise: each differs from all others."""
    rng = np.random.default_rng(7)
    shape = (camera.height, camera.width)
    return [
        Picture(
            "made_up",
            rng.integers(0, 256, (*shape, 3), dtype=np.uint8),
            rng.uniform(0.3, 4.0, shape).astype(np.float32),
            camera,
            number / fps,
        )
        for number in range(count)
    ]


def recording(path: Path, count: int = 8, camera: Camera = SMALL, fps: int = 30) -> list[Picture]:
    """Write a recording; return its pictures."""
    made = pictures(count, camera, fps)
    with RecordingWriter(path, camera, "made_up", fps) as recorder:
        for picture in made:
            recorder.write(picture)
    return made
