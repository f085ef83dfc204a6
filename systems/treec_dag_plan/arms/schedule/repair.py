"""Large neighbourhood search: replace pieces of a schedule by pieces one stage shorter.

A piece is a run of consecutive stages between two states. Unless a bound excludes it, a depth-first
search with a small budget looks for a way between the two states with one stage less. The rest of
the schedule stays, so it remains feasible.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.moves import Moves, ScheduleState, Work
from treec_dag_plan.arms.schedule.problem import bits


@frozen
class Round:
    """Lengths of pieces in stages, tried in turn, and the budget of states per piece."""

    sizes: tuple[int, ...]
    states: int = 1500


ROUNDS = (
    Round((8, 12, 16, 20, 28)),
    Round((9, 14, 18, 24, 36)),
    Round((24, 32, 40), 5000),
)


class Repair:
    """Shortens schedules of one problem; `left` is the remaining budget of states.

    The budget counts states, not seconds, so that results do not depend on the machine's load.
    """

    def __init__(self, moves: Moves, bounds: Bounds, states: int = 10**9) -> None:
        self.moves = moves
        self.bounds = bounds
        self.left = states
        self.place = {v: number for number, v in enumerate(moves.problem.order)}

    def run(
        self, stages: Sequence[Work], round: Round, until: float, enough: int = 0
    ) -> tuple[Work, ...]:
        """The same or fewer stages.

        Stops at the time `until`, at `enough` stages, or when the budget is spent.
        """
        found = list(stages)
        states = [self.moves.start()]
        self._follow(found, states)
        for size in round.sizes:
            first = 0
            while first < len(found) and len(found) > enough:
                if self.left <= 0 or time.monotonic() > until:
                    return tuple(found)
                last = min(first + size, len(found))
                better = self._shorter(states[first], states[last], last - first - 1, round.states)
                if better is None:
                    first += size // 2
                    continue
                found[first:last] = better
                del states[first + 1 :]
                self._follow(found, states)
        return tuple(found)

    def _follow(self, stages: list[Work], states: list[ScheduleState]) -> None:
        """Append the missing states; identical arms are reassigned."""
        for place in range(len(states) - 1, len(stages)):
            if self.moves.alike:
                stages[place] = self._on_arms(states[place], stages[place])
            states.append(self.moves.do(states[place], stages[place]))

    def _on_arms(self, state: ScheduleState, work: Work) -> Work:
        problem = self.moves.problem
        held = dict(state.open)
        free = self.moves.all_arms
        for arms in held.values():
            free &= ~arms
        placed = []
        for v, _ in work:
            arms = 0
            if problem.types[v] in ("tool use", "release"):
                for h in problem.own[v]:
                    arms |= held[h]
            for _ in range(problem.need[v]):
                arms |= free & -free
                free &= free - 1
            placed.append((v, arms))
        return tuple(placed)

    def _shorter(
        self, start: ScheduleState, end: ScheduleState, room: int, states: int
    ) -> list[Work] | None:
        among = end.done & ~start.done
        piece = _Piece(self, among, end, states)
        if piece.left(start.done) > room:
            return None
        try:
            return piece.search(start._replace(ready=start.ready & among), room)
        except _SearchLimit:
            return None
        finally:
            self.left -= states - piece.budget


class _SearchLimit(Exception):
    """The budget of states is spent."""


class _Piece:
    """The search between two states; `among` are the nodes done between them."""

    def __init__(self, repair: Repair, among: int, end: ScheduleState, states: int) -> None:
        bounds = repair.bounds
        self.moves = repair.moves
        self.among = among
        self.end = end
        self.budget = states
        self.arms = bounds.arms
        self.weights = bounds.weights
        self.waiting = [item for item in bounds.waiting if item[0] & among == item[0]]
        self.levels = _levels(repair, among)
        self.failed: dict[object, int] = {}

    def left(self, done: int) -> int:
        """Return a lower bound on the remaining stages."""
        rest = self.among & ~done
        best = 0
        for tail, mask in self.levels:
            among = rest & mask
            if not among:
                break
            work = 0
            for weight, nodes in self.weights:
                work += weight * (among & nodes).bit_count()
            for ends, idle in self.waiting:
                if among & ends == ends:
                    work += idle
            best = max(best, tail - (-work // self.arms))
        return best

    def search(self, state: ScheduleState, room: int) -> list[Work] | None:
        """Return at most `room` stages that lead to the end state, or None."""
        if state.done & self.among == self.among:
            return [] if self.moves.alike or state.open == self.end.open else None
        self.budget -= 1
        if self.budget < 0:
            raise _SearchLimit
        following = []
        for work in self.moves.of(state):
            next = self.moves.do(state, work)
            left = self.left(next.done)
            if left < room and self.failed.get(self.moves.key(next), -1) < room - 1:
                next = next._replace(ready=next.ready & self.among)
                following.append((left, len(next.open), -next.done.bit_count(), next, work))
        following.sort(key=lambda item: item[:3])
        for *_, next, work in following:
            key = self.moves.key(next)
            if self.failed.get(key, -1) >= room - 1:
                continue
            rest = self.search(next, room - 1)
            if rest is not None:
                return [work, *rest]
            self.failed[key] = room - 1
        return None


def _levels(repair: Repair, among: int) -> list[tuple[int, int]]:
    """Return the tails within a part of the graph, each with the nodes of at least this tail."""
    bounds, problem = repair.bounds, repair.moves.problem
    tail: dict[int, int] = {}
    for v in sorted(bits(among), key=repair.place.__getitem__, reverse=True):
        longest = max((tail[w] + 1 for w in problem.succ[v] if w in tail), default=0)
        for h in problem.own[v]:
            hold = problem.holds[h]
            if v == hold.occupy and hold.release in tail:
                longest = max(longest, tail[hold.release] + bounds.span[h] - 1)
        tail[v] = longest
    return [
        (level, sum(1 << v for v, other in tail.items() if other >= level))
        for level in sorted(set(tail.values()))
    ]
