"""``treec snapshot``: answer or play every test case and show what differs."""

from __future__ import annotations

import json
import sys
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

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.decisions.cases import DecisionCase
    from treec.decisions.findings import PlayScore, Tally
    from treec.decisions.snapshot import AnyCase, Snapshot
    from treec.decisions.system_cases import SystemCase
    from treec.files.library import Library

AT_ONCE = 4
"""Concurrent requests."""

_RED, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


@takes(ModelOptions, "model", "api_base", "max_cost", "max_tokens")
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
        cases = _select_cases(snapshot, which or [], record, refresh or [])
        done += _record(snapshot, found, cases, options, answer)
        done += _record_systems(snapshot, (which or []) * record, refresh or [], options)
    if accept:
        done += _accept(snapshot, accept, because)
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


def open_snapshot(library: Library) -> Snapshot:
    """The library's cases and recordings. Raises Stop."""
    from treec.decisions.cases import CaseError
    from treec.decisions.snapshot import Snapshot

    check(library)
    try:
        return Snapshot.open(library)
    except CaseError as error:
        raise Stop(str(error)) from None


def check(library: Library) -> None:
    """Raise Stop if the library has errors."""
    from treec.check import check_library
    from treec.source.diagnostics import format_summary, format_text

    errors = [d for d in check_library(library) if d.severity == "error"]
    if errors:
        print(format_text(errors, library.sources, colour=wants_colour()), file=sys.stderr)
        raise Stop(f"the library has errors: {format_summary(errors)}")


def pick(cases: list[AnyCase], ids: list[str]) -> list[AnyCase]:
    """The cases that match the words. Raises Stop for a word that matches none."""
    from treec.decisions.cases import select_cases
    from treec.source.diagnostics import did_you_mean

    for word in ids:
        if not select_cases(cases, [word]):
            near = did_you_mean(word, [name for case in cases for name in _names(case)])
            hint = f"did you mean '{near}'?" if near else "'treec case list' shows all"
            raise Stop(f"unknown case '{word}'; {hint}")
    return select_cases(cases, ids)


def _names(case: AnyCase) -> tuple[str, ...]:
    return case.id, case.id.rpartition("/")[0]


def _select_cases(
    snapshot: Snapshot, which: list[str], missing: bool, refresh: list[str]
) -> list[DecisionCase]:
    """The cases to record: those without a recording if ``missing``, and those to refresh."""
    from treec.decisions.cases import DecisionCase

    chosen = pick(snapshot.every, refresh) if refresh else []
    if missing:
        known = {*snapshot.recordings, *snapshot.broken}
        chosen += [case for case in pick(snapshot.every, which) if case.id not in known]
    return list({case.id: case for case in chosen if isinstance(case, DecisionCase)}.values())


def _record_systems(
    snapshot: Snapshot, which: list[str], refresh: list[str], options: ModelOptions
) -> list[str]:
    """Play cases of whole systems with the model and keep its answers; returns a line for each.

    These are those named by ``which`` that it has not answered, and those to refresh that it has.
    Raises Stop.
    """
    from treec.decisions.system_cases import SystemCase, author_name

    named = pick(snapshot.every, which) if which else []
    again = pick(snapshot.every, refresh) if refresh else []
    played = [case for case in again if isinstance(case, SystemCase) and case.by_model]
    if options.model is None:
        return [f"{case.id} was answered by a model: name one with --model" for case in played]
    author = author_name(options.model)
    known = {case.id for case in snapshot.systems}
    fresh = [case.by(author) for case in named if isinstance(case, SystemCase)]
    chosen = [case for case in played if case.author == author]
    chosen += [case for case in fresh if case.id not in known]
    return [_record_system(snapshot, one, options) for one in {c.id: c for c in chosen}.values()]


def _record_system(snapshot: Snapshot, case: SystemCase, options: ModelOptions) -> str:
    """Play a case with the model and keep its answers; returns a line. Raises Stop."""
    from treec.ask.recordings import RecordingError
    from treec.cli.model_options import open_chosen
    from treec.decisions.cases import CaseError
    from treec.decisions.system_cases import record

    opened = open_chosen(snapshot.root, case.view.system.model, options)  # type: ignore[union-attr]
    assert opened is not None
    try:
        answers = record(case, opened[0].name, opened[1])
        snapshot.save_answers(case, answers)
    except (CaseError, RecordingError) as error:
        raise Stop(str(error)) from None
    return f"recorded {case.id} ({len(answers)} answers)"


