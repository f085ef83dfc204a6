"""Iterative deepening from the lower bound; the first schedule found is optimal.

For each number of stages the search tries all moves, prunes states by their lower bound and
remembers failed states.
"""

from __future__ import annotations

import sys
import time

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.bounds import Bounds
from treec_dag_plan.arms.schedule.moves import Moves, ScheduleState, Work


@frozen
class SearchResult:
    """Stages, None if the search gave up or found nothing better; and the proved bound."""

    stages: tuple[Work, ...] | None
    bound: int


class SearchLimit(Exception):
    """The search exceeded its budget of states or its time limit."""


class ExactSearch:
    """The search on one problem."""

    def __init__(self, moves: Moves, bounds: Bounds, states: int, until: float) -> None:
        self.moves = moves
        self.bounds = bounds
        self.budget = states
        self.until = until
        self.failed: dict[object, int] = {}

    def run(self, most: int) -> SearchResult:
        """Search a schedule of fewer than `most` stages."""
        bound = self.bounds.least
        start = self.moves.start()
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(max(depth, 1000 + 20 * most))
        try:
            while bound < most:
                self.failed = {}
                found = self._search(start, 0, bound)
                if found is not None:
                    return SearchResult(tuple(found), bound)
                bound += 1
        except SearchLimit:
            return SearchResult(None, bound)
        finally:
            sys.setrecursionlimit(depth)
        return SearchResult(None, most)

    def _search(self, state: ScheduleState, stage: int, target: int) -> list[Work] | None:
        if state.done == self.moves.problem.everything:
            return []
        self.budget -= 1
        if self.budget < 0 or (self.budget % 256 == 0 and time.monotonic() > self.until):
            raise SearchLimit
        room = target - stage - 1
        following = []
        for work in self.moves.of(state):
            next = self.moves.do(state, work)
            left = self.bounds.left(next.done)
            if left <= room:
                key = self.moves.key(next)
                if self.failed.get(key, 1 << 30) > stage + 1:
                    following.append(
                        (left, len(next.open), -next.done.bit_count(), key, next, work)
                    )
        following.sort(key=lambda item: item[:3])
        for _, _, _, key, next, work in following:
            if self.failed.get(key, 1 << 30) <= stage + 1:
                continue
            found = self._search(next, stage + 1, target)
            if found is not None:
                found.insert(0, work)
                return found
            self.failed[key] = stage + 1
        return None
