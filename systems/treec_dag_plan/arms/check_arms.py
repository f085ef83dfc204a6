"""Check that some order of a graph's nodes needs no more arms than there are.

Concurrent nodes can also be done one after the other, so a search over sequences is enough.
Releasing at once is always optimal: it frees arms and needs none. The search branches only over
which hold to begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treec.frozen import frozen
from treec_dag_plan.arms.bit_graph import reachable_bits
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.pairs import Pair

MOST_STEPS = 2_000_000
"""Maximum number of search steps; beyond, no deadlock is reported."""


@frozen
class Deadlock:
    """The end of the longest feasible sequence: what is held, and a node that lacks arms."""

    node: str
    needs: int
    held: tuple[str, ...]


_State = tuple[int, int, set[int]]
"""(finished nodes as bits, number of free arms, ready nodes)."""


class _Search:
    """Nodes by number; sets of nodes are bits."""

    def __init__(self, graph: TaskGraph, pairs: Sequence[Pair]) -> None:
        nodes = list(graph.work())
        self.nodes = nodes
        number = {node.id: place for place, node in enumerate(nodes)}
        self.before = [sum(1 << number[b] for b in set(n.after) if b in number) for n in nodes]
        self.next = [[number[id] for id in graph.next[node.id] if id in number] for node in nodes]
        self.takes = [node.arms if node.type == "occupy" else 0 for node in nodes]
        self.needs = [node.arms if node.type in ("occupy", "operate") else 0 for node in nodes]
        self.frees = [0] * len(nodes)
        self.ends: dict[int, int] = {}
        for pair in pairs:
            for id in pair.members[1:]:  # a second arm, if the hold has but one
                self.needs[number[id]] = max(0, graph.by_id[id].arms - pair.arms)
            self.frees[number[pair.release]] = pair.arms
            self.ends[number[pair.occupy]] = number[pair.release]
        self.steps = 0

    def settle(self, done: int, free: int, ready: set[int]) -> _State:
        """Do all ready nodes that keep no arm: tool use, release and operate."""
        waiting = [node for node in ready if not self.takes[node]]
        ready = {node for node in ready if self.takes[node]}
        moved = True
        while moved:
            moved = False
            later: list[int] = []
            while waiting:
                node = waiting.pop()
                self.steps += 1
                if self.needs[node] > free:
                    later.append(node)
                    continue
                moved = True
                done |= 1 << node
                free += self.frees[node]
                for after in self.next[node]:
                    if self.before[after] & ~done == 0:
                        (ready.add if self.takes[after] else waiting.append)(after)
            waiting = later
        return done, free, {*ready, *waiting}

    def successors(self, state: _State) -> Iterator[_State]:
        """Yield the states after one more occupy node, those with the shortest holds first."""
        done, free, ready = state
        choices = [node for node in ready if self.takes[node] and self.needs[node] <= free]
        self.steps += len(choices)
        choices.sort(key=lambda node: (self.waits(node, done), node))
        for node in choices:
            now = done | 1 << node
            after = ready - {node}
            after.update(n for n in self.next[node] if self.before[n] & ~now == 0)
            yield self.settle(now, free - self.takes[node], after)

    def waits(self, occupy: int, done: int) -> int:
        """Count the unfinished nodes between an occupy node and its release."""
        found = reachable_bits(self.before, self.ends[occupy], done | 1 << occupy)
        self.steps += found.bit_count()
        return found.bit_count()


def find_deadlock(graph: TaskGraph, pairs: Sequence[Pair], arms: int) -> Deadlock | None:
    """Why no order can be done with so many arms; None when one can, or nothing is known."""
    search = _Search(graph, pairs)
    whole = (1 << len(search.nodes)) - 1
    first = {place for place, before in enumerate(search.before) if not before}
    best = search.settle(0, arms, first)
    stack: list[Iterator[_State]] = [iter((best,))]
    visited: set[int] = set()
    while stack:
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
            continue
        if state[0] == whole or search.steps > MOST_STEPS:
            return None
        if state[0] in visited:
            continue
        visited.add(state[0])
        if state[0].bit_count() > best[0].bit_count():
            best = state
        stack.append(search.successors(state))
    done, free, ready = best
    node = min(ready, key=lambda place: (search.needs[place] - free, place))
    held = (o for o, end in search.ends.items() if done >> o & 1 and not done >> end & 1)
    return Deadlock(
        search.nodes[node].id,
        search.needs[node] - free,
        tuple(search.nodes[occupy].objects[0] for occupy in held),
    )
