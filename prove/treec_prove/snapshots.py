"""Saves the whole state of a run and puts it back in place, so that it goes on from there again.

A run is a graph of Python objects. Everything in it that can change is saved shallowly, object by
object, and put back into the same objects: closures, timers and nodes go on referring to each
other. What was there at first is saved once; a later state costs what is different in it.
"""

from __future__ import annotations

import gc
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from operator import is_
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CellType,
    CodeType,
    FunctionType,
    GeneratorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any, NamedTuple

from treec.source.errors import TreecError
from treec.team.talk_subtasks import TalkSubtasks

_HEARING = (
    *("addressed", "clauses", "ear", "heard", "licence", "mentioned_names", "mentions"),
    *("name_index", "own_words", "reading", "sentences", "templates", "time_order"),
)
HEARING = ("treec.team.spoken_words", *(f"treec_hearing.{name}" for name in _HEARING))
"""Modules of what hears whose objects do not change once they are made."""

STATIC = (
    "jinja2",
    "pydantic",
    "re",
    "logging",
    "uuid",
    "py_trees.logging",
    "enum",
    "threading",
    "_thread",
    "treec.files",
    "treec.source",
    *(f"{name}." for name in (*HEARING, "treec_hearing.question_words")),
    "treec.compile.definition",
    "treec.team.knowledge",
    "treec.team.language",
    "treec.team.entities",
    "treec.team.events",
    "treec.team.state",
    "treec.team.actions",
    "treec.world.facts",
    "treec.world.journal.Record",
    "treec.world.failures",
    "treec.nodes.events",
    "treec.nodes.place",
    "treec.ask.transport",
    "treec.program",
    "treec_asking.interpreter",
)
"""Modules whose objects do not change once a run has begun, but for what they cache."""

_ATOMS: tuple[type, ...] = (str, bytes, int, float, complex, bool, type(None), type, ModuleType)
_ATOMS += (CodeType, BuiltinFunctionType, BuiltinMethodType, type(threading.Lock()), BaseException)


DERIVED: dict[str, dict[str, Callable[[], object]]] = {
    "treec.team.team.Team": {
        "_snapshot": lambda: None,
        "_version": lambda: -1,
        "_last_candidates": lambda: None,
        "talk_subtasks": TalkSubtasks,
        "last_talk": lambda: None,
    },
    "treec.team.names.WorldScope": {"_last": dict, "_values": dict},
    "treec.run.monitor.Monitor": {"_last_items": dict},
}
"""Attributes that follow from the rest of the state, and what they are before that is looked at."""


class CannotSave(TreecError):
    """Something in a run whose state cannot be put back; the text says what."""


class SavedKind(NamedTuple):
    """How objects of a class are saved: what is in them, what that refers to, how it is put back.

    ``get`` is None for what never changes itself, and ``inside`` for what refers to nothing.
    """

    get: Callable[[Any], Any] | None
    put: Callable[[Any, Any], None] | None
    inside: Callable[[Any, Any], Iterator[object] | list[object]] | None
    look: Callable[[Any], Any] | None = None
    """What is in them as ``get`` says, without a copy, if that is faster."""


def _put_dict(obj: dict[Any, Any], content: dict[Any, Any]) -> None:
    obj.clear()
    obj.update(content)


def _put_list(obj: Any, content: tuple[object, ...]) -> None:
    obj[:] = content


def _put_deque(obj: deque[Any], content: tuple[object, ...]) -> None:
    obj.clear()
    obj.extend(content)


def _put_set(obj: set[Any], content: frozenset[object]) -> None:
    obj.clear()
    obj.update(content)


def _vars(obj: Any) -> dict[str, object]:
    return dict(obj.__dict__)


def _own_vars(obj: Any) -> dict[str, object]:
    own: dict[str, object] = obj.__dict__
    return own


def _itself(obj: Any) -> Any:
    return obj


