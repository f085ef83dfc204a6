"""A journal that is being written is read record by record."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.support.events import Note
from treec.world.check_sums import sums_file
from treec.world.events import RunBegin
from treec.world.journal import Journal, JournalError
from treec_serve.journal_tail import JournalTail


def journal(path: Path) -> Journal:
    made = Journal.create(path)
    made.append(RunBegin(), "run", 0.0)
    return made


def numbers(tail: JournalTail) -> list[int]:
    return [record.n for record in tail.read()]


@pytest.mark.parametrize("checked", [True, False])
def test_each_record_is_read_once(tmp_path: Path, checked: bool) -> None:
    path = tmp_path / "journal.jsonl"
    written = journal(path)
    if not checked:
        sums_file(path).unlink()
    tail = JournalTail(path)
    assert numbers(tail) == [1]
    mark = tail.mark()
    assert (numbers(tail), tail.mark()) == ([], mark)
    written.append(Note("a"), "test", 1.0)
    written.append(Note("b"), "test", 2.0)
    assert numbers(tail) == [2, 3]
    written.close()


def test_a_batch_is_read_when_it_is_committed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written = journal(path)
    tail = JournalTail(path)
    tail.read()
    written.hold()
    written.append(Note("a"), "test", 1.0)
    written.append(Note("b"), "test", 1.0)
    assert numbers(tail) == []
    written.commit()
    assert numbers(tail) == [2, 3]
    written.close()


@pytest.mark.parametrize("checked", [True, False])
def test_what_comes_before_a_broken_record_is_read(tmp_path: Path, checked: bool) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(journal(path)) as written:
        for text in "abc":
            written.append(Note(text), "test", 1.0)
    if not checked:
        sums_file(path).unlink()
    path.write_bytes(path.read_bytes().replace(b'"b"', b"NaN"))
    tail = JournalTail(path)
    assert numbers(tail) == [1, 2]
    for _ in range(2):
        with pytest.raises(JournalError, match=r"journal\.jsonl:3: "):
            tail.read()


def test_half_a_line_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written = journal(path)
    written.append(Note("a"), "test", 1.0)
    written.close()
    sums_file(path).unlink()
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    tail = JournalTail(path)
    assert numbers(tail) == [1]
    path.write_bytes(whole)
    assert numbers(tail) == [2]


def test_a_run_that_goes_on_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written = journal(path)
    written.hold()
    written.append(Note("a"), "test", 1.0)
    written.append(Note("b"), "test", 1.0)
    written.close()
    tail = JournalTail(path)
    assert numbers(tail) == [1, 2, 3]
    resumed = Journal.resume(path)
    resumed.append(Note("c"), "test", 2.0)
    assert numbers(tail) == [4]
    resumed.close()


def test_what_is_broken_is_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written = journal(path)
    written.append(Note("a"), "test", 1.0)
    written.close()
    path.write_bytes(path.read_bytes().replace(b'"a"', b'"b"'))
    tail = JournalTail(path)
    assert numbers(tail) == [1]
    with pytest.raises(JournalError, match=r":2: this is not what was written"):
        tail.read()
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    tail = JournalTail(path)
    assert numbers(tail) == [1]
    with pytest.raises(JournalError, match="records are missing"):
        tail.read()
    sums_file(path).write_text("1 of them\n", "utf-8")
    with pytest.raises(JournalError, match=r"sums:1: not the check sum of record 1; without this"):
        JournalTail(path).read()
    with pytest.raises(JournalError, match="cannot be read"):
        JournalTail(tmp_path / "none").mark()


def test_a_journal_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.mkdir()
    with pytest.raises(JournalError) as caught:
        JournalTail(path).read()
    assert str(caught.value) == f"{path}: cannot be read: Is a directory"
