"""A RealSense camera that is attached: frames come in a thread, `take` returns the newest picture.

Nothing here blocks for longer than it takes to convert one picture; a camera that stalls or is
unplugged is an error with the age of its last frame.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from treec_perception.files import CameraFile, RealSenseSource
from treec_perception.picture import Picture
from treec_perception.realsense.frames import FramePair, FramePairs, FrameReader
from treec_perception.realsense.library import RealSenseError, realsense
from treec_sapien.bodies.pose import Pose

Clock = Callable[[], float]


class CameraStalled(RealSenseError):
    """A camera gives no frames, or none yet; ``age`` is seconds since the last one or the start."""

    def __init__(self, name: str, age: float, *, began: bool) -> None:
        self.age = age
        what = "its last frame is" if began else "it has given no frame for"
        super().__init__(f"the camera '{name}' stalls: {what} {age:.1f} s" + (" old" * began))


class CameraGone(RealSenseError):
    """A camera was unplugged; ``age`` is seconds since its last frame or the start."""

    def __init__(self, name: str, age: float) -> None:
        self.age = age
        super().__init__(f"the camera '{name}' is gone, its last frame is {age:.1f} s old")


def attached(context: Any | None = None) -> list[tuple[str, str]]:
    """Return serial number and model of each camera that is attached."""
    rs = realsense()
    devices = (context or rs.context()).query_devices()
    return [
        (it.get_info(rs.camera_info.serial_number), it.get_info(rs.camera_info.name))
        for it in devices
        if it.supports(rs.camera_info.serial_number)
    ]


class LiveCamera:
    """The camera of a file with `runs: {realsense: …}`."""

    def __init__(
        self,
        spec: CameraFile,
        pose: Pose | None = None,
        *,
        context: Any | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Find the camera and start its streams. Raises RealSenseError if it is not there.

        ``pose`` is its optical frame in the scene; ``context`` is librealsense's, for tests.
        """
        rs = realsense()
        self.spec = spec
        source = spec.runs.realsense or RealSenseSource.model_validate({})
        self._clock = clock
        self._context = context or rs.context()
        self._device = _device(self._context, spec.camera, source.serial)
        self._reader = FrameReader(spec.camera, pose, spatial_filter=source.spatial_filter)
        self._pairs = FramePairs(1000.0 / source.fps)
        self._lock = threading.Lock()
        self._newest: FramePair | None = None
        self._last = clock()
        self._gone = False
        self.patience = max(0.5, 5.0 / source.fps)
        self._context.set_devices_changed_callback(self._on_change)
        self._sensors = _open(self._device, spec, source.fps, self._on_frame)

    def _on_frame(self, frame: Any) -> None:
        frame.keep()
        with self._lock:
            pair = self._pairs.add(frame)
            if pair is not None:
                self._newest, self._last = pair, self._clock()

    def _on_change(self, info: Any) -> None:
        if info.was_removed(self._device):
            self._gone = True

    @property
    def age(self) -> float:
        """Seconds since the newest frame, or since the start."""
        return self._clock() - self._last

    def take(self) -> Picture:
        """Return the newest picture. Raises CameraStalled, CameraGone, RealSenseError."""
        with self._lock:
            pair, age = self._newest, self._clock() - self._last
        if self._gone:
            raise CameraGone(self.spec.camera, age)
        if pair is None or age > self.patience:
            raise CameraStalled(self.spec.camera, age, began=pair is not None)
        return self._reader.picture(pair)

    def wait(self, seconds: float = 5.0) -> Picture:
        """Return the first picture that comes. Raises CameraStalled after ``seconds``."""
        until = self._clock() + seconds
        while True:
            try:
                return self.take()
            except CameraStalled:
                if self._clock() >= until:
                    raise
                threading.Event().wait(0.01)

    def close(self) -> None:
        """Stop its streams."""
        for sensor in self._sensors:
            with suppress(RuntimeError):  # it may be gone
                sensor.stop()
                sensor.close()
        self._sensors = []

    def __enter__(self) -> LiveCamera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _device(context: Any, name: str, serial: str | None) -> Any:
    rs = realsense()
    devices = list(context.query_devices())
    if not devices:
        raise RealSenseError(f"the camera '{name}': no RealSense camera is attached")
    known = {it.get_info(rs.camera_info.serial_number): it for it in devices}
    listed = ", ".join(sorted(known))
    if serial is not None:
        if serial not in known:
            raise RealSenseError(
                f"the camera '{name}': no RealSense camera has the serial number {serial}; "
                f"attached: {listed}"
            )
        return known[serial]
    if len(known) > 1:
        raise RealSenseError(
            f"the camera '{name}': {len(known)} RealSense cameras are attached ({listed}): "
            "give the 'serial' of the one that is meant"
        )
    return devices[0]


def _open(device: Any, spec: CameraFile, fps: int, on_frame: Callable[[Any], None]) -> list[Any]:
    rs = realsense()
    wanted = {rs.stream.color: (rs.format.rgb8, rs.format.bgr8), rs.stream.depth: (rs.format.z16,)}
    chosen: dict[int, tuple[Any, list[Any]]] = {}
    for kind, formats in wanted.items():
        sensor, profile = _profile(device, spec, fps, kind, formats)
        chosen.setdefault(id(sensor), (sensor, []))[1].append(profile)
    for sensor, profiles in chosen.values():
        sensor.open(profiles)
        sensor.start(on_frame)
    return [sensor for sensor, _ in chosen.values()]


def _profile(
    device: Any, spec: CameraFile, fps: int, kind: Any, formats: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Return the sensor and profile for a stream; depth may have another size than colour."""
    offered: list[str] = []
    best: tuple[Any, Any] | None = None
    for sensor in device.query_sensors():
        for profile in sensor.get_stream_profiles():
            if profile.stream_type() != kind or profile.format() not in formats:
                continue
            video = profile.as_video_stream_profile()
            size = [video.width(), video.height()]
            offered.append(f"{size[0]} × {size[1]} at {video.fps()}")
            if video.fps() != fps:
                continue
            if size == spec.size:
                return sensor, profile
            if kind == realsense().stream.depth and best is None:
                best = (sensor, profile)
    if best is not None:
        return best
    name = str(kind).split(".")[-1]
    raise RealSenseError(
        f"the camera '{spec.camera}' has no {name} of {spec.size[0]} × {spec.size[1]} at {fps} a "
        f"second; it offers {', '.join(dict.fromkeys(offered)) or 'none'}"
    )