def _put_vars(obj: Any, content: dict[str, object]) -> None:
    own = obj.__dict__
    own.clear()
    own.update(content)


_EMPTY = object()
_HEAP_TYPE = 1 << 9
_IN_C = ("functools", "_functools", "_io", "io", "itertools", "operator")


def _get_cell(cell: CellType) -> tuple[object]:
    try:
        return (cell.cell_contents,)
    except ValueError:
        return (_EMPTY,)


def _put_cell(cell: CellType, content: tuple[object]) -> None:
    if content[0] is not _EMPTY:
        cell.cell_contents = content[0]


def _items(obj: object, content: Any) -> list[object]:
    return [*content.keys(), *content.values()]


def _all(obj: object, content: Any) -> Any:
    return content


def _referents(obj: object, content: object) -> list[object]:
    return gc.get_referents(obj)


def _closure(obj: FunctionType, content: object) -> list[object]:
    return [*(obj.__closure__ or ()), *(obj.__defaults__ or ())]


_NOTHING = SavedKind(None, None, None)
_PLAIN: set[type] = set()
"""Classes of which it is known that nothing of their objects is saved."""
_THROUGH = SavedKind(None, None, _referents)
_KNOWN: dict[type, SavedKind] = {
    dict: SavedKind(dict, _put_dict, _items, _itself),
    list: SavedKind(tuple, _put_list, _all, _itself),
    set: SavedKind(frozenset, _put_set, _all, _itself),
    deque: SavedKind(tuple, _put_deque, _all, _itself),
    CellType: SavedKind(_get_cell, _put_cell, _all),
    FunctionType: SavedKind(None, None, _closure),
    random.Random: SavedKind(random.Random.getstate, random.Random.setstate, None),
}


def _slots(cls: type) -> tuple[MemberDescriptorType, ...]:
    own = (vars(base) for base in cls.__mro__ if "__slots__" in vars(base))
    found = chain.from_iterable(names.values() for names in own)
    return tuple(one for one in found if isinstance(one, MemberDescriptorType))


def slot_names(cls: type) -> tuple[str, ...]:
    """The names of what is saved of objects of a class with slots."""
    return tuple(member.__name__ for member in _slots(cls))


def _slotted(cls: type) -> SavedKind:
    members = _slots(cls)

    def get(obj: object) -> tuple[object, ...]:
        found = []
        for member in members:
            try:
                found.append(member.__get__(obj))
            except AttributeError:
                found.append(_EMPTY)
        return tuple(found)

    def put(obj: object, content: tuple[object, ...]) -> None:
        for member, value in zip(members, content, strict=True):
            if value is not _EMPTY:
                member.__set__(obj, value)

    return SavedKind(get, put, _all)


def _kind_of(cls: type) -> SavedKind:
    if getattr(cls, "is_fixed", False):
        return _NOTHING
    if issubclass(cls, _ATOMS) or f"{cls.__module__}.{cls.__qualname__}".startswith(STATIC):
        return _NOTHING
    if issubclass(cls, dict):
        return _KNOWN[dict]
    is_own = cls.__flags__ & _HEAP_TYPE and cls.__module__ not in _IN_C
    if not is_own or issubclass(cls, tuple | frozenset):
        return _THROUGH
    params = getattr(cls, "__dataclass_params__", None)
    if params is not None and params.frozen:
        return _THROUGH
    has_vars = cls.__dictoffset__ != 0
    if not has_vars:
        return _slotted(cls)
    if _slots(cls):
        name = f"{cls.__module__}.{cls.__qualname__}"
        raise CannotSave(f"cannot be explored: the class {name} has slots and a dictionary")
    derived = DERIVED.get(f"{cls.__module__}.{cls.__qualname__}")
    return SavedKind(_vars, _put_vars, _items, _own_vars) if derived is None else _without(derived)


