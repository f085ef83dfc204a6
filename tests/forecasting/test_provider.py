"""Where a run's forecaster takes a person's joints from, and what it tells of that."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec_forecasting.camera import CameraTracking
from treec_forecasting.provider import RunForecaster, open_forecaster
from treec_perception.pose import watch
from treec_perception.pose.model_file import PoseModelError
from treec_perception.pose.watch import PoseRequest, PoseSeen, PoseWatchSetup
from treec_sapien.person.tracking import JointTracking, TrackingNoise
from treec_sapien.person.watched import WatchedPerson

CAMERAS = """\
camera: left
about: On the left.
pose: {eye: [1.0, -1.0, 1.8], looks_at: [0.0, 0.5, 1.1]}
runs: {sapien: {}, realsense: {}}
---
camera: right
about: On the right.
pose: {eye: [-1.0, -1.0, 1.8], looks_at: [0.0, 0.5, 1.1]}
runs: {sapien: {}}
"""
ESTIMATOR = """\
pose_estimator: bones
about: Finds joints.
cameras: [right]
stages: [{landmarks: {}}, {lift: {}}]
"""
CAMERA = "camera: {cameras: [left]}"
NOISE = "simulator: {sigma: 0.02}"


class Simulated(WatchedPerson):
    """A person whom a simulator knows."""

    def track(self, noise: TrackingNoise) -> None:
        self.tracking = JointTracking(noise, 1)


class Watching:
    """In place of the process: it sees what it is told to."""

    made: ClassVar[list[Watching]] = []
    error: Exception | None = None

    def __init__(self, setup: PoseWatchSetup) -> None:
        self.setup = setup
        self.asked: list[PoseRequest] = []
        self.closed = False
        self.made.append(self)

    def start(self) -> None:
        if self.error is not None:
            raise self.error

    def send(self, request: PoseRequest) -> None:
        self.asked.append(request)

    def has_answer(self) -> bool:
        return True

    def receive(self, limit: float) -> PoseSeen:
        return PoseSeen(self.asked[-1].time, np.ones((7, 3)))

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def watching(monkeypatch: pytest.MonkeyPatch) -> type[Watching]:
    found = type("Fresh", (Watching,), {"made": []})
    monkeypatch.setattr(watch, "PoseWatchProcess", found)
    monkeypatch.setattr(
        "treec_sapien.view.scene.SceneView",
        lambda things: SimpleNamespace(stage="stage", poses=lambda: np.zeros((1, 7))),
        raising=False,
    )
    return found


def forecaster(folder: Path, joints: str, *, see: bool = False) -> RunForecaster:
    """The provider of a library with two cameras, a pose estimator and a forecaster."""
    room = folder / "room"
    room.mkdir()
    (room / "eyes.camera.yaml").write_text(CAMERAS, "utf-8")
    (room / "bones.pose_estimator.yaml").write_text(ESTIMATOR, "utf-8")
    (room / "f.forecaster.yaml").write_text(
        f"forecaster: f\nmodel: constant_velocity\njoints: {{{joints}}}\n", "utf-8"
    )
    return open_forecaster(NeedSetup(View(load_library(folder)), 7, None, see))


def kitchen(*names: str) -> Any:
    """An environment with simulated people."""
    people = {name: Simulated(name) for name in names or ("user",)}
    return SimpleNamespace(people=people, layout=None, hands={})


def ask(provider: RunForecaster, environment: Any, person: str = "user") -> NeedAnswer:
    done, got = threading.Event(), list[NeedAnswer]()

    def answer(given: NeedAnswer) -> None:
        got.append(given)
        done.set()

    provider.ask(NeedCall({"person": person}, "R1", environment, 3.0), answer)
    assert done.wait(60)
    return got[0]


def told(given: NeedAnswer) -> str:
    return str(given.record["summary"])


@pytest.mark.parametrize(
    ("joints", "see", "by_cameras"),
    [
        ("", True, False),
        (NOISE, True, False),
        (f"{CAMERA}, {NOISE}", False, False),
        (f"{CAMERA}, {NOISE}", True, True),
        (CAMERA, False, True),
    ],
)
def test_cameras_tell_joints_in_runs_that_see_or_where_nothing_else_does(
    tmp_path: Path, watching: type[Watching], joints: str, see: bool, by_cameras: bool
) -> None:
    provider, environment = forecaster(tmp_path, joints, see=see), kitchen()
    given = ask(provider, environment)
    assert given.value == {"person": "user", "model": "constant_velocity", "rate": 15.0}
    person = environment.people["user"]
    assert isinstance(person.tracking, CameraTracking if by_cameras else JointTracking)
    assert told(given).endswith("joints from left") == by_cameras
    assert len(watching.made) == by_cameras
    assert person.forecast is not None
    if by_cameras:
        (made,) = watching.made
        assert [(it.camera, source) for it, source in made.setup.cameras] == [("left", "sapien")]
        person.look(3.0)
        person.look(3.2)
        assert len(person.tracking.poses) == 1  # the look of 3.0; 3.2's is under way
        assert [it.time for it in made.asked] == [3.0, 3.2]
        assert made.asked[0].seed != made.asked[1].seed
    elif "sigma" in joints:
        assert person.tracking.noise.sigma == 0.02
    provider.close()
    assert all(it.closed for it in watching.made)


def test_without_the_model_joints_come_from_the_simulator_and_that_is_told(
    tmp_path: Path, watching: type[Watching]
) -> None:
    watching.error = PoseModelError("there is no pose model at /x")
    environment = kitchen()
    given = ask(forecaster(tmp_path, f"{CAMERA}, {NOISE}", see=True), environment)
    assert isinstance(environment.people["user"].tracking, JointTracking)
    assert told(given).endswith("; joints from the simulator: there is no pose model at /x")


def test_without_the_model_and_a_simulator_there_is_no_forecast(
    tmp_path: Path, watching: type[Watching]
) -> None:
    watching.error = PoseModelError("there is no pose model at /x")
    environment = kitchen()
    given = ask(forecaster(tmp_path, CAMERA), environment)
    assert given.value is None
    assert given.why == "user cannot be forecast: there is no pose model at /x"
    assert environment.people["user"].forecast is None


def test_beside_a_real_robot_cameras_tell_joints(tmp_path: Path, watching: type[Watching]) -> None:
    environment = SimpleNamespace(people={"user": WatchedPerson("user")})
    given = ask(forecaster(tmp_path, f"{CAMERA}, {NOISE}"), environment)
    assert told(given).endswith("joints from left")
    (made,) = watching.made
    assert made.setup.stage is None
    assert [source for _, source in made.setup.cameras] == ["realsense"]
    person = environment.people["user"]
    person.look(3.0)
    assert person.tracking.count == 1  # it has answered at once
    assert made.asked[0].poses is None


def test_beside_a_real_robot_nobody_knows_the_truth(tmp_path: Path) -> None:
    environment = SimpleNamespace(people={"user": WatchedPerson("user")})
    given = ask(forecaster(tmp_path, NOISE), environment)
    assert given.value is None
    assert "no 'camera' in the forecaster's 'joints'" in given.why


@pytest.mark.parametrize(
    ("joints", "cameras", "estimator"),
    [
        ("camera: {}", ["left", "right"], "joints"),
        ("camera: {pose_estimator: bones}", ["right"], "bones"),
        ("camera: {pose_estimator: bones, cameras: [left]}", ["left"], "bones"),
    ],
)
def test_which_cameras_are_used(
    tmp_path: Path, watching: type[Watching], joints: str, cameras: list[str], estimator: str
) -> None:
    ask(forecaster(tmp_path, joints), kitchen())
    (made,) = watching.made
    assert [it.camera for it, _ in made.setup.cameras] == cameras
    assert made.setup.estimator.pose_estimator == estimator


def test_two_skills_that_ask_at_once_are_watched_by_one_process(
    tmp_path: Path, watching: type[Watching]
) -> None:
    provider, environment = forecaster(tmp_path, CAMERA), kitchen()
    done, got = threading.Semaphore(0), list[NeedAnswer]()

    def answer(given: NeedAnswer) -> None:
        got.append(given)
        done.release()

    for agent in ("R1", "R2"):
        provider.ask(NeedCall({"person": "user"}, agent, environment, 3.0), answer)
    assert all(done.acquire(timeout=60) for _ in range(2))
    assert all(it.value is not None for it in got)
    assert len(watching.made) == 1


def test_a_process_that_starts_while_the_run_ends_is_ended(
    tmp_path: Path, watching: type[Watching], monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = forecaster(tmp_path, CAMERA)
    monkeypatch.setattr(watching, "start", lambda self: provider.close())
    ask(provider, kitchen())
    (made,) = watching.made
    assert made.closed


def test_cameras_follow_one_person(tmp_path: Path) -> None:
    provider, environment = forecaster(tmp_path, CAMERA), kitchen("ann", "bob")
    assert ask(provider, environment, "ann").value is not None
    given = ask(provider, environment, "bob")
    assert given.why == (
        "bob cannot be forecast: cameras tell the joints of one person, and that is ann"
    )
    assert ask(provider, environment, "ann").value is not None  # as before
