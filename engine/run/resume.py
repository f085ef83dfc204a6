"""Taking up a run that broke off: the journal's world, a fresh tree, and what was lost between.

A skill that was in flight is recorded as lost, and the facts it touched are unknown. The subtask
it was part of has failed, like any other whose skill fails: nobody has it, and it is proposed
again, so that no robot moves before the user agrees. What was stopped stays stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.nodes.faults import FaultPlan
from treec.world.journal import Record, events, read_journal

if TYPE_CHECKING:
    from treec.run.run import Run

LOST = "lost when the run broke off"


class CannotResume(Exception):
    """There is no journal, or its run ended in order."""


def read_run(journal: Path) -> tuple[Record, ...]:
    """The records of a run that broke off. Raises CannotResume and JournalError."""
    if not journal.is_file():
        raise CannotResume(f"there is no journal in {journal.parent}")
    records = tuple(read_journal(journal))
    if not records:
        raise CannotResume(f"{journal} is empty: nothing had happened")
    if records[-1].kind == "run.end":
        reason = records[-1].data.get("reason")
        raise CannotResume(f"that run ended in order ({reason}): there is nothing to take up")
    return records


def replay_faults(plan: FaultPlan, records: Sequence[Record]) -> int:
    """Bring the faults to where they were; how many skills had been started."""
    started = [e for record in records for e in events(record) if e.kind == "skill.started"]
    for event in started:
        args: Any = event.data["args"]
        plan.hit(str(event.data["skill"]), {"agent": event.data["agent"], **args})
    return len(started)


def take_up(run: Run, records: Sequence[Record]) -> None:
    """Say in the journal what the break cost, as one record."""
    told: list[tuple[str, Mapping[str, object]]] = []
    for event in _in_flight(records):
        data = {key: event.data[key] for key in ("id", "skill", "agent", "args")}
        told.append(("skill.ended", {**data, "ok": False, "lost": True, "reason": LOST}))
        touched: Any = event.data.get("touches", ())
        told.extend(("fact.unknown", {"fact": t[0], "args": t[1:]}) for t in touched)
    for agent in run.team.agents:
        if agent.current is not None and not agent.person:
            lost = {"subtask": agent.current.id, "agent": agent.name, "reason": LOST}
            told.append(("subtask.failed", lost))
    run.world.commit("resume", {"for": "resume"}, told)
    run.happenings.catch_up(records)
    if run.user is not None:
        run.user.catch_up([u.text for u in run.team.chat if u.who in run.knowledge.people])


def _in_flight(records: Sequence[Record]) -> list[Record]:
    open_: dict[object, Record] = {}
    for record in records:
        for event in events(record):
            if event.kind == "skill.started":
                open_[event.data["id"]] = event
            elif event.kind == "skill.ended":
                open_.pop(event.data.get("id"), None)
    return list(open_.values())
