"""`treec watch`: a check at every save."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import ROOT, Treec
from treec.files.library import load_library
from treec_editor import watch as module
from treec_editor.watch import CLEAR, LibraryWatch

CHARGE = "trees/charge_when_low.tree.yaml"
FINE = "36 definitions in 36 files: nothing is wrong"


def edit(file: Path, old: str, new: str) -> Callable[[], None]:
    """An edit whose file has another size or time than before, however coarse the clock is."""

    def write() -> None:
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
        times = file.stat()
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns + 1_000_000))

    return write


def saves(*edits: Callable[[], None]) -> Callable[[], bool]:
    """A wait during which one edit after the other is saved."""
    waiting: Iterator[Callable[[], None]] = iter(edits)

    def wait() -> bool:
        save = next(waiting, None)
        if save is not None:
            save()
        return save is not None

    return wait


def test_every_save_is_checked(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = library / CHARGE
    watch = LibraryWatch(load_library(library))
    watch.follow(saves(lambda: None, edit(file, "skill: drive", "skill: drve")))
    out = capsys.readouterr().out
    assert watch.wrong
    assert out.startswith(f"{FINE}\n{CHARGE}: changed\n{CHARGE}:6:12: error TC302")
    assert out.count(FINE) == 1, "nothing is printed where nothing has changed"
    watch.follow(saves(edit(file, "skill: drve", "skill: drive")))
    assert not watch.wrong
    assert capsys.readouterr().out.endswith(f"{CHARGE}: changed\n{FINE}\n")


def test_files_that_come_and_go_are_seen(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = library / "trees" / "new.tree.yaml"
    watch = LibraryWatch(load_library(library))
    watch.follow(saves(lambda: new.write_text("tree: new\nroot: {chek: low}\n"), new.unlink))
    out = capsys.readouterr().out
    assert "trees/new.tree.yaml:2:8: error TC301" in out
    assert out.endswith(f"trees/new.tree.yaml: changed\n{FINE}\n")


def test_its_own_python_is_read_again(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(library / "warehouse" / "charging.py", "class Charge", "class Discharge")()
    file = library / "warehouse" / "charging.py"
    watch = LibraryWatch(load_library(library))
    watch.follow(saves(edit(file, "class Discharge", "class Charge")))
    out = capsys.readouterr().out
    assert "skills/charge/charge.skill.yaml:10:37: error TC211" in out
    assert out.endswith(f"warehouse/charging.py: changed\n{FINE}\n")


def test_ctrl_c_ends_it_with_the_status_of_the_last_check(
    library: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_wait", stop)
    done = treec("watch", "-L", library)
    assert (done.status, done.out) == (0, f"{FINE}\n\n")
    edit(library / CHARGE, "skill: drive", "skill: drve")()
    done = treec("watch", "-L", library)
    assert done.status == 1
    done = treec("watch", "-L", library, "--ignore", "TC302")
    assert (done.status, done.out) == (0, f"{FINE}\n\n")


def test_hooks_of_pre_commit_are_command_lines(library: Path, treec: Treec) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["treec-check", "treec-fix"]
    for hook in hooks:
        program, *args = hook["entry"].split()
        assert (program, hook["language"]) == ("treec", "python")
        assert treec(*args, "-L", library).status == 0
        assert re.search(hook["files"], CHARGE)


def test_a_screen_is_cleared_before_each_report(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    LibraryWatch(load_library(library), screen=True).follow(saves())
    assert capsys.readouterr().out == f"{CLEAR}{FINE}\n"
