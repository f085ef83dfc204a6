"""The values of events and state: immutable plain JSON.

Lists become tuples and objects read-only mappings with sorted keys, so that a value is the same in
a live run and when read back from a journal, and a shallow copy is safe.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

Value: TypeAlias = "str | int | float | bool | tuple[Value, ...] | Mapping[str, Value] | None"
"""Frozen JSON."""

DIGITS = 6
"""Decimal places to which floats are rounded: microseconds, micrometres."""

_DEPTH = 64
_SURROGATES = re.compile("[\ud800-\udfff]")


def freeze(value: object, _depth: int = 0) -> Value:
    """An immutable copy of ``value`` as plain JSON.

    Raises ValueError for values that JSON cannot represent (entities, NaN, keys that are not
    text), and for data nested deeper than 64 levels, which usually is a cycle.
    """
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return value  # type: ignore[return-value]
    if kind is str and value.isascii():  # type: ignore[attr-defined]
        return value  # type: ignore[return-value]
    if isinstance(value, bool):
        return value
    # Convert to the exact type: subclasses (enums, marked strings) print differently.
    if isinstance(value, str):
        return _SURROGATES.sub("�", str.__str__(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a number that JSON can hold")
        return round(float(value), DIGITS) + 0.0  # + 0.0 makes -0.0 positive
    if _depth >= _DEPTH:
        raise ValueError(f"data nested deeper than {_DEPTH} levels")
    if isinstance(value, Mapping):
        items = _with_keys(value)
        return MappingProxyType({key: freeze(items[key], _depth + 1) for key in sorted(items)})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item, _depth + 1) for item in value)
    raise ValueError(f"{type(value).__name__} is not plain data: {value!r}")


def _with_keys(value: Mapping[object, object]) -> Mapping[str, object]:
    """The mapping with keys of plain text. Raises ValueError."""
    if {*map(type, value)} <= {str} and all(map(str.isascii, value)):  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"a key must be text, not {type(key).__name__}: {key!r}")
    return {_SURROGATES.sub("�", str.__str__(key)): value[key] for key in value}


def thaw(value: Value) -> object:
    """The value as lists and dicts, for ``json.dumps`` and for models that need them."""
    if type(value) is str:
        return value
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    return value


def same(one: object, other: object) -> bool:
    """Equality that distinguishes 1, 1.0 and true, as a journal does."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other
