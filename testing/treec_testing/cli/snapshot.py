"""``treec snapshot``: answer or play every test case and show what differs."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import (
    FormatOption,
    LibraryOption,
    OutputFormat,
    Stop,
    open_library,
    wants_colour,
)
from treec.cli.spec_options import takes
from treec.world.spec import ModelOptions
from treec_testing.cli.open_snapshot import open_snapshot, pick
from treec_testing.cli.record_cases import accept_cases, record_cases

if TYPE_CHECKING:
    from treec_testing.decisions.findings import PlayScore, Tally

_RED, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


@takes(ModelOptions, "model", "api_base", "max_cost", "max_tokens", "model_settings")
def command(
    options: ModelOptions,
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHICH]...",
            help="Cases, such as Execution, 'Execution/a-*' or prompts/talk (default: all).",
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
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Answer every test case from its recording. Exit status 0 if nothing differs, 1 otherwise.

    Cases of whole systems are played by the files' own rules, and by all answers that are kept. New
    recordings are answered by --model, or without it by the nodes' own rules (by: offline).
    """
    if answer is not None and (options.model is not None or not (record or refresh)):
        raise Stop("--answer needs --record or --refresh CASE, and excludes --model")
    if because and not accept:
        raise Stop("--because needs --accept CASE")
    if options.model is not None and not (record or refresh):
        raise Stop("--model needs --record or --refresh CASE")
    found = open_library(library)
    snapshot = open_snapshot(found)
    options = replace(options, offline=options.model is None)
    done: list[str] = []
    if record or refresh:
        missing = (which or []) if record else None
        done += record_cases(snapshot, found, missing, refresh or [], options, answer)
    if accept:
        done += accept_cases(snapshot, accept, because)
    if prune:
        done += snapshot.prune()
    elif done:
        snapshot.prune_parts()
    chosen = pick(snapshot.every, which or [])
    tally = snapshot.judge(chosen, unused=not which)
    if output_format is OutputFormat.json:
        print(json.dumps(_data(tally, done), indent=2, ensure_ascii=False))
    else:
        _print(tally, done)
    return 1 if tally.findings else 0


def _data(tally: Tally, done: list[str]) -> dict[str, object]:
    return {
        "cases": tally.cases,
        "findings": [finding.data() for finding in tally.findings],
        "scores": {
            by: {"asked": score.asked, "as_expected": score.as_expected}
            for by, score in sorted(tally.scores.items())
        },
        "by_hand": tally.by_hand,
        "played": {author: asdict(score) for author, score in sorted(tally.played.items())},
        "accepted_unlike": len(tally.accepted),
        "accepted_because": tally.accepted,
        "done": done,
    }


def _print(tally: Tally, done: list[str]) -> None:
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
    if tally.accepted:
        number = len(tally.accepted)
        print(f"{number} decided otherwise than expected, and {_was(number)} accepted so:")
        for line in tally.reasons():
            print(f"  {line}")
    if tally.by_hand:
        print(f"{tally.by_hand} written by hand, in no score")
    print(summary(tally))


def _played(author: str, score: PlayScore) -> str:
    text = f"{author}: {score.as_expected} of {score.played} played as expected"
    if not score.requests:
        return text
    return f"{text} ({score.requests} requests, {score.tokens} tokens, {score.seconds:.1f} s)"


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
