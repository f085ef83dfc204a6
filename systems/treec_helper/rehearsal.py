"""Rehearses a program on paper: does what its skills declare, and finds steps that cannot be right.

Nothing is known at first but what types of things have (`has`) and that facts of the agent alone
have no value: its hand is empty. Each step's `before` is judged by what is known, then its `after`
becomes known. A condition that certainly does not hold is a finding; so is a step whose effects
hold already, and a piece of a thing that nothing has taken apart. What is not known is never a
finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from treec.files.prompts import ConstructorSpec
from treec.files.tasks import SkillFile
from treec.files.types import Named, Type
from treec.files.view import View
from treec.frozen import frozen
from treec.program.binding import DOER, ArgumentMismatch, bind
from treec.program.effects import EffectSpec, find_effect, parse_repair
from treec.program.places import StepsError, TextPlace
from treec.program.steps import Literal, NameRef
from treec.source.errors import EvaluationProblem, LocatedError, Unknown
from treec.source.expression import Expression
from treec.source.objects import UnknownValue
from treec.source.scope import Special
from treec.source.template import TextTemplate
from treec_helper.mentions import spoken
from treec_program.api import Api
from treec_program.statements import (
    Assign,
    Do,
    FieldRef,
    For,
    IfStatement,
    Program,
    ProgramCall,
    Value,
    statements,
)

MAX_FINDINGS = 20


@frozen
class Symbol:
    """A thing of a program: the name that it has in the scene, or else in the program."""

    name: str
    kind: str
    whole: Symbol | None = None
    """What it is a piece of."""

    def __str__(self) -> str:
        return self.name


FactKey = tuple[str, tuple[str, ...]]


@dataclass
class _Known:
    """What is known at a step: facts with the line that made them so, and the program's names."""

    facts: dict[FactKey, tuple[object, int]] = field(default_factory=dict)
    names: dict[str, object] = field(default_factory=dict)

    def copy(self) -> _Known:
        return _Known(dict(self.facts), dict(self.names))

    def keep_common(self, others: list[_Known]) -> None:
        """Forget what is not the same in all of several ways to here."""
        for other in others:
            self.facts = {k: v for k, v in self.facts.items() if other.facts.get(k) == v}
            self.names = {k: v for k, v in self.names.items() if other.names.get(k) is v}


def rehearse(program: Program, api: Api, view: View, *, known_things: bool) -> list[StepsError]:
    """What cannot be right in a program that passed its check.

    ``known_things``: there is nothing but what is in the view's scene.
    """
    rehearsal = _Rehearsal(api, view)
    if known_things:
        rehearsal.uncut = uncut_pieces(view)
    return rehearsal.run(program)


def outcome(program: Program, api: Api, view: View) -> list[tuple[str, Symbol, object]]:
    """What a program's steps declare to be so in the end: facts of one thing, and their values."""
    rehearsal = _Rehearsal(api, view)
    known = rehearsal.rehearsed(program)
    return [
        (fact, rehearsal.symbols[args[0]], value)
        for (fact, args), (value, line) in known.facts.items()
        if line > 0 and len(args) == 1 and args[0] in rehearsal.symbols
    ]


def impossible(program: Program, api: Api, view: View) -> list[str]:
    """What a program asks of things whose type does not afford it: "the laptop cannot be washed".

    Such a step does nothing where its effects hold by themselves: a laptop is not dirty.
    """
    rehearsal = _Rehearsal(api, view)
    rehearsal.rehearsed(program)
    found = []
    for message in rehearsal.not_afforded:
        for symbol in rehearsal.symbols.values():
            if symbol.name not in view.objects:
                message = re.sub(rf"\b{symbol.name}\b", f"the {spoken(symbol.kind)}", message)
        found.append(message)
    return list(dict.fromkeys(found))


def uncut_pieces(view: View) -> dict[str, tuple[str, str]]:
    """Classes of pieces of which a scene has none at first: the class that is cut, and the fact."""
    found = {}
    for whole, spec in view.type_specs.items():
        pieces = spec.pieces
        if pieces is not None and pieces.once is not None:
            there = [o for o in view.objects.values() if o.type == pieces.type]
            if all(pieces.of in o.facts for o in there):
                found[pieces.type] = whole, pieces.once
    return found


