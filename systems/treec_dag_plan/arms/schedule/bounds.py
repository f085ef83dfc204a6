"""Lower bounds on the number of stages: from chains of nodes and from the arms' workload.

A node's tail is a lower bound on the stages after its own, its head one on those before. Both start
as longest chains and grow with the workload: successors with a tail of b or more must be done
before the last b stages, and a stage uses at most all arms. A hold's arm is also busy while it
waits, if the nodes between occupy and release take longer than the hold's own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits

MOST_LEVELS = 64
"""Maximum number of levels of tails in a bound, evenly spread."""

SMALL = 200
"""Up to this many nodes, waiting holds count in every tail; beyond, only in sums."""


class Bounds:
    """Lower bounds for every schedule of a problem.

    `tail` and `head` are per node; `span` per hold is its stages from occupy to release, both
    included; `idle` per hold is the part of its span without own nodes.
    """

    def __init__(self, problem: SchedulingProblem) -> None:
        self.problem = problem
        self.arms = len(problem.arms)
        self.weights = _weights(problem.used)
        self.span = [self._span(h) for h in range(len(problem.holds))]
        self.idle = [
            self.span[h] - hold.members.bit_count() for h, hold in enumerate(problem.holds)
        ]
        self.waiting = [
            (1 << hold.occupy | 1 << hold.release, self.idle[h] * hold.arms)
            for h, hold in enumerate(problem.holds)
            if self.idle[h] > 0
        ]
        succ = [sum(1 << w for w in found) for found in problem.succ]
        self.tail = self._reach(tuple(reversed(problem.order)), succ, problem.after, True)
        self.head = self._reach(problem.order, problem.pred, problem.before, False)
        self.levels = self._levels()
        self.least = self._least()

    def work(self, nodes: int) -> int:
        """Return the arm-stages of these nodes, including the idle time of their holds."""
        total = self._busy(nodes)
        for ends, idle in self.waiting:
            if nodes & ends == ends:
                total += idle
        return total

    def _busy(self, nodes: int) -> int:
        total = 0
        for weight, mask in self.weights:
            total += weight * (nodes & mask).bit_count()
        return total

    def left(self, done: int) -> int:
        """Return a lower bound on the remaining stages after these nodes."""
        rest = self.problem.everything & ~done
        best = 0
        for tail, mask in self.levels:
            among = rest & mask
            if among:
                need = tail + -(-self.work(among) // self.arms)
                if need > best:
                    best = need
        return best

    def _span(self, h: int) -> int:
        problem = self.problem
        hold = problem.holds[h]
        between = problem.after[hold.occupy] & problem.before[hold.release]
        outside = between & ~hold.members
        least = hold.members.bit_count()
        if not outside:
            return least
        free = self.arms - hold.arms
        if free > 0:
            least = max(least, 2 + -(-self._busy(outside) // free))
        chain: dict[int, int] = {}
        inside = between | 1 << hold.release
        for v in (v for v in problem.order if inside >> v & 1):
            before = problem.pred[v] & between
            chain[v] = 1 + max((chain[u] for u in bits(before)), default=0)
        return max(least, 1 + chain[hold.release])

    def _reach(
        self, order: Sequence[int], near: Sequence[int], far: Sequence[int], forward: bool
    ) -> list[int]:
        """Compute tails (or heads, on the reversed graph) from chains, spans and workload."""
        problem = self.problem
        work = self.work if problem.size <= SMALL else self._busy
        found = [0] * problem.size
        masks: list[int] = [0]  # level → the nodes seen so far whose value is that or more
        for v in order:
            value = 0
            for w in bits(near[v]):
                value = max(value, found[w] + 1)
            for h in problem.own[v]:
                hold = problem.holds[h]
                first, last = (hold.occupy, hold.release)[:: 1 if forward else -1]
                if v == first:
                    value = max(value, found[last] + self.span[h] - 1)
            beyond = far[v]
            most = len(masks)
            for level in range(0, most, max(1, most // MOST_LEVELS)):
                among = beyond & masks[level]
                if not among:
                    break
                value = max(value, level + -(-work(among) // self.arms))
            found[v] = value
            while len(masks) <= value:
                masks.append(0)
            for level in range(value + 1):
                masks[level] |= 1 << v
        return found

    def _levels(self) -> list[tuple[int, int]]:
        values = sorted(set(self.tail))
        step = max(1, len(values) // MOST_LEVELS)
        return [
            (tail, sum(1 << v for v, other in enumerate(self.tail) if other >= tail))
            for tail in values[::step]
        ]

    def _least(self) -> int:
        """Return the bound of a whole schedule, also over the nodes between a head and a tail."""
        problem = self.problem
        best = max((h + 1 + t for h, t in zip(self.head, self.tail, strict=True)), default=0)
        heads = sorted(set(self.head))
        for head in heads[:: max(1, len(heads) * problem.size // (MOST_LEVELS * SMALL))]:
            late = sum(1 << v for v in range(problem.size) if self.head[v] >= head)
            for tail, mask in self.levels:
                among = late & mask
                if among:
                    best = max(best, head + tail + -(-self.work(among) // self.arms))
        return best


class RemainingWork:
    """The remaining work at every level of tails, updated from state to state.

    Like `Bounds.left`, but not rounded up, so that it ranks states with the same bound. `start` is
    the initial work at each level.
    """

    def __init__(self, bounds: Bounds) -> None:
        problem = bounds.problem
        self.arms = bounds.arms
        self.tails = [tail for tail, _ in bounds.levels]
        self.start = [bounds.work(mask) for _, mask in bounds.levels]
        reach = [bisect_right(self.tails, tail) for tail in bounds.tail]
        self.parts: list[list[tuple[int, int]]] = [
            [(problem.used[v], reach[v])] for v in range(problem.size)
        ]
        most = 0
        for h, hold in enumerate(problem.holds):
            if bounds.idle[h] > 0:
                idle = bounds.idle[h] * hold.arms
                self.parts[hold.occupy].append((idle, reach[hold.release]))
                most = max(most, bounds.idle[h])
        self.margin = 1.0 + most

    def highest(self, left: Sequence[int]) -> list[tuple[int, int, int]]:
        """Return the levels that may be critical after one more stage: (level, tail, work)."""
        needs = [
            (tail + work / self.arms, level, tail, work)
            for level, (tail, work) in enumerate(zip(self.tails, left, strict=True))
            if work
        ]
        least = max(needs, default=(0.0,))[0] - self.margin
        return [item[1:] for item in needs if item[0] >= least]

    def after(self, highest: Sequence[tuple[int, int, int]], nodes: Sequence[int]) -> float:
        """Return the fractional bound on the remaining stages after these nodes."""
        parts = [part for v in nodes for part in self.parts[v]]
        best = 0.0
        for level, tail, work in highest:
            for weight, reach in parts:
                if level < reach:
                    work -= weight
            if work and tail + work / self.arms > best:
                best = tail + work / self.arms
        return best

    def less(self, left: Sequence[int], nodes: Sequence[int]) -> list[int]:
        """Return the remaining work after these nodes."""
        rest = list(left)
        for v in nodes:
            for weight, reach in self.parts[v]:
                for level in range(reach):
                    rest[level] -= weight
        return rest


def _weights(used: Sequence[int]) -> list[tuple[int, int]]:
    return [
        (weight, sum(1 << v for v, own in enumerate(used) if own == weight))
        for weight in sorted(set(used))
    ]
