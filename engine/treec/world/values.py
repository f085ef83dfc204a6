"""The values of events and state: immutable plain JSON.

Lists become tuples and objects read-only mappings with sorted keys, so that a value is the same in
a live run and when read back from a journal, and a shallow copy is safe.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType, NoneType
from typing import TypeAlias, cast

Value: TypeAlias = "str | int | float | bool | tuple[Value, ...] | Mapping[str, Value] | None"
"""Frozen JSON."""

DIGITS = 6
"""Decimal places to which floats are rounded: microseconds, micrometres."""

_DEPTH = 64
_UNCHANGED = frozenset({NoneType, bool, int})
_SURROGATES = re.compile("[\ud800-\udfff]")


def freeze(value: object, _depth: int = 0) -> Value:
    """An immutable copy of ``value`` as plain JSON.

    Raises ValueError for values that JSON cannot represent (entities, NaN, keys that are not
    text), and for data nested deeper than 64 levels, which usually is a cycle.
    """
    kind = type(value)
    if kind in _UNCHANGED or (kind is str and cast(str, value).isascii()):
        return cast(Value, value)
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
    is_list = kind is tuple or kind is list  # first: to ask for a Mapping is slow
    if not is_list and (kind is dict or isinstance(value, Mapping)):
        items = _with_keys(cast(Mapping[object, object], value))
        return MappingProxyType({key: freeze(items[key], _depth + 1) for key in sorted(items)})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item, _depth + 1) for item in value)
    raise ValueError(f"{type(value).__name__} is not plain data: {value!r}")


def freeze_parsed(value: dict[str, object], _depth: int = 1) -> Mapping[str, Value]:
    """The same as :func:`freeze` of new dicts and lists, in place: for long journals.

    ``value`` must not be used afterwards. Raises ValueError as :func:`freeze` does.
    """
    if _depth > _DEPTH:
        raise ValueError(f"data nested deeper than {_DEPTH} levels")
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            return cast(Mapping[str, Value], freeze(value, _depth - 1))
        kind = type(item)
        if kind is str:
            if not cast(str, item).isascii():
                value[key] = freeze(item, _depth)
        elif kind is dict:
            value[key] = freeze_parsed(cast(dict[str, object], item), _depth + 1)
        elif kind is list and _depth < _DEPTH:
            value[key] = tuple(
                freeze_parsed(one, _depth + 2) if type(one) is dict else freeze(one, _depth + 1)
                for one in cast(list[object], item)
            )
        elif kind not in _UNCHANGED:
            value[key] = freeze(item, _depth)
    in_order = sorted(value)
    if in_order != list(value):
        value = {key: value[key] for key in in_order}
    return MappingProxyType(cast(dict[str, Value], value))


def _with_keys(value: Mapping[object, object]) -> Mapping[str, object]:
    """The mapping with keys of plain text. Raises ValueError."""
    if all(type(key) is str and key.isascii() for key in value):
        return cast(Mapping[str, object], value)
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"a key must be text, not {type(key).__name__}: {key!r}")
    return {_SURROGATES.sub("�", str.__str__(key)): value[key] for key in value}


def thaw(value: Value) -> object:
    """The value as lists and dicts, for ``json.dumps`` and for models that need them."""
    kind = type(value)
    if kind is str or kind is float or kind in _UNCHANGED:
        return value
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return value


def same(one: object, other: object) -> bool:
    """Equality that distinguishes 1, 1.0 and true, as a journal does."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other
