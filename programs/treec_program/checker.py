"""Checks a program before its first step: types, names, arguments and loops, with positions.

Types are inferred through assignments, conditions and loops. A name that is assigned in only one of
two branches is undefined after them. A value whose type may fit is checked again when its step is
reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from treec.files.prompts import ConstructorSpec
from treec.files.types import (
    ANY,
    BOOL,
    NONE,
    NUMBER,
    TEXT,
    ListOf,
    Named,
    Type,
    misfit,
    options,
    read_type,
    type_of,
    union,
    without_none,
)
from treec.program.binding import DOER, ArgumentMismatch, bind
from treec.program.places import StepsError, TextPlace
from treec.program.steps import Literal, NameRef
from treec.source.diagnostics import suggestion
from treec_program.api import Api, FunctionSignature, SkillSignature
from treec_program.statements import (
    Assign,
    BooleanOperation,
    Comparison,
    Do,
    FieldRef,
    For,
    IfStatement,
    Items,
    Negation,
    Program,
    ProgramCall,
    Statement,
    Value,
)

MAX_ROUNDS = 100
"""The maximum number of iterations of a loop."""
RANGE = "range"
_EQUAL = frozenset({"eq", "ne"})
_CONTAINED = frozenset({"in", "notin"})
_ORDERED = frozenset({ANY, NUMBER, Named("integer"), TEXT})


MAX_FINDINGS = 10


class TooManyFindings(Exception):
    """Stops the check when ``MAX_FINDINGS`` errors were found."""


class ValueChecker:
    """Infers the types of values and checks them.

    Errors are appended to ``found``; with None only types are inferred, which is faster. Raises
    `TooManyFindings` after `MAX_FINDINGS` errors.
    """

    number = NUMBER

    def __init__(self, api: Api, found: list[StepsError] | None) -> None:
        self.api = api
        self._found = found

    def report(self, at: TextPlace, message: str, help: str | None = None) -> None:
        """Report an error at a place."""
        if self._found is None:
            return
        self._found.append(StepsError(message, at, help))
        if len(self._found) >= MAX_FINDINGS:
            raise TooManyFindings

    def suggestion(self, name: str, known: Iterable[str], what: str) -> str:
        """The nearest known name, or a list of the known names."""
        if self._found is None:
            return ""
        return suggestion(name, known, what)

    def quiet(self, value: Value, known: Mapping[str, Type]) -> Type:
        """The type of a value that has been checked already."""
        return ValueChecker(self.api, None).value(value, known)

    def value(self, value: Value, known: Mapping[str, Type]) -> Type:
        """Check a value with all its parts, and return its type."""
        match value:
            case Literal():
                return type_of(value.value) or ANY
            case NameRef():
                return self._name(value, known)
            case FieldRef(on=on, name=name):
                return self.api.readable.get(name) or self._name(on, known)
            case Items(items=items):
                found: Type | None = None
                for item in items:
                    kind = self.value(item, known)
                    found = kind if found is None else union(found, kind)
                return ListOf(ANY if found is None else found)
            case Negation(value=inner):
                self.value(inner, known)
                return BOOL
            case BooleanOperation(parts=parts):
                for part in parts:
                    self.value(part, known)
                return BOOL
            case Comparison():
                self._comparison(value, known)
                return BOOL
            case ProgramCall():
                return self._call(value, known)

    def list_options(self, kind: Type) -> Iterator[ListOf]:
        """The list types among a type's options; `any` counts as a list of any."""
        for option in options(kind):
            if isinstance(option, ListOf):
                yield option
            elif option == ANY:
                yield ListOf(ANY)

    def _name(self, ref: NameRef, known: Mapping[str, Type]) -> Type:
        api, name = self.api, ref.name
        for names in (known, api.names, api.things):
            if name in names:
                return names[name]
        if api.things_whole and self._found is not None:
            help = self._instead(name, (*known, *api.names, *api.things))
            self.report(ref.at, f"unknown name '{name}'", help)
        return ANY

    def _instead(self, name: str, known: tuple[str, ...]) -> str:
        spaced = {thing.replace(" ", "_").lower(): thing for thing in self.api.things}
        thing = spaced.get(name.lower())
        if thing is not None:
            return f"write '{thing}', in quotes"
        if name in self.api.functions:
            return f"write {name}(…)"
        if name in self.api.skills:
            return "a skill is a step of its own: it has no value"
        return self.suggestion(name, [n for n in known if n.isidentifier()], "known")

    # Conditions

    def _comparison(self, comparison: Comparison, known: Mapping[str, Type]) -> None:
        left, right = comparison.left, comparison.right
        one, other = self.value(left, known), self.value(right, known)
        if comparison.operator in _CONTAINED:
            lists = list(self.list_options(other))
            if not lists:
                self.report(right.at, "this is not a list", "write in ['crate', 'pallet']")
            elif not isinstance(right, Items):
                for inner in lists:
                    self._literal_fits(left, inner.item)
            for item in right.items if isinstance(right, Items) else ():
                self._literal_fits(item, one)
        elif comparison.operator in _EQUAL:
            self._literal_fits(left, other)
            self._literal_fits(right, one)
            if NONE not in (one, other) and not self.api.types.could_be(one, other):
                message = f"{without_none(one)} is never equal to {without_none(other)}"
                self.report(comparison.at, message)
        else:
            for side, kind in ((left, one), (right, other)):
                if not any(option in _ORDERED for option in options(kind)):
                    message = f"{without_none(kind)} cannot be ordered"
                    self.report(side.at, message, "compare numbers")

    def certain(self, value: Value, known: Mapping[str, Type]) -> Literal | None:
        """The value as a literal, if it is one or the bare name of a thing; else None."""
        if isinstance(value, NameRef):
            thing = value.name not in known and value.name not in self.api.names
            return (
                Literal(value.name, value.at) if thing and value.name in self.api.things else None
            )
        return value if isinstance(value, Literal) else None

    def _literal_fits(self, value: Value, kind: Type) -> None:
        """Check that a text that is compared with a thing is a thing's name."""
        if self._found is None:
            return
        if not isinstance(value, Literal) or not isinstance(value.value, str):
            return
        if not any(self.api.types.is_thing(option) for option in options(kind)):
            return
        wrong = misfit(kind, value.value, self.api)
        if wrong is not None:
            self.report(value.at, wrong.message, wrong.help)

    # Calls

    def _call(self, call: ProgramCall, known: Mapping[str, Type]) -> Type:
        api = self.api
        kinds = [self.value(arg, known) for arg in call.args]
        for keyword in call.kwargs:
            self.value(keyword.value, known)
        on = [] if call.on is None else [(call.on, self.value(call.on, known))]
        if call.name in api.skills or call.name in api.lacking:
            help = "write it on a line of its own"
            self.report(call.at, f"the skill '{call.name}' is a step: it has no value", help)
            return ANY
        function = api.functions.get(call.name)
        if call.on is not None and (api.style == "functions" or function is None):
            help = f"write {call.name}({call.on.name})" if function is not None else ""
            if function is None and api.style != "functions":
                help = self.suggestion(call.name, api.functions, "functions")
            self.report(call.at, f"'{call.name}' is not a skill of a thing", help or None)
            return ANY
        if call.name in api.specs:
            return self._construct_from(call, api.specs[call.name], kinds, known)
        if call.kwargs:
            self.report(call.kwargs[0].at, "only skills take named arguments", "leave the name out")
            return ANY
        if call.name in api.constructors:
            return self._construct(call, kinds, known)
        if function is not None:
            given = [*on, *zip(call.args, kinds, strict=True)]
            return self._function(function, call, given, known)
        if api.things_whole:
            if call.name == "range":
                help = "it only stands in a loop: for attempt in range(3):"
            else:
                known_names = (*api.functions, *api.constructors)
                help = self.suggestion(call.name, known_names, "known")
            self.report(call.at, f"unknown fact or function '{call.name}'", help)
        return ANY

    def _construct(self, call: ProgramCall, kinds: list[Type], known: Mapping[str, Type]) -> Type:
        constructor = self.api.constructors[call.name]
        if len(call.args) != 1:
            help = f"write {call.name}('NAME')"
            self.report(call.at, f"'{call.name}' takes one thing's name", help)
            return constructor
        self.fits(call.args[0], kinds[0], constructor, f"{call.name} is for", known)
        (arg,) = call.args
        if isinstance(arg, Literal):
            return self.api.things.get(str(arg.value), constructor)
        return constructor if kinds[0] in (ANY, TEXT) else kinds[0]

    def _construct_from(
        self,
        call: ProgramCall,
        spec: ConstructorSpec,
        kinds: list[Type],
        known: Mapping[str, Type],
    ) -> Type:
        """Check the arguments of a constructor that has several; its type is the most exact."""
        types = {name: read_type(kind) for name, kind in spec.args.items()}
        optional = [name for name, kind in types.items() if NONE in options(kind)]
        gives = read_type(spec.gives)
        written = f"write {call.name}({', '.join(n for n in types if n not in optional)})"
        given: dict[str, tuple[Value, Type]] = {}
        if len(call.args) > len(types):
            message = f"'{call.name}' takes at most {len(types)} arguments, not {len(call.args)}"
            self.report(call.args[len(types)].at, message, written)
            return gives
        for name, arg, kind in zip(types, call.args, kinds, strict=False):
            given[name] = arg, kind
        for keyword in call.kwargs:
            if keyword.name not in types:
                help = self.suggestion(keyword.name, types, "its arguments")
                self.report(keyword.at, f"unknown argument '{keyword.name}' of '{call.name}'", help)
            elif keyword.name in given:
                message = f"'{call.name}' gets its argument '{keyword.name}' twice"
                self.report(keyword.at, message)
            else:
                given[keyword.name] = keyword.value, self.quiet(keyword.value, known)
        for name in types:
            if name not in given and name not in optional:
                self.report(call.at, f"'{call.name}' needs the argument '{name}'", written)
        exact = gives
        for name, (value, kind) in given.items():
            self._one_of(name, value)
            if name == spec.kind:
                exact = self._type_named(value, gives) or exact
            else:
                self.fits(value, kind, types[name], f"{call.name}'s '{name}' of the type", known)
        return exact

    def _type_named(self, value: Value, gives: Type) -> Type | None:
        """The type that a text names, which must be one of those that a constructor gives."""
        if not isinstance(value, Literal):
            return None
        types, name = self.api.types, value.value
        known = [one for one in types.names if types.fits(Named(one), gives)]
        if name in known:
            return Named(str(name))
        help = self.suggestion(str(name), known, "classes")
        self.report(value.at, f"unknown class '{name}'", help)
        return None

    def _one_of(self, name: str, value: Value) -> None:
        """Check that a text is one of those that arguments of this name may have."""
        allowed = self.api.values.get(name)
        if allowed is None:
            return
        for one in value.items if isinstance(value, Items) else (value,):
            if isinstance(one, Literal) and one.value is not None and one.value not in allowed:
                help = self.suggestion(str(one.value), allowed, "one of")
                what = "attribute" if name == "attributes" else name
                self.report(one.at, f"unknown {what} '{one.value}'", help)

    def _function(
        self,
        function: FunctionSignature,
        call: ProgramCall,
        given: list[tuple[Value, Type]],
        known: Mapping[str, Type],
    ) -> Type:
        most = len(function.args)
        if not most - function.optional <= len(given) <= most:
            names = function.shown or [str(kind) for kind in function.args]
            message = f"'{call.name}' takes {most} argument{'s' * (most != 1)}, not {len(given)}"
            self.report(call.at, message, f"it takes ({', '.join(names)})")
            return function.gives
        for (arg, kind), expected in zip(given, function.args, strict=False):
            if expected is not None:
                self.fits(arg, kind, expected, f"'{call.name}' is about", known)
        for name, (arg, _) in zip(function.shown, given, strict=False):
            self._one_of(name, arg)
        return function.gives

    def fits(
        self, arg: Value, kind: Type, expected: Type, whose: str, known: Mapping[str, Type]
    ) -> None:
        """Report an argument that cannot be of the required type."""
        if self._found is None:
            return
        certain = self.certain(arg, known)
        if certain is not None:
            wrong = misfit(expected, certain.value, self.api)
            if wrong is not None:
                self.report(arg.at, wrong.message, wrong.help)
        elif not self.api.types.could_be(kind, expected):
            given, expected_type = without_none(kind), without_none(expected)
            self.report(arg.at, f"this is of the type {given}, and {whose} {expected_type}")


