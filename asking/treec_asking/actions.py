"""The high-level actions of every domain, beside the core's `set_recipe`.

The check reads what actions take without what they do, so they import events themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from treec.team.actions import allowed_by

if TYPE_CHECKING:
    from treec.team.entities import Act, Agent, Proposal, Subtask
    from treec.team.team import Team
    from treec.world.events import Event


def say(
    team: Team, message: str, claims: list[Mapping[str, object]] | None = None
) -> Iterable[Event]:
    """Tell people something.

    Rules give the text, a model gives claims, which are said in treec's words: `message` is what
    they come to then.
    """
    from treec.team.events import Said

    text = " ".join(message.split())
    return [Said("assistant", text)] if text else []


def propose(team: Team, agent: Agent | None, subtask: Subtask) -> Iterable[Event]:
    """Ask the user whether an agent may do a subtask; it is not assigned before a yes.

    Without an agent, somebody who can is chosen.
    """
    from treec.team.events import Proposed
    from treec_asking.new_subtasks import add_missing

    assert agent is not None
    _must_be_able(team, agent, subtask)
    yield from add_missing(team, [subtask])
    yield Proposed(agent.name, subtask.id)


def propose_drop(team: Team, subtask: Subtask) -> Iterable[Event]:
    """Ask whether what waits for a dropped subtask shall be dropped; a no lets it go on without."""
    from treec.team.events import Proposed
    from treec.world.events import EventRefused

    if subtask.id not in {s.id for s in team.blocked}:
        raise EventRefused(f"'{subtask.id}' does not wait for a dropped subtask")
    agent = subtask.agent or min(team.knowledge.people, default="")
    yield Proposed(agent, subtask.id, drop=True)


@allowed_by("accept", "request")
def assign(
    team: Team,
    agent: Agent | None,
    subtasks: list[Subtask],
    first: bool = False,
    because: Act | Proposal | None = None,
) -> Iterable[Event]:
    """Give subtasks to an agent, at the end of its queue or first.

    Without an agent, somebody who can is chosen.
    """
    from treec.team.events import Assigned
    from treec_asking.new_subtasks import add_missing

    assert agent is not None
    for subtask in subtasks:
        _must_be_able(team, agent, subtask)
    yield from add_missing(team, subtasks)
    yield Assigned(agent.name, tuple(subtask.id for subtask in subtasks), first)


def _must_be_able(team: Team, agent: Agent, subtask: Subtask) -> None:
    from treec.world.events import EventRefused

    if not team.knowledge.able(agent.name, subtask.task):
        raise EventRefused(f"{agent.name} cannot {subtask.words}: it can {', '.join(agent.can)}")


@allowed_by("done")
def mark_complete(
    team: Team, subtasks: list[Subtask], because: Act | None = None
) -> Iterable[Event]:
    """Note that subtasks are done, because the user said so."""
    from treec.team.events import SubtaskDone
    from treec_asking.new_subtasks import add_missing

    yield from add_missing(team, subtasks)
    for subtask in subtasks:
        yield SubtaskDone(subtask.id)


@allowed_by("accept", "drop")
def drop(
    team: Team, subtasks: list[Subtask], because: Act | Proposal | None = None
) -> Iterable[Event]:
    """Take subtasks off the work: nobody does them, and they are not done."""
    from treec.team.events import SubtaskDropped

    yield SubtaskDropped(tuple(subtask.id for subtask in subtasks))


@allowed_by("release", "request")
def take_back(
    team: Team, subtasks: list[Subtask], to: Agent | None = None, because: Act | None = None
) -> Iterable[Event]:
    """Take subtasks from whoever has them and give them to whom the user named.

    Without `to` they wait, and can be proposed to somebody else.
    """
    from treec.team.events import Assigned, SubtaskReleased

    ids = tuple(subtask.id for subtask in subtasks)
    yield SubtaskReleased(ids)
    if to is not None:
        for subtask in subtasks:
            _must_be_able(team, to, subtask)
        yield Assigned(to.name, ids)


@allowed_by("stop")
def interrupt(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Stop a robot; its queue is held until the user agrees to go on."""
    from treec.team.events import AgentInterrupted

    yield AgentInterrupted(agent.name)


@allowed_by("resume")
def resume(team: Team, agent: Agent, because: Act | None = None) -> Iterable[Event]:
    """Let an interrupted robot go on with its queue."""
    from treec.team.events import AgentResumed

    yield AgentResumed(agent.name)


def no_op(team: Team) -> Iterable[Event]:
    """Do nothing."""
    return []
