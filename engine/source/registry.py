"""The filters and tests that expressions may use: ours, and those other rooms register."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import TypeVar, cast

from treec.source.errors import Problem

F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Builtin:
    """A filter or a test. Ours take the frame first; registered ones only value and arguments."""

    name: str
    run: Callable[..., object] | None
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
                raise Problem(f"'{self.name}' has no argument '{keyword}'", help)
            if keyword in given:
                raise Problem(f"'{self.name}' gets its argument '{keyword}' twice")
            given.add(keyword)
        if count > len(self.parameters) and not self.more:
            raise Problem(f"'{self.name}' takes {_count(len(self.parameters))}; here are {count}")
        missing = [name for name in self.parameters[: self.required] if name not in given]
        if missing:
            raise Problem(f"'{self.name}' needs its argument '{missing[0]}'")


def _count(number: int) -> str:
    return {0: "no arguments", 1: "one argument"}.get(number, f"at most {number} arguments")


FILTERS: dict[str, Builtin] = {}
TESTS: dict[str, Builtin] = {}


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


def _declare(table: dict[str, Builtin], names: tuple[str, ...]) -> Callable[[F], F]:
    def declare(function: F) -> F:
        for name in names:
            table[name] = _signature(name, function, framed=True)
        return function

    return declare


def register_filter(name: str, function: Callable[..., object]) -> None:
    """Let expressions use a filter `function(value, *args)`; it must bound its own work."""
    _register(FILTERS, name, function)


def register_test(name: str, function: Callable[..., object] | None = None) -> None:
    """Let expressions use a test `function(value, *args)`; without one the scope judges it."""
    _register(TESTS, name, function)


def _register(table: dict[str, Builtin], name: str, function: Callable[..., object] | None) -> None:
    known = table.get(name)
    if known is not None and (known.framed or known.run is not function):
        raise ValueError(f"'{name}' is registered already")
    if function is None:
        table[name] = Builtin(name, None, (), (), 0, more=True, keywords=False, framed=False)
    elif isinstance(function, FunctionType):
        table[name] = _signature(name, function, framed=False)
    else:
        table[name] = Builtin(name, function, (), (), 0, more=True, keywords=True, framed=False)
