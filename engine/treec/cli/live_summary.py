"""The summary of a run: work, talk, failures, decisions and models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.live_models import model_lines
from treec.cli.terminal_text import Piece, clock, safe
from treec.render.measure import cells, wrap
from treec.run.summary import NOBODY, Summary, Trouble
from treec.source.diagnostics import plural

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

ENDS = {
    "done": "finished",
    "finished": "the tree has finished",
    "idle": "nothing left to do",
    "deadline": "time limit reached",
    "stopped": "ended",
}
INDENT = 14
"""Columns of the label of a line."""

MAX_SHOWN = 5
"""Failures of a kind that are listed."""

Row = tuple[Piece, ...]


def summary_lines(
    totals: Summary, run: Run, outcome: RunOutcome, folder: Path, width: int | None = None
) -> Iterator[Row]:
    """The lines of the summary, wrapped to ``width`` columns."""
    for head, *rest in _rows(totals, run, outcome, folder):
        if width is None or len(rest) != 1:
            yield (head, *rest)
            continue
        words, style = rest[0]
        for line in wrap(words, max(width - INDENT, 20), cells):
            yield head, (line, style)
            head = (" " * INDENT, "")


def _rows(totals: Summary, run: Run, outcome: RunOutcome, folder: Path) -> Iterator[Row]:
    yield (("", ""),)
    expected = run.scenario.model.expect.finally_ if run.scenario is not None else None
    if outcome.status:
        yield _tree_verdict(outcome)
        if outcome.why:
            yield _row("because", safe(outcome.why), "red")
    elif outcome.why:
        yield (*_verdict(outcome, judged=False), (", ", ""), ("the tree has failed", "bold red"))
        yield _row("because", safe(outcome.why), "red")
    else:
        yield _verdict(outcome, expected is not None or not outcome.ok)
    for sentence in outcome.unconfirmed:
        yield _row("not stopped", safe(sentence), "bold red")
    is_missed = not outcome.ok and not outcome.unconfirmed
    if is_missed and not totals.broken and expected is not None:
        yield _row("expected", f"{safe(expected)}, which does not hold", "red")
    if not outcome.ok and run.user is not None and not run.user.finished:
        yield _row("user", "not all lines of the user were said", "red")
    for name, words, style in (*_work(totals), *_talk(totals), *_trouble(totals)):
        yield _row(name, words, style)
    if totals.skills:
        yield _row("skills", str(totals.skills))
    yield _row("decisions", _by(totals.decisions))
    yield _row("answers", f"{_by(totals.answers)}; {_models(totals)}")
    for name, words, style in model_lines(totals):
        yield (*_row(name, words, style), ("", ""))  # tables are not wrapped
    yield _row("run", safe(_near(folder)))


def _verdict(outcome: RunOutcome, judged: bool) -> Row:
    end = f"{ENDS.get(outcome.reason, outcome.reason)} after {clock(outcome.seconds)}"
    if not judged:
        return ((end, "bold"),)
    if outcome.ok:
        return ((end, "bold"), (", ", ""), ("as expected", "bold green"))
    return ((end, "bold"), (", ", ""), ("NOT as expected", "bold red"))


def _tree_verdict(outcome: RunOutcome) -> Row:
    style = "bold green" if outcome.ok else "bold red"
    end = "" if outcome.reason == "finished" else f", {ENDS.get(outcome.reason, outcome.reason)}"
    return ((outcome.status, style), (f" after {clock(outcome.seconds)}{end}", "bold"))


def _row(name: str, words: str, style: str = "") -> Row:
    return ((f"  {name:<{INDENT - 3}} ", "dim"), (words, style))


def _work(totals: Summary) -> Iterator[tuple[str, str, str]]:
    for recipe in dict.fromkeys(totals.recipes):
        mine = [id for id, of in totals.added.items() if of == recipe]
        over = {id for id, _ in totals.done}
        done = sum(1 for id in mine if id in over)
        yield "recipe", f"{safe(recipe)}, {done} of {plural(len(mine), 'subtask')} done", ""
    for agent in dict.fromkeys([*totals.agents, *(by for _, by in totals.done)]):
        did = totals.did(agent)
        if did:
            name = "done" if agent == NOBODY else safe(agent)
            busy = f" ({clock(totals.busy[agent])} at work)" if agent in totals.busy else ""
            yield name, ", ".join(map(safe, did)) + busy, ""
    if totals.graphs:
        finished = sum(1 for id, _ in totals.done if id in totals.added)
        total = len(totals.added) - len(totals.dropped)
        by = ", then ".join(map(safe, totals.graphs))
        yield "graph", f"by {by}: {finished} of {plural(total, 'sub-task')} done", ""
    if totals.dropped:
        yield "dropped", ", ".join(map(safe, totals.dropped)), "yellow"
    if left := totals.unfinished():
        yield "not done", ", ".join(map(safe, left)), "yellow"


def _talk(totals: Summary) -> Iterator[tuple[str, str, str]]:
    counts = ", ".join(f"{safe(who)} {number}" for who, number in totals.said.items())
    number = totals.said.total()
    yield "talk", plural(number, "utterance") + (f" ({counts})" if counts else ""), ""
    stops = totals.interrupted
    if stops:
        yield "interrupted", ", ".join(f"{safe(a)} {_times(n)}" for a, n in stops.items()), ""


def _trouble(totals: Summary) -> Iterator[tuple[str, str, str]]:
    done = {id for id, _ in totals.done}
    for failure in totals.failed:
        later = ", done later" if failure.what in done else ""
        by = f" by {safe(failure.agent)}" if failure.agent else ""
        yield "failed", f"{safe(failure.what)}{by}: {safe(failure.why)}{later}", "yellow"
    # A skill's failure is repeated by its node and its subtask.
    yield from _each("failed", _find_unreported(totals.skill_failures, totals.failed), "yellow")
    yield from _each("refused", totals.refused, "yellow")
    reported = [*totals.failed, *totals.skill_failures, *totals.refused]
    yield from _each("error", _find_unreported(totals.errors, reported), "red")
    yield from _each("broken", totals.broken, "bold red")
    if not totals.broken:
        yield "contracts", "none broken", ""


def _find_unreported(found: list[Trouble], reported: list[Trouble]) -> list[Trouble]:
    def is_reported(one: Trouble) -> bool:
        return any(one.why in other.why or other.why in one.why for other in reported if other.why)

    return [one for one in found if not is_reported(one)]


def _each(name: str, found: list[Trouble], style: str) -> Iterator[tuple[str, str, str]]:
    for failure in found[:MAX_SHOWN]:
        what = safe(failure.what).rpartition("/")[2]
        module = f" [{safe(failure.module)}]" if failure.module else ""
        yield name, f"{what}: {safe(failure.why)}{module}", style
    if len(found) > MAX_SHOWN:
        yield name, f"and {len(found) - MAX_SHOWN} more", style


def _by(who: Mapping[str, int]) -> str:
    """A count, and who decided: always, offline, a model's name."""
    text = ", ".join(f"{number} {safe(by)}" for by, number in sorted(who.items()))
    return f"{sum(who.values())}" + (f" ({text})" if text else "")


def _models(totals: Summary) -> str:
    requests = totals.requests
    if not requests.asked:
        return "no model was asked"
    answered = f"{requests.answers} answered" if requests.answers else "none answered"
    return f"{plural(requests.asked, 'request')} to a model, {answered}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _near(folder: Path) -> str:
    try:
        return str(folder.relative_to(Path.cwd()))
    except ValueError:
        return str(folder)
