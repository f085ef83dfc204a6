"""A long journal is resumed from the records that still matter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import treec
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.events import Programmed, SkillEnded, SkillStarted
from treec.nodes.work_log import WorkLog
from treec.run import condensed
from treec.run.condensed import read_condensed
from treec.run.run import Run
from treec.run.salvage import read_needed, read_sound
from treec.run.summary import summarize, summary_data
from treec.world.check_sums import sums_file
from treec.world.clock import VirtualClock
from treec.world.events import RunBegin
from treec.world.journal import Journal, read_journal

ROUNDS = """\
tree: my_robot_main
about: Drive to and fro, and stop on the way.
vars: {rounds: number = 0}
root:
  - set: {rounds: = rounds + 1}
  - skill: go_to
    with: {agent: R1, place: table}
  - {skill: go_to, with: {agent: R1, place: dock}, timeout: 2s, force_success: true}
  - {repeat: 2, wait: 1s}
  - skill: go_to
    with: {agent: R1, place: dock}
then: repeat
"""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of it, cut off."""
    root = tmp_path_factory.mktemp("condensed") / "library"
    shutil.copytree(Path(treec.__file__).parent / "templates/empty", root)
    (root / "trees/my_robot_main.tree.yaml").write_text(ROUNDS)
    library = load_library(root)
    assert not library.diagnostics
    path = root / "journal.jsonl"
    run = Run(
        View(library, library.find("system", "my_robot")), VirtualClock(), Journal.create(path)
    )
    run.loop.run(deadline=400)
    run.journal.close()
    return path


def test_what_is_kept_folds_to_the_same(journal: Path) -> None:
    needed, whole = read_needed(journal), read_sound(journal, all_events=True)
    assert len(needed.records) < len(whole.records)
    for name in ("t", "tick", "nodes", "statuses", "memory", "facts", "team", "choices", "stopped"):
        assert getattr(needed.state, name) == getattr(whole.state, name), name
    assert needed.state.running_skills() == whole.state.running_skills()
    assert needed.state.tree_variables == whole.state.tree_variables
    assert needed.records[-1] == whole.records[-1]
    assert [it for it in whole.records if it.t >= whole.state.t - condensed.WHOLE] == [
        it for it in needed.records if it.t >= whole.state.t - condensed.WHOLE
    ]


def test_it_does_not_grow_with_the_hours(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condensed, "WHOLE", 0.0)
    assert len(read_needed(journal).records) < 20


def test_what_was_left_out_is_counted(journal: Path) -> None:
    needed, whole = read_needed(journal).records, read_sound(journal).records
    counted = summarize(needed)
    counted.count_left_out(needed)
    assert counted.records == len(whole)
    assert summary_data(counted) == summary_data(summarize(whole))


def test_a_record_that_is_broken_is_told_wherever_it_stands(journal: Path, tmp_path: Path) -> None:
    broken = tmp_path / journal.name
    broken.write_bytes(journal.read_bytes().replace(b'"n":200,', b'"n":201,'))
    sums_file(broken).write_bytes(sums_file(journal).read_bytes())
    sound = read_needed(broken)
    assert len(sound.records) == 199
    assert sound.problem == read_sound(broken).problem is not None


def test_scenarios_and_faults_are_read_whole(tmp_path: Path) -> None:
    for name, begin in {
        "scenario": RunBegin("depot", scenario="morning"),
        "fault": RunBegin("depot", faults=("pick fails",)),
    }.items():
        journal = Journal.create(tmp_path / name)
        journal.append(begin, "run", 0.0)
        journal.close()
        assert read_condensed(tmp_path / name) is None


def test_the_last_work_of_a_program_is_kept_when_it_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a model's answer that brought work would count as one that led nowhere."""
    monkeypatch.setattr(condensed, "WHOLE", 0.0)
    path, node = tmp_path / "journal.jsonl", "main/robot[R1]/Steps"
    journal = Journal.create(path)
    journal.append(RunBegin("depot"), "run", 0.0)
    for number in range(4):
        journal.append(Programmed(node, "Steps", "R1", "offline", "scan(crate)"), node, number)
        for order in (f"s{number}a", f"s{number}b") if number < 3 else ():
            journal.append(SkillStarted(order, "scan", "R1", {}), node, number)
            journal.append(SkillEnded("scan", "R1", {}, ok=True, id=order), node, number)
    journal.append(RunBegin("depot"), "run", 9.0)
    journal.close()
    logs = WorkLog(), WorkLog()
    condensed_records = read_condensed(path)
    assert condensed_records is not None
    for log, records in zip(logs, (condensed_records, read_journal(path)), strict=True):
        for record in records:
            log.follow(record)
    for version in range(journal.last + 1):
        assert logs[0].since(version) == logs[1].since(version), version
        assert logs[0].since(version, "main") == logs[1].since(version, "main"), version
    assert len(condensed_records) == 5  # the run, an order with its end, a program, the last one
