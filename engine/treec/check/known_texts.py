"""The texts that state and facts of type text can take, where the files show all of them.

Shown are the default of state and what trees `set` and judges answer; of a fact, its `values`, or
else the effects of skills, the goals of tasks, answers, and what scenes and agents start with. A
value that is computed or sensed, or Python of somebody else that may set it, leaves the texts
unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import all_entries
from treec.check.conditions import literal_value
from treec.check.skill_texts import effects
from treec.check.tree_nodes import tree_nodes
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.kinds import prompts
from treec.files.nodes import PythonNode, spec_of
from treec.files.view import View
from treec.program.effects import EffectSpec
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.values import literal_text

_SET_BY_RUNS = frozenset({"task", "recipe_name"})
"""State that a run sets by itself."""

UNKNOWN = None
"""Given in place of a text: it is computed."""


def state_texts(view: View) -> Mapping[str, tuple[str, ...]]:
    """Return the texts of state that trees set, by its name."""
    trees = list(all_entries(view, "tree"))
    if "tree" in unreadable_kinds(view.library) or any(map(_has_python, trees)):
        return {}
    given: dict[str, list[object]] = {}
    for entry in trees:
        own = {*entry.model.vars, *entry.model.ports}
        for at in tree_nodes(entry):
            type_ = spec_of(at.node)
            for assigned in () if type_ is None else type_.assigned(at.node):
                if assigned.is_key and assigned.name not in own:
                    value = assigned.value
                    given.setdefault(assigned.name, []).append(
                        literal_text(value) if isinstance(value, str) else value
                    )
    for name, value in _answers(view):
        given.setdefault(name, []).append(value)
    found = {}
    for name, spec in view.state.items():
        if spec.type.strip() == "text" and name in given and name not in _SET_BY_RUNS:
            texts = _texts([spec.default or "", *given[name]])
            if texts is not None:
                found[name] = texts
    return found


def fact_texts(view: View) -> Mapping[str, tuple[str, ...]]:
    """Return the texts of facts, by the fact's name."""
    facts = {n: f for n, f in view.facts.items() if (f.value or "").strip() == "text"}
    kinds = {"skill", "task", "scene", "agent", "scenario"}
    if not facts or unreadable_kinds(view.library) & kinds:
        return {}
    declared = {name: tuple(fact.values) for name, fact in facts.items() if fact.values}
    given: dict[str, list[object]] = {name: [] for name in facts if name not in declared}
    for name, value in _given(view):
        if name in given:
            given[name].append(value)
    found = declared
    for name, values in given.items():
        texts = None if facts[name].sensed else _texts(values)
        if texts:
            found[name] = texts
    return found


def _given(view: View) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each fact that the files set."""
    for written in effects(view):
        effect = written.effect()
        if isinstance(effect, EffectSpec):
            wanted = effect.wanted
            yield effect.fact, None if wanted is None else literal_value(wanted.text)
    for entry in view.all("task").values():
        if entry.model.goal is not None:
            yield from _goal(str(entry.model.goal))
    for scene in view.scenes:
        for thing in scene.model.objects.values():
            yield from thing.facts.items()
    for agent in view.agents.values():
        yield from agent.starts.items()
    yield from _answers(view)
    for kind in ("scenario", "problem"):
        for entry in all_entries(view, kind):  # what happens there may set any fact it names
            yield from ((name, UNKNOWN) for name in view.facts if name in entry.file.text)


def _answers(view: View) -> Iterator[tuple[str, object]]:
    """Yield the name and each value of what answers of prompts set."""
    for kind in prompts():
        for entry in view.all(kind).values():
            for name, texts in entry.model.assigns.items():
                yield from ((name, text) for text in ((UNKNOWN,) if texts is None else texts))


def _goal(text: str) -> Iterator[tuple[str, object]]:
    try:
        goal = Expression.parse(text)
    except SourceError:
        return
    for call in goal.calls:
        yield from ((call.name, constant) for constant, _, _ in goal.constants)


def _texts(values: list[object]) -> tuple[str, ...] | None:
    if not all(isinstance(value, str) for value in values):
        return None
    return tuple(dict.fromkeys(str(value) for value in values))


def _has_python(entry: AnyEntry) -> bool:
    return any(isinstance(at.node, PythonNode) for at in tree_nodes(entry))
