"""What the commands of ``treec plan`` share: a task, a graph, findings and how they are printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.common import Stop, open_library, wants_colour

if TYPE_CHECKING:
    from engine.files.library import Library
    from engine.plan.arms.layout import Layout
    from engine.plan.arms.problem import Problem
    from engine.source.diagnostics import Diagnostic
    from engine.source.text import SourceFile

TaskOption = Annotated[
    Path, typer.Option("--task", help="A task: NAME.problem.yaml, or the name of one.")
]


class StatusLine:
    """Says on a terminal how far something is, from the third second on."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 2.0
        self._shown = False

    def __call__(self, text: str) -> None:
        """Show it in the place of what was shown before; twice a second is enough."""
        if sys.stderr.isatty() and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self._shown = True
            print(f"\r{text:<59}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Wipe it."""
        if self._shown:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def open_problem(task: Path, library: Path | None) -> Problem:
    """A task by its file or its name, from the library that it belongs to. Raises Stop."""
    from engine.plan.arms.problem import NoProblem, problem_from, problem_in

    found = _library_of(task, library)
    try:
        if task.suffix or task.exists():
            if not task.is_file():
                raise Stop(f"there is no {task}")
            return problem_from(found, task)
        return problem_in(found, task.as_posix())
    except NoProblem as error:
        raise Stop(str(error)) from None


def _library_of(task: Path, library: Path | None) -> Library:
    """The library named, or that of the current folder, or that in which the task's file lies."""
    from engine.files.library import NoLibrary, find_root, load_library

    if library is None and task.is_file():
        try:
            find_root(Path.cwd())
        except NoLibrary:
            try:
                return load_library(find_root(task.resolve().parent))
            except NoLibrary:
                pass
    return open_library(library)


def open_layout(path: Path) -> Layout:
    """A layout from its file. Raises Stop with what is wrong in it."""
    from engine.plan.arms.layout import read_layout
    from engine.source.diagnostics import format_text

    layout, problems = read_layout(path)
    if layout is None:
        raise Stop(format_text(problems, {}).strip())
    return layout


def show(problems: Sequence[Diagnostic], source: SourceFile | None) -> None:
    """Print findings with excerpts, and how many they are."""
    from engine.source.diagnostics import format_summary, format_text

    sources = {} if source is None else {source.path: source}
    print(format_text(problems, sources, colour=wants_colour()))
    print()
    print(format_summary(problems))
