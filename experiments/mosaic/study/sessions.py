"""Sessions of a study with people: what is left, and the conversation of one as a run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.run.folder import JOURNAL
from treec.run.run_status import RunStatus, status_of
from treec.world.spec import ModelOptions, RunSpec

if TYPE_CHECKING:
    from experiments.mosaic.study.assignment import StudySession
    from experiments.mosaic.study.folder import StudyFolder
    from treec.cli.display import RunDisplay
    from treec.files.library import Library


def sessions_left(folder: StudyFolder, participant: int | None) -> list[StudySession]:
    """The sessions without answers of a participant, or of the first who is not at them elsewhere.

    Raises Stop.
    """
    study = folder.study
    if participant is not None and participant > study.participants:
        raise Stop(f"the study has {study.participants} participants, no number {participant}")
    left = folder.open_sessions()
    if participant is None and left:
        busy = {one.participant for one in left if folder.is_held(one)}
        free = [one.participant for one in left if one.participant not in busy]
        if not free:
            raise Stop("all sessions that are left are going on")
        participant = free[0]
    return [one for one in left if one.participant == participant]


def count_sessions(folder: StudyFolder, participant: int) -> int:
    """How many conversations a participant has in all."""
    return sum(1 for one in folder.record.sessions if one.participant == participant)


def status_of_session(folder: StudyFolder, session: StudySession) -> RunStatus | None:
    """What has become of its run; None if it is to be begun. Raises Stop.

    A run of which nothing is recorded is kept under another name.
    """
    journal = folder.of(session) / JOURNAL
    status = status_of(journal) if journal.is_file() else None
    if status is not None and status.state == "running":
        raise Stop(f"the session {session.folder} is going on: {status.holder}")
    if folder.of(session).exists() and (status is None or not status.begun):
        set_aside(folder, session)
        return None
    return status


def set_aside(folder: StudyFolder, session: StudySession) -> None:
    """Rename the folder of a session that was broken off, and say so."""
    broken, number = folder.of(session), 1
    while (aside := broken.with_name(f"{broken.name}.broken-{number}")).exists():
        number += 1
    broken.rename(aside)
    print(f"treec: {broken.name} was broken off: kept as {aside.name}, run anew", file=sys.stderr)


def talk(
    library: Library,
    folder: StudyFolder,
    session: StudySession,
    speed: float | None,
    options: ModelOptions,
    *,
    resume: bool,
    show: Callable[[bool], RunDisplay] | None = None,
) -> None:
    """The conversation, as `treec run --chat` has it, without what tells planners apart.

    ``show`` makes another display than that of the terminal. Raises Stop.
    """
    from treec.cli.session import Session

    path = folder.of(session)
    spec = RunSpec(chat=True, speed=speed, **vars(options))
    if not resume:
        path.mkdir()
        seed = random.Random(f"{folder.study.seed} {session.participant}").randrange(2**31)
        spec = replace(spec, system=session.system, seed=seed)
    where = Session(library, spec, folder=path, resume=path if resume else None)
    where.run(blind=True, show=show)
