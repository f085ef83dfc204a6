"""`treec see` through the command line, with tiny checkpoints of the published layout."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.perception import checkpoints
from tests.perception.support import ROOT, camera
from treec.cli import main
from treec_perception.localize import Localizer, Wanted
from treec_perception.models import ModelUnavailable
from treec_perception.picture import Picture
from treec_perception.pipeline.result import Localization

LOCALIZER = """\
localizer: eyes
about: Tiny random models, whose findings mean nothing.
accept: {accept}
stages:
  - detect: {{model: models/owl, k: 4}}
  - suppress: {{}}
  - score_crops: {{model: models/clip, against: [milk]}}
  - segment: {{by: {by}}}
  - back_project: {{}}
  - centre: {{}}
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    checkpoints.owlvit(folder / "owl")
    checkpoints.clip(folder / "clip")
    checkpoints.sam(folder / "sam")
    return folder


@pytest.fixture
def library(tmp_path: Path, models: Path) -> Path:
    (tmp_path / "treec.toml").write_text("[library]\n", "utf-8")
    shutil.copytree(models, tmp_path / "models")
    text = LOCALIZER.format(accept=0.0, by="depth")
    (tmp_path / "eyes.localizer.yaml").write_text(text, "utf-8")
    camera(noise={}).take(1).save(tmp_path / "seen.npz")
    Image.fromarray(camera().take(1).colour).save(tmp_path / "seen.png")
    return tmp_path


@pytest.mark.thorough
def test_a_picture_with_depth(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = library / "out.png"
    args = ["see", str(library / "seen.npz"), "a red can", "-o", str(out), "-L", str(library)]
    code = main([*args, "--output-format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert code == (0 if data["found"] else 1)
    assert 0 < len(data["proposals"]) <= 4
    assert list(data["proposals"][0]["scores"]) == ["detect", "score_crops"]
    assert np.asarray(Image.open(out)).shape == (240, 320, 3)
    assert (np.asarray(Image.open(out)) != camera().take(1).colour).any()


@pytest.mark.thorough
def test_an_image_gives_boxes(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", str(library / "seen.png"), "a red can", "-L", str(library)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("a red can: score ")
    assert "the picture has no depth: there is no point" in out
    assert "detect  score_crops   box" in out
    assert out.endswith("  localizer: eyes\n")


@pytest.mark.thorough
def test_sam_segments(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = LOCALIZER.format(accept=0.0, by="sam, model: models/sam")
    (library / "eyes.localizer.yaml").write_text(text, "utf-8")
    args = ["see", str(library / "seen.npz"), "a red can", "-L", str(library)]
    main([*args, "--output-format", "json"])
    assert "segment" in json.loads(capsys.readouterr().out)["milliseconds"]


@pytest.mark.thorough
def test_not_here(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = LOCALIZER.format(accept=1.0, by="depth")
    (library / "eyes.localizer.yaml").write_text(text, "utf-8")
    assert main(["see", str(library / "seen.png"), "a moon", "-L", str(library)]) == 1
    assert capsys.readouterr().out.startswith("a moon: not here (nothing scores 1: the best is 0.")


@pytest.mark.parametrize(
    ("source", "more", "says"),
    [
        ("nowhere.png", (), "nowhere.png cannot be read: No such file or directory"),
        ("eyes.localizer.yaml", (), "is not an image that Pillow can read"),
        ("seen.png", ("--localizer", "eye"), "unknown localizer 'eye'; did you mean 'eyes'?"),
        ("seen.png", ("--localizer", "nose"), "unknown localizer 'nose'; known: eyes"),
        ("seen.png", ("-o", "out.jpg"), "out.jpg: the suffix must be .png"),
        ("seen.png", ("-o", "no/out.png"), "no/out.png: no folder 'no'"),
        (
            "seen.png",
            ("--scene", "kitchen"),
            "is a file, not a camera: leave out --system and --sc",
        ),
    ],
)
def test_errors(
    source: str,
    more: tuple[str, ...],
    says: str,
    library: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["see", str(library / source), "a can", "-L", str(library), *more]) == 2
    assert says in capsys.readouterr().err


def test_missing_weights_say_what_to_do(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    shutil.rmtree(library / "models" / "owl")
    assert main(["see", str(library / "seen.png"), "a can", "-L", str(library)]) == 2
    assert "no folder 'models/owl', and from the hub it cannot" in capsys.readouterr().err


def test_an_invalid_localizer_is_told(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not silently replaced by the default one."""
    (library / "eyes.localizer.yaml").write_text("localizer: eyes\nabout: A: b.\n", "utf-8")
    assert main(["see", str(library / "seen.png"), "a can", "-L", str(library)]) == 2
    assert "a localizer of the library is invalid: run 'treec check'" in capsys.readouterr().err


def test_stages_that_do_not_fit_are_told(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "localizer: eyes\nabout: Blind.\nstages:\n  - centre: {}\n"
    (library / "eyes.localizer.yaml").write_text(text, "utf-8")
    assert main(["see", str(library / "seen.png"), "a can", "-L", str(library)]) == 2
    says = "localizer 'eyes': 'centre' takes points, and there is only a picture: run 'treec check'"
    assert says in capsys.readouterr().err


def test_without_pillow(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["see", str(library / "seen.png"), "a can", "-L", str(library)]) == 2
    err = capsys.readouterr().err
    assert "this needs the package 'pillow', which is not installed: pip install 'treec[" in err


def test_the_time_of_loading_models_is_not_that_of_a_stage(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def localize(self: Localizer, picture: Picture, wanted: Wanted) -> Localization:
        loaded.append("_parts" in vars(self.models.detector("models/owl")))
        loaded.append("_parts" in vars(self.models.scorer("models/clip")))
        raise ModelUnavailable("enough")

    loaded: list[bool] = []
    monkeypatch.setattr(Localizer, "localize", localize)
    assert main(["see", str(library / "seen.png"), "a can", "-L", str(library)]) == 2
    assert loaded == [True, True]


def test_no_words(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", str(library / "seen.png"), " ", "-L", str(library)]) == 2
    assert "say what to look for" in capsys.readouterr().err


def test_an_unknown_camera(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", "overhead", "a can", "-L", str(library)]) == 2
    err = capsys.readouterr().err
    assert "no file 'overhead', and no system of this library has a camera" in err


@pytest.mark.needs_system("mosaic", "dag_plan")
@pytest.mark.parametrize(
    ("camera", "says"),
    [
        ("haed", "no file 'haed', and unknown camera 'haed'; did you mean 'head'?\n"),
        ("head", "several systems have a camera 'head': choose one with --system: dag_plan, "),
    ],
)
def test_a_camera_of_the_librarys(
    camera: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["see", camera, "a can", "-L", str(ROOT)]) == 2
    assert says in capsys.readouterr().err
