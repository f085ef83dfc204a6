"""Sets on a shelf, how things are found there, and whole picks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pytest

from experiments.command import main
from experiments.perception.clutter import (
    LEVELS,
    ClutterTrial,
    LocalizationTrial,
    make_trial,
)
from experiments.perception.evaluate import command
from experiments.perception.kitchen_picks import command as kitchen_picks
from experiments.perception.picks import PickTrial, pick, possible, view_of
from experiments.perception.tables import picks_to_text, summary, to_text
from tests.perception.support import kitchen, shrink_all
from treec.files.view import View
from treec.world.spec import RunSpec
from treec_perception.files import CameraFile, LensSpec
from treec_perception.localizer_query import movable
from treec_sapien.bodies.jitter import jitter_layout
from treec_sapien.bodies.pose import yaw
from treec_sapien.bodies.scene import read
from treec_testing.skill_trial import CannotTry

pytestmark = pytest.mark.needs_system("mosaic")


SMALL = {"size": [160, 120], "lens": LensSpec(fx=154.0, fy=154.0, cx=80.0, cy=60.0)}


@pytest.fixture
def few_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are small, so that fewer pixels are enough to be seen."""
    monkeypatch.setattr("experiments.perception.clutter.VISIBLE", 16)


def camera(name: str) -> CameraFile:
    return kitchen().cameras[name].model_copy(update=SMALL)


@cache
def trial(level: str = "medium", seed: int = 3) -> ClutterTrial:
    return make_trial(kitchen(), camera("head"), "pantry", level, seed)


@pytest.mark.usefixtures("few_pixels")
def test_a_trial_is_made_by_its_seed_and_level() -> None:
    first, again = trial(), make_trial(kitchen(), camera("head"), "pantry", "medium", 3)
    assert first.thing == again.thing
    assert np.array_equal(first.picture.colour, again.picture.colour)
    low, high = LEVELS["medium"]
    assert low <= len(movable(first.layout)) <= high
    assert first.picture.mask(first.thing).sum() > 0
    asked = {it.name for it in first.absent}
    assert asked
    assert not asked & {name.replace("_", " ") for name in movable(first.layout)}


@pytest.mark.usefixtures("few_pixels")
def test_a_fixed_camera_looks_as_its_file_says() -> None:
    spec = camera("table_near")
    made = make_trial(kitchen(), spec, "table", "low", 1)
    assert made.camera == "table_near"
    assert made.base is None
    assert made.picture.camera is not None
    assert spec.pose is not None
    assert np.allclose(made.picture.camera.eye, spec.pose.eye)


def test_a_camera_that_does_not_see_the_shelf_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.perception.clutter.TRIES", 2)
    with pytest.raises(ValueError, match="'table_near' does not see what stands on 'shelf'"):
        make_trial(kitchen(), camera("table_near"), "shelf", "low", 1)


@pytest.mark.usefixtures("few_pixels")
def test_a_pick_is_in_a_scene_whose_shelf_holds_the_trial() -> None:
    eyes, made = kitchen(), trial()
    view = view_of(eyes.view, "pantry", "R2", "mosaic_eyes", made)
    assert list(view.all("localizer")) == ["mosaic_eyes"]
    objects = view.scenes[0].model.objects
    there = {name for name, spec in objects.items() if spec.facts.get("at") == "pantry"}
    assert there == set(movable(made.layout))
    layout = read({name: spec.model_dump() for name, spec in objects.items() if spec.body})
    for name in there:
        pose, drawn = layout.bodies[name].pose, made.layout.bodies[name].pose
        assert np.allclose((*pose.p, *pose.q), (*drawn.p, *drawn.q), atol=1e-3)
    whole = eyes.view.scenes[0].model.objects
    elsewhere = {name for name, spec in whole.items() if spec.facts.get("at") != "pantry"}
    assert elsewhere <= set(objects)
    robot = view.agents["R2"]
    assert robot.starts["near"] == "pantry"
    assert made.base is not None
    assert robot.body is not None
    assert np.allclose(robot.body["pose"], made.base.p, atol=1e-3)
    assert np.allclose(abs(np.dot(yaw(robot.body["yaw"]), made.base.q)), 1.0, atol=1e-4)
    assert view.agents["R1"] == eyes.view.agents["R1"]
    assert view.system is not None
    assert view.system.model.runs_on == {"default": "sapien"}
    assert jitter_layout(layout, 1, 0.0, 0.0).bodies.keys() == layout.bodies.keys()


def found(level: str, thing: str, camera: str, error: float | None, away: float) -> object:
    return LocalizationTrial(level, thing, camera, error is not None, error, away, 1, 3, {"a": 2.0})


