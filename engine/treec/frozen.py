"""``@frozen``: immutable data classes that cost little to declare.

The standard decorator compiles six methods of each class when its module is imported; that was a
fifth of the time of `treec check`. Here ``__init__`` is compiled when the first object is made, and
the other methods read the fields by name. Otherwise a class is what ``@dataclass(frozen=True,
slots=True)`` makes: `dataclasses` knows its fields, and frozen data classes can derive from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

C = TypeVar("C", bound=type)

FILE = "<treec.frozen>"
"""What the code of a compiled ``__init__`` has as its file."""


@overload
def frozen(cls: C, /) -> C: ...
@overload
def frozen(*, slots: bool = True, eq: bool = True, kw_only: bool = False) -> Callable[[C], C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: Any = None, /, *, slots: bool = True, eq: bool = True, kw_only: bool = False
) -> Any:
    """Make a frozen data class; with ``slots=False`` it may have cached properties."""

    def make(cls: Any) -> Any:
        given = set(vars(cls))
        cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclass() writes one, which takes long
        inherits = any(map(is_dataclass, cls.__bases__))
        made: Any = dataclass(
            init=False, repr=False, eq=False, frozen=inherits, slots=slots, kw_only=kw_only
        )(cls)
        made.__dataclass_params__.frozen = True
        methods = {"__init__": _init(made), "__repr__": _repr}
        methods |= {"__setattr__": _set, "__delattr__": _set} if not inherits else {}
        methods |= {"__getstate__": _state, "__setstate__": _set_state} if slots else {}
        if eq:
            values = _values(tuple(it.name for it in fields(made) if it.compare))
            methods |= {"__eq__": _eq(values), "__hash__": _hash(values)}
        for name in methods.keys() - given:
            setattr(made, name, methods[name])
        return made

    return make if cls is None else make(cls)


def _init(cls: Any) -> Callable[..., None]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _compile_init(cls)
        cls.__init__(self, *args, **kwargs)

    return __init__


def _compile_init(cls: Any) -> Any:
    """The ``__init__`` of a class, as the standard decorator writes it."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_made": MISSING}
    positional, keywords, body = ["self"], list[str](), list[str]()
    for it in fields(cls):
        value, default = it.name, ""
        if it.default is not MISSING:
            scope[f"_{it.name}"], default = it.default, f"=_{it.name}"
        elif it.default_factory is not MISSING:
            scope[f"_{it.name}"], default = it.default_factory, "=_made"
            value = f"_{it.name}() if {it.name} is _made else {it.name}"
        elif not it.kw_only and "=" in positional[-1]:  # as of any function
            raise TypeError(f"non-default argument '{it.name}' follows default argument")
        (keywords if it.kw_only else positional).append(it.name + default)
        body.append(f" _set(self, {it.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    args = ", ".join([*positional, *(["*", *keywords] if keywords else [])])
    exec(compile("\n".join([f"def __init__({args}):", *body, " pass"]), FILE, "exec"), scope)
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return scope["__init__"]


def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], Any]:
    def __eq__(self: Any, other: object) -> Any:
        return (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )

    return __eq__


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    return lambda self: hash(values(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{it.name}={getattr(self, it.name)!r}" for it in fields(self) if it.repr)
    return f"{type(self).__qualname__}({shown})"


def _set(self: object, name: str, *value: object) -> None:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, it.name) for it in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for it, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, it.name, value)
