"""Recordings of librealsense: write pictures to one, and play one as pictures.

librealsense 2.59 writes `.db3` (rosbag2 in SQLite) and reads `.bag` (rosbag 1), too. The file has
intrinsics, time stamps and depth units; it has no place of the camera in a scene.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from treec_perception.picture import Picture
from treec_perception.realsense.frames import FramePairs, FrameReader, streams_of
from treec_perception.realsense.library import RealSenseError, realsense
from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera

UNIT = 0.0001
"""Metres of one step of depth in recordings that are written here: 6.5 m fit into 16 bits."""

SUFFIXES = (".db3", ".bag")
"""What librealsense plays."""

AHEAD = 8
"""Frames that are read ahead."""

FIRST = 10.0
"""Seconds to wait for the next frame of a file, before it is given up."""


class RecordingWriter:
    """Writes pictures with depth to a recording, as one camera with two aligned streams.

    librealsense's software device takes the place of the camera; its recorder writes the file.
    """

    def __init__(self, path: Path, camera: Camera, name: str, fps: int) -> None:
        """Create the file. Raises RealSenseError if it cannot be written or is not a `.db3`."""
        rs = realsense()
        if path.suffix != ".db3":
            raise RealSenseError(f"{path}: librealsense writes recordings as .db3")
        if not path.parent.is_dir():
            raise RealSenseError(f"{path}: no folder '{path.parent}'")
        path.unlink(missing_ok=True)
        self._path, self._camera, self._fps = path, camera, fps
        self._device = rs.software_device()
        self._device.register_info(rs.camera_info.name, "treec simulated camera")
        self._device.register_info(rs.camera_info.serial_number, name)
        self._depth, depth = self._stream("Stereo Module", rs.stream.depth, rs.format.z16, 2)
        self._colour, colour = self._stream("RGB Camera", rs.stream.color, rs.format.rgb8, 3)
        self._depth.add_read_only_option(rs.option.depth_units, UNIT)
        same = rs.extrinsics()
        same.rotation, same.translation = [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]
        depth.register_extrinsics_to(colour, same)
        self._profiles = (depth, colour)
        try:
            self._recorder = rs.recorder(str(path), self._device)
        except RuntimeError as error:
            raise RealSenseError(f"{path}: {error}") from None
        self._written = threading.Semaphore(0)
        self._sensors = self._recorder.query_sensors()
        for sensor, profile in zip(self._sensors, self._profiles, strict=True):
            sensor.open(profile)
            sensor.start(lambda frame: self._written.release())
        self.count = 0

    def _stream(self, sensor_name: str, kind: Any, form: Any, size: int) -> tuple[Any, Any]:
        rs = realsense()
        lens = rs.intrinsics()
        lens.width, lens.height = self._camera.width, self._camera.height
        lens.fx, lens.fy = self._camera.fx, self._camera.fy
        lens.ppx, lens.ppy = self._camera.cx - 0.5, self._camera.cy - 0.5
        lens.model, lens.coeffs = rs.distortion.none, [0.0] * 5
        stream = rs.video_stream()
        stream.type, stream.index, stream.uid = kind, 0, size
        stream.width, stream.height, stream.fps = lens.width, lens.height, self._fps
        stream.bpp, stream.fmt, stream.intrinsics = size, form, lens
        sensor = self._device.add_sensor(sensor_name)
        return sensor, sensor.add_video_stream(stream)

    def write(self, picture: Picture) -> None:
        """Append a picture at its time (seconds).

        Raises ValueError for a picture without depth or of another size.
        """
        if picture.depth is None:
            raise ValueError(f"the picture '{picture.name}' has no depth")
        high, wide, _ = picture.colour.shape
        if (wide, high) != (self._camera.width, self._camera.height):
            raise ValueError(f"the picture '{picture.name}' is {wide} × {high}, not as the first")
        steps = np.clip(np.round(picture.depth / UNIT), 0, 65535).astype(np.uint16)
        depth, colour = self._profiles
        self._send(self._depth, depth, steps, 2, picture.time)
        self._send(self._colour, colour, np.ascontiguousarray(picture.colour), 3, picture.time)
        for _ in range(2):
            if not self._written.acquire(timeout=FIRST):
                raise RealSenseError(f"{self._path}: librealsense does not take the frame")
        self.count += 1

    def _send(self, sensor: Any, profile: Any, pixels: Any, size: int, seconds: float) -> None:
        rs = realsense()
        frame = rs.software_video_frame()
        frame.pixels, frame.bpp, frame.stride = pixels, size, size * self._camera.width
        frame.timestamp, frame.frame_number = 1000 * seconds, self.count
        frame.domain = rs.timestamp_domain.hardware_clock
        frame.profile = profile.as_video_stream_profile()
        frame.depth_units = UNIT
        sensor.on_video_frame(frame)

    def close(self) -> None:
        """Finish the file."""
        for sensor in self._sensors:
            sensor.stop()
            sensor.close()
        self._sensors = []
        del self._recorder  # writes what is left

    def __enter__(self) -> RecordingWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Playback:
    """A recording, as fast as it is read: each pair of colour and depth is a picture.

    ``pose`` is the camera's optical frame in the scene; without it points are in the camera's own
    frame. Times of pictures are seconds as recorded.
    """

    def __init__(
        self, path: Path, pose: Pose | None = None, *, name: str = "", spatial_filter: bool = False
    ) -> None:
        """Open a file. Raises RealSenseError if librealsense cannot play it."""
        rs = realsense()
        if not path.is_file():
            raise RealSenseError(f"no such recording: {path}")
        if path.stat().st_size == 0:
            raise RealSenseError(f"{path} is empty")
        self._path = path
        self._context = rs.context()
        try:
            self._device = self._context.load_device(str(path))
            self._playback = self._device.as_playback()
            self._playback.set_real_time(False)
            self._playback.pause()  # until both sensors have started: no frame is lost
            self._streams, period = streams_of(self._device.query_sensors(), str(path))
            self.seconds = self._playback.get_duration().total_seconds()
            self.model = self._device.get_info(rs.camera_info.name)
        except RuntimeError as error:
            raise RealSenseError(
                f"{path} is not a recording that librealsense can play: {error}"
            ) from None
        self._pairs = FramePairs(period)
        self._reader = FrameReader(name or path.stem, pose, spatial_filter=spatial_filter)
        self._frames: queue.Queue[Any] = queue.Queue()
        self._read = threading.Event()
        self._closed = threading.Event()
        self._ended = False

    @property
    def dropped(self) -> int:
        """Frames that had no partner so far."""
        return self._pairs.dropped

    def __iter__(self) -> Iterator[Picture]:
        """Yield the pictures in their order, once. Raises RealSenseError if frames stop coming."""
        started = self._start()
        try:
            yield from self._pictures()
        finally:
            self._closed.set()
            if not self._ended:  # at its end librealsense stops the sensors itself
                self._playback.pause()
                for sensor in started:
                    with suppress(RuntimeError):  # it has just ended
                        sensor.stop()
                        sensor.close()

    def _start(self) -> list[Any]:
        rs = realsense()
        by_name: dict[str, tuple[Any, list[Any]]] = {}
        for sensor, profile in self._streams:
            key = sensor.get_info(rs.camera_info.name)
            by_name.setdefault(key, (sensor, []))[1].append(profile)
        self._playback.set_status_changed_callback(self._on_status)
        for sensor, profiles in by_name.values():
            sensor.open(profiles)
            sensor.start(self._on_frame)
        self._playback.resume()
        self._read.set()
        return [sensor for sensor, _ in by_name.values()]

    def _on_frame(self, frame: Any) -> None:
        frame.keep()
        self._put(frame)

    def _on_status(self, status: Any) -> None:
        if status == realsense().playback_status.stopped:
            self._put(None)

    def _put(self, item: Any) -> None:
        self._frames.put(item)
        # librealsense reads on when this returns: wait while enough is read. Not before frames are
        # taken, since its `resume` waits for this, in turn.
        while self._frames.qsize() > AHEAD and self._read.is_set() and not self._closed.is_set():
            self._closed.wait(0.002)

    def _pictures(self) -> Iterator[Picture]:
        while True:
            try:
                frame = self._frames.get(timeout=0.2 if self._ended else FIRST)
            except queue.Empty:
                if self._ended:
                    return
                raise RealSenseError(f"{self._path}: no frame for {FIRST:g} s") from None
            if frame is None:
                self._ended = True  # frames of the other stream may still be on their way
                continue
            pair = self._pairs.add(frame)
            if pair is not None:
                yield self._reader.picture(pair)


def play(
    path: Path, pose: Pose | None = None, on_picture: Callable[[Picture], None] | None = None
) -> int:
    """Play a recording to its end; return how many pictures it has. Raises RealSenseError."""
    number = 0
    for picture in Playback(path, pose):
        number += 1
        if on_picture is not None:
            on_picture(picture)
    return number
