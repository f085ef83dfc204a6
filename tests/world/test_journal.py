import errno
import shutil
from itertools import islice
from pathlib import Path

import pytest

from tests.support.events import Anything, Note
from treec.world.check_sums import CheckSums, sums_file
from treec.world.events import Commit, RunBegin
from treec.world.journal import Journal, JournalError, Record, events, read_journal

BEGIN = b'{"n":1,"t":0.0,"kind":"run.begin","by":"run","data":{"format":1}}\n'


def begun(path: Path) -> Journal:
    journal = Journal.create(path)
    journal.append(RunBegin(), "run", 0.0)
    return journal


def test_a_line_is_exactly_this(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    journal.append(Anything({"b": (1.00000049, 12), "a": "é\n"}), "main/a", 2 / 3)
    journal.close()
    assert (
        path.read_bytes()
        == BEGIN
        + (
            '{"n":2,"t":0.666667,"kind":"anything","by":"main/a",'
            '"data":{"data":{"a":"é\\n","b":[1.0,12]}}}\n'
        ).encode()
    )


def test_every_record_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    assert path.read_bytes() == BEGIN
    journal.close()


def test_what_is_read_equals_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    written = journal.append(Anything({"n": 3, "f": 3.0, "l": [[], {}], "s": "\u2028"}), "a", 1.5)
    journal.close()
    read = list(read_journal(path))
    assert read[1] == written
    assert read[1].line() == written.line()


def test_records_that_differ_only_in_the_kind_of_a_number_are_not_equal() -> None:
    assert Record(1, 0.0, "x", "a", {"v": 1}) != Record(1, 0.0, "x", "a", {"v": 1.0})


def test_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    begun(path).close()
    with pytest.raises(JournalError, match="cannot begin a journal"):
        Journal.create(path)


def test_a_file_begins_with_run_begin(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "run.jsonl")
    with pytest.raises(JournalError, match=r"begins with run\.begin, not 'note'"):
        journal.append(Note(), "a", 0.0)
    journal.close()


def test_data_that_are_not_plain_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    with pytest.raises(ValueError, match="object is not plain data"):
        journal.append(Anything({"entity": object()}), "a", 1.0)
    assert path.read_bytes() == BEGIN
    journal.close()


@pytest.mark.parametrize("torn", [b"{", b'{"n":2,"t":0.0,"kind":"x","by":"\xc3', b'{"n":2}', b"\0"])
def test_a_torn_last_line_is_left_out_and_said(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(BEGIN + torn)
    said: list[str] = []
    assert [record.n for record in read_journal(path, said.append)] == [1]
    assert said == [f"{path}:2: the last line is torn and was left out"]


def test_a_journal_goes_on_behind_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(BEGIN + b'{"n":2,"t":')
    journal = Journal.resume(path)
    journal.append(Note(), "a", 3.0)
    journal.close()
    assert path.read_bytes() == BEGIN + b'{"n":2,"t":3.0,"kind":"note","by":"a","data":{}}\n'


def test_a_last_line_that_lacks_only_its_newline_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(BEGIN.rstrip(b"\n"))
    assert len(list(read_journal(path))) == 1
    journal = Journal.resume(path)
    journal.append(Note(), "a", 0.0)
    journal.close()
    assert [record.n for record in read_journal(path)] == [1, 2]


def line(**changes: object) -> bytes:
    import json

    whole = {"n": 2, "t": 0.0, "kind": "x", "by": "a", "data": {}, **changes}
    return json.dumps(whole, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (b"{\n", ":2: not a line of JSON"),
        (b"\n", ":2: not a line of JSON"),
        (b"\xff\n", ":2: not UTF-8"),
        (b"[" * 100_000 + b"\n", ":2: not a line of JSON"),
        (b"[]\n", ":2: not a record"),
        (line(data={"of": [{}]}).replace(b"}]", b"}\n{}]"), ":2: not a line of JSON"),
        (b'{"t":0.0,"n":2,"kind":"x","by":"a","data":{}}\n', "in this order"),
        (line(n=3), ":2: record 3 stands where record 2 must be"),
        (line(n="2"), "'n' must be a whole number"),
        (line(n=True), "'n' must be a whole number"),
        (line(t=0), "'t' a number with a point"),
        (line(t=-1.0), "time runs backwards: -1.0 after 0.0"),
        (line(kind=3), "must be text"),
        (line(data=[]), "an object"),
        (line(kind="commit"), "a commit must have 'events'"),
        (line(kind="commit", data={"events": [{"kind": "x"}]}), "each with 'kind' and 'data'"),
        (line(data={"v": float("nan")}), "nan is not a number"),
    ],
)
def test_garbage_is_an_error_that_says_where(tmp_path: Path, second: bytes, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(BEGIN + second + line(n=3))
    with pytest.raises(JournalError) as caught:
        list(read_journal(path))
    assert str(caught.value).startswith(f"{path}:2: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BEGIN.replace(b"1}}", b"2}}"), "format 2 is unknown: this treec reads format 1"),
        (BEGIN.replace(b"1}}", b"true}}"), "format True is unknown"),
        (BEGIN.replace(b'"format":1', b""), "format None is unknown"),
        (line(n=1), "a journal begins with run.begin, not 'x'"),
        (b"", "the journal is empty"),
    ],
)
def test_another_format_is_refused(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(text)
    with pytest.raises(JournalError, match=said):
        list(read_journal(path))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read"):
        list(read_journal(tmp_path / "none"))


class FullDisk:
    """Takes half of a line, then fails, as a full disk does."""

    def __init__(self) -> None:
        self.text = b""
        self.full = False

    def write(self, data: bytes, /) -> int:
        taken = data[: len(data) // 2] if self.full else data
        self.text += taken
        return len(taken)

    def close(self) -> None: ...

    def tell(self) -> int:
        return len(self.text)

    def truncate(self, size: int | None = None, /) -> int:
        self.text = self.text[:size]
        return len(self.text)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return offset

    def read(self, size: int = -1, /) -> bytes:
        return self.text


def test_a_full_disk_leaves_no_half_line() -> None:
    disk = FullDisk()
    journal = Journal(disk)
    journal.append(RunBegin(), "run", 0.0)
    disk.full = True
    with pytest.raises(JournalError, match="cannot be written: No space left"):
        journal.append(Note(), "a", 0.0)
    assert disk.text == BEGIN


def test_after_a_full_disk_a_run_is_ended_in_order_and_nothing_is_written() -> None:
    disk = FullDisk()
    journal = Journal(disk)
    journal.append(RunBegin(), "run", 0.0)
    disk.full = True
    with pytest.raises(JournalError):
        journal.append(Note(), "a", 0.0)
    disk.full = False
    assert [journal.append(Note(), "a", 0.0).n for _ in range(2)] == [2, 3]
    journal.commit()
    journal.close()
    assert disk.text == BEGIN


def test_the_events_of_a_commit_have_its_number_time_and_cause() -> None:
    journal = Journal.in_memory()
    record = journal.append(Commit(events=(Note("a"), Note())), "a", 2.0)
    assert list(events(record)) == [
        Record(1, 2.0, "note", "a", {"text": "a"}),
        Record(1, 2.0, "note", "a", {}),
    ]
    single = journal.append(Note(), "a", 2.0)
    assert list(events(single)) == [single]


def test_a_batch_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    journal.append(Note("alone"), "a", 0.0)
    journal.hold()
    journal.append(Note("first"), "a", 0.0)
    journal.append(Note("second"), "a", 0.0)
    told: list[str] = []
    assert [record.n for record in read_journal(path, told.append)] == [1, 2]
    assert told == [f"{path}:3: what follows was not committed and was left out"]
    assert len(journal.records) == 4
    journal.commit()
    assert [record.n for record in read_journal(path)] == [1, 2, 3, 4]
    journal.append(Note("alone"), "a", 0.0)
    assert [record.n for record in read_journal(path)] == [1, 2, 3, 4, 5]
    journal.close()


def test_what_was_not_committed_is_cut_off(tmp_path: Path) -> None:
    path, copy = tmp_path / "run.jsonl", tmp_path / "copy.jsonl"
    journal = begun(path)
    journal.hold()
    journal.append(Note("never committed"), "a", 0.0)
    for name in (path, sums_file(path)):
        shutil.copy(name, name.with_name(name.name.replace("run", "copy")))
    journal.close()
    journal = Journal.resume(copy)
    journal.append(Note("instead"), "a", 1.0)
    journal.close()
    assert [record.data for record in read_journal(copy)][1:] == [{"text": "instead"}]


def test_half_a_batch_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    journal.hold()
    journal.append(Note("first"), "a", 0.0)
    journal.append(Note("second"), "a", 0.0)
    journal.close()
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    found = read_journal(path)
    assert next(found).n == 1
    with pytest.raises(JournalError, match=r":3: the journal is cut: records are missing"):
        next(found)


def test_a_record_whose_check_sum_cannot_be_written_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)

    def full(self: CheckSums) -> bool:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(CheckSums, "commit", full)
        with pytest.raises(JournalError, match="the disk is full"):
            journal.append(Note(), "a", 0.0)
    assert path.read_bytes() == BEGIN
    journal.close()
    assert [record.n for record in read_journal(path)] == [1]


def test_a_batch_that_was_not_whole_when_the_disk_was_full_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = begun(path)
    journal.hold()
    journal.append(Note("first"), "a", 0.0)
    journal._fail(OSError(errno.ENOSPC, "No space left on device"))
    journal.append(Note("lost"), "a", 0.0)
    journal.close()
    assert [record.n for record in read_journal(path)] == [1]


def test_a_journal_that_was_deleted_is_told_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "one" / "run.jsonl"
    path.parent.mkdir(parents=True)
    journal = begun(path)
    journal.append(Note("committed"), "a", 0.0)
    journal.hold()
    journal.append(Note("not yet"), "a", 0.0)
    shutil.rmtree(path.parent)
    with pytest.raises(JournalError, match="was deleted while its run went on"):
        journal.append(Note("lost"), "a", 0.0)
    journal.close()
    assert [record.data.get("text") for record in read_journal(path)] == [None, "committed"]


def test_who_follows_a_journal_misses_nothing_after_a_failure(tmp_path: Path) -> None:
    journal = begun(tmp_path / "run.jsonl")
    followed = journal.follow()
    assert [record and record.n for record in islice(followed, 2)] == [1, None]
    journal.append(Note("one"), "a", 0.0)
    assert [record and record.n for record in islice(followed, 2)] == [2, None]
    journal.failure = JournalError("the disk is full")
    journal.append(Note("two"), "a", 0.0)
    assert [record and record.n for record in islice(followed, 2)] == [3, None]
    journal.close()
