"""Whether the acts that a model read are in the words that they quote.

An act may name only what its quote speaks of. Where the quote mentions things, every subtask in the
act has one of them, and so has what is requested; where it mentions agents, a yes is for proposals
to them (or about the things), and a request, a stop or a resume is for one of them (or for a
person: "I'll do it"); where it mentions recipes, the choice is one of them. A quote that mentions
none of these ("it", "both") may refer to one thing, or to several that the talk was about. And the
same words carry no more requests than they mention things, tasks or agents.

A yes that mentions none of these is a yes to what was asked last. If that was more than one thing,
a parser must have heard the yes, too: a model that takes a remark ("fine") for one would accept
whatever waits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from treec.team.entities import Act, Agent, Proposal, Recipe, Subtask, Task
from treec.team.mentions import find_mentioned, find_recipes, find_tasks
from treec.team.state import ActState, ProposalState
from treec.team.team import Team

RECENT = 6
"""Utterances back to which "it" and "both" may refer."""

ACCEPT = "accept"
_WORD = re.compile(r"[^\W\d_]{3,}")
_OWN_KEYS = ("kind", "quote", "utterance")


def find_unquoted(
    team: Team,
    acts: Sequence[Mapping[str, Any]],
    heard: Collection[tuple[str, str]] | None = None,
) -> list[str]:
    """Why acts are not in the words that they quote; empty if all are.

    ``heard`` are the proposals that a parser heard accepted, each with its utterance; None if there
    is no parser.
    """
    found: list[str] = []
    requests: list[Act] = []
    for data in acts:
        fields = {name: value for name, value in data.items() if name not in _OWN_KEYS}
        act = team.now.act_of(ActState("", data["kind"], data["quote"], data["utterance"], fields))
        found += _unquoted(team, act)
        if act.kind == ACCEPT:
            found += _vague_consent(team, act, heard)
        if any(isinstance(value, Task) for value in act.fields.values()):
            requests.append(act)
    for act in requests:
        same = [o for o in requests if o.utterance == act.utterance and o.quote in act.quote]
        if len(same) > _most_requests(team, act.quote):
            tasks = "; ".join(str(o.fields["task"]) for o in same if "task" in o.fields)
            found.append(f"'{act.quote}' does not ask for all of this: {tasks}.")
            break
    return found


def _unquoted(team: Team, act: Act) -> Iterator[str]:
    things, agents = _things(team, act.quote), _agents(team, act.quote)
    recipes = find_recipes(team.knowledge.recipes, act.quote)
    subtasks: list[Subtask] = []
    for item in _items(act):
        match item:
            case Proposal(id=id, agent=agent, subtask=subtask):
                mentioned = agent.name in agents or things & _things_of(subtask)
                if (things or agents) and not mentioned:
                    yield f"'{act.quote}' says nothing about {id} ({item})."
            case Subtask():
                subtasks.append(item)
            case Agent(name=name, person=False) if agents and name not in agents:
                yield f"'{act.quote}' says {' and '.join(sorted(agents))}, not {name}."
            case Recipe(name=name) if recipes and name not in recipes:
                yield f"'{act.quote}' says {' and '.join(recipes)}, not {name}."
            case Task(args=args) if things and args and not things & set(map(str, args.values())):
                text = " and ".join(sorted(things))
                yield f"'{act.quote}' speaks of {text}, not of this: {item}."
    if things:
        wrong = [s for s in subtasks if not things & _things_of(s)]
        if wrong:
            right = [s.id for s in subtasks if things & _things_of(s)] or sorted(things)
            yield (
                f"'{act.quote}' speaks of {' and '.join(right)}, not of "
                f"{' and '.join(s.id for s in wrong)}."
            )
    elif len(subtasks) > 1:
        recent = _recent(team)
        wrong = [s for s in subtasks if s.id not in recent]
        if wrong:
            yield f"'{act.quote}' does not name {' and '.join(s.id for s in wrong)}."


def _vague_consent(
    team: Team, act: Act, heard: Collection[tuple[str, str]] | None
) -> Iterator[str]:
    """Why a yes that names nothing is not a yes to its proposals."""
    if _things(team, act.quote) or _agents(team, act.quote):
        return
    doubted = [
        item
        for item in _items(act)
        if isinstance(item, Proposal) and (act.utterance, item.id) not in (heard or ())
    ]
    last = _asked_last(team)
    earlier = [item.id for item in doubted if item.id not in last]
    if earlier:
        yield (
            f"'{act.quote}' names nothing: it can be a yes to {' and '.join(last)}, which was "
            f"asked last, not to {' and '.join(earlier)}."
        )
    elif doubted and heard is not None and len(last) > 1:
        yield (
            f"'{act.quote}' does not say to which of {' and '.join(last)} it is a yes: if it is "
            "one, quote the words that say so; else it is a remark, and they are asked."
        )


def _asked_last(team: Team) -> list[str]:
    """The open proposals that were made last, together."""
    stored = cast("Mapping[str, ProposalState]", team.world.state["proposals"])
    asked = {proposal.id: stored[proposal.id].asked for proposal in team.now.open}
    return [id for id, t in asked.items() if t == max(asked.values())]


def _items(act: Act) -> Iterator[object]:
    for value in act.fields.values():
        yield from value if isinstance(value, tuple) else (value,)


def _things_of(subtask: Subtask) -> set[str]:
    return set(map(str, subtask.args.values())) if subtask.args else {subtask.words}


def _things(team: Team, quote: str) -> set[str]:
    """Things that words mention, also by a part of the name (the crate, for `crate 12`)."""
    agents = team.knowledge.agents
    found = {name for name in find_mentioned(team.knowledge, quote) if name not in agents}
    in_play = {t for s in team.subtasks for t in _things_of(s)}
    words = set(_stems(quote))
    rest = words - {stem for name in found for stem in _stems(name)}
    return found | {name for name in in_play if rest & set(_stems(name))}


def _agents(team: Team, quote: str) -> set[str]:
    agents = team.knowledge.agents
    return {name for name in find_mentioned(team.knowledge, quote) if name in agents}


def _stems(words: str) -> list[str]:
    return [word.removesuffix("s").removesuffix("e") for word in _WORD.findall(words.lower())]


def _recent(team: Team) -> set[str]:
    """Subtasks that the talk was about, or that people have."""
    latest = list(islice(team.now.talk.backwards(), RECENT))
    lines = "\n".join(line.text for line in reversed(latest))
    things = _things(team, lines)
    held = {s.id for a in team.agents if a.person for s in (*a.queue, a.current) if s}
    return held | {s.id for s in team.subtasks if things & _things_of(s)}


def _most_requests(team: Team, quote: str) -> int:
    tasks = find_tasks(team.knowledge, quote)
    return max(1, len(_things(team, quote)), len(tasks), len(_agents(team, quote)))
