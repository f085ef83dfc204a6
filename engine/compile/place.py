"""Where in the files and in the tree a node is being built, and what cannot be built there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.files.entry import AnyEntry
from engine.nodes.frame import Frame

Loc = tuple[str | int, ...]


class CompileError(Exception):
    """A tree that cannot be built; `treec check` says why with a position."""


@dataclass(frozen=True)
class Place:
    """Where in the files and in the tree a node is being built."""

    entry: AnyEntry
    frame: Frame
    path: str
    loc: Loc
    parents: tuple[str, ...] = ()
    taken: dict[str, int] = field(default_factory=dict)

    def below(self, *loc: str | int) -> Place:
        """The same node, deeper in the file."""
        return replace(self, loc=(*self.loc, *loc))

    def inside(self, path: str) -> Place:
        """Among the children of the node with this path."""
        return replace(self, path=path, taken={})
