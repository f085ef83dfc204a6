"""Claims about the team's work, checked against the world and the actions of the same answer.

A model may word a reply freely, but its claims must be true; :mod:`treec_mosaic.claims` finds them
in English sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treec.team.entities import Agent, Subtask
from treec.team.state import FINISHED
from treec.team.team import Team
from treec.team.words import BoundTask


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim in a message: about which agent and work, in which words."""

    kind: str
    """`will` (do), `at` (doing), `can` (do), `did`, `done` (a subtask) or `stopped` (an agent)."""
    agent: str | None
    task: BoundTask | None
    subtask: str | None
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Promise:
    """Effects of an answer's actions: subtasks assigned and marked as done, agents stopped."""

    assigned: frozenset[tuple[str, str]] = frozenset()
    done: frozenset[str] = frozenset()
    stopped: frozenset[str] = frozenset()


def is_backed(team: Team, claim: Claim, promise: Promise) -> bool:
    """Whether a claim is true, or the same answer makes it true."""
    agent = team.agent(claim.agent) if claim.agent else None
    if claim.kind == "stopped":
        return agent is not None and (
            agent.status == "Interrupted" or agent.name in promise.stopped
        )
    if claim.kind == "done":
        found = team.now.subtasks.get(str(claim.subtask))
        return (found is not None and found.status == "done") or claim.subtask in promise.done
    if agent is None or claim.task is None:
        return False
    if claim.kind == "can":
        return team.knowledge.able(agent.name, claim.task.task)
    mine = [s for s in team.subtasks if _is(s, claim.task)]
    if claim.kind == "did":
        return any(s.status == "done" or s.id in promise.done for s in mine)
    if claim.kind == "at":
        return _is_at(agent, claim.task)
    return (
        any(s.agent == agent.name and s.status not in FINISHED for s in mine)
        or (agent.name, _key(claim.task)) in promise.assigned
    )


def _is(subtask: Subtask, task: BoundTask) -> bool:
    return subtask.task == task.task and all(
        subtask.args.get(name) == value for name, value in task.args.items()
    )


def _is_at(agent: Agent, task: BoundTask) -> bool:
    return agent.current is not None and _is(agent.current, task)


def _key(task: BoundTask) -> str:
    return f"{task.task} {sorted(task.args.items())}"


def promise_of(calls: Sequence[tuple[str, Mapping[str, object]]]) -> Promise:
    """The effects of an answer's actions, given by name and arguments."""
    assigned: set[tuple[str, str]] = set()
    done: set[str] = set()
    stopped: set[str] = set()
    for name, args in calls:
        subtasks = [s for s in _items(args.get("subtasks")) if isinstance(s, Subtask)]
        if name == "assign":
            for s in subtasks:
                bound = BoundTask(s.task or "", {k: str(v) for k, v in s.args.items()})
                assigned.add((str(args.get("agent")), _key(bound)))
        elif name == "mark_complete":
            done.update(s.id for s in subtasks)
        elif name == "interrupt":
            stopped.add(str(args.get("agent")))
    return Promise(frozenset(assigned), frozenset(done), frozenset(stopped))


def _items(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()