def _without(derived: dict[str, Callable[[], object]]) -> SavedKind:
    def get(obj: Any) -> dict[str, object]:
        return {name: value for name, value in obj.__dict__.items() if name not in derived}

    def put(obj: Any, content: dict[str, object]) -> None:
        _put_vars(obj, content)
        obj.__dict__.update({name: make() for name, make in derived.items()})

    return SavedKind(get, put, _items)


def kind_of(cls: type) -> SavedKind:
    """How objects of a class are saved. Raises CannotSave."""
    found = _KNOWN.get(cls)
    if found is None:
        found = _KNOWN[cls] = _kind_of(cls)
    return found


def _check_generator(obj: Any) -> None:
    if obj.gi_suspended:
        raise CannotSave(f"cannot be explored: the generator {obj.__qualname__} has begun")


class HeapState(NamedTuple):
    """A state: what differs from the first one, and what has been made since."""

    changed: dict[int, Any]
    """Contents by the number of the object in the heap."""
    made: list[tuple[object, SavedKind, Any]]


def is_same(now: Any, before: Any) -> bool:
    """Whether two contents are the same objects in the same order."""
    if isinstance(now, dict):
        return (
            len(now) == len(before)
            and all(map(is_, now.values(), before.values()))
            and all(map(is_, now, before))
        )
    if isinstance(now, frozenset | set):
        return bool(now == before)
    return len(now) == len(before) and all(map(is_, now, before))


MOST_FIXED = 20_000
"""Objects that came later and cannot change of which that is remembered."""


class _Calm:
    """Objects that have not changed yet, and a fast look at whether all of them are as before."""

    def __init__(self, heap: Heap, numbers: list[int]) -> None:
        self.numbers: dict[int, None] = {}
        self._dicts: list[dict[Any, Any]] = []
        self._lists: list[list[Any]] = []
        self._cells: list[CellType] = []
        for number in numbers:
            obj, kind = heap.objects[number], kind_of(type(heap.objects[number]))
            if kind.get is _vars:
                self._dicts.append(obj.__dict__)
            elif type(obj) is dict:
                self._dicts.append(obj)
            elif type(obj) is list:
                self._lists.append(obj)
            elif type(obj) is CellType and heap.first[number][0] is not _EMPTY:
                self._cells.append(obj)
            else:
                continue
            self.numbers[number] = None
        self._values = self._now()

    def _now(self) -> list[object]:
        found: list[object] = [*chain.from_iterable(map(dict.values, self._dicts))]
        found += chain.from_iterable(self._lists)
        found += [cell.cell_contents for cell in self._cells]
        found += map(len, self._dicts)
        return found

    def is_as_before(self) -> bool:
        """Whether nothing has changed."""
        now = self._now()
        return len(now) == len(self._values) and all(map(is_, now, self._values))


