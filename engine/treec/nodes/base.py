"""Base classes of our nodes: a cheap tick, and a way to request another one.

py_trees' own ``tick`` and ``stop`` format a debug line and look the status up in a list at every
call, which is most of a node's cost. These classes keep the contract (``initialise`` before a
round, ``update``, ``terminate`` after it, ``stop`` from above, a generator of the ticked nodes)
without that. Nodes that py_trees already has are subclasses of its own.

A module of a node type holds what checking and drawing need of it, too, which do without py_trees.
So py_trees is imported when the first node is made: a class of ours gets its base of py_trees then,
and :data:`Status` its members.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Protocol, cast, runtime_checkable
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour
    from py_trees.common import Status as Status
    from py_trees.composites import Composite
    from py_trees.decorators import Decorator

    from treec.world.clock import Clock, Timer

    _INVALID, _RUNNING = Status.INVALID, Status.RUNNING
    _SUCCESS, _FAILURE = Status.SUCCESS, Status.FAILURE
else:

    class _Statuses(type):
        """Gives a class the members of py_trees' `Status` when the first is asked for."""

        def __getattr__(cls, name: str) -> object:
            members = {member.name: member for member in _members()}
            for known, member in members.items():
                setattr(cls, known, member)
            return members[name]

        def __getitem__(cls, name: str) -> object:
            return getattr(cls, name)

    class Status(metaclass=_Statuses):
        """py_trees' `Status`."""

    def _members() -> Iterable[Status]:
        return import_module("py_trees.common").Status

    class _Base(metaclass=ABCMeta):
        """Stands for a class of py_trees until the first object is made.

        Its constructor does without what py_trees makes for each node and hardly anybody reads (an
        id, a logger, a generator of its first tick): they are made when they are asked for.
        """

        py_trees: ClassVar[str]

        iterator: ClassVar[None] = None

        def __new__(cls, *args: object, **values: object) -> object:
            return object.__new__(_with_base(cls))

        def __init__(self, name: str) -> None:
            if not isinstance(name, str):
                raise TypeError(f"a behaviour name should be a string, not {type(name)}")
            self.name = name
            self.status = Status.INVALID
            self.parent = None
            self.children = []
            self.feedback_message = ""

        @cached_property
        def id(self) -> UUID:
            return uuid4()

        @cached_property
        def logger(self) -> object:
            return import_module("py_trees.logging").Logger(self.name)

        @cached_property
        def blackboards(self) -> list[object]:
            return []

        @cached_property
        def qualified_name(self) -> str:
            return f"{type(self).__qualname__}/{self.name}"

        @cached_property
        def blackbox_level(self) -> object:
            return import_module("py_trees.common").BlackBoxLevel.NOT_A_BLACKBOX

    @cache
    def _with_base(cls: type[_Base]) -> type:
        globals().update({f"_{member.name}": member for member in _members()})
        module, _, name = cls.py_trees.partition(":")
        base = getattr(import_module(module), name)
        if issubclass(cls, base):
            return cls
        names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
        return ABCMeta(cls.__name__, (cls, base), {**names, "__doc__": cls.__doc__})

    class Behaviour(_Base):
        """py_trees' `Behaviour`."""

        py_trees = "py_trees.behaviour:Behaviour"

    class Composite(_Base):
        """py_trees' `Composite`."""

        py_trees = "py_trees.composites:Composite"

        def __init__(self, name: str, children: Sequence[Behaviour] | None = None) -> None:
            super().__init__(name)
            self.current_child = None
            for child in children or ():
                _adopt(self, child)

    class SequenceBase(Composite):
        """py_trees' `Sequence`."""

        py_trees = "py_trees.composites:Sequence"

    class SelectorBase(Composite):
        """py_trees' `Selector`."""

        py_trees = "py_trees.composites:Selector"

    class Decorator(_Base):
        """py_trees' `Decorator`."""

        py_trees = "py_trees.decorators:Decorator"

        def __init__(self, name: str, child: Behaviour) -> None:
            super().__init__(name)
            _adopt(self, child)
            self.decorated = child

    def _adopt(parent: Behaviour, child: object) -> None:
        if not isinstance(child, import_module("py_trees.behaviour").Behaviour):
            raise TypeError(f"children must be behaviours, not {type(child)}")
        if child.parent is not None:
            raise RuntimeError(f"'{child.name}' already has a parent, '{child.parent.name}'")
        parent.children.append(child)
        child.parent = parent


Wake = Callable[[], None]
"""Requests another tick at once."""

Condition = Callable[[], bool]
"""Evaluates a condition now; must be fast and have no effects."""


