"""The training of the small weights: pictures, words, targets, and a whole tiny run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.perception.support import ROOT
from treec.api.find import find_library
from treec.cli import main
from treec_perception.crops import square_crop
from treec_perception.negative_words import BACKGROUND, NOTHING, UNNAMED
from treec_perception.training.detector import GRID, targets
from treec_perception.training.pictures import (
    Annotation,
    PictureMaker,
    Robots,
    missing,
    read_annotations,
    take,
)
from treec_perception.training.scenes import footprint, make_set, rooms_and_things
from treec_perception.training.scorer import ScorerBatches
from treec_perception.training.tokenizer import learn_merges, make_tokenizer, vocabulary
from treec_perception.training.train import begin_or_continue
from treec_perception.training.words import (
    HELD_OUT,
    HELD_OUT_PAIRS,
    SEEN,
    STATES,
    Look,
    all_phrases,
    corpus,
    matches,
)

PEPPER = Look(("pepper", "black pepper"), "jar", "black")
pytestmark = pytest.mark.needs_system("mosaic")


def test_what_a_phrase_means() -> None:
    for phrase in ("pepper", "black pepper", "jar", "shaker", "black jar"):
        assert matches(phrase, PEPPER), phrase
    for phrase in ("salt", "white jar", "bottle", "black"):
        assert not matches(phrase, PEPPER), phrase


def test_held_out_words_are_in_no_training_text() -> None:
    _, things = rooms_and_things(find_library(ROOT))
    looks = [thing.look for thing in things]
    phrases = all_phrases([*looks, *(Look((), kind, colour) for colour, kind in HELD_OUT_PAIRS)])
    assert not {"red can", "red tin", "purple bottle", "pink packet"} & set(phrases)
    assert {"red jar", "can", "purple jar"} <= set(phrases)
    assert not set(SEEN) & set(HELD_OUT)
    starts = {template.split("{}")[0] for template in HELD_OUT if template.split("{}")[0]}
    assert not any(text.startswith(start) for text in corpus(looks) for start in starts)


def test_a_set_is_made_from_its_seed() -> None:
    rooms, things = rooms_and_things(find_library(ROOT))
    one, same, other = (make_set(rooms, things, seed, (80, 60)) for seed in (3, 3, 4))
    assert one.camera == same.camera != other.camera
    assert list(one.looks) == list(same.looks)
    (first, boxes), (second, _) = take(one, Robots([])), take(same, Robots([]))
    assert (first == second).all()
    assert first.shape == (60, 80, 3)
    for it in boxes:
        assert 0 <= it.box[0] < it.box[2] <= 80


def test_some_things_lie_on_what_they_stood_on() -> None:
    from treec_sapien.bodies.solid import solid

    rooms, things = rooms_and_things(find_library(ROOT))
    upright = lying = 0
    for seed in range(12):
        made = make_set(rooms, things, seed, (80, 60))
        for name, state in made.states.items():
            placed = made.layout.bodies[name]
            solids = [solid(it, pose) for link, pose in placed.solids() for it in link.shapes]
            low, high = min(it.low[2] for it in solids), max(it.high[2] for it in solids)
            tall = footprint(placed.body)[2]
            if state == "lying":
                lying += 1
                assert high - low < 0.85 * tall
                assert placed.pose.p[2] == pytest.approx(low + (placed.pose.p[2] - low))
            else:
                upright += 1
                assert (low, high) == pytest.approx((placed.pose.p[2], placed.pose.p[2] + tall))
    assert 0.08 < lying / (lying + upright) < 0.35


def test_some_sets_are_scenes_as_runs_begin() -> None:
    """Jittered, with some things gone: neighbours are those of the kitchen."""
    rooms, things = rooms_and_things(find_library(ROOT))
    whole = {room.name: set(room.looks) for room in rooms}
    begun = [
        made
        for made in (make_set(rooms, things, seed, (80, 60)) for seed in range(40))
        if any(len(made.looks) > 0.5 * len(it) and set(made.looks) <= it for it in whole.values())
    ]
    assert 6 <= len(begun) <= 24


def test_what_hides_a_thing_is_measured() -> None:
    """Two tins in a line before a camera: of the one behind only the share that is seen counts."""
    from treec_perception.training.scenes import TrainingSet
    from treec_sapien.bodies.scene import SceneLayout, read
    from treec_sapien.view.camera import Camera
    from treec_sapien.view.picture import DAY

    tin = {"kind": "tin", "diameter": 0.06, "height": 0.1}
    layout = read(
        {"near": {"pose": [0, 0, 0], "body": tin}, "far": {"pose": [0.03, 0.2, 0], "body": tin}}
    )
    look = Look(("tin",), "tin", None)
    camera = Camera.looking((0, -0.6, 0.1), (0, 0, 0.05), (160, 120))
    made = TrainingSet(SceneLayout(layout.bodies, {}), {"near": look, "far": look}, camera, DAY)
    _, found = take(made, Robots([]))
    assert found[0].hidden == 0.0
    assert 0.3 < found[1].hidden < 0.8


def test_a_crop_has_one_right_name_and_the_share_does_not_depend_on_how_many_it_has(
    tmp_path: Path,
) -> None:
    rooms, things = rooms_and_things(find_library(ROOT))
    make = PictureMaker(tmp_path, rooms, things, Robots([]))
    small = [make_set(rooms, things, seed, (96, 72)) for seed in range(4, 7)]
    for number, made in enumerate(small):
        make.write(number, *take(made, Robots([])))
    assert missing(tmp_path, 4) == [3]
    looks = [it.look for it in things]
    batches = ScorerBatches(tmp_path, 3, looks)
    batch, same = batches(5), batches(5)
    assert (batch.crops == same.crops).all()
    assert batch.texts == same.texts
    named, names = batch.which.shape
    assert batch.which.sum(axis=1) == pytest.approx(np.ones(named))
    assert names < len({it for look in looks for it in look.names})  # one of each
    assert batch.texts[names - len(NOTHING) : names] == NOTHING
    empty = batch.which[:, names - len(NOTHING) : names - 1]
    assert set(empty.sum(axis=1).round(3)) <= {0.0, 1.0}
    assert (*BACKGROUND, UNNAMED) == NOTHING
    assert len(batch.crops) == named + len(batch.state)
    assert len(batch.texts) == names + batch.right.shape[1] + len(STATES) * len(batch.state)


def test_things_do_not_overlap() -> None:
    from treec_sapien.bodies.solid import depth, solid

    rooms, things = rooms_and_things(find_library(ROOT))
    made = make_set(rooms, things, 12)
    solids = {
        name: [
            solid(shape, pose)
            for link, pose in made.layout.bodies[name].solids()
            for shape in link.shapes
        ]
        for name in made.looks
    }
    names = sorted(solids)
    assert len(names) > 3
    deep = [
        (a, b)
        for at, a in enumerate(names)
        for b in names[:at]
        if any(depth(one, other)[0] > 0.02 for one in solids[a] for other in solids[b])
    ]
    assert len(deep) <= 0.05 * len(names) ** 2  # boxes turned by 45 degrees may touch


def test_patches_in_the_middle_of_a_thing_answer_for_it() -> None:
    box = (0.2, 0.4, 0.4, 0.8)
    wanted, boxes, answers = targets([Annotation(box, PEPPER, 900)], ["pepper", "salt"])
    v, u = divmod(np.flatnonzero(answers), GRID)
    assert (u + 0.5) / GRID == pytest.approx(0.3, abs=0.07)
    assert (v + 0.5) / GRID == pytest.approx(0.6, abs=0.13)
    assert np.allclose(boxes[answers], (0.3, 0.6, 0.2, 0.4))
    assert (wanted[answers] == (1.0, 0.0)).all()
    assert set(np.unique(wanted[~answers, 0])) == {-1.0, 0.0}
    assert (wanted[:, 1] == 0).all()


def test_a_small_thing_has_one_patch() -> None:
    _, _, answers = targets([Annotation((0.51, 0.51, 0.52, 0.53), PEPPER, 40)], ["pepper"])
    assert answers.sum() == 1


def test_crops_are_square_and_reach_over_the_edge() -> None:
    picture = np.arange(40 * 30 * 3, dtype=np.uint8).reshape(30, 40, 3)
    crop = square_crop(picture, (35, 5, 39, 25), 0.5)
    assert crop.shape == (40, 40, 3)
    assert (crop[:, -1] == crop[:, -2]).all()
    assert square_crop(picture, (35, 5, 39, 25), 0.1, 16).shape == (16, 16, 3)


def test_every_third_picture_is_of_what_earlier_weights_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []

    def note(rooms: object, things: object, number: int) -> tuple[()]:
        made.append((rooms, things, number))
        return ()

    monkeypatch.setattr("treec_perception.training.pictures.make_set", note)
    monkeypatch.setattr("treec_perception.training.pictures.take", lambda *_: (None, []))
    monkeypatch.setattr(PictureMaker, "write", lambda *_: None)
    make: Any = PictureMaker(tmp_path, "bench", "tools", Robots([]), ("kitchen", "food"))  # type: ignore[arg-type]
    assert [make(number) for number in range(3)] == [0, 1, 2]
    assert made == [("bench", "tools", 0), ("bench", "tools", 1), ("kitchen", "food", 2)]


def test_a_kind_of_ones_own_goes_by_its_name() -> None:
    gearbox = Look(("reducer",), "gear_box", None)
    assert gearbox.phrases() == ("reducer", "gear box")
    assert matches("gear box", gearbox)


@pytest.mark.thorough
def test_the_tokenizer_has_clips_layout() -> None:
    merges = learn_merges(["a red can", "a red jar"], 20)
    tokens = vocabulary(merges)
    assert "red</w>" in tokens
    assert sorted(tokens, key=tokens.__getitem__)[-2:] == ["<|startoftext|>", "<|endoftext|>"]
    tokenizer = make_tokenizer(["a red can", "a red jar"])
    ids = tokenizer("a red zebra")["input_ids"]
    assert (ids[0], ids[-1]) == (len(tokenizer) - 2, len(tokenizer) - 1)
    assert tokenizer.tokenize("a red zebra")[:2] == ["a</w>", "red</w>"]
    assert tokenizer.pad_token_id == 0


def test_a_training_of_other_things_or_weights_is_not_continued(tmp_path: Path) -> None:
    can, cup = Look(("soup",), "tin", "red"), Look((), "cup", None)
    for _ in range(2):
        begin_or_continue(tmp_path, [can], None)
    for looks, base, key in (([can, cup], None, "things"), ([can], tmp_path, "weights")):
        with pytest.raises(ValueError, match=f"has a training with other {key}: use another fold"):
            begin_or_continue(tmp_path, looks, base)


def test_weights_to_go_on_from_are_both_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scorer").mkdir()
    (tmp_path / "scorer/config.json").write_text("{}")
    assert main(["perception", "train", str(tmp_path / "on"), "--from", str(tmp_path)]) == 2
    assert f"no weights in {tmp_path}" in capsys.readouterr().err


@pytest.mark.slow
def test_a_tiny_training_through_the_command_line(tmp_path: Path) -> None:
    """Pictures, both models, saved in the published layout; continued where it was cut off."""
    args = ["--pictures", "3", "--scorer-steps", "2", "--detector-steps", "2"]
    args = ["--device", "cpu", *args]
    run = [sys.executable, "-m", "treec", "perception", "train", str(tmp_path), "--from", "none"]
    run += args
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "detector: 2 of 2, loss" in done.stderr
    for part in ("detector", "scorer"):
        names = {path.name for path in (tmp_path / part).iterdir()}
        assert {"config.json", "model.safetensors", "preprocessor_config.json"} <= names
        assert {"vocab.json", "merges.txt"} <= names
    first = (tmp_path / "pictures" / "00001.png").stat().st_mtime_ns
    assert read_annotations(tmp_path / "pictures", 1) is not None
    more = [*run[:-6], "--pictures", "3", "--scorer-steps", "3", "--detector-steps", "2"]
    again = subprocess.run(more, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert again.returncode == 0, again.stderr
    assert "scorer: 3 of 3" in again.stderr
    assert "scorer: 1 of 3" not in again.stderr
    assert (tmp_path / "pictures" / "00001.png").stat().st_mtime_ns == first
    made = json.loads((tmp_path / "made.json").read_text())["scorer"]
    assert made == {"pictures": 3, "steps": 3, "device": "CPU"}
    further = [*run[:4], str(tmp_path / "on"), "--from", str(tmp_path), *args]
    on = subprocess.run(further, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert on.returncode == 0, on.stderr
    assert "before: new names" in on.stdout
    assert "after: new names" in on.stdout
