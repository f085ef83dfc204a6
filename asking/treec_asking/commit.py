"""Checks actions against the contracts and commits them as one journal record, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from treec.files.types import TEXT
from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.approval import REFUSED, ApprovalQuestion, Approved
from treec.nodes.goals import goal_facts
from treec.nodes.observation import plain
from treec.nodes.runtime import Runtime
from treec.nodes.unsaid_stops import INTERRUPT
from treec.source.filters_lists import list_words
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.team.actions import ActionCall
from treec.team.contracts import BrokenContract, judge_all
from treec.team.entities import Act, Subtask
from treec.team.events import (
    ActsSettled,
    AgentInterrupted,
    Assigned,
    Said,
    SubtaskAdded,
    SubtaskDone,
    SubtaskWaits,
    number_entries,
)
from treec.team.sentences import sentence
from treec.team.state import FINISHED
from treec.team.stop_words import STOP
from treec.team.team import Team
from treec.world.events import ActionTaken, Commit, Event, EventRefused
from treec_asking.bind import bind
from treec_asking.new_subtasks import own_subtask, waits
from treec_asking.statements import replace_args
from treec_asking.warrants import check_warrants

RULES = frozenset({"always", "offline", "only option", "fallback"})
"""Who decides where no model does."""


def acknowledgement(
    view: View,
    texts: Mapping[str, TextTemplate],
    calls: Sequence[ActionCall],
    scope: Scope,
    before: str = "",
) -> str:
    """The acknowledgements of calls, from ``texts``, else the system's, else treec's.

    ``before`` is the work for which what they assign waits.
    """
    sentences = [
        " ".join(text.render(MappingScope({"before": before, **call.args}, parent=scope)).split())
        for call in calls
        if (text := texts.get(call.action.name) or sentence(view, call.action.name))
    ]
    return " ".join(text for text in dict.fromkeys(sentences) if text)  # each once


@frozen(slots=False)
class CheckedCalls:
    """An answer's actions, who gave them, the acts they settle and the contracts they break."""

    calls: tuple[ActionCall, ...]
    by: str
    settled: tuple[Act, ...]
    broken: tuple[BrokenContract, ...]


def check(
    runtime: Runtime,
    calls: Sequence[ActionCall],
    by: str,
    *,
    scope: Scope,
    settles: Sequence[str] = (),
) -> CheckedCalls:
    """Check calls: the acts that they would settle, and the contracts that they would break.

    ``settles`` are the ids of the acts that the answer settles. Raises EventRefused when an action
    is not possible.
    """
    team = runtime.team
    warrants = check_warrants(team, calls)
    if warrants.refusals:
        raise EventRefused(" ".join(warrants.refusals.values()))
    settled = [act for act in team.now.acts if act.id in {*settles, *warrants.used_up}]
    calls = [*calls, *_stops(runtime, calls, settled)]
    broken = judge_all(runtime.contracts, calls, scope, settled, by)
    return CheckedCalls(tuple(calls), by, tuple(settled), tuple(broken))


def _stops(
    runtime: Runtime, calls: Sequence[ActionCall], settled: Iterable[Act]
) -> Iterator[ActionCall]:
    """Stops that people said for robots which move and no call stops, with or without work."""
    stopped = {str(call.args["agent"]) for call in calls if call.action.name == INTERRUPT}
    for act in settled:
        if act.kind == STOP and {*act.fields} == {"agent"}:
            for one in (act.fields["agent"],) if act.fields["agent"] else runtime.team.agents:
                if str(one) not in stopped and _moves(runtime, str(one)):
                    stopped.add(str(one))
                    yield bind(runtime.team, INTERRUPT, {"agent": one, "because": act})


def _moves(runtime: Runtime, agent: str) -> bool:
    """Whether a robot does a skill, or has done one until now and may begin the next at once."""
    if agent in runtime.arbiter.just_ended:
        return runtime.team.now.agents[agent].status != "Interrupted"
    return bool(runtime.arbiter.in_flight(agent))


def commit(
    runtime: Runtime,
    path: str,
    name: str,
    checked: CheckedCalls,
    *,
    scope: Scope,
    acknowledge: Mapping[str, TextTemplate],
) -> None:
    """Commit calls that break no contract as one record.

    Raises EventRefused when an action is not possible or somebody says no, and NotAnswered; then
    nothing has happened.
    """
    assert not checked.broken
    version = runtime.world.version
    events, later = _effects(runtime, checked, scope, acknowledge)
    if not events:
        return
    if runtime.approve is not None:
        words = f"{', '.join(map(str, checked.calls)) or 'nothing'} (by {checked.by})"
        if not runtime.approve(ApprovalQuestion(Approved.actions, path, words)):
            raise EventRefused(REFUSED)
        if runtime.world.version != version:  # while the answer was waited for
            events, later = _effects(runtime, checked, scope, acknowledge)
    record = Commit(
        "action",
        number_entries(runtime.world.state, events),
        node=path,
        name=name,
        by=checked.by,
        actions=tuple(
            ActionTaken(call.action.name, plain_args(call), call.rule) for call in checked.calls
        ),
    )
    runtime.world.emit(record, path)
    if later:
        runtime.arbiter.announce(later, path)