def no_wake() -> None:
    """Do nothing: the default outside a loop."""


@runtime_checkable
class Remembers(Protocol):
    """A node whose state is recorded after each tick, so that a resumed run goes on with it.

    Whatever a node keeps from one tick to the next, besides its status and those of its children,
    is in its memory.
    """

    @property
    def memory(self) -> object:
        """Its state as plain data; None as at first. Of a mapping only what changes is recorded."""

    def recall(self, memory: object) -> bool:
        """Go on with a recorded state; False if that cannot be: then its round begins anew.

        Its ``status`` is that of the last tick already.
        """


def _tick_through(node: Behaviour) -> None:
    for _ in node.tick():
        pass


def replace_tick(node: Behaviour, tick: object) -> object:
    """Let a node be ticked by another ``tick``, or None: its own; returns what it replaces."""
    own = vars(node)
    before = own.pop("tick", None)
    own.pop("tick_once", None)
    if tick is not None:
        own["tick"], own["tick_once"] = tick, partial(_tick_through, node)
    return before


class DirectlyTicked:
    """A node with a ``tick_once`` that needs no generator, which its ``tick`` is for visitors.

    A class that has a ``tick`` of its own is ticked by that.
    """

    def __init_subclass__(cls, **values: object) -> None:
        super().__init_subclass__(**values)
        if "tick" in vars(cls) and "tick_once" not in vars(cls):
            setattr(cls, "tick_once", _tick_through)  # noqa: B010 (a method)


class ParentNode(DirectlyTicked):
    """A node that ticks others: subclasses say which is ticked first, and which after each."""

    def begin(self) -> Behaviour | None:
        """Begin a tick: the node to tick first; None if there is none, and the status is set."""
        raise NotImplementedError

    def after(self, child: Behaviour) -> Behaviour | None:
        """Go on after the tick of a node: what to tick next; None if the status is set."""
        raise NotImplementedError

    def tick(self) -> Iterator[Behaviour]:
        """Tick the nodes that are due, then yield this one."""
        child = self.begin()
        while child is not None:
            yield from child.tick()
            child = self.after(child)
        yield cast("Behaviour", self)

    def tick_once(self) -> None:
        """The same, without a generator."""
        child = self.begin()
        while child is not None:
            child.tick_once()
            child = self.after(child)


class Leaf(DirectlyTicked, Behaviour):
    """A leaf with py_trees' contract at a sixth of its cost; subclasses write ``update``."""

    wakes_itself: ClassVar[bool] = True
    """Whether it needs no ticks while it is RUNNING but those that it requests, or that follow a
    change of the world."""

    @property
    def has_ended(self) -> bool:
        """Whether what it waits for has ended since its last tick, so that its result is known."""
        return False

    def tick(self) -> Iterator[Behaviour]:
        """Begin if not running, update, and end if finished."""
        Leaf.tick_once(self)
        yield self

    def tick_once(self) -> None:
        """The same, without a generator."""
        if self.status is not _RUNNING:
            self.initialise()
        status = self.update()
        if status is not _RUNNING:
            self.stop(status)
        self.status = status

    def stop(self, new_status: Status) -> None:
        """End the round; ``new_status`` is INVALID when it was halted."""
        self.terminate(new_status)
        self.status = new_status


