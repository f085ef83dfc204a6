"""Broken journals: what is wrong is said with its line, and all records before it are used."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.bench_fuzz import COMMANDS, MUTATIONS, crashes, cut_end, mutate, record
from tests.cli.conftest import WAREHOUSE, Treec
from treec.world.check_sums import read_sums

JOURNAL = "journal.jsonl"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole run."""
    return record(tmp_path_factory.mktemp("journals")).parent


UNCHECKED = shutil.ignore_patterns("*.sums")


def broken(run: Path, to: Path, number: int, **changes: object) -> Path:
    """A copy of a run, without check sums, in which one record is changed; returns its folder."""
    shutil.copytree(run, to, ignore=UNCHECKED)
    lines = (to / JOURNAL).read_text("utf-8").splitlines(keepends=True)
    line = {**json.loads(lines[number - 1]), **changes}
    lines[number - 1] = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
    (to / JOURNAL).write_text("".join(lines), "utf-8")
    return to


@pytest.mark.parametrize("mutation", [*MUTATIONS, "cut", "noise"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.few(2, thorough=4)
def test_no_command_ends_in_a_traceback(
    run: Path, tmp_path: Path, mutation: str, command: str
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder, ignore=UNCHECKED)
    text = mutate(mutation, 1, (run / JOURNAL).read_text("utf-8"))
    (folder / JOURNAL).write_text(text, "utf-8")
    assert not crashes(command, folder)


def test_a_whole_journal_is_sound(treec: Treec, run: Path) -> None:
    result = treec("journal", "verify", run)
    assert result.status == 0
    assert result.out.endswith(" records, all sound\n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "no.such"}, f"{JOURNAL}:30: no.such: unknown event 'no.such'"),
        ({"v": 9}, "has version 9, and this treec reads 1"),
        ({"n": 31}, f"{JOURNAL}:30: record 31 stands where record 30 must be"),
        ({"kind": "subtask.dropped", "data": {"subtasks": ["u99"]}}, "unknown subtask 'u99'"),
    ],
)
def test_verify_says_where_a_journal_is_broken(
    treec: Treec, run: Path, tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    result = treec("journal", "verify", broken(run, tmp_path / "b", 30, **changes))
    assert result.status == 1
    assert message in result.out
    assert "29 records before it are usable" in result.out


def test_a_torn_last_line_is_told(treec: Treec, run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "torn", ignore=UNCHECKED)
    whole = (run / JOURNAL).read_bytes()
    (tmp_path / "torn" / JOURNAL).write_bytes(whole[:-5])
    result = treec("journal", "verify", tmp_path / "torn")
    assert result.status == 1
    assert "the last line is torn" in result.out


def edited(lines: list[bytes]) -> None:
    lines[29] = lines[29].replace(b'"subtask":"inspect crate 12"', b'"subtask":"inspect crate 31"')


def cut_between_records(lines: list[bytes]) -> None:
    del lines[29:]


def cut_in_a_record(lines: list[bytes]) -> None:
    lines[29:] = [lines[29][:20]]


def without_a_record(lines: list[bytes]) -> None:
    del lines[29]
    for index, line in enumerate(lines[29:], 30):
        lines[index - 1] = line.replace(b'{"n":%d,' % (index + 1), b'{"n":%d,' % index)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edited, "this is not what was written: it has another check sum"),
        (cut_between_records, "the journal is cut: records are missing"),
        (cut_in_a_record, "the journal is cut in this line"),
        (without_a_record, "this is not what was written: it has another check sum"),
    ],
)
@pytest.mark.few(1)
def test_what_was_changed_afterwards_is_told_with_its_line(
    treec: Treec, run: Path, tmp_path: Path, change: Callable[[list[bytes]], None], message: str
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    change(lines)
    (folder / JOURNAL).write_bytes(b"".join(lines))
    told = f"{JOURNAL}:30: {message}"
    sums = list(read_sums(folder / JOURNAL) or ())
    sound = max(n for n, one in enumerate(sums[:29], 1) if not one.more)  # what a step did is whole
    result = treec("journal", "verify", folder)
    assert (result.status, told in result.out) == (1, True)
    for command in (["replay", "--at", "end"], ["report"], ["compare", "-L", WAREHOUSE]):
        result = treec(*command, folder)
        assert told in result.err
        assert f"the {sound} records before it are used" in result.err
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert (result.status, told in result.err) == (0, True)
    assert treec("journal", "verify", folder).status == 0
    assert treec("journal", "verify", folder / "journal.broken-1.jsonl").status == 1


def test_a_broken_file_of_check_sums_is_told(treec: Treec, run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    sums = folder / f"{JOURNAL}.sums"
    lines = sums.read_text("utf-8").splitlines(keepends=True)
    sums.write_text("".join([*lines[:29], "zzz\n", *lines[30:]]), "utf-8")
    result = treec("journal", "verify", folder)
    assert result.status == 1
    assert f"{sums}:30: not the check sum of record 30" in result.out
    sums.unlink()
    assert treec("journal", "verify", folder).status == 0


def test_replay_uses_all_records_before_the_broken_one(
    treec: Treec, run: Path, tmp_path: Path
) -> None:
    folder = broken(run, tmp_path / "b", 120, n=7)
    result = treec("replay", folder, "--at", "end")
    assert result.status == 0
    assert f"{JOURNAL}:120: record 7 stands where record 120 must be" in result.err
    assert "the 119 records before it are used" in result.err


def test_salvage_writes_a_run_that_can_be_resumed(treec: Treec, run: Path, tmp_path: Path) -> None:
    folder = broken(run, tmp_path / "b", 30, kind="no.such")
    before = (folder / JOURNAL).read_bytes()
    result = treec("journal", "salvage", folder, "--to", tmp_path / "saved")
    assert (result.status, result.err) == (0, "")
    assert f"29 records in {tmp_path / 'saved'}" in result.out
    assert (folder / JOURNAL).read_bytes() == before
    assert treec("run", "--resume", tmp_path / "saved", "--fast", "-L", WAREHOUSE).status == 0
    again = treec("journal", "salvage", folder, "--to", tmp_path / "saved")
    assert again.status == 2
    assert "already exists" in again.err


def test_resume_keeps_a_copy_of_a_broken_journal(treec: Treec, run: Path, tmp_path: Path) -> None:
    folder = broken(run, tmp_path / "b", 30, kind="no.such")
    cut_end(folder / JOURNAL)
    before = (folder / JOURNAL).read_bytes()
    result = treec("run", "--resume", folder, "--fast", "-L", WAREHOUSE)
    assert result.status == 0
    assert f"{JOURNAL}:30: no.such: unknown event" in result.err
    assert "kept as journal.broken-1.jsonl" in result.err
    assert (folder / "journal.broken-1.jsonl").read_bytes() == before
    after = (folder / JOURNAL).read_bytes().splitlines()
    assert after[:29] == before.splitlines()[:29]
    assert treec("journal", "verify", folder).status == 0


def test_a_journal_without_a_usable_record(treec: Treec, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("no journal\n")
    result = treec("journal", "verify", tmp_path)
    assert result.status == 1
    assert "0 records are usable" in result.err
