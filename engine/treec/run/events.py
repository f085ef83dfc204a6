"""Events of a run: trees, ticks, exceptions of nodes, broken contracts."""

from __future__ import annotations

from collections.abc import Mapping

from treec.frozen import frozen
from treec.world.events import Event, EventText, event


@frozen
class TickedNode:
    """A node of the tree: its stable path, name, kind and depth."""

    path: str
    name: str
    kind: str
    depth: int
    modifier: bool = False


@event("tree")
@frozen
class TreeBegun(Event):
    """The ticking of a tree begins. Lists its nodes, parents before children."""

    nodes: tuple[TickedNode, ...]


@event("ticked")
@frozen
class Ticked(Event):
    """A tick changed statuses. Maps each status to the nodes that now have it, numbered from 0.

    ``memory`` is what nodes remember and has changed, by the number of the node: finished cycles of
    a `repeat`, the deadline of a `timeout`, the items of a `for_each` and how many are left; null:
    nothing. Of a mapping it has the keys that have changed. ``variables`` are those of trees that
    have changed, by the path of the tree: plain data, an entity as its type and name; ``by`` are
    the numbers of the nodes that have set them. ``ports`` are those whose value has changed.
    """

    tick: int
    to: Mapping[str, tuple[int, ...]]
    memory: Mapping[str, object] | None = None
    variables: Mapping[str, Mapping[str, object]] | None = None
    by: Mapping[str, Mapping[str, int]] | None = None
    ports: Mapping[str, Mapping[str, object]] | None = None


@event("node.raised")
@frozen
class NodeRaised(Event):
    """A node raised an exception during a tick, and the tree was halted."""

    path: str
    error: str
    module: str


@event("loop.late")
@frozen
class LoopLate(Event):
    """Ticks have taken more real time than `tick_budget`; told once a second at most.

    ``seconds`` is what the longest took, ``culprit`` the node that was at work, or what else was,
    ``ticks`` how many were late since it was told last.
    """

    seconds: float
    budget: float
    culprit: str
    ticks: int = 1

    def describe(self) -> EventText:
        """How late, and by what."""
        also = f", {self.ticks} ticks" if self.ticks > 1 else ""
        text = f"a tick took {self.seconds:.2f} s (budget {self.budget:g} s{also}): {self.culprit}"
        return EventText(text, "warning")


@event("contract.broken")
@frozen
class ContractBroken(Event):
    """A contract was broken: its condition did not hold within ``within`` seconds."""

    contract: str
    item: str
    within: float


@event("injected")
@frozen
class Injected(Event):
    """A fault has happened, as it was written; ``problem``: why it had no effect.

    Its record has what the fault has changed at once, and says who has injected it: the scenario,
    whoever began the run (`injected`), or somebody while it went on.
    """

    fault: str
    problem: str = ""

    def describe(self) -> EventText:
        """The fault, so that nobody takes what comes of it for the world's own doing."""
        if self.problem:
            return EventText(f"not injected: {self.fault}: {self.problem}", "failure")
        return EventText(f"injected: {self.fault}", "warning")
