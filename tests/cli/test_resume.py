"""`treec run --resume`: after kill -9 the world is replayed and the work goes on."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import WAREHOUSE, Treec
from tests.cli.test_run import MORNING, events
from treec.run.state import RunState
from treec.world import journal
from treec.world.check_sums import read_sums
from treec.world.events import FactUnknown, RunEnd
from treec.world.journal import Journal, Record


def killed_run(runs: Path, at_skill: str) -> Path:
    """Run the warehouse in a process of its own and kill -9 it while a skill is in flight."""
    condition = f'r.kind == "skill.started" and r.data["skill"] == {at_skill!r}'
    return killed(
        runs,
        f"""
from treec.run.loop import Loop
after = Loop.after
def stopping(self):
    after(self)
    if any({condition} for r in self._recent):
        os.kill(os.getpid(), signal.SIGKILL)
Loop.after = stopping
""",
    )


def run_killed_before(runs: Path, kind: str) -> Path:
    """Run the warehouse and kill -9 it before an event of this kind is written."""
    return killed(
        runs,
        f"""
from treec.world.world import World
emit = World.emit
def stopping(self, event, by):
    if event.kind == {kind!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return emit(self, event, by)
World.emit = stopping
""",
    )


def killed(runs: Path, patch: str) -> Path:
    """Run the warehouse in a process of its own that kills itself; returns the run's folder."""
    code = f"""
import os, signal, sys
{patch}
from treec.cli import main
sys.exit(main([*{MORNING!r}, "--runs", {str(runs)!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    (folder,) = runs.iterdir()
    return folder


def records(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "journal.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.thorough
def test_a_record_is_read_once_and_taken_twice(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = killed_run(tmp_path, "scan")
    before = len(records(folder))
    parsed: list[int] = []
    taken: list[int] = []
    record_in, take = journal.record_in, RunState.take

    def counting(whole: object) -> Record:
        record = record_in(whole)
        parsed.append(record.n)
        return record

    def counting_take(self: RunState, record: Record) -> object:
        taken.append(record.n)
        return take(self, record)

    monkeypatch.setattr(journal, "record_in", counting)
    monkeypatch.setattr(RunState, "take", counting_take)
    assert treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE).status == 0
    assert parsed.count(before) == 1
    # To find out whether it is sound, and for the display, whose state is the summary's.
    assert taken.count(before) == 2


@pytest.mark.thorough
def test_after_a_kill_the_work_goes_on(treec: Treec, tmp_path: Path) -> None:
    folder = killed_run(tmp_path, "scan")
    before = records(folder)
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    after = records(folder)
    assert after[: len(before)] == before
    resumed = after[len(before)]
    assert resumed["by"] == "resume"
    lost = [e for e in resumed["data"]["events"] if e["kind"] == "skill.ended"]
    assert [e["data"]["skill"] for e in lost] == ["scan"]
    assert lost[0]["data"]["lost"] is True
    kinds = [e["kind"] for e in resumed["data"]["events"]]
    assert kinds == ["skill.ended"]  # the symbolic world is the journal's
    assert [r["n"] for r in after] == list(range(1, len(after) + 1))
    happened = [
        e["kind"] for e in events(after[len(before) :]) if e["data"].get("agent") == "Scout"
    ]
    happened = happened[: happened.index("proposed")]  # of what comes next
    assert "skill.started" in happened
    assert "subtask.started" not in happened  # its nodes go on where they were
    assert result.status == 0, result.out
    assert after[-1]["data"] == {"ok": True, "reason": "done"}


def test_a_skill_s_end_is_one_commit(treec: Treec, tmp_path: Path) -> None:
    treec(*MORNING, "--runs", tmp_path)
    (folder,) = tmp_path.iterdir()
    sums = read_sums(folder / "journal.jsonl")
    assert sums is not None
    batch, batches = 1, []  # of each record
    for one in sums:
        batches.append(batch)
        batch += not one.more
    subtasks = 0
    for before, record in itertools.pairwise(records(folder)):
        batch = batches[record["n"] - 1]
        if record["kind"] == "skill.ended" and record["data"]["ok"]:
            ended = batch
            assert before["data"].get("for") == "facts"
            assert batches[before["n"] - 1] == batch
        elif record["kind"] == "subtask.done":
            subtasks += 1
            assert batch == ended
    assert subtasks == 5


@pytest.mark.thorough
def test_a_kill_in_the_midst_of_a_skill_s_end_leaves_none_of_it(
    treec: Treec, tmp_path: Path
) -> None:
    folder = run_killed_before(tmp_path, "subtask.done")
    assert records(folder)[-1]["kind"] == "skill.ended"
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 0, result.out
    after = records(folder)
    (resumed,) = [r for r in after if r["by"] == "resume"]
    assert [e["kind"] for e in resumed["data"]["events"]] == ["skill.ended"]
    assert not [e for e in events(after) if e["kind"] == "subtask.failed"]


@pytest.mark.thorough
def test_a_program_leaves_out_the_steps_that_it_has_done(treec: Treec, tmp_path: Path) -> None:
    folder = killed_run(tmp_path, "place")
    before = len(records(folder))
    assert treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE).status == 0
    steps = [r["data"] for r in records(folder)[before:] if r["kind"] == "step"]
    assert (steps[0]["line"], steps[0]["skill"]) == (2, "place")


STOPPED = """\
scenario: stopped
system: warehouse
user:
  - says: Scout, inspect crate 40.
  - {says: "Scout, stop!", after: 8s}
  - {when: status('Scout') == 'Interrupted', says: "Scout, go on.", after: 5s}
expect: {finally: all_done and scanned('crate 40'), within: 2m}
"""


def test_what_was_stopped_stays_stopped(treec: Treec, tmp_path: Path, library: Path) -> None:
    (library / "trees/scenarios/stopped.scenario.yaml").write_text(STOPPED, "utf-8")
    runs = tmp_path / "runs"
    treec("run", "warehouse", "-s", "stopped", "--fast", "--runs", runs, "-L", library)
    (folder,) = runs.iterdir()
    journal = folder / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    cut = next(i for i, line in enumerate(lines) if '"agent.interrupted"' in line)
    journal.write_text("".join(lines[: cut + 1]), "utf-8")
    result = treec("run", "--resume", folder, "--fast", "-L", library)
    happened = events(records(folder)[cut + 1 :])
    kinds = [e["kind"] for e in happened if e["data"].get("agent") == "Scout"]
    assert kinds.index("agent.resumed") < kinds.index("subtask.started")
    assert result.status == 0, result.out


@pytest.mark.thorough
def test_a_torn_last_line_is_cut_off(treec: Treec, tmp_path: Path) -> None:
    folder = killed_run(tmp_path, "scan")
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"n":99,"t":1.0,"ki')
    treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert journal.read_bytes().startswith(whole)
    assert records(folder)[len(whole.splitlines())]["by"] == "resume"


def test_what_cannot_be_resumed(treec: Treec, tmp_path: Path) -> None:
    treec(*MORNING, "--runs", tmp_path)
    (folder,) = tmp_path.iterdir()
    ended = treec("run", "--resume", folder, "-L", WAREHOUSE)
    assert ended.status == 2
    assert "that run has ended" in ended.err
    assert treec("run", "--resume", tmp_path / "none", "-L", WAREHOUSE).status == 2
    both = treec("run", "warehouse", "--resume", folder, "-L", WAREHOUSE)
    assert both.status == 2
    (folder / "journal.jsonl").write_text("not a journal\n", "utf-8")
    garbage = treec("run", "--resume", folder, "-L", WAREHOUSE)
    assert garbage.status == 2
    assert "journal.jsonl" in garbage.err


@pytest.mark.thorough
def test_a_run_that_is_alive_is_not_resumed(treec: Treec, tmp_path: Path) -> None:
    folder = killed_run(tmp_path, "scan")
    before = (folder / "journal.jsonl").read_bytes()
    owner = Journal.resume(folder / "journal.jsonl")
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    owner.close()
    assert result.status == 2
    assert f"this run is running: process {os.getpid()} on" in result.err
    assert (folder / "journal.jsonl").read_bytes() == before


def cut_after(folder: Path, number: int) -> None:
    """Keep the first records of a journal."""
    journal = folder / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[:number]), "utf-8")


def test_a_run_of_an_earlier_treec_that_was_cut_off_before_its_scene_gets_it(
    treec: Treec, tmp_path: Path
) -> None:
    treec(*MORNING, "--runs", tmp_path)
    (folder,) = tmp_path.iterdir()
    whole = records(folder)
    cut_after(folder, 1)
    sums = folder / "journal.jsonl.sums"
    sums.write_bytes(sums.read_bytes().splitlines(keepends=True)[0].replace(b" +", b""))
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 0, result.out + result.err
    assert records(folder)[:2] == whole[:2]


@pytest.mark.thorough
def test_a_journal_without_check_sums_and_its_scene_gets_it(treec: Treec, tmp_path: Path) -> None:
    treec(*MORNING, "--runs", tmp_path)
    (folder,) = tmp_path.iterdir()
    cut_after(folder, 1)
    (folder / "journal.jsonl.sums").unlink()
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 0, result.out + result.err


def test_a_run_s_beginning_and_its_scene_are_one_batch(treec: Treec, tmp_path: Path) -> None:
    treec(*MORNING, "--runs", tmp_path)
    (folder,) = tmp_path.iterdir()
    sums = read_sums(folder / "journal.jsonl")
    assert sums is not None
    assert [next(sums).more, next(sums).more] == [True, False]


@pytest.mark.thorough
def test_a_run_that_was_killed_before_its_scene_has_not_begun(treec: Treec, tmp_path: Path) -> None:
    folder = run_killed_before(tmp_path, "commit")
    assert [record["kind"] for record in records(folder)] == ["run.begin"]
    before = (folder / "journal.jsonl").read_bytes()
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 2
    assert "was cut off before it had begun: nothing of it is recorded" in result.err
    assert "begin it again" in result.err
    assert (folder / "journal.jsonl").read_bytes() == before
    listed = treec("journal", "list", "--runs", tmp_path)
    assert listed.out.split(maxsplit=1)[1] == "broken: nothing is recorded\n"
    assert treec("replay", folder, "--no-input", "-L", WAREHOUSE).status == 2
    assert treec("journal", "verify", folder).status == 1


@pytest.mark.parametrize("reason", ["stopped", "error"])
@pytest.mark.few(1)
def test_a_run_that_was_stopped_or_broke_goes_on(treec: Treec, tmp_path: Path, reason: str) -> None:
    folder = killed_run(tmp_path, "scan")
    journal = Journal.resume(folder / "journal.jsonl")
    journal.append(RunEnd(reason, False), "run", records(folder)[-1]["t"])
    journal.close()
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 0, result.out + result.err
    assert records(folder)[-1]["data"] == {"ok": True, "reason": "done"}


@pytest.mark.thorough
def test_a_node_of_ones_own_bears_a_fact_that_is_unknown(treec: Treec, tmp_path: Path) -> None:
    folder = killed_run(tmp_path, "charge")
    journal = Journal.resume(folder / "journal.jsonl")
    journal.append(FactUnknown("battery", ("Hauler",)), "test", records(folder)[-1]["t"])
    journal.close()
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert "hysteresis" not in result.out + result.err


@pytest.mark.thorough
def test_a_run_that_had_a_model_is_not_resumed_without_one_by_mistake(
    treec: Treec, tmp_path: Path
) -> None:
    folder = killed_run(tmp_path, "scan")
    journal = folder / "journal.jsonl"
    (folder / "journal.jsonl.sums").unlink()
    text = journal.read_text("utf-8")
    journal.write_text(
        text.replace('"scenario":', '"model":"openai/gpt-4o","scenario":', 1), "utf-8"
    )
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 2
    assert "was run with the model openai/gpt-4o: specify it with --model" in result.err
    assert len(records(folder)) == len(text.splitlines())
    result = treec("run", "--resume", folder, "--fast", "--offline", "-L", WAREHOUSE)
    assert result.status == 0, result.err
