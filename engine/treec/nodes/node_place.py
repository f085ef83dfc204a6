"""The argument of a node type's ``build``: the node's place, and what it is made with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from treec.nodes.expressions import condition, expression, value

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.files.entry import AnyEntry
    from treec.files.view import View
    from treec.nodes.frame import Frame
    from treec.nodes.place import BuildPlace
    from treec.nodes.runtime import Runtime
    from treec.source.expression import Expression
    from treec.world.clock import Clock


class TreeBuilder(Protocol):
    """What a node needs of the compiler to build what is below it."""

    view: View
    runtime: Runtime
    frames: dict[str, tuple[object, Frame]]
    """The header and the frame of each instance of a tree, by its path."""

    def find(self, kind: str, name: str, place: BuildPlace) -> AnyEntry:
        """An entry that a node refers to. Raises CompileError."""

    def children(self, nodes: Sequence[object], place: BuildPlace, path: str) -> list[Behaviour]:
        """The children of a node, with `for` expanded, each with its own path."""

    def child(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A single child of a node."""

    def node(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """A node with its modifiers, at a given path."""

    def behaviour(
        self, entry: AnyEntry, place: BuildPlace, path: str, args: Mapping[str, object]
    ) -> Behaviour:
        """A decision with its options, an action, or a tree."""

    def option(self, name: str, place: BuildPlace, inside: BuildPlace) -> Behaviour:
        """An option of a decision, at a path below ``inside``. Raises CompileError."""

    def option_ready(
        self, node: Behaviour, entry: AnyEntry, path: str, own: object, place: BuildPlace
    ) -> Behaviour:
        """An option of a decision: it goes on like the node type that runs files of its kind."""

    def use(self, what: object) -> None:
        """Take note that the node that is being built depends on this."""

    def subtree(
        self, name: str, given: Mapping[str, object], place: BuildPlace, path: str
    ) -> Behaviour:
        """An instance of a tree, with its ports wired."""


@dataclass(slots=True)
class NodePlace:
    """A node that is being built: its place in the file, its path in the tree, the runtime.

    ``loc`` are keys below the node in its file: ``at.expression(node.check, "check")``. For a
    modifier they are keys below its own.
    """

    builder: TreeBuilder
    place: BuildPlace
    path: str
    modifier: tuple[str, ...] = field(default=())
    """The modifier's key, if one is being built."""

    @property
    def name(self) -> str:
        """The last part of the path, for py_trees."""
        return self.path.rpartition("/")[2]

    @property
    def runtime(self) -> Runtime:
        """The run's surroundings."""
        return self.builder.runtime

    @property
    def clock(self) -> Clock:
        """The run's clock."""
        return self.runtime.clock

    @property
    def frame(self) -> Frame:
        """The names that the node can use."""
        return self.place.frame

    def _below(self, loc: tuple[str | int, ...], frame: Frame | None = None) -> BuildPlace:
        place = self.place if frame is None else replace(self.place, frame=frame)
        return place.below(*self.modifier, *loc)

    def find(self, kind: str, name: str) -> AnyEntry:
        """An entry that the node refers to. Raises CompileError."""
        return self.builder.find(kind, name, self.place)

    def expression(self, text: str, *loc: str | int) -> Expression:
        """A parsed expression. Raises CompileError."""
        return expression(text, self._below(loc))

    def condition(self, text: str, *loc: str | int, otherwise: bool = False) -> Callable[[], bool]:
        """An expression's truth now; ``otherwise`` when it cannot be evaluated."""
        return condition(self.runtime, text, self._below(loc), self.path, otherwise)

    def value(self, text: str, otherwise: object, *loc: str | int) -> Callable[[], object]:
        """An expression's value now; ``otherwise`` when it cannot be evaluated."""
        return value(self.runtime, text, self._below(loc), self.path, otherwise)

    def children(self, nodes: object, *loc: str | int) -> list[Behaviour]:
        """The children in a list, with `for` expanded, each with its own path."""
        listed = list(nodes) if isinstance(nodes, list | tuple) else []
        return self.builder.children(listed, self._below(loc), self.path)

    def child(self, node: object, *loc: str | int, frame: Frame | None = None) -> Behaviour:
        """A single child; ``frame`` gives it other names."""
        return self.builder.child(node, self._below(loc, frame), self.path)

    def branch(
        self, node: object, name: str, *loc: str | int, frame: Frame | None = None
    ) -> Behaviour:
        """A child whose path ends in ``name``: a case of a switch."""
        inside = self._below(loc, frame).inside(self.path)
        return self.builder.node(node, inside, f"{self.path}/{name}")

    def behaviour(self, kind: str, name: str, args: Mapping[str, object] = {}) -> Behaviour:
        """A decision with its options, or an action, with its arguments. Raises CompileError."""
        return self.builder.behaviour(self.find(kind, name), self.place, self.path, args)

    def tree(self, name: str, given: Mapping[str, object]) -> Behaviour:
        """An instance of a tree, with its ports wired. Raises CompileError."""
        return self.builder.subtree(name, given, self.place, self.path)

    def report_failure(self, why: str) -> None:
        """Write into the journal why the node fails, or goes on with a safe default."""
        self.runtime.record_node_failure(self.path, why, __name__)
