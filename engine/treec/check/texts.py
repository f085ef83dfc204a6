"""Every expression and template of a view, parsed and type-checked once for all rules.

Besides fields annotated as expressions and texts, this finds those inside an action's rules: the
list of a `for`, and the texts of what the action says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

from treec.check.base import (
    FieldPlace,
    Loc,
    Where,
    all_entries,
    places,
    with_expressions,
)
from treec.check.environments import environment, world
from treec.check.finding import Finding
from treec.check.names import TypeEnvironment
from treec.check.scopes import local_scope
from treec.check.type_checker import findings
from treec.files.entry import AnyEntry, per_entry
from treec.files.prompts import ActionFile
from treec.files.systems import ScenarioFile
from treec.files.tree import TreeFile
from treec.files.types import TEXT, Type
from treec.files.view import View, per_view
from treec.program.faults import condition_of
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression, Text
from treec.source.template import TextTemplate
from treec.source.yaml import Mapping as Node
from treec.source.yaml import Scalar
from treec.team.actions import find_action

_WORD = re.compile(r"\w+")


class JudgedText(NamedTuple):
    """A text's place, its syntax tree or syntax error, and its findings."""

    place: FieldPlace
    text: Text | None
    error: SourceError | None
    findings: tuple[Finding, ...]


@dataclass(eq=False)
class ParsedText:
    """A text with its position, its syntax tree or syntax error, and its findings."""

    view: View
    place: FieldPlace
    text: Text | None
    error: SourceError | None
    findings: tuple[Finding, ...]

    @cached_property
    def env(self) -> TypeEnvironment:
        """The names that the text can use."""
        return environment(self.view, self.place)

    def problem(self, finding: Finding) -> Diagnostic:
        """Return a finding as a diagnostic."""
        return self.place.problem(
            finding.code,
            finding.message,
            finding.help,
            offset=finding.offset,
            length=finding.length,
        )


class _Things(Mapping[str, Type]):
    """The things of a scene, remembering which of them were asked for."""

    def __init__(self, things: Mapping[str, Type]) -> None:
        self.things = things
        self.asked: dict[str, Type | None] = {}
        self.all: tuple[tuple[str, Type], ...] | None = None

    def __getitem__(self, name: str) -> Type:
        self.asked[name] = self.things.get(name)
        return self.things[name]

    def __iter__(self) -> Iterator[str]:
        self.all = tuple(self.things.items())
        return iter(self.things)

    def __len__(self) -> int:
        self.all = tuple(self.things.items())
        return len(self.things)

    def same(self, things: Mapping[str, Type]) -> bool:
        """Whether other things would have given the same answers."""
        if self.all is not None and self.all != tuple(things.items()):
            return False
        return all(things.get(name) == kind for name, kind in self.asked.items())


@per_view
def parsed_texts(view: View) -> list[ParsedText]:
    """Return all expressions and templates that are checked in a view, in file order.

    Those of a file are judged once for all views in which they mean the same.
    """
    env = world(view)
    found: list[ParsedText] = []
    for entry in view.own:
        key = (parsed_texts, entry, env.surroundings)
        known = cast(
            "list[tuple[_Things, list[JudgedText]]]", view.library.results.setdefault(key, [])
        )
        judged = next((judged for things, judged in known if things.same(env.things)), None)
        if judged is None:
            things = _Things(env.things)
            here = env.changed(things=things)
            judged = [
                _judge(local_scope(here, place), place)
                for place in all_places(entry)
                if place.kind in ("expression", "text")
            ]
            known.append((things, judged))
        found += [ParsedText(view, *one) for one in judged]
    return found


@per_view
def texts_of(view: View) -> dict[AnyEntry, list[ParsedText]]:
    """Return the expressions and templates of each entry."""
    found: dict[AnyEntry, list[ParsedText]] = {}
    for text in parsed_texts(view):
        found.setdefault(text.place.entry, []).append(text)
    return found


def meanings(view: View, *kinds: str) -> object:
    """What is equal in views in which the expressions in all files of some kinds mean the same."""
    files = tuple(all_entries(view, *kinds))
    words = {*_WORD.findall(" ".join(view.derived.values()))}.union(*map(_words, files))
    things = tuple(thing for thing in view.things.items() if thing[0] in words)
    return world(view).surroundings, files, things, tuple(view.derived.items()), (*view.agents,)


@per_entry
def _words(entry: AnyEntry) -> frozenset[str]:
    return frozenset(_WORD.findall(entry.file.text))


