"""The scope of an example, in which rules and contracts can be evaluated.

An example describes only a part of a world; what depends on the rest is unknown until a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, cast

from treec.files.entry import AnyEntry
from treec.files.kinds import prompts
from treec.files.view import View, per_view
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError, Unknown
from treec.source.expression import Expression
from treec.source.scope import Special
from treec.team.entities import Act, Agent, Proposal, Subtask, Task
from treec.team.knowledge import Knowledge, knowledge_of
from treec_asking.examples import example_values

_TEAM = ("agents", "robots", "people")


@frozen(slots=False)
class ExampleScope:
    """The names that a node sees in an example, derived names, and a few functions."""

    view: View
    knowledge: Knowledge
    values: Mapping[str, object]

    def lookup(self, name: str) -> object:
        """Return a name's value; a name of the world that the node does not see is unknown."""
        if name in self.values:
            return self.values[name]
        derived = self.view.derived.get(name)
        if derived is not None:
            return Expression.parse(derived).evaluate(self)
        if self.view.thing_type(name) is not None:
            return name
        raise Unknown(f"the example does not give '{name}'")

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Evaluate `can`, which depends on the files alone; all other functions are unknown."""
        if name == "can" and len(args) == 2 and isinstance(args[0], Agent) and not kwargs:
            task = args[1]
            if isinstance(task, Subtask):
                return self.knowledge.able(args[0].name, task.task)
            if isinstance(task, Task):
                return self.knowledge.able(args[0].name, task.name)
        raise Unknown(f"the example does not give '{name}'")

    def special(self, name: str) -> Special | None:
        """Return None: an example has no facts."""
        return None


def per_world(
    judge: Callable[[View, AnyEntry], Iterator[Diagnostic]],
) -> Callable[[View, AnyEntry], tuple[Diagnostic, ...]]:
    """Judge a prompt's examples once in a check for all views that differ in behaviours alone."""

    @wraps(judge)
    def cached(view: View, entry: AnyEntry) -> tuple[Diagnostic, ...]:
        key = (judge, entry, _world(view))
        if key not in view.library.results:
            view.library.results[key] = tuple(judge(view, entry))
        return cast("tuple[Diagnostic, ...]", view.library.results[key])

    return cached


@per_view
def _world(view: View) -> tuple[AnyEntry, ...]:
    behaviours = (*prompts(), "case", "scenario", "system", "tree")
    return tuple(e for e in view.entries if e.kind == "reading" or e.kind not in behaviours)


def example_scope(view: View, entry: AnyEntry, example: Any) -> ExampleScope | None:
    """Return the scope of a prompt's example; None if its `given` is invalid (see TC406)."""
    knowledge = knowledge_of(view)
    visible = (*entry.model.sees, *entry.model.recalls)
    try:
        values = example_values(knowledge, visible, example.given)
    except (AssertionError, AttributeError, LocatedError, TypeError, ValueError):
        return None
    # the team is constant: an example that omits it does not mean that it is empty
    values = {n: v for n, v in values.items() if v or n not in _TEAM}
    # a derived name that it omits follows from the others
    values = {n: v for n, v in values.items() if n in example.given or n not in view.derived}
    return ExampleScope(view, knowledge, values)


def find_by_id(scope: ExampleScope, value: object) -> object:
    """Return the act or proposal of an example that has this id, else the value itself."""
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
