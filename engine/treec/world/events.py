"""Typed events: the records of a journal as frozen dataclasses.

An event class has a kind, which is its name in the journal, and a version. Its fields are the keys
of the record's ``data``; :meth:`Event.change` is its reducer. Each package declares its events next
to the code that emits them, and extensions declare theirs in the same way::

    @event("door.opened")
    @frozen
    class DoorOpened(Event):
        \"\"\"A robot opened a door.\"\"\"

        door: str
        agent: str | None = None

A field without a default is always written. A field that equals its default is left out, unless it
is declared with :func:`always`. Field types: ``str``, ``int``, ``float``, ``bool``, ``object``
(any plain data), ``X | None``, ``tuple[X, ...]``, ``Mapping[str, X]``, dataclasses and events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, field, fields, is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from treec.extensions import ExtensionError, registry
from treec.frozen import frozen
from treec.world.facts import Evidence, FactError
from treec.world.refusal import EventRefused as EventRefused

if TYPE_CHECKING:
    from treec.world.journal import Record
    from treec.world.state import State
    from treec.world.values import Value

FORMAT = 1
"""The journal format that ``run.begin`` states; newer formats are refused."""


@frozen
class EventText:
    """An event in words, for the live view, `treec replay` and the drawn tree."""

    line: str
    tone: Literal["news", "success", "warning", "failure"] = "news"
    node: str = ""
    """The path of the node that shows `at_node` while it is RUNNING."""
    at_node: str = ""
    reason: str = ""
    """Why something failed; further events with this reason at the same time are not shown."""


class Event:
    """The base class of events: frozen dataclasses registered with :func:`event`."""

    __slots__ = ()

    kind: ClassVar[str] = ""
    version: ClassVar[int] = 1

    def change(self, state: State, record: Record) -> None:
        """Change the state; ``record`` has the time and the cause. Raises EventRefused.

        An event whose class does not override this is only recorded.
        """

    def describe(self) -> EventText | None:
        """The event in words; None for one that people need not see, or that treec words itself."""
        return None

    @classmethod
    def upgrade(cls, data: Mapping[str, Value], version: int) -> Mapping[str, Value]:
        """Convert the data of an older version to this version."""
        del version
        return data


E = TypeVar("E", bound=type[Event])

_CLASSES: dict[str, type[Event]] = {}


def event(kind: str, version: int = 1) -> Callable[[E], E]:
    """Register an event class. Raises ValueError if another class has that kind."""

    def register(cls: E) -> E:
        known = _CLASSES.setdefault(kind, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ValueError(f"the event '{kind}' is {known.__module__}:{known.__qualname__}")
        cls.kind, cls.version = kind, version
        _CLASSES[kind] = cls
        return cls

    return register


def always(default: object) -> Any:
    """A field that is written even if it equals its default; old journals may lack it."""
    if isinstance(default, dict):
        return field(default_factory=dict, metadata={"always": True})
    return field(default=default, metadata={"always": True})


def journal_key(name: str, default: object = MISSING) -> Any:
    """A field whose key in the journal is not a valid Python name, such as ``for``."""
    return field(default=default, metadata={"name": name})


def event_classes() -> Mapping[str, type[Event]]:
    """All event classes by kind, including those of installed extensions."""
    known = registry()
    for module in known.events:
        try:
            known.load(module)
        except ExtensionError as error:
            known.problem(error)
    return MappingProxyType(dict(sorted(_CLASSES.items())))


@event("unknown")
@frozen
class UnknownEvent(Event):
    """An event that this treec cannot read: its kind is unknown or its version newer.

    ``name`` is its kind and ``data`` its data as they are in the journal; ``problem`` says why it
    cannot be read. A run with such an event cannot be restored.
    """

    name: str
    data: Mapping[str, object]
    problem: str
    of_version: int = 1

    def change(self, state: State, record: Record) -> None:
        """Refuse: the effect of the event is unknown."""
        raise EventRefused(self.problem)


# Encoding and decoding


@frozen(slots=False)
class EventField:
    """A field of an event class: its name in Python and its key in the journal."""

    name: str
    key: str
    type: object
    required: bool
    default: object
    always: bool
    read: Callable[[object], object]
    plain: object = None
    """A type whose values need no reading."""


_FIELDS: dict[type, tuple[EventField, ...]] = {}


def event_fields(cls: type) -> tuple[EventField, ...]:
    """The fields of an event class or of a dataclass within one."""
    if (found := _FIELDS.get(cls)) is not None:
        return found
    hints = get_type_hints(cls)
    _FIELDS[cls] = tuple(
        EventField(
            name=one.name,
            key=one.metadata.get("name") or one.name,
            type=hints[one.name],
            required=one.default is MISSING and one.default_factory is MISSING,
            default=one.default if one.default_factory is MISSING else one.default_factory(),
            always=bool(one.metadata.get("always")),
            read=_reader(hints[one.name]),
            plain=_plain_type(hints[one.name]),
        )
        for one in fields(cls)
    )
    return _FIELDS[cls]


def encode(thing: Any) -> dict[str, object]:
    """The fields of an event, or of a dataclass within one, as plain data."""
    found: dict[str, object] = {}
    for one in event_fields(type(thing)):
        value = getattr(thing, one.name)
        unset = type(value) is type(one.default) and value == one.default
        if one.required or one.always or not unset:
            found[one.key] = _plain(value)
    return found


_BARE = {str, int, float, bool, NoneType}


def _plain(value: object) -> object:
    if type(value) in _BARE:
        return value
    if isinstance(value, Event):
        plain = {"kind": value.kind, "data": encode(value)}
        return plain if value.version == 1 else {**plain, "v": value.version}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return encode(value) if is_dataclass(value) else value


def decode(kind: str, data: Mapping[str, Value], version: int = 1) -> Event:
    """The event in some plain data, or an :class:`UnknownEvent` if they cannot be read."""
    cls = _CLASSES.get(kind) or event_classes().get(kind)
    if cls is None or cls is UnknownEvent:
        problem = f"unknown event '{kind}'; is the extension that declares it missing?"
    elif version > cls.version:
        problem = (
            f"the event '{kind}' has version {version}, and this treec reads {cls.version}: "
            "it was written by a newer one"
        )
    else:
        try:
            if version < cls.version:
                data = cls.upgrade(data, version)
            found = _built(cls, data)
            assert isinstance(found, Event)
            return found
        except ValueError as error:
            problem = f"{kind}: {error}"
    return UnknownEvent(kind, data, problem, version)


def _built(cls: type, data: object) -> object:
    if type(data) is not MappingProxyType and not isinstance(data, Mapping):
        raise ValueError(f"an object is needed, not {data!r}")
    given: dict[str, object] = {}
    for one in event_fields(cls):
        value = data.get(one.key, MISSING)
        if value is not MISSING:
            if type(value) is one.plain:
                given[one.name] = value
                continue
            try:
                given[one.name] = one.read(value)
            except ValueError as error:
                raise ValueError(f"'{one.key}' {error}") from None
        elif one.required:
            raise ValueError(f"'{one.key}' is missing")
    return cls(**given)


_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def _plain_type(hint: Any) -> type | None:
    """The type of frozen values that are read as they are, if the hint is of one."""
    origin, args = get_origin(hint), [arg for arg in get_args(hint) if arg is not NoneType]
    if origin in (Union, UnionType) and len(args) == 1:
        return _plain_type(args[0])
    if origin is Mapping and args[1] in (object, Any):
        return MappingProxyType
    return cast(type, hint) if hint in _NAMES else None


def _reader(hint: Any) -> Callable[[object], object]:
    """A function that converts plain data to a type, or raises ValueError."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in (object, Any):
        return lambda value: value
    if hint in _NAMES:
        return lambda value: value if type(value) is hint else _of_type(hint, value)
    if origin in (Union, UnionType):
        options = [_reader(arg) for arg in args if arg is not NoneType]
        return lambda value: _either(options, NoneType in args, value)
    if origin is tuple:
        item = _reader(args[0])
        if args[0] in _NAMES:
            return lambda value: _plain_items(args[0], item, value)
        return lambda value: tuple(item(one) for one in _of_type(tuple, value, "a list"))
    if origin is not None and issubclass(origin, Mapping):
        if args[1] in (object, Any):
            return lambda value: MappingProxyType({**_of_type(Mapping, value, "an object")})
        inner = _reader(args[1])
        return lambda value: MappingProxyType(
            {key: inner(one) for key, one in _of_type(Mapping, value, "an object").items()}
        )
    if hint is Event:
        return _inner
    return lambda value: _built(hint, value)


