"""A stage for node classes: they are made, ticked and halted as a tree does it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, cast

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.check.tree_nodes import Port, parse_port
from treec.conformance.bench import AT_ONCE, PATIENCE
from treec.conformance.places import place_of_error, place_of_frame
from treec.conformance.trial import CodePlace, Misbehaviour, NotTried
from treec.conformance.watch import PlayWatch
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.python import NodePorts
from treec.nodes.runtime import Runtime
from treec.run.clocks import SteppingClock
from treec.source.scope import MappingScope
from treec.world.clock import Timer
from treec.world.external import LIMIT, ExternalWork, ExternalWorks
from treec.world.inbox import Inbox

PERIOD = 0.125
"""Simulated seconds between two ticks of a node that does not wake itself."""

TICKS = 500
"""How many ticks a play has at most."""

STATUSES = (Status.SUCCESS, Status.FAILURE, Status.RUNNING)


@dataclass(frozen=True)
class NodeCall:
    """A call of a node's method: how long it took, what it raised."""

    call: str
    seconds: float
    error: BaseException | None = None
    place: CodePlace | None = None


@dataclass(frozen=True)
class PortUse:
    """A read or write of a port: when, where, from the loop's thread or not, and if refused."""

    what: str
    port: str
    value: object
    at: float
    place: CodePlace | None
    in_loop: bool
    refused: bool


class _NotedPorts(NodePorts):
    """Ports that note each use."""

    def __init__(self, actor: NodeActor, frame: Frame) -> None:
        stage = actor.stage
        runtime = SimpleNamespace(clock=stage.clock, wake=stage.inbox.wake, external=stage.external)
        super().__init__(frame, cast(Runtime, runtime), actor.note_raised)
        self._actor = actor
        self._noted = _NotedNodeClock(actor)

    @property
    def clock(self) -> Any:
        return self._noted

    def get(self, name: str) -> object:
        return self._use("get", name, None, lambda: super(_NotedPorts, self).get(name))

    def set(self, name: str, value: object) -> None:
        self._use("set", name, value, lambda: super(_NotedPorts, self).set(name, value))

    def wake(self) -> None:
        self._actor.wakes += 1
        super().wake()

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        work = super().begin_external(name, takes=takes, limit=limit)
        self._actor.external.append(work)
        return work

    def _use(self, what: str, name: str, value: object, use: Callable[[], object]) -> object:
        actor, is_refused = self._actor, True
        place = place_of_frame(sys._getframe(2))
        try:
            found = use()
            is_refused = False
            return found
        finally:
            stage = actor.stage
            noted = PortUse(what, name, value, stage.clock.now(), place, stage.in_loop, is_refused)
            actor.uses.append(noted)


class _NotedNodeClock:
    """The clock of a stage; what a node's timers do is noted."""

    def __init__(self, actor: NodeActor) -> None:
        self._actor = actor

    def now(self) -> float:
        return self._actor.stage.clock.now()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        actor = self._actor
        if not actor.stage.in_loop:
            actor.timers_off_loop.append(place_of_frame(sys._getframe(1)))

        def call() -> None:
            try:
                callback()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                actor.note_raised(error)

        timer = actor.stage.clock.call_at(when, call)
        actor.timers.append(timer)
        return timer


class NodeActor:
    """A node on a stage, and all that it did."""

    def __init__(self, stage: NodeStage, values: Mapping[str, object]) -> None:
        self.stage = stage
        self.calls: list[NodeCall] = []
        self.uses: list[PortUse] = []
        self.statuses: list[tuple[float, object]] = []
        self.timers: list[Timer] = []
        self.timers_off_loop: list[CodePlace | None] = []
        self.external: list[ExternalWork] = []
        self.raised: list[NodeCall] = []
        self.wakes = 0
        self.node: Any = None
        outer = Frame(MappingScope({}), None, {})
        cells: dict[str, Cell | Wired] = {}
        for name, port in stage.ports.items():
            outer.cells[name] = Cell(values.get(name))
            cells[name] = Wired(values.get(name) if port.direction == "in" else f"${name}", outer)
        self.frame = outer
        self.io = _NotedPorts(self, Frame(outer, None, cells))

    @property
    def status(self) -> object:
        """Its last status."""
        return self.statuses[-1][1] if self.statuses else Status.INVALID

    @property
    def sets(self) -> list[PortUse]:
        """Its writes that were accepted."""
        return [use for use in self.uses if use.what == "set" and not use.refused]

    def note_raised(self, error: BaseException) -> None:
        """Take note of what a timer or thread raised."""
        self.raised.append(NodeCall("a timer or thread", 0.0, error, place_of_error(error)))
        self.stage.inbox.wake()

    def make(self, make: Callable[..., Any]) -> None:
        """Make the node and set it up."""
        self._call("making it", lambda: setattr(self, "node", make("try/node", self.io)))
        if self.node is not None:
            self._call("setup()", lambda: self.node.setup())

    def tick(self) -> object:
        """Tick it once; its status."""
        if self._call("a tick", lambda: [*self.node.tick()]):
            self.statuses.append((self.stage.clock.now(), self.node.status))
        return self.status

    def halt(self) -> None:
        """Halt it, as a tree does that goes another way."""
        self._call("halting it", lambda: self.node.stop(Status.INVALID))

    def play(self, ticks: int = TICKS) -> None:
        """Tick it until it has ended, or waits for what never comes."""
        stage = self.stage
        for _ in range(ticks):
            if self.tick() is not Status.RUNNING or self.raised:
                return
            if not stage.pass_until_tick(getattr(self.node, "wakes_itself", False)):
                return

    def _call(self, call: str, function: Callable[[], object]) -> bool:
        stage, began = self.stage, time.perf_counter()
        stage.call = call
        try:
            function()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            place = place_of_error(error)
            noted = NodeCall(call, time.perf_counter() - began, error, place)
            self.raised.append(noted)
        else:
            noted = NodeCall(call, time.perf_counter() - began)
        stage.watch.beat()
        self.calls.append(noted)
        return noted.error is None


