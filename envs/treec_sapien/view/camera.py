"""A pinhole camera in the scene: its pose, projection and rays.

The **optical frame**: +z out of the lens, +x to the right in the picture, +y down. Pixel (0, 0) is
the upper left one and its middle is at (0.5, 0.5). Depth is metres along the optical axis, not
along the ray.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from treec_sapien.bodies.pose import Pose, frame

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """Its pose in the scene's frame and its intrinsics in pixels."""

    pose: Pose
    fx: float
    fy: float
    cx: float
    cy: float
    width: int
    height: int

    @classmethod
    def looking(
        cls,
        eye: Sequence[float] | Floats,
        at: Sequence[float] | Floats,
        size: tuple[int, int] = (320, 240),
        angle: float = 50.0,
    ) -> Camera:
        """Return a camera at ``eye`` looking at ``at``; ``angle`` is the vertical view (deg)."""
        x, y, z = (float(a) - float(b) for a, b in zip(at, eye, strict=True))
        gaze = (x, y, z)
        down = (0.0, 0.0, -1.0) if abs(gaze[0]) + abs(gaze[1]) > 1e-6 else (0.0, -1.0, 0.0)
        width, height = size
        f = height / 2 / math.tan(math.radians(angle) / 2)
        pose = Pose((float(eye[0]), float(eye[1]), float(eye[2])), frame(gaze, down))
        return cls(pose, f, f, width / 2, height / 2, width, height)

    def resize(self, factor: float) -> Camera:
        """Return the same view at another size."""
        return replace(
            self,
            fx=self.fx * factor,
            fy=self.fy * factor,
            cx=self.cx * factor,
            cy=self.cy * factor,
            width=round(self.width * factor),
            height=round(self.height * factor),
        )

    def shift(self, x: float, y: float) -> Camera:
        """Return the camera with its picture shifted by pixels to the right and down."""
        return replace(self, cx=self.cx + x, cy=self.cy + y)

    @property
    def turn(self) -> Floats:
        """The rotation from the optical frame to the scene's, 3 × 3."""
        turn: Floats = matrices(np.array([self.pose.q]))[0]
        return turn

    @property
    def eye(self) -> Floats:
        """Its position."""
        return np.array(self.pose.p)

    def pixels(self, points: Floats) -> Floats:
        """Project points of the scene (…, 3) to x and y in the picture and depth (…, 3).

        What is behind the camera has a negative depth and no position in the picture.
        """
        local = (points - self.eye) @ self.turn
        depth = local[..., 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            x = self.cx + self.fx * local[..., 0] / depth
            y = self.cy + self.fy * local[..., 1] / depth
        return np.stack([x, y, depth], axis=-1)

    def towards(self, x: Floats, y: Floats) -> Floats:
        """Return the directions (…, 3) of picture positions, in the scene's frame and 1 m deep."""
        optical = np.stack(
            [(x - self.cx) / self.fx, (y - self.cy) / self.fy, np.ones_like(x)], axis=-1
        )
        rays: Floats = optical @ self.turn.T
        return rays

    def points(self, depth: npt.NDArray[np.float32]) -> Floats:
        """Return the points of the scene (height, width, 3) that a depth picture shows."""
        y, x = np.mgrid[0 : self.height, 0 : self.width] + 0.5
        points: Floats = self.eye + self.towards(x, y) * depth[..., None].astype(np.float64)
        return points


def matrices(q: Floats) -> Floats:
    """Return unit quaternions (n, 4; w first) as rotation matrices (n, 3, 3)."""
    w, x, y, z = np.asarray(q, np.float64).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
