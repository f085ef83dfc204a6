"""Records test cases, and accepts their decisions, for ``treec snapshot``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.cli.model_options import open_chosen
from treec.world.spec import ModelOptions
from treec_testing.cli.open_snapshot import pick

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.files.library import Library
    from treec_testing.decisions.cases import DecisionCase
    from treec_testing.decisions.snapshot import Snapshot
    from treec_testing.decisions.system_cases import SystemCase

AT_ONCE = 4
"""Concurrent requests."""


def record_cases(
    snapshot: Snapshot,
    library: Library,
    which: list[str] | None,
    refresh: list[str],
    options: ModelOptions,
    answer: Path | None,
    repeat: int,
) -> list[str]:
    """Record cases; returns a line for each. Raises Stop.

    These are those of ``which`` that have no recording (None: none of them), and those to refresh.
    What is named, or asked for several times, has a recording of the model beside its first one.
    """
    cases = _select_cases(snapshot, which, refresh, options.model, repeat)
    done = _record_nodes(snapshot, library, cases, options, answer)
    return done + _record_systems(snapshot, which or [], refresh, options)


def _select_cases(
    snapshot: Snapshot,
    which: list[str] | None,
    refresh: list[str],
    model: str | None,
    repeat: int,
) -> list[DecisionCase]:
    """The cases of nodes to record."""
    from treec_testing.decisions.authors import author_beside, author_name, sample_ids
    from treec_testing.decisions.cases import DecisionCase

    author = None if model is None else author_name(model)
    chosen = pick(snapshot.every, refresh) if refresh else []
    chosen = [case for case in chosen if author_beside(case.id) in (None, author)]
    if which is not None:
        known = {*snapshot.recordings, *snapshot.broken}
        for case in pick(snapshot.every, which):
            if not isinstance(case, DecisionCase) or author_beside(case.id) is not None:
                continue
            ids = [case.id]
            if author is not None and (which or repeat > 1):
                first = snapshot.recordings.get(case.id)
                ids = sample_ids(case, None if first is None else first.by, author, repeat)
            chosen += [replace(case, id=id) for id in ids if id not in known]
    return list({case.id: case for case in chosen if isinstance(case, DecisionCase)}.values())


def _record_nodes(
    snapshot: Snapshot,
    library: Library,
    cases: list[DecisionCase],
    options: ModelOptions,
    answer: Path | None,
) -> list[str]:
    """Record cases of nodes; returns a line for each."""
    if answer is not None:
        return _record_at_once(snapshot, cases, _answer_transport(answer, cases))
    opened = open_chosen(library.root, None, options)
    if opened is None:
        return _record_at_once(snapshot, cases)
    import asyncio

    return asyncio.run(_record_all(snapshot, cases, opened.transport))


def _answer_transport(file: Path, cases: list[DecisionCase]) -> Transport:
    """The transport of a person's answer to one case. Raises Stop."""
    from treec.ask.transport import ScriptedTransport
    from treec.source.yaml import read_file
    from treec_testing.recordings.recording import HAND

    if len(cases) != 1:
        names = ", ".join(case.id for case in cases[:4]) or "none"
        more = " …" * (len(cases) > 4)
        raise Stop(f"--answer is for one case of a node: specify it (chosen: {names}{more})")
    source, problems = read_file(file, str(file))
    if source is None:
        raise Stop(f"{file}: {problems[0].message}")
    return ScriptedTransport({cases[0].entry.name: [source.text]}, by=HAND)


def _record_at_once(
    snapshot: Snapshot, cases: list[DecisionCase], transport: Transport | None = None
) -> list[str]:
    """Record what a transport that answers at once says, else the nodes' own rules.

    An answer that a person wrote is given again instead of those: rules must not replace it.
    """
    from treec.ask.transport import ScriptedTransport
    from treec_testing.decisions.record_case import CannotRecord, record
    from treec_testing.decisions.request_queue import run_sync
    from treec_testing.recordings.recording import HAND

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

    from treec_testing.decisions.record_case import CannotRecord, record
    from treec_testing.recordings.recording import RecordingError

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


def _record_systems(
    snapshot: Snapshot, which: list[str], refresh: list[str], options: ModelOptions
) -> list[str]:
    """Play cases of whole systems with the model and keep its answers; returns a line for each.

    These are those named by ``which`` that it has not answered, and those to refresh that it has.
    Raises Stop.
    """
    from treec_testing.decisions.authors import author_name
    from treec_testing.decisions.system_cases import SystemCase

    named = pick(snapshot.every, which) if which else []
    again = pick(snapshot.every, refresh) if refresh else []
    played = [case for case in again if isinstance(case, SystemCase) and case.by_model]
    if options.model is None:
        return [f"{case.id} was answered by a model: specify one with --model" for case in played]
    author = author_name(options.model)
    known = {case.id for case in snapshot.systems}
    fresh = [case.by(author) for case in named if isinstance(case, SystemCase)]
    chosen = [case for case in played if case.author == author]
    chosen += [case for case in fresh if case.id not in known]
    return [_record_system(snapshot, one, options) for one in {c.id: c for c in chosen}.values()]


def _record_system(snapshot: Snapshot, case: SystemCase, options: ModelOptions) -> str:
    """Play a case with the model and keep its answers; returns a line. Raises Stop."""
    from treec_testing.decisions.cases import CaseError
    from treec_testing.decisions.system_cases import record
    from treec_testing.recordings.recording import RecordingError

    opened = open_chosen(snapshot.root, case.view.system.model, options)  # type: ignore[union-attr]
    assert opened is not None
    try:
        answers = record(case, opened.name, opened.transport)
        snapshot.save_answers(case, answers)
    except (CaseError, RecordingError) as error:
        raise Stop(str(error)) from None
    return f"recorded {case.id} ({len(answers)} answers)"


def accept_cases(snapshot: Snapshot, ids: list[str], because: str) -> list[str]:
    """Accept the decisions that cases make now; returns a line for each. Raises Stop."""
    from treec_testing.decisions.cases import DecisionCase
    from treec_testing.decisions.record_case import CannotAccept, accept
    from treec_testing.recordings.recording import RecordingError

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