class NodeStage:
    """One play of nodes on a fresh clock."""

    def __init__(self, ports: Mapping[str, Port], watch: PlayWatch) -> None:
        self.ports = ports
        self.watch = watch
        self.call = ""
        self.overdue: list[str] = []
        self.is_asleep = False
        self.began = 0.0
        self.actors: list[NodeActor] = []
        self.clock = SteppingClock()
        self.inbox = Inbox(self.clock)
        self.external = ExternalWorks(self.clock, self.inbox)
        self._thread = threading.get_ident()

    @property
    def in_loop(self) -> bool:
        """Whether the current thread is the one of the loop."""
        return threading.get_ident() == self._thread

    def run(self, script: Callable[[NodeStage], None]) -> None:
        """Make a play in a thread of its own."""

        def play() -> None:
            self._thread = threading.get_ident()
            script(self)

        self.watch.run(play)

    def pass_until_tick(self, wakes_itself: bool) -> bool:
        """Let time pass until a node is ticked again; False if nothing will do that."""
        if self.inbox.ready():
            self.inbox.drain()
            return True
        if self.external.in_progress:
            for _ in range(4):
                self.watch.beat()
                if self.inbox.wait(self.watch.patience / 4):
                    self.inbox.drain()
                    return True
            self.overdue = [work.name for actor in self.actors for work in actor.external]
            return False
        if not wakes_itself:
            self.pass_time(PERIOD)
            return True
        if self.clock.advance():
            return True
        self.is_asleep = not self.inbox.ready()
        return not self.is_asleep

    def pass_time(self, seconds: float) -> None:
        """Let time pass, with all timers that are due in it."""
        limit = self.clock.now() + seconds
        self.clock.call_at(limit, lambda: None)  # time comes that far in any case
        for _ in range(TICKS):
            if not self.clock.advance(limit):
                return


@dataclass
class NodeBench:
    """A node class and values for its ports; ``plain`` is a play that its trials look at."""

    make: Callable[..., Any]
    values: Mapping[str, object] = field(default_factory=dict)
    patience: float = PATIENCE
    at_once: float = AT_ONCE

    @cached_property
    def ports(self) -> dict[str, Port]:
        """Its ports, as far as they are declared well."""
        found = {}
        declared = getattr(self.make, "ports", None)
        for name, text in declared.items() if isinstance(declared, Mapping) else ():
            try:
                found[str(name)] = parse_port(text)
            except (ValueError, AttributeError, TypeError):
                continue
        return found

    @property
    def given(self) -> dict[str, object]:
        """A value for each port that it reads."""
        return {
            name: self.values.get(name, _VALUES.get(str(port.type), "crate"))
            for name, port in self.ports.items()
            if port.direction != "out"
        }

    def play(self, script: Callable[[NodeStage], None], patience: float | None = None) -> NodeStage:
        """Make one play."""
        stage = NodeStage(self.ports, PlayWatch(patience or self.patience))
        stage.run(script)
        return stage

    def actor(self, stage: NodeStage, values: Mapping[str, object] | None = None) -> NodeActor:
        """A node on a stage. Raises NotTried when it could not be made."""
        actor = NodeActor(stage, self.given if values is None else values)
        stage.actors.append(actor)
        actor.make(self.make)
        if not isinstance(actor.node, Behaviour):
            raise NotTried("it could not be made")
        return actor

    def play_values(self, values: Mapping[str, object] | None = None) -> NodeStage:
        """Play a node with these values to its end."""
        return self.play(lambda stage: self.actor(stage, values).play())

    @cached_property
    def plain(self) -> NodeStage:
        """A node played to its end."""
        return self.play_values()

    def healthy(self) -> NodeActor:
        """The node of the plain play. Raises NotTried where that went wrong."""
        stage = self.plain
        if stage.watch.is_held:
            raise NotTried("the play was held")
        (actor,) = stage.actors
        if actor.raised or any(status not in STATUSES for _, status in actor.statuses):
            raise NotTried("the node could not be played to its end")
        return actor

    def running(self) -> NodeActor:
        """The same, if it was RUNNING once. Raises NotTried."""
        actor = self.healthy()
        if not any(status is Status.RUNNING for _, status in actor.statuses):
            raise NotTried("it is never RUNNING")
        return actor


_VALUES: dict[str, object] = {
    "number": 1.5,
    "integer": 2,
    "bool": True,
    "text": "a text",
    "any": "a value",
    "mapping": {"a": 1},
}


def raise_first(actor: NodeActor, call: str = "") -> None:
    """Raise Misbehaviour for the first exception of an actor, in a call if one is given."""
    for noted in actor.raised:
        if not call or noted.call == call:
            error = noted.error
            what = f"{noted.call} raised {type(error).__name__}: {error}".removesuffix(": ")
            raise Misbehaviour(what, noted.place)


def raise_held(stage: NodeStage) -> None:
    """Raise Misbehaviour for a play that did not come back."""
    if stage.watch.is_held:
        seconds = stage.watch.patience
        what = f"{stage.call} has not returned after {seconds:g} s"
        raise Misbehaviour(what, stage.watch.held)
