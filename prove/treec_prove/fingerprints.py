"""Tells which states of a run are equal: a canonical form of all that differs from the first state.

Two states are equal if their forms are. What never matters to a later tick is left out, attribute
by attribute (``IGNORED``); times that have passed and numbers that only grow count by their order
(``treec_prove.moments``), and times to come by how far away they are. Objects that were made since
are numbered as they are met. All else counts, whatever it is: what nobody thought of makes two
states different, and never equal.
"""

from __future__ import annotations

import json
import marshal
from collections import deque
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from hashlib import blake2b
from random import Random
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

from treec.ask.transport import Request
from treec.files.entry import Entry
from treec.team.entities import Agent, Subtask, Utterance
from treec.team.team import TeamSnapshot
from treec.world.facts import FactValue
from treec.world.persistent import PersistentMap
from treec_asking.interpreter import SkillCall
from treec_asking.override_policy import OverridePolicy
from treec_asking.prompt import Question
from treec_prove.moments import ChangeNumber, Ordinal, PassedTime, ProofClock
from treec_prove.past import ID, Past
from treec_prove.skill_limits import NamedWake
from treec_prove.snapshots import HEARING, Heap, HeapState, is_same, kind_of, slot_names

IGNORED: Mapping[str, tuple[str, ...]] = {
    "Loop": ("beats", "turn_began", "_late", "suspect", "_instant", "_restless", "_recent"),
    "_TickedTree": ("count",),
    "Inbox": ("_sequence",),
    "Runtime": ("_sensed_by", "spec", "scenario"),
    "OrdersInFlight": ("_count",),
    "Cell": ("by", "times_set", "read_in"),
    "DependencyWatch": ("variable", "tick", "reads", "on_set", "_outdated", "_timer"),
    "ProofClock": ("_now", "_timers", "owners", "owner", "limit_of", "name_all"),
    "ProofJournal": ("_n", "_t", "_waits"),
    "World": ("_version", "_writer"),
    "Monitor": ("_seen", "broken"),
    "GuardedClock": ("_at_once", "_waiting"),
    "RestWatch": ("_timer",),
    "_PeriodicTick": ("_timer",),
    "WakeUp": ("_timer",),
    "AskingNode": ("seen", "last_answer", "sureness", "_unanswered", "by"),
    "Control": ("_due",),
    "OpenLimit": ("due",),
    "Decision": ("current_child", "_last"),
    "Action": ("_inner",),
    "Reading": ("_ear",),
    "Behaviour": (
        "feedback_message",
        "id",
        "logger",
        "blackboards",
        "qualified_name",
        "parent",
        "iterator",
        "blackbox_level",
    ),
    "Exchange": ("_messages", "verdicts", "_slow", "_schema", "runtime", "entry"),
    "OpenQuestion": ("flight", "open_"),
    "SkillRun": ("_call", "_within", "scope", "_diagnosis", "_due"),
    "Timer": ("sequence", "_timers", "when"),
    "OrderPace": ("_in_flight", "_orders", "_ended_at_once", "_values", "changes"),
    "LeanSequence": ("_is_new", "_at"),
    "LeanSelector": ("_is_new", "_at"),
    "WorkLog": ("_last", "_latest"),
    "Rewindable": ("alive",),
}
"""Attributes, by the name of a class or of one that it derives from, that no later tick depends on,
or that follow from what else is in the state.

Counters of ticks, beats and messages; who has set a variable and how often; which variables a tick
that is over has read; the number of the last record; which utterances a monitor has seen (all of
them); timers, which are told by when they are due; what a node saw when it last decided; in which
words answers were refused; which work came when, of which ``treec_prove.past`` tells what counts;
how soon skills began again, since none that is explored ends at once; at which child a tick that is
over was.
"""

BETWEEN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Reading": ("exchange", ("_unread", "_floor", "_stops", "_unreadable")),
}
"""The same for attributes that are set anew before they are looked at while another one is None."""


MOST_VALUES = 20_000
"""Immutable values whose forms are remembered."""


def _bytes(form: Any) -> bytes:
    return marshal.dumps(form, 2)  # later versions also say which objects are the same


