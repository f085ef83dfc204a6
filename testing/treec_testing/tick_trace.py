"""Traces of trees, tick by tick: the format of the golden traces.

A standard ``py_trees.trees.BehaviourTree`` ticks the tree; the ticks and halts of its leaves are
recorded. The result is plain data in the form of the vectors in ``tests/data/bt_vectors``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite
from py_trees.decorators import Decorator
from py_trees.trees import BehaviourTree

from treec.nodes.base import replace_tick


class Tick(TypedDict):
    """One tick: the root's status, the leaves' ticks in order, who was halted in leaf order."""

    root: str
    leaf_ticks: list[list[str]]
    halted: list[str]


class Trace(TypedDict):
    """All ticks, and who was halted when the whole tree was halted after the last."""

    ticks: list[Tick]
    halted_at_end: list[str]


def trace(root: Behaviour, ticks: int) -> Trace:
    """Tick `root` a number of times, then halt it; takes over its leaves' `tick` and `stop`."""
    leaf_ticks: list[list[str]] = []
    halted: list[Behaviour] = []
    leaves = [node for node in root.iterate() if not isinstance(node, Composite | Decorator)]
    order = {id(leaf): place for place, leaf in enumerate(leaves)}
    for leaf in leaves:
        _watch(leaf, leaf_ticks, halted)

    def halted_now() -> list[str]:
        names = [leaf.name for leaf in sorted(halted, key=lambda leaf: order[id(leaf)])]
        halted.clear()
        return names

    tree = BehaviourTree(root)
    recorded: list[Tick] = []
    for _ in range(ticks):
        tree.tick()
        recorded.append(
            {"root": root.status.name, "leaf_ticks": leaf_ticks.copy(), "halted": halted_now()}
        )
        leaf_ticks.clear()
    root.stop(Status.INVALID)
    return {"ticks": recorded, "halted_at_end": halted_now()}


def _watch(leaf: Behaviour, ticks: list[list[str]], halted: list[Behaviour]) -> None:
    """Record a leaf's ticks and halts; py_trees also halts idle nodes, which is not recorded."""
    tick, stop = leaf.tick, leaf.stop

    def ticked() -> Iterator[Behaviour]:
        for node in tick():
            if node is leaf:
                ticks.append([leaf.name, leaf.status.name])
            yield node

    def stopped(status: Status) -> None:
        if status is Status.INVALID and leaf.status is Status.RUNNING:
            halted.append(leaf)
        stop(status)

    replace_tick(leaf, ticked)
    setattr(leaf, "stop", stopped)  # noqa: B010
