"""The loop: drains the inbox, ticks the tree, and waits until something happens.

It is the only writer of the world. It ticks again at once after changes by the tree itself or a
wake-up; otherwise it goes to the next timer (virtual clock) or waits for it (real clock). Under
every clock it ticks only when a message, a wake-up or a due timer is there.
"""

from __future__ import annotations

import itertools
import logging
import math
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any, Literal

import py_trees
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.foreign import HeldTooLong, text_of
from treec.run.events import LoopLate, NodeRaised
from treec.run.restless import RestlessBranches
from treec.source.errors import TreecError
from treec.world.clock import RealClock, Timer, VirtualClock
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import JournalError, Record, events
from treec.world.world import World

Reason = Literal["done", "finished", "idle", "deadline", "stopped"]

AtEnd = Literal["wait", "restart", "stop"]
"""What happens after the root has returned SUCCESS or FAILURE; see `SystemFile.at_end`."""

LIVELOCK = 200
"""Consecutive ticks without a pause after which the tree is considered livelocked, unless limited
repetitions in it may need more; see `most_ticks`."""

RAISES = 3
"""Consecutive ticks that raise, after which the loop gives up."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_log = logging.getLogger("treec.loop")


class LoopError(TreecError):
    """The loop cannot continue: livelock, repeated exceptions, or a message without handler."""


class Loop:
    """Ticks ``root`` until it is stopped.

    ``handlers`` handle messages by source. ``expecting`` tells whether something outside the clock
    is working and will post a message; virtual time stands still meanwhile. ``while_waiting`` are
    called at least every ``poll`` real seconds while time passes without a tick. ``before_halt`` is
    called before all nodes are halted: what is in flight is told to stop before any node is.

    A turn that takes more than ``tick_budget`` real seconds is recorded as late, with ``suspect``.

    ``tick_period`` is the time between two ticks, in seconds of the run, while a behaviour that
    cannot request ticks is RUNNING (None: such behaviours are not ticked by themselves).
    """

    def __init__(
        self,
        root: Behaviour,
        world: World,
        clock: VirtualClock | RealClock,
        inbox: Inbox,
        handlers: Mapping[str, Callable[[InboxMessage], None]],
        *,
        before_tick: Sequence[Callable[[], None]] = (),
        after_tick: Sequence[Callable[[], None]] = (),
        while_waiting: Sequence[Callable[[], None]] = (),
        before_halt: Callable[[], None] = lambda: None,
        poll: float = 1.0,
        expecting: Callable[[], bool] = lambda: False,
        at_end: AtEnd = "wait",
        tick_period: float | None = None,
        tick_budget: float | None = None,
    ) -> None:
        self.tree = _TickedTree(root)
        self.world = world
        self.clock = clock
        self.inbox = inbox
        self.handlers = dict(handlers)
        self.before_tick = list(before_tick)
        self.after_tick = list(after_tick)
        self.while_waiting = list(while_waiting)
        self.before_halt = before_halt
        self.at_end = at_end
        self.tick_period = tick_period
        self.tick_budget = tick_budget
        self.turn_began: float | None = None
        """When a turn began whose time counts; a `LoopWatchdog` looks what takes it."""
        self.suspect = ""
        self._late: tuple[float, list[LoopLate]] = (-math.inf, [])
        self._poll = poll
        self._expecting = expecting
        self._stopped = threading.Event()
        self._is_ending = False
        self.is_running = False
        """Whether :meth:`run` is at it."""
        self._entered: Sequence[Behaviour] = ()
        self.trees = 0
        """How often its tree has been replaced."""
        self.beats = 0
        """How often it has stepped, waited or halted a node; a `LoopWatchdog` looks at it."""
        self._recent: deque[Record] = deque(maxlen=20)
        self._raises = 0
        self._restless = 0
        self.rests = False
        """Whether its root has ended already as it begins: only what happens then starts it."""
        self._instant = clock.now()
        world.subscribe(self._recent.append)
        self._branches = RestlessBranches(self, halt_node)
        self.after_tick.append(_PeriodicTick(self).look)

    @property
    def root(self) -> Behaviour:
        """The root of the ticked tree."""
        root: Behaviour = self.tree.root
        return root

    def replace_tree(self, root: Behaviour) -> None:
        """Tick another tree from now on; parts of it may be those of the one before."""
        self.tree.root = root
        self.trees += 1

    def run(
        self,
        until: Callable[[], bool] = lambda: False,
        deadline: float | None = None,
    ) -> Reason:
        """Tick until ``until()`` holds after a tick, or the clock passes ``deadline``.

        Returns why it ended: ``finished`` means that the root did, where ``at_end`` is ``stop``;
        ``idle`` that nothing can happen any more. Raises LoopError.
        """
        self.world.claim()
        self.is_running = True
        try:
            return self._run(until, deadline)
        except KeyboardInterrupt as error:
            self._entered = _lineage(_culprit(error)[0])  # what held the loop was interrupted
            if not self._stopped.is_set():
                raise
            self._stopped.clear()
            return "stopped"
        finally:
            self.is_running = False

    def _run(self, until: Callable[[], bool], deadline: float | None) -> Reason:
        while True:
            if self._stopped.is_set():
                self._stopped.clear()
                return "stopped"
            restless = self._step_or_rest()
            if until():
                return "done"
            if self.at_end == "stop" and self.has_finished:
                return "finished"
            if deadline is not None and self.clock.now() > deadline:
                return "deadline"
            if not restless and (reason := self._wait(deadline)):
                return reason

    def step(self) -> bool:
        """Drain the inbox and tick once; no time passes, and livelocks are not detected.

        Returns whether the tree should be ticked again now.
        """
        self._restless = 0
        return self._step()

    def before(self) -> None:
        """Do what precedes a tick: fire due timers and handle messages. Raises LoopError.

        With :meth:`after`, for callers that tick the tree themselves.
        """
        messages = self._messages()
        self._deliver(messages)

    def after(self) -> None:
        """Do what follows a tick: call the hooks, and commit a batch of records.

        Requests another tick where one of the values that this one read has changed since.
        """
        for hook in self.after_tick:
            hook()
        is_outdated = self.world.watch.end(is_waiting=self.root.status is Status.RUNNING)
        if is_outdated and not self.has_finished:
            self.wake()
        self.world.journal.commit(sync=isinstance(self.clock, RealClock))

    def _messages(self) -> list[InboxMessage]:
        if isinstance(self.clock, RealClock) and self.clock.due():
            self._restless = 0
        return self.inbox.drain()

    def _deliver(self, messages: Iterable[InboxMessage]) -> None:
        for message in messages:
            handler = self.handlers.get(message.source)
            if handler is None:
                raise LoopError(f"no handler for messages from {message.source!r}")
            handler(message)
        for hook in self.before_tick:
            hook()
        self.world.watch.begin()

    def _step(self) -> bool:
        again = self.turn()
        if self._is_livelocked() and (again or self.inbox.ready()):
            ticks, self._restless = self._restless, 0
            if not self._branches.fail(ticks):
                raise LoopError(self._livelock(ticks))
        return again

    def turn(self) -> bool:
        """Handle messages and tick once; whether the tree is to be ticked again at once."""
        self.beats += 1
        if self.tick_budget is not None and self.tree.count:  # the first tick loads much
            self.turn_began = time.monotonic()
        self.world.journal.hold()  # what a step records is one batch
        messages = self._messages()
        self._count_ticks(bool(messages))
        self._deliver(messages)
        before = self.world.version
        raised = self._tick()
        if self.has_finished:  # what it has changed itself does not start it again
            before = self.world.version
        if self.turn_began is not None:
            self._judge_time(time.monotonic())
        self.after()
        return raised or self.world.version != before

    def _judge_time(self, now: float) -> None:
        """Record ticks that took longer than they may, once a second at most."""
        assert self.turn_began is not None
        assert self.tick_budget is not None
        took, self.turn_began = now - self.turn_began, None
        if took <= self.tick_budget:
            return
        told, late = self._late
        late.append(LoopLate(round(took, 3), self.tick_budget, self.suspect or "treec itself"))
        self.suspect = ""
        if now >= told + 1:
            self._late = now, []
            worst = max(late, key=lambda one: one.seconds)
            self.world.trace(replace(worst, ticks=len(late)), "loop")

    def _step_or_rest(self) -> bool:
        if not self.rests:
            return self._step()
        self.rests = False
        self.after()
        return False

    def wake(self) -> None:
        """Request another tick, from any thread."""
        self.inbox.wake()

    def stop(self) -> None:
        """End :meth:`run` before its next tick, from any thread."""
        self._stopped.set()
        self.inbox.wake()

    @property
    def is_stopping(self) -> bool:
        """Whether it ends before its next tick, or its nodes are being halted."""
        return self._is_ending or self._stopped.is_set()

    def wait_for_stop(self, seconds: float) -> None:
        """Wait some real seconds, or less if it is to stop; from any thread."""
        self._stopped.wait(seconds)

    def shutdown(self) -> None:
        """Halt and shut down all nodes; py_trees' own shutdown does not halt."""
        self._is_ending = True
        self._halt(self._entered)
        self.tree.shutdown()

    @property
    def has_finished(self) -> bool:
        """Whether the root has returned SUCCESS or FAILURE."""
        return self.root.status in (Status.SUCCESS, Status.FAILURE)

    def _wait(self, deadline: float | None) -> Reason | None:
        """Let time pass until something happens; returns why the run ends, if it does."""
        fired = self.clock.fired
        while not self._stopped.is_set():
            self.beats += 1
            self.world.journal.check()
            expecting = self._expecting()  # first: what ends now posts its message before
            if self.inbox.ready() or self.clock.fired != fired:
                return None
            if deadline is not None and self.clock.now() >= deadline:
                return "deadline"
            if isinstance(self.clock, RealClock):
                times = [time for time in (self.clock.next_due(), deadline) if time is not None]
                self.inbox.wait(min([self._poll, *map(self.clock.real_seconds, times)]))
                self._restless = 0
                self.clock.due()
            elif expecting:
                self.inbox.wait(self._poll)
            elif not self.clock.advance(deadline):
                return "idle" if self.clock.next_due() is None else "deadline"
            for hook in self.while_waiting:
                hook()
        return None

    def _count_ticks(self, messages: bool) -> None:
        """Count the ticks without input from outside.

        On the virtual clock answers come without time passing, so messages do not count there.
        """
        now = self.clock.now()
        calm = messages if isinstance(self.clock, RealClock) else now != self._instant
        self._instant = now
        self._restless = 1 if calm else self._restless + 1

    def _is_livelocked(self) -> bool:
        """Whether the tree keeps ticking without input from outside."""
        return self._restless > LIVELOCK and self._restless > 2 * most_ticks(self.root)

    def _livelock(self, ticks: int) -> str:
        causes = Counter(
            (record.by, event.kind) for record in self._recent for event in events(record)
        )
        culprits = ", ".join(f"{by} ({kind}, {n} times)" for (by, kind), n in causes.most_common(5))
        return (
            f"{ticks} ticks at {self.clock.now():g} s and the tree does not come to rest; "
            f"what changed the world last: {culprits or 'nothing: it is woken at each tick'}"
        )

    def _tick(self) -> bool:
        """Tick the tree; returns whether it raised, in which case all nodes are halted."""
        try:
            self.tree.tick()
            if self.world.journal.failure is not None:  # code of others may have caught it
                raise self.world.journal.failure
        except JournalError:
            raise
        except Exception as error:
            self._handle_exception(error)
            return True
        self._raises = 0
        return False

    def _handle_exception(self, error: Exception) -> None:
        node, module = _culprit(error)
        path = _path(node or self.root)
        what = _ADDRESS.sub("", f"{type(error).__name__}: {text_of(error)}")
        _log.info("%s raised", path, exc_info=error)
        self.world.emit(NodeRaised(path, what, module), path)
        self._halt(_lineage(node))
        self._raises += 1
        if self._raises >= RAISES:
            raise LoopError(
                f"{path} raised in {RAISES} ticks in a row, last {what} (in {module})"
            ) from error

    def _halt(self, entered: Sequence[Behaviour]) -> None:
        """Stop every node that is not INVALID, and those entered by the tick that raised.

        Stopping the root is not enough: a composite sets its status at the end of its tick, so
        children below one that did not get there would keep running.
        """
        self.before_halt()
        unseen = [node for node in entered if node.status == Status.INVALID]
        nodes = itertools.chain(
            (self.root,),
            (node for node in unseen if node is not self.root),
            (node for node in self.root.iterate() if node.status != Status.INVALID),
        )
        for node in nodes:
            self.beats += 1
            halt_node(node)