def _plain_items(expected: type, item: Callable[[object], object], value: object) -> object:
    """A list of texts or numbers; itself, if it is a tuple of exactly these."""
    if type(value) is tuple and {*map(type, value)} <= {expected}:
        return value
    return tuple(item(one) for one in _of_type(tuple, value, "a list"))


def _of_type(expected: type, value: Any, words: str = "") -> Any:
    if type(value) is MappingProxyType and expected is Mapping:
        return value
    fits = isinstance(value, (int, float) if expected is float else expected)
    if not fits or (isinstance(value, bool) and expected in (int, float)):
        raise ValueError(f"must be {words or _NAMES[expected]}, not {value!r}")
    return value


def _either(options: list[Callable[[object], object]], none: bool, value: object) -> object:
    if value is None and none:
        return None
    *others, last = options
    for option in others:
        with suppress(ValueError):
            return option(value)
    return last(value)


def _inner(value: object) -> Event:
    """Decode an event within a commit."""
    item = _of_type(Mapping, value, "an object")
    return decode(item["kind"], item["data"], item.get("v", 1))


# The world's own events


@event("run.begin")
@frozen
class RunBegin(Event):
    """A run began: its system, its seed and the format of the journal. Always the first record.

    ``tree`` is the tree that runs instead of the system's root, with the values of its ``ports``;
    ``faults`` are those that were asked for besides the scenario's, as they were written; ``see``:
    whether the needs of skills are asked of providers.
    """

    system: str = ""
    seed: int | None = None
    scenario: str | None = None
    model: str | None = None
    task: str | None = None
    scene: str | None = None
    env: str | None = None
    jitter: bool = False
    tree: str | None = None
    ports: Mapping[str, object] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    see: bool = False
    format: int = always(FORMAT)


