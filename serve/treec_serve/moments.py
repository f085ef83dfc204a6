"""A moment of a run as JSON data: all that the page draws."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treec.nodes.events import Answered, AnswerRefused, Decided, PassedOn
from treec.render.kinds import drawing_of, kind_label
from treec.run.events import Injected, Ticked, TreeBegun
from treec.run.state import RunState, TickNode
from treec.run.timeline import timeline_of
from treec.team.state import FINISHED, SubtaskState
from treec.world.events import Event, FactForget, FactSet, FactUnknown, flat
from treec.world.facts import Evidence, FactKey, FactValue
from treec.world.journal import Record
from treec.world.values import freeze, thaw

MARKS = {"INVALID": ".", "RUNNING": "R", "SUCCESS": "S", "FAILURE": "F"}
"""The letter of each status."""


def team_data(state: RunState) -> dict[str, object]:
    """What was said, and who has, does and has done which subtask."""
    words = {id: one.words for id, one in state.subtasks.items()}
    agents: dict[str, object] = {}
    for name, work in state.agents.items():
        own = [one for one in state.subtasks.values() if name in (one.agent, *one.helpers)]
        agents[name] = {
            "person": state.team[name].person,
            "stopped": work.stopped,
            "unconfirmed": state.unconfirmed.get(name, ""),
            "steps": list(work.steps),
            "current": words.get(work.subtask, ""),
            "since": work.since if work.subtask else None,
            "queue": [words[id] for id in work.queue if id in words and id != work.subtask],
            "done": [one.words for one in own if one.status == "done"],
            "failed": [one.words for one in own if one.status == "failed"],
        }
    return {
        "talk": [{"who": said.who, "text": said.text, "t": said.t} for said in state.talk.values()],
        "agents": agents,
        "recipe": state.recipe,
        "subtasks": [_subtask(state, id, one) for id, one in state.subtasks.items()],
    }


def _subtask(state: RunState, id: str, one: SubtaskState) -> dict[str, object]:
    waits_for = [
        state.subtasks[other].words
        for other in (*one.after, *one.after_any)
        if other in state.subtasks and state.subtasks[other].status not in FINISHED
    ]
    return {
        "id": id,
        "words": one.words,
        "status": one.status,
        "agent": one.agent,
        "reason": one.reason,
        "ready": state.ready(id),
        "waits_for": waits_for,
    }


def tree_data(nodes: Sequence[TickNode]) -> list[dict[str, object]]:
    """The nodes of a tree, parents before children."""
    return [
        {"path": one.path, "kind": one.kind, "depth": one.depth, "modifier": one.modifier}
        for one in nodes
    ]


def drawings_data(kinds: Iterable[str]) -> dict[str, dict[str, object]]:
    """How kinds of nodes are drawn: group, icon, whether that is filled, the name in words."""
    return {
        kind: {
            "group": drawing_of(kind).group,
            "icon": drawing_of(kind).icon,
            "filled": drawing_of(kind).filled,
            "words": kind_label(kind),
        }
        for kind in kinds
    }


def history_data(records: Iterable[Record], path: str) -> list[dict[str, object]]:
    """The statuses that a node had, the first first: since which tick and time, in seconds."""
    number = -1
    found: list[dict[str, object]] = []
    for record in records:
        match record.event:
            case TreeBegun(nodes):
                number = next((i for i, one in enumerate(nodes) if one.path == path), -1)
            case Ticked(tick, to):
                for status, numbers in to.items():
                    if number in numbers:
                        found.append({"t": record.t, "tick": tick, "status": status})
    return found


def faults_data(
    faults: Iterable[tuple[Record, Sequence[ChangedFact]]], state: RunState
) -> list[dict[str, object]]:
    """The faults that were injected, the first first; ``problem``: why one had no effect.

    ``undo`` has the faults that take one back which stands still.
    """
    found: list[dict[str, object]] = []
    standing: dict[str, dict[str, object]] = {}  # by what takes it back
    known: set[str] = set()  # what takes facts back: it is not taken back itself
    for record, one, facts in _each(faults):
        standing.pop(one.fault, None)
        data = {"t": record.t, "fault": one.fault, "problem": one.problem, "by": record.by}
        undo = _contrary(one.fault)
        own = [] if one.fault in known else [fact.undo for fact in facts if fact.stands(state)]
        found.append({**data, "undo": own})
        known |= {fact.undo for fact in facts}
        if undo is not None and not one.problem:
            standing[undo] = found[-1]
    for undo, data in standing.items():
        data["undo"] = [undo]
    return found


def _each(
    faults: Iterable[tuple[Record, Sequence[ChangedFact]]],
) -> Iterator[tuple[Record, Injected, Sequence[ChangedFact]]]:
    for record, facts in faults:
        for one in flat(record.event):
            if isinstance(one, Injected):
                yield record, one, facts


def _contrary(fault: str) -> str | None:
    """The fault that takes another one back, if that does not depend on what was before."""
    word, _, rest = fault.partition(" ")
    name = rest.partition(":")[0].strip()
    match word:
        case "mock":
            return f"unmock {name.rpartition('=')[0].strip()}"
        case "out" | "lose":
            return f"back {name}"
        case "fail" | "take":
            return f"back {name.partition('(')[0].split()[0]}"
        case "model" if name != "back":
            return "model back"
    return None


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that somebody has injected: what it was, and what it became."""

    key: FactKey
    before: FactValue | None
    now: FactValue | None

    def stands(self, state: RunState) -> bool:
        """Whether nothing has changed it since."""
        return state.facts.get(self.key) == self.now

    @property
    def undo(self) -> str:
        """The fault that makes it what it was."""
        (name, args), before = self.key, self.before
        fact = f"{name}({', '.join(map(_term, args))})"
        if before is not None and before.source == "unknown":
            return f"unknown {fact}"
        value = None if before is None else before.value
        if isinstance(value, bool) or (value is None and self.now and self.now.value is True):
            return f"set {'' if value else 'not '}{fact}"
        return f"set {fact} == {'none' if value is None else json.dumps(thaw(freeze(value)))}"


