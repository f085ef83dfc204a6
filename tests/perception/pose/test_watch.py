"""A person's joints from simulated cameras, looked at again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from treec_perception.default import BONES as ESTIMATOR
from treec_perception.files import CameraFile
from treec_perception.picture import Picture
from treec_perception.pose.joints import JOINTS
from treec_perception.pose.landmarker import INDEX, Landmark
from treec_perception.pose.model_file import PoseModelError
from treec_perception.pose.watch import (
    PoseRequest,
    PoseWatcher,
    PoseWatchProcess,
    PoseWatchSetup,
    WatchEnded,
)
from treec_perception.simulated import SimulatedCamera
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.view.camera import Camera
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import SolidStage, StageSolid, as_array

PERSON: dict[str, Vector] = {
    "left_shoulder": (0.0, 0.2, 1.4),
    "right_shoulder": (0.0, -0.2, 1.4),
    "left_elbow": (0.0, 0.35, 1.15),
    "right_elbow": (0.0, -0.35, 1.15),
    "left_wrist": (0.2, 0.3, 1.0),
    "right_wrist": (0.2, -0.3, 1.0),
}
COLOURS = {
    "left_shoulder": (1.0, 0.0, 0.0, 1.0),
    "right_shoulder": (0.0, 1.0, 0.0, 1.0),
    "left_elbow": (0.0, 0.0, 1.0, 1.0),
    "right_elbow": (1.0, 1.0, 0.0, 1.0),
    "left_wrist": (1.0, 0.0, 1.0, 1.0),
    "right_wrist": (0.0, 1.0, 1.0, 1.0),
}
RADIUS = 0.04


@dataclass(frozen=True)
class MarkerLandmarks:
    """Finds markers by their colours: a landmarker for a person who wears balls."""

    def landmarks(self, colour: npt.NDArray[np.uint8]) -> Mapping[str, Landmark] | None:
        found = {}
        bright = colour.astype(float) / np.maximum(colour.max(axis=2, keepdims=True), 1)
        for name, wanted in COLOURS.items():
            y, x = np.nonzero((np.abs(bright - wanted[:3]) < 0.2).all(axis=2))
            if len(x):
                found[name] = Landmark(float(x.mean()), float(y.mean()), 0.9)
        if not found:
            return None
        return {name: found.get(name, Landmark(1.0, 1.0, 0.1)) for name in INDEX}


def stage() -> SolidStage:
    """The floor and six balls."""
    pieces = [("ground", "floor"), *(("user", name) for name in PERSON)]
    ball = (RADIUS, RADIUS, RADIUS)
    solids = [StageSolid("plane", 0, (0.5, 0.5, 0.5, 1.0))]
    solids += [
        StageSolid("sphere", at, COLOURS[name], Pose(), ball) for at, name in enumerate(PERSON, 1)
    ]
    return SolidStage(tuple(pieces), tuple(solids))


def poses(forward: float = 0.0) -> npt.NDArray[np.float64]:
    """Where the balls are."""
    return as_array([Pose(), *(Pose((x + forward, y, z)) for x, y, z in PERSON.values())])


def camera(name: str, y: float) -> CameraFile:
    """A camera 2 m before the person."""
    return CameraFile.model_validate(
        {
            "camera": name,
            "about": "Looks at the person.",
            "size": [212, 120],
            "lens": {"fx": 154, "fy": 154, "cx": 106, "cy": 60},
            "pose": {"eye": [2.0, y, 1.6], "looks_at": [0.0, 0.0, 1.2]},
        }
    )


CAMERAS = (camera("left", 1.0), camera("right", -1.0))


def setup(landmarker: MarkerLandmarks | None = MarkerLandmarks()) -> PoseWatchSetup:
    """Two cameras and a landmarker that knows the balls."""
    cameras = tuple((it, "sapien") for it in CAMERAS)
    return PoseWatchSetup(stage(), cameras, ESTIMATOR, Path(), landmarker)  # type: ignore[arg-type]


def request(time: float, now: npt.NDArray[np.float64]) -> PoseRequest:
    return PoseRequest(time, now, {}, 1)


def apart(found: npt.NDArray[np.float64], forward: float = 0.0) -> npt.NDArray[np.float64]:
    """How far (m) the joints are from the middles of the balls."""
    true = np.array([PERSON[name] for name in JOINTS[1:]])
    true[:, 0] += forward
    return np.asarray(np.linalg.norm(found[1:] - true, axis=1))


def test_joints_are_where_the_markers_are() -> None:
    watcher = PoseWatcher(setup())
    for time, forward in ((1.0, 0.0), (1.1, 0.1), (1.2, 0.2)):
        seen = watcher.look(request(time, poses(forward)))
        assert seen.time == time
        assert seen.why == ""
        assert apart(seen.joints, forward).max() < 0.03
        assert seen.joints[0] == pytest.approx((seen.joints[1] + seen.joints[2]) / 2)
    watcher.close()


def test_nobody_in_the_pictures_is_told() -> None:
    seen = PoseWatcher(setup()).look(request(2.0, poses(50.0)))
    assert seen.why == "nobody is in the picture"
    assert np.isnan(seen.joints).all()


def test_a_camera_that_gives_no_picture_is_told(tmp_path: Path) -> None:
    gone = camera("gone", 0.0).model_copy(
        update={"runs": CameraFile.model_fields["runs"].default.model_validate(
            {"recording": {"file": "none.db3"}}
        )}
    )  # fmt: skip
    one = replace(setup(), cameras=((gone, "recording"), (CAMERAS[0], "sapien")), root=tmp_path)
    seen = PoseWatcher(one).look(request(1.0, poses()))
    assert seen.why == ""
    assert len(seen.blind) == 1
    assert "none.db3" in seen.blind[0] or "realsense" in seen.blind[0]
    none = replace(one, cameras=one.cameras[:1])
    seen = PoseWatcher(none).look(request(1.0, poses()))
    assert seen.why == seen.blind[0]


def test_without_the_model_the_process_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    with pytest.raises(PoseModelError, match="treec perception weights --fetch pose"):
        PoseWatcher(setup(None))


@pytest.mark.thorough
def test_a_process_watches_until_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    with pytest.raises(PoseModelError, match="treec perception weights --fetch pose"):
        PoseWatchProcess(setup(None)).start()
    process = PoseWatchProcess(setup())
    process.start()
    try:
        process.send(request(1.0, poses()))
        process.send(request(1.1, poses(0.1)))
        for time, forward in ((1.0, 0.0), (1.1, 0.1)):
            seen = process.receive(60.0)
            assert seen.time == time
            assert apart(seen.joints, forward).max() < 0.03
        process.send(replace(request(1.2, poses()), poses=np.zeros((2, 7))))
        assert "Error" in process.receive(60.0).why  # told, and it goes on
        process.send(request(1.3, poses()))
        assert process.receive(60.0).why == ""
        assert process._process is not None
        process._process.kill()
        process._process.join()
        with pytest.raises(WatchEnded, match="is gone"):
            process.receive(60.0)
    finally:
        process.close()
    for ask in (lambda: process.send(request(2.0, poses())), lambda: process.receive(1.0)):
        with pytest.raises(WatchEnded, match="has ended"):
            ask()
    assert process.has_answer()
    process.close()


class Repeats:
    """A camera whose newest picture stays the same, as of a recording that has ended."""

    def __init__(self, *times: float) -> None:
        self.times = list(times)
        self.view = RayView(stage())

    def take(self, spec: CameraFile, name: str, seed: int) -> Picture:
        camera = SimulatedCamera(spec, SimpleNamespace(look=self.look, link_pose=None))  # type: ignore[arg-type]
        return replace(camera.take(seed), time=self.times.pop(0))

    def look(self, camera: Camera) -> DepthImage:
        return self.view.picture(camera, poses(), smooth=False)


def test_a_pose_is_as_old_as_its_picture_and_no_picture_counts_twice() -> None:
    one = replace(setup(), cameras=setup().cameras[:1])
    watcher = PoseWatcher(one)
    watcher._cameras = Repeats(0.9, 1.0, 1.0)  # type: ignore[assignment]
    watcher._cameras.moment = SimpleNamespace(request=None)  # type: ignore[assignment]
    first, second, third = (watcher.look(request(time, poses())) for time in (1.0, 1.1, 9.0))
    assert (first.time, second.time) == (0.9, 1.0)
    assert apart(second.joints).max() < 0.03
    assert np.isnan(third.joints).all()
    assert third.why == "the camera 'left' has given no new picture"