def _record(
    snapshot: Snapshot,
    library: Library,
    cases: list[DecisionCase],
    options: ModelOptions,
    answer: Path | None,
) -> list[str]:
    """Record cases; returns a line for each."""
    if answer is not None:
        return _record_at_once(snapshot, cases, _answer_transport(answer, cases))
    transport = _transport(library, options)
    if transport is None:
        return _record_at_once(snapshot, cases)
    import asyncio

    return asyncio.run(_record_all(snapshot, cases, transport))


def _answer_transport(file: Path, cases: list[DecisionCase]) -> Transport:
    """The transport of a person's answer to one case. Raises Stop."""
    from treec.ask.recordings import HAND
    from treec.ask.transport import ScriptedTransport
    from treec.source.yaml import read_file

    if len(cases) != 1:
        names = ", ".join(case.id for case in cases[:4]) or "none"
        more = " …" * (len(cases) > 4)
        raise Stop(f"--answer is for one case of a node: name it (chosen: {names}{more})")
    source, problems = read_file(file, str(file))
    if source is None:
        raise Stop(f"{file}: {problems[0].message}")
    return ScriptedTransport({cases[0].entry.name: [source.text]}, by=HAND)


def _transport(library: Library, options: ModelOptions) -> Transport | None:
    from treec.cli.model_options import open_chosen

    opened = open_chosen(library.root, None, options)
    return None if opened is None else opened[1]


def _record_at_once(
    snapshot: Snapshot, cases: list[DecisionCase], transport: Transport | None = None
) -> list[str]:
    """Record what a transport that answers at once says, else the nodes' own rules.

    An answer that a person wrote is given again instead of those: rules must not replace it.
    """
    from treec.ask.recordings import HAND
    from treec.ask.transport import ScriptedTransport
    from treec.decisions.record_case import CannotRecord, record
    from treec.decisions.request_queue import run_sync

    done = []
    for case in cases:
        before = snapshot.recordings.get(case.id)
        who = transport
        if who is None and before is not None and before.by == HAND:
            who = ScriptedTransport({case.entry.name: [before.attempts[-1].answer]}, by=HAND)
        try:
            fresh = run_sync(record(case, who, before))
        except CannotRecord as error:
            done.append(str(error))
            continue
        snapshot.save(case.id, fresh)
        done.append(f"recorded {case.id} (by: {fresh.by})")
    return done


async def _record_all(
    snapshot: Snapshot, cases: list[DecisionCase], transport: Transport
) -> list[str]:
    import asyncio

    from treec.ask.recordings import RecordingError
    from treec.decisions.record_case import CannotRecord, record

    gate = asyncio.Semaphore(AT_ONCE)
    ended = 0

    async def one(case: DecisionCase) -> str:
        nonlocal ended
        async with gate:
            try:
                fresh = await record(case, transport, snapshot.recordings.get(case.id))
                snapshot.save(case.id, fresh)
                message = f"recorded {case.id} (by: {fresh.by})"
            except (CannotRecord, RecordingError) as error:
                message = str(error)
        ended += 1
        if sys.stderr.isatty():
            print(f"\r{ended} of {len(cases)} asked", end="", file=sys.stderr, flush=True)
        return message

    message = await asyncio.gather(*(one(case) for case in cases))
    if sys.stderr.isatty() and cases:
        print(file=sys.stderr)
    return list(message)


def _accept(snapshot: Snapshot, ids: list[str], because: str) -> list[str]:
    from treec.ask.recordings import RecordingError
    from treec.decisions.cases import DecisionCase
    from treec.decisions.record_case import CannotAccept, accept

    done = []
    for case in pick(snapshot.every, ids):
        if not isinstance(case, DecisionCase):
            raise Stop(f"{case.id}: write why it fails under `fails` in {case.where}")
        judged = snapshot.judge_case(case)
        try:
            fresh = accept(judged, because)
            if fresh is not None:
                snapshot.save(case.id, fresh)
        except (CannotAccept, RecordingError) as error:
            raise Stop(str(error), 1) from None
        done.append(f"{'accepted' if fresh is not None else 'nothing to accept:'} {case.id}")
    return done


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
