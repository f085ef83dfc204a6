"""Frames of librealsense: pair depth with colour, align, filter, and make them a picture.

librealsense counts pixels from the middle of the first one; `Camera` counts from its corner, so the
principal point moves by half a pixel. Depth is metres along the optical axis.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treec_perception.picture import Picture
from treec_perception.realsense.library import RealSenseError, realsense
from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera

KEPT = 8
"""Frames of a stream that wait for one of the other."""


@dataclass(frozen=True)
class FramePair:
    """A colour frame and the depth frame nearest in time, within half a period."""

    colour: Any
    depth: Any

    @property
    def milliseconds(self) -> float:
        """The colour frame's time stamp."""
        return float(self.colour.timestamp)


class FramePairs:
    """Pairs frames of two streams by their time stamps; a frame without a partner is dropped."""

    def __init__(self, period: float) -> None:
        """Take the period of the streams in milliseconds."""
        self._apart = period / 2
        self._waiting: dict[bool, deque[Any]] = {
            True: deque(maxlen=KEPT),
            False: deque(maxlen=KEPT),
        }
        self.dropped = 0

    def add(self, frame: Any) -> FramePair | None:
        """Take a frame; return the pair that it completes, if any."""
        is_depth = frame.is_depth_frame()
        others = self._waiting[not is_depth]
        near = min(others, key=lambda it: abs(it.timestamp - frame.timestamp), default=None)
        if near is None or abs(near.timestamp - frame.timestamp) > self._apart:
            mine = self._waiting[is_depth]
            self.dropped += len(mine) == KEPT
            mine.append(frame)
            return None
        while others[0] is not near:
            others.popleft()
            self.dropped += 1
        others.popleft()
        colour, depth = (near, frame) if is_depth else (frame, near)
        return FramePair(colour, depth)


def intrinsics_of(frame: Any) -> Any:
    """Return the intrinsics of a frame's stream."""
    return frame.profile.as_video_stream_profile().get_intrinsics()


class FrameReader:
    """Makes pictures of pairs: depth is filtered if wanted, then aligned to colour."""

    def __init__(self, name: str, pose: Pose | None, *, spatial_filter: bool) -> None:
        """Take the camera's name and its optical frame in the scene, if it is known."""
        rs = realsense()
        self._name, self._pose = name, pose
        self._filter = rs.spatial_filter() if spatial_filter else None
        self._align: Any = None
        self._set: list[Any] = []
        self._compose = rs.processing_block(self._composite)
        self._queue = rs.frame_queue(2)
        self._compose.start(self._queue)

    def _composite(self, frame: Any, source: Any) -> None:
        source.frame_ready(source.allocate_composite_frame(self._set))

    def picture(self, pair: FramePair) -> Picture:
        """Return the picture of a pair; without a pose its frame is the camera's own.

        Raises RealSenseError if colour has another format than RGB8 or BGR8.
        """
        depth = pair.depth if self._filter is None else self._filter.process(pair.depth)
        lens = intrinsics_of(pair.colour)
        camera = Camera(
            self._pose or Pose(),
            lens.fx,
            lens.fy,
            lens.ppx + 0.5,
            lens.ppy + 0.5,
            lens.width,
            lens.height,
        )
        return Picture(
            self._name,
            self._rgb(pair.colour),
            self._metres(pair.colour, depth),
            camera,
            pair.milliseconds / 1000,
        )

    @staticmethod
    def _rgb(frame: Any) -> Any:
        rs = realsense()
        colour = np.array(np.asanyarray(frame.get_data()), np.uint8)
        kind = frame.profile.format()
        if kind == rs.format.rgb8:
            return colour
        if kind == rs.format.bgr8:
            return np.ascontiguousarray(colour[..., ::-1])
        raise RealSenseError(f"colour is {str(kind).split('.')[-1]}; it must be rgb8 or bgr8")

    def _metres(self, colour: Any, depth: Any) -> Any:
        if not self._coincide(colour, depth):
            depth = self._aligned(colour, depth)
        units = depth.as_depth_frame().get_units()
        return (np.asanyarray(depth.get_data()).astype(np.float64) * units).astype(np.float32)

    @staticmethod
    def _coincide(colour: Any, depth: Any) -> bool:
        """Whether both streams have one lens and one place: librealsense's align leaves holes."""
        a, b = intrinsics_of(colour), intrinsics_of(depth)
        same = all(
            abs(getattr(a, key) - getattr(b, key)) < 1e-3
            for key in ("width", "height", "fx", "fy", "ppx", "ppy")
        )
        if not same:
            return False
        apart = depth.profile.get_extrinsics_to(colour.profile)
        turn = np.array(apart.rotation).reshape(3, 3)
        return bool(
            np.abs(apart.translation).max() < 1e-6 and np.abs(turn - np.eye(3)).max() < 1e-6
        )

    def _aligned(self, colour: Any, depth: Any) -> Any:
        rs = realsense()
        if self._align is None:
            self._align = rs.align(rs.stream.color)
        self._set = [depth, colour]
        self._compose.invoke(depth)
        self._set = []
        both = self._queue.wait_for_frame(1000).as_frameset()
        return self._align.process(both).get_depth_frame()


def streams_of(sensors: Sequence[Any], where: str) -> tuple[list[tuple[Any, Any]], float]:
    """Return each sensor with its colour or depth profile, and the period in milliseconds.

    Of several profiles the first one is taken: in a recording there is one of each.
    Raises RealSenseError if there is no colour or no depth.
    """
    rs = realsense()
    streams: dict[Any, tuple[Any, Any]] = {}
    for sensor in sensors:
        for profile in sensor.get_stream_profiles():
            kind = profile.stream_type()
            if kind in (rs.stream.color, rs.stream.depth):
                streams.setdefault(kind, (sensor, profile))
    for kind, name in ((rs.stream.color, "colour"), (rs.stream.depth, "depth")):
        if kind not in streams:
            raise RealSenseError(f"{where} has no {name} stream")
    fps = min(profile.fps() for _, profile in streams.values()) or 30
    return list(streams.values()), 1000.0 / fps
