"""The names that may be said at the moment: agents, recipes, things, tasks."""

from __future__ import annotations

from collections.abc import Iterator

from treec.team.knowledge import Knowledge


def spoken_names(knowledge: Knowledge) -> dict[str, str]:
    """Each name as people say it → what it names, agents first, then recipes and things."""
    names: dict[str, str] = {}
    for name, also in _named(knowledge):
        for word in (name, *also):
            names.setdefault(word, name)
    return names


def _named(knowledge: Knowledge) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ((name, tuple(spec.also)) for name, spec in knowledge.agents.items())
    yield from ((name, ()) for name in knowledge.recipes)
    yield from ((name, tuple(spec.also)) for name, spec in knowledge.view.objects.items())


def hot_words(knowledge: Knowledge) -> list[str]:
    """What a recognizer is told may be said: names, then the verbs of tasks."""
    verbs = (
        says.partition("<")[0].strip() for task in knowledge.tasks.values() for says in task.says
    )
    words = (*spoken_names(knowledge), *verbs)
    return [word.replace("_", " ") for word in dict.fromkeys(filter(None, words))]