def test_errors_are_told_by_level_camera_distance_and_object() -> None:
    its = [
        found("low", "salt", "head", 0.002, 0.7),
        found("low", "rice", "near", 0.2, 1.3),
        found("high", "salt", "near", None, 1.5),
    ]
    row = summary(its)  # type: ignore[arg-type]
    assert row["levels"]["low"]["median_error_mm"] == 101.0
    assert row["cameras"]["near"] == {
        "trials": 2,
        "best_is_right": 0,
        "found_and_right": 0,
        "median_error_mm": 200.0,
    }
    assert list(row["distances"]) == ["up to 0.8 m", "up to 1.6 m"]
    assert row["objects"]["salt"]["best_is_right"] == 1
    assert (row["false_finds"], row["asked_absent"]) == (3, 9)
    text = to_text({"mosaic_eyes": row})
    assert "absent things found: 3 of 9" in text
    low = next(line for line in text.splitlines() if " low " in line)
    assert low.split() == ["mosaic_eyes", "low", "1/2", "1/2", "101.0", "10/10"]


def test_picks_that_fail_are_told_with_their_reason() -> None:
    text = picks_to_text(
        {
            "kitchen_eyes": [
                PickTrial("low", 0, "salt", True, "", 0.002, 1, 20.0),
                PickTrial("low", 1, "rice", False, "not seen", None, 2, 9.0),
            ]
        },
        {"low": 0, "high": 2},
    )
    assert "low 0, high 2" in text
    assert "1/2" in text
    assert "kitchen_eyes low 1 rice: not seen" in text


@pytest.mark.usefixtures("few_pixels")
def test_what_cannot_be_picked_at_all_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    def pick(view: object, agent: str, trial: ClutterTrial, *, see: bool) -> PickTrial:
        tried.append(see)
        ok = len(tried) % 2 == 0
        why = "" if ok else "not reached"
        return PickTrial(trial.level, trial.seed, trial.thing, ok, why, None, 0, 9.0)

    monkeypatch.setattr("experiments.perception.picks.pick", pick)
    made = list(possible(kitchen(), camera("head"), "pantry", "low", 2, 0))
    assert [it is not None for it, _ in made] == [False, True, False, True]
    assert "not reached" in made[0][1]
    assert tried == [False] * 4


def test_wrong_options_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (["--localizer", "nobody"], "unknown localizer 'nobody'; known: kitchen_eyes"),
        (["--camera", "table_near", "--picks"], "the camera 'table_near' is on no robot"),
        (
            ["--shelf", "bowl"],
            "things cannot be put on 'bowl' in 'kitchen', only on what is fixed there: ",
        ),
        (["--camera", "hed"], "unknown camera 'hed'"),
        (["--level", "lowest"], "unknown level 'lowest'; did you mean 'low'?"),
    ):
        assert main(command, [*words]) == 2
        assert told in capsys.readouterr().err


def test_a_level_is_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Sequence[str]] = []

    def made(*args: object) -> Iterator[ClutterTrial]:
        asked.append(args[3])  # type: ignore[arg-type]
        return iter(())

    monkeypatch.setattr("experiments.perception.clutter.make_trials", made)
    monkeypatch.setattr("treec_perception.models.Models.load", lambda models, stages: None)
    words = ["--localizer", "kitchen_eyes", "--level", "high", "--level", "low"]
    assert main(command, [*words]) == 0
    assert asked == [["low", "high"]]
    assert "kitchen_eyes" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("few_pixels")
def test_the_command_prints_its_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shrink_all(monkeypatch, 4)
    words = ["--localizer", "kitchen_eyes", "--camera", "head", "--camera", "table_near"]
    words += ["--n", "1", "--output-format", "json"]
    assert main(command, [*words]) == 0
    row = json.loads(capsys.readouterr().out)["kitchen_eyes"]
    assert list(row["levels"]) == list(LEVELS)
    assert {it["trials"] for it in row["cameras"].values()} == {3}
    assert row["asked_absent"] > 0
    assert "detect" in row["milliseconds"]


@pytest.mark.slow
def test_a_thing_alone_is_picked_by_what_is_seen() -> None:
    eyes = kitchen()
    made = make_trial(eyes, eyes.cameras["head"], "pantry", "low", 500000)
    done = pick(view_of(eyes.view, "pantry", "R2", "kitchen_eyes", made), "R2", made)
    assert done.picked, done.reason
    assert done.error is not None
    assert done.error < 0.03
    assert done.looks >= 1


def test_things_are_picked_where_they_stand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    specs: list[RunSpec] = []

    def pick_thing(view: View, agent: str, thing: str, spec: RunSpec) -> PickTrial:
        specs.append(spec)
        ok = thing == "bread"
        return PickTrial("", spec.seed or 0, thing, ok, "blocked", 0.003, 2, 9.0)

    monkeypatch.setattr("experiments.perception.picks.pick_thing", pick_thing)
    options = ["--item", "bread", "--item", "celery", "--n", "2", "--seed", "7"]
    assert main(kitchen_picks, options) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "bread, seed 7: picked (2 looks, 3 mm off)"
    assert lines[-1] == "2 of 4 picked"
    assert all(spec.see and spec.jitter for spec in specs)


def test_a_thing_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pick_thing(view: View, agent: str, thing: str, spec: RunSpec) -> PickTrial:
        raise CannotTry(f"pick's 'item': '{thing}' is not an Item of the scene")

    monkeypatch.setattr("experiments.perception.picks.pick_thing", pick_thing)
    assert main(kitchen_picks, ["--item", "bred"]) == 2
    assert "'bred' is not an Item of the scene" in capsys.readouterr().err
