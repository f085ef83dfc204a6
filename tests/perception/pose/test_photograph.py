"""The real landmarker on a real photograph, where MediaPipe and its model are installed.

`treec perception weights --fetch pose` installs the model; scikit-image has the photograph.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from experiments.command import main as experiment
from experiments.perception.pose import command
from tests.perception.support import ROOT
from treec.cli import main
from treec_perception.pose.model_file import pose_model_file

pytestmark = pytest.mark.skipif(
    not pose_model_file().is_file(), reason="the pose model is not installed"
)


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = pytest.importorskip("skimage.data")
    path = tmp_path_factory.mktemp("photo") / "astronaut.png"
    Image.fromarray(data.astronaut()).save(path)
    return path


def test_her_shoulders_are_found(
    photograph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.png"
    args = ["pose", str(photograph), "-o", str(out), "--output-format", "json", "-L", str(ROOT)]
    assert main(args) == 0
    (found,) = json.loads(capsys.readouterr().out)
    # Her own left is to the right. Read off the photograph by eye, in a wide suit: 40 pixels.
    for name, pixel in (("left_shoulder", (330, 255)), ("right_shoulder", (105, 240))):
        assert found["joints"][name]["state"] == "seen"
        assert np.hypot(*np.subtract(found["joints"][name]["pixel"], pixel)) < 40
    assert (np.asarray(Image.open(out)) != np.asarray(Image.open(photograph))).any()


def test_nobody_is_in_an_empty_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (320, 240), (120, 130, 140)).save(tmp_path / "empty.png")
    assert main(["pose", str(tmp_path / "empty.png"), "-L", str(ROOT)]) == 1
    assert "nobody is in the picture" in capsys.readouterr().out


def test_the_evaluation_prints_a_row_for_each_distance(
    photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["--picture", str(photograph), "--n", "2", "-L", str(ROOT)]
    assert experiment(command, [*args, "--output-format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [name for name in rows if name.endswith(" m")] == ["1 m", "1.5 m", "2 m", "3 m"]
    assert rows["1 m"]["people_found"] == 2


def test_another_file_is_no_model(
    photograph: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bad.task").write_bytes(b"no task")
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "bad.task"))
    assert main(["pose", str(photograph), "-L", str(ROOT)]) == 2
    assert "bad.task is not a pose landmarker's task file" in capsys.readouterr().err
