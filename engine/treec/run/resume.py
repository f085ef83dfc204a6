"""Resume a run that was cut off: the world from its journal.

A running skill is recorded as lost. In the symbolic environment that is all: its facts are the
journal's, as after a skill that was cancelled. The robot goes on with its subtask where its nodes
are as they were (``node_memory``), else it goes back to the head of its queue. So it is in a
simulator that says of itself that it stands still (``stands_still``).
In any other environment the world has gone on without us: the facts that the skill touches become
unknown and its subtask fails like any other whose skill fails: it is proposed again, so that no
robot moves before the user agrees. Interrupted agents stay interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.events import SkillEnded, SkillStarted
from treec.nodes.faults import FaultPlan
from treec.run.condensed import LATE, WHOLE
from treec.run.events import Injected
from treec.run.injector import plan_injected
from treec.run.run_status import CUT_OFF
from treec.run.salvage import keep_sound, read_needed
from treec.run.state import RunState
from treec.team.events import AgentJoined, AgentRequeued, SubtaskFailed
from treec.world.check_sums import has_begun
from treec.world.events import Commit, Event, FactSet, FactUnknown, RunEnd
from treec.world.failures import LostInFlight
from treec.world.history import events_of, left_out_of
from treec.world.journal import NOT_BEGUN, Journal, Record, lock_journal

if TYPE_CHECKING:
    from treec.run.run import Run

LOST = str(LostInFlight())


class CannotResume(Exception):
    """There is no journal, or its run ended in order."""


@frozen(slots=False)
class OpenedRun:
    """The journal of a run to resume, locked, its records, and the state after them."""

    journal: Journal
    records: tuple[Record, ...]
    state: RunState


def open_run(path: Path, warn: Callable[[str], None]) -> OpenedRun:
    """Open the journal of a run that was cut off or stopped.

    A journal that is broken somewhere is cut there, after a copy of it was made beside it; ``warn``
    is called with what was wrong. Raises CannotResume and JournalError.
    """
    if not path.is_file():
        raise CannotResume(f"no journal in {path.parent}")
    lock = lock_journal(path)
    with ExitStack() as undo:
        undo.callback(lock.release)
        if not has_begun(path):
            raise CannotResume(f"{path.parent}: {NOT_BEGUN}; begin it again")
        sound = read_needed(path)
        last = sound.records[-1].event
        if isinstance(last, RunEnd) and last.reason not in CUT_OFF:
            raise CannotResume(f"that run has ended ({last.reason}): there is nothing to resume")
        if sound.problem is not None:
            copy = keep_sound(path, sound.records)
            warn(
                f"{sound.problem}\nthe run goes on after the {len(sound.records)} records before "
                f"it; the whole journal is kept as {copy.name}"
            )
        journal = Journal.resume(path, lock, sound.records[-1])
        undo.pop_all()
        return OpenedRun(journal, sound.records, sound.state)


def reread(
    journal: Path, records: tuple[Record, ...], state: RunState, view: View
) -> tuple[tuple[Record, ...], RunState]:
    """The records and the state after them, with all that contracts of the files look back at.

    Whether a condition has held is seen in records of after what it must follow.
    """
    promises = (entry.model.eventually for entry in view.all("contract").values())
    whole = LATE + max((it.within for it in promises if it is not None), default=0.0)
    if whole <= WHOLE or not left_out_of(records):
        return records, state
    sound = read_needed(journal, whole)
    return sound.records, sound.state


def replay_faults(plan: FaultPlan, records: Sequence[Record], view: View) -> int:
    """Advance the planned faults past the skills that ended; returns how many were started.

    A fault of a skill that was lost has not happened, and hits again; an order that ended to be
    asked again has handed its fault on. Those that were injected are planned when they were.
    """
    ends = (event for _, event in events_of(records, SkillEnded))
    ended = {e.id for e in ends if not e.lost and not e.asked_again}
    started = left_out_of(records).get((SkillStarted.kind, ""), 0)
    for record, event in events_of(records, Injected, SkillStarted):
        if isinstance(event, Injected):
            plan_injected(plan, record, view)
        if isinstance(event, SkillStarted):
            started += 1
            if event.id in ended:
                plan.hit(event.skill, {"agent": event.agent, **event.args})
    return started


def known_things(records: Sequence[Record]) -> set[str]:
    """The agents and things that a run has had."""
    known = {event.agent for _, event in events_of(records, AgentJoined)}
    known.update(*(event.args for _, event in events_of(records, FactSet)))
    return known.union(*(event.args for _, event in events_of(records, FactUnknown)))


def resume_run(
    run: Run,
    records: Sequence[Record],
    state: RunState,
    added: Sequence[Event],
    go_on: Container[str],
) -> None:
    """Record lost skills and what becomes of subtasks in one commit; skip what was scripted.

    ``state`` is that after the records, ``added`` are the events of agents and things that the
    files have in addition; robots in ``go_on`` keep their current subtask.
    """
    events: list[Event] = []
    for started in state.running_skills():
        about = (started.skill, started.agent, started.args)
        events.append(SkillEnded(*about, ok=False, id=started.id, lost=True, reason=LOST))
        if not run.runtime.stands_still(started.agent):
            events += [FactUnknown(fact, tuple(args)) for fact, *args in started.touches]
    for agent in run.team.agents:
        if agent.current is None or agent.person or agent.name in go_on:
            continue
        if run.runtime.stands_still(agent.name):
            events.append(AgentRequeued(agent.name))
        else:
            events.append(SubtaskFailed(agent.current.id, LOST, agent.name))
    events += added
    run.world.emit(Commit("resume", tuple(events), files=tuple(run.changed) or None), "resume")
    run.injector.catch_up(records)
    run.stop_button.recall(records)
    run.monitor.take_up()
    if run.user is not None:
        run.user.take_up()
