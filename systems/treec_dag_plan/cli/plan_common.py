"""Helpers of the ``treec plan`` commands: open tasks and graphs, print findings."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import Stop, open_library, wants_colour

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec.source.diagnostics import Diagnostic
    from treec.source.text import SourceFile
    from treec_dag_plan.arms.layout import ArmLayout
    from treec_dag_plan.arms.model import TaskGraph
    from treec_dag_plan.arms.problem import AllocationProblem

TaskOption = Annotated[Path, typer.Option("--task", help="Task: NAME.problem.yaml, or its name.")]


class StatusLine:
    """Shows progress on a terminal, starting after two seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 2.0
        self._shown = False

    def __call__(self, text: str) -> None:
        """Replace the line's text, at most twice a second."""
        if sys.stderr.isatty() and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self._shown = True
            print(f"\r{text:<59}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def open_problem(task: Path, library: Path | None) -> AllocationProblem:
    """Open a task by its file or name. Raises Stop."""
    from treec_dag_plan.arms.missing_things import describe_missing_everywhere
    from treec_dag_plan.arms.problem import ProblemError, problem_from, problem_in

    is_file = bool(task.suffix) or task.exists()
    if is_file and not task.is_file():
        raise Stop(f"no such file: {task}")
    found = _library_of(task, library, is_file)
    try:
        if is_file:
            return problem_from(found, task)
        return problem_in(found, task.as_posix())
    except ProblemError as error:
        words = task.as_posix()
        cannot = describe_missing_everywhere(found, words) if " " in words else None
        raise Stop(f"{error}; {cannot}" if cannot else str(error)) from None


def _library_of(task: Path, library: Path | None, is_file: bool) -> Library:
    """Open the given library, that of the current folder, or that of the task's file."""
    from treec.files.library import NoLibrary, find_root, load_library

    if library is None:
        try:
            find_root(Path.cwd())
        except NoLibrary:
            if not is_file:
                problem = f"'{task}' is the name of a task, and tasks have names in a library"
                raise Stop(
                    f"{problem}: run treec inside one, specify one with --library FOLDER, "
                    "or give the task's file"
                ) from None
            try:
                return load_library(find_root(task.resolve().parent))
            except NoLibrary:
                problem = f"{task} lies in no library, whose scene and skills it needs"
                raise Stop(f"{problem}: specify one with --library FOLDER") from None
    return open_library(library)


def open_layout(path: Path) -> ArmLayout:
    """Read a layout file. Prints its findings and raises Stop if it has errors."""
    from treec_dag_plan.arms.layout import read_layout

    readable(path)
    layout, problems = read_layout(path)
    if layout is None:
        raise print_findings(path, problems)
    return layout


def open_graph(path: Path) -> TaskGraph:
    """Read a task graph. Prints its findings and raises Stop if it has errors."""
    from treec_dag_plan.arms.read import read_graph

    readable(path)
    graph, problems = read_graph(path)
    if graph is None:
        raise print_findings(path, problems, f": 'treec plan check {path}' tells more")
    return graph


def readable(path: Path) -> None:
    """Raise Stop if a file does not exist or cannot be read."""
    from treec.source import yaml_rules
    from treec.source.yaml import read_file

    file, problems = read_file(path, path.as_posix())
    if file is None and problems[0].code == yaml_rules.UNREADABLE.code:
        if not path.exists():
            raise Stop(f"no such file: {path}")
        raise Stop(f"{path}: {problems[0].message}")


def print_findings(path: Path, problems: Sequence[Diagnostic], more: str = "") -> Stop:
    """Print a file's findings and return the Stop that ends the command with status 1."""
    from treec.source.yaml import read_file

    file, _ = read_file(path, path.as_posix())
    show(sorted(problems), file)
    return Stop(f"{path} has errors{more}", 1)


def show(problems: Sequence[Diagnostic], source: SourceFile | None) -> None:
    """Print findings with excerpts and a summary."""
    from treec.source.diagnostics import format_summary, format_text

    sources = {} if source is None else {source.path: source}
    print(format_text(problems, sources, colour=wants_colour()))
    print()
    print(format_summary(problems))
