"""`python -m experiments.helper.retrieval`: each dialogue is looked for among the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.experiments.conftest import Experiment
from tests.experiments.helper.small import HASTY, episode, write_episodes

pytestmark = pytest.mark.needs_system("helper")

SAID = [
    ("Coffee", "<Commander> I would like a cup of coffee."),
    ("Coffee", "<Commander> Make me coffee, in a clean cup."),
    ("Toast", "<Commander> Two slices of toast on a plate, toasted."),
    ("Toast", "<Commander> Put toast on the plate. <Driver> How many slices of toast?"),
    ("Water", "<Commander> The plant needs water."),
]


def test_the_dialogue_itself_is_left_out(experiment: Experiment, tmp_path: Path) -> None:
    episodes = [episode(HASTY, task_type=kind, dialogue=said) for kind, said in SAID]
    file = write_episodes(tmp_path, *episodes)
    result = experiment("helper.retrieval", "--episodes", file, "--output-format", "json")
    assert result.status == 0, result.err
    (found,) = json.loads(result.out)
    assert found["embedder"].startswith("lexical")
    assert (found["dialogues"], found["possible"]) == (5, 4)
    assert found["hits"] == {"1": 4, "3": 4}
    assert [row[0] for row in found["confused"]] == ["Water"]
    assert found["by_chance"] == {"1": 1.0, "3": 3.0}
    table = experiment("helper.retrieval", "--episodes", file).out
    assert "4/5 80.0%" in table


def test_one_dialogue_is_too_few(experiment: Experiment, tmp_path: Path) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    result = experiment("helper.retrieval", "--episodes", file)
    assert result.status == 2
    assert "nothing to compare" in result.err
