"""`experiments.perception.pose --data`: people who move as recorded are watched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sapien")

from experiments.command import main
from experiments.perception import people
from experiments.perception.pose import command
from tests.forecasting.support import assembly
from treec_perception.files import CameraFile
from treec_perception.frustum import pose_of_camera
from treec_perception.pose import estimator
from treec_perception.pose.joints import JOINTS
from treec_perception.pose.landmarker import INDEX, Landmark
from treec_sapien.view.camera import Camera

RATE = 2.0


class Knows:
    """A landmarker that knows where joints are; every fourth picture it finds nobody."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self.calls = 0

    def landmarks(self, colour: np.ndarray) -> Mapping[str, Landmark] | None:
        number, which = divmod(self.calls, 2)
        self.calls += 1
        if self.calls % 4 == 0:
            return None
        spec = CameraFile.model_validate(people.CAMERAS[which])
        assert spec.pose is not None
        lens, (width, height) = spec.lens, spec.size
        pose = pose_of_camera(spec.pose)
        camera = Camera(pose, lens.fx, lens.fy, lens.cx, lens.cy, width, height)
        pixels = camera.pixels(self.things[-1].people["user"].joints(number / RATE))
        return {
            name: Landmark(float(pixels[at, 0]), float(pixels[at, 1]), 0.9)
            for at, name in enumerate(JOINTS)
            if name in INDEX
        }


@pytest.fixture
def knows(monkeypatch: pytest.MonkeyPatch) -> Knows:
    found, made = Knows(), people.Things

    def things(setup: Any) -> Any:
        found.things.append(made(setup))
        found.calls = 0
        return found.things[-1]

    monkeypatch.setattr(people, "Things", things)
    monkeypatch.setattr(estimator, "find_model", lambda name, root: Path(name))
    monkeypatch.setattr(estimator, "PoseLandmarker", lambda model: found)
    return found


@pytest.mark.slow
def test_errors_are_those_of_depth_where_the_landmarks_are_right(
    tmp_path: Path, knows: Knows, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(assembly(tmp_path / "a.npz", (60, 60)))
    args = ["--data", data, "--n", "1", "--rate", str(RATE)]
    assert main(command, [*args, "--output-format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    left, right, both = table.values()
    assert left["neck"]["pictures"] == right["neck"]["pictures"] > 4
    assert both["all seven"]["seen"] > 0.6
    assert both["all seven"]["median_mm"] < 40
    assert right["neck"]["seen"] < left["neck"]["seen"]  # it misses every second picture
    assert main(command, args) == 0
    text = capsys.readouterr().out
    assert text.startswith("1 person, ")
    assert "people_left and people_right" in text
    assert "all at once in " in text


def test_what_is_wrong_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command, ["--data", str(tmp_path / "none.npz")]) == 2
    assert "no such file" in capsys.readouterr().err
    both = ["--data", "a.npz", "--picture", "b.png"]
    assert main(command, [*both]) == 2
    assert "two evaluations" in capsys.readouterr().err


def test_without_the_model_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    data = str(assembly(tmp_path / "a.npz", (60,)))
    assert main(command, ["--data", data, "--n", "1"]) == 2
    assert "treec perception weights --fetch pose" in capsys.readouterr().err
