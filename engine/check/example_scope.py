"""What an example's node sees, as a scope in which rules and contracts can be held against it.

An example tells only a part of a world. What hangs on the rest is unknown, and judged when it runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.errors import LocatedError, Unknown
from treec.source.expression import Expression
from treec.source.scope import Special
from treec.team.entities import Act, Agent, Proposal, Subtask, Task
from treec.team.given import example_values
from treec.team.knowledge import Knowledge, knowledge_of

_TEAM = ("agents", "robots", "people")


@dataclass(frozen=True)
class ExampleScope:
    """The names that a node sees in an example, derived names over them, and few functions."""

    view: View
    knowledge: Knowledge
    values: Mapping[str, object]

    def lookup(self, name: str) -> object:
        """A name's value; one of the world that the node does not see is unknown."""
        if name in self.values:
            return self.values[name]
        derived = self.view.derived.get(name)
        if derived is not None:
            return Expression.parse(derived).evaluate(self)
        if self.view.thing_type(name) is not None:
            return name
        raise Unknown(f"the example does not say '{name}'")

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Who can do what is known from the files; a fact, or what a run would know, is unknown."""
        if name == "can" and len(args) == 2 and isinstance(args[0], Agent) and not kwargs:
            task = args[1]
            if isinstance(task, Subtask):
                return self.knowledge.able(args[0].name, task.task)
            if isinstance(task, Task):
                return self.knowledge.able(args[0].name, task.name)
        raise Unknown(f"the example does not say '{name}'")

    def special(self, name: str) -> Special | None:
        """What looks at a fact itself: an example tells none."""
        return None


def example_scope(view: View, entry: AnyEntry, example: Any) -> ExampleScope | None:
    """The scope of an example of a prompt; None where its `given` cannot be read (TC406 tells)."""
    knowledge = knowledge_of(view)
    seen = (*entry.model.sees, *entry.model.recalls)
    try:
        values = example_values(knowledge, seen, example.given)
    except (AssertionError, AttributeError, LocatedError, TypeError, ValueError):
        return None
    # who there is does not change: an example that leaves the team out does not say it is empty
    return ExampleScope(view, knowledge, {n: v for n, v in values.items() if v or n not in _TEAM})


def named(scope: ExampleScope, value: object) -> object:
    """What an example names by an id: one of its acts or proposals."""
    if not isinstance(value, str):
        return value
    acts: Any = scope.values.get("acts", ())
    proposals: Any = scope.values.get("proposals", ())
    within = [p for act in acts for p in _proposals(act)]
    found = (thing for thing in (*acts, *proposals, *within) if thing.id == value)
    return next(found, value)


def _proposals(act: Act) -> list[Proposal]:
    items = [x for field in act.fields.values() if isinstance(field, tuple) for x in field]
    return [item for item in items if isinstance(item, Proposal)]
