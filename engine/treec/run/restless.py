"""Fails the branches of a tree that do not come to rest, alone, so that the others go on.

A branch that begins again and again at one instant (an endless retry of what fails at once, two
nodes that undo each other's work, a node that wakes itself at each tick) would hold the whole run.
Suspects are the nodes that request ticks or change the world; for each the branch that begins them
again. Suspects are suspended, one after the other, until the tree comes to rest; those without
which it stays at rest are innocent and go on. The others fail, with an alarm in the journal, and
are not ticked again before some time has passed: their parents go on as after any failure.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Control, replace_tick
from treec.nodes.events import BranchRestless, NodeFailed
from treec.nodes.modifiers.on_failure import failed_below
from treec.world.clock import Clock, RealClock, VirtualClock
from treec.world.failures import Reported
from treec.world.inbox import Inbox
from treec.world.journal import Record
from treec.world.world import World

WATCHED = 5
"""Ticks in which suspects are noted."""

SETTLES = 10
"""Ticks in which a tree comes to rest once what kept it from that is suspended."""

PAUSE, LONGEST = 1.0, 60.0
"""Seconds in which a branch that failed is not ticked: at first, and at most; doubled each time."""


class TickingLoop(Protocol):
    """The loop, as far as branches need it."""

    world: World
    inbox: Inbox
    clock: VirtualClock | RealClock

    @property
    def root(self) -> Behaviour:
        """The root of the tree."""

    @property
    def is_stopping(self) -> bool:
        """Whether it is to end."""

    def turn(self) -> bool:
        """Handle messages and tick once; whether the tree is to be ticked again at once."""


class _Suspended:
    """A branch that is not ticked: to its parent it is RUNNING."""

    def __init__(self, node: Behaviour) -> None:
        self.node = node
        self._status = node.status
        self._own = replace_tick(node, self._tick)

    def _tick(self) -> Iterator[Behaviour]:
        self.node.status = Status.RUNNING
        yield self.node

    def release(self) -> None:
        """Let it be ticked again, as it was."""
        replace_tick(self.node, self._own)
        if self.node.status is Status.RUNNING:  # and was not halted meanwhile
            self.node.status = self._status


class _Failed:
    """A branch that has failed and fails until some time, without being ticked."""

    def __init__(self, node: Behaviour, why: str, until: float, clock: Clock) -> None:
        self._node, self._why, self._until, self._clock = node, why, until, clock
        self._own = replace_tick(node, self._tick)
        self._fail()

    def _fail(self) -> None:
        self._node.status = Status.FAILURE
        self._node.feedback_message = self._why
        vars(self._node)["failure"] = Reported(self._why)  # what `on_failure` reads

    def _tick(self) -> Iterator[Behaviour]:
        if self._clock.now() < self._until:
            self._fail()
            yield self._node
            return
        replace_tick(self._node, self._own)
        yield from self._node.tick()


class _Pause(NamedTuple):
    seconds: float
    until: float


class RestlessBranches:
    """Finds and fails them; ``halt`` stops a node and all below it."""

    def __init__(self, loop: TickingLoop, halt: Callable[[Behaviour], None]) -> None:
        self._loop = loop
        self._halt = halt
        self._pauses: dict[str, _Pause] = {}
        self._wakers: set[Behaviour | str] = set()
        self._changes: list[Record] = []
        self._thread: int | None = None
        """The loop's thread, while suspects are noted."""
        loop.world.subscribe(self._note_record)

    def fail(self, ticks: int) -> bool:
        """Fail the branches that do not come to rest; false if nothing helps."""
        suspects = self._suspects()
        suspended: list[_Suspended] = []
        for node in suspects:
            suspended.append(_Suspended(node))
            if self._rests():
                break
        else:
            for one in suspended:
                one.release()
            return self._loop.is_stopping
        culprits = []
        for one in suspended[:-1]:
            one.release()
            if not self._rests():
                culprits.append(_Suspended(one.node))
                self._rests()
        for one in (*culprits, suspended[-1]):
            one.release()
            self._fail(one.node, ticks)
        self._loop.inbox.wake()
        return True

    def _fail(self, node: Behaviour, ticks: int) -> None:
        path, now = _path(node), self._loop.clock.now()
        pause = self._pauses.get(path)
        seconds = PAUSE
        if pause is not None and now <= pause.until + LONGEST:
            seconds = min(LONGEST, 2 * pause.seconds)
        self._pauses[path] = _Pause(seconds, now + seconds)
        below = [one.feedback_message for one in failed_below(node) if one.feedback_message]
        why = f"does not come to rest: {ticks} ticks at {now:g} s"
        if below:
            why += f", last: {below[-1]}"
        self._halt(node)
        _Failed(node, why, now + seconds, self._loop.clock)
        self._loop.world.emit(BranchRestless(path, why), path)

    # Suspects

    def _suspects(self) -> list[Behaviour]:
        """The branches that kept the tree from coming to rest in some ticks, the likeliest first.

        A node that only fails is a suspect if there is no other: it may fail since others act.
        """
        found: Counter[Behaviour] = Counter()
        failing: Counter[Behaviour] = Counter()
        nodes = {_path(node): node for node in self._loop.root.iterate()}
        self._thread, self._changes = threading.get_ident(), []
        inbox, watch = self._loop.inbox, self._loop.world.watch
        inbox.on_wake = watch.on_set = self._note_wake
        try:
            for _ in range(WATCHED):
                self._wakers, start = set(), len(self._changes)
                if not self._turn():
                    break
                changes = self._changes[start:]
                found.update(self._branches(nodes, self._wakers))
                others = (r.by for r in changes if not isinstance(r.event, NodeFailed))
                found.update(self._branches(nodes, others))
                failing.update(self._branches(nodes, (record.by for record in changes)))
        finally:
            inbox.on_wake = watch.on_set = self._thread = None
        return [node for node, _ in (found or failing).most_common()]

    def _turn(self) -> bool:
        return (self._loop.turn() or self._loop.inbox.ready()) and not self._loop.is_stopping

    def _rests(self) -> bool:
        return any(not self._turn() for _ in range(SETTLES))

    def _note_record(self, record: Record) -> None:
        if self._thread is not None:
            self._changes.append(record)

    def _note_wake(self) -> None:
        """Note the node whose code requests a tick."""
        if threading.get_ident() != self._thread:
            return
        frame: Any = sys._getframe(1)
        while frame is not None:
            first = frame.f_code.co_varnames[:1]
            owner = frame.f_locals.get(first[0]) if first else None
            path = getattr(owner, "path", None)
            if isinstance(owner, Behaviour) or isinstance(path, str):
                self._wakers.add(owner if isinstance(owner, Behaviour) else str(path))
                return
            frame = frame.f_back

    def _branches(
        self, nodes: dict[str, Behaviour], by: Iterable[Behaviour | str]
    ) -> set[Behaviour]:
        found = (nodes.get(one) if isinstance(one, str) else one for one in set(by))
        return {self._branch(node) for node in found if node is not None}

    def _branch(self, node: Behaviour) -> Behaviour:
        """The branch of a node that ends and begins again: the lowest one that runs on.

        Of one that ticks several branches (a parallel) it is the branch alone.
        """
        branch = node
        if isinstance(node, Control) and node.current_child is not None:
            branch = node.current_child  # it has requested a tick for that
        while branch.status is not Status.RUNNING and branch.parent is not None:
            parent = branch.parent
            if parent.status is Status.RUNNING and len(parent.children) > 1:
                break
            branch = parent
        while branch.parent is not None and self._has_failed(branch):
            branch = branch.parent  # what is around it begins it again
        return branch

    def _has_failed(self, node: Behaviour) -> bool:
        pause = self._pauses.get(_path(node))
        return pause is not None and self._loop.clock.now() < pause.until


def _path(node: Behaviour) -> str:
    return str(getattr(node, "path", None) or node.name)
