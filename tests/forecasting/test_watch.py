"""`treec forecast watch`: a recording of a depth camera is found and forecast."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("libusb_package")

from PIL import Image

from tests.perception.pose.test_watch import PERSON, MarkerLandmarks, camera, poses, stage
from tests.perception.support import ROOT
from treec.cli import main
from treec_perception.frustum import pose_of_camera
from treec_perception.picture import Picture
from treec_perception.pose import estimator
from treec_perception.realsense.recording import RecordingWriter
from treec_sapien.view.camera import Camera
from treec_sapien.view.rays import RayView

FPS, COUNT, AFTER = 15, 30, 20
SPEED = 0.3
"""m/s of a person who comes towards the camera."""

HEAD = """\
camera: head
about: On a robot.
mounted: {agent: R1, link: head}
runs: {realsense: {}}
"""


def eye() -> Camera:
    spec = camera("front", 0.0)
    assert spec.pose is not None
    lens, (width, height) = spec.lens, spec.size
    pose = pose_of_camera(spec.pose)
    return Camera(pose, lens.fx, lens.fy, lens.cx, lens.cy, width, height)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Somebody with markers comes nearer for two seconds; then nobody is there."""
    path = tmp_path_factory.mktemp("recording") / "person.db3"
    view, front = RayView(stage()), eye()
    with RecordingWriter(path, front, "front", FPS) as writer:
        for number in range(COUNT + AFTER):
            forward = SPEED * number / FPS if number < COUNT else 50.0
            image = view.picture(front, poses(forward), smooth=False)
            assert image.rgb is not None
            depth = np.where(np.isfinite(image.depth), image.depth, 0.0).astype(np.float32)
            writer.write(Picture("front", image.rgb, depth, front, number / FPS))
    return path


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with the camera, and a landmarker that finds markers."""
    monkeypatch.setattr(estimator, "find_model", lambda name, root: Path(name))
    monkeypatch.setattr(estimator, "PoseLandmarker", lambda model: MarkerLandmarks())
    text = json.dumps(camera("front", 0.0).model_dump(mode="json", exclude_none=True))
    (tmp_path / "treec.toml").write_text("", "utf-8")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "front.camera.yaml").write_text(text, "utf-8")
    (tmp_path / "room" / "head.camera.yaml").write_text(HEAD, "utf-8")
    return tmp_path


def test_a_recording_is_found_forecast_and_compared_with_what_came(
    room: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = room / "film.webp"
    args = ["forecast", "watch", str(recording), "--camera", "front", "-L", str(room)]
    assert main([*args, "--model", "constant_velocity", "-o", str(film)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("forecaster default (constant_velocity), pose estimator joints\n")
    assert "   1.00 s  7 of 7 joints  forecast: in 0.4 s wrists move 1" in text  # 12 cm
    assert "lost: no pose for" in text
    assert "nobody is in the picture" in text
    assert f"{COUNT + AFTER} pictures, somebody in {COUNT}, forecast in " in text
    (line,) = [it for it in text.splitlines() if it.startswith("wrists 0.4 s later")]
    off, stayed = (int(it) for it in re.findall(r"(\d+) mm", line))
    assert off < 40
    assert stayed == pytest.approx(0.4 * 1000 * SPEED, abs=20)
    assert Image.open(film).n_frames > COUNT  # type: ignore[attr-defined]


def test_joints_and_forecasts_come_as_json_in_the_scene(
    room: Path, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["forecast", "watch", str(recording), "--camera", "front", "-L", str(room)]
    args += ["--model", "constant_velocity", "--seconds", "1", "--output-format", "json"]
    assert main(args) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[-1]["time"] - rows[0]["time"] == pytest.approx(1.0, abs=0.01)
    assert rows[-1]["basis"] == "forecast"
    left = np.array(PERSON["left_wrist"])
    assert rows[0]["joints"][5] == pytest.approx(left, abs=0.04)
    assert rows[-1]["joints"][5] == pytest.approx(left + np.array((SPEED, 0, 0)), abs=0.04)
    assert rows[-1]["wrists_in_0.4_s"][0] == pytest.approx(
        left + np.array((1.4 * SPEED, 0, 0)), abs=0.05
    )


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "give a recording, or a camera with --camera"),
        (["none.db3"], "no such recording"),
        (["none.db3", "-o", "film.mp4"], "the suffix must be .gif or .webp"),
        ([__file__, "--model", "staedy"], "staedy"),
        ([__file__, "--estimator", "nobody"], "unknown pose estimator 'nobody'"),
        (["--camera", "front"], "the camera 'front' is not a RealSense"),
        (["--camera", "nowhere"], "unknown camera 'nowhere'; known: front, head"),
        (["--camera", "head"], "the camera 'head' is on a robot"),
    ],
)
def test_what_is_wrong_is_told(
    room: Path, args: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forecast", "watch", *args, "-L", str(room)]) == 2
    assert why in capsys.readouterr().err


def test_without_the_model_the_command_says_how_to_get_it(
    recording: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    assert main(["forecast", "watch", str(recording), "-L", str(ROOT)]) == 2
    assert "treec perception weights --fetch pose" in capsys.readouterr().err
