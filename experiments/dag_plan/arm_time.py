"""What each arm spent a run's time on, from the journal: at work, and every cause of waiting.

Environments that move bodies say at the end of a skill what its arms spent the time on. Between
skills the state of the graph tells why an arm had nothing to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum

from treec.nodes.events import SkillEnded, SkillNoted, SkillStarted
from treec.run.state import RunState
from treec.team.state import FREE
from treec.world.events import flat
from treec.world.journal import Record

ArmTime = Mapping[str, Mapping[str, float]]
"""Arm → cause → seconds; the causes in the order of `TimeCause`."""

ACTIVITIES = "activities"
"""Key of a skill's note: agent → activity → seconds."""


class TimeCause(StrEnum):
    """What an arm's time goes into; those of a running skill have the names of activities."""

    WORKING = "working"
    DRIVING = "driving"
    BASE = "base"
    PASSING = "passing"
    PATH = "path"
    ROOM = "room"
    PERSON = "person"
    APPLIANCE = "appliance"
    FAILED = "failed"
    """Skills that failed or were cancelled, whatever the arm did meanwhile."""
    ORDER = "order"
    """Idle: all sub-tasks that this arm could do wait for others."""
    BESIDE = "beside"
    """Idle: there is a sub-task, but it is not to be done beside what the other arm does."""
    OUT = "out"
    """The arm has dropped out."""
    END = "end"
    """Idle: nothing is left to begin."""


MEANINGS: Mapping[TimeCause, str] = {
    TimeCause.WORKING: "at work on a sub-task",
    TimeCause.DRIVING: "the base drives to where it can work",
    TimeCause.BASE: "the base stands, or drives, for the other arm",
    TimeCause.PASSING: "the other arm is in its way",
    TimeCause.PATH: "no path while the other arm is at work",
    TimeCause.ROOM: "no room while the other arm puts something down",
    TimeCause.PERSON: "a person is in its way",
    TimeCause.APPLIANCE: "an appliance is not done",
    TimeCause.FAILED: "attempts that failed",
    TimeCause.ORDER: "idle: sub-tasks wait for others",
    TimeCause.BESIDE: "idle: nothing that may be done beside the other arm",
    TimeCause.OUT: "dropped out",
    TimeCause.END: "idle: nothing is left to begin",
}


def arm_time(records: Iterable[Record]) -> dict[str, dict[str, float]]:
    """Return each agent's seconds by cause; they add up to the length of the run.

    Without a skill's note all of its time counts as work.
    """
    state = RunState()
    spent: dict[str, defaultdict[str, float]] = {}
    began: dict[str, tuple[float, tuple[str, ...]]] = {}
    notes: dict[str, Mapping[str, Mapping[str, float]]] = {}
    for record in records:
        passed = record.t - state.t
        if passed > 0:
            busy = {agent for _, agents in began.values() for agent in agents}
            for agent in state.team:
                if agent not in busy:
                    cause = _why_idle(state, agent)
                    spent.setdefault(agent, defaultdict(float))[cause] += passed
        state.take(record)
        for event in flat(record.event):
            match event:
                case SkillStarted():
                    names = (event.agent, *map(str, event.args.values()))
                    agents = tuple(name for name in dict.fromkeys(names) if name in state.team)
                    began[event.id] = record.t, agents
                case SkillNoted(order, _, noted) if ACTIVITIES in noted:
                    notes[order] = noted[ACTIVITIES]
                case SkillEnded(id=id) if id in began:
                    since, agents = began.pop(id)
                    good = event.asked_again or (event.ok and not event.cancelled)
                    seconds = record.t - since
                    for agent in agents:
                        times = notes.get(id, {}).get(agent, {}) if good else {}
                        own = spent.setdefault(agent, defaultdict(float))
                        for activity, some in times.items():
                            own[activity] += some
                        rest = TimeCause.WORKING if good else TimeCause.FAILED
                        own[rest] += seconds - sum(times.values())
    for since, agents in began.values():  # the run broke off
        for agent in agents:
            spent.setdefault(agent, defaultdict(float))[TimeCause.WORKING] += state.t - since
    return {
        agent: {
            str(cause): round(spent[agent][cause], 3)
            for cause in TimeCause
            if spent[agent][cause] > 1e-6
        }
        for agent in state.team
        if agent in spent
    }


def _why_idle(state: RunState, agent: str) -> TimeCause:
    """Say why an agent has no skill running."""
    if state.team[agent].status == "Interrupted":
        return TimeCause.OUT
    left = {id: one for id, one in state.subtasks.items() if one.status in FREE}
    if not left:
        return TimeCause.END
    if any(state.ready(id) and _has_hands_for(state, agent, one.args) for id, one in left.items()):
        return TimeCause.BESIDE
    return TimeCause.ORDER


def _has_hands_for(state: RunState, agent: str, args: Mapping[str, object]) -> bool:
    """Whether an agent holds what a sub-task needs: nothing, or one of its things."""
    things = set(map(str, args.values()))
    held = {one: _held(state, one) for one in state.team}
    if held[agent] is not None:
        return held[agent] in things
    return not any(thing in things for one, thing in held.items() if one != agent)


def _held(state: RunState, agent: str) -> str | None:
    fact = state.facts.get(("holding", (agent,)))
    value = None if fact is None else fact.value
    return value if isinstance(value, str) and value != "none" else None
