"""What a tick has changed of the nodes of a tree, and whether it has come to one to stop at."""

from __future__ import annotations

from collections.abc import Collection

from py_trees.common import Status

from treec.frozen import frozen
from treec.run.loop import Loop
from treec.run.node_patterns import fits
from treec.run.status_recorder import path_of, walk


@frozen
class NodeChange:
    """The new status of a node; ``reached``: it is one to stop at, and has begun or ended."""

    path: str
    status: Status
    reached: bool = False


class NodeChanges:
    """Compares the nodes of a loop's tree after each tick."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._before: dict[str, Status] = {}

    def forget(self) -> None:
        """Compare with the tree as it is now: it was not looked at for some ticks."""
        self._before = self._now()

    def look(self, patterns: Collection[str]) -> list[NodeChange]:
        """The nodes that have changed since the last look; ``patterns`` are to stop at."""
        now, before = self._now(), self._before
        self._before = now
        return [
            NodeChange(path, status, _is_reached(path, status, before.get(path), patterns))
            for path, status in now.items()
            if status is not before.get(path, Status.INVALID)
        ]

    def _now(self) -> dict[str, Status]:
        return {path_of(node): node.status for node, _ in walk(self._loop.root)}


def _is_reached(
    path: str, status: Status, before: Status | None, patterns: Collection[str]
) -> bool:
    if status is Status.INVALID and before is not Status.RUNNING:
        return False  # it is only put back
    return any(fits(one, path) for one in patterns)
