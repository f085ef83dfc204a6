"""Scopes: where an expression finds its names and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from treec.source.errors import UndefinedName, Unknown

Function = Callable[..., object]
Special = Callable[[str, tuple[object, ...]], object]
"""A special form: called with the inner call's name and evaluated arguments (`age(at(item))`)."""

_NOTHING: Mapping[str, object] = {}


class Scope(Protocol):
    """The interface of scopes. All methods may raise `EvaluationProblem`."""

    def lookup(self, name: str) -> object:
        """Return the value of a name; raise `UndefinedName` when there is none."""

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Call a function; raise `UndefinedName` when there is none of this name."""

    def special(self, name: str) -> Special | None:
        """Return the special form of this name, or None when it is an ordinary function."""


class MappingScope:
    """A scope over plain mappings, with an optional parent."""

    __slots__ = ("_functions", "_names", "_parent", "_specials")

    def __init__(
        self,
        names: Mapping[str, object] = _NOTHING,
        functions: Mapping[str, Function] | None = None,
        parent: Scope | None = None,
        *,
        specials: Mapping[str, Special] | None = None,
    ) -> None:
        self._names = names
        self._functions = functions
        self._parent = parent
        self._specials = specials

    def child(
        self, names: Mapping[str, object], functions: Mapping[str, Function] | None = None
    ) -> MappingScope:
        """Return a scope in which `names` shadow those of this one."""
        return MappingScope(names, functions, self)

    def lookup(self, name: str) -> object:
        """Return the value of a name, from here or from the parent."""
        try:
            return self._names[name]
        except KeyError:
            pass
        if self._parent is None:
            raise UndefinedName(name, self._names)
        try:
            return self._parent.lookup(name)
        except UndefinedName as error:
            if error.name != name or error.help is not None:
                raise
            raise UndefinedName(name, self._names) from None

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Call a function, from here or from the parent."""
        if self._functions is not None:
            function = self._functions.get(name)
            if function is not None:
                return function(*args, **kwargs)
        if self._parent is not None:
            return self._parent.call(name, args, kwargs)
        raise UndefinedName(name, self._functions or ())

    def special(self, name: str) -> Special | None:
        """Return the special form of this name, from here or from the parent."""
        if self._specials is not None:
            found = self._specials.get(name)
            if found is not None:
                return found
        return None if self._parent is None else self._parent.special(name)


class UnknownScope:
    """A scope that knows nothing: what holds in it always holds (`Expression.judge`)."""

    def lookup(self, name: str) -> object:
        """Raise `Unknown`."""
        raise Unknown(f"'{name}' is not known")

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Raise `Unknown`."""
        raise Unknown(f"'{name}' is not known")

    def special(self, name: str) -> Special | None:
        """Return a special form that raises `Unknown`."""
        return self._of_fact

    def _of_fact(self, fact: str, args: tuple[object, ...]) -> object:
        raise Unknown(f"'{fact}' is not known")

    def test(self, name: str, value: object, args: tuple[object, ...]) -> bool:
        """Raise `Unknown`."""
        raise Unknown(f"'{name}' is not known")
