"""The judge believes nobody: it imports nothing of what it judges, nor of anything else of ours."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import experiments.mosaic.judge
from experiments.mosaic.intents import INTENTS
from experiments.mosaic.judge import Ledger, read_story
from experiments.mosaic.plan import draw_plans
from experiments.mosaic.trial import MosaicTrial, run_trial, set_up
from tests.cli.conftest import ROOT as LIBRARY
from treec.files.library import load_library
from treec.run.state import RunState
from treec.world.events import flat
from treec.world.journal import read_journal

ROOM = Path(experiments.mosaic.judge.__file__).parent


def test_it_imports_itself_and_the_standard_library_alone() -> None:
    for file in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                if node.level:
                    assert node.level == 1, f"{file.name}:{node.lineno} reaches out of the room"
                    assert (ROOM / f"{node.module}.py").is_file(), f"{file.name}:{node.lineno}"
                    continue
                found = [node.module or ""]
            else:
                continue
            for name in found:
                assert name.partition(".")[0] in sys.stdlib_module_names, f"{file.name}: {name}"


@pytest.mark.thorough
def test_its_ledger_agrees_with_the_state_that_all_others_fold(tmp_path: Path) -> None:
    """It keeps books of its own, so that an error in the engine's reducers shows here."""
    staged = set_up(load_library(LIBRARY), "mosaic", contracts=True)
    plan = draw_plans(staged.kitchen, 1, 1, "hard")[0]
    run_trial(staged, MosaicTrial("offline", plan, 0, 0, 1), tmp_path / "run")
    journal = tmp_path / "run" / "journal.jsonl"
    events = iter(read_story(journal.read_text("utf-8"), intents(tmp_path / "run")).events)
    state, ledger = RunState(), Ledger()
    for record in read_journal(journal):
        state.take(record)
        for _ in flat(record.event):
            ledger.apply(next(events))
        robots = {name: agent for name, agent in state.team.items() if not agent.person}
        assert ledger.recipe == state.recipe
        assert ledger.current == {n: a.current for n, a in robots.items() if a.current}
        assert ledger.stopped == {n for n, a in state.team.items() if a.status == "Interrupted"}
        for id, subtask in state.subtasks.items():
            known = ledger.subtasks[id]
            assert (known.task, known.recipe, known.past) == (
                subtask.task,
                subtask.recipe,
                subtask.past,
            )
            for status in ("done", "running", "failed"):
                assert (known.status == status) == (subtask.status == status)
            if subtask.status in ("queued", "interrupted", "running"):
                assert ledger.has(str(subtask.agent), id)


def intents(folder: Path) -> str:
    return (folder / INTENTS).read_text("utf-8")
