"""What a node sees of an example's world: the values that are given, as the things of that world.

A derived name that is left out is computed if everything it uses is given; every other name
that is left out has its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.files.prompts import Prompt
from treec.files.view import View
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.team.entities import Acts, Agent, Proposal, Recipe, Subtask, Utterance
from treec.team.names import team_functions, team_names
from treec.team.team import TeamSnapshot

_OF_AGENTS = ("robots", "people")


def rebind(value: object, now: TeamSnapshot) -> object:
    """A value with its entities replaced by those of the world, so that they are identical."""
    if isinstance(value, Acts):
        return now.acts if len(value) == len(now.acts) else value
    if isinstance(value, Agent):
        return now.agents.get(value.name, value)
    if isinstance(value, Subtask):
        return now.agents.get(value.id) or now.subtasks.get(value.id, value)
    if isinstance(value, Proposal):
        return now.proposals.get(value.id, value)
    if isinstance(value, Utterance):
        same = (u for u in now.utterances.values() if (u.who, u.text) == (value.who, value.text))
        return next(same, value)
    if isinstance(value, Mapping):
        return {key: rebind(item, now) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(rebind(item, now) for item in value)
    return value


def add_derived_names(
    view: View,
    model: Prompt,
    given: Mapping[str, object],
    values: Mapping[str, object],
    scope: Scope,
) -> dict[str, object]:
    """The values, and those of derived names that follow from the given ones."""
    known = dict(values)
    agents = known.get("agents")
    if "agents" in given and isinstance(agents, tuple):
        for name, person in zip(_OF_AGENTS, (False, True), strict=True):
            if name not in given:
                known[name] = tuple(
                    a for a in agents if isinstance(a, Agent) and a.person is person
                )
    available = {*given, *view.state, *(_OF_AGENTS if "agents" in given else ())}
    for name in missing_derived_names(view, model, given):
        expression = Expression.parse(view.derived[name])
        if set(_names_in(expression, view)) <= available:
            try:
                known[name] = expression.evaluate(MappingScope(known, parent=scope))
            except (LocatedError, EvaluationProblem):
                continue
    return known


def missing_derived_names(view: View, model: Prompt, given: Mapping[str, object]) -> Iterator[str]:
    """The derived names that a node sees and that are not given."""
    for name in (*model.sees, *model.recalls):
        if name in view.derived and name not in given:
            yield name


def contains_recipe(value: object) -> bool:
    """Whether a value contains recipes, which change with the library."""
    if isinstance(value, list | tuple):
        return any(map(contains_recipe, value))
    return isinstance(value, Recipe)


def _names_in(expression: Expression, view: View) -> Iterator[str]:
    for name in expression.names:
        known = name.name in team_names() or name.name in view.state or name.name in view.derived
        if known or (name.name not in team_functions() and name.name not in view.facts):
            yield name.name
