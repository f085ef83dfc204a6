"""Pairs of frames by time, and depth that is aligned to another lens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treec_perception.realsense.frames import KEPT, FramePairs, streams_of
from treec_perception.realsense.library import RealSenseError, realsense
from treec_perception.realsense.recording import Playback


@dataclass
class Frame:
    """A frame with nothing but a time stamp (ms)."""

    timestamp: float
    depth: bool

    def is_depth_frame(self) -> bool:
        return self.depth


def pairs_of(*frames: tuple[str, float]) -> tuple[list[tuple[float, float]], int]:
    pairs = FramePairs(33.0)
    found = [pairs.add(Frame(time, kind == "d")) for kind, time in frames]
    return [(it.colour.timestamp, it.depth.timestamp) for it in found if it], pairs.dropped


def test_frames_are_paired_by_time_not_by_order() -> None:
    both = [("d", 0.0), ("d", 33.0), ("c", 1.0), ("c", 34.0)]
    assert pairs_of(*both) == ([(1.0, 0.0), (34.0, 33.0)], 0)


def test_a_lost_frame_loses_its_partner_alone() -> None:
    lost = [("c", 0.0), ("c", 33.0), ("d", 33.0), ("c", 66.0), ("d", 66.0)]
    assert pairs_of(*lost) == ([(33.0, 33.0), (66.0, 66.0)], 1)


def test_streams_that_are_apart_by_more_than_half_a_period_are_no_pair() -> None:
    assert pairs_of(("c", 0.0), ("d", 20.0))[0] == []


def test_a_stream_that_stops_does_not_pile_up_the_other() -> None:
    alone = [("c", 33.0 * number) for number in range(KEPT + 5)]
    assert pairs_of(*alone) == ([], 5)


def test_both_streams_are_needed() -> None:
    rs = realsense()
    device = rs.software_device()
    device.add_sensor("empty")
    with pytest.raises(RealSenseError, match="the file has no colour stream"):
        streams_of(device.query_sensors(), "the file")


def test_depth_of_another_lens_is_aligned_to_colour(tmp_path: Path) -> None:
    """A step in depth, seen by a depth lens of half the focal length, 5 cm beside colour."""
    file = tmp_path / "two.db3"
    two_lenses(file)
    (picture,) = Playback(file)
    assert picture.depth is not None
    assert picture.depth.shape == (120, 160)
    there = picture.depth > 0
    assert there.mean() > 0.2  # librealsense leaves holes where depth has fewer pixels
    x = np.broadcast_to(np.arange(160), there.shape)
    # The step is 0.1 m right of the depth lens, 0.15 m right of colour's: at 1 m that is
    # 160 · 0.15 = 24 pixels right of the middle, at column 104.
    near, far = there & (x < 95), there & (x > 112)
    assert near.any()
    assert far.any()
    assert np.abs(picture.depth[near] - 1.0).max() < 0.01
    assert np.abs(picture.depth[far & (x < 150)] - 2.0).max() < 0.01


def two_lenses(file: Path) -> None:
    """Record one frame of a device whose depth has a lens and a place of its own."""
    rs = realsense()
    device = rs.software_device()
    device.register_info(rs.camera_info.name, "two lenses")

    def stream(name: str, kind: Any, form: Any, size: int, f: float, width: int) -> Any:
        lens = rs.intrinsics()
        lens.width, lens.height = width, width * 3 // 4
        lens.fx = lens.fy = f
        lens.ppx, lens.ppy = width / 2, width * 3 / 8
        lens.model, lens.coeffs = rs.distortion.none, [0.0] * 5
        video = rs.video_stream()
        video.type, video.index, video.uid, video.fps = kind, 0, size, 30
        video.width, video.height, video.bpp, video.fmt = lens.width, lens.height, size, form
        video.intrinsics = lens
        sensor = device.add_sensor(name)
        return sensor, sensor.add_video_stream(video), video

    depth = stream("Stereo Module", rs.stream.depth, rs.format.z16, 2, 80.0, 160)
    colour = stream("RGB Camera", rs.stream.color, rs.format.bgr8, 3, 160.0, 160)
    depth[0].add_read_only_option(rs.option.depth_units, 0.001)
    apart = rs.extrinsics()
    apart.rotation, apart.translation = [1, 0, 0, 0, 1, 0, 0, 0, 1], [0.05, 0.0, 0.0]
    depth[1].register_extrinsics_to(colour[1], apart)
    recorder = rs.recorder(str(file), device)
    sensors = recorder.query_sensors()
    for sensor, (_, profile, _) in zip(sensors, (depth, colour), strict=True):
        sensor.open(profile)
        sensor.start(lambda frame: None)
    steps = np.full((120, 160), 1000, np.uint16)
    steps[:, 80 + 8 :] = 2000  # 80 px · 0.1 m / 1 m right of the middle
    rgb = np.zeros((120, 160, 3), np.uint8)
    for (sensor, profile, video), pixels in ((depth, steps), (colour, rgb)):
        frame = rs.software_video_frame()
        frame.pixels, frame.bpp, frame.stride = pixels, video.bpp, video.bpp * video.width
        frame.timestamp, frame.frame_number, frame.depth_units = 0.0, 0, 0.001
        frame.domain = rs.timestamp_domain.hardware_clock
        frame.profile = profile.as_video_stream_profile()
        sensor.on_video_frame(frame)
    for sensor in sensors:
        sensor.stop()
        sensor.close()
