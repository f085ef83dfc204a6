"""Recordings of librealsense, written by its recorder and read by its playback."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.perception.realsense.support import SMALL, pictures, recording
from treec_perception.realsense.library import RealSenseError
from treec_perception.realsense.recording import UNIT, Playback, RecordingWriter, play
from treec_sapien.bodies.pose import Pose


def test_all_pictures_come_back_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "a.db3"
    made = recording(file)
    played = Playback(file)
    read = list(played)
    assert len(read) == len(made)
    assert played.dropped == 0
    assert played.model == "treec simulated camera"
    for before, after in zip(made, read, strict=True):
        assert (after.colour == before.colour).all()
        assert before.depth is not None
        assert after.depth is not None
        assert np.abs(after.depth - before.depth).max() <= UNIT
        assert after.time == pytest.approx(before.time)
        assert after.camera == SMALL


def test_missing_depth_stays_missing(tmp_path: Path) -> None:
    file = tmp_path / "a.db3"
    picture = pictures(1)[0]
    assert picture.depth is not None
    picture.depth[10:20] = 0.0
    with RecordingWriter(file, SMALL, "x", 30) as recorder:
        recorder.write(picture)
    (read,) = Playback(file)
    assert read.depth is not None
    assert (read.depth[10:20] == 0).all()
    assert (read.depth[:10] > 0).all()


def test_the_place_of_the_camera_is_given_when_it_is_played(tmp_path: Path) -> None:
    recording(tmp_path / "a.db3", 2)
    pose = Pose((1.0, 2.0, 3.0))
    first = next(iter(Playback(tmp_path / "a.db3", pose, name="above")))
    assert first.camera is not None
    assert first.camera.pose == pose
    assert first.name == "above"
    assert np.allclose(first.points()[30, 40], [1, 2, 3 + first.depth[30, 40]], atol=0.05)  # type: ignore[index]


def test_one_may_stop_early(tmp_path: Path) -> None:
    recording(tmp_path / "a.db3", 30)
    pictures_of = iter(Playback(tmp_path / "a.db3"))
    assert next(pictures_of).time == 0.0
    pictures_of.close()  # type: ignore[attr-defined]
    assert play(tmp_path / "a.db3") == 30


def test_the_filter_smooths_depth(tmp_path: Path) -> None:
    flat = pictures(1)[0]
    assert flat.depth is not None
    rng = np.random.default_rng(1)
    rough = replace(flat, depth=(1.0 + rng.normal(0, 0.002, flat.depth.shape)).astype(np.float32))
    with RecordingWriter(tmp_path / "a.db3", SMALL, "x", 30) as recorder:
        recorder.write(rough)
    (plain,) = Playback(tmp_path / "a.db3")
    (smooth,) = Playback(tmp_path / "a.db3", spatial_filter=True)
    assert plain.depth is not None
    assert smooth.depth is not None
    assert smooth.depth.std() < 0.95 * plain.depth.std()


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.9])
def test_a_cut_file_is_told(tmp_path: Path, share: float) -> None:
    recording(tmp_path / "a.db3")
    data = (tmp_path / "a.db3").read_bytes()
    cut = tmp_path / "cut.db3"
    cut.write_bytes(data[: int(share * len(data))])
    with pytest.raises(
        RealSenseError, match=r"cut\.db3 is (empty|not a recording that librealsense)"
    ):
        play(cut)


def test_other_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(RealSenseError, match="no such recording"):
        Playback(tmp_path / "none.bag")
    other = tmp_path / "other.bag"
    other.write_text("no bag\n", "utf-8")
    with pytest.raises(RealSenseError, match="not a recording that librealsense can play"):
        Playback(other)
    with pytest.raises(RealSenseError, match=r"writes recordings as \.db3"):
        RecordingWriter(tmp_path / "a.bag", SMALL, "x", 30)
    with pytest.raises(RealSenseError, match="no folder"):
        RecordingWriter(tmp_path / "no" / "a.db3", SMALL, "x", 30)


def test_only_pictures_of_one_size_with_depth_are_recorded(tmp_path: Path) -> None:
    picture = pictures(1)[0]
    with RecordingWriter(tmp_path / "a.db3", SMALL, "x", 30) as recorder:
        recorder.write(picture)
        with pytest.raises(ValueError, match="has no depth"):
            recorder.write(replace(picture, depth=None))
        with pytest.raises(ValueError, match="is 40 × 30, not as the first"):
            recorder.write(picture.cut(0, 0, 40, 30))
    assert play(tmp_path / "a.db3") == 1
