"""What people are told of a stop after a run was cut off while its robot still moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treec.nodes.events import AgentNotAtRest
from treec.nodes.runtime import Runtime
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec.team.events import AgentInterrupted, AgentResumed, Said
from treec.team.sentences import sentence
from treec.world.events import Commit, flat
from treec.world.journal import Record

INTERRUPT = "interrupt"
"""The action whose acknowledgement waits until the robot is at rest."""


def unsaid_stops(runtime: Runtime, records: Iterable[Record]) -> list[tuple[str, str, str]]:
    """Stops that were committed and not acknowledged when a run was cut off, since a robot moved.

    For each the agent, the acknowledgement, and the path of the node that stopped it.
    """
    unsaid: dict[str, tuple[str, str]] = {}
    for record in records:
        for event in flat(record.event):
            match event:
                case AgentResumed(agent) | AgentNotAtRest(agent):
                    unsaid.pop(agent, None)
                case Said("assistant", said):
                    unsaid = {
                        agent: (text, path)
                        for agent, (text, path) in unsaid.items()
                        if text not in said and not (record.by == path and agent in said)
                    }
        if isinstance(record.event, Commit) and record.event.purpose == "action":
            unsaid.update(_unsaid_in(runtime, record.event))
    return [(agent, text, path) for agent, (text, path) in unsaid.items()]


def _unsaid_in(runtime: Runtime, commit: Commit) -> Iterator[tuple[str, tuple[str, str]]]:
    said = " ".join(event.text for event in commit.events if isinstance(event, Said))
    stopped = {event.agent for event in commit.events if isinstance(event, AgentInterrupted)}
    entry = runtime.view.find("action", commit.name or "")
    own = entry.model.acknowledge if entry is not None else {}
    for taken in commit.actions or ():
        agent = taken.args.get("agent")
        if taken.action != INTERRUPT or not isinstance(agent, str) or agent not in stopped:
            continue
        template = TextTemplate.parse(own[INTERRUPT]) if INTERRUPT in own else None
        template = template or sentence(runtime.view, INTERRUPT)
        values = {name: runtime.team.agent(value) or value for name, value in taken.args.items()}
        scope = MappingScope(values, parent=runtime.scope)
        text = "" if template is None else template.render(scope).strip()
        if text and text not in said:
            yield agent, (text, commit.node or "resume")
