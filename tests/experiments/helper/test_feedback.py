"""HELPER as a whole on an episode: what the user says is missing, and what is done about it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.helper.carry_out import TrialSettings, episode_view
from experiments.helper.dialogue_trial import SYSTEM, EpisodeMemory, ProgramModel, converse
from experiments.helper.episodes import Episode, read_episodes
from experiments.helper.feedback import SATISFIED, feedback
from experiments.helper.goals import Definitions, GoalCondition
from experiments.helper.measure import EpisodeTrial, goal_of, judge
from tests.experiments.conftest import Experiment
from tests.experiments.helper.small import HASTY, episode, write_episodes
from tests.support.library import ROOT
from treec.ask.transport import ScriptedAnswer, ScriptedTransport
from treec.files.library import load_library
from treec_memory.embedders import LexicalEmbedder

pytestmark = pytest.mark.needs_system("helper")
SHIPPED = load_library(ROOT)
OTHER = "<Commander> A slice of tomato on a big plate, if you please."
Answers = Mapping[str, Sequence[ScriptedAnswer]]
FORGETS = """\
tomato = InteractionObject("Tomato")
tomato.slice()
"""
"""Leaves the slice where it was cut."""


def test_the_feedback_has_the_papers_sentences() -> None:
    missing = [
        GoalCondition("a", False, "The bread needs to be toasted.", "Make toast.", "BreadSliced"),
        GoalCondition("b", True, "The Plate is dirty.", "Clean a Plate.", "Plate"),
        GoalCondition("c", False, "The bread needs to be toasted.", "Make toast.", "BreadSliced"),
    ]
    assert feedback(missing) == (
        "You failed to complete the subtask: Make toast. "
        "For the object bread slice: The bread needs to be toasted."
    )
    assert feedback(missing[1:2]) == SATISFIED


def read_one(*given: Mapping[str, Any]) -> Iterator[Episode]:
    from experiments.helper.episodes import parse_episode

    return (parse_episode(json.dumps(one)) for one in given)


def converse_with(
    folder: Path, answers: Answers, **settings: Any
) -> tuple[EpisodeTrial, ScriptedTransport]:
    """The small episode, with a model that answers as given; its memory has one other."""
    other = episode(HASTY, tag="other", dialogue=OTHER)
    file = write_episodes(folder, episode(HASTY), other)
    episodes = read_episodes(file)
    goal = goal_of(episodes[0], Definitions(folder / "task_definitions"))
    memory = EpisodeMemory(folder, episodes, LexicalEmbedder())
    transport = ScriptedTransport(dict(answers))
    view = episode_view(SHIPPED, episodes[0], SYSTEM)
    chosen = TrialSettings(programs="helper", sight="partial", **settings)
    model = ProgramModel("scripted", lambda: transport)
    outcome = converse(view, episodes[0], goal, chosen, memory, model)
    return judge(view, episodes[0], goal, chosen, outcome), transport


HEARD: ScriptedAnswer = {"acts": [{"kind": "task", "quote": "A slice of tomato on a plate"}]}
CORRECTED: ScriptedAnswer = {
    "acts": [{"kind": "correct", "quote": "You failed to complete the subtask"}]
}
PUT = """\
piece = InteractionObject("TomatoSliced")
plate = InteractionObject("Plate")
piece.pickup_and_place(plate)
"""


def test_what_is_missing_is_said_and_made_up_for(tmp_path: Path) -> None:
    answers: Answers = {
        "Household_Talk": [HEARD, CORRECTED],
        "Dialogue_To_Program": [{"program": FORGETS}, {"program": PUT}],
    }
    trial, transport = converse_with(tmp_path, answers, feedback=1)
    asked = [r for r in transport.requests if r.node == "Dialogue_To_Program"]
    assert "You failed to complete the subtask" in asked[1].messages[-1].content
    assert trial.done


def test_without_feedback_it_stays_undone(tmp_path: Path) -> None:
    answers: Answers = {"Household_Talk": [HEARD], "Dialogue_To_Program": [{"program": FORGETS}]}
    trial, _ = converse_with(tmp_path, answers)
    assert (trial.accepted, trial.done) == (True, False)


def test_it_is_asked_a_second_time_in_the_evaluation_only(tmp_path: Path) -> None:
    answers: Answers = {
        "Household_Talk": [HEARD, CORRECTED, CORRECTED],
        "Dialogue_To_Program": [{"program": FORGETS}, {"program": FORGETS}, {"program": PUT}],
    }
    trial, transport = converse_with(tmp_path, answers, feedback=2)
    assert trial.done
    assert sum(r.node == "Dialogue_To_Program" for r in transport.requests) == 3


@pytest.mark.parametrize("memory", [True, False])
def test_the_memory_is_that_of_the_other_episodes_or_none(tmp_path: Path, memory: bool) -> None:
    answers: Answers = {
        "Household_Talk": [HEARD],
        "Dialogue_To_Program": [{"program": FORGETS + PUT}],
    }
    _, transport = converse_with(tmp_path, answers, memory=memory)
    prompt = next(r for r in transport.requests if r.node == "Dialogue_To_Program").messages
    text = prompt[0].content
    assert ("on a big plate, if you please" in text) == memory
    assert "A slice of tomato on a plate" not in text  # its own dialogue is left out
    assert ("Examples, the most similar first" in text) == memory


@pytest.mark.thorough
def test_all_ablations_are_one_table(experiment: Experiment, tmp_path: Path) -> None:
    other = episode(HASTY, tag="other", dialogue="<Commander> A slice of tomato on a plate.")
    file = write_episodes(tmp_path, episode(HASTY), other)
    given = ("helper.household", "--episodes", file, "--library", ROOT)
    result = experiment(*given, "--ablations", "--output-format", "json")
    assert result.status == 0, result.err
    data = json.loads(result.out)
    assert data["model"] is None
    whole, no_memory, no_checks, no_correction, no_locator, one, two = data["summaries"]
    assert whole["done"] == 2
    assert not no_memory["memory"]
    assert no_memory["done"] == 0
    assert no_checks["repairs"] == "ignore"
    assert not no_correction["correction"]
    assert not no_locator["locator"]
    assert (one["feedback"], two["feedback"]) == (1, 2)


def test_ablations_choose_the_settings_themselves(experiment: Experiment, tmp_path: Path) -> None:
    file = write_episodes(tmp_path, episode(HASTY))
    given = ("helper.household", "--episodes", file, "--library", ROOT)
    result = experiment(*given, "--ablations", "--repairs", "on")
    assert result.status == 2
    assert "--ablations chooses the settings itself" in result.err
    result = experiment(*given, "--feedback", "1")
    assert "are of --programs helper" in result.err
