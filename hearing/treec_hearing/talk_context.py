"""Make a parser's `TalkContext` from the team."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from treec.files.view import View, per_view
from treec.team.knowledge import talk_agents
from treec.team.talk import TalkContext, TalkObject, TalkProposal, TalkTask
from treec.team.team import Team
from treec_hearing.described import described_things
from treec_hearing.directions import sight_of
from treec_hearing.spoken_names import find_recipes


def talk_context(team: Team, acts: tuple[str, ...]) -> TalkContext:
    """The context for parsing an utterance; ``acts`` are the kinds of acts of the reading."""
    if team.last_talk is None or team.last_talk[0] is not team.now or team.last_talk[1] != acts:
        team.last_talk = team.now, acts, _talk_context(team, acts)
    return replace(team.last_talk[2], sight=sight_of(team))  # facts change without the rest


def _talk_context(team: Team, acts: tuple[str, ...]) -> TalkContext:
    knowledge = team.knowledge
    people = sorted(knowledge.people)
    at = {agent.current.id for agent in team.agents if agent.person and agent.current}
    stopped = {agent.name for agent in team.agents if agent.status == "Interrupted"}
    objects, unknown = _objects(knowledge.view), tuple(_unknown_things(team))
    return TalkContext(
        agents=talk_agents(knowledge, stopped),
        user=people[0] if people else "user",
        proposals=tuple(
            TalkProposal(p.id, p.agent.name, p.subtask.id, knowledge.words_in_recipe(p.subtask))
            for p in team.now.open
        ),
        subtasks=team.talk_subtasks.of(team.subtasks, at, knowledge.words_in_recipe),
        recipes=tuple(knowledge.recipes),
        recipe_name=str(team.world.state["recipe"]),
        tasks=_tasks(knowledge.view),
        objects=(*objects, *unknown) if unknown else objects,  # the same ones: see Lexicon.is_of
        acts=acts,
        offered=_offered_recipes(team),
        before=tuple(
            u.text for u in islice(team.now.talk.backwards(), 5) if u.who in people and u.read
        ),
    )


_QUESTION = re.compile(r"[^.!?]*\?")


@per_view
def _tasks(view: View) -> tuple[TalkTask, ...]:
    tasks = ((name, entry.model) for name, entry in view.all("task").items())
    return tuple(TalkTask(name, tuple(task.says), dict(task.args)) for name, task in tasks)


@per_view
def _objects(view: View) -> tuple[TalkObject, ...]:
    """The things by their names, and by what describes no other one."""
    also = {name: [*spec.also] for name, spec in view.objects.items()}
    for phrase, things in described_things(view).items():
        if len(things) == 1:
            also[things[0]].append(phrase)
    return tuple(
        TalkObject(name, tuple(also[name]), _ancestors(view.types.parents, spec.type))
        for name, spec in view.objects.items()
    )


def needs_unknown_thing(team: Team, act: Mapping[str, Any]) -> bool:
    """Whether an act orders robots to do something with a thing that the scene has not."""
    args = act.get("args")
    if not isinstance(args, Mapping) or act.get("agent") in team.knowledge.people:
        return False
    return not {one.name for one in _unknown_things(team)}.isdisjoint(map(str, args.values()))


def _unknown_things(team: Team) -> Iterator[TalkObject]:
    """What subtasks name and the scene has not, which people speak of as of any other thing."""
    view, words = team.knowledge.view, team.knowledge.words
    found: dict[str, TalkObject] = {}
    for subtask in team.subtasks:
        if subtask.task is None and (
            nearly := words.nearly(team.knowledge.words_in_recipe(subtask))
        ):
            _, phrase, kind = nearly
            found[phrase.lower()] = TalkObject(phrase, (), _ancestors(view.types.parents, kind))
    yield from found.values()


def _offered_recipes(team: Team) -> tuple[str, ...]:
    """Recipes named in what the assistant asked since the last utterance that was read."""
    unread = {u.id for u in team.now.talk.unread}
    lines: list[str] = []
    for line in team.now.talk.backwards():
        if line.who in team.knowledge.people:
            if line.id not in unread:
                break
        else:
            lines.append(" ".join(_QUESTION.findall(line.text)))
    return find_recipes(team.knowledge.recipes, "\n".join(reversed(lines)))


def _ancestors(parents: dict[str, str | None], kind: str) -> tuple[str, ...]:
    found: list[str] = []
    current: str | None = kind
    while current is not None and current not in found:
        found.append(current)
        current = parents.get(current)
    return tuple(found)
