"""The report of a study as text, in the manner of the paper's Table 8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from experiments.mosaic.study.paper import SYSTEMS
from experiments.mosaic.study.report import StudyReport, StudyRow
from experiments.mosaic.study.statistics import Estimate, TTest
from experiments.mosaic.table import grid
from treec.cli.terminal_text import safe

DESIGNS = {"within": "each with all planners", "between": "each with one planner"}


def to_text(report: StudyReport) -> str:
    """Render the head, both tables of estimates, and the tests."""
    labels = [safe(label) for label in report.study.planners]
    parts = [
        "\n".join(_head(report)),
        "Answers: mean ± standard error (n)",
        grid(["", *labels], [line for row in report.questions for line in _answers(report, row)]),
        "The runs: mean ± standard error (n)",
        grid(["", *labels], [_estimates(row) for row in report.measured]),
    ]
    for index, comparison in enumerate(report.rows[0].comparisons):
        parts.append(f"t-tests, {safe(comparison.first)} − {safe(comparison.second)}, two-sided")
        lines = [line for row in report.rows for line in _tests(report, row, index)]
        parts.append(grid(["", "unpaired (Welch)", "paired"], lines))
    return "\n\n".join(parts) + "\n"


def participants_of(report: StudyReport) -> str:
    """How many participants there are, and whether they are people."""
    kind = "SIMULATED participants" if report.simulated else "participants"
    return f"{report.study.participants} {kind}"


def model_of(report: StudyReport, label: str) -> str:
    """The model of a planner in words."""
    return ", ".join(name or "no model" for name in report.models[label]) or "no session"


def _head(report: StudyReport) -> Iterator[str]:
    yield (
        f"Study '{safe(report.study.study)}': {participants_of(report)}, "
        + DESIGNS[report.study.design]
    )
    if report.answered < report.sessions:
        yield f"  unfinished: {report.answered} of {report.sessions} sessions have answers"
    else:
        yield f"  {report.sessions} sessions, all with answers"
    for label, system in report.study.planners.items():
        yield f"  {safe(label)}: {safe(system)}, {model_of(report, label)}"
    if report.simulated:
        yield f"  No person has answered. Answers are {report.rule or 'not there yet'}."


def _answers(report: StudyReport, row: StudyRow) -> Iterator[Sequence[str]]:
    yield _estimates(row)
    for result in row.paper:
        cells = []
        for system in report.study.planners.values():
            mean_error = result.of(SYSTEMS[system]) if system in SYSTEMS else None
            cells.append("–" if mean_error is None else "{:.2f} ± {:.2f}".format(*mean_error))
        yield [f"  paper, {result.study} (n = {result.n})", *cells]


def _estimates(row: StudyRow) -> Sequence[str]:
    return [safe(row.title), *(estimate_words(found) for found in row.estimates.values())]


def estimate_words(found: Estimate) -> str:
    """A mean with its error and n."""
    if found.mean is None:
        return "no answers"
    if found.error is None:
        return f"{found.mean:.2f} (1, no error)"
    return f"{found.mean:.2f} ± {found.error:.2f} ({found.n})"


def _tests(report: StudyReport, row: StudyRow, index: int) -> Iterator[Sequence[str]]:
    comparison = row.comparisons[index]
    yield [safe(row.title), ttest_words(comparison.unpaired), ttest_words(comparison.paired)]
    planners = report.study.planners
    pair = [SYSTEMS.get(planners[label]) for label in (comparison.first, comparison.second)]
    if pair in (["Tree", "One-Prompt"], ["One-Prompt", "Tree"]):
        sign = 1 if pair[0] == "Tree" else -1
        for result in row.paper:
            words = f"t = {sign * result.t:.2f}, p = {result.p:.2f}, df = {result.df:g}"
            yield [f"  paper, {result.study}", words, "–"]


def ttest_words(test: TTest) -> str:
    """A test's result with n, or why there is none."""
    n = " + ".join(map(str, test.n))
    note = f" ({test.note})" if test.note else ""
    if test.t is None or test.p is None or test.df is None:
        return f"none: {test.why}{note}"
    p = "p < 0.001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return f"t = {test.t:.2f}, {p}, df = {test.df:.1f}, n = {n}{note}"
