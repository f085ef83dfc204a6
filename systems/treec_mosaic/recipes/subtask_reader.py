"""Finds the effects and requirements of subtasks from their tasks' files.

A task's ``goal`` is its effect (``at(item) == 'table'``); the ``before`` of the skills in its
``steps`` are the facts that it requires. A task without steps (a person's work), and words that
match no task, are assumed to require every thing that they name. A phrase in an argument's place
that names nothing in the scene stands for itself, so that a recipe can be read before its scene
exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from treec.files.tasks import SkillFile, TaskFile
from treec.frozen import frozen
from treec.program.binding import ArgumentMismatch, bind
from treec.program.effects import EffectError, find_effect, parse_repair
from treec.program.places import StepsError
from treec.program.steps import Arg, FunctionCall, Literal, NameRef, parse_steps
from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.team.knowledge import Knowledge
from treec.team.words import compile_pattern

FactOf = tuple[str, tuple[str, ...]]
"""A fact and the things it is about: ``('at', ('crate',))``."""

_QUOTED = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_CALL = re.compile(r"(\w+)\((\w+)\)")


@frozen
class Goal:
    """What holds when a subtask is done; ``value`` is None if the files do not say."""

    of: FactOf
    valued: bool
    value: str | None
    plain: bool
    """The task names the value itself; else it is looked up, as in ``home(item)``."""
    text: str


@frozen
class InterpretedSubtask:
    """A subtask with its task, its things, its effect and its requirements."""

    id: str
    words: str
    task: str | None
    known: bool
    """The scene has all its things, and a task its words."""
    names: tuple[str, ...]
    """The things that its words name."""
    goal: Goal | None
    needs: frozenset[FactOf]
    has_steps: bool
    """``needs`` come from steps; otherwise it needs what it names."""
    again: bool
    """Doing it twice is not the same as doing it once."""

    def uses(self, fact: FactOf) -> bool:
        """Whether it needs a fact of its things."""
        if self.has_steps:
            return fact in self.needs
        return len(fact[1]) == 1 and fact[1][0] in self.names


class _SkillStep(NamedTuple):
    """A step of a task: what its skill is given, and the facts that each condition requires."""

    skill: SkillFile
    given: list[tuple[str, Arg]]
    conditions: list[tuple[list[FactOf], bool]]
    """With whether every able agent can repair it."""


class SubtaskReader:
    """Interprets the subtasks of one system."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.view = knowledge.view
        self._steps: dict[str | None, tuple[list[_SkillStep], bool]] = {}

    def read(self, subtasks: Mapping[str, str]) -> dict[str, InterpretedSubtask]:
        """The meaning of each subtask of a recipe, by id, from its words."""
        bound = {id: self._bind(words) for id, words in subtasks.items()}
        things = dict(self._things)
        for _, args, _ in bound.values():
            things.update({phrase: phrase for phrase in args.values() if phrase not in things})
        return {id: self._meaning(id, subtasks[id], *found, things) for id, found in bound.items()}

    @cached_property
    def _things(self) -> Mapping[str, str]:
        """The things of the scene by every name that they have."""
        things = {name: name for name in self.view.objects}
        for name, spec in self.view.objects.items():
            things.update(dict.fromkeys(spec.also, name))
        return things

    def _bind(self, words: str) -> tuple[str | None, dict[str, str], bool]:
        """The task, its arguments, and whether all of them are things of the scene."""
        found = self.knowledge.words.match(words)
        if found is not None:
            return found.task, dict(found.args), True
        nearly = self.knowledge.words.nearly(words)
        if nearly is None:
            return None, {}, False
        text = " ".join(words.split())
        task = self.knowledge.tasks[nearly[0]]
        fits = [m for says in task.says if (m := compile_pattern(says).fullmatch(text))]
        args = {}
        # prefer "get the <item>" to "get <item>": the phrase is shorter
        best = min(fits, key=lambda m: sum(map(len, m.groupdict().values())), default=None)
        for name, phrase in (best.groupdict() if best else {}).items():
            args[name] = self.knowledge.words.thing(phrase, task.args.get(name)) or phrase.lower()
        return nearly[0], args, False

    def _meaning(
        self,
        id: str,
        words: str,
        task: str | None,
        args: Mapping[str, str],
        known: bool,
        things: Mapping[str, str],
    ) -> InterpretedSubtask:
        model = self.knowledge.tasks.get(task) if task is not None else None
        if model is None:
            named = tuple(dict.fromkeys(_find_named(words, things)))
            return InterpretedSubtask(id, words, None, False, named, None, frozenset(), False, True)
        steps, again = self._needs(task, model, args)
        return InterpretedSubtask(
            id,
            words,
            task,
            known,
            tuple(dict.fromkeys(args.values())),
            self.goal(model, args),
            frozenset(steps),
            model.steps is not None,
            again,
        )

    def goal(self, model: TaskFile, args: Mapping[str, str]) -> Goal | None:
        """The goal of a task for these things; None if it has none."""
        effect = find_effect(model.goal) if model.goal else None
        if effect is None or effect.negated:
            return None
        of = (effect.fact, tuple(_thing(text, args) for text in effect.args))
        if effect.value is None:
            return Goal(of, False, None, True, model.goal or "")
        call = _CALL.fullmatch(effect.value)
        plain = call is None
        value = _thing(effect.value, args)
        if call is not None:
            value = str(self.start(call[1], args.get(call[2], call[2])) or "")
        return Goal(of, True, value or None, plain, model.goal or "")

    def is_agent(self, name: str | None) -> bool:
        """Whether a name is an agent's."""
        return name in self.view.agents

    def start(self, fact: str, thing: str) -> object:
        """The value of a fact of a thing when the scene begins; None if it does not say."""
        spec = self.view.objects.get(thing)
        return spec.facts.get(fact) if spec is not None else None

    def _needs(
        self, task: str | None, model: TaskFile, args: Mapping[str, str]
    ) -> tuple[set[FactOf], bool]:
        """The facts that the skills of its steps require, and whether one has `again: true`.

        A robot that goes to a thing and works on it there does not need it fetched: a condition
        that every able agent can repair is not required, unless the skill changes that fact (picks
        the thing up).
        """
        if task not in self._steps:
            self._steps[task] = self._read_steps(task, model)
        steps, again = self._steps[task]
        found: set[FactOf] = set()
        for skill, given, conditions in steps:
            bound = {name: thing for name, arg in given if (thing := self._value(arg, args))}
            for required, repaired in conditions:
                facts = {
                    (fact, tuple(bound[name] for name in names))
                    for fact, names in required
                    if bound.keys() >= {*names}
                }
                if facts and repaired:
                    facts &= set(_changed(skill, bound))
                found |= facts
        return found, again

    def _read_steps(self, task: str | None, model: TaskFile) -> tuple[list[_SkillStep], bool]:
        """The steps of a task whose skills are known, and whether it is not the same twice."""
        try:
            steps = parse_steps(model.steps or "")
        except StepsError:
            return [], True
        found: list[_SkillStep] = []
        again = not steps
        for step in steps:
            entry = self.view.find("skill", step.name)
            if entry is None:
                again = True
                continue
            skill: SkillFile = entry.model
            again = again or skill.again
            names = bind(step.name, list(skill.args), len(step.args), [n for n, _ in step.kwargs])
            if isinstance(names, ArgumentMismatch):  # reported by TC506
                continue
            conditions = [
                (
                    [fact for fact in _required(condition) if fact[0] in self.view.facts],
                    repair is not None and self._all_can_repair(task, repair),
                )
                for condition, repair in skill.preconditions
            ]
            given = [*zip(names, step.args, strict=True), *step.kwargs]
            found.append(_SkillStep(skill, given, conditions))
        return found, again

    def _all_can_repair(self, task: str | None, repair: str) -> bool:
        """Whether every agent that can do a task has the skill that a repair calls."""
        able = [a for a in self.view.agents.values() if task in a.can]
        try:
            skill = parse_repair(repair).name
        except (EffectError, SourceError):  # TC513 tells
            return False
        return bool(able) and all(skill in agent.skills for agent in able)

    def _value(self, arg: Arg, args: Mapping[str, str]) -> str | None:
        match arg:
            case Literal(value=value):
                return str(value)
            case NameRef(name=name):
                return args.get(name, name)
            case FunctionCall(name=fact, args=(NameRef(name=thing),)):
                return str(self.start(fact, args.get(thing, thing)) or "") or None
        return None


def _thing(text: str, args: Mapping[str, str]) -> str:
    """The thing of an expression: a quoted name, an argument's thing, or the text itself."""
    quoted = _QUOTED.fullmatch(text)
    return (quoted[1] or quoted[2] or "") if quoted else args.get(text, text)


def _changed(skill: SkillFile, bound: Mapping[str, str]) -> Iterator[FactOf]:
    """The facts of bound things that a skill sets."""
    for effect in map(find_effect, skill.after):
        if effect is not None:
            yield effect.fact, tuple(bound.get(arg, arg) for arg in effect.args)


@lru_cache(maxsize=4096)
def _required(condition: str) -> tuple[FactOf, ...]:
    """The facts that a condition requires, and the names they are about; none that is negated."""
    try:
        calls = Expression.parse(condition).calls
    except SourceError:
        return ()
    return tuple((it.name, names) for it in calls if (names := it.plain_args) and not it.negated)


def _find_named(words: str, things: Mapping[str, str]) -> Iterator[str]:
    """The things that words name; of two names at one place, the longer."""
    rest = words.lower()
    for word in sorted(things, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(word.lower())}(?!\w)"
        if re.search(pattern, rest):
            rest = re.sub(pattern, " ", rest)
            yield things[word]
