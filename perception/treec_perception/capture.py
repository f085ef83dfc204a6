"""The cameras of a run as a process of its own looks through them: at one moment after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from treec_perception.files import CameraFile
from treec_perception.picture import Picture
from treec_perception.sources import NoPicture, PictureSource, SourceName, open_source
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import SolidStage
from treec_sapien.view.static_camera import SteadyView

Links = dict[tuple[str, str], Pose]
"""The poses of the links that carry cameras, by agent and link."""


def links_of(cameras: Iterable[CameraFile], things: Any, *, simulated: bool) -> Links:
    """Return where the links are that carry cameras, in an environment, as far as it tells."""
    poses: Links = {}
    for mount in (it.mounted for it in cameras if it.mounted is not None):
        if simulated:
            if mount.agent in things.hands:
                pose = things.hands[mount.agent].robot.link(mount.link).entity.pose
                p, q = [float(x) for x in pose.p], [float(x) for x in pose.q]
                at = Pose((p[0], p[1], p[2]), (q[0], q[1], q[2], q[3]))
                poses[mount.agent, mount.link] = at
        elif hasattr(things, "link_pose"):
            with suppress(KeyError):  # the camera then has no place, and says so
                poses[mount.agent, mount.link] = things.link_pose(mount.agent, mount.link)
    return poses


class CameraMoment(Protocol):
    """What a request says of its moment.

    ``poses`` (pieces, 7) are those of the simulated stage's pieces, None where nothing is
    simulated; ``time`` is that of the run (s); cameras that can turn turn ``towards`` a point.
    """

    @property
    def poses(self) -> Floats | None:
        """The poses of all pieces."""

    @property
    def links(self) -> Mapping[tuple[str, str], Pose]:
        """The poses of links with cameras."""

    @property
    def towards(self) -> Vector | None:
        """Where to turn to."""

    @property
    def time(self) -> float:
        """The run's time."""


class CapturedMoment:
    """The scene at the moment of the last request; ``often``: there are many of a second."""

    def __init__(self, stage: SolidStage | None, *, often: bool) -> None:
        self._view: RayView | SteadyView | None = None
        if stage is not None:
            self._view = SteadyView(stage) if often else RayView(stage)
        self.request: CameraMoment | None = None

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the pose of a link. Raises KeyError."""
        links = self.request.links if self.request is not None else {}
        if (agent, link) not in links:
            raise KeyError(f"{link} of {agent}")
        return links[agent, link]

    def look(self, camera: Camera) -> DepthImage:
        """Return colour, exact depth and segmentation."""
        assert self._view is not None
        assert self.request is not None
        assert self.request.poses is not None
        return self._view.picture(camera, self.request.poses)


class OpenCameras:
    """The cameras, each opened when it is first looked through, and again after it failed."""

    def __init__(self, stage: SolidStage | None, root: Path, *, often: bool = False) -> None:
        self._root = root
        self.moment = CapturedMoment(stage, often=often)
        self._open: dict[str, PictureSource] = {}

    def take(self, spec: CameraFile, name: SourceName, seed: int) -> Picture | None:
        """Take a picture at the present moment. Raises NoPicture."""
        request = self.moment.request
        assert request is not None
        try:
            if spec.camera not in self._open:
                self._open[spec.camera] = open_source(spec, name, self.moment, self._root)
            return self._open[spec.camera].take(seed, request.time, request.towards)
        except NoPicture:
            source = self._open.pop(spec.camera, None)
            if source is not None:
                source.close()
            raise

    def close(self) -> None:
        """Release all cameras."""
        while self._open:
            self._open.popitem()[1].close()
