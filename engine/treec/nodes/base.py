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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Protocol, cast, runtime_checkable
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour
    from py_trees.common import Status as Status
    from py_trees.composites import Composite
    from py_trees.decorators import Decorator
else:

    class _Statuses(type):
        """Gives a class the members of py_trees' `Status` when the first is asked for."""

        def __getattr__(cls, name: str) -> object:
            from py_trees.common import Status as statuses

            for member in statuses:
                setattr(cls, member.name, member)
            return getattr(statuses, name)

    class Status(metaclass=_Statuses):
        """py_trees' `Status`."""

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


class Leaf(Behaviour):
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
        if self.status is not Status.RUNNING:
            self.initialise()
        status = self.update()
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def stop(self, new_status: Status) -> None:
        """End the round; ``new_status`` is INVALID when it was halted."""
        self.terminate(new_status)
        self.status = new_status


class Control(Composite):
    """A node with several children; subclasses write ``tick``."""

    wakes_itself: ClassVar[bool] = True

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self.wake: Wake = no_wake
        self.tell_below: Callable[[], None] = no_wake
        """Tells the skills below it to cancel, before the first of several children is halted."""

    @abstractmethod
    def tick(self) -> Iterator[Behaviour]:
        """Tick the children that are due, then yield this node."""

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


class Modifier(Decorator):
    """A decorator: changes the status of its child; subclasses write ``tick``."""

    def __init__(self, name: str, child: Behaviour) -> None:
        super().__init__(name=name, child=child)
        self.wake: Wake = no_wake
        self.hold: Callable[[bool], None] = lambda held: None
        """Lets no skill below it begin, until that is taken back."""

    @abstractmethod
    def tick(self) -> Iterator[Behaviour]:
        """Tick the child if it is due, then yield this node."""

    @property
    def rounds(self) -> int:
        """How often it may begin its node anew, in ticks at one instant, without being stuck."""
        return 1

    def update(self) -> Status:
        """Unused: ``tick`` decides."""
        return self.status

    def conclude(self, why: str) -> Iterator[Behaviour]:
        """End the round with FAILURE, unless a last tick gives a result; no skill begins in it."""
        self.hold(True)
        try:
            yield from self.decorated.tick()
        finally:
            self.hold(False)
        status = self.decorated.status
        if status is not Status.SUCCESS and status is not Status.FAILURE:
            self.feedback_message, status = why, Status.FAILURE
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


class Converter(Decorator):
    """A decorator of py_trees whose ``update`` gives the status of its child another meaning."""

    if TYPE_CHECKING:

        def update(self) -> Status:
            """The status of the child in its other meaning."""

    def tick(self) -> Iterator[Behaviour]:
        """Tick the child, then yield this node."""
        if self.status is not Status.RUNNING:
            self.initialise()
        yield from self.decorated.tick()
        status = self.update()
        if status is not Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

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
