"""`treec camera record|play` and `treec see RECORDING` through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.perception.realsense.support import recording
from tests.perception.support import ROOT, camera, shrink_all
from treec.cli import main
from treec_perception.picture import load_picture
from treec_perception.realsense.recording import RecordingWriter


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(list(args))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.thorough
def test_play_says_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, gif = tmp_path / "a.db3", tmp_path / "a.gif"
    recording(file, 6)
    code, out, _ = run("camera", "play", str(file), "-o", str(gif), "--depth", capsys=capsys)
    assert code == 0
    assert out == (
        f"{file}: 6 pictures of 80 × 60, 30.0 a second for 0.17 s, from treec simulated camera\n"
    )
    with Image.open(gif) as film:
        assert (film.size, film.n_frames) == ((160, 60), 6)  # type: ignore[attr-defined]
    code, out, _ = run("camera", "play", str(file), "--output-format", "json", capsys=capsys)
    data = json.loads(out)
    assert data["lens"] == {"fx": 100.0, "fy": 100.0, "cx": 40.0, "cy": 30.0}
    assert (data["pictures"], data["without_partner"]) == (6, 0)


def test_play_takes_one_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, one = tmp_path / "a.db3", tmp_path / "one.npz"
    made = recording(file, 6)
    code, _, _ = run("camera", "play", str(file), "--frame", "4", "-o", str(one), capsys=capsys)
    assert code == 0
    assert (load_picture(one).colour == made[4].colour).all()
    code, _, err = run("camera", "play", str(file), "--frame", "9", capsys=capsys)
    assert (code, err) == (2, f"treec: {file} has no picture 9: it has 6\n")


def test_play_tells_what_it_cannot_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bag"
    file.write_text("no recording", "utf-8")
    code, _, err = run("camera", "play", str(file), capsys=capsys)
    assert code == 2
    assert f"{file} is not a recording that librealsense can play" in err
    code, _, err = run("camera", "play", str(file), "-o", "a.mp4", capsys=capsys)
    assert "the suffix must be .gif, .webp, .png or .npz" in err


@pytest.mark.needs_system("mosaic")
def test_a_camera_that_is_not_attached(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["camera", "show", "table_near", "-o", "x.png", "-L", str(ROOT)]
    code, _, err = run(*args, "--source", "realsense", capsys=capsys)
    assert code == 2
    assert "the camera 'table_near': no RealSense camera is attached" in err
    code, _, err = run(*args, "--source", "recording", capsys=capsys)
    assert "the camera 'table_near' has no 'recording' in its 'runs'" in err


@pytest.mark.needs_system("mosaic")
@pytest.mark.slow
def test_record_a_simulated_camera_and_see_in_the_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shrink_all(monkeypatch, 2)
    file = tmp_path / "a.db3"
    args = ["camera", "record", "table_near", "-o", str(file), "--seconds", "0.04"]
    code, out, _ = run(*args, "--system", "mosaic", "-L", str(ROOT), capsys=capsys)
    assert code == 0
    assert out == f"{file}: 1 picture, 0.03 s, of table_near\n"
    see = ["see", str(file), "lettuce", "-L", str(ROOT), "--output-format", "json"]
    _, out, _ = run(*see, "--camera", "table_near", "--system", "mosaic", capsys=capsys)
    known = json.loads(out)
    assert (known["frame"], known["camera"]) == ("scene", "table_near")
    see = ["see", "table_near", "lettuce", "-L", str(ROOT), "--output-format", "json"]
    _, out, _ = run(*see, "--system", "mosaic", capsys=capsys)
    direct = json.loads(out)  # of the same picture, whose depth was not rounded to 0.1 mm
    assert known["found"] == direct["found"]
    assert np.allclose(known["point"], direct["point"], atol=0.002)


@pytest.mark.thorough
def test_a_recording_without_a_place_is_seen_from_the_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.db3"
    picture = camera().take(1)
    assert picture.camera is not None
    with RecordingWriter(file, picture.camera, "overhead", 30) as recorder:
        recorder.write(picture)
    args = ["see", str(file), "a red soup can", "--output-format", "json", "-L", str(ROOT)]
    code, out, _ = run(*args, capsys=capsys)
    found = json.loads(out)
    assert found["frame"] == "camera"
    if code == 0:
        assert 0.8 < found["point"][0] < 1.6  # forward: the table is 1.2 m away
    code, _, err = run(*args, "--frame", "3", capsys=capsys)
    assert (code, err) == (2, f"treec: {file} has no picture 3\n")
    code, _, err = run("see", "table_near", "x", "--frame", "3", "-L", str(ROOT), capsys=capsys)
    assert "table_near is not a recording (.db3, .bag): leave out --camera and --frame" in err