def diagnostics_of(view: View, code: str) -> Iterator[Diagnostic]:
    """Yield the diagnostics of one rule in all texts of a view."""
    for text in parsed_texts(view):
        for finding in text.findings:
            if finding.code == code:
                yield text.problem(finding)


@per_entry
def all_places(entry: AnyEntry) -> Sequence[FieldPlace]:
    """Return the places of an entry, including those inside an action's rules."""
    found = places(entry)
    if isinstance(entry.model, ActionFile):
        return (*found, *_rules(entry, entry.model))
    if isinstance(entry.model, ScenarioFile):
        return (*found, *_conditions(entry, entry.model))
    if isinstance(entry.model, TreeFile) and entry.model.defaults:
        return (*found, *defaults(entry, entry.model))
    return found


def _judge(env: TypeEnvironment, place: FieldPlace) -> JudgedText:
    read = Expression.parse if place.kind == "expression" else TextTemplate.parse
    try:
        text: Text = read(str(place.value))
    except SourceError as error:
        return JudgedText(place, None, error, ())
    return JudgedText(place, text, None, tuple(findings(text, env)))


def defaults(entry: AnyEntry, model: TreeFile) -> Iterator[FieldPlace]:
    """Yield the expressions that give variables and ports their first values."""
    for name, text in model.defaults.items():
        field = "vars" if name in model.vars else "ports"
        node = entry.at(field, name)
        shift = len(node.text) - len(text) if isinstance(node, Scalar) else 0
        yield FieldPlace(entry, (field, name), "expression", text, model, field, shift=shift)


def _conditions(entry: AnyEntry, model: ScenarioFile) -> Iterator[FieldPlace]:
    """Yield the conditions of a scenario's faults."""
    for index, line in enumerate(model.faults):
        condition = condition_of(line)
        if condition is not None:
            loc, key, shift = place_in_line(entry, ("faults", index), condition.offset)
            yield FieldPlace(
                entry, loc, "expression", condition.text, model, "faults", key=key, shift=shift
            )


def place_in_line(entry: AnyEntry, loc: Loc, offset: int) -> tuple[Loc, bool, int]:
    """Where a place in a line stands, in which YAML may have seen mappings for its colons.

    Returns the path of its scalar, whether that is a key, and the offset in it.
    """
    node = entry.at(*loc)
    while isinstance(node, Node) and len(node.entries) == 1:
        key, value = node.entries[0]
        if offset <= len(key.text):
            return (*loc, key.text), True, offset
        offset -= len(key.text) + len(": ")
        loc, node = (*loc, key.text), value
    return loc, False, max(offset, 0)


def _rules(entry: AnyEntry, model: ActionFile) -> Iterator[FieldPlace]:
    for key in ("always", "offline"):
        for number, rule in enumerate(getattr(model, key)):
            loop = rule.for_
            if loop is not None and loop.is_valid:
                loc = (key, number, "for")
                yield FieldPlace(
                    entry, loc, "expression", loop.items, rule, "for_", shift=loop.offset
                )
            for index, call in enumerate(rule.do):
                place = FieldPlace(entry, (key, number, "do", index), "value", call, rule, "do")
                yield from _call(place, call)


def _call(place: FieldPlace, call: object) -> Iterator[FieldPlace]:
    """Yield the arguments of a high-level action: texts for text parameters, else values."""
    if not isinstance(call, Mapping) or len(call) != 1:
        return
    ((name, given),) = call.items()
    action = find_action(name) if isinstance(name, str) else None
    here = place._replace(loc=(*place.loc, name), value=given)
    parameters = action.parameters if action is not None else ()
    if isinstance(given, str) and parameters and parameters[0].type == TEXT:
        yield here._replace(kind="text")
    elif isinstance(given, Mapping) and action is not None:
        texts = {parameter.name for parameter in parameters if parameter.type == TEXT}
        for key, value in given.items():
            is_text = key in texts and isinstance(value, str) and "{" in value
            kind = "text" if is_text else "value"
            one = here._replace(loc=(*here.loc, key), kind=kind, value=value)
            yield from with_expressions(one)
    else:
        yield from with_expressions(here)


def reported_elsewhere(view: View) -> set[Where]:
    """Return the texts of skills in which the rules of expressions report an error."""
    return {
        (place.entry.path, place.entry.name, place.loc, place.key)
        for text in parsed_texts(view)
        if (text.findings or text.error) and (place := text.place).entry.kind == "skill"
    }
