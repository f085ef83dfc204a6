"""From actions to one journal record: judged as a whole, then committed, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from treec.nodes.goals import told_facts
from treec.nodes.observation import plain
from treec.nodes.runtime import Runtime
from treec.source.scope import MappingScope, Scope
from treec.source.template import Template
from treec.team.actions import Call, Event
from treec.team.contracts import Broken, judge_all
from treec.team.team import Team
from treec.world.world import Refused

_PLAIN = {
    "propose": "{{ 'Would you' if agent.person else 'Shall ' ~ agent }} {{ subtask.words }}?",
    "assign": (
        "{{ 'You' if agent.person else agent }} will "
        "{{ subtasks | map(attribute='words') | join(' and ') }}."
    ),
    "interrupt": "{{ agent }} has stopped.",
    "resume": "{{ agent }} goes on.",
}
"""What is said of an action whose file has no text of its own for it; '' there says nothing."""

_NUMBERED = {"said": ("utterance", "u"), "proposed": ("proposal", "p")}


def numbered(team: Team, events: Iterable[Event]) -> list[Event]:
    """The events with ids for what is said and proposed, counted from the world's."""
    counts = dict(team.world.state["counts"])  # type: ignore[call-overload]
    found: list[Event] = []
    for kind, data in events:
        if kind in _NUMBERED and "id" not in data:
            what, letter = _NUMBERED[kind]
            counts[what] = counts.get(what, 0) + 1
            data = {"id": f"{letter}{counts[what]}", **data}
        found.append((kind, data))
    return found


def _plain_text(action: str) -> Template | None:
    return Template.parse(_PLAIN[action]) if action in _PLAIN else None


def acknowledgement(texts: Mapping[str, Template], calls: Sequence[Call], scope: Scope) -> str:
    """What is said of the calls that are committed: each one's text, one after the other."""
    said = [
        text.render(MappingScope(call.args, parent=scope)).strip()
        for call in calls
        if (text := texts.get(call.action.name) or _plain_text(call.action.name))
    ]
    return " ".join(text for text in dict.fromkeys(said) if text)  # asked twice, said once


def commit(
    runtime: Runtime,
    path: str,
    name: str,
    by: str,
    calls: Sequence[Call],
    *,
    scope: Scope,
    settles: Sequence[str] = (),
    acknowledge: Mapping[str, Template],
) -> list[Broken]:
    """Judge the calls and commit them as one record; returns what contracts have against them.

    ``settles`` are the ids of the acts that the answer deals with. Raises Refused when an action
    cannot be. Nothing has happened then, nor when a contract is broken.
    """
    team = runtime.team
    settled = [act for act in team.now.acts if act.id in set(settles)]
    broken = judge_all(runtime.contracts, calls, scope, settled)
    if broken:
        return broken
    events: list[Event] = []
    for call in calls:
        events.extend(call.action.run(team, **call.args))
    events = _once(events)
    added = {str(event[1]["id"]): event for event in events if event[0] == "subtask.added"}
    for kind, happened in tuple(events):
        if kind == "subtask.done":
            events.extend(told_facts(runtime, str(happened["subtask"]), added))
    said = acknowledgement(acknowledge, calls, scope)
    if said:
        events.append(("said", {"who": "assistant", "text": said}))
    if settled:
        events.append(("acts.settled", {"acts": [act.id for act in settled]}))
    if not events:
        return []
    told = [{"action": call.action.name, "args": plain(_given(call), 1)} for call in calls]
    data = {"for": "action", "node": path, "name": name, "by": by, "actions": told}
    runtime.world.commit(path, data, numbered(team, events))
    return []


def _given(call: Call) -> dict[str, object]:
    return {name: value for name, value in call.args.items() if value is not None}


def _once(events: Sequence[Event]) -> list[Event]:
    """A subtask that two actions of one answer bring into being is added once."""
    added: set[object] = set()
    found: list[Event] = []
    for kind, data in events:
        if kind == "subtask.added":
            if data["id"] in added:
                continue
            added.add(data["id"])
        found.append((kind, data))
    return found


def check_disjoint(calls: Sequence[Call]) -> None:
    """Raise Refused when one answer gives the same subtask to two agents."""
    given: dict[str, str] = {}
    for call in calls:
        if call.action.name != "assign":
            continue
        agent = str(call.args["agent"])
        for subtask in call.args["subtasks"]:  # type: ignore[attr-defined]
            other = given.setdefault(str(subtask), agent)
            if other != agent:
                raise Refused(f"'{subtask}' is given to {other} and to {agent}")
