"""Events of a run itself: its tree, its ticks, what a node raised, which contract was broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treec.world.events import Event, event


@dataclass(frozen=True, slots=True)
class TickedNode:
    """A node of the tree: its stable path, its name, its kind, how deep it stands."""

    path: str
    name: str
    kind: str
    depth: int
    modifier: bool = False


@event("tree")
@dataclass(frozen=True, slots=True)
class TreeBegun(Event):
    """A tree begins to be ticked: its nodes, parents before their children."""

    nodes: tuple[TickedNode, ...]


@event("ticked")
@dataclass(frozen=True, slots=True)
class Ticked(Event):
    """A tick changed statuses: status → the numbers of the nodes that have it now, from 0."""

    tick: int
    to: Mapping[str, tuple[int, ...]]


@event("node.raised")
@dataclass(frozen=True, slots=True)
class NodeRaised(Event):
    """A node raised an exception in a tick, and the tree was stopped."""

    path: str
    error: str
    module: str


@event("contract.broken")
@dataclass(frozen=True, slots=True)
class ContractBroken(Event):
    """What a contract promises did not come to hold within so many seconds."""

    contract: str
    item: str
    within: float
