"""``treec snapshot``: answer or play every test case and show what differs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.check_library import CheckFormat
from treec.cli.common import LibraryOption, Stop, open_library, reason, wants_colour
from treec.cli.live_models import lines_of
from treec.cli.progress import progress
from treec.cli.spec_options import takes
from treec.world.spec import ModelOptions
from treec_testing.cli.ask_authors import ask_authors
from treec_testing.cli.findings_format import FindingsFormatOption, print_findings
from treec_testing.cli.open_snapshot import open_snapshot, pick
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool
from treec_testing.cli.record_cases import accept_cases, record_cases

if TYPE_CHECKING:
    from treec_testing.decisions.findings import Tally
    from treec_testing.decisions.rates import AuthorRate

_RED, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


def percent(text: str) -> float:
    """A percentage, with or without its sign. Raises BadParameter."""
    try:
        value = float(text.removesuffix("%").strip())
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise typer.BadParameter(f"'{text}' is not a percentage: write 95 or 95%")
    return value


@takes(ModelOptions, "api_base", "max_cost", "max_tokens", "model_settings")
def command(
    options: ModelOptions,
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHICH]...",
            help="Cases, such as Execution, 'Execution/a-*' or prompts/talk (default: all).",
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Model to ask, such as openai/NAME: now, or for --record and --refresh; "
            "repeatable, for columns side by side.",
        ),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--beside",
            metavar="DIR",
            help="Another library, such as a copy with edited prompts, asked side by side with "
            "this one; repeatable.",
        ),
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, help="Ask each case so many times.")
    ] = 1,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least",
            parser=percent,
            metavar="PERCENT",
            help="Exit status 1 only if somebody decides fewer of all cases as expected.",
        ),
    ] = None,
    each_at_least: Annotated[
        float | None,
        typer.Option(
            "--each-at-least",
            parser=percent,
            metavar="PERCENT",
            help="The same for the decisions of each case.",
        ),
    ] = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record",
            help="Record the cases that have no recording; of whole systems those named by WHICH.",
        ),
    ] = False,
    refresh: Annotated[
        list[str] | None,
        typer.Option("--refresh", metavar="CASE", help="Record this case again; repeatable."),
    ] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept", metavar="CASE", help="Accept the decision it makes now; repeatable."
        ),
    ] = None,
    because: Annotated[
        str,
        typer.Option(
            "--because", help="Why an accepted decision may differ from the expected one."
        ),
    ] = "",
    answer: Annotated[
        Path | None,
        typer.Option(
            "--answer", help="Record the answer in this file, written by a person (by: hand)."
        ),
    ] = None,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Delete recordings that no case uses, and parts that none refers to."
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the table of rates (.html or .json), too."),
    ] = None,
    jobs: JobsOption = None,
    on: OnOption = "",
    library: LibraryOption = None,
    output_format: FindingsFormatOption = CheckFormat.text,
) -> int:
    """Answer every test case from its recording. Exit status 0 if nothing differs, 1 otherwise.

    Cases of whole systems are played by the files' own rules, and by all answers that are kept. New
    recordings are answered by --model, or without it by the nodes' own rules (by: offline). With
    --model or --beside alone all are asked now, and no answer is kept.
    """
    if answer is not None and (model or not (record or refresh)):
        raise Stop("--answer needs --record or --refresh CASE, and excludes --model")
    if because and not accept:
        raise Stop("--because needs --accept CASE")
    if output is not None and output.suffix not in (".html", ".json"):
        raise Stop(f"{output}: the table is written as .html or .json")
    now = bool(model or beside) and not (record or refresh)
    if now and (accept or prune):
        raise Stop("--accept and --prune are for recordings: leave out --model and --beside")
    if beside and not now:
        raise Stop("--beside asks now: leave out --record and --refresh")
    if repeat > 1 and not model:
        raise Stop("--repeat needs --model: rules decide alike each time")
    if now and (jobs or on):
        raise Stop("--jobs and --on are for recordings: leave out --model and --beside")
    from treec_testing.decisions.cases import CaseError

    found = open_library(library)
    snapshot = open_snapshot(found)
    done: list[str] = []
    names: list[str | None] = [*model] if model else [None]
    for name in names if record or refresh else ():
        one = replace(options, model=name, offline=name is None)
        missing = (which or []) if record else None
        done += record_cases(snapshot, found, missing, refresh or [], one, answer, repeat)
    if accept:
        done += accept_cases(snapshot, accept, because)
    if prune:
        done += snapshot.prune()
    elif done:
        snapshot.prune_parts()
    if now:
        tally = ask_authors(
            found, snapshot, which or [], model or [], beside or [], repeat, options
        )
    else:
        chosen, pool = pick(snapshot.every, which or []), make_pool(jobs, on, 1)
        with progress("cases", len(chosen)) as advance:
            try:
                tally = snapshot.judge(chosen, unused=not which, pool=pool, tell=advance)
            except CaseError as error:
                raise Stop(str(error)) from None
    tally.require(at_least, each_at_least)
    if output is not None:
        _write_table(output, tally)
    if output_format is CheckFormat.json:
        print(json.dumps(_data(tally, done), indent=2, ensure_ascii=False))
    elif output_format is CheckFormat.text:
        _print(tally, done, table=now or tally.has_authors_beside)
    else:
        print_findings(output_format, found.root, tally)
    return 1 if tally.findings else 0


def _write_table(output: Path, tally: Tally) -> None:
    if output.suffix == ".html":
        text = tally.rates.html("treec snapshot: as expected, by case and author")
    else:
        text = json.dumps(tally.rates.data(), indent=2, ensure_ascii=False) + "\n"
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise Stop(f"{output}: cannot be written: {reason(error)}") from None


def _data(tally: Tally, done: list[str]) -> dict[str, object]:
    return {
        "cases": tally.cases,
        "findings": [finding.data() for finding in tally.findings],
        "scores": {
            by: {"asked": score.asked, "as_expected": score.as_expected}
            for by, score in tally.scores.items()
        },
        "by_hand": tally.by_hand,
        "played": {
            author: {
                "played": score.asked,
                "as_expected": score.as_expected,
                "requests": score.answers,
                "tokens": score.tokens,
                "seconds": sum(score.seconds),
            }
            for author, score in tally.played.items()
        },
        "accepted_unlike": len(tally.accepted),
        "accepted_because": tally.accepted,
        "rates": tally.rates.data(),
        "done": done,
    }


def _print(tally: Tally, done: list[str], *, table: bool) -> None:
    for line in done:
        print(line)
    if done:
        print()
    for line in tally.lines():
        print(colorize(line) if wants_colour() else line)
    for by, score in sorted(tally.scores.items()):
        text = f"{by}: {score.as_expected} of {score.asked} decided as expected"
        print(text)
    for author, played in sorted(tally.played.items()):
        print(_played(author, played))
    if table:
        print()
        for line in lines_of(tally.rates.cells()):
            print(line.rstrip())
        print()
    if tally.accepted:
        number = len(tally.accepted)
        print(f"{number} decided otherwise than expected, and {_was(number)} accepted so:")
        for line in tally.reasons():
            print(f"  {line}")
    if tally.by_hand:
        print(f"{tally.by_hand} written by hand, in no score")
    print(summary(tally))


def _played(author: str, score: AuthorRate) -> str:
    text = f"{author}: {score.as_expected} of {score.asked} played as expected"
    if not score.answers:
        return text
    seconds = sum(score.seconds)
    return f"{text} ({score.answers} requests, {score.tokens} tokens, {seconds:.1f} s)"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def summary(tally: Tally) -> str:
    """How many cases, and what was found, on one line."""
    cases = f"{tally.cases} case{'' if tally.cases == 1 else 's'}"
    if not tally.findings:
        return f"{cases}: nothing differs"
    counts = dict.fromkeys(finding.kind for finding in tally.findings)
    counted = (f"{len(tally.of([kind]))} {kind}" for kind in counts)
    return f"{cases}: {', '.join(counted)}"


def colorize(line: str) -> str:
    """A line of a finding in a terminal's colours."""
    stripped = line.lstrip()
    if stripped.startswith("- "):
        return f"{_RED}{line}{_PLAIN}"
    if stripped.startswith("+ "):
        return f"{_GREEN}{line}{_PLAIN}"
    return line if line.startswith(" ") else f"{_BOLD}{line}{_PLAIN}"
