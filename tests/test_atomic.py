"""Files are replaced whole or not at all, and all packages replace them in the same way."""

from __future__ import annotations

import ast
import os
import re
import stat
import threading
from pathlib import Path

import pytest

from docs.make_house import FOLDERS
from treec.atomic import atomic_writer, write_atomic

ROOT = Path(__file__).parents[1]


def test_a_file_is_written_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_atomic(file, "ä\r\nb\n")
    assert file.read_bytes() == "ä\r\nb\n".encode()
    write_atomic(file, b"\xff", sync=True)
    assert file.read_bytes() == b"\xff"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_what_fails_leaves_the_old_file_and_nothing_else(
    error: type[BaseException], tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    def write() -> None:
        with atomic_writer(file) as out:
            out.write(b"half of the n")
            raise error

    with pytest.raises(error):
        write()
    assert file.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_a_reader_sees_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    with atomic_writer(file) as out:
        out.write(b"new")
        out.flush()
        assert file.read_text() == "old"
    assert file.read_text() == "new"


def test_several_may_write_the_same_file_at_once(tmp_path: Path) -> None:
    """Each has a new file of its own: a shared one was lost to whoever renamed it second."""
    file = tmp_path / "a.txt"
    both = threading.Barrier(2)

    def write(text: bytes) -> None:
        with atomic_writer(file) as out:
            out.write(text)
            both.wait()

    other = threading.Thread(target=write, args=(b"one",))
    other.start()
    write(b"two")
    other.join()
    assert file.read_bytes() in (b"one", b"two")
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_permissions_are_kept_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    usual, own = tmp_path / "usual", tmp_path / "own"
    before = os.umask(0o027)
    try:
        write_atomic(usual, "a")
    finally:
        os.umask(before)
    own.write_text("a")
    own.chmod(0o755)
    write_atomic(own, "b")
    modes = [stat.S_IMODE(file.stat().st_mode) for file in (usual, own)]
    assert modes == [0o640, 0o755]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, file = tmp_path / "link", tmp_path / "folder" / "file"
    file.write_text("old")
    link.symlink_to(file)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_long_name_has_room(tmp_path: Path) -> None:
    write_atomic(tmp_path / ("a" * 250), "b")


def test_sync_waits_for_the_file_and_for_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda n: synced.append(stat.S_ISDIR(os.fstat(n).st_mode)))
    write_atomic(tmp_path / "a", "b")
    assert synced == []
    write_atomic(tmp_path / "a", "b", sync=True)
    assert synced == [False, True]


def test_no_package_renames_a_file_over_another_by_itself() -> None:
    """`Path.replace` takes one argument, `str.replace` two, `datetime.replace` keywords."""
    found = {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"
        for package in FOLDERS
        for path in (ROOT / package).rglob("*.py")
        for text in [path.read_text("utf-8")]
        if re.search(r"\.replace\([^,]*?\)", text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "replace"
        and not node.keywords
        and (len(node.args) == 1 or ast.unparse(node.func) == "os.replace")
    }
    assert {place for place in found if not place.startswith("engine/treec/atomic.py")} == set()