class _Rehearsal:
    def __init__(self, api: Api, view: View) -> None:
        self.api = api
        self.view = view
        self.skills: Mapping[str, SkillFile] = {
            name: entry.model for name, entry in view.all("skill").items()
        }
        self.agent = Symbol(api.agent or DOER, "Robot")
        self.kinds: dict[str, str] = {name: str(kind) for name, kind in api.things.items()}
        self.found: list[StepsError] = []
        self.uncut: Mapping[str, tuple[str, str]] = {}
        self.not_afforded: list[str] = []
        self.symbols: dict[str, Symbol] = {}
        """The things that the program has used, by name."""
        effects = [(name, e) for name, s in self.skills.items() for e in _effects(s.after)]
        self.changing = frozenset(effect.fact for _, effect in effects)
        signs: dict[str, set[str]] = {}
        for _, effect in effects:
            signs.setdefault(effect.fact, set()).add(f"{effect.negated} {effect.value}")
        self.lasting = frozenset(fact for fact, found in signs.items() if len(found) > 1)
        """Facts that hold until a skill changes them: some skill sets them, and another unsets."""

    def run(self, program: Program) -> list[StepsError]:
        self.rehearsed(program)
        return self.found[:MAX_FINDINGS]

    def rehearsed(self, program: Program) -> _Known:
        """What is known in the end."""
        known = _Known()
        for name, spec in self.view.facts.items():
            of_agent = len(spec.args) == 1 and self.view.types.is_a("Robot", spec.args[0])
            if of_agent and spec.value is not None and name in self.changing:
                known.facts[name, (str(self.agent),)] = None, 0
        self._block(program, known)
        return known

    def _report(self, at: TextPlace, message: str, help: str | None) -> None:
        self.found.append(StepsError(message, at, help))

    # Statements

    def _block(self, program: Program, known: _Known) -> None:
        for statement in program:
            match statement:
                case Assign(name=name, value=value):
                    known.names[name] = self._value(value, known, name)
                case Do(call=call):
                    self._step(call, known)
                case For(body=body):
                    self._forget(body, known)
                    known.names[statement.name] = None
                    self._block(body, known)
                    self._forget(body, known)
                case IfStatement(branches=branches, otherwise=otherwise):
                    ways = []
                    for _, body in (*branches, (None, otherwise)):
                        ways.append(known.copy())
                        self._block(body, ways[-1])
                    first, *others = ways
                    first.keep_common(others)
                    known.facts, known.names = first.facts, first.names

    def _forget(self, body: Program, known: _Known) -> None:
        """Forget what a loop's body may change: it is the same in no two rounds."""
        changed: set[str] = set()
        for statement in statements(body):
            if isinstance(statement, Do) and statement.call.name in self.skills:
                after = _effects(self.skills[statement.call.name].after)
                changed.update(effect.fact for effect in after)
        known.facts = {key: v for key, v in known.facts.items() if key[0] not in changed}

    # Values

    def _value(self, value: Value, known: _Known, name: str = "") -> object:
        match value:
            case Literal():
                return self._thing(value.value)
            case NameRef():
                return known.names.get(value.name, self._thing(value.name))
            case FieldRef(on=on):
                return self._value(on, known)
            case ProgramCall(name=constructor) if constructor in self.api.specs:
                return self._construct(value, self.api.specs[constructor], known, name)
            case ProgramCall(name=constructor, args=(arg,)) if constructor in self.api.constructors:
                return self._value(arg, known)
        return None

    def _thing(self, value: object) -> object:
        kind = self.kinds.get(value) if isinstance(value, str) else None
        return value if kind is None else Symbol(str(value), kind)

    def _construct(
        self, call: ProgramCall, spec: ConstructorSpec, known: _Known, name: str
    ) -> object:
        given = {arg: self._value(v, known) for arg, v in zip(spec.args, call.args, strict=False)}
        given.update({k.name: self._value(k.value, known) for k in call.kwargs})
        named = next((v for v in given.values() if isinstance(v, Symbol) and v.whole is None), None)
        whole = given.get(spec.whole or "")
        kind = str(given.get(spec.kind or "") or spec.gives)
        if self.view.types.is_a(str(spec.gives), "Agent"):
            return self.agent
        if isinstance(whole, Symbol):
            return Symbol(name or f"{kind} in line {call.line}", kind, whole)
        if named is not None:
            return named
        return Symbol(name or f"{kind} in line {call.line}", kind)

    # Steps

    def _step(self, call: ProgramCall, known: _Known) -> None:
        skill = self.skills.get(call.name)
        if skill is None or call.name not in self.api.skills:
            return
        args = self._bind(call, skill, known)
        if args is None:
            return
        for value in args.values():
            if isinstance(value, Symbol):
                self.symbols[value.name] = value
            self._exists(call, value, known)
        is_assertion = call.name in self.api.asserts
        scope = self._scope(args, known)
        if not is_assertion and self._is_done(call, skill, scope, args):
            return
        for text, repair in skill.preconditions if not is_assertion else ():
            if Expression.parse(text).judge(scope) is False:
                self._unmet(call, skill, text, repair, scope)
        self._apply(skill, scope, known, call.line)

    def _bind(self, call: ProgramCall, skill: SkillFile, known: _Known) -> dict[str, object] | None:
        given = [self._value(arg, known) for arg in call.args]
        names = list(skill.args)
        if call.on is not None:
            receiver = self._value(call.on, known)
            given.insert(0, receiver)
            if receiver != self.agent:
                names = [name for name in names if name != DOER]
        bound = bind(call.name, names, len(given), [k.name for k in call.kwargs])
        if isinstance(bound, ArgumentMismatch):
            return None
        args: dict[str, object] = {DOER: self.agent}
        args.update(zip(bound, given, strict=True))
        args.update({k.name: self._value(k.value, known) for k in call.kwargs})
        return args

    def _exists(self, call: ProgramCall, value: object, known: _Known) -> None:
        """Report a piece of a thing that nothing has cut."""
        whole = value.whole if isinstance(value, Symbol) else None
        if whole is None:
            self._exists_by_itself(call, value, known)
            return
        spec = self.view.type_specs.get(whole.kind)
        pieces = spec.pieces if spec is not None else None
        if pieces is None or pieces.once is None:
            return
        if known.facts.get((pieces.once, (whole.name,)), (False, 0))[0] is not True:
            makers = [n for n, s in self.skills.items() if _makes(s, pieces.once)]
            help = f"first {whole.name}.{makers[0]}()" if makers else None
            message = f"'{value}' does not exist yet: '{whole}' is whole"
            self._report(call.at, message, help)
            known.facts[pieces.once, (whole.name,)] = True, call.line  # said once

    def _exists_by_itself(self, call: ProgramCall, value: object, known: _Known) -> None:
        """Report a piece that is of nothing in particular, where nothing of its kind was cut."""
        if not isinstance(value, Symbol) or value.kind not in self.uncut:
            return
        if value.name in self.kinds:
            return
        whole, once = self.uncut[value.kind]
        if any(fact == once and held is True for (fact, _), (held, _) in known.facts.items()):
            return
        message = f"'{value}' does not exist yet: no {whole} is cut"
        self._report(call.at, message, f"first cut a {whole}")
        known.facts[once, (value.name,)] = True, call.line  # said once

    def _is_done(
        self,
        call: ProgramCall,
        skill: SkillFile,
        scope: _RehearsalScope,
        args: Mapping[str, object],
    ) -> bool:
        """Report a step whose effects hold already, by an earlier step of the program."""
        if skill.again or not skill.after:
            return False
        since = 0
        for text, effect in zip(skill.after, _effects(skill.after), strict=False):
            if effect.fact not in self.lasting or Expression.parse(text).judge(scope) is not True:
                return False
            since = max(since, scope.line_of(effect))
        if since == 0:
            return False
        shown = ", ".join(str(value) for name, value in args.items() if name != DOER)
        message = f"{call.name}({shown}) is done already, since line {since}"
        self._report(call.at, message, "leave this step out")
        return True

    def _unmet(
        self,
        call: ProgramCall,
        skill: SkillFile,
        text: str,
        repair: str | None,
        scope: _RehearsalScope,
    ) -> None:
        told = skill.otherwise.get(text)
        message = f"{call.name}: '{text}' does not hold"
        if told is not None:
            with suppress(LocatedError, EvaluationProblem):
                message = TextTemplate.parse(told).render(scope)
        help = None
        if repair is not None:
            help = f"first {parse_repair(repair).name}(…); while running, that is done by itself"
        self._report(call.at, message, help)
        fact = re.fullmatch(r"(\w+)\(\w+\)", text)
        if fact is not None and fact[1] not in self.changing:
            self.not_afforded.append(message)

    def _scope(self, args: Mapping[str, object], known: _Known) -> _RehearsalScope:
        return _RehearsalScope(self, args, known)

    def _apply(self, skill: SkillFile, scope: _RehearsalScope, known: _Known, line: int) -> None:
        for effect in (*_effects(skill.at_start), *_effects(skill.after)):
            key = scope.ground(effect)
            if key is None:
                known.facts = {k: v for k, v in known.facts.items() if k[0] != effect.fact}
                continue
            value: object = not effect.negated
            if effect.wanted is not None:
                value = scope.value(effect.wanted.text)
            before = known.facts.get(key, (None, 0))[0]
            if isinstance(before, Symbol) and before != value:
                # what was said of the thing it had before, such as at(item) == agent
                known.facts = {
                    k: v
                    for k, v in known.facts.items()
                    if not (k[1] == (before.name,) and str(v[0]) == key[1][0])
                }
            if effect.fact == "at" and isinstance(value, Symbol):
                self._make_room(value, known)
            if isinstance(value, UnknownValue):
                known.facts.pop(key, None)
            else:
                known.facts[key] = value, line

    def _make_room(self, target: Symbol, known: _Known) -> None:
        """Forget where things are that have to leave a full thing for the next one: a machine."""
        room = self.view.type_facts(target.kind).get("room")
        there = [key for key, (at, _) in known.facts.items() if key[0] == "at" and at == target]
        if isinstance(room, int) and 0 < room <= len(there):
            first = min(there, key=lambda key: known.facts[key][1])
            del known.facts[first]


