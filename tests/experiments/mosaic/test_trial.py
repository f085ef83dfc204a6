"""The simulated user in the whole system: what it says is kept, and nothing is left to chance."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest

from experiments.mosaic.judge import judge, read_story
from experiments.mosaic.plan import draw_plans
from experiments.mosaic.trial import MosaicTrial, PlannerResult, TrialSetup, run_trial, set_up
from tests.cli.conftest import ROOT
from treec.files.library import load_library
from treec.world.journal import events, read_journal


@lru_cache(maxsize=1)
def staged() -> TrialSetup:
    return set_up(load_library(ROOT), "mosaic", contracts=True)


def trial(run: int = 0, difficulty: str = "hard") -> MosaicTrial:
    plan = draw_plans(staged().kitchen, 1, 1, difficulty)[0]
    return MosaicTrial("offline", plan, 0, run, 1)


def tried(folder: Path, run: int = 0) -> tuple[PlannerResult, str, list[dict[str, object]]]:
    result = run_trial(staged(), trial(run), folder)
    lines = (folder / "intents.jsonl").read_text("utf-8").splitlines()
    return result, (folder / "journal.jsonl").read_text("utf-8"), [json.loads(x) for x in lines]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("once") / "run"
    tried(folder)
    return folder


def test_every_word_of_the_user_has_its_intent(once: Path) -> None:
    said = [
        event.data["text"]
        for record in read_journal(once / "journal.jsonl")
        for event in events(record)
        if event.kind == "said" and event.data["who"] == "user"
    ]
    lines = [json.loads(x) for x in (once / "intents.jsonl").read_text("utf-8").splitlines()]
    assert lines[0]["kind"] == "begin"
    assert [" ".join(line["text"].split()) for line in lines[1:]] == said
    assert [line["utterance"] for line in lines[1:]] == list(range(1, len(said) + 1))
    assert all(line["acts"] for line in lines[1:])


@pytest.mark.thorough
def test_it_all_comes_to_the_same_again(once: Path, tmp_path: Path) -> None:
    _, journal, _ = tried(tmp_path / "again")
    assert journal == (once / "journal.jsonl").read_text("utf-8")


@pytest.mark.thorough
def test_another_run_has_the_same_interactions_in_other_words(once: Path, tmp_path: Path) -> None:
    _, _, other = tried(tmp_path / "other", run=1)
    lines = [json.loads(x) for x in (once / "intents.jsonl").read_text("utf-8").splitlines()]
    assert other[0]["interactions"] == lines[0]["interactions"]
    assert [x["text"] for x in other[1:]] != [x["text"] for x in lines[1:]]


def spoiled(journal: str, number: int) -> str:
    """The journal without its `number`-th assignment."""
    lines = []
    for line in journal.splitlines():
        record = json.loads(line)
        if record["kind"] == "commit":
            kept = []
            for event in record["data"]["events"]:
                number -= event["kind"] == "assigned"
                if event["kind"] != "assigned" or number != -1:
                    kept.append(event)
            record["data"]["events"] = kept
        lines.append(json.dumps(record))
    return "\n".join(lines)


@pytest.mark.thorough
def test_whatever_assignment_is_missing_the_judge_sees_it(once: Path) -> None:
    journal = (once / "journal.jsonl").read_text("utf-8")
    intents = (once / "intents.jsonl").read_text("utf-8")
    before = set(judge(read_story(journal, intents)).violations)
    count = journal.count('"kind":"assigned"')
    assert count > 5
    for number in range(count):
        found = set(judge(read_story(spoiled(journal, number), intents)).violations)
        assert found - before, f"assignment {number}"


def test_it_gives_up_on_a_planner_that_says_nothing(tmp_path: Path) -> None:
    silent = set_up(load_library(ROOT), "mosaic", contracts=True)
    mute = tmp_path / "mute.tree.yaml"
    mute.write_text("tree: planner\nroot:\n  - wait: {until: false}\n", "utf-8")
    library = load_library(tmp_path)
    silent.view.by_kind["tree"]["planner"] = next(library.of_kind("tree"))
    result = run_trial(silent, trial(), tmp_path / "run")
    assert result.ended.startswith("gave up")
    assert not any(p.passed for p in result.verdict.passed)
    assert {v.promise for v in result.verdict.violations} == {"ignore user"}
    assert not result.verdict.cooked
