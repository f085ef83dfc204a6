"""Cameras of a run that are not simulated: a recording, and a RealSense that is not there."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.perception.realsense.support import SMALL, recording
from tests.perception.support import Carried, kitchen
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec_perception.files import CameraFile
from treec_perception.provider import open_localizer
from treec_perception.realsense.recording import RecordingWriter
from treec_perception.sources import NoPicture, open_source, source_of
from treec_sapien.bodies.pose import Pose

FIXED = {"pose": {"eye": [1.0, 0.0, 1.0], "looks_at": [0.0, 0.0, 0.0]}}
MOUNTED = {"mounted": {"agent": "R", "link": "mast"}}


def spec(place: dict[str, object] = FIXED, **runs: object) -> CameraFile:
    data = {"camera": "above", "about": "x", "size": [SMALL.width, SMALL.height], **place}
    return CameraFile.model_validate({**data, "runs": runs})


@pytest.mark.parametrize(
    ("runs", "simulated", "used"),
    [
        ({"sapien": {}, "realsense": {}}, True, "sapien"),
        ({"sapien": {}, "realsense": {}, "recording": {"file": "a.bag"}}, False, "realsense"),
        ({"sapien": {}, "recording": {"file": "a.bag"}}, False, "recording"),
        ({"recording": {"file": "a.bag"}}, True, "recording"),
        ({"sapien": {}}, False, None),
    ],
)
def test_which_source_is_used(runs: dict[str, object], simulated: bool, used: str | None) -> None:
    assert source_of(spec(**runs), simulated=simulated) == used


def test_a_recording_shows_the_time_of_the_run(tmp_path: Path) -> None:
    made = recording(tmp_path / "a.db3", 6, fps=10)
    source = open_source(spec(recording={"file": "a.db3"}), "recording", None, tmp_path)

    def shown(time: float) -> int:
        picture = source.take(0, time, None)
        assert picture is not None
        return next(n for n, it in enumerate(made) if (it.colour == picture.colour).all())

    assert [shown(time) for time in (0.0, 0.05, 0.31, 0.31, 99.0, 100.0)] == [0, 0, 3, 3, 5, 5]
    source.close()


def test_what_is_out_of_view_is_not_looked_for(tmp_path: Path) -> None:
    recording(tmp_path / "a.db3", 1)
    source = open_source(spec(recording={"file": "a.db3"}), "recording", None, tmp_path)
    assert source.take(0, 0.0, (0.0, 0.0, 0.0)) is not None
    assert source.take(0, 0.0, (3.0, 0.0, 1.0)) is None


def test_a_camera_on_a_robot_is_where_its_link_is(tmp_path: Path) -> None:
    recording(tmp_path / "a.db3", 1)
    there = Carried(Pose((2.0, 0.0, 1.0)))
    source = open_source(spec(MOUNTED, recording={"file": "a.db3"}), "recording", there, tmp_path)
    picture = source.take(0, 0.0, None)
    assert picture is not None
    assert picture.camera is not None
    assert picture.camera.pose.p == pytest.approx((2.0, 0.0, 1.0))


@pytest.mark.parametrize(
    ("place", "runs", "why"),
    [
        (FIXED, {"recording": {"file": "none.db3"}}, "no such recording: .*none.db3"),
        (FIXED, {"realsense": {}}, "the camera 'above': no RealSense camera is attached"),
        (MOUNTED, {"realsense": {}}, "on mast of R: the environment does not tell where that is"),
    ],
)
def test_a_camera_without_pictures_says_why(
    tmp_path: Path, place: dict[str, object], runs: dict[str, object], why: str
) -> None:
    camera = spec(place, **runs)
    name = source_of(camera, simulated=False)
    assert name is not None
    with pytest.raises(NoPicture, match=why):
        open_source(camera, name, None, tmp_path)


@pytest.mark.needs_system("mosaic")
@pytest.mark.slow
def test_a_skill_is_told_what_a_recording_shows(tmp_path: Path) -> None:
    """`localize(thing)` without simulated bodies: the camera's file names a recording."""
    eyes = kitchen()
    near = eyes.cameras["table_near"]
    picture = eyes.camera("table_near").take(1)
    assert picture.camera is not None
    file = tmp_path / "table.db3"
    with RecordingWriter(file, picture.camera, "table_near", 30) as recorder:
        recorder.write(picture)
    needs = open_localizer(NeedSetup(eyes.view, 1, tmp_path))
    runs = {"recording": {"file": str(file)}}
    needs._cameras = (CameraFile.model_validate({**near.model_dump(), "runs": runs}),)
    done, got = threading.Event(), list[NeedAnswer]()

    def answer(given: NeedAnswer) -> None:
        got.append(given)
        done.set()

    needs.ask(NeedCall({"thing": "onions"}, "R1", None, 0.0), answer)
    assert done.wait(400)
    needs.close()
    assert got[0].value is not None, got[0].why
    assert "error" not in got[0].record  # nobody knows the truth here
    assert got[0].record["summary"].startswith("table_near sees it, score ")
