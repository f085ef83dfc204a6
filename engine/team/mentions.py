"""Agents, things, recipes and tasks that words mention by name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treec.team.entities import Task
from treec.team.knowledge import Knowledge


def find_mentioned(knowledge: Knowledge, words: str) -> tuple[str, ...]:
    """Agents and things named in words, in order; a longer name hides those within it."""
    names: list[tuple[str, str]] = []
    spoken = {name: spec.also for name, spec in knowledge.agents.items()}
    spoken.update({name: spec.also for name, spec in knowledge.view.objects.items()})
    for name, also in spoken.items():
        names += [(word.lower(), name) for word in (name, *also)]
    text = words.lower()
    found: list[tuple[int, str]] = []
    for word, name in sorted(names, key=lambda pair: (-len(pair[0]), pair)):
        at = re.search(rf"\b{re.escape(word)}\b", text)
        if at is not None:
            found.append((at.start(), name))
            text = text[: at.start()] + "\0" * len(word) + text[at.end() :]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def find_recipes(recipes: Iterable[str], words: str) -> tuple[str, ...]:
    """Recipes named in words, longest name first; a longer name hides those within it."""
    text = words.lower()
    found: list[tuple[int, str]] = []
    for name in sorted(recipes, key=lambda name: (-len(name), name)):
        at = re.search(rf"\b{re.escape(name.lower())}\b", text)
        if at is not None:
            found.append((at.start(), name))
            text = text[: at.start()] + "\0" * len(name) + text[at.end() :]
    return tuple(name for _, name in sorted(found))


def find_tasks(knowledge: Knowledge, words: str) -> tuple[Task, ...]:
    """Tasks whose name or verb occurs in words."""
    found = []
    for name, model in knowledge.tasks.items():
        verbs = {name, *(says.partition("<")[0].strip() for says in model.says)}
        verbs |= {verb.removesuffix(" the") for verb in verbs}
        if any(verb and re.search(rf"\b{re.escape(verb)}\b", words.lower()) for verb in verbs):
            task = knowledge.task(name)
            if task is not None:
                found.append(task)
    return tuple(found)
