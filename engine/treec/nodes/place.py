"""The place of a node that is being built, and the error of one that cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec.source.text import Span

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.nodes.frame import Frame

Loc = tuple[str | int, ...]


class CompileError(Exception):
    """A tree that cannot be built; `treec check` reports the reason with its position.

    ``span`` is the position of what the check cannot find, such as a class that cannot be made.
    """

    def __init__(self, text: str, span: Span | None = None) -> None:
        super().__init__(text)
        self.span = span


@dataclass(slots=True)
class BuildPlace:
    """Where in the files and in the tree a node is being built."""

    entry: AnyEntry
    frame: Frame
    path: str
    loc: Loc
    parents: tuple[str, ...] = ()
    taken: dict[str, int] = field(default_factory=dict)
    header: object = None
    """What the nodes of the tree's instance share: its ports, variables and wiring."""

    @property
    def span(self) -> Span:
        """The node's span in its file."""
        return self.entry.span(*self.loc)

    def below(self, *loc: str | int) -> BuildPlace:
        """The same node, deeper in the file."""
        return self._at((*self.loc, *loc), self.path, self.taken)

    def inside(self, path: str) -> BuildPlace:
        """Among the children of the node with this path."""
        return self._at(self.loc, path, {})

    def _at(self, loc: Loc, path: str, taken: dict[str, int]) -> BuildPlace:
        return BuildPlace(self.entry, self.frame, path, loc, self.parents, taken, self.header)