def _effects(
    runtime: Runtime,
    checked: CheckedCalls,
    scope: Scope,
    acknowledge: Mapping[str, TextTemplate],
) -> tuple[list[Event], list[tuple[tuple[str, ...], str]]]:
    """The events of calls, and what is said of whom once they rest. Raises EventRefused."""
    team, calls = runtime.team, checked.calls
    events: list[Event] = []
    stops: list[tuple[ActionCall, tuple[str, ...]]] = []  # with the agents that move
    others: list[ActionCall] = []
    by_model = checked.by not in RULES
    for call in calls:
        own = list(call.action.run(team, **call.args))
        if by_model:
            own = [event for event in own if not _repeats(call, event)]
        interrupted = [event.agent for event in own if isinstance(event, AgentInterrupted)]
        if moving := tuple(filter(runtime.arbiter.is_moving, interrupted)):
            stops.append((call, moving))
        else:
            others.append(call)
        events.extend(own)
    ordered = [*waits(team, [*_given(calls)])]
    events = _deduplicate([*events, *ordered])
    added = {event.id: event for event in events if isinstance(event, SubtaskAdded)}
    for event in tuple(events):
        if isinstance(event, SubtaskDone):
            events.extend(goal_facts(runtime, event.subtask, added))
    if by_model:
        others = [c for c in others if not _is_repeated(c, runtime.view, acknowledge, scope)]
    before = list_words(_awaited(team, events, added))
    words = acknowledgement(runtime.view, acknowledge, others, scope, before)
    words = " ".join(filter(None, [words, *dict.fromkeys(_told_order(runtime, ordered, added))]))
    later = [
        (moving, text)
        for call, moving in stops
        if (text := acknowledgement(runtime.view, acknowledge, [call], scope))
    ]
    if words:
        events.append(Said("assistant", words))
    if checked.settled:
        events.append(ActsSettled(tuple(act.id for act in checked.settled)))
    return events, later


def _given(calls: Sequence[ActionCall]) -> Iterator[tuple[Subtask, str]]:
    """The subtasks that calls give or propose to agents, each with its agent's name."""
    for call in calls:
        if call.action.name in ("assign", "propose"):
            one = call.args.get("subtask")
            subtasks = cast("Sequence[Subtask]", call.args.get("subtasks") or (one,))
            yield from ((subtask, str(call.args["agent"])) for subtask in subtasks)


def _told_order(
    runtime: Runtime, ordered: Sequence[SubtaskWaits], added: Mapping[str, SubtaskAdded]
) -> Iterator[str]:
    """What is said of subtasks that wait for others, as people have asked."""
    template = sentence(runtime.view, "in_order")
    if template is None:
        return
    told: dict[tuple[str, ...], dict[str, None]] = {}  # what comes after the same work
    for event in ordered:
        *first, last = (
            (added.get(id) or runtime.team.now.subtasks[id]).words
            for id in (*event.after, event.subtask)
        )
        told.setdefault(tuple(dict.fromkeys(first)), {})[last] = None
    for before, then in told.items():
        values = {"first": before, "then": list_words(then)}
        yield template.render(MappingScope(values, parent=runtime.scope)).strip()


def _awaited(
    team: Team, events: Sequence[Event], added: Mapping[str, SubtaskAdded]
) -> Iterator[str]:
    """The words of what must be done before what events assign, and is not assigned with it."""
    known = team.now.subtasks
    given = {id: None for event in events if isinstance(event, Assigned) for id in event.subtasks}
    for one in (added.get(id) or known[id] for id in given):
        for id in one.after or ():
            if id not in given and (id in added or known[id].status not in FINISHED):
                yield (added.get(id) or known[id]).words


def _repeats(call: ActionCall, event: Event) -> bool:
    """Whether an action says a text that a model gave it."""
    if call.action.speaks or not isinstance(event, Said):
        return False
    return any(text and text in event.text for text in _free_texts(call).values())


def _is_repeated(
    call: ActionCall, view: View, texts: Mapping[str, TextTemplate], scope: Scope
) -> bool:
    """Whether the acknowledgement of a call depends on a text that a model gave it."""
    if not (free := _free_texts(call)):
        return False
    blank = replace_args(call, **dict.fromkeys(free, ""))
    return acknowledgement(view, texts, [call], scope) != acknowledgement(
        view, texts, [blank], scope
    )


def _free_texts(call: ActionCall) -> dict[str, str]:
    names = [p.name for p in call.action.parameters if p.type == TEXT]
    return {n: " ".join(str(call.args[n]).split()) for n in names if call.args.get(n) is not None}


def plain_args(call: ActionCall) -> dict[str, object]:
    """The arguments of a call as data, as a journal has them."""
    return {name: plain(value, 1) for name, value in call.args.items() if value is not None}


def _deduplicate(events: Sequence[Event]) -> list[Event]:
    """The events, with each subtask added once even if two actions add it."""
    first = {one.id: one for one in reversed(events) if isinstance(one, SubtaskAdded)}
    return [one for one in events if not isinstance(one, SubtaskAdded) or first[one.id] is one]


def for_each_agent(team: Team, calls: Sequence[ActionCall]) -> list[ActionCall]:
    """The calls; of a task without arguments ("charge") each agent gets a subtask of its own.

    Raises EventRefused when one answer gives the same subtask to two agents otherwise.
    """
    given: dict[str, str] = {}
    found = []
    for call in calls:
        if call.action.name == "assign":
            agent = str(call.args["agent"])
            subtasks = cast("Sequence[Subtask]", call.args["subtasks"])
            own = tuple(own_subtask(team, one, agent, given) for one in subtasks)
            for subtask in own:
                other = given.setdefault(subtask.id, agent)
                if other != agent:
                    raise EventRefused(f"'{subtask}' is given to {other} and to {agent}")
            call = replace_args(call, subtasks=own)
        found.append(call)
    return found
