"""Filters and tests of expressions, as extensions declare them; loaded on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Literal

from treec.extensions import ExtensionError, depends_on_extensions, registry
from treec.foreign import is_foreign, plain_copy
from treec.frozen import frozen
from treec.source.errors import EvaluationProblem, LocatedError


@frozen
class Builtin:
    """A filter or a test, ``run(value, *args)``, or ``run(frame, value, *args)`` if ``framed``."""

    name: str
    run: Callable[..., object]
    parameters: tuple[str, ...]
    named: tuple[str, ...]
    required: int
    more: bool
    keywords: bool
    framed: bool

    def check(self, count: int, keywords: Iterable[str]) -> None:
        """Raise `EvaluationProblem` if it cannot take `count` arguments and these keywords."""
        known = self.parameters + self.named
        given = set(self.parameters[:count])
        for keyword in keywords:
            if not self.keywords and keyword not in known:
                help = f"it takes {', '.join(known)}" if known else None
                raise EvaluationProblem(f"unknown argument '{keyword}' of '{self.name}'", help)
            if keyword in given:
                raise EvaluationProblem(f"'{self.name}' gets its argument '{keyword}' twice")
            given.add(keyword)
        if count > len(self.parameters) and not self.more:
            raise EvaluationProblem(
                f"'{self.name}' takes {_count(len(self.parameters))}, not {count}"
            )
        missing = [name for name in self.parameters[: self.required] if name not in given]
        if missing:
            raise EvaluationProblem(f"'{self.name}' needs its argument '{missing[0]}'")


def _count(number: int) -> str:
    return {0: "no arguments", 1: "one argument"}.get(number, f"at most {number} arguments")


class Table(Mapping[str, Builtin]):
    """The filters or the tests of all extensions, by name."""

    def __init__(self, what: Literal["filters", "tests"]) -> None:
        self._what: Literal["filters", "tests"] = what
        self._loaded: dict[str, Builtin] = {}
        depends_on_extensions(self._loaded.clear)

    def _targets(self) -> Mapping[str, str]:
        tables = registry()
        if self._what == "tests":
            return tables.tests
        return {name: declared.call for name, declared in tables.filters.items()}

    def __getitem__(self, name: str) -> Builtin:
        found = self._loaded.get(name)
        if found is None:
            target = self._targets()[name]
            try:
                function = registry().load(target)
            except ExtensionError as error:
                raise EvaluationProblem(str(error)) from error
            if not isinstance(function, FunctionType):
                raise EvaluationProblem(f"{registry().owner(target)}: {target} is not a function")
            found = _builtin(name, function)
            if is_foreign(function.__module__):
                found = replace(found, run=guarded(target, function))
            self._loaded[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets())

    def __len__(self) -> int:
        return len(self._targets())


FILTERS = Table("filters")
TESTS = Table("tests")


def guarded(target: str, function: Callable[..., object]) -> Callable[..., object]:
    """A function of an extension that raises EvaluationProblem from whatever it raises."""

    def call(*args: object, **values: object) -> object:
        def evaluate() -> object:
            found = function(*args, **values)
            return plain_copy(found, "it gave what", longest=sys.maxsize, objects=True)

        try:
            return registry().call(target, evaluate, EvaluationProblem, LocatedError)
        except ExtensionError as error:
            raise EvaluationProblem(str(error)) from error

    return call


def _builtin(name: str, function: FunctionType) -> Builtin:
    code, defaults = function.__code__, function.__defaults__ or ()
    framed = code.co_varnames[:1] == ("frame",)
    parameters = code.co_varnames[2 if framed else 1 : code.co_argcount]
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
