"""Messages of ROS 2: found by name, filled from plain data, read by expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

_SEQUENCE = re.compile(r"sequence<(?P<item>[^,>]+(?:<\d+>)?)(?:, *\d+)?>|(?P<of>[^\[]+)\[\d+\]")
_INTEGER = re.compile(r"u?int(8|16|32|64)|octet|char|byte")


class UnknownType(ValueError):
    """The package of an interface cannot be imported, or lacks it."""


class WrongMessage(ValueError):
    """Data do not fit a message: an unknown field, or a value of another type."""


def find_type(name: str) -> Any:
    """Import the class of an interface. Raises UnknownType."""
    package, kind, own = name.split("/")
    try:
        return getattr(import_module(f"{package}.{kind}"), own)
    except (ImportError, AttributeError) as error:
        apt = package.replace("_", "-")
        raise UnknownType(
            f"the interface {name} cannot be used ({error}): install the package {package}, "
            f"such as ros-$ROS_DISTRO-{apt}"
        ) from None


def name_of(type_: Any) -> str:
    """The name of an interface's class."""
    package, kind, *_ = type_.__module__.split(".")
    return f"{package}/{kind}/{type_.__name__}"


def fill(message: Any, data: object, now: float = 0.0) -> Any:
    """Set fields of a message from plain data; a time may be `now`. Raises WrongMessage."""
    if data == "now" and hasattr(message, "nanosec"):
        data = {"sec": int(now), "nanosec": int(now % 1 * 1e9)}
    fields = message.get_fields_and_field_types()
    if not isinstance(data, Mapping):
        raise WrongMessage(f"{type(message).__name__} needs a mapping of fields, not {data!r}")
    for name, value in data.items():
        if name not in fields:
            raise WrongMessage(f"unknown field '{name}' of {type(message).__name__}")
        try:
            setattr(message, name, _value(fields[name], value, getattr(message, name), now))
        except WrongMessage:
            raise
        except (AssertionError, TypeError, ValueError, OverflowError) as error:
            why = f"{fields[name]} is expected, not {value!r}"
            raise WrongMessage(f"'{name}' of {type(message).__name__}: {why}") from error
    return message


def _value(kind: str, value: Any, before: Any, now: float) -> Any:
    match = _SEQUENCE.fullmatch(kind)
    if match is not None:
        if isinstance(value, str | bytes) or not isinstance(value, list | tuple):
            raise WrongMessage(f"a list of {match['item'] or match['of']} is expected")
        return [_value(match["item"] or match["of"], item, None, now) for item in value]
    if "/" in kind:
        package, own = kind.split("/")
        inner = find_type(f"{package}/msg/{own}")() if before is None else before
        return fill(inner, value, now)
    if kind in ("double", "float") and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if _INTEGER.fullmatch(kind) and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind.startswith(("string", "wstring")):
        return value if isinstance(value, str) else str(getattr(value, "__treec_name__", value))
    return value


class MessageView(Mapping[str, object]):
    """A message as expressions read it: fields are converted when they are read."""

    def __init__(self, message: Any) -> None:
        self._message = message
        self.is_kept = False
        """Whether it has been recorded."""
        self._fields = message.get_fields_and_field_types()

    @property
    def raw(self) -> Any:
        """The message."""
        return self._message

    def __getitem__(self, name: str) -> object:
        if name in self._fields or (name.isupper() and hasattr(self._message, name)):
            return view(getattr(self._message, name))
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def view(value: Any) -> object:
    """A field's value as expressions read it."""
    if hasattr(value, "get_fields_and_field_types"):
        return MessageView(value)
    if isinstance(value, str | bool | int | float) or value is None:
        return value
    if isinstance(value, bytes):
        return tuple(value)
    if hasattr(value, "tolist"):  # an array of numpy
        value = value.tolist()
    return tuple(map(view, value)) if hasattr(value, "__iter__") else value
