"""A camera that is attached: a recording that librealsense plays in a context as a device.

Playing in real time is what an attached camera does; to unload the device is to unplug it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.perception.realsense.support import SMALL, recording
from treec_perception.files import CameraFile
from treec_perception.realsense.library import RealSenseError, realsense
from treec_perception.realsense.live import CameraGone, CameraStalled, LiveCamera, attached
from treec_sapien.bodies.pose import Pose

pytestmark = pytest.mark.slow
"""librealsense's playback in real time hangs now and then on a busy machine (`make test-slow`)."""


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def spec(**source: object) -> CameraFile:
    return CameraFile.model_validate(
        {
            "camera": "above",
            "about": "Above the table.",
            "size": [SMALL.width, SMALL.height],
            "pose": {"eye": [1.0, 0.0, 1.0], "looks_at": [0.0, 0.0, 0.0]},
            "runs": {"realsense": {"spatial_filter": False, **source}},
        }
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    recording(tmp_path / "device.db3", 90)
    return tmp_path / "device.db3"


@pytest.fixture
def context(file: Path) -> Iterator[Any]:
    found = realsense().context()
    device = found.load_device(str(file))
    yield found
    del device


def until(true: Callable[[], bool]) -> None:
    """Wait for a thread of librealsense, for ten seconds at most."""
    for _ in range(1000):
        if true():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it did not happen within ten seconds")


def test_the_newest_picture_with_the_place_of_the_camera(context: Any) -> None:
    assert attached(context) == [("made_up", "treec simulated camera")]
    pose = Pose((1.0, 0.0, 2.0))
    with LiveCamera(spec(), pose, context=context, clock=Clock()) as camera:
        first = camera.wait()
        assert first.camera is not None
        assert first.camera.pose == pose
        until(lambda: camera.take().time > first.time)


def test_a_camera_that_stalls_says_for_how_long(context: Any) -> None:
    clock = Clock()
    with LiveCamera(spec(), context=context, clock=clock) as camera:
        camera.wait()
        camera.close()
        clock.now += 0.4
        camera.take()  # five periods, but half a second at least, are waited for
        clock.now += 2.1
        with pytest.raises(CameraStalled, match=r"its last frame is 2\.5 s old") as it:
            camera.take()
        assert it.value.age == pytest.approx(2.5, abs=0.01)


def test_a_camera_without_any_frame(context: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treec_perception.realsense.live._open", lambda *_: [])
    clock = Clock()
    with LiveCamera(spec(), context=context, clock=clock) as camera:
        clock.now += 3.0
        with pytest.raises(CameraStalled, match=r"it has given no frame for 3\.0 s"):
            camera.take()


def test_a_camera_that_is_unplugged_is_gone(context: Any, file: Path) -> None:
    with LiveCamera(spec(), context=context) as camera:
        camera.wait()
        context.unload_device(str(file))

        def gone() -> bool:
            try:
                camera.take()
            except CameraGone:
                return True
            except CameraStalled:
                return False
            return False

        until(gone)
        with pytest.raises(CameraGone, match="the camera 'above' is gone, its last frame is"):
            camera.take()


def test_what_is_not_attached(context: Any) -> None:
    empty = realsense().context()
    with pytest.raises(RealSenseError, match="'above': no RealSense camera is attached"):
        LiveCamera(spec(), context=empty)
    with pytest.raises(RealSenseError, match="serial number 42; attached: made_up"):
        LiveCamera(spec(serial="42"), context=context)
    with pytest.raises(RealSenseError, match=r"no color of 80 × 60 at 15 .*offers 80 × 60 at 30"):
        LiveCamera(spec(fps=15), context=context)


def test_of_two_cameras_one_must_be_named(context: Any, tmp_path: Path) -> None:
    from treec_perception.realsense.recording import RecordingWriter

    with RecordingWriter(tmp_path / "b.db3", SMALL, "other", 30) as recorder:
        from tests.perception.realsense.support import pictures

        recorder.write(pictures(1)[0])
    second = context.load_device(str(tmp_path / "b.db3"))
    with pytest.raises(
        RealSenseError, match=r"2 RealSense cameras are attached \(made_up, other\)"
    ):
        LiveCamera(spec(), context=context)
    LiveCamera(spec(serial="other"), context=context).close()
    del second
