"""Hostile and huge files: seconds and memory of the commands that read them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import hostile
from benchmarks.hostile import pipe, write
from benchmarks.process import ROOT, run_process
from benchmarks.table import Cell, Table

BASE = ROOT / "tests/check/base"
TREEC = (sys.executable, "-m", "treec")
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "render": ("render", "level_0"),
    "run": ("run", "huge", "--fast"),
    "run demo": ("run", "demo", "--fast"),
}
SECONDS, MEGABYTES = 5, 500
"""What no command may exceed."""


def _cases(small: bool) -> dict[str, tuple[Callable[[Path], None], tuple[str, ...]]]:
    """Each file with the commands that read it."""

    def made(files: hostile.Files) -> Callable[[Path], None]:
        return partial(write, files)

    def size(number: int) -> int:
        return number // 100 if small else number

    trees = ("check", "render", "run")
    return {
        "a pipe named like a task": (pipe, ("check", "run demo")),
        "3,000 misspelt `after`": (made(hostile.misspelt_after(size(3000))), ("check",)),
        "2,000 misspelt options": (made(hostile.misspelt_options(size(2000))), ("check",)),
        "2,000 misspelt names": (made(hostile.misspelt_names(size(2000))), ("check",)),
        "3,500 things with bodies": (made(hostile.large_scene(size(3500))), ("check",)),
        "8,000 things in misspelt places": (made(hostile.misspelt_places(size(8000))), ("check",)),
        "3,000 things in one place": (made(hostile.stacked_scene(size(3000))), ("check",)),
        "3,000 things in the air": (made(hostile.floating_scene(size(3000))), ("check",)),
        "trees used twice, 40 deep": (made(hostile.doubled_trees(40)), trees),
        "`for` in `for`, 3 deep, of 100": (made(hostile.nested_loops(3, 100)), trees),
        "`for` in `for`, 12 deep, of 10": (made(hostile.nested_loops(12, 10)), trees),
        "two options each, 40 deep": (made(hostile.doubled_decisions(40)), trees),
    }


def run(small: bool) -> list[Table]:
    """A row of each file and command."""
    rows: list[tuple[Cell, ...]] = []
    with tempfile.TemporaryDirectory() as place:
        for name, (make, commands) in _cases(small).items():
            folder = Path(place) / "library"
            shutil.copytree(BASE, folder)
            make(folder)
            for command in commands:
                words = COMMANDS[command]
                found = run_process(
                    [*TREEC, *words, "-L", str(folder)],
                    {**os.environ, "TREEC_CACHE": f"{place}/cache"},
                    cwd=Path(place),
                )
                rows.append((name, command, found.status, found.cpu, found.peak))
            shutil.rmtree(folder)
    note = f"Goal: at most {SECONDS} s and {MEGABYTES} MB; CPU seconds, start of Python included."
    columns = ("file", "command", "exit status", "seconds", "MB")
    return [Table("Hostile and huge files", columns, rows, (note,))]