class _TickedTree(py_trees.trees.BehaviourTree):
    """Ticks as py_trees does; without visitors only the nodes of the tick are gone through."""

    def tick(self, pre_tick_handler: Any = None, post_tick_handler: Any = None) -> None:
        if self.visitors or self.pre_tick_handlers or pre_tick_handler is not None:
            super().tick(pre_tick_handler, post_tick_handler)
            self._settle()
            return
        self.root.tick_once()
        self._settle()
        for handler in self.post_tick_handlers:
            handler(self)
        if post_tick_handler is not None:
            post_tick_handler(self)
        self.count += 1

    def _settle(self) -> None:
        """A tree that is skipped as a whole succeeds."""
        if self.root.status is Status.INVALID:
            self.root.status = Status.SUCCESS


class _PeriodicTick:
    """Requests a tick every ``tick_period`` while one is needed that nothing else requests.

    That is: while a leaf that does not wake itself is RUNNING (``Leaf.wakes_itself``; py_trees'
    own classes do not), or while a root waits to be restarted.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._timer: Timer | None = None
        self._seen = -1
        self._leaves: list[Behaviour] = []

    def look(self) -> None:
        """Set or cancel the timer; called after each tick."""
        trees, period = self._loop.trees, self._loop.tick_period
        if period is None:
            return
        if self._seen != trees:
            self._seen = trees
            self._leaves = [node for node in self._loop.root.iterate() if needs_ticks(node)]
        is_needed = any(leaf.status is Status.RUNNING for leaf in self._leaves) or (
            self._loop.at_end == "restart" and self._loop.has_finished
        )
        if is_needed and self._timer is None:
            clock = self._loop.clock
            self._timer = clock.call_at(clock.now() + period, self._request)
        elif not is_needed and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _request(self) -> None:
        self._timer = None
        self._loop.wake()


def most_ticks(node: Behaviour) -> int:
    """The ticks at one instant that a round of a tree may need: its nodes, times their rounds.

    What repeats without limit counts once: only that can be livelocked.
    """
    below = sum(map(most_ticks, node.children)) or 1
    return int(getattr(node, "rounds", 1)) * below


def needs_ticks(node: Behaviour) -> bool:
    """Whether a behaviour must be ticked again and again while it is RUNNING."""
    return not node.children and not getattr(node, "wakes_itself", False)


def halt_node(node: Behaviour) -> None:
    """Stop a node; one that raises, or is interrupted by the watchdog, counts as stopped."""
    try:
        node.stop(Status.INVALID)
    except (Exception, HeldTooLong) as error:
        # A node that cannot be stopped must not keep the others running.
        _log.warning("%s could not be stopped: %s", _path(node), text_of(error))
        node.status = Status.INVALID


def _culprit(error: BaseException) -> tuple[Behaviour | None, str]:
    """The innermost node whose code was running, and the module in which it raised."""
    node: Behaviour | None = None
    module = "unknown"
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        module = str(frame.f_globals.get("__name__", module))
        first = frame.f_code.co_varnames[:1]
        owner = frame.f_locals.get(first[0]) if first else None
        if isinstance(owner, Behaviour):
            node = owner
        trace = trace.tb_next
    return node, module


def _lineage(node: Behaviour | None) -> list[Behaviour]:
    """A node and its ancestors."""
    line = []
    while node is not None:
        line.append(node)
        node = node.parent
    return line


def node_at_work(frame: FrameType | None) -> Behaviour | None:
    """The innermost node whose code a thread is in."""
    while frame is not None:
        first = frame.f_code.co_varnames[:1]
        owner = frame.f_locals.get(first[0]) if first else None
        if isinstance(owner, Behaviour):
            return owner
        frame = frame.f_back
    return None


def _path(node: Behaviour) -> str:
    return str(getattr(node, "path", None) or node.name)
