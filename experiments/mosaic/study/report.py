"""The report of a study: estimates for each planner, tests between them, the paper's figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from experiments.mosaic.study.assignment import StudySession
from experiments.mosaic.study.files import StudyFile, StudyQuestion
from experiments.mosaic.study.folder import SessionAnswers, StudyFolder
from experiments.mosaic.study.outcome import SessionOutcome, read_outcome
from experiments.mosaic.study.paper import SYSTEMS, TABLE_8, PaperResult
from experiments.mosaic.study.statistics import (
    Estimate,
    TTest,
    estimate,
    paired,
    unpaired,
)


@dataclass(frozen=True)
class AnsweredSession:
    """A session with its answers and its run."""

    session: StudySession
    answers: SessionAnswers
    outcome: SessionOutcome


@dataclass(frozen=True)
class PlannerComparison:
    """The tests of one planner minus another."""

    first: str
    second: str
    unpaired: TTest
    paired: TTest


@dataclass(frozen=True)
class StudyRow:
    """A question, or something measured in the runs; ``question`` is None for the latter."""

    key: str
    title: str
    question: StudyQuestion | None
    estimates: Mapping[str, Estimate]
    comparisons: Sequence[PlannerComparison]
    paper: Sequence[PaperResult] = ()


@dataclass(frozen=True)
class StudyReport:
    """All rows, and what they rest on. ``models`` of each planner; '' stands for none."""

    study: StudyFile
    simulated: bool
    rule: str
    sessions: int
    answered: int
    models: Mapping[str, Sequence[str]]
    rows: Sequence[StudyRow]

    @property
    def questions(self) -> list[StudyRow]:
        """The rows of the survey."""
        return [row for row in self.rows if row.question is not None]

    @property
    def measured(self) -> list[StudyRow]:
        """The rows of what was measured in the runs."""
        return [row for row in self.rows if row.question is None]


MEASURED: Mapping[str, tuple[str, Callable[[SessionOutcome], float]]] = {
    "success": ("recipe done, %", lambda outcome: 100.0 * outcome.success),
    "seconds": ("time, s", lambda outcome: outcome.seconds),
    "user_turns": ("participant's utterances", lambda outcome: float(outcome.user_turns)),
    "assistant_turns": ("assistant's utterances", lambda outcome: float(outcome.assistant_turns)),
}


def read_sessions(folder: StudyFolder) -> list[AnsweredSession]:
    """The sessions that have answers. Raises StudyError."""
    found = []
    for session in folder.record.sessions:
        answers = folder.answers(session)
        if answers is not None:
            outcome = read_outcome(folder.of(session), session.recipe)
            found.append(AnsweredSession(session, answers, outcome))
    return found


def make_study_report(folder: StudyFolder) -> StudyReport:
    """Evaluate a study as far as it has answers. Raises StudyError and NoScipy."""
    study = folder.study
    sessions = read_sessions(folder)
    rows = [
        _row(name, question.measures or name, study, sessions, _answer_of(name), question)
        for name, question in study.questions.items()
    ]
    rows += [
        _row(key, title, study, sessions, lambda one, get=get: get(one.outcome))  # type: ignore[misc]
        for key, (title, get) in MEASURED.items()
    ]
    models = {
        label: sorted({one.outcome.model for one in sessions if one.session.planner == label})
        for label in study.planners
    }
    rule = next((one.answers.rule for one in sessions), "")
    return StudyReport(
        study,
        folder.record.simulated,
        rule,
        len(folder.record.sessions),
        len(sessions),
        models,
        rows,
    )


def _answer_of(name: str) -> Callable[[AnsweredSession], float]:
    return lambda one: float(one.answers.answers[name])


def _row(
    key: str,
    title: str,
    study: StudyFile,
    sessions: Sequence[AnsweredSession],
    value: Callable[[AnsweredSession], float],
    question: StudyQuestion | None = None,
) -> StudyRow:
    values: dict[str, dict[int, float]] = {label: {} for label in study.planners}
    for one in sessions:
        values[one.session.planner][one.session.participant] = value(one)
    comparisons = [
        PlannerComparison(
            first,
            second,
            unpaired(list(values[first].values()), list(values[second].values())),
            paired(values[first], values[second]),
        )
        for first, second in combinations(study.planners, 2)
    ]
    estimates = {label: estimate(list(own.values())) for label, own in values.items()}
    paper: Sequence[PaperResult] = ()
    is_count = question is not None and question.scale is None  # as the paper's answers are
    if question is not None and is_count and SYSTEMS.keys() & study.planners.values():
        paper = TABLE_8.get(str(question.measures), ())
    return StudyRow(key, title, question, estimates, comparisons, paper)


def to_json(report: StudyReport) -> dict[str, object]:
    """The report as plain data; what is undefined is null, with the reason in ``why``."""
    return {
        "format": 1,
        "study": report.study.study,
        "simulated": report.simulated,
        "rule": report.rule,
        "design": report.study.design,
        "planners": report.study.planners,
        "models": report.models,
        "participants": report.study.participants,
        "sessions": report.sessions,
        "answered": report.answered,
        "rows": [
            {
                "key": row.key,
                "title": row.title,
                "question": row.question.model_dump(by_alias=True) if row.question else None,
                "planners": {label: asdict(found) for label, found in row.estimates.items()},
                "tests": [asdict(comparison) for comparison in row.comparisons],
                "paper": [asdict(result) for result in row.paper],
            }
            for row in report.rows
        ],
    }
