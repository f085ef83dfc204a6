"""A run with recorded answers is a function of its inputs: the same journal, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_case import HELLO
from tests.support.decisions import edit, write_library
from treec import ScriptedTransport, Transport
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_testing import NotRecorded, RecordedTransport, Recorder

ANSWERS = {
    "Choose": ["no JSON", {"choose": "Wave"}, *[{"reasoning": "", "choose": "Rest"}] * 9],
    "Talk": [{"acts": [{"kind": "remark", "quote": "hello"}]}, {"acts": []}],
}


def journal(root: Path, transport: Transport) -> str:
    library = load_library(root)
    assert not library.diagnostics
    kept = Journal.in_memory()
    view = View(library, library.find("system", "test"))
    scenario = library.find("scenario", "hello")
    Run(view, VirtualClock(), kept, RunSpec(scenario=scenario.name), transport=transport).go()
    return kept.text()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_library(tmp_path / "library", **{"hello.scenario.yaml": HELLO})


def test_replayed_a_run_is_the_same_to_the_byte(root: Path, tmp_path: Path) -> None:
    recorder = Recorder(ScriptedTransport(ANSWERS, default={"reasoning": "", "actions": []}))
    first = journal(root, recorder)
    assert '"refused"' in first
    assert recorder.save(tmp_path / "recordings")
    with RecordedTransport.of(tmp_path / "recordings") as recorded:
        assert journal(root, recorded) == first
    assert recorded.unused == []


def test_an_edited_prompt_is_a_miss_and_no_answer_to_another_question(
    root: Path, tmp_path: Path
) -> None:
    recorder = Recorder(ScriptedTransport(ANSWERS, default={"reasoning": "", "actions": []}))
    journal(root, recorder)
    recorder.save(tmp_path / "recordings")
    edit(root, "pack/Choose.decision.yaml", "Choose exactly one", "Choose just one")
    recorded = RecordedTransport.of(tmp_path / "recordings")
    assert "no recording answers this question" in journal(root, recorded)
    with pytest.raises(NotRecorded, match="'exactly' → 'just'"), recorded:
        pass
