"""The filters and tests that expressions may use: ours, and those that extensions declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Literal, TypeVar, cast

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.source.errors import EvaluationProblem

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Builtin:
    """A filter or a test. Ours take the frame first; those of extensions value and arguments."""

    name: str
    run: Callable[..., object]
    parameters: tuple[str, ...]
    named: tuple[str, ...]
    required: int
    more: bool
    keywords: bool
    framed: bool

    def check(self, count: int, keywords: Iterable[str]) -> None:
        """Raise `Problem` when it cannot be called with `count` arguments and these keywords."""
        known = self.parameters + self.named
        given = set(self.parameters[:count])
        for keyword in keywords:
            if not self.keywords and keyword not in known:
                help = f"it takes {', '.join(known)}" if known else None
                raise EvaluationProblem(f"'{self.name}' has no argument '{keyword}'", help)
            if keyword in given:
                raise EvaluationProblem(f"'{self.name}' gets its argument '{keyword}' twice")
            given.add(keyword)
        if count > len(self.parameters) and not self.more:
            raise EvaluationProblem(
                f"'{self.name}' takes {_count(len(self.parameters))}; here are {count}"
            )
        missing = [name for name in self.parameters[: self.required] if name not in given]
        if missing:
            raise EvaluationProblem(f"'{self.name}' needs its argument '{missing[0]}'")


def _count(number: int) -> str:
    return {0: "no arguments", 1: "one argument"}.get(number, f"at most {number} arguments")


class Table(Mapping[str, Builtin]):
    """Our own filters or tests, and those of extensions, imported when they are first used."""

    def __init__(self, what: Literal["filters", "tests"]) -> None:
        self._what: Literal["filters", "tests"] = what
        self._ours: dict[str, Builtin] = {}
        self._theirs: dict[str, Builtin] = {}
        depends_on_extensions(self._theirs.clear)

    def declare(self, builtin: Builtin) -> None:
        """Add one of our own."""
        self._ours[builtin.name] = builtin

    def _declared(self) -> Mapping[str, str]:
        tables = registry()
        return tables.filters if self._what == "filters" else tables.tests

    def __getitem__(self, name: str) -> Builtin:
        found = self._ours.get(name) or self._theirs.get(name)
        if found is None:
            target = self._declared()[name]
            try:
                function = registry().load(target)
            except ExtensionError as error:
                raise EvaluationProblem(str(error)) from error
            if not isinstance(function, FunctionType):
                raise EvaluationProblem(f"{registry().owner(target)}: {target} is no function")
            found = self._theirs[name] = _signature(name, function, framed=False)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._declared()

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from (name for name in self._declared() if name not in self._ours)

    def __len__(self) -> int:
        return len(list(iter(self)))


FILTERS = Table("filters")
TESTS = Table("tests")


def _signature(name: str, function: Callable[..., object], framed: bool) -> Builtin:
    code = cast(FunctionType, function).__code__
    skip = 2 if framed else 1
    parameters = code.co_varnames[skip : code.co_argcount]
    defaults = cast(FunctionType, function).__defaults__ or ()
    return Builtin(
        name=name,
        run=function,
        parameters=parameters,
        named=code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount],
        required=len(parameters) - len(defaults),
        more=bool(code.co_flags & 0x04),
        keywords=bool(code.co_flags & 0x08),
        framed=framed,
    )


def builtin_filter(*names: str) -> Callable[[F], F]:
    """Declare one of our own filters: `function(frame, value, …)`."""
    return _declare(FILTERS, names)


def builtin_test(*names: str) -> Callable[[F], F]:
    """Declare one of our own tests: `function(frame, value, …)`."""
    return _declare(TESTS, names)


def _declare(table: Table, names: tuple[str, ...]) -> Callable[[F], F]:
    def declare(function: F) -> F:
        for name in names:
            table.declare(_signature(name, function, framed=True))
        return function

    return declare
