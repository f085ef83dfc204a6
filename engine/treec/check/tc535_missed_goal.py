"""Goal of a task that its steps do not bring about.

A subtask is done when the `goal` of its task holds after its steps; else it has failed. So each
part of a goal that is a fact must come from the `after` of a skill that the steps call, or of a
repair, with the value that the goal wants: an argument, if it wants that.

Wrong:

    task: get
    about: Fetch something and put it on the table.
    args: {item: Item}
    goal: at(item) == 'table'
    steps: |
      pick(item)
      place(item, shelf)

Right:

    task: get
    about: Fetch something and put it on the table.
    args: {item: Item}
    goal: at(item) == 'table'
    steps: |
      pick(item)
      place(item, table)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.conditions import literal_value
from treec.files.tasks import SkillFile, TaskFile
from treec.files.types import Type, TypeTree, read_type
from treec.files.view import View
from treec.frozen import frozen
from treec.program.binding import ArgumentMismatch, bind
from treec.program.effects import (
    EffectError,
    EffectSpec,
    ExpressionPart,
    conjuncts,
    find_effect,
    parse_repair,
)
from treec.program.places import StepsError
from treec.program.steps import Arg, Literal, NameRef, StepCall, parse_steps
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError

CODE = "TC535"


@frozen
class _Value:
    """A thing, text or number that a file names; or what an argument stands for, by its name."""

    value: object
    type: Type | None = None
    is_argument: bool = False

    def differs(self, other: _Value | None, types: TypeTree) -> bool:
        """Whether the two are certainly not the same."""
        if other is None or self == other or self._is_unknown(other) or other._is_unknown(self):
            return False
        if not self.is_argument and not other.is_argument:
            return self.value != other.value
        if self.type is None or other.type is None:
            return False
        return not types.could_be(self.type, other.type)

    def _is_unknown(self, other: _Value) -> bool:
        """Whether it is no thing where one is meant: that is reported where it stands."""
        return isinstance(self.value, str) and self.type is None and other.type is not None


@frozen
class _Effect:
    """A fact that is set; an argument or value that is computed is None."""

    fact: str
    args: tuple[_Value | None, ...]
    value: _Value | None

    def is_about(self, other: _Effect) -> bool:
        """Whether both set the same fact of the same things, for certain."""
        return None not in self.args and (self.fact, self.args) == (other.fact, other.args)

    def may_be(self, other: _Effect, types: TypeTree) -> bool:
        """Whether it may set the same fact of the same things to the same value."""
        pairs = [*zip(self.args, other.args, strict=False), (self.value, other.value)]
        return self.fact == other.fact and not any(a and a.differs(b, types) for a, b in pairs)


def check(view: View) -> Iterator[Diagnostic]:
    """Report parts of goals that no step brings about, or that the last one leaves otherwise."""
    for entry in entries(view, "task"):
        task: TaskFile = entry.model
        done = _carry_out(view, task)
        if done is None or task.goal is None:
            continue
        try:
            parts = conjuncts(task.goal)
        except SourceError:
            continue
        for part in parts:
            if problem := _find_problem(view, task, part, done):
                span = entry.span_in(("goal",), part.offset, len(part.text))
                help = "change the steps or the goal; a subtask whose goal does not hold has failed"
                yield Diagnostic(CODE, "error", span, problem, help)


@frozen
class _Step:
    """What a step sets, in order, and the facts that its repairs may change."""

    effects: tuple[_Effect, ...]
    repaired: frozenset[str]


def _find_problem(
    view: View, task: TaskFile, part: ExpressionPart, done: list[_Step]
) -> str | None:
    wanted = _read(part.text, _arguments(task.args), view)
    if wanted is None or wanted.fact not in view.facts or view.facts[wanted.fact].sensed:
        return None
    changed = frozenset[str]()  # by repairs of later steps
    for step in reversed(done):
        for effect in reversed(step.effects):
            if wanted.fact in changed:
                return None
            if effect.is_about(wanted):
                if effect.value is None or wanted.value is None:
                    return None
                if not _is_missed(effect.value, wanted.value, view):
                    return None
                return f"the steps end with {_shown(effect)}, not with {part.text}"
            if effect.may_be(wanted, view.types):
                return None
        changed |= step.repaired
    if wanted.fact in changed:
        return None
    return f"no step brings about {part.text}"


def _is_missed(value: _Value, wanted: _Value, view: View) -> bool:
    """Whether a value is not the wanted one, at least for most of what an argument may be."""
    if not wanted.is_argument or wanted.type is None or value == wanted:
        return value.differs(wanted, view.types)
    return len(view.types.fitting(view.things, wanted.type)) > 1


def _arguments(types: Mapping[str, str]) -> dict[str, _Value]:
    return {name: _Value(name, read_type(text), True) for name, text in types.items()}


def _carry_out(view: View, task: TaskFile) -> list[_Step] | None:
    """What the steps set, one after the other; None if that is not known."""
    try:
        steps = parse_steps(task.steps or "")
    except StepsError:
        return None
    skills = view.all("skill")
    if not steps or any(step.name not in skills for step in steps):
        return None
    names = _arguments({"agent": "Agent", **task.args})
    done = []
    for step in steps:
        skill: SkillFile = skills[step.name].model
        bound = _bind(step, skill, names, view)
        if bound is None:
            return None
        effects = [_read(text, bound, view) for text in (*skill.at_start, *skill.after)]
        if any(effect and effect.fact not in view.facts for effect in effects):
            return None  # reported by TC204
        repaired = frozenset(_facts_of_repairs(view, step.name, set()))
        done.append(_Step(tuple(effect for effect in effects if effect), repaired))
    return done


def _bind(
    step: StepCall, skill: SkillFile, names: Mapping[str, _Value], view: View
) -> dict[str, _Value | None] | None:
    """The arguments of a skill; None for a call that does not fit."""
    bound = bind(step.name, list(skill.args), len(step.args), [name for name, _ in step.kwargs])
    if isinstance(bound, ArgumentMismatch):
        return None
    given = (*zip(bound, step.args, strict=True), *step.kwargs)
    return {"agent": names["agent"], **{name: _value(arg, names, view) for name, arg in given}}


def _value(arg: Arg, names: Mapping[str, _Value], view: View) -> _Value | None:
    match arg:
        case Literal(value=value):
            return _thing(value, view)
        case NameRef(name=name):
            return names[name] if name in names else _thing(name, view)
    return None


def _thing(value: object, view: View) -> _Value:
    type: Type | None = None
    if value in view.objects:
        type = read_type(view.objects[str(value)].type)
    elif value in view.agents:
        type = read_type(view.agents[str(value)].is_)
    return _Value(value, type)


def _read(text: str, names: Mapping[str, _Value | None], view: View) -> _Effect | None:
    """An effect, or a part of a goal that has the form of one."""
    spec = find_effect(text)
    if spec is None:
        return None
    args = tuple(_part(arg, names, view) for arg in spec.args)
    return _Effect(spec.fact, args, _wanted(spec, names, view))


def _wanted(spec: EffectSpec, names: Mapping[str, _Value | None], view: View) -> _Value | None:
    return _Value(not spec.negated) if spec.value is None else _part(spec.value, names, view)


def _part(text: str, names: Mapping[str, _Value | None], view: View) -> _Value | None:
    if text in names:
        return names[text]
    if text in view.objects or text in view.agents:
        return _thing(text, view)
    value = literal_value(text)
    return _thing(value, view) if text == "none" or isinstance(value, str | int | float) else None


def _facts_of_repairs(view: View, skill: str, seen: set[str]) -> Iterator[str]:
    """The facts that the repairs of a skill may change, and the repairs of these."""
    model: SkillFile = view.all("skill")[skill].model
    texts = [repair for _, repair in model.preconditions if repair is not None]
    for text in (*texts, *([model.if_unmet] if model.if_unmet is not None else ())):
        try:
            name = parse_repair(text).name
        except (EffectError, SourceError):
            continue
        if name in seen or name not in view.all("skill"):
            continue
        seen.add(name)
        repair: SkillFile = view.all("skill")[name].model
        for effect in (*repair.at_start, *repair.after):
            if read := _read(effect, {}, view):
                yield read.fact
        yield from _facts_of_repairs(view, name, seen)


def _shown(effect: _Effect) -> str:
    call = f"{effect.fact}({', '.join(str(arg.value) for arg in effect.args if arg)})"
    assert effect.value is not None
    value = effect.value.value
    if isinstance(value, bool):
        return call if value else f"not {call}"
    if effect.value.is_argument or value is None:
        return f"{call} == {'none' if value is None else value}"
    return f"{call} == {value!r}"
