"""The report of trials, as `treec check` prints its findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from treec.conformance.contained import make_contained
from treec.conformance.subjects import Subject
from treec.conformance.trial import TrialReport
from treec.run.skill_trial import CannotTry
from treec.source.diagnostics import Diagnostic, format_text, to_json
from treec.source.text import SourceFile


@dataclass(frozen=True)
class SubjectReport:
    """How the trials of one subject went."""

    name: str
    about: str
    results: tuple[TrialReport, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return all(result.ok for result in self.results)

    @property
    def wrong(self) -> dict[str, str]:
        """What was found, by the ids of the trials."""
        return {result.trial.id: result.wrong for result in self.results if result.wrong}

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What was found, as diagnostics."""
        return tuple(r.diagnostic(shown_path) for r in self.results if r.wrong)

    def text(self, *, colour: bool = False) -> str:
        """All findings with their excerpts, and how many trials were made."""
        parts = [f"{self.name} ({self.about})"]
        if self.problems:
            sources = _sources({r.place.file for r in self.results if r.place is not None})
            parts.append(format_text(self.problems, sources, colour=colour))
        parts.append(self._summary())
        return "\n".join(parts)

    def to_json(self) -> dict[str, object]:
        """All trials with what was found, as plain data."""
        trials = []
        for result in self.results:
            trial = result.trial
            how = "wrong" if result.wrong else "not tried" if result.not_tried else "passed"
            entry: dict[str, object] = {"id": trial.id, "tried": trial.tried, "result": how}
            if result.wrong:
                problem = to_json(result.diagnostic(shown_path))
                entry.update(problem, help=trial.right, example=trial.example)
            if result.not_tried:
                entry["because"] = result.not_tried
            trials.append(entry)
        return {"name": self.name, "about": self.about, "ok": self.ok, "trials": trials}

    def _summary(self) -> str:
        made = [result for result in self.results if not result.not_tried]
        wrong = len(self.wrong)
        text = f"{len(made)} trials, " + (f"{wrong} failed" if wrong else "nothing is wrong")
        reasons: dict[str, list[str]] = {}
        for result in self.results:
            if result.not_tried:
                reasons.setdefault(result.not_tried, []).append(result.trial.id)
        for why, ids in reasons.items():
            text += f"\nnot tried: {', '.join(ids)}: {why}"
        return text


@dataclass(frozen=True)
class DeepReport:
    """How all trials went; its text is what ``treec check --deep`` prints."""

    subjects: tuple[SubjectReport, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return all(subject.ok for subject in self.subjects)

    @property
    def wrong(self) -> dict[str, str]:
        """What was found, by the ids of the trials."""
        return {id: what for subject in self.subjects for id, what in subject.wrong.items()}

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What was found, as diagnostics."""
        return tuple(problem for subject in self.subjects for problem in subject.problems)

    def text(self, *, colour: bool = False) -> str:
        """All findings, each with its excerpt, what was tried, what would be right, an example."""
        return "\n\n".join(subject.text(colour=colour) for subject in self.subjects)

    def __str__(self) -> str:
        return self.text()


def try_subjects(subjects: Iterable[Subject]) -> DeepReport:
    """Make all trials of subjects, in a child process.

    Subjects that are lazy are looked up there, too. Raises CannotTry if none can be tried.
    """
    reports = []
    made = make_contained(subjects)
    for tried in made:
        if tried.untried:
            tried.give_up(tried.untried)
        reports.append(SubjectReport(tried.name, tried.about, tuple(tried.results)))
    if made and all(tried.untried for tried in made):
        raise CannotTry(made[0].untried)
    return DeepReport(tuple(reports))


def shown_path(file: str) -> str:
    """A file's path as it is shown: relative to the current folder, if it is in it."""
    path = Path(file)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _sources(files: set[str]) -> dict[str, SourceFile]:
    found = {}
    for file in files:
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        found[shown_path(file)] = SourceFile(shown_path(file), text)
    return found
