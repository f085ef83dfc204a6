"""Operations on values in expressions: read fields and items, compare, print.

A value is plain data (text, numbers, true, false, none, lists, mappings) or an *exposed* object,
whose class defines what can be read:

- `treec_fields`: the names of the fields (`expose` sets it for a dataclass);
- `__treec_get__(name)`: reads a field itself, and raises `KeyError` for an unknown one;
- `__treec_name__`: its name; the object then equals its name as text;
- `treec_joins = True`: it is a sequence, of which `__treec_get__` joins a field over the items.

Nothing else of a Python object can be reached.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, ItemsView, KeysView, Mapping, Sequence, Set, ValuesView
from typing import TypeVar, cast

from treec.source.budget import MAX_NESTING, Budget
from treec.source.errors import EvaluationProblem, Missing, Unknown, suggest

Reader = Callable[[object, str], object]
Kind = TypeVar("Kind", bound=type)

_LISTS = (list, tuple)
_VIEWS = (KeysView, ValuesView, ItemsView)
_readers: dict[type, Reader] = {}


def expose(kind: Kind, *fields: str) -> Kind:
    """Let expressions read these fields of a class (of a dataclass: all, when none is named)."""
    if not fields and dataclasses.is_dataclass(kind):
        fields = tuple(field.name for field in dataclasses.fields(kind))
    kind.treec_fields = fields  # type: ignore[attr-defined]
    _readers.pop(kind, None)
    return kind


def attribute(value: object, name: str) -> object:
    """Read a field of an exposed object or a key of a mapping."""
    kind = type(value)
    reader = _readers.get(kind)
    if reader is None:
        reader = _readers[kind] = _reader(kind)
    return reader(value, name)


def _reader(kind: type) -> Reader:
    if hasattr(kind, "__treec_get__"):
        return _read_own
    if issubclass(kind, Mapping):
        return _read_key
    known = frozenset(getattr(kind, "treec_fields", ()))

    def read(value: object, name: str) -> object:
        if name in known:
            return getattr(value, name)
        raise _no_field(value, name, known)

    return read


def _read_own(value: object, name: str) -> object:
    try:
        return value.__treec_get__(name)  # type: ignore[attr-defined]
    except KeyError:
        raise _no_field(value, name, getattr(value, "treec_fields", ())) from None


def _read_key(value: object, name: str) -> object:
    mapping = cast(Mapping[object, object], value)
    try:
        return mapping[name]
    except KeyError:
        return mapping[_key(mapping, name)]


def _no_field(value: object, name: str, known: Sequence[str] | frozenset[str]) -> Missing:
    help = suggest(name, known)
    if help is None and isinstance(value, (list, tuple)):
        help = f"for the field of each item write map(attribute='{name}')"
    return Missing(f"unknown field '{name}' of {describe(value)}", help)


def name_of(value: object) -> str | None:
    """Return the name of an exposed entity, or None for any other value."""
    return getattr(value, "__treec_name__", None)


class UnknownValue:
    """An unknown value that is certainly not none, for `Expression.judge`.

    Its truth value, and comparing it with anything but none, raise `Unknown`. A scope returns a new
    one each time.
    """

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        raise Unknown("this value is not known")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise Unknown("this value is not known")


def is_text(value: object) -> bool:
    """Whether a value is a text."""
    return isinstance(value, str)


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_list(value: object) -> bool:
    """Whether a value is a list: a sequence other than a text, or a view of a mapping."""
    if isinstance(value, _LISTS):
        return True
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return False
    return (
        isinstance(value, (Sequence, *_VIEWS)) or getattr(type(value), "treec_joins", False) is True
    )


def describe(value: object) -> str:
    """Describe what kind of value this is, for messages: a text, a list, true or false."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, _LISTS):
        return "a list"
    return f"a value of type {type(value).__name__}"


def items_of(value: object, budget: Budget) -> Sequence[object]:
    """Return the items of a list, or the keys of a mapping, charged."""
    if isinstance(value, _LISTS):
        budget.items(len(value))
        return value
    if isinstance(value, (Set, Mapping)) or is_list(value):
        sized = cast(Sequence[object], value)
        budget.items(len(sized))
        # the order of a Python set differs between runs
        unordered = isinstance(value, (set, frozenset))
        return sorted(sized, key=str) if unordered else list(sized)
    raise EvaluationProblem(f"{describe(value)} is not a list")


def item(value: object, key: object) -> object:
    """Read an item: of a mapping by key, of a list or a text by index."""
    if isinstance(value, Mapping):
        return value[_key(value, key)]
    if is_list(value) or isinstance(value, str):
        sequence = cast(Sequence[object], value)
        if isinstance(key, bool) or not isinstance(key, int):
            raise EvaluationProblem(f"{describe(value)} is read by index, not by {describe(key)}")
        if not -len(sequence) <= key < len(sequence):
            size = f"{describe(value)} of length {len(sequence)}"
            raise Missing(f"index {key} is out of range: {size}")
        return sequence[key]
    if isinstance(key, str):
        return attribute(value, key)
    raise EvaluationProblem(f"{describe(value)} cannot be indexed")


