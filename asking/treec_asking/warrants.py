"""Warrants: whether the reason that an action gives (`because`) allows just that action.

A reason is an act of the user, or a proposal that such an act accepts. It allows what it names and
nothing else: a yes the agent and the subtask of each proposal, a request its task and agent, a
report or a drop the subtasks in it, a stop or a resume the robot in it (all, if it names none). It
is used up by the action that it allows. Which kinds of acts are a reason is declared with the
action (:func:`treec.team.actions.allowed_by`); that it needs a reason at all is said by contracts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec.team.actions import allowed_by as allowed_by  # of here once: `treec check --fix`
from treec.team.entities import Act, Agent, Proposal, Subtask, Task

if TYPE_CHECKING:
    from treec.team.actions import ActionCall
    from treec.team.team import Team

Key = tuple[str, ...]


@dataclass
class Warrants:
    """The verdict on an answer's actions: refusals by position, and acts that are used up."""

    refusals: dict[int, str] = field(default_factory=dict)
    used_up: set[str] = field(default_factory=set)
    """Ids of acts of which nothing is left to be done."""


def check_warrants(team: Team, calls: Sequence[ActionCall]) -> Warrants:
    """Check every action that gives a reason; those that give none are left to the contracts."""
    found = Warrants()
    used: dict[Key, ActionCall] = {}
    for number, call in enumerate(calls):
        because = call.args.get("because")
        if not isinstance(because, Act | Proposal):
            continue
        try:
            keys = list(_allowed_parts(team, call, because))
        except _NotAllowed as error:
            found.refusals[number] = f"{call}: {error}."
            continue
        twice = next((key for key in keys if key in used), None)
        if twice is not None:
            found.refusals[number] = f"{call}: {because.id} is used up by {used[twice]}."
            continue
        used.update(dict.fromkeys(keys, call))
    found.used_up = {act.id for act in team.now.acts if _is_used_up(team, act, used)}
    return found


class _NotAllowed(Exception):
    """Why a reason does not allow an action, and what it would allow."""


def _allowed_parts(team: Team, call: ActionCall, because: Act | Proposal) -> Iterator[Key]:
    """Yield what the action uses of its reason. Raises _NotAllowed."""
    proposals: tuple[Proposal, ...] = ()
    if isinstance(because, Act):
        act = because
    else:
        proposals = (because,)
        yes = [a for a in team.now.acts if a.kind != "decline" and because in _proposals(a)]
        if not yes:
            raise _NotAllowed(f"{because.id} waits for an answer: the user has not agreed to it")
        act = yes[0]
    kinds = call.action.reasons
    if kinds and act.kind not in kinds:
        only = " or ".join(kinds)
        raise _NotAllowed(
            f"{act.id} is of kind {act.kind}, and {call.action.name} needs one of kind {only}"
        )
    if proposals or any(isinstance(v, Proposal) for v in _items(act)):
        yield from _agreed(team, call, proposals or _proposals(act), because)
        return
    agent, addressee = call.args.get("agent") or call.args.get("to"), _agent(act)
    if call.args.get("to") is not None and addressee is None:
        raise _NotAllowed(f"{act.id} does not say who does it instead")
    if addressee is not None and agent is not None and str(agent) != str(addressee):
        raise _NotAllowed(f"{act.id} is for {addressee}, not {agent}")
    subtasks = _subtasks(call)
    task = next((v for v in act.fields.values() if isinstance(v, Task)), None)
    if task is not None:
        from treec_asking.placement import complete_task  # imports events, as actions do

        asked = complete_task(team, task) or task
        wrong = [s for s in subtasks if not _is_task(s, asked)]
        if wrong or len(subtasks) > 1:
            raise _NotAllowed(f"{act.id} asks for '{task}' and for nothing else")
        if addressee is not None and "to" in call.args and agent is None:
            raise _NotAllowed(f"{act.id} gives it to {addressee}: `to` is missing")
        if call.args.get("first") and act.fields.get("first") is False:
            raise _NotAllowed(f"{act.id} does not say that it comes first")
        yield (act.id,)
        return
    named = _named(act)
    if named is not None:
        wrong = [s for s in subtasks if s.id not in named]
        if wrong:
            only = " and ".join(f"'{id}'" for id in named) or "no subtask"
            raise _NotAllowed(f"{act.id} names {only}, not '{wrong[0]}'")
        yield from ((act.id, subtask.id) for subtask in subtasks)
        return
    yield (act.id, str(agent) if addressee is None else "")


def _agreed(
    team: Team, call: ActionCall, proposals: Sequence[Proposal], because: Act | Proposal
) -> Iterator[Key]:
    """Yield the proposals that an action carries out: each its agent and its subtask."""
    agent, dropping = call.args.get("agent"), call.action.name == "drop"
    for subtask in _subtasks(call):
        found = next(
            (
                p
                for p in proposals
                if p.subtask.id == subtask.id
                and p.drop == dropping
                and (agent is None or str(agent) == p.agent.name)
            ),
            None,
        )
        if found is None:
            offers = "; ".join(_offer(p) for p in proposals)
            raise _NotAllowed(f"{because.id} is a yes to this: {offers}")
        if found not in team.now.open:
            raise _NotAllowed(f"{found.id} is no longer proposed")
        yield ("proposal", found.id)
    if call.args.get("first"):
        raise _NotAllowed(f"{because.id} does not say that it comes first")


def _offer(proposal: Proposal) -> str:
    does = "to drop" if proposal.drop else "does"
    who = "" if proposal.drop else f"{proposal.agent.name} "
    return f"{who}{does} '{proposal.subtask.id}' ({proposal.id})"


def _is_used_up(team: Team, act: Act, used: Mapping[Key, object]) -> bool:
    """Whether everything that an act names was used, by these actions or before."""
    if (act.id,) in used or (act.id, "") in used:
        return True
    proposals = _proposals(act)
    if proposals:
        keys = [("proposal", p.id) for p in proposals if p in team.now.open]
    else:
        keys = [(act.id, id) for id in _named(act) or ()]
    return bool(keys) and all(key in used for key in keys)


def _items(act: Act) -> Iterator[object]:
    for value in act.fields.values():
        yield from value if isinstance(value, tuple) else (value,)


def _proposals(act: Act) -> tuple[Proposal, ...]:
    return tuple(item for item in _items(act) if isinstance(item, Proposal))


def _agent(act: Act) -> object | None:
    return next((item for item in _items(act) if isinstance(item, Agent)), None)


def _named(act: Act) -> tuple[str, ...] | None:
    """The ids of the subtasks that an act lists; None if it has no such field."""
    lists = [v for v in act.fields.values() if isinstance(v, tuple)]
    subtasks = tuple(item.id for item in _items(act) if isinstance(item, Subtask))
    return subtasks if lists else None


def _subtasks(call: ActionCall) -> tuple[Subtask, ...]:
    found = call.args.get("subtasks", call.args.get("subtask"))
    items = found if isinstance(found, tuple) else (found,)
    return tuple(item for item in items if isinstance(item, Subtask))


def _is_task(subtask: Subtask, task: Task) -> bool:
    return subtask.task == task.name and dict(subtask.args) == dict(task.args)
