"""The trials of node classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, cast

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.check.tree_nodes import Port, parse_port
from treec.nodes.frame import Cell, Frame
from treec.nodes.python import wire
from treec.nodes.runtime import Runtime
from treec.source.scope import MappingScope
from treec_testing.isolation import PREPARING, contain
from treec_testing.stage import Stage
from treec_testing.trial import NODE_CLASS, Misbehaviour, NotApplicable, described, trial

PLAIN = {"number": 1.5, "integer": 2, "bool": True, "text": "a text", "mapping": {"a": 1}}
"""Values of the types that are no things."""

PERIOD = 0.125
"""Simulated seconds between two ticks of a node that does not wake itself."""

ENDS = (Status.SUCCESS, Status.FAILURE)
NOT_WRITTEN = "(not written)"


@dataclass
class NodeBench:
    """A node class and values for its ports."""

    code: Any
    values: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def ports(self) -> dict[str, Port]:
        """Its ports. Raises Misbehaviour for those that are not declared well."""
        try:
            return {str(name): parse_port(text) for name, text in self.code.ports.items()}
        except (ValueError, AttributeError, TypeError) as error:
            raise Misbehaviour(f"its `ports` are not declared well: {error}") from None


class _PlayedNode:
    """A node on a stage, the variables that its ports are wired to, and its statuses."""

    def __init__(self, bench: NodeBench, stage: Stage | None = None, **changes: object) -> None:
        self.stage = stage = stage or Stage()
        self.frame, self.statuses = Frame(MappingScope({}), None), list[Status]()
        kinds = {name: str(port.type) for name, port in bench.ports.items()}
        given = {name: PLAIN.get(kind, "crate") for name, kind in kinds.items()}
        self.given = {**given, **bench.values, **changes}
        for name, port in bench.ports.items():
            if port.direction == "out":
                self.given[name] = NOT_WRITTEN
        self.reset()
        seen = {"clock": stage.clock, "wake": stage.inbox.wake, "external": stage.external}
        runtime, wires = cast(Runtime, SimpleNamespace(**seen)), {n: f"${n}" for n in kinds}
        ports = wire(self.frame, wires, runtime, stage.note_raised)
        self.node: Any = contain("making it", bench.code, "try/node", ports)
        if not isinstance(self.node, Behaviour) or getattr(self.node, "name", "") != "try/node":
            raise Misbehaviour("it is not a py_trees behaviour, or does not pass on its name")
        contain("setup()", self.node.setup, at_once=PREPARING)

    def reset(self) -> None:
        """Let its variables be as at first, and forget its statuses."""
        self.frame.cells = {name: Cell(value) for name, value in self.given.items()}
        self.statuses.clear()

    def values(self) -> dict[str, object]:
        return {name: self.frame.lookup(name) for name in self.given}

    def tick(self) -> Status:
        """Tick it once. Raises Misbehaviour for a status that is none."""
        contain("a tick", lambda: [*self.node.tick()])
        if self.node.status not in (*ENDS, Status.RUNNING):
            raise Misbehaviour(f"update() returned {self.node.status!r}")
        self.statuses.append(self.node.status)
        return self.statuses[-1]

    def halt(self) -> None:
        contain("halting it", self.node.stop, Status.INVALID)

    def play(self, ticks: int = 500) -> _PlayedNode:
        """Tick it until it has ended, or nothing will wake it."""
        for number in range(ticks):
            if (number and not self.wait_for_tick()) or self.tick() in ENDS:
                break
        self.stage.raise_first()
        return self

    def wait_for_tick(self) -> bool:
        """Let time pass until it is ticked again; False if nothing will do that."""
        stage, wakes = self.stage, self.stage.wakes
        is_awaited = stage.external.in_progress or stage.inbox.ready()
        if not is_awaited and not getattr(self.node, "wakes_itself", False):
            stage.let_pass(PERIOD)
            return True
        stage.run_until(lambda: stage.wakes > wakes, float("inf"))
        return stage.wakes > wakes


@trial("N01", NODE_CLASS, "update")
def is_ticked(bench: NodeBench) -> None:
    """It is made, and ticked until it has ended; then again, with each of its in ports none once.

    Each call returns at once and raises nothing, `update` returns SUCCESS, FAILURE or RUNNING on
    every way through it, and SUCCESS means that each out port has a value of its type. What takes
    time runs in a thread that is announced; what goes wrong is FAILURE, with the reason as
    feedback. A value is none where nobody has set the variable::

        seconds = self.io.get("seconds")
        if not isinstance(seconds, int | float):
            self.feedback_message = f"'seconds' is {seconds!r}"
            return Status.FAILURE

    """
    node = _PlayedNode(bench).play()
    values = node.values()
    for name, port in bench.ports.items():
        kind, value = str(port.type), values[name]
        if value is NOT_WRITTEN and node.statuses[-1] is Status.SUCCESS:
            raise Misbehaviour(f"it returned SUCCESS and has not written the port '{name}'")
        if (
            value not in (NOT_WRITTEN, node.given[name])
            and kind in PLAIN
            and not _fits(kind, value)
        ):
            raise Misbehaviour(f"the port '{name}' is {kind}, not {value!r}")
        if port.direction != "out":
            with described(f"with {name}=None"):
                _PlayedNode(bench, **{name: None}).play()


@trial("N02", NODE_CLASS, "update")
def is_woken(bench: NodeBench) -> None:
    """It is ticked as often as it asks for.

    A class that says `wakes_itself` sets a timer, announces work or calls `wake` while it is
    RUNNING; another one is ticked every `tick_period`::

        self.io.clock.call_at(self.io.clock.now() + 1.0, self.io.wake)

    """
    node = _PlayedNode(bench)
    for _ in range(20):
        if node.tick() is not Status.RUNNING:
            return
        if not node.wait_for_tick():
            raise Misbehaviour("it is RUNNING and says that it wakes itself, but it will not")


@trial("N03", NODE_CLASS, "terminate")
def is_halted(bench: NodeBench) -> None:
    """It is halted before its first tick, while it is RUNNING, after its end, and twice.

    The tree goes another way: what `initialise` began ends, and nothing is raised. No timer fires
    afterwards, nothing is written to a port, nobody is woken::

        def terminate(self, new_status: Status) -> None:
            if new_status is Status.INVALID and self.timer is not None:
                self.timer.cancel()

    """
    for ticks in (0, 1, 500):
        node = _PlayedNode(bench).play(ticks)
        node.halt()
        if node.stage.external.in_progress:
            raise Misbehaviour("its work is still announced after it was halted: cancel it")
        values, wakes = node.values(), node.stage.wakes
        node.stage.inbox.drain()
        node.stage.let_pass(120.0)
        node.stage.join_threads()
        if node.values() != values:
            raise Misbehaviour("it wrote to a port after it was halted")
        if node.stage.wakes > wakes:
            raise Misbehaviour("it woke the loop after it was halted")
        node.halt()


@trial("N04", NODE_CLASS, "initialise")
def begins_anew(bench: NodeBench) -> None:
    """It is ticked again after a halt and after its end, and beside another node of its class.

    With the same values it does the same: the state is the instance's, and `initialise` resets what
    a round has left behind::

        def initialise(self) -> None:
            self.until = self.io.clock.now() + 3.0

    """
    alone = _PlayedNode(bench).play()
    if alone.statuses[-1] not in ENDS:
        raise NotApplicable("it does not end by itself")
    for ticks in (0, 1, 500):
        node = _PlayedNode(bench).play(ticks)
        node.halt()
        node.stage.inbox.drain()
        node.reset()
        _require_same(alone, node.play(), f"after a halt at tick {ticks}")
    stage = Stage()
    both = [_PlayedNode(bench, stage), _PlayedNode(bench, stage)]
    while running := [node for node in both if node.statuses[-1:] not in ([e] for e in ENDS)]:
        for node in running:
            node.tick()
        if not running[-1].wait_for_tick():
            break
    for node in both:
        _require_same(alone, node, "beside another one")


def _fits(kind: str, value: Any) -> bool:
    """Whether a value is of a plain type, and finite if it is a number."""
    if kind == "number":
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is type(PLAIN[kind])


def _require_same(alone: _PlayedNode, node: _PlayedNode, when: str) -> None:
    if _story(node) != _story(alone):
        raise Misbehaviour(f"{when} it {_story(node)}; alone it {_story(alone)}")


def _story(node: _PlayedNode) -> str:
    """How it ended, and the values of its variables without the noise of sums.

    How many ticks that took counts only for a node that waits for nothing but ticks: a thread or a
    device takes its own time.
    """
    values = {n: round(v, 6) if isinstance(v, float) else v for n, v in node.values().items()}
    ticks = f" after {len(node.statuses)} ticks"
    ticks = "" if getattr(node.node, "wakes_itself", False) else ticks
    return f"was {node.statuses[-1].name}{ticks}, with {values}"
