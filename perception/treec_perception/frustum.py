"""What a fixed camera can see of a body, in plain Python, for `treec check`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from treec.frozen import frozen
from treec_perception.files import CameraFile, CameraPose
from treec_sapien.bodies.pose import Pose, Vector, frame
from treec_sapien.bodies.scene import PlacedBody, body_of, pose_of
from treec_sapien.bodies.solid import solid

DENSITY = 5
"""Points along each edge of a solid's bounding box at which it is looked for."""


def pose_of_camera(pose: CameraPose) -> Pose:
    """Return the optical frame (+z out of the lens, +y down) of a fixed camera in the scene's."""
    ex, ey, ez = pose.eye
    x, y, z = (a - b for a, b in zip(pose.looks_at, pose.eye, strict=True))
    down = (0.0, 0.0, -1.0) if abs(x) + abs(y) > 1e-6 else (0.0, -1.0, 0.0)
    return Pose((ex, ey, ez), frame((x, y, z), down))


def sample(spec: Mapping[str, Any], packages: Sequence[str]) -> list[Vector]:
    """Return points of an object's solids in the scene; none if it has no valid body."""
    body = spec.get("body")
    if body is None or "of" in body or spec.get("pose") is None:
        return []
    try:
        placed = PlacedBody(body_of(body, packages), pose_of(spec))
    except (ValueError, KeyError, TypeError, ImportError):  # reported by TC801
        return []
    steps = [at / (DENSITY - 1) for at in range(DENSITY)]
    points: list[Vector] = []
    for link, pose in placed.solids():
        for shape in link.shapes:
            it = solid(shape, pose)
            for u, v, w in product(steps, steps, steps):
                x, y, z = (
                    a + t * (b - a) for t, a, b in zip((u, v, w), it.low, it.high, strict=True)
                )
                points.append((x, y, z))
    return points


@frozen
class Frustum:
    """A pinhole camera's field of view and range of depth."""

    pose: Pose
    camera: CameraFile

    @classmethod
    def of(cls, camera: CameraFile) -> Frustum:
        """Return that of a fixed camera. Raises ValueError for one that has no pose."""
        if camera.pose is None:
            raise ValueError("the camera has no fixed pose")
        return cls(pose_of_camera(camera.pose), camera)

    def project(self, point: Vector) -> Vector:
        """Return a point's x and y in the picture (pixels) and its depth (m); behind it: ≤ 0."""
        x, y, z = self.pose.inverse().apply(point)
        if z <= 0:
            return (0.0, 0.0, z)
        lens = self.camera.lens
        return (lens.cx + lens.fx * x / z, lens.cy + lens.fy * y / z, z)

    def miss(self, points: Iterable[Vector]) -> str | None:
        """Return why none of the points is seen; None if one is."""
        width, height = self.camera.size
        nearest, farthest = self.camera.range
        depths: list[float] = []
        before = 0
        for point in points:
            x, y, z = self.project(point)
            before += z > 0
            if z > 0 and 0 <= x < width and 0 <= y < height:
                if nearest <= z <= farthest:
                    return None
                depths.append(z)
        if not before:
            return "it is behind the camera"
        if not depths:
            return "it is outside the picture"
        where = f"{min(depths):.2f} to {max(depths):.2f} m away"
        return (
            f"it is {where}, and the depth ends at {farthest:g} m"
            if min(depths) > farthest
            else f"it is {where}, and the depth begins at {nearest:g} m"
        )
