"""What an evaluation keeps outlives the process that ends in the middle of a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.line_store import LineStore, LineStoreError

NAME = "some.jsonl"


def test_what_is_added_is_there_again_with_its_number(tmp_path: Path) -> None:
    kept = LineStore(tmp_path / "new" / "folder", NAME)
    kept.add({"a": "é"})
    kept.add([2])
    assert kept.lines == ()  # what was there when it was opened
    assert LineStore(tmp_path / "new" / "folder", NAME).lines == ((1, '{"a": "é"}'), (2, "[2]"))


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (b'{"a": "\xc3', []),  # torn within a letter
        (b'{"a": ', []),
        (b'{"a": 1}', ['{"a": 1}']),  # whole, but for its end: it may have cost something
    ],
)
def test_a_torn_line_is_cut_off_and_a_whole_one_is_ended(
    tmp_path: Path, end: bytes, left: list[str]
) -> None:
    (tmp_path / NAME).write_bytes(b"[1]\n" + end)
    kept = LineStore(tmp_path, NAME)
    assert [line for _, line in kept.lines] == ["[1]", *left]
    kept.add([3])
    assert [line for _, line in LineStore(tmp_path, NAME).lines] == ["[1]", *left, "[3]"]


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LineStoreError, match="file"):
        LineStore(tmp_path / "file" / "folder", NAME)
    (tmp_path / NAME).write_bytes(b"\xff\n")
    with pytest.raises(LineStoreError, match=r"some\.jsonl: .*utf-8"):
        LineStore(tmp_path, NAME)
    kept = LineStore(tmp_path, "other")
    kept.file.mkdir()
    with pytest.raises(LineStoreError, match="other: Is a directory"):
        kept.add(1)
