"""The moment in which words are heard, from an example's `given`: a YAML file, or YAML itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treec.files.entry import Entry
from treec.files.prompts import ReadingFile
from treec.files.view import View
from treec.source.diagnostics import unknown
from treec.team.entities import Agent, Proposal, Subtask
from treec.team.knowledge import knowledge_of
from treec.team.talk import TalkContext
from treec.team.team import Team
from treec_asking.examples import example_values
from treec_hearing.talk_context import talk_context
from treec_testing.decisions.given_world import example_world


def talk_moment(view: View, entry: Entry[ReadingFile], given: str) -> TalkContext:
    """The moment that is given. Raises ValueError for what is wrong with it."""
    names = dict.fromkeys((*entry.model.sees, *entry.model.recalls, "agents"))
    try:
        data = _given(given)
        if more := [name for name in data if name not in names]:
            raise ValueError(f"'{more[0]}' is not what this reading sees: {', '.join(names)}")
        values = example_values(knowledge_of(view), tuple(names), data)
        for name, items in data.items():
            for item in items if isinstance(items, list) else ():
                if isinstance(item, list):
                    raise ValueError(f"{name}: {item} is a list, not a name or a mapping")
        _must_be_entities(view, values)
        team = Team(example_world(view, values), knowledge_of(view))
        return talk_context(team, tuple(entry.model.acts))
    except (AssertionError, AttributeError, TypeError) as error:
        raise ValueError(str(error)) from None


def _must_be_entities(view: View, values: Mapping[str, object]) -> None:
    """Raises ValueError for what is not an agent, subtask or proposal, or has an unknown agent."""
    kinds = {"agents": Agent, "proposals": Proposal, "subtasks": Subtask}
    known = view.all("agent")
    for name, kind in kinds.items():
        items = values.get(name, ())
        for item in items if isinstance(items, tuple) else (items,):
            if not isinstance(item, kind):
                raise ValueError(f"{name}: {item!r} is not a {kind.__name__.lower()}")
            agent = item if isinstance(item, Agent) else getattr(item, "agent", None)
            if isinstance(item, Proposal) and agent is None:
                raise ValueError(f"{name}: '{item.id}' has no agent")
            if agent is not None and str(agent) not in known:
                raise ValueError(f"{name}: {unknown('agent', str(agent), known)}")


def _given(text: str) -> dict[str, Any]:
    """The mapping in a file, or in the text itself. Raises ValueError."""
    import yaml

    path = Path(text)
    try:
        found = yaml.safe_load(path.read_text("utf-8") if is_file(path) else text)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None
    if isinstance(found, str) and found.endswith((".yaml", ".yml")):
        raise ValueError(f"no such file: {found}")
    if not isinstance(found, dict):
        raise ValueError(
            "a mapping is expected, as in an example: {proposals: [...], subtasks: [...]}"
        )
    return found


def is_file(path: Path) -> bool:
    """Whether there is such a file; `path` may be any text."""
    try:
        return path.is_file()
    except OSError:  # a text that is too long for a name
        return False
