"""Records the statuses of nodes in the journal, so that a replay needs nothing else.

At the first tick of a tree its nodes are written as a record `tree`, parents first. After each tick
that changed statuses, a record `ticked` says which nodes now have which status. Statuses are those
at the end of the tick: a node that began and ended within it is recorded as ended. Where loops are
in their rounds is recorded with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from treec.compile.definition import definition_of
from treec.nodes.base import Remembers
from treec.nodes.modifiers.on_failure import OnFailure
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.run.loop import Loop
from treec.world.journal import Record
from treec.world.world import World

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


def kind_of(node: Behaviour) -> str:
    """The kind of a node: its key in tree files, the kind of file that it runs, or its class."""
    definition = definition_of(node)
    if definition is not None and definition.kind:
        return definition.kind
    return _WORD_START.sub("_", type(node).__name__).lower()


def is_modifier(node: Behaviour) -> bool:
    """Whether a node is a modifier of the node below it."""
    return isinstance(node, Decorator | OnFailure)


def path_of(node: Behaviour) -> str:
    """The stable path of a node, or its name if it has none."""
    return str(getattr(node, "path", None) or node.name)


class StatusRecorder:
    """Records status changes of a loop's tree; ``look`` is called after every tick."""

    def __init__(self, loop: Loop, world: World, records: Sequence[Record] = ()) -> None:
        """``records`` are those of a resumed run, whose tick count is continued."""
        self._loop = loop
        self._world = world
        self._tick = _ticks_in(records)
        self._seen = -1
        self._nodes: list[Behaviour] = []
        self._before: list[Status] = []
        self._loops: list[tuple[int, Remembers]] = []
        self._places: list[object] = []

    def look(self) -> None:
        """Record the changes since the last tick, preceded by the tree if it is new."""
        self._tick += 1
        if self._seen != self._loop.trees:
            self._seen = self._loop.trees
            self._begin(self._loop.root)
        now = [node.status for node in self._nodes]
        places = [loop.memory for _, loop in self._loops]
        if now == self._before and places == self._places:
            return
        to: dict[str, list[int]] = {}
        for number, (status, before) in enumerate(zip(now, self._before, strict=True)):
            if status is not before:
                to.setdefault(status.name, []).append(number)
        moved = {
            str(number): place
            for (number, _), place, before in zip(self._loops, places, self._places, strict=True)
            if place != before
        }
        self._before, self._places = now, places
        numbers = {status: tuple(found) for status, found in to.items()}
        self._world.trace(Ticked(self._tick, numbers, moved or None), "run")

    def _begin(self, root: Behaviour) -> None:
        found = list(walk(root))
        self._nodes = [node for node, _ in found]
        self._before = [Status.INVALID] * len(found)
        self._loops = [
            (number, node) for number, node in enumerate(self._nodes) if isinstance(node, Remembers)
        ]
        self._places = [None] * len(self._loops)
        self._world.trace(tree_event(found), "run")


def walk(node: Behaviour, depth: int = 0) -> Iterator[tuple[Behaviour, int]]:
    """All nodes of a tree with their depths, parents before children."""
    yield node, depth
    for child in node.children:
        yield from walk(child, depth + 1)


def tree_event(nodes: Iterable[tuple[Behaviour, int]]) -> TreeBegun:
    """The event that lists the nodes of a tree, given with their depths."""
    return TreeBegun(
        tuple(
            TickedNode(path_of(node), node.name, kind_of(node), depth, is_modifier(node))
            for node, depth in nodes
        )
    )


def _ticks_in(records: Sequence[Record]) -> int:
    events = (record.event for record in reversed(records))
    return next((event.tick for event in events if isinstance(event, Ticked)), 0)