class Heap:
    """All that can change in what some roots refer to, as it is when this is made."""

    def __init__(self, *roots: object) -> None:
        self.roots = roots
        self.objects: list[object] = []
        self.numbers: dict[int, int] = {}
        """The number of each object, by its id."""
        self._kinds: list[SavedKind] = []
        self.first: list[Any] = []
        """What was in each object at first."""
        self._derived: set[int] = set()
        self._watched: list[tuple[int, object, SavedKind, Any]] = []
        """Objects that have changed before."""
        self._fixed: dict[int, object] = {}
        """What cannot change, by id."""
        self._known: set[int] = set()
        """The ids of all that was there at first."""
        self._made_fixed: dict[int, object] = {}
        """What came later and cannot change, nor what is in it, by id."""
        made, fixed = self._walk(list(roots), {})
        self._fixed = fixed
        self._known = {*fixed, *(id(obj) for obj, _, _ in made)}
        for obj, kind, content in made:
            self.numbers[id(obj)] = len(self.objects)
            self.objects.append(obj)
            self._kinds.append(kind)
            self.first.append(content)
            if f"{type(obj).__module__}.{type(obj).__qualname__}" in DERIVED:
                self._derived.add(self.numbers[id(obj)])
        self._calm = _Calm(self, [n for n in range(len(self.objects)) if n not in self._derived])
        for number in range(len(self.objects)):
            if number not in self._calm.numbers:
                self._watch(number)

    def _walk(
        self, todo: list[object], seen: dict[int, object]
    ) -> tuple[list[tuple[object, SavedKind, Any]], dict[int, object]]:
        """What is reached from some objects and not known yet: what can change, and what cannot."""
        made: list[tuple[object, SavedKind, Any]] = []
        known, fixed = self._known, self._made_fixed
        while todo:
            obj = todo.pop()
            cls = type(obj)
            if cls in _PLAIN:
                continue
            key = id(obj)
            if key in seen or key in known or key in fixed:
                continue
            kind = _KNOWN.get(cls) or kind_of(cls)
            if kind is _NOTHING:
                _PLAIN.add(cls)
                continue
            if kind is _THROUGH and known and self._is_fixed(obj):
                continue
            seen[key] = obj
            if cls is GeneratorType:
                _check_generator(obj)
                continue
            content = None
            if kind.get is not None:
                content = kind.get(obj)
                made.append((obj, kind, content))
            if kind.inside is not None:
                todo += [it for it in kind.inside(obj, content) if type(it) not in _PLAIN]
        return made, seen

    def _is_fixed(self, obj: object) -> bool:
        """Whether nothing that came later and can change is in what cannot change itself."""
        known, fixed = self._known, self._made_fixed
        seen: dict[int, object] = {}
        todo = [obj]
        while todo:
            one = todo.pop()
            cls, key = type(one), id(one)
            if cls in _PLAIN or key in seen or key in known or key in fixed:
                continue
            kind = _KNOWN.get(cls) or kind_of(cls)
            if kind is not _NOTHING and kind is not _THROUGH:
                return False
            if cls is GeneratorType:
                return False
            seen[key] = one
            if kind is _THROUGH:
                todo += gc.get_referents(one)
        if len(fixed) + len(seen) > MOST_FIXED:
            fixed.clear()
        fixed |= seen
        return True

    def save(self) -> HeapState:
        """The state as it is now. Raises CannotSave."""
        if not self._calm.is_as_before():
            self._look_at_calm()
        changed: dict[int, Any] = {}
        todo: list[object] = []
        for number, obj, kind, before in self._watched:
            if not is_same((kind.look or kind.get)(obj), before):  # type: ignore[misc]
                changed[number] = now = kind.get(obj)  # type: ignore[misc]
                if kind.inside is not None:
                    todo += [it for it in kind.inside(obj, now) if type(it) not in _PLAIN]
        made, _ = self._walk(todo, {})
        return HeapState(changed, made)

    def _look_at_calm(self) -> None:
        """Watch what has changed for the first time from now on."""
        calm = []
        for number in self._calm.numbers:
            obj, kind, before = self.objects[number], self._kinds[number], self.first[number]
            if is_same((kind.look or kind.get)(obj), before):  # type: ignore[misc]
                calm.append(number)
            else:
                self._watch(number)
        self._calm = _Calm(self, calm)

    def _watch(self, number: int) -> None:
        entry = number, self.objects[number], self._kinds[number], self.first[number]
        self._watched.append(entry)

    def restore(self, state: HeapState) -> None:
        """Go back to a state."""
        if not self._calm.is_as_before():
            self._look_at_calm()
        changed = state.changed
        derived = self._derived
        for number, obj, kind, first in self._watched:
            content = changed.get(number, first)
            look = kind.look or kind.get
            if number in derived or not is_same(look(obj), content):  # type: ignore[misc]
                kind.put(obj, content)  # type: ignore[misc]
        for obj, kind, content in state.made:
            kind.put(obj, content)  # type: ignore[misc]
