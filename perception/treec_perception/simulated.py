"""Pictures of the cameras of a scene, from the ray caster or SAPIEN's renderer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treec_perception.files import CameraFile, MountSpec
from treec_perception.frustum import pose_of_camera
from treec_perception.noise import exact, noisy
from treec_perception.picture import Picture
from treec_sapien.bodies.pose import Pose, Vector, frame, turn
from treec_sapien.view.camera import Camera
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.rays import RayView
from treec_sapien.view.start_picture import AtStart

_OPTICAL = Pose(q=frame((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)))
"""From a body frame (x forward, z up) to its optical frame (z forward, y down)."""

LEVEL = _OPTICAL
"""The pose of a camera at the origin that looks along x, level."""


class CameraStage(Protocol):
    """A scene that cameras can look at."""

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the pose of a link of an agent's robot. Raises KeyError."""

    def look(self, camera: Camera) -> DepthImage:
        """Return colour, exact depth and segmentation."""


class StartStage:
    """A scene as its file has it, before a run."""

    def __init__(self, start: AtStart) -> None:
        self.start = start
        self._view = RayView(start.stage)

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the pose of a link of an agent's robot. Raises KeyError."""
        return self.start.link_pose(agent, link)

    def look(self, camera: Camera) -> DepthImage:
        """Return colour, exact depth and segmentation."""
        return self._view.picture(camera, self.start.poses)


@dataclass(frozen=True)
class SimulatedCamera:
    """A camera file in a scene."""

    spec: CameraFile
    stage: CameraStage

    def take(self, seed: int, time: float = 0.0, towards: Vector | None = None) -> Picture:
        """Take a picture; a camera that can turn turns ``towards`` a point first.

        ``seed`` draws the errors of depth. Raises KeyError for an unknown agent or link.
        """
        camera = self.camera(towards)
        image = self.stage.look(camera)
        near, far = self.spec.range
        if self.spec.noise is None:
            depth = exact(image.depth, (near, far))
        else:
            depth = noisy(image.depth, self.spec.noise, self.spec.lens.fx, (near, far), seed)
        assert image.rgb is not None
        return Picture(
            self.spec.camera, image.rgb, depth, camera, time, image.ids, dict(image.names)
        )

    def sees(self, point: Vector) -> bool:
        """Whether a point of the scene is in its picture and in range, once it has turned to it."""
        seen = self.camera(point)
        x, y, z = seen.pixels(np.array(point))
        near, far = self.spec.range
        return bool(near < z < far and 0 <= x < seen.width and 0 <= y < seen.height)

    def camera(self, towards: Vector | None = None) -> Camera:
        """Return its present pose and its intrinsics."""
        lens, (width, height) = self.spec.lens, self.spec.size
        pose = camera_pose(self.spec, self.stage.link_pose, towards)
        return Camera(pose, lens.fx, lens.fy, lens.cx, lens.cy, width, height)


def camera_pose(
    spec: CameraFile, link_pose: Callable[[str, str], Pose], towards: Vector | None = None
) -> Pose:
    """Return the optical frame of a camera in the scene's frame."""
    if spec.pose is not None:
        return pose_of_camera(spec.pose)
    assert spec.mounted is not None
    mount = spec.mounted
    link = link_pose(mount.agent, mount.link)
    x, y, z = mount.offset
    base = link @ Pose((x, y, z))
    if mount.frame == "optical":  # to the body frame in which pan and tilt are meant
        base = base @ _OPTICAL.inverse()
    base = base @ Pose(q=turn((1.0, 0.0, 0.0), mount.roll))
    pan, tilt = mount.pan, mount.tilt
    if towards is not None and (mount.pans or mount.tilts):
        pan, tilt = _aim(mount, base.inverse().apply(towards))
    turned = base @ Pose(q=turn((0.0, 0.0, 1.0), pan)) @ Pose(q=turn((0.0, 1.0, 0.0), -tilt))
    return turned @ _OPTICAL


def _aim(mount: MountSpec, point: Vector) -> tuple[float, float]:
    """Return pan and tilt (degrees) towards a point of the mount's body frame, within limits."""
    x, y, z = point
    pan, tilt = mount.pan, mount.tilt
    if mount.pans is not None:
        low, high = mount.pans
        wanted = float(np.degrees(np.arctan2(y, x)))
        turns = [a for a in (wanted - 360.0, wanted, wanted + 360.0) if low <= a <= high]
        pan = turns[0] if turns else min(max(wanted, low), high)
    if mount.tilts is not None:
        low, high = mount.tilts
        tilt = min(max(float(np.degrees(np.arctan2(z, np.hypot(x, y)))), low), high)
    return pan, tilt


def resized(camera: CameraFile, factor: float) -> CameraFile:
    """Return a camera file with smaller pictures."""
    width, height = (max(16, round(side * factor)) for side in camera.size)
    lens = camera.lens
    scaled = lens.model_copy(
        update={key: getattr(lens, key) * factor for key in ("fx", "fy", "cx", "cy")}
    )
    return camera.model_copy(update={"size": [width, height], "lens": scaled})
