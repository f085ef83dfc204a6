"""Makes trials in a process of their own, and reports on them as `treec check` does."""

from __future__ import annotations

import json
import linecache
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from treec.api.errors import TreecError
from treec.source.diagnostics import Diagnostic, format_text
from treec.source.text import SourceFile, Span
from treec_testing import environments, nodes, parsers, workers  # noqa: F401 (their trials)
from treec_testing.isolation import first_tried
from treec_testing.trial import TRIALS, CodePlace, Trial

BUG = 70
"""The exit status of a process for trials in which treec itself has failed."""


@dataclass(frozen=True)
class Result:
    """How a trial of a subject went: what was wrong and where, or why it was not made."""

    subject: str
    trial: Trial
    wrong: str = ""
    place: CodePlace | None = None
    not_tried: str = ""

    @property
    def problem(self) -> Diagnostic:
        """What was found, as `treec check` prints it."""
        trial, place = self.trial, self.place or CodePlace("<unknown>", 1)
        line = linecache.getline(place.file, place.line).rstrip()
        start, end = len(line) - len(line.lstrip()) + 1, len(line) + 1
        span = Span(_shown(place.file), place.line, start, place.line, end)
        help = f"tried: {trial.tried}\n{trial.right}\n\n{textwrap.indent(trial.example, '    ')}"
        return Diagnostic(trial.id, "error", span, self.wrong, help)


@dataclass(frozen=True)
class TrialReport:
    """How all trials went; its text is what ``treec check --deep`` prints."""

    results: tuple[Result, ...]

    @property
    def wrong(self) -> dict[str, str]:
        """What was found, by the ids of the trials."""
        return {result.trial.id: result.wrong for result in self.results if result.wrong}

    @property
    def problems(self) -> list[Diagnostic]:
        """The same, as `treec check` prints it."""
        return [result.problem for result in self.results if result.wrong]

    def text(self, *, colour: bool = False) -> str:
        """All findings, each with its excerpt, what was tried, what would be right, an example."""
        subjects: dict[str, list[Result]] = {}
        for result in self.results:
            subjects.setdefault(result.subject, []).append(result)
        return "\n\n".join(_text(name, results, colour) for name, results in subjects.items())

    def __str__(self) -> str:
        return self.text()


def try_code(
    names: Iterable[str], library: str | Path | None = None, kind: str = "", **given: object
) -> TrialReport:
    """Make all trials of what names stand for. Raises TreecError if nothing can be tried.

    ``given`` is for a class or function of this ``kind``, whatever a library says of it.
    """
    request = pickle.dumps((list(names), library, kind, given))
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # files and not pipes, which a process that the code has started could hold open
        command = [sys.executable, "-m", "treec_testing"]
        child = subprocess.run(
            command, input=request, stdout=out, stderr=err, env=environ, check=False
        )
        out.seek(0)
        err.seek(0)
        messages, trace = [json.loads(line) for line in out], err.read().decode("utf-8", "replace")
    end, place = _read_end(child.returncode, trace)
    if child.returncode == BUG:
        raise RuntimeError(trace)
    results: list[Result] = []
    subject, left = "", list[str]()
    for message in messages:
        if "error" in message:
            raise TreecError(message["error"])
        if "subject" in message:
            subject, left = message["subject"], message["trials"]
            continue
        id, wrong, not_tried = left.pop(0), message["wrong"], message["not_tried"]
        where = CodePlace(*message["place"]) if message["place"] else None
        before = [r for r in results if r.subject == subject and r.wrong]
        same = [r.trial.id for r in before if wrong.endswith(r.wrong)]
        if same:
            wrong, not_tried = "", f"it goes wrong as in {same[0]}"
        results.append(Result(subject, TRIALS[id], wrong, where, not_tried))
    if left:
        results.append(Result(subject, TRIALS[left.pop(0)], end, place))
        results += [Result(subject, TRIALS[id], not_tried=end) for id in left]
    if all(result.not_tried for result in results):
        raise TreecError(results[0].not_tried if results else end)
    return TrialReport(tuple(results))


class CodeTrials:
    """The trials, as `treec check --deep` and `treec explain` use them."""

    def make(self, names: Iterable[str], library: Path | None) -> TrialReport:
        """Make all trials of what names stand for. Raises TreecError if nothing can be tried."""
        return try_code(names, library)

    def page(self, id: str) -> str | None:
        """What a trial tries, what would be right, and an example; None for an unknown id."""
        trial = TRIALS.get(id.upper())
        if trial is None:
            return None
        example = textwrap.indent(trial.example, "    ")
        return f"{trial.id}: {trial.tried}\n\n{textwrap.fill(trial.right, 80)}\n\n{example}"


CODE_TRIALS = CodeTrials()
"""What the extension names."""


def _read_end(status: int, trace: str) -> tuple[str, CodePlace | None]:
    """What ended a process, and where."""
    call, _, trace = trace.rpartition("\nRunning: ")[2].partition("\n")
    how = f"ended the process, with exit status {status}"
    if status < 0:
        how = f"ended the process by {signal.Signals(-status).name}"
    if late := re.search(r"^Timeout \(([\d:.]+)\)!", trace, re.MULTILINE):
        how = f"did not return within {late[1]}"
    main_thread = re.split(r"^(?=.*hread 0x)", trace, flags=re.MULTILINE)[-1]
    lines = re.findall(r'^  File "(.+)", line (\d+) in ', main_thread, re.MULTILINE)
    return f"{call} {how}", first_tried((file, int(line)) for file, line in lines)


def _text(subject: str, results: list[Result], colour: bool) -> str:
    problems = [result.problem for result in results if result.wrong]
    parts = [subject]
    if problems:
        files = {result.place.file for result in results if result.place is not None}
        sources = {_shown(file): "".join(linecache.getlines(file)) for file in files}
        texts = {name: SourceFile(name, text) for name, text in sources.items()}
        parts.append(format_text(problems, texts, colour=colour))
    made = sum(not result.not_tried for result in results)
    how = f"{len(problems)} failed" if problems else "nothing is wrong"
    parts.append(f"{made} trials, {how}" if made else "nothing was tried")
    for why in dict.fromkeys(result.not_tried for result in results if result.not_tried):
        ids = ", ".join(result.trial.id for result in results if result.not_tried == why)
        parts.append(f"not tried: {ids}: {why}")
    return "\n".join(parts)


def _shown(file: str) -> str:
    """A file's path as it is shown: relative to the current folder, if it is in it."""
    path = Path(file)
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()