def check_program(program: Program, api: Api) -> list[StepsError]:
    """What is wrong with a program, in the order of its text; empty if it may run."""
    found: list[StepsError] = []
    with suppress(TooManyFindings):
        _ProgramChecker(api, found).block(program, {})
    return sorted(found, key=lambda error: error.offset)


class _ProgramChecker(ValueChecker):
    """Walks statements; ``known`` are the names given so far, with their types."""

    def block(self, program: Program, known: dict[str, Type]) -> dict[str, Type]:
        """Check statements in their order; return the names that are known behind them."""
        for statement in program:
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: Statement, known: dict[str, Type]) -> dict[str, Type]:
        match statement:
            case Do(call=call):
                self._step(call, known)
            case Assign():
                if statement.name != DOER or not self._names_doer(statement.value):
                    self._new_name(statement.name, statement.at)
                return {**known, statement.name: self.value(statement.value, known)}
            case For():
                return self._loop(statement, known)
            case IfStatement():
                return self._if(statement, known)
        return known

    def _if(self, statement: IfStatement, known: dict[str, Type]) -> dict[str, Type]:
        ways = []
        for condition, body in statement.branches:
            self.value(condition, known)
            ways.append(self.block(body, dict(known)))
        ways.append(self.block(statement.otherwise, dict(known)))
        first, *others = ways
        for other in others:
            first = {n: union(first[n], other[n]) for n in first if n in other}
        return first

    def _loop(self, statement: For, known: dict[str, Type]) -> dict[str, Type]:
        item = self._items(statement.items, known)
        self._new_name(statement.name, statement.at)
        before = {**known, statement.name: item}
        # What a round leaves behind is there in the next: looked at once without telling.
        silent = _ProgramChecker(self.api, None)
        after = silent.block(statement.body, dict(before))
        before = {n: union(kind, after.get(n, kind)) for n, kind in before.items()}
        before[statement.name] = item
        after = self.block(statement.body, dict(before))
        return {n: union(kind, after.get(n, kind)) for n, kind in known.items()}

    def _items(self, items: Value, known: Mapping[str, Type]) -> Type:
        if isinstance(items, ProgramCall) and items.name == RANGE and items.on is None:
            return self._range(items, known)
        kind = self.value(items, known)
        found: Type | None = None
        for option in self.list_options(kind):
            found = option.item if found is None else union(found, option.item)
        if isinstance(items, Items) and len(items.items) > MAX_ROUNDS:
            self.report(items.at, f"a loop goes round at most {MAX_ROUNDS} times")
        if found is None:
            help = "write for item in ['crate', 'pallet'], or for attempt in range(3)"
            self.report(items.at, "this is not a list", help)
        return found or ANY

    def _range(self, call: ProgramCall, known: Mapping[str, Type]) -> Type:
        if len(call.args) != 1 or call.kwargs:
            self.report(call.at, "range takes one number", "write range(3)")
            return self.number
        (limit,) = call.args
        if isinstance(limit, Literal):
            whole = isinstance(limit.value, int) and not isinstance(limit.value, bool)
            if not whole or not 0 <= limit.value <= MAX_ROUNDS:  # type: ignore[operator]
                self.report(limit.at, f"range takes a whole number from 0 to {MAX_ROUNDS}")
        elif not self.api.types.could_be(self.value(limit, known), self.number):
            self.report(limit.at, "range takes a number", "write range(3)")
        return self.number

    def _new_name(self, name: str, at: TextPlace) -> None:
        api = self.api
        what = ""
        if name in api.skills or name in api.lacking:
            what = "a skill"
        elif name in api.functions:
            what = "a fact or function"
        elif name in api.constructors or name == RANGE:
            what = "a function"
        elif name == DOER:
            what = "whoever runs this program"
        if what:
            self.report(at, f"'{name}' is {what} already", "take another name")

    def _names_doer(self, value: Value) -> bool:
        """Whether a value is a constructor that names the agent that runs the program."""
        spec = self.api.specs.get(value.name) if isinstance(value, ProgramCall) else None
        return spec is not None and spec.finds == DOER

    # Steps

    def _step(self, call: ProgramCall, known: Mapping[str, Type]) -> None:
        api = self.api
        for value in call.args:
            self.value(value, known)
        for keyword in call.kwargs:
            self.value(keyword.value, known)
        receiver = self.value(call.on, known) if call.on is not None else None
        skill = api.skills.get(call.name)
        if skill is None:
            if call.name not in api.unread:
                self._no_skill(call)
            return
        if not self._in_style(call, skill, receiver):
            return
        given: list[tuple[Value, Type | None]] = [(arg, None) for arg in call.args]
        names = list(skill.args)
        if call.on is not None:
            first = api.receiver(skill, receiver or ANY)
            given.insert(0, (call.on, receiver))
            if first != DOER:
                names = list(skill.things)
        bound = bind(skill.name, names, len(given), [k.name for k in call.kwargs])
        if isinstance(bound, ArgumentMismatch):
            self._mismatch(call, skill, bound)
            return
        for name, (value, _) in zip(bound, given, strict=True):
            self._argument(skill, name, value, known)
        for keyword in call.kwargs:
            self._argument(skill, keyword.name, keyword.value, known)

    def _argument(
        self, skill: SkillSignature, name: str, value: Value, known: Mapping[str, Type]
    ) -> None:
        expected = skill.args[name]
        self._one_of(name, value)
        if name == DOER:
            self._doer(value, known)
            return
        kind = self.quiet(value, known)
        self.fits(value, kind, expected, f"{skill.name}'s '{name}' of the type", known)

    def _doer(self, value: Value, known: Mapping[str, Type]) -> None:
        """Check that a step is executed by the program's own agent."""
        name = value.name if isinstance(value, NameRef) else getattr(value, "value", None)
        own = name == DOER or (name == self.api.agent and name not in known)
        if name in known and self.api.is_agent(known[str(name)]):
            own = True  # a constructor has named it; which agent it is, is checked when it runs
        if not own and not (self.api.agent is None and name in self.api.things):
            help = "leave the agent out"
            self.report(value.at, "a program's steps are done by the agent that runs it", help)

    def _in_style(self, call: ProgramCall, skill: SkillSignature, receiver: Type | None) -> bool:
        api, written = self.api, self.api.call_text(skill)
        if call.on is None:
            if api.is_method(skill) and api.style == "objects":
                self.report(call.at, f"'{call.name}' is called for a thing", f"write {written}")
                return False
            return True
        if api.style == "functions":
            help = f"write {written}"
            self.report(call.on.at, "skills are not called for a thing here", help)
            return False
        if api.receiver(skill, receiver or ANY) is None:
            message = f"'{call.name}' is not about a thing"
            self.report(call.at, message, f"write {written}")
            return False
        return True

    def _no_skill(self, call: ProgramCall) -> None:
        api = self.api
        if call.name in api.lacking:
            has = ", ".join(api.skills) or "none"
            message = f"unknown skill '{call.name}' of {api.agent}"
            self.report(call.at, message, f"its skills: {has}")
            return
        if call.name in api.functions or call.name in api.constructors:
            help = "a step is a skill; facts and functions stand among its arguments"
        else:
            help = self.suggestion(call.name, api.skills, "skills")
        self.report(call.at, f"unknown skill '{call.name}'", help)

    def _mismatch(self, call: ProgramCall, skill: SkillSignature, wrong: ArgumentMismatch) -> None:
        at = call.at
        index = None if wrong.index is None else wrong.index - (call.on is not None)
        if index is not None and 0 <= index < len(call.args):
            at = call.args[index].at
        for keyword in call.kwargs:
            if keyword.name == wrong.keyword:
                at = keyword.at
        self.report(at, wrong.message, f"write {self.api.call_text(skill)}")
