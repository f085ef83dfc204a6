"""How often and how long each node of a run was ticked, from its journal.

A journal has the statuses that have changed at each tick. A node that runs is ticked at every tick
until it ends or is halted; one that ends anew with the status that it had is not seen, so the
counts of nodes that end at once, such as conditions, are lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.world.journal import Record

COLUMNS = ("node", "ticks", "running", "of the time", "succeeded", "failed", "halted")
NOTE = (
    "A node that ends at once may have been ticked more often: journals have what has changed. "
    "Running: how long it had begun and not ended."
)


@dataclass
class NodeStatistics:
    """What a node did in a run; ``running`` is in seconds."""

    node: TickedNode
    ticks: int = 0
    succeeded: int = 0
    failed: int = 0
    halted: int = 0
    running: float = 0.0
    _since: tuple[int, float] | None = None

    def take(self, status: str, tick: int, t: float) -> None:
        """Take the status that the node has after a tick."""
        if self._since is not None:
            self.ticks += tick - self._since[0]
            self.running += t - self._since[1]
            self.halted += status == "INVALID"
        self._since = (tick, t) if status == "RUNNING" else None
        self.ticks += status in ("SUCCESS", "FAILURE")
        self.succeeded += status == "SUCCESS"
        self.failed += status == "FAILURE"


def node_statistics(records: Iterable[Record]) -> list[NodeStatistics]:
    """The nodes that were ticked, parents first; several trees of a run count by path."""
    found: dict[str, NodeStatistics] = {}
    nodes: list[NodeStatistics] = []
    tick, t = 0, 0.0
    for record in records:
        t = record.t
        match record.event:
            case TreeBegun(listed):
                for one in nodes:
                    one.take("UNKNOWN", tick + 1, t)
                nodes = [found.setdefault(one.path, NodeStatistics(one)) for one in listed]
            case Ticked(tick, to):
                for status, numbers in to.items():
                    for number in numbers:
                        nodes[number].take(status, tick, t)
    for one in nodes:
        one.take("UNKNOWN", tick + 1, t)
    return [one for one in found.values() if one.ticks]


def rows(nodes: Iterable[NodeStatistics], end: float) -> Iterator[tuple[str, ...]]:
    """A line of ``COLUMNS`` for each node but modifiers; ``end`` is the length of the run."""
    for one in nodes:
        if not one.node.modifier:
            share = f"{100 * one.running / end:.0f} %" if end and one.running else ""
            seconds = f"{one.running:.1f} s" if one.running else ""
            counts = (one.succeeded, one.failed, one.halted)
            yield one.node.path, f"{one.ticks}", seconds, share, *(f"{n or ''}" for n in counts)
