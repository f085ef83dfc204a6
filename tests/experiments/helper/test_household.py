"""`python -m experiments.helper.household`: programs of episodes, carried out and judged."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.experiments.conftest import Experiment
from tests.experiments.helper.small import CAREFUL, CHANGES, HASTY, SCENE, episode, write_episodes
from tests.support.library import ROOT

pytestmark = pytest.mark.needs_system("helper")

Evaluate = Callable[..., dict[str, Any]]


@pytest.fixture
def evaluate(experiment: Experiment, tmp_path: Path) -> Evaluate:
    """The JSON of an evaluation of some episodes."""

    def run(*episodes: dict[str, Any], options: tuple[str, ...] = ()) -> dict[str, Any]:
        file = write_episodes(tmp_path, *episodes)
        given = ("helper.household", "--episodes", file, "--library", ROOT)
        result = experiment(*given, *options, "--output-format", "json")
        assert result.status == 0, result.err
        found: dict[str, Any] = json.loads(result.out)
        return found

    return run


def by_setting(data: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["repairs"], one["sight"]): one for one in data["summaries"]}


def test_repairs_do_what_a_program_leaves_out(evaluate: Evaluate) -> None:
    found = by_setting(evaluate(episode(HASTY)))
    for sight in ("full", "partial"):
        on, off = found["repair", sight], found["check", sight]
        assert (on["accepted"], on["ended"], on["done"], on["causes"]) == (1, 1, 1, {})
        assert (off["accepted"], off["ended"], off["done"]) == (1, 0, 0)
        assert off["causes"]


def test_a_careful_program_needs_no_repairs_when_all_is_seen(evaluate: Evaluate) -> None:
    found = by_setting(evaluate(episode(CAREFUL)))
    assert found["check", "full"]["done"] == found["repair", "full"]["done"] == 1
    assert found["check", "full"]["causes"] == {}


def test_a_session_begins_in_the_middle_and_is_judged_by_what_changes_then(
    evaluate: Evaluate,
) -> None:
    found = evaluate(episode(CAREFUL), options=("--sessions", "--repairs", "on", "--sight", "full"))
    (trial,) = found["trials"]
    changed = [about for about, _ in trial["conditions"]]
    assert "Tomato_2 piece 1 at" in changed
    assert "Fridge_1 opened" not in changed, "that was before"
    assert trial["done"]


@pytest.mark.thorough
def test_an_embodied_robot_carries_out_a_recorded_program(evaluate: Evaluate) -> None:
    options = ("--sight", "embodied", "--repairs", "on")
    (summary,) = evaluate(episode(HASTY), options=options)["summaries"]
    assert (summary["sight"], summary["done"]) == ("embodied", 1)
    assert 20 < summary["steps"] < 400


def test_what_held_before_is_counted_apart(evaluate: Evaluate) -> None:
    (summary,) = evaluate(
        episode("fridge = InteractionObject('Fridge')\nfridge.open()\n"),
        options=("--repairs", "on", "--sight", "full"),
    )["summaries"]
    # of the slice that is a slice, lies on a plate; and the plate that is a plate and clean
    assert summary["conditions"] == 4
    assert (summary["conditions_before"], summary["conditions_met"]) == (2, 2)
    assert (summary["done_before"], summary["done"]) == (0, 0)


def test_changes_that_the_program_is_not_the_cause_of_are_counted_apart(evaluate: Evaluate) -> None:
    data = evaluate(episode(HASTY), options=("--repairs", "on", "--sight", "full"))
    (summary,) = data["summaries"]
    assert (summary["changes_met"], summary["changes"]) == (1, 1)  # sliced
    assert summary["changes_apart"] == {
        "a flag of the recorder": 1,
        "a thing that the program does not name": 1,
    }


@pytest.mark.parametrize(
    ("change", "counted"),
    [
        # the plate keeps a list of what is on it under the same name
        ({"id": 4, "label": "Plate", "attribute": "0", "before": "Fork", "after": "Tomato"}, False),
        ({"id": 4, "label": "Plate", "attribute": "dirty", "before": 1, "after": False}, True),
    ],
)
def test_supports_are_told_from_contents(
    evaluate: Evaluate, change: dict[str, Any], counted: bool
) -> None:
    given = episode(HASTY, changes=[*CHANGES[:1], change])
    (summary,) = evaluate(given, options=("--repairs", "on", "--sight", "full"))["summaries"]
    assert summary["changes"] == 1 + counted


def test_a_statement_changes_nothing(evaluate: Evaluate) -> None:
    stated = 'plant = InteractionObject("HousePlant", object_instance="HousePlant_9")\n'
    stated += 'plant.change_state("filled", True)\n'
    scene = {**SCENE, "HousePlant_9": {"label": "HousePlant", "filled": False}}
    given = episode(stated, task_type="Water_the_plant", scene=scene, changes=[])
    (summary,) = evaluate(given, options=("--repairs", "on", "--sight", "full"))["summaries"]
    assert (summary["done"], summary["assertions_failed"]) == (0, 1)


def test_a_program_that_is_refused_does_nothing(evaluate: Evaluate) -> None:
    data = evaluate(episode("tomato.peel()\n"), options=("--repairs", "on", "--sight", "full"))
    (summary,) = data["summaries"]
    assert (summary["accepted"], summary["ended"], summary["done"]) == (0, 0, 0)
    assert summary["causes"] == {"refused": 1}
    assert "line 1" in data["trials"][0]["refused"]


def test_a_seed_gives_the_same_figures(
    evaluate: Evaluate, experiment: Experiment, tmp_path: Path
) -> None:
    first = evaluate(episode(HASTY), options=("--slips", "0.3", "--seed", "4"))
    again = experiment(
        *("helper.household", "--episodes", tmp_path / "episodes.jsonl", "--library", ROOT),
        *("--slips", "0.3", "--seed", "4", "--output-format", "json"),
    )
    assert json.loads(again.out) == first


def test_slips_fail_steps(evaluate: Evaluate) -> None:
    options = ("--slips", "1", "--repairs", "on", "--sight", "full")
    (summary,) = evaluate(episode(CAREFUL), options=options)["summaries"]
    assert (summary["ended"], summary["done"]) == (0, 0)
    assert "slipped" in summary["causes"]


def test_table_and_figure(experiment: Experiment, tmp_path: Path) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    figure = tmp_path / "figure.svg"
    given = ("helper.household", "--episodes", file, "--library", ROOT, "--figure", figure)
    result = experiment(*given)
    assert result.status == 0, result.err
    assert "repairs on, full sight" in result.out
    assert "task done: all goal conditions" in result.out
    assert figure.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "episodes.jsonl:2: this is not JSON"),
        ("[1]", "episodes.jsonl:2: an episode is a JSON object"),
        ('{"task_type": "x"}', "episodes.jsonl:2: 'dialogue' is missing or no text"),
        (
            json.dumps(episode(HASTY, scene={"Plate_1": {}})),
            "episodes.jsonl:2: the object 'Plate_1' has no 'label'",
        ),
        (json.dumps(episode(HASTY, changes=3)), "episodes.jsonl:2: 'changes' is not a list"),
    ],
)
def test_a_line_that_is_no_episode_is_told_and_the_others_are_tried(
    experiment: Experiment, tmp_path: Path, line: str, told: str
) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    file.write_text(file.read_text("utf-8") + line + "\n", "utf-8")
    settings = ("--repairs", "on", "--sight", "full")
    result = experiment("helper.household", "--episodes", file, "--library", ROOT, *settings)
    assert result.status == 0
    assert f"left out: {told}" in result.err
    assert "1 episodes left out" in result.out
    assert "1/1 100.0%" in next(x for x in result.out.splitlines() if x.startswith("task done"))


@pytest.mark.parametrize("content", [b"", b"{\n", bytes(range(128, 256)), b"\n\n"])
def test_a_file_without_an_episode_is_told(
    experiment: Experiment, tmp_path: Path, content: bytes
) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    file.write_bytes(content)
    for command in ("household", "retrieval"):
        result = experiment(f"helper.{command}", "--episodes", file)
        assert (result.status, result.out) == (2, "")
        assert "episodes.jsonl has no episodes" in result.err


@pytest.mark.parametrize(
    "more", [{"dialogue": " "}, {"program": ""}, {"dialogue": "x" * 200_000}, {"scene": {}}]
)
@pytest.mark.parametrize("programs", ["recorded", "nearest", "helper"])
@pytest.mark.few(3)
def test_empty_and_endless_texts_are_tried(
    experiment: Experiment, tmp_path: Path, more: dict[str, Any], programs: str
) -> None:
    other = {**episode(HASTY, tag="small_1"), **more}
    file = write_episodes(tmp_path, episode(HASTY), other)
    settings = ("--programs", programs, "--repairs", "on", "--sight", "full", "-L", ROOT)
    result = experiment("helper.household", "--episodes", file, *settings)
    assert result.status == 0, result.err
    assert "episodes" in result.out


def test_a_single_episode_has_no_other_to_take_a_program_from(
    experiment: Experiment, tmp_path: Path
) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    settings = ("--programs", "nearest", "--programs", "recorded", "--sight", "full", "-L", ROOT)
    result = experiment("helper.household", "--episodes", file, *settings)
    assert "no other episode to take a program from" in result.err


def test_a_task_of_an_unknown_goal_is_carried_out_and_its_changes_are_judged(
    experiment: Experiment, tmp_path: Path
) -> None:
    unknown = episode(HASTY, tag="small_1", task_type="Fly_to_the_moon")
    file = write_episodes(tmp_path, episode(HASTY), unknown)
    settings = ("--repairs", "on", "--sight", "full", "-L", ROOT)
    result = experiment("helper.household", "--episodes", file, *settings)
    assert result.status == 0
    assert "no goal: episode small_1: no definition is of the task 'Fly_to_the_moon'" in result.err
    rows = {line[:16].strip(): line for line in result.out.splitlines()}
    assert "2/2 100.0%" in rows["program accepted"]
    assert "1/1 100.0%" in rows["task done: all g"]
    assert "1 episodes of tasks whose goals are not known" in result.out


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            {
                "scene": {
                    **SCENE,
                    "Box_9": {"label": "Box", "supported_by": ["Bowl_10"]},
                    "Bowl_10": {"label": "Bowl", "supported_by": ["Box_9"]},
                }
            },
            "Box_9",
        ),
    ],
)
def test_an_episode_that_cannot_be_carried_out_is_left_out_and_told(
    experiment: Experiment, tmp_path: Path, more: dict[str, Any], told: str
) -> None:
    file = write_episodes(tmp_path, episode(HASTY), episode(HASTY, tag="small_1", **more))
    given = ("helper.household", "--episodes", file, "--library", ROOT, "--repairs", "on")
    result = experiment(*given, "--sight", "full")
    assert result.status == 0
    assert told in result.err
    assert "1 episodes left out" in result.out


def test_an_object_of_an_unknown_class_is_told_and_the_rest_of_the_scene_stands(
    experiment: Experiment, tmp_path: Path
) -> None:
    scene = {
        **SCENE,
        "Cupp_9": {"label": "Cupp"},
        "Fork_10": {"label": "Fork", "supported_by": ["Cupp"]},
    }
    file = write_episodes(tmp_path, episode(HASTY, scene=scene))
    given = ("helper.household", "--episodes", file, "--library", ROOT, "--repairs", "on")
    result = experiment(*given, "--sight", "full")
    assert result.status == 0
    assert "'Cupp_9' is of an unknown class 'Cupp'; did you mean 'Cup'?" in result.err
    assert "1/1 100.0%" in next(x for x in result.out.splitlines() if x.startswith("task done"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--repairs", "maybe"), "--repairs is one of on, off, none, not 'maybe'"),
        (("--sight", "x-ray"), "--sight is one of full, partial, embodied, not 'x-ray'"),
        (("--tasks", "nowhere"), "no task definitions in nowhere"),
    ],
)
def test_options_that_do_not_fit_are_told(
    experiment: Experiment, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    result = experiment("helper.household", "--episodes", file, "--library", ROOT, *options)
    assert result.status == 2
    assert told in result.err


def test_programs_of_other_dialogues_are_carried_out(evaluate: Evaluate) -> None:
    """Without the names of single things: those are of the other scene."""
    other = episode(CAREFUL)
    found = evaluate(
        episode(HASTY),
        other,
        options=("--programs", "nearest", "--programs", "fixed", "--repairs", "on"),
    )
    assert {one["programs"] for one in found["summaries"]} == {"nearest", "fixed"}
    assert [one["accepted"] for one in found["summaries"]] == [2] * 4
    assert all(one["done"] for one in found["summaries"])


def test_places_may_be_searched_in_random_order(evaluate: Evaluate) -> None:
    found = evaluate(
        episode(HASTY),
        options=("--locator", "on", "--locator", "off", "--repairs", "on", "--sight", "partial"),
    )
    assert [(one["locator"], one["done"]) for one in found["summaries"]] == [(True, 1), (False, 1)]


@pytest.mark.parametrize(("like", "done"), [("careful", 1), ("useless", 0)])
def test_the_embedder_chooses_whose_program_is_nearest(
    evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch, like: str, done: int
) -> None:
    """A model of which the dialogue that is asked for means the same as one of the others."""

    def embedding(*, input: list[str], **other: Any) -> dict[str, Any]:
        near = [float(text in ("asked", like)) for text in input]
        return {"data": [{"index": n, "embedding": [x, 1 - x]} for n, x in enumerate(near)]}

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(embedding=embedding))
    useless = "fridge = InteractionObject('Fridge')\nfridge.open()\n"
    episodes = [
        episode(program, dialogue=said)
        for said, program in (("useless", useless), ("asked", HASTY), ("careful", CAREFUL))
    ]
    options = ("--programs", "nearest", "--repairs", "on", "--sight", "full")
    data = evaluate(*episodes, options=(*options, "--embedder", "litellm:x/y"))
    assert [trial["done"] for trial in data["trials"]][1] == bool(done)


def test_an_unknown_embedder_is_told(experiment: Experiment, tmp_path: Path) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    result = experiment("helper.household", "--episodes", file, "--embedder", "lexicla")
    assert result.status == 2
    assert "unknown embedder 'lexicla'" in result.err
