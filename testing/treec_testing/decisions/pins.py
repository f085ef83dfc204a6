"""Values of library names pinned as plain data, so that a new recipe makes no case stale.

Agents and tasks are pinned, too, where an example leaves them out.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.prompts import Prompt
from treec.files.types import Named
from treec.source.scope import Scope
from treec.team.entities import Agent, Recipe, Task
from treec.team.knowledge import Knowledge
from treec_asking.examples import parse_value

_TEAM = ("agents", "robots", "people")
_LIBRARY = ("recipes", "tasks", "capabilities")


def pinned_names(model: Prompt, given: Mapping[str, object]) -> tuple[str, ...]:
    """The names whose values a case pins."""
    constant = _LIBRARY if "agents" in given else (*_LIBRARY, *_TEAM)
    left_out = (n for n in (*model.sees, *model.recalls) if n in constant and n not in given)
    return tuple(dict.fromkeys((*model.knows, *left_out)))


def pin(name: str, scope: Scope) -> object:
    """The current value of a name, as plain data."""
    return _plain(scope.lookup(name))


def _plain(value: object) -> object:
    if isinstance(value, Recipe):
        return {"recipe": value.name, "about": value.about, "subtasks": list(value.subtasks)}
    if isinstance(value, Task):
        task = {"task": value.name, "about": value.about}
        return {**task, "args": dict(value.args), "words": value.words} if value.args else task
    if isinstance(value, Agent):
        return {"agent": value.name}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(getattr(value, "__treec_name__", value))


def unpin(knowledge: Knowledge, value: object) -> object:
    """The entities of a pinned value, as templates and rules expect them."""
    if isinstance(value, Mapping):
        text = {key: str(item) for key, item in value.items() if isinstance(item, str)}
        if "recipe" in value:
            parts = value.get("subtasks")
            steps = tuple(map(str, parts)) if isinstance(parts, list | tuple) else ()
            return Recipe(text["recipe"], text.get("about", ""), steps)
        if "task" in value:
            args = value.get("args")
            bound = dict(args) if isinstance(args, Mapping) else {}
            return Task(text["task"], text.get("about", ""), bound, text.get("words", ""))
        if "agent" in value:
            return parse_value(knowledge, Named("Agent"), text["agent"])
        return {str(key): unpin(knowledge, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(unpin(knowledge, item) for item in value)
    return value
