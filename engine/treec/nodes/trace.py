"""Traces of trees of probes, tick by tick: the format of the golden traces.

A standard ``py_trees.trees.BehaviourTree`` ticks the tree; the probes record their ticks and halts.
The result is plain data in the form of the vectors in ``tests/data/bt_vectors``.
"""

from __future__ import annotations

from typing import TypedDict

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.trees import BehaviourTree

from treec.nodes.leaves.probe import Probe


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
    """Tick `root` a number of times, then halt it; replaces its probes' callbacks."""
    leaf_ticks: list[list[str]] = []
    halted: list[Probe] = []

    def on_tick(probe: Probe, status: Status) -> None:
        leaf_ticks.append([probe.name, status.name])

    probes = [node for node in root.iterate() if isinstance(node, Probe)]
    order = {id(probe): place for place, probe in enumerate(probes)}
    for probe in probes:
        probe.on_tick = on_tick
        probe.on_halt = halted.append

    def halted_now() -> list[str]:
        names = [probe.name for probe in sorted(halted, key=lambda probe: order[id(probe)])]
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