class Encoder:
    """The canonical form of states: what is not as in a heap that was made before them."""

    def __init__(self, heap: Heap, clock: ProofClock, past: Past) -> None:
        self._heap = heap
        self._clock = clock
        self.past = past
        self._slots = past.slots
        self._facts = past.facts
        self._ids: dict[str, tuple[int, str] | None] = {}
        """Texts that are the id of an utterance or an act: its number, and what follows it."""
        self._first: dict[int, bytes] = {}
        """The forms of what was in objects at first, where they were asked for."""
        self._ways: dict[type, Callable[[Encoder, Any], object]] = dict(_WAYS)
        self._numbers: dict[int, int] = {}
        self._times: list[list[Any]] = []
        """Times that have passed, in the form: each is replaced by its rank in the end."""
        self._ordinals: dict[type, list[list[Any]]] = {}
        """The same for numbers that only grow, by their kind."""
        self._now = float(clock.now())
        self.kept: dict[int, object] = {}
        """Objects that are told by their place in memory."""
        self.mark = 0
        """The process, of several that are copies of one."""
        self._shared: set[int] = set()
        """The places of objects that were there when the process was copied."""
        self._ignored: dict[type, frozenset[str]] = {}
        self._relevant: set[int] = set()
        self._finding: list[object] | None = None
        """Objects to be looked into, while it is found out which ones matter."""
        self._relative = 0
        """How often something was met whose form depends on the state around it."""
        self._values: dict[int, tuple[object, object]] = {}
        """Immutable values whose forms depend on nothing else, with these, by id."""
        self._contents: dict[int, tuple[Any, object]] = {}
        """The same for objects that can change, by number: what was in them, and its form."""
        self._names = {number: number for number in range(len(heap.objects))}
        """The numbers of objects, by those that they have in the heap whose states are told."""
        self._since: dict[int, Any] = {}
        """What was in objects when that heap was made, if it was not in them at first."""
        self._find_relevant()

    def _find_relevant(self) -> None:
        """Find the objects that are reached otherwise than by what is left out."""
        self._finding = list(self._heap.roots)
        while self._finding:
            obj = self._finding.pop()
            number = self._heap.numbers[id(obj)]
            if number not in self._relevant:
                self._relevant.add(number)
                self._content(obj)
        self._finding = None

    def follow(self, heap: Heap) -> None:
        """Tell the states of a heap that was made later: what was there before has its number."""
        first = self._heap
        names = {number: first.numbers.get(id(obj)) for number, obj in enumerate(heap.objects)}
        self._names = {number: name for number, name in names.items() if name is not None}
        for number, name in self._names.items():
            if not is_same(heap.first[number], first.first[name]):
                self._since[name] = heap.first[number]

    def keep(self, objects: Collection[object]) -> None:
        """Let objects be told by their places in all copies that are made of this process."""
        self._shared = {id(obj) for obj in objects}
        self.kept |= {id(obj): obj for obj in objects}

    def fingerprint(self, state: HeapState, *more: object) -> bytes:
        """16 bytes that are the same for equal states; ``more`` is part of them."""
        return blake2b(_bytes(self.form(state, *more)), digest_size=16).digest()

    def form(self, state: HeapState, *more: object) -> object:
        """The canonical form of the state that the heap is in, saved as ``state``."""
        self._numbers.clear()
        self._now = float(self._clock.now())
        changed = []
        self.past.look()
        self._times, self._ordinals = [], {}
        contents, names, numbers = dict(self._since), self._names, self._heap.numbers
        contents |= {names[n]: content for n, content in state.changed.items() if n in names}
        contents |= {numbers[id(obj)]: it for obj, _, it in state.made if id(obj) in numbers}
        for number in sorted(contents):  # processes find them in other orders
            if number not in self._relevant:
                continue
            form = self._changed(number, contents[number])
            if form is not None:
                changed.append((number, form))
        heap_form = changed, self.past.work(), self._talk()
        limits: list[object] = [about for about, _ in self._clock.limits()]
        if self._clock.name_all is not None:
            limits = [(name, self.encode(one.callback)) for name, one in self._clock.limits()]
        timers = [
            (round(timer.when - self._now, 6), self.encode(timer.callback))
            for timer in self._clock.own()
        ]
        for ranked in (self._times, *self._ordinals.values()):
            values = sorted({one[1] for one in ranked})
            ranks = {value: rank for rank, value in enumerate(values)}
            for one in ranked:
                one[1] = ranks[one[1]]
        return heap_form, timers, limits, more

    def _talk(self) -> object:
        if not self.past.is_short:
            return ()
        return tuple(
            (self.encode(id) if id else "", () if t is None else self.moment(t), words)
            for id, t, words in self.past.talk()
        )

    def _changed(self, number: int, content: Any) -> object:
        """The form of an object that is not as at first; made anew only if it may be another."""
        known = self._contents.get(number)
        if known is not None and is_same(known[0], content):
            return known[1]
        before = self._relative
        form = self._content(self._heap.objects[number])
        if self._relative == before:
            self._contents[number] = content, form
        return form

    def value(self, obj: object, make: Callable[[], object]) -> object:
        """The form of an immutable value, which is made once if it depends on nothing else."""
        known = self._values.get(id(obj))
        if known is not None:
            return known[1]
        before = self._relative
        form = make()
        if self._relative == before and self._finding is None:
            form = blake2b(_bytes(form), digest_size=16).digest()
            if len(self._values) >= MOST_VALUES:
                self._values.clear()
            self._values[id(obj)] = obj, form
        return form

    def _content(self, obj: object) -> object:
        """The form of what is in an object; None if it is never looked at."""
        cls = type(obj)
        special = _CONTENTS.get(cls)
        if special is not None or obj is self._slots:
            self._relative += 1
        if special is not None:
            return special(self, obj)
        if isinstance(obj, dict) and obj is self._slots and self.past.is_short:
            return tuple((k, self._slot(k, v)) for k, v in obj.items())
        if obj is self._facts:  # whoever goes through facts meets them by their names
            return tuple((k, self.encode(v)) for k, v in sorted(self._facts.items()))
        if isinstance(obj, dict):
            return tuple((self.encode(k), self.encode(v)) for k, v in obj.items())
        if isinstance(obj, list | deque):
            return tuple(map(self.encode, obj))
        if isinstance(obj, set):
            return tuple(sorted((self.encode(one) for one in obj), key=repr))
        if isinstance(obj, CellType):
            try:
                return self.encode(obj.cell_contents)
            except ValueError:
                return None
        ignored = self._ignored.get(cls)
        if ignored is None:
            left_out = (name for base in cls.__mro__ for name in IGNORED.get(base.__name__, ()))
            ignored = self._ignored[cls] = frozenset(left_out)
        if self._clock.name_all is not None and cls.__name__ == "Monitor":
            ignored = ignored | {"_open"}
        between = BETWEEN.get(cls.__name__)
        if between is not None and self._finding is None and getattr(obj, between[0]) is None:
            ignored = ignored | {*between[1]}
        is_found = self._finding is None
        if isinstance(obj, OverridePolicy):
            self._relative += 1
            if is_found and not self.past.looks_back(obj):
                ignored = ignored | {"_since", "_heard"}
        content = kind_of(cls).get(obj)  # type: ignore[misc]
        number = self._heap.numbers.get(id(obj))
        if isinstance(content, dict) and number is not None and self._finding is None:
            first = self._heap.first[number]
            form = tuple(
                (name, self._heard(value) if name == "_heard" else self.encode(value))
                for name, value in content.items()
                if name not in ignored and not _is_first(value, first.get(name, _NEVER))
            )
            is_as_first = not form and first.keys() - content.keys() <= ignored
            return None if is_as_first else form
        if isinstance(content, dict):
            return tuple(
                (name, self.encode(value)) for name, value in content.items() if name not in ignored
            )
        names = slot_names(cls)
        return tuple(
            (name, self.encode(value))
            for name, value in zip(names, content, strict=True)
            if name not in ignored
        )

    def encode(self, obj: Any) -> object:
        """The form of a value, or of a reference to an object."""
        cls = type(obj)
        if cls is str and obj[:1] == "u":
            return self._id(obj)
        if cls is str or cls is int or cls is bool or obj is None or cls is float or cls is bytes:
            return obj
        way = self._ways.get(cls)
        if way is None:
            way = self._ways[cls] = _way_of(cls)
        return way(self, obj)

    def _slot(self, name: str, value: Any) -> object:
        """A slot of the team's state, without what is told of the talk in another way."""
        if name == "utterances":
            return ()
        if name == "counts":
            return tuple((k, v) for k, v in value.items() if k != "utterance")
        return self.encode(value)

    def _heard(self, ids: Any) -> object:
        """Which of the ids that may be asked for again a node has heard already."""
        self._relative += 1
        last, open_ = self.past.heard()
        return (last in ids, *(self.encode(id) for id in open_ if id in ids))

    def _id(self, text: str) -> object:
        """A text; the id of an utterance or act by the order of utterances."""
        if text not in self._ids:
            found = ID.fullmatch(text)
            self._ids[text] = None if found is None else (int(found[1]), found[2] or "")
        parts = self._ids[text]
        if parts is None:
            return text
        self._relative += 1
        if not self.past.is_short:
            return text
        return ("u", _ranked(self._ordinals.setdefault(Utterance, []), "n", parts[0]), parts[1])

    def reference(self, obj: object) -> object:
        """The number of an object that can change; what is in it, where it is met first."""
        number = self._heap.numbers.get(id(obj))
        if number is not None and self._finding is not None:
            self._finding.append(obj)
            return ("@", number)
        if number is not None and number in self._relevant:
            return ("@", number)
        self._relative += 1
        key = id(obj)
        known = self._numbers.get(key)
        if known is not None:
            return ("#", known)
        self._numbers[key] = len(self._numbers)
        return ("new", type(obj).__qualname__, self._content(obj))

    def moment(self, time: float) -> object:
        """A time: how far away it is, or where it stands among those that have passed."""
        self._relative += 1
        ahead = float(time) - self._now
        if ahead > 0:
            return ("in", round(ahead, 6))
        return _ranked(self._times, "ago", float(time))

    def ordinal(self, value: int) -> object:
        """A number that only grows: where it stands among those of its kind."""
        self._relative += 1
        return _ranked(self._ordinals.setdefault(type(value), []), "n", int(value))


