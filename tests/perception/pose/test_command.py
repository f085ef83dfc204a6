"""`treec pose` and its evaluation without a model, and on a recording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from experiments.command import main as experiment
from experiments.perception.pose import command
from tests.perception.pose.support import Sees, marks
from tests.perception.support import ROOT
from treec.cli import main
from treec_perception.pose import estimator
from treec_perception.pose.landmarker import Landmark


@pytest.fixture(autouse=True)
def no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))


def test_the_missing_model_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (32, 24)).save(tmp_path / "a.png")
    args = [str(tmp_path / "a.png"), "-L", str(ROOT)]
    assert main(["pose", *args]) == 2
    assert "no pose model at" in capsys.readouterr().err
    assert experiment(command, ["--picture", *args]) == 2
    assert "no pose model at" in capsys.readouterr().err


def test_a_picture_of_camera_show_has_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.perception.pose.support import picture

    picture().save(tmp_path / "a.npz")
    monkeypatch.setattr(estimator, "find_model", lambda name, root: Path(name))
    monkeypatch.setattr(estimator, "PoseLandmarker", lambda model: Sees(marks()))
    out = tmp_path / "a.png"
    monkeypatch.chdir(tmp_path)  # without a library
    assert main(["pose", str(tmp_path / "a.npz"), "-o", str(out)]) == 0
    text = capsys.readouterr().out
    assert text.endswith("\n  estimator: default\n")
    assert "left_wrist      seen         0.90     0.250    0.300    1.300 m" in text
    assert Image.open(out).size == (320, 240)


def test_a_recording_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("libusb_package")
    from tests.perception.realsense.support import recording

    recording(tmp_path / "a.db3", 3, fps=10)
    found = {name: Landmark(it.x / 4, it.y / 4, it.visibility) for name, it in marks().items()}
    monkeypatch.setattr(estimator, "find_model", lambda name, root: Path(name))
    monkeypatch.setattr(estimator, "PoseLandmarker", lambda model: Sees(found, None, None))
    gif = tmp_path / "a.gif"
    args = ["pose", str(tmp_path / "a.db3"), "-o", str(gif), "--output-format", "json"]
    assert main(args) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["why"] for row in rows] == ["", *["nobody is in the picture"] * 2]
    assert Image.open(gif).n_frames == 3  # type: ignore[attr-defined]


def test_what_is_no_picture_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (32, 24)).save(tmp_path / "a.png")
    assert main(["pose", str(tmp_path / "a.png"), "-o", "x.mp4"]) == 2
    assert "the suffix must be .png, .gif or .webp" in capsys.readouterr().err
    assert main(["pose", str(tmp_path / "a.png"), "--estimator", "nobody"]) == 2
    assert "unknown pose estimator 'nobody'" in capsys.readouterr().err
