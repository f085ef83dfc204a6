"""The weights that are part of treec: whole, loadable, and able to tell things apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from tests.perception.support import ROOT, kitchen
from treec.cli import main
from treec.files.view import View
from treec_perception.localize import Localizer
from treec_perception.localizer_query import wanted_thing
from treec_perception.models import Models
from treec_perception.weights_info import installed

pytestmark = pytest.mark.needs_system("mosaic")


def test_weights_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perception", "weights", "--output-format", "json"]) == 0
    rows = {row["part"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["detector"]["architecture"] == "OwlViTForObjectDetection"
    assert rows["scorer"]["architecture"] == "CLIPModel"
    for row in (rows["detector"], rows["scorer"]):
        assert len(row["sha256"]) == 64
        assert row["bytes"] < 6e6
        assert row["parameters"] < 5e6
    assert main(["perception", "weights"]) == 0
    assert "fitted by treec perception train to 3600 pictures" in (out := capsys.readouterr().out)
    assert "both know, trained on treec's simulated kitchens only: Apple 1, " in out


def test_missing_weights_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREEC_PERCEPTION_WEIGHTS", str(tmp_path))
    assert [row["sha256"] for row in installed()] == [None, None]
    assert main(["perception", "weights"]) == 1
    assert "'treec[see]' brings it" in capsys.readouterr().out
    Image.new("RGB", (64, 48)).save(tmp_path / "a.png")
    assert main(["see", str(tmp_path / "a.png"), "lettuce", "-L", str(ROOT)]) == 2
    assert "the small weights are missing" in capsys.readouterr().err


@pytest.mark.thorough
def test_things_on_the_table_are_found_where_they_are() -> None:
    """Through the files of the kitchen, from a camera with noisy depth."""
    eyes = kitchen()
    picture = eyes.camera("table_near", eyes.stage(robots=False)).take(4)
    spec = View(eyes.view.library, eyes.view.system).all("localizer")["kitchen_eyes"].model
    localizer = Localizer(spec, Models())
    right = 0
    things = ("lettuce", "onions", "bananas", "water", "mango", "bowl")
    for thing in things:
        found = localizer.localize(picture, wanted_thing(thing, eyes.scene.model, eyes.layout))
        placed = eyes.layout.bodies[thing].pose.p
        if found.point is not None:
            off = [a - b for a, b in zip(found.point[:2], placed[:2], strict=True)]
            right += max(map(abs, off)) < 0.03
    assert right >= 4
    for words in ("a hammer", "a phone", "shoes", "scissors"):  # each was found
        assert not localizer.localize(
            picture, wanted_thing(words, eyes.scene.model, eyes.layout)
        ).found
    unknown = replace(wanted_thing("mango", eyes.scene.model, eyes.layout), name="zorgle", also=())
    looks = {**unknown.looks, "zorgle": ("round_food", "orange")}
    assert localizer.localize(picture, replace(unknown, looks=looks)).found