_NEVER = object()


def _is_first(value: object, first: object) -> bool:
    """Whether a value is the one that was there at first; of what counts by its order, never."""
    if isinstance(value, PassedTime | Ordinal):
        return False
    return value is first or (
        type(value) is type(first) and isinstance(value, _PLAIN) and value == first
    )


_PLAIN = (str, int, bool, float)


def _ranked(all_: list[list[Any]], kind: str, value: float) -> list[Any]:
    """A number, which is replaced by its rank in the end; until then it sorts as text, too."""
    all_.append([kind, f"{value:020.6f}"])
    return all_[-1]


def _value_of(cls: type) -> Callable[[Encoder, Any], object]:
    """How immutable data classes are encoded: by value."""
    names = tuple(getattr(cls, "__dataclass_fields__", ()))
    name = cls.__qualname__

    def encode(encoder: Encoder, obj: Any) -> object:
        form = encoder.encode
        return encoder.value(obj, lambda: (name, *[form(getattr(obj, field)) for field in names]))

    return encode


def _named(encoder: Encoder, obj: Any) -> object:
    return ("name", f"{obj.__module__}.{obj.__qualname__}")


def _function(encoder: Encoder, obj: FunctionType) -> object:
    named = sorted((obj.__kwdefaults__ or {}).items())
    inside = (*(obj.__closure__ or ()), *(obj.__defaults__ or ()), *named)
    return ("def", f"{obj.__module__}.{obj.__qualname__}", _items(encoder, inside))


