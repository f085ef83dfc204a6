"""What gives a camera's pictures in a run: the simulated scene, a RealSense, or a recording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol

from treec_perception.files import CameraFile
from treec_perception.picture import Picture
from treec_perception.simulated import CameraStage, SimulatedCamera, camera_pose
from treec_sapien.bodies.pose import Pose, Vector

SourceName = Literal["sapien", "realsense", "recording"]


class NoPicture(Exception):
    """A camera gives no picture; the message says why."""


class PictureSource(Protocol):
    """A camera that takes pictures."""

    def take(self, seed: int, time: float, towards: Vector | None) -> Picture | None:
        """Return a picture; None if the place ``towards`` is not in view.

        ``time`` is seconds of run time; the picture's own is when it was taken, which is earlier
        for a real camera's newest frame, and for a recording. Raises NoPicture.
        """

    def close(self) -> None:
        """Release the camera."""


def source_of(spec: CameraFile, *, simulated: bool) -> SourceName | None:
    """Return which of a file's sources is used, in a run with simulated bodies or without."""
    if simulated and spec.runs.sapien is not None:
        return "sapien"
    if spec.runs.realsense is not None:
        return "realsense"
    return "recording" if spec.runs.recording is not None else None


def open_source(
    spec: CameraFile, name: SourceName, stage: CameraStage | None, root: Path
) -> PictureSource:
    """Open a camera; ``root`` is where paths of recordings begin.

    ``stage`` is the simulated scene. Raises NoPicture if the camera or the recording is not there.
    """
    if name == "sapien":
        assert stage is not None
        return _Simulated(spec, stage)
    from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable

    try:
        return _Attached(spec, stage) if name == "realsense" else _Recorded(spec, stage, root)
    except (RealSenseError, RealSenseUnavailable) as error:
        raise NoPicture(str(error)) from None


def in_view(picture: Picture, point: Vector, range_: list[float]) -> bool:
    """Whether a point of the scene is in a picture, and between the nearest and farthest depth."""
    import numpy as np

    seen = picture.camera
    if seen is None:
        return True
    x, y, z = seen.pixels(np.array(point))
    near, far = range_
    return bool(near < z < far and 0 <= x < seen.width and 0 <= y < seen.height)


class _Simulated:
    def __init__(self, spec: CameraFile, stage: CameraStage) -> None:
        self._camera = SimulatedCamera(spec, stage)

    def take(self, seed: int, time: float, towards: Vector | None) -> Picture | None:
        if towards is not None and not self._camera.sees(towards):
            return None
        return self._camera.take(seed, time, towards)

    def close(self) -> None:
        pass


def _place(spec: CameraFile, stage: CameraStage | None) -> Pose:
    """Return where a real camera is. Raises NoPicture for one on a link that nobody tells."""
    if spec.pose is None and stage is None:
        assert spec.mounted is not None
        raise NoPicture(
            f"the camera '{spec.camera}' is on {spec.mounted.link} of {spec.mounted.agent}: "
            "the environment does not tell where that is (link_pose)"
        )
    try:
        return camera_pose(spec, stage.link_pose if stage is not None else _no_link)
    except KeyError as error:
        raise NoPicture(f"the camera '{spec.camera}': no pose of {error.args[0]}") from None


def _no_link(agent: str, link: str) -> Pose:
    raise KeyError(f"{link} of {agent}")


class _Attached:
    """A RealSense; where it is, is asked at each picture."""

    def __init__(self, spec: CameraFile, stage: CameraStage | None) -> None:
        from treec_perception.realsense.live import LiveCamera

        self._spec, self._stage = spec, stage
        self._camera = LiveCamera(spec, _place(spec, stage))
        self._began = False

    def take(self, seed: int, time: float, towards: Vector | None) -> Picture | None:
        from treec_perception.realsense.library import RealSenseError

        try:
            picture = self._camera.take() if self._began else self._camera.wait()
        except RealSenseError as error:
            raise NoPicture(str(error)) from None
        self._began = True
        assert picture.camera is not None
        camera = replace(picture.camera, pose=_place(self._spec, self._stage))
        picture = replace(picture, camera=camera, time=time - self._camera.age)
        if towards is not None and not in_view(picture, towards, self._spec.range):
            return None
        return picture

    def close(self) -> None:
        self._camera.close()


class _Recorded:
    """A recording: the picture that was taken as long after its first as the run is old."""

    def __init__(self, spec: CameraFile, stage: CameraStage | None, root: Path) -> None:
        source = spec.runs.recording
        assert source is not None
        self._spec, self._pose = spec, _place(spec, stage)
        self._pictures = self._open(root / source.file)
        self._now = next(self._pictures, None)
        if self._now is None:
            raise NoPicture(f"{source.file} has no picture with colour and depth")
        self._first = self._now.time
        self._ahead: Picture | None = None

    def _open(self, path: Path) -> Iterator[Picture]:
        from treec_perception.realsense.recording import Playback

        return iter(Playback(path, self._pose, name=self._spec.camera))

    def take(self, seed: int, time: float, towards: Vector | None) -> Picture | None:
        from treec_perception.realsense.library import RealSenseError

        try:
            while True:
                self._ahead = self._ahead or next(self._pictures, None)
                if self._ahead is None or self._ahead.time - self._first > time:
                    break
                self._now, self._ahead = self._ahead, None
        except RealSenseError as error:
            raise NoPicture(str(error)) from None
        assert self._now is not None
        if towards is not None and not in_view(self._now, towards, self._spec.range):
            return None
        return replace(self._now, time=self._now.time - self._first)

    def close(self) -> None:
        close = getattr(self._pictures, "close", None)
        if close is not None:
            close()