class Control(ParentNode, Composite):
    """A node with several children; subclasses write ``begin`` and ``after``, or ``tick``."""

    wakes_itself: ClassVar[bool] = True

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self.wake: Wake = no_wake
        self.tell_below: Callable[[], None] = no_wake
        """Tells the skills below it to cancel, before the first of several children is halted."""

    @abstractmethod
    def begin(self) -> Behaviour | None:
        """Begin a tick."""

    def after(self, child: Behaviour) -> Behaviour | None:
        """Take over the status of the child."""
        if child.status is not Status.RUNNING:
            self.stop(child.status)
        self.status = child.status
        return None

    def stop(self, new_status: Status) -> None:  # type: ignore[override]  # no default
        """End the round: stop running children, and all children when INVALID."""
        halted = new_status is Status.INVALID
        if sum(child.status is Status.RUNNING for child in self.children) > 1:
            self.tell_below()
        for child in self.children:
            status = child.status
            if status is Status.RUNNING or (halted and status is not Status.INVALID):
                child.stop(Status.INVALID)
        if halted:
            self.current_child = None
        self.terminate(new_status)
        self.status = new_status

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Take note that some children have been replaced; ``children`` has the new ones."""

    def clear(self, first: int = 0) -> None:
        """Reset the statuses of the children from ``first`` on."""
        for child in self.children[first:]:
            if child.status is not Status.INVALID:
                child.stop(Status.INVALID)


class WakeUp:
    """One timer; ``due`` is when it is set to, None if it is not."""

    __slots__ = ("_clock", "_timer", "_wake", "due")

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._timer: Timer | None = None
        self.due: float | None = None

    @property
    def is_due(self) -> bool:
        """Whether the time has come."""
        return self.due is not None and self._clock.now() >= self.due

    def set(self, due: float) -> None:
        """Ask for a tick at a time, and no longer at the one before."""
        self.cancel()
        self.due, self._timer = due, self._clock.call_at(due, self._wake)

    def cancel(self) -> None:
        """Ask for none."""
        if self._timer is not None:
            self._timer.cancel()
        self.due = self._timer = None


class Modifier(ParentNode, Decorator):
    """A decorator: changes the status of its child; by itself it has its child's status.

    Subclasses write ``begin`` and ``after``, or ``tick``.
    """

    def __init__(self, name: str, child: Behaviour) -> None:
        super().__init__(name=name, child=child)
        self.wake: Wake = no_wake
        self.hold: Callable[[bool], None] = lambda held: None
        """Lets no skill below it begin, until that is taken back."""

    def begin(self) -> Behaviour | None:
        """Tick the child."""
        if self.status is not Status.RUNNING:
            self.initialise()
        return self.decorated

    def after(self, child: Behaviour) -> Behaviour | None:
        """Take over its status."""
        self.finish(child.status)
        return None

    @property
    def rounds(self) -> int:
        """How often it may begin its node anew, in ticks at one instant, without being stuck."""
        return 1

    def update(self) -> Status:
        """Unused: ``tick`` decides."""
        return self.status

    def end(self, why: str, has_ended: bool, otherwise: Status | None = None) -> None:
        """End the round with FAILURE or another status, unless a last tick gives a result.

        That is of a node that has ended; no skill begins in it.
        """
        otherwise = otherwise or Status.FAILURE
        if not has_ended:
            self.feedback_message = why
            self.stop(otherwise)
            return
        self.hold(True)
        try:
            self.decorated.tick_once()
        finally:
            self.hold(False)
        status = self.decorated.status
        if status is not Status.SUCCESS and status is not Status.FAILURE:
            self.feedback_message, status = why, otherwise
        self.stop(status)

    def finish(self, status: Status) -> None:
        """Set the status; end the round unless it is RUNNING."""
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status

    def stop(self, new_status: Status) -> None:
        """End the round: stop the child if it is running, and in any case when INVALID."""
        self.terminate(new_status)
        child = self.decorated
        if child.status is Status.RUNNING or (
            new_status is Status.INVALID and child.status is not Status.INVALID
        ):
            child.stop(Status.INVALID)
        self.status = new_status


class Converter(ParentNode, Decorator):
    """A decorator of py_trees that gives SUCCESS or FAILURE of its child another meaning."""

    turns: ClassVar[Mapping[str, tuple[str, str]]]
    """For a status of the child another one, and what it says then."""

    if TYPE_CHECKING:

        def update(self) -> Status:
            """Unused: ``after`` decides."""

    def begin(self) -> Behaviour | None:
        """Tick the child."""
        return self.decorated

    def tick_once(self) -> None:
        """The same as a tick, without a generator."""
        child = self.decorated
        child.tick_once()
        self.after(child)

    def after(self, child: Behaviour) -> Behaviour | None:
        """Give its status the other meaning."""
        self.feedback_message = words = child.feedback_message
        status = child.status
        if (turn := self.turns.get(status._name_)) is not None:
            status, said = Status[turn[0]], turn[1]
            self.feedback_message = f"{said} [{words}]" if words else said
        if status is not _RUNNING:
            self.terminate(status)
        self.status = status
        return None

    def stop(self, new_status: Status) -> None:
        """End the round; stop the child as a modifier does."""
        Modifier.stop(cast("Modifier", self), new_status)


def ended_leaf(node: Behaviour) -> bool:
    """Whether a leaf that is RUNNING in a tree has ended since the last tick."""
    return any(
        getattr(leaf, "has_ended", False)
        for leaf in node.iterate()
        if leaf.status is Status.RUNNING
    )


def ended_last(node: Behaviour) -> bool:
    """Whether the leaf that has ended is the last of its tree, after which no other begins."""
    while node.children:
        running = [child for child in node.children if child.status is Status.RUNNING]
        is_last = running == [node.children[-1]] or getattr(node, "handler", None) is not None
        if len(running) != 1 or not is_last:
            return False
        node = running[0]
    return bool(getattr(node, "has_ended", False))