def _method(encoder: Encoder, obj: MethodType) -> object:
    return ("bound", obj.__func__.__qualname__, encoder.encode(obj.__self__))


def _items(encoder: Encoder, obj: Any) -> object:
    return tuple(map(encoder.encode, obj))


def _unordered(encoder: Encoder, obj: Any) -> object:
    return ("set", *sorted((encoder.encode(one) for one in obj), key=repr))


def _mapping(encoder: Encoder, obj: Any) -> object:
    return ("map", *[(encoder.encode(k), encoder.encode(v)) for k, v in obj.items()])


def _of_file(encoder: Encoder, obj: Any) -> object:
    """What was read from a file: by its text."""
    text = getattr(obj, "text", None)
    return (type(obj).__qualname__, text) if isinstance(text, str) else _fixed(encoder, obj)


def _fixed(encoder: Encoder, obj: Any) -> object:
    """What never changes: by its place in memory, where it is kept from now on."""
    encoder.kept[id(obj)] = obj
    mark = 0 if id(obj) in encoder._shared else encoder.mark
    return (type(obj).__qualname__, id(obj), mark)


def _partial(encoder: Encoder, obj: Any) -> object:
    given = (obj.func, *obj.args, *obj.keywords.items())
    return ("partial", _items(encoder, given))


