"""The argument of a node type's ``build``: the node's place, and what it is made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour

from treec.compile.expressions import condition, expression, value
from treec.compile.place import BuildPlace
from treec.files.entry import AnyEntry
from treec.nodes.frame import Frame
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression

if TYPE_CHECKING:
    from treec.compile.build import Compiler


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A node that is being built: its place in the file, its path in the tree, the runtime.

    ``loc`` are keys below the node in its file: ``at.expression(node.check, "check")``.
    """

    compiler: Compiler
    place: BuildPlace
    path: str

    @property
    def name(self) -> str:
        """The last part of the path, for py_trees."""
        return self.path.rpartition("/")[2]

    @property
    def runtime(self) -> Runtime:
        """The run's surroundings."""
        return self.compiler.runtime

    @property
    def frame(self) -> Frame:
        """The names that the node can use."""
        return self.place.frame

    def find(self, kind: str, name: str) -> AnyEntry:
        """An entry that the node refers to. Raises CompileError."""
        return self.compiler.find(kind, name, self.place)

    def expression(self, text: str, *loc: str | int) -> Expression:
        """A parsed expression. Raises CompileError."""
        return expression(text, self.place.below(*loc))

    def condition(self, text: str, *loc: str | int) -> Callable[[], bool]:
        """An expression's truth now; false when it cannot be evaluated."""
        return condition(self.runtime, text, self.place.below(*loc))

    def value(self, text: str, otherwise: object, *loc: str | int) -> Callable[[], object]:
        """An expression's value now; ``otherwise`` when it cannot be evaluated."""
        return value(self.runtime, text, self.place.below(*loc), otherwise)

    def children(self, nodes: object, *loc: str | int) -> list[Behaviour]:
        """The children in a list, with `for` expanded, each with its own path."""
        listed = list(nodes) if isinstance(nodes, list | tuple) else []
        return self.compiler.children(listed, self.place.below(*loc), self.path)

    def child(self, node: object, *loc: str | int, frame: Frame | None = None) -> Behaviour:
        """A single child; ``frame`` gives it other names."""
        place = self.place if frame is None else replace(self.place, frame=frame)
        return self.compiler.child(node, place.below(*loc), self.path)

    def branch(self, node: object, name: str, *loc: str | int) -> Behaviour:
        """A child whose path ends in ``name``: a case of a switch."""
        inside = self.place.inside(self.path).below(*loc)
        return self.compiler.node(node, inside, f"{self.path}/{name}")
