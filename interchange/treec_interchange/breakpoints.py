"""Places at which a run is held within a tick: before or after a node, for whoever watches it.

A node with a breakpoint is ticked by a tick of ours, which asks first. It then goes on as ever, or
has another status in its place. All methods may be called from any thread; what waits is the loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import replace_tick
from treec.run.loop import halt_node
from treec.run.status_recorder import path_of
from treec_live.debugger import DebugOrder

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec_live.debugger import Debugger


@dataclass
class Breakpoint:
    """A place before or after the node of a path.

    ``status`` is what the node has in place of its own (None: its own); with ``waits``, after
    somebody has let the run go on. With ``once`` it is gone after the first time.
    """

    path: str
    after: bool = False
    waits: bool = True
    status: Status | None = None
    once: bool = False
    enabled: bool = True


class Breakpoints:
    """The breakpoints of a run."""

    def __init__(self, run: Run, by: str, reached: Callable[[Breakpoint], None]) -> None:
        """``by`` is who lets the run go on, in the journal; ``reached`` is called by the loop."""
        self._run = run
        self._debugger = cast("Debugger", run.debugger)
        self._by = by
        self._reached = reached
        self._lock = threading.Lock()
        self._all: dict[tuple[str, bool], Breakpoint] = {}
        self._nodes: dict[str, Behaviour] = {}
        self._replaced: dict[Behaviour, object] = {}
        """The nodes that are ticked by a tick of ours, with what ticks them else."""
        self._waiting: Breakpoint | None = None
        self._is_watched = True

    @property
    def is_watched(self) -> bool:
        """Whether anybody would let a run go on that they hold; if not, none acts."""
        return self._is_watched

    @is_watched.setter
    def is_watched(self, is_watched: bool) -> None:
        with self._lock:
            self._is_watched = is_watched
            if not is_watched and self._waiting is not None:
                self._go_on()

    @property
    def all(self) -> Sequence[Breakpoint]:
        """Those that there are."""
        with self._lock:
            return list(self._all.values())

    def use(self, nodes: Iterable[Behaviour]) -> None:
        """Be at the nodes of another tree from now on."""
        with self._lock:
            self._nodes = {path_of(node): node for node in nodes}
            self._place()

    def put(self, breakpoint: Breakpoint) -> None:
        """Put one, or change the one that is at its place."""
        with self._lock:
            found = self._all.setdefault((breakpoint.path, breakpoint.after), breakpoint)
            vars(found).update(vars(breakpoint))
            self._place()
            if found is self._waiting and not (found.waits and found.enabled):
                self._go_on()

    def remove(self, path: str, after: bool) -> bool:
        """Take one out; whether there was one. A run that is held by it goes on."""
        with self._lock:
            found = self._all.pop((path, after), None)
            if found is None:
                return False
            self._disable(found)
            self._place()
            return True

    def clear(self) -> None:
        """Take all out."""
        for one in self.all:
            self.remove(one.path, one.after)

    def disable(self) -> None:
        """Let none act until it is put again."""
        with self._lock:
            for one in self._all.values():
                self._disable(one)

    def unlock(self, path: str, after: bool, status: Status | None, once: bool) -> bool:
        """Let the run go on from a breakpoint, with a status in the node's place or None.

        Returns whether there is that breakpoint.
        """
        with self._lock:
            found = self._all.get((path, after))
            if found is None:
                return False
            found.status, found.once = status, found.once or once
            if found is self._waiting:
                self._go_on()
            return True

    def _disable(self, breakpoint: Breakpoint) -> None:
        breakpoint.enabled = False
        if breakpoint is self._waiting:
            self._go_on()

    def _go_on(self) -> None:
        assert self._waiting is not None
        about = f"{self._waiting.path} {_name(self._waiting)}".rstrip()
        self._waiting = None
        self._debugger.post(DebugOrder("go on", about, self._by))

    def _place(self) -> None:
        """Tick the nodes with breakpoints by a tick of ours, and no others."""
        wanted = {self._nodes[path] for path, _ in self._all if path in self._nodes}
        for node in self._replaced.keys() - wanted:
            replace_tick(node, self._replaced.pop(node))
        for node in wanted - self._replaced.keys():
            self._replaced[node] = replace_tick(node, self._tick_of(node, node.tick))

    def _tick_of(
        self, node: Behaviour, tick: Callable[[], Iterator[Behaviour]]
    ) -> Callable[[], Iterator[Behaviour]]:
        def ticked() -> Iterator[Behaviour]:
            if self._is_replaced(node, after=False):
                yield node
                return
            for one in tick():
                if one is node:
                    self._is_replaced(node, after=True)
                yield one

        return ticked

    def _is_replaced(self, node: Behaviour, after: bool) -> bool:
        """Whether the node has a status in the place of its own, in the loop's thread."""
        path = path_of(node)
        with self._lock:
            found = self._all.get((path, after))
            if found is None or not found.enabled or not self._is_watched:
                return False
            self._waiting = found if found.waits else None
        self._reached(found)
        if found.waits:
            self._debugger.hold_at(path, node.status)
        with self._lock:
            self._waiting = None
            status = found.status if found.enabled and self._is_watched else None
            if self._run.loop.is_stopping and not after:
                status = Status.RUNNING  # nothing begins any more
            elif found.once:
                self._all.pop((path, after), None)
                self._place()
        if status is None:
            return False
        if not found.waits:
            self._debugger.note("replaced", f"{path} {_name(found)}", self._by)
        if node.status is Status.RUNNING and status is not Status.RUNNING:
            halt_node(node)
        node.status = status
        return True


def _name(breakpoint: Breakpoint) -> str:
    return "" if breakpoint.status is None else breakpoint.status.name