def _way_of(cls: type) -> Callable[[Encoder, Any], object]:
    if issubclass(cls, tuple):
        return _items
    if issubclass(cls, frozenset):
        return _unordered
    if issubclass(cls, BaseException):
        return lambda encoder, obj: (cls.__qualname__, str(obj))
    if issubclass(cls, Enum):
        return lambda encoder, obj: (cls.__qualname__, obj.name)
    for plain in (str, int, float):
        if issubclass(cls, plain):
            return lambda encoder, obj: (cls.__qualname__, plain(obj))
    params = getattr(cls, "__dataclass_params__", None)
    kind = kind_of(cls)
    if kind.get is not None:
        return Encoder.reference
    if cls.__module__.startswith(
        ("treec.source", "treec.files", "treec.program", "treec_asking.interpreter", *HEARING)
    ):
        return _of_file
    if params is not None and params.frozen:
        return _value_of(cls)
    if cls.__name__ == "mappingproxy":
        return _mapping
    if cls.__name__ == "partial":
        return _partial
    return _fixed


_WAYS: dict[type, Callable[[Encoder, Any], object]] = {
    tuple: _items,
    frozenset: _unordered,
    FunctionType: _function,
    BuiltinFunctionType: _named,
    MethodType: _method,
    ModuleType: lambda encoder, obj: obj.__name__,
    type: _named,
    PassedTime: lambda encoder, obj: encoder.moment(obj),
    Ordinal: lambda encoder, obj: encoder.ordinal(obj),
    ChangeNumber: lambda encoder, obj: encoder.ordinal(obj),
}


def _persistent(encoder: Encoder, obj: Any) -> object:
    """The items, and groups of keys that came to them in another order."""
    items = tuple((encoder.encode(k), encoder.encode(v)) for k, v in obj.items())
    places = {key: place for place, key in enumerate(obj)}
    orders = []
    for by, groups in obj._groups.items():
        for group, keys in groups.items():
            came = [places[key] for key in keys]
            if came != sorted(came):
                orders.append((by.__qualname__, repr(group), tuple(came)))
    return (items, *sorted(orders)) if orders else items


def _sum(data: Any) -> int:
    return hash(json.dumps(data, sort_keys=True, default=str))


def _random(encoder: Encoder, obj: Any) -> object:
    return hash(obj.getstate())


def _order_last(encoder: Encoder, obj: Any) -> object:
    return tuple(sorted(obj.items()))


def _wake(encoder: Encoder, obj: Any) -> object:
    """Whether it is set, and has gone off; when, tells its timer."""
    due = obj.due is not None if obj.is_open else encoder.encode(obj.due)
    return (due, obj.is_over)


_CONTENTS: dict[type, Callable[[Encoder, Any], object]] = {
    NamedWake: _wake,
    PersistentMap: _persistent,
    Random: _random,
}
"""Classes of which the form is another one than all that is in them."""

_WAYS |= {
    Subtask: lambda encoder, obj: ("subtask", obj.id),
    SkillCall: lambda encoder, obj: (
        "call",
        obj.skill,
        encoder.encode(obj.args),
        _mapping(encoder, obj.kwargs),
        (obj.at.offset, obj.at.line),
    ),
    Agent: lambda encoder, obj: ("agent", obj.name),
    FactValue: lambda encoder, obj: (encoder.encode(obj.value), obj.source),
    TeamSnapshot: lambda encoder, obj: "team",
    Request: lambda encoder, obj: ("asks", obj.node, obj.attempt, _sum(obj.schema)),
    Question: lambda encoder, obj: (
        "question",
        _sum([m.content for m in obj.messages]),
        _sum(obj.schema),
    ),
    Entry: lambda encoder, obj: ("file", obj.kind, obj.name),
}
