"""Judges the values in a program: names, lists, conditions, calls of facts and constructors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

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
    type_of,
    union,
    without_none,
)
from treec.program.api import Api, Function
from treec.program.places import Place, StepsError
from treec.program.statements import Both, Call, Comparison, Items, Negation, Value
from treec.program.steps import Literal, NameRef
from treec.source.diagnostics import suggestion

_EQUAL = frozenset({"eq", "ne"})
_CONTAINED = frozenset({"in", "notin"})
_ORDERED = frozenset({ANY, NUMBER, Named("integer"), TEXT})


MAX_FINDINGS = 10


class Enough(Exception):
    """So much is wrong that no more need be told."""


class Values:
    """The part of the judge that finds the types of values.

    What is wrong goes to ``found``; with None, types alone are looked for, and nothing that takes
    time, such as the nearest name, is thought about. Raises `Enough` when enough was found.
    """

    number = NUMBER

    def __init__(self, api: Api, found: list[StepsError] | None) -> None:
        self.api = api
        self._found = found

    def tell(self, at: Place, message: str, help: str | None = None) -> None:
        """Note what is wrong at a place."""
        if self._found is None:
            return
        self._found.append(StepsError(message, at, help))
        if len(self._found) >= MAX_FINDINGS:
            raise Enough

    def suggestion(self, name: str, known: Iterable[str], what: str) -> str:
        """The nearest known name, or which names there are."""
        if self._found is None:
            return ""
        return suggestion(name, known, what)

    def quiet(self, value: Value, known: Mapping[str, Type]) -> Type:
        """The type of a value that was judged before."""
        return Values(self.api, None).value(value, known)

    def value(self, value: Value, known: Mapping[str, Type]) -> Type:
        """The type of a value, all in it judged."""
        match value:
            case Literal():
                return type_of(value.value) or ANY
            case NameRef():
                return self._name(value, known)
            case Items(items=items):
                found: Type | None = None
                for item in items:
                    kind = self.value(item, known)
                    found = kind if found is None else union(found, kind)
                return ListOf(ANY if found is None else found)
            case Negation(value=inner):
                self.value(inner, known)
                return BOOL
            case Both(parts=parts):
                for part in parts:
                    self.value(part, known)
                return BOOL
            case Comparison():
                self._comparison(value, known)
                return BOOL
            case Call():
                return self._call(value, known)

    def list_options(self, kind: Type) -> Iterator[ListOf]:
        """The lists among what a value may be; of a value of any type, a list of anything."""
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
            self.tell(ref.at, f"'{name}' is not a name that this program can use", help)
        return ANY

    def _instead(self, name: str, known: tuple[str, ...]) -> str:
        spaced = {thing.replace(" ", "_").lower(): thing for thing in self.api.things}
        thing = spaced.get(name.lower())
        if thing is not None:
            return f"write '{thing}', in quotes"
        if name in self.api.functions:
            return f"write {name}(…)"
        if name in self.api.skills:
            return "a skill is a step of its own: it gives no value"
        return self.suggestion(name, [n for n in known if n.isidentifier()], "there are")

    # Conditions

    def _comparison(self, comparison: Comparison, known: Mapping[str, Type]) -> None:
        left, right = comparison.left, comparison.right
        one, other = self.value(left, known), self.value(right, known)
        if comparison.operator in _CONTAINED:
            lists = list(self.list_options(other))
            if not lists:
                self.tell(right.at, "this is no list", "write in ['crate', 'pallet']")
            elif not isinstance(right, Items):
                for inner in lists:
                    self._literal_fits(left, inner.item)
            for item in right.items if isinstance(right, Items) else ():
                self._literal_fits(item, one)
        elif comparison.operator in _EQUAL:
            self._literal_fits(left, other)
            self._literal_fits(right, one)
            if NONE not in (one, other) and not self.api.types.could_be(one, other):
                told = f"{without_none(one)} is never equal to {without_none(other)}"
                self.tell(comparison.at, told)
        else:
            for side, kind in ((left, one), (right, other)):
                if not any(option in _ORDERED for option in options(kind)):
                    self.tell(side.at, f"{without_none(kind)} has no order", "compare numbers")

    def certain(self, value: Value, known: Mapping[str, Type]) -> Literal | None:
        """A literal, or a thing that is called by its bare name: its type is known for certain."""
        if isinstance(value, NameRef):
            thing = value.name not in known and value.name not in self.api.names
            return (
                Literal(value.name, value.at) if thing and value.name in self.api.things else None
            )
        return value if isinstance(value, Literal) else None

    def _literal_fits(self, value: Value, kind: Type) -> None:
        """A text beside a thing is a thing's name, or it is a slip."""
        if self._found is None:
            return
        if not isinstance(value, Literal) or not isinstance(value.value, str):
            return
        if not any(self.api.types.is_thing(option) for option in options(kind)):
            return
        wrong = misfit(kind, value.value, self.api)
        if wrong is not None:
            self.tell(value.at, wrong.message, wrong.help)

    # Calls

    def _call(self, call: Call, known: Mapping[str, Type]) -> Type:
        api = self.api
        kinds = [self.value(arg, known) for arg in call.args]
        for keyword in call.kwargs:
            self.value(keyword.value, known)
        if call.on is not None:
            self.value(call.on, known)
        if call.name in api.skills or call.name in api.lacking:
            help = "write it on a line of its own"
            self.tell(call.at, f"the skill '{call.name}' is a step: it gives no value", help)
            return ANY
        if call.on is not None:
            help = f"write {call.name}({call.on.name})" if call.name in api.functions else ""
            self.tell(call.at, f"'{call.name}' is no skill of a thing", help or None)
            return ANY
        if call.kwargs:
            self.tell(call.kwargs[0].at, "only skills take named arguments", "leave the name out")
            return ANY
        if call.name in api.constructors:
            return self._construct(call, kinds, known)
        function = api.functions.get(call.name)
        if function is not None:
            return self._function(function, call, kinds, known)
        if api.things_whole:
            if call.name == "range":
                help = "it only stands in a loop: for attempt in range(3):"
            else:
                known_names = (*api.functions, *api.constructors)
                help = self.suggestion(call.name, known_names, "there are")
            self.tell(call.at, f"there is no fact or function '{call.name}'", help)
        return ANY

    def _construct(self, call: Call, kinds: list[Type], known: Mapping[str, Type]) -> Type:
        wanted = self.api.constructors[call.name]
        if len(call.args) != 1:
            help = f"write {call.name}('NAME')"
            self.tell(call.at, f"'{call.name}' takes one thing's name", help)
            return wanted
        self.fits(call.args[0], kinds[0], wanted, f"{call.name} is for", known)
        (arg,) = call.args
        if isinstance(arg, Literal):
            return self.api.things.get(str(arg.value), wanted)
        return wanted if kinds[0] in (ANY, TEXT) else kinds[0]

    def _function(
        self, function: Function, call: Call, kinds: list[Type], known: Mapping[str, Type]
    ) -> Type:
        most, given = len(function.args), len(call.args)
        if not most - function.optional <= given <= most:
            names = function.shown or [str(kind) for kind in function.args]
            message = f"'{call.name}' takes {most} argument{'s' * (most != 1)}, not {given}"
            self.tell(call.at, message, f"it takes ({', '.join(names)})")
            return function.gives
        for arg, kind, wanted in zip(call.args, kinds, function.args, strict=False):
            if wanted is not None:
                self.fits(arg, kind, wanted, f"'{call.name}' is about", known)
        return function.gives

    def fits(
        self, arg: Value, kind: Type, wanted: Type, whose: str, known: Mapping[str, Type]
    ) -> None:
        """Tell when an argument cannot be of the type that is asked for."""
        if self._found is None:
            return
        certain = self.certain(arg, known)
        if certain is not None:
            wrong = misfit(wanted, certain.value, self.api)
            if wrong is not None:
                self.tell(arg.at, wrong.message, wrong.help)
        elif not self.api.types.could_be(kind, wanted):
            given, asked = without_none(kind), without_none(wanted)
            self.tell(arg.at, f"this is of the type {given}, and {whose} {asked}")