def fact_keys(event: Event) -> tuple[FactKey, ...]:
    """The facts that an injected fault changes."""
    events = tuple(flat(event))
    if not any(isinstance(one, Injected) for one in events):
        return ()
    facts = (one for one in events if isinstance(one, FactSet | FactForget | FactUnknown))
    return tuple((one.fact, tuple(one.args)) for one in facts)


def _term(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def status_data(state: RunState) -> dict[str, object]:
    """The statuses of all nodes, a letter each, and what some of them are doing."""
    details = {str(n): text for n in range(len(state.nodes)) if (text := state.detail(n))}
    return {"statuses": "".join(MARKS[one] for one in state.statuses), "details": details}


def facts_data(state: RunState) -> list[dict[str, object]]:
    """The facts, and the state of the domain as facts without arguments."""
    facts: list[dict[str, object]] = [
        {
            "fact": name,
            "args": list(args),
            "value": "unknown" if fact.source == "unknown" else thaw(fact.value),
            **({"from": _rests_on(fact.evidence, fact.since)} if fact.evidence else {}),
        }
        for (name, args), fact in state.facts.items()
    ]
    variables = state.variables.items()
    return [*facts, *({"fact": n, "args": [], "value": thaw(freeze(v))} for n, v in variables)]


def _rests_on(evidence: Evidence, since: float) -> str:
    """What a sensor's fact rests on: 'table_near, ±5 mm, at 12.3 s, doubted from 132.3 s on'."""
    metres, lasts = evidence.uncertainty, evidence.lasts
    parts = [
        evidence.sensor,
        "" if metres is None else f"±{1000 * metres:.0f} mm",
        f"at {since:.1f} s",
        "" if lasts is None else f"doubted from {since + lasts:.1f} s on",
    ]
    return ", ".join(filter(None, parts))


def timeline_data(state: RunState) -> dict[str, object]:
    """Who worked on what from when to when, in seconds; ``scheduled`` is the last schedule."""
    times = timeline_of(state)
    scheduled: Iterable[Any] = times.schedules[-1][1].schedule.spans if times.schedules else ()
    return {
        "agents": times.agents,
        "end": times.end,
        "spans": [
            {
                "agent": span.agent,
                "words": span.words,
                "start": span.start,
                "end": span.end,
                "ended": span.ended,
                "reason": span.reason,
            }
            for span in times.spans
        ],
        "out": [{"agent": a, "start": start, "end": end} for a, start, end in times.out],
        "scheduled": [
            {
                "agent": agent,
                "words": times.words.get(span.subtask, span.subtask),
                "start": span.start,
                "end": span.end,
            }
            for span in scheduled
            for agent in span.agents
        ],
    }


def decision_data(record: Record, event: Event) -> Mapping[str, object]:
    """A decision, an answer, or why an answer was refused; ``n`` is its record."""
    data: dict[str, object] = {"n": record.n, "t": record.t}
    match event:
        case Decided():
            more = {"choose": event.choose, "by": event.who, "reasoning": event.reasoning}
            chances = {"probabilities": thaw(freeze(event.probabilities or {}))}
            return {**data, "node": event.node, "rule": event.rule, **more, **chances}
        case Answered():
            data |= {"node": event.node, "answer": event.text, "by": event.by}
            return {
                **data,
                "problem": event.refused or event.failed,
                "tries": len(event.tries or ()),
                "seconds": event.seconds,
            }
        case PassedOn():
            return {
                **data,
                "node": event.node,
                "by": event.by,
                "problem": f"passes on: {event.why}",
            }
        case AnswerRefused():
            return {**data, "node": event.node, "by": event.by, "problem": event.reason}
    raise TypeError(f"{event.kind} is not a decision")