class _RehearsalScope:
    """Names and facts as they are known at a step; everything else is unknown."""

    def __init__(self, rehearsal: _Rehearsal, args: Mapping[str, object], known: _Known) -> None:
        self._rehearsal = rehearsal
        self._args = args
        self._known = known

    def lookup(self, name: str) -> object:
        if name in self._args and self._args[name] is not None:
            return _plain(self._args[name])
        if name in self._args:
            raise Unknown(f"'{name}' is not known")
        if name in self._rehearsal.kinds:
            return name
        raise Unknown(f"'{name}' is not known")

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        view = self._rehearsal.view
        if name not in view.facts or kwargs:
            raise Unknown(f"'{name}' is not known")
        if args == (None,):  # a fact about nothing
            return None
        if not all(isinstance(arg, str) for arg in args):
            raise Unknown(f"'{name}' is not known")
        key = name, tuple(map(str, args))
        if key in self._known.facts:
            return _plain(self._known.facts[key][0])
        if len(args) == 1 and name not in self._rehearsal.changing:
            kind = self._kind(key[1][0])
            if kind is not None and any(name in s.has for s in view.type_specs.values()):
                return view.type_facts(kind).get(name)
        raise Unknown(f"'{name}' is not known")

    def special(self, name: str) -> Special | None:
        return None

    def test(self, name: str, value: object, args: tuple[object, ...]) -> bool:
        raise Unknown(f"'{name}' is not known")

    def _kind(self, name: str) -> str | None:
        for value in (*self._args.values(), *self._known.names.values()):
            if isinstance(value, Symbol) and value.name == name:
                return value.kind
        return self._rehearsal.kinds.get(name)

    def value(self, text: str) -> object:
        """The value of an expression; an UnknownValue if it is not known."""
        try:
            found = Expression.parse(text).evaluate(self)
        except (LocatedError, EvaluationProblem):
            return UnknownValue()
        return self._symbol(found)

    def _symbol(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        for one in (*self._args.values(), *self._known.names.values()):
            if isinstance(one, Symbol) and one.name == value:
                return one
        return value

    def ground(self, effect: EffectSpec) -> FactKey | None:
        """The fact that an effect sets; None if it is not known of what."""
        args = [self.value(text) for text in effect.args]
        if any(isinstance(arg, UnknownValue) or arg is None for arg in args):
            return None
        return effect.fact, tuple(map(str, args))

    def line_of(self, effect: EffectSpec) -> int:
        """The line that made an effect's fact what it is."""
        key = self.ground(effect)
        return 0 if key is None else self._known.facts.get(key, (None, 0))[1]


def _plain(value: object) -> object:
    return value.name if isinstance(value, Symbol) else value


def _effects(texts: list[str]) -> list[EffectSpec]:
    return [effect for effect in map(find_effect, texts) if effect is not None]


def _makes(skill: SkillFile, fact: str) -> bool:
    return any(effect.fact == fact and not effect.negated for effect in _effects(skill.after))


def instances(program: Program, api: Api) -> Iterator[tuple[str, Type]]:
    """Texts of a program that look like names of things: a type, an underscore and a number."""
    todo: list[object] = list(program)
    while todo:
        here = todo.pop()
        if isinstance(here, Literal) and isinstance(here.value, str):
            kind, underscore, number = here.value.rpartition("_")
            if underscore and number.isdigit() and api.types.has(kind):
                yield here.value, Named(kind)
        elif isinstance(here, tuple | list):
            todo += here
        else:
            slots = getattr(type(here), "__slots__", ())
            todo += [getattr(here, name) for name in slots if name != "at"]
