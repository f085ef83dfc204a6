"""`retry`: the node again after a FAILURE, up to a number of attempts.

SUCCESS: the node returned SUCCESS.

FAILURE: the node has returned FAILURE `attempts` times in this round; at once if `attempts` is 0.
-1 means without limit. Also if a skill failed since its subtask was dropped or its environment is
lost for good, or since a contract forbids it: another attempt cannot succeed.

RUNNING: the node returned RUNNING; or a pause is not over; or a node that was not running returned
FAILURE and attempts are left. Such a node would fail again at this instant: the next attempt begins
in the first tick after the world, or a variable that this one has read, has changed, or after 1 s,
2 s, 4 s, … up to a minute. (A tree that is ticked without a run begins it in the next tick, which
is requested at once, as BehaviorTree.CPP does.) A node that had been running and returns FAILURE
starts its next attempt in the same tick.

With `{times, every, backoff}` the next attempt begins `every` after a FAILURE, whatever happens
meanwhile; each pause is `backoff` times as long as the one before, an hour at most.

Memory: the failed attempts of this round, until when it pauses, and the variables that wake it.
SUCCESS, FAILURE and a halt reset them.

Halting: when halted, the running node is halted and the pause is over. It never halts the node of
its own accord.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.again import Again, HowOften, Times, limit_of, shows, write_own
from treec.nodes.again import build as build_again
from treec.nodes.base import Status
from treec.nodes.modifiers.on_failure import is_final, reason

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.frame import Frame
    from treec.nodes.node_place import NodePlace
    from treec.nodes.pace import OrderPace
    from treec.world.watch import DependencyWatch, Watched


class Retry(Again):
    """BehaviorTree.CPP's RetryUntilSuccessful; with a pace, attempts that fail at once wait."""

    ends = "FAILURE"

    def __init__(self, name: str, attempts: int, child: Behaviour) -> None:
        super().__init__(name, attempts, child)
        if attempts < -1:
            raise ValueError(f"attempts are -1 (no limit), 0 or more, not {attempts}")
        self.pace: OrderPace | None = None
        self.on_vain: Callable[[int, str], None] = lambda times, why: None
        """Called when an attempt without limit has failed at once: how often in a row, and why."""
        self._changes: int | None = None
        """The changes of the world when the last attempt had failed, if it waits for another."""
        self._at_once = 0
        self.watch: DependencyWatch | None = None
        self._above: list[Watched] | None = None
        self._read: list[tuple[Watched, object]] = []
        """The variables that the last attempt has read, as it has left them."""
        self.frames: Mapping[str, tuple[object, Frame]] = {}
        """The frames of the run's trees, by path: where the variables are."""
        self._names: Sequence[Sequence[str]] = ()
        """The paths of their trees and their names."""

    def next(self) -> Behaviour | None:
        """Begin an attempt, and note what it reads."""
        child = super().next()
        if self.watch is not None and child is not None:
            self._above, self.watch.reads = self.watch.reads, []
        return child

    def _end_attempt(self) -> None:
        if self.watch is not None and (reads := self.watch.reads) is not None:
            self._read = [
                (cell, cell.value) for cell in {id(cell): cell for cell in reads}.values()
            ]
            self.watch.reads = self._above
            if self._above is not None:
                self._above += reads

    def after(self, child: Behaviour) -> Behaviour | None:
        """Run further ones as far as the wake-up rule and the pauses allow."""
        self._end_attempt()
        if child.status is not Status.FAILURE:
            self._at_once = 0
            return super().after(child)
        was_running = self._was_running
        self.count += 1
        self._at_once = 0 if was_running else self._at_once + 1
        if is_final(child):
            self.stop(Status.FAILURE)
            return None
        if self.count == self.limit or (not self.begin_next_pause() and was_running):
            return self.next()
        if not self.is_pausing:
            self._wait_for_change()
        return None

    @property
    def is_pausing(self) -> bool:
        """Whether it waits: for a change, or until its pause is over."""
        pace, watch = self.pace, self.watch
        if pace is not None and watch is not None and self._changes is not None:
            is_changed = watch.is_changed(self._read) or pace.changes != self._changes
            if is_changed:
                self.end_pause()
                self._changes = None
        return super().is_pausing

    def _wait_for_change(self) -> None:
        if self.pace is None:
            self.wake()
            self.status = Status.RUNNING
            return
        self._changes = self.pace.changes
        read = {id(cell) for cell, _ in self._read}
        self._names = [
            [path, name]
            for path, (_, frame) in (self.frames.items() if read else ())
            for name, cell in frame.variables.items()
            if id(cell) in read
        ]
        self.begin_pause(self.pace.pause_after(self._at_once))
        if self.limit == -1:
            self.on_vain(self._at_once, reason(self.decorated))

    @property
    def memory(self) -> object:
        """The failed attempts of this round, how many failed at once, and for what it waits."""
        memory = super().memory
        if not isinstance(memory, dict):
            return memory
        if self._names and self.watch is not None and "due" in memory:
            if self.watch.are_as_before(self._read):
                memory["reads"] = self._names
            else:
                del memory["due"]  # the next tick begins
        return {**memory, "at_once": self._at_once} if self._at_once else memory

    def recall(self, memory: object) -> bool:
        """Go on after so many, and wait for a change if it did."""
        is_recalled = super().recall(memory)
        if self.pace is not None and self.every is None and isinstance(memory, Mapping):
            self._changes, self._at_once = self.pace.changes, int(memory.get("at_once", 0))
            self._names = memory.get("reads", ())
            cells = (self.frames[path][1].variables[name] for path, name in self._names)
            self._read = [(cell, cell.value) for cell in cells]
        return is_recalled

    def terminate(self, new_status: Status) -> None:
        """Forget the attempts, and end the pause."""
        super().terminate(new_status)
        self._changes, self._at_once, self._read, self._names = None, 0, [], ()


def build(at: NodePlace, value: Times | int | str, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    made = Retry(child.name, limit_of(value), child)
    runtime = at.runtime
    if runtime.paces and not isinstance(value, Times):
        path = f"{at.path}:retry"

        def on_vain(times: int, why: str) -> None:
            runtime.alarm_in_vain(path, path, times, why)

        made.pace, made.on_vain = runtime.pace, on_vain
        made.watch, made.frames = runtime.world.watch, at.builder.frames
        made.on_clock(at.clock)
    return build_again(at, value, made)


MODIFIER = ModifierSpec(
    key="retry",
    order=60,
    type=HowOften | None,
    field=Field(None, description="Attempts until SUCCESS; -1: unlimited. With pauses: a mapping."),
    build=build,
    waits=lambda value: isinstance(value, Times) or value == -1,
    off=0,
    resume="place",
    swap="open",
    shows=lambda value: shows("retry", value),
    drawing=Drawing("modifier", "↺", "M2.8 8A5.2 5.2 0 1 0 5.4 3.5M5.2 .8V3.7H8.3"),
    xml=Xml(
        tags=(
            XmlTag("RetryUntilSuccessful", ("btcpp",), value="num_attempts"),
            XmlTag("RetryUntilSuccesful", (), value="num_attempts"),
            XmlTag("Retry", ("py_trees",), value="num_failures", least=0),
        ),
        write=write_own("retry"),
    ),
)