@event("run.end")
@frozen
class RunEnd(Event):
    """A run ended (done, idle, deadline, stopped or error), as expected or not."""

    reason: str
    ok: bool


@event("commit")
@frozen
class Commit(Event):
    """Several events that happen all or none, in order; each sees the changes of those before.

    ``purpose`` (``for`` in the journal) is scene, action, reading, share, recipe, facts, set,
    scenario, reload, resume, stop button or injection. Commits of a node name the node; those of an
    action list its high-level actions, those of a reload or resume the changed files.
    """

    purpose: str = journal_key("for", "")
    events: tuple[Event, ...] = always(())
    node: str | None = None
    name: str | None = None
    by: str | None = None
    actions: tuple[ActionTaken, ...] | None = None
    files: tuple[str, ...] | None = None
    reason: str | None = None

    def change(self, state: State, record: Record) -> None:
        """Apply the events in order."""
        for inner in self.events:
            inner.change(state, record)


@frozen
class ActionTaken:
    """A high-level action of a commit, with its arguments, and by which rule (from 1), if any."""

    action: str
    args: Mapping[str, object]
    rule: int | None = None


@event("state.set")
@frozen
class StateSet(Event):
    """A state variable declared by the domain got a new value."""

    name: str
    value: object

    def change(self, state: State, record: Record) -> None:
        """Set the variable."""
        if self.name not in state.declared:
            known = ", ".join(sorted(state.declared)) or "none"
            raise EventRefused(f"no state is called '{self.name}' (there is: {known})")
        state[self.name] = self.value


@event("fact.set")
@frozen
class FactSet(Event):
    """A fact has a value: expected after a skill, sensed, told, judged, or from the scene.

    The value of a boolean fact may be left out if it is true.
    """

    fact: str
    args: tuple[str, ...] = always(())
    value: object = always(True)
    source: str = always("")
    evidence: Evidence | None = None

    def change(self, state: State, record: Record) -> None:
        """Store the value with its source and time."""
        try:
            state.facts.set(
                self.fact,
                self.args,
                self.value,
                source=self.source,
                since=record.t,
                by=record.by,
                evidence=self.evidence,
            )
        except FactError as error:
            raise EventRefused(str(error)) from error


@event("fact.unknown")
@frozen
class FactUnknown(Event):
    """The value of a fact is no longer known."""

    fact: str
    args: tuple[str, ...] = always(())

    def change(self, state: State, record: Record) -> None:
        """Store the fact as unknown."""
        try:
            state.facts.unknown(self.fact, self.args, since=record.t, by=record.by)
        except FactError as error:
            raise EventRefused(str(error)) from error


@event("fact.forget")
@frozen
class FactForget(Event):
    """A fact was removed, as if it had never been set."""

    fact: str
    args: tuple[str, ...] = always(())

    def change(self, state: State, record: Record) -> None:
        """Remove the fact."""
        try:
            state.facts.forget(self.fact, self.args)
        except FactError as error:
            raise EventRefused(str(error)) from error


def flat(event: Event) -> tuple[Event, ...]:
    """The event itself, or the events of a commit."""
    return event.events if isinstance(event, Commit) else (event,)
