"""Sequences, selectors and decorators of py_trees' kind do what py_trees' own do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from py_trees import composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.trees import BehaviourTree
from py_trees.visitors import VisitorBase

from tests.support.tiers import many
from treec.nodes.control.reactive_selector import reactive_selector
from treec.nodes.control.reactive_sequence import reactive_sequence
from treec.nodes.control.selector import selector
from treec.nodes.control.sequence import sequence
from treec.nodes.leaves.probe import Probe
from treec.nodes.modifiers.force_failure import force_failure
from treec.nodes.modifiers.force_success import force_success
from treec.nodes.modifiers.invert import invert
from treec.nodes.modifiers.keep_running_until_failure import keep_running_until_failure

Make = Callable[..., Behaviour]

OURS: dict[str, Make] = {
    "sequence": sequence,
    "reactive_sequence": reactive_sequence,
    "selector": selector,
    "reactive_selector": reactive_selector,
    "invert": invert,
    "force_failure": force_failure,
    "force_success": force_success,
    "keep": keep_running_until_failure,
}
THEIRS: dict[str, Make] = {
    "sequence": lambda name, nodes: composites.Sequence(name, True, nodes),
    "reactive_sequence": lambda name, nodes: composites.Sequence(name, False, nodes),
    "selector": lambda name, nodes: composites.Selector(name, True, nodes),
    "reactive_selector": lambda name, nodes: composites.Selector(name, False, nodes),
    "invert": decorators.Inverter,
    "force_failure": decorators.SuccessIsFailure,
    "force_success": decorators.FailureIsSuccess,
    "keep": decorators.SuccessIsRunning,
}
CONTROLS, WRAPS = list(OURS)[:4], list(OURS)[4:]


def _spec(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.random()
    if depth == 4 or (depth and kind < 0.4):
        return "".join(rng.choice("SFR") for _ in range(rng.randint(1, 5)))
    if kind < 0.55:
        return rng.choice(WRAPS), [_spec(rng, depth + 1)]
    return rng.choice(CONTROLS), [_spec(rng, depth + 1) for _ in range(rng.randint(0, 4))]


def _build(spec: Any, kinds: dict[str, Make], log: list[str], name: str = "r") -> Behaviour:
    if isinstance(spec, str):
        return Probe(
            name,
            spec,
            lambda probe, status: log.append(f"{probe.name} {status.name}"),
            lambda probe: log.append(f"{probe.name} halted"),
        )
    key, parts = spec
    children = [_build(part, kinds, log, f"{name}.{n}") for n, part in enumerate(parts)]
    return kinds[key](name, children if key in CONTROLS else children[0])


@pytest.mark.parametrize("seed", range(many(20, 4)))
def test_statuses_ticks_and_halts_are_those_of_py_trees(seed: int) -> None:
    rng = random.Random(f"in order {seed}")
    for _ in range(20):
        spec = _spec(rng)
        logs: tuple[list[str], list[str]] = ([], [])
        ours, theirs = _build(spec, OURS, logs[0]), _build(spec, THEIRS, logs[1])
        for _ in range(12):
            if rng.random() < 0.1:
                ours.stop(Status.INVALID)
                theirs.stop(Status.INVALID)
            ours.tick_once()
            theirs.tick_once()
            assert [n.status for n in ours.iterate()] == [n.status for n in theirs.iterate()], spec
            assert logs[0] == logs[1], spec


class _Seen(VisitorBase):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def run(self, behaviour: Behaviour) -> None:
        self.names.append(behaviour.name)


def test_a_visitor_is_given_every_node_that_was_ticked_once_children_first() -> None:
    leaves = [Probe("a", "S"), Probe("b", "F"), Probe("c", "S")]
    root = sequence("s", [leaves[0], invert("i", leaves[1]), reactive_selector("o", [leaves[2]])])
    tree, seen = BehaviourTree(root), _Seen()
    tree.visitors.append(seen)
    tree.tick()
    assert seen.names == ["a", "b", "i", "c", "o", "s"]


def test_making_a_node_ticks_nothing_and_it_has_all_that_py_trees_gives_one() -> None:
    class Bare(Behaviour):
        def update(self) -> Status:
            return Status.SUCCESS

    log: list[str] = []
    ours, theirs = _build("S", OURS, log, "x"), Bare("x")
    assert log == []
    for name in vars(theirs):
        if name not in ("id", "logger", "iterator", "qualified_name"):
            assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.id == ours.id != theirs.id
    assert ours.qualified_name == "Probe/x"
    ours.logger.debug("is one")
    assert isinstance(selector("s", []), composites.Selector)
    assert isinstance(invert("i", ours), decorators.Inverter)


def test_a_node_has_one_parent() -> None:
    leaf = Probe("a", "S")
    sequence("s", [leaf])
    with pytest.raises(RuntimeError, match="'a' already has a parent, 's'"):
        selector("t", [leaf])
    with pytest.raises(TypeError, match="behaviours"):
        sequence("s", ["a"])  # type: ignore[list-item]