def cut(value: object, start: object, stop: object, step: object, budget: Budget) -> object:
    """Return a part of a list or a text."""
    part = slice(_slice_bound(start), _slice_bound(stop), _slice_bound(step))
    if part.step == 0:
        raise EvaluationProblem("the step of a slice cannot be 0")
    if isinstance(value, str):
        budget.text(len(value))
        return value[part]
    if is_list(value):
        return items_of(value, budget)[part]
    raise EvaluationProblem(f"{describe(value)} cannot be sliced")


def _slice_bound(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise EvaluationProblem(f"a slice takes whole numbers, not {describe(value)}")


def key_of(value: object) -> object:
    """Return the hashable key that identifies a value: an entity's name, or the value itself."""
    if isinstance(value, (str, int, float)) or value is None:
        return value
    name = name_of(value)
    if name is not None:
        return name
    if is_list(value) or isinstance(value, Mapping):
        raise EvaluationProblem(f"{describe(value)} cannot be a key")
    try:
        hash(value)
    except TypeError:
        raise EvaluationProblem(f"{describe(value)} cannot be a key") from None
    return value


def _key(mapping: Mapping[object, object], key: object) -> object:
    """Return the key of a mapping that equals `key`; an entity equals its name."""
    name = key_of(key)
    if name in mapping:
        return name
    if name is not key and key in mapping:
        return key
    for other in mapping:
        if name_of(other) == name and name is not None:
            return other
    if isinstance(name, str):
        help = suggest(name, [key for key in mapping if isinstance(key, str)])
        raise Missing(f"unknown key '{name}'", help)
    raise Missing(f"unknown key {name!r}")


def equal(left: object, right: object, budget: Budget, depth: int = 0) -> bool:
    """Compare two values; an entity equals its name, lists and mappings are compared by item."""
    if left is right:
        return True
    kinds = (type(left), type(right))
    if kinds == (str, str):
        return left == right
    left_name, right_name = name_of(left), name_of(right)
    if isinstance(left, str) or isinstance(right, str):
        return (left if left_name is None else left_name) == (
            right if right_name is None else right_name
        )
    if left_name is not None or right_name is not None:
        return bool(left == right)
    if is_list(left) and is_list(right):
        lefts, rights = _level(left, budget, depth), _level(right, budget, depth)
        return len(lefts) == len(rights) and all(
            equal(a, b, budget, depth + 1) for a, b in zip(lefts, rights, strict=True)
        )
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        keys = _level(left, budget, depth)
        return len(left) == len(right) and all(
            key in right and equal(left[key], right[key], budget, depth + 1) for key in keys
        )
    return bool(left == right)


def _level(value: object, budget: Budget, depth: int) -> Sequence[object]:
    if depth >= MAX_NESTING:
        raise EvaluationProblem("these values are nested too deeply")
    return items_of(value, budget)


def contains(container: object, value: object, budget: Budget) -> bool:
    """Whether a list has an item, a mapping a key, or a text a part."""
    if isinstance(container, str):
        part = value if isinstance(value, str) else name_of(value)
        if part is None:
            raise EvaluationProblem(f"a text cannot contain {describe(value)}")
        budget.text(len(container))
        return part in container
    if isinstance(container, Mapping):
        if is_list(value) or isinstance(value, Mapping):
            return False
        budget.step()
        item = key_of(value)
        return item in container or any(name_of(key) == item for key in _text_keys(container))
    return any(equal(entry, value, budget) for entry in items_of(container, budget))


def _text_keys(mapping: Mapping[object, object]) -> list[object]:
    return [key for key in mapping if name_of(key) is not None]


def text_of(value: object, budget: Budget) -> str:
    """Print a value: none as an empty text, true and false in lower case."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    text = "".join(_pieces(value, budget, 0, nested=False))
    budget.text(len(text))
    return text


def _pieces(value: object, budget: Budget, depth: int, *, nested: bool) -> list[str]:
    if isinstance(value, str):
        budget.text(len(value))
        return [repr(str(value)) if nested else str(value)]
    if value is None or isinstance(value, bool):
        return [describe(value)]
    if isinstance(value, (int, float)):
        return [_number(value)]
    if name_of(value) is None:
        if isinstance(value, Mapping):
            parts = ["{"]
            for key in _level(value, budget, depth):
                parts += ["" if len(parts) == 1 else ", "]
                parts += [*_pieces(key, budget, depth + 1, nested=True), ": "]
                parts += _pieces(value[key], budget, depth + 1, nested=True)
            return [*parts, "}"]
        if is_list(value):
            parts = ["["]
            for entry in _level(value, budget, depth):
                parts += ["" if len(parts) == 1 else ", "]
                parts += _pieces(entry, budget, depth + 1, nested=True)
            return [*parts, "]"]
        if not hasattr(type(value), "treec_fields") and not hasattr(type(value), "__treec_get__"):
            raise EvaluationProblem(f"{describe(value)} cannot be printed")
    text = str(value)
    budget.text(len(text))
    return [text]


def _number(value: int | float) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print whole numbers of more than 4,300 digits
        raise EvaluationProblem("this number is too large to be printed") from None
