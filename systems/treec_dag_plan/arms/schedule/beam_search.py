"""Beam search over stages for large graphs, without deadlocks.

States are ranked by their lower bound and by what their open holds still wait for outside
themselves, because an arm that waits is lost. A state with a new hold is kept only if its holds can
be closed again (`serial`), so the search always finds a schedule.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from treec.frozen import frozen
from treec_dag_plan.arms.schedule.bounds import Bounds, RemainingWork
from treec_dag_plan.arms.schedule.moves import Moves, ScheduleState, Work
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits
from treec_dag_plan.arms.schedule.serial import Serial, SerialState


@frozen
class Effort:
    """Settings of the beam search: beam width, number of ready nodes tried, cost of waiting.

    `share`: fraction of the tried nodes that are holds that would wait. `waiting`: cost of a node
    that an open hold waits for and that could have been done before; `nested`: of one that could
    not. With `meanwhile`, what free arms can do while the hold's own nodes are done costs nothing.
    """

    width: int = 8
    looked: int = 16
    share: float = 0.34
    waiting: float = 1.5
    nested: float = 1.0
    meanwhile: bool = False


class _BeamState(NamedTuple):
    state: ScheduleState
    before: _BeamState | None
    work: Work
    left: list[int]


class BeamSearch:
    """A beam search on one problem."""

    def __init__(
        self, moves: Moves, bounds: Bounds, serial: Serial, effort: Effort | None = None
    ) -> None:
        self.moves = moves
        self.problem: SchedulingProblem = moves.problem
        self.bounds = bounds
        self.serial = serial
        self.effort = effort or Effort()
        self.arms = len(self.problem.arms)
        self.pressing = RemainingWork(bounds)
        problem = moves.problem
        outside = [problem.before[hold.release] & ~hold.members for hold in problem.holds]
        after = [problem.after[hold.occupy] for hold in problem.holds]
        self.avoidable = [mask & ~own for mask, own in zip(outside, after, strict=True)]
        self.inherent = [mask & own for mask, own in zip(outside, after, strict=True)]
        self.later = [hold.members & ~(1 << hold.occupy) for hold in problem.holds]
        self._free: dict[tuple[int, ...], tuple[int, ...]] = {}

    def run(
        self, until: float, progress: Callable[[int, int], None] | None = None
    ) -> tuple[Work, ...] | None:
        """Return a schedule; None for a deadlock or at the time limit."""
        everything = self.problem.everything
        beam = [_BeamState(self.moves.start(), None, (), self.pressing.start)]
        stage = 0
        while True:
            for kept in beam:
                if kept.state.done == everything:
                    return _path(kept)
            if not beam or time.monotonic() > until:
                return None
            stage += 1
            beam = self._step(beam)
            if progress is not None and beam:
                progress(stage, beam[0].state.done.bit_count())

    def _step(self, beam: list[_BeamState]) -> list[_BeamState]:
        found: dict[object, tuple[float, int, _BeamState, Work]] = {}
        alike = self.moves.alike
        for kept in beam:
            highest = self.pressing.highest(kept.left)
            for work in self.moves.of(kept.state, self._look(kept.state)):
                done, open_ = self.moves.holding(kept.state, work)
                key = done if alike else (done, open_)
                if key not in found:
                    asked = self.pressing.after(highest, [v for v, _ in work])
                    score = asked + self._waits(done, open_)
                    found[key] = (score, len(found), kept, work)
        chosen: list[_BeamState] = []
        for _, _, kept, work in sorted(found.values(), key=lambda item: item[:2]):
            next = self.moves.do(kept.state, work)
            if self._safe(next, work):
                chosen.append(self._keep(next, kept, work))
                if len(chosen) == self.effort.width:
                    break
        return chosen or self._any(beam)

    def _keep(self, next: ScheduleState, kept: _BeamState, work: Work) -> _BeamState:
        nodes = [v for v, _ in work]
        return _BeamState(next, kept, work, self.pressing.less(kept.left, nodes))

    def _safe(self, state: ScheduleState, work: Work) -> bool:
        takes = self.moves.takes
        new = tuple(h for v, _ in work if takes >> v & 1 for h in self.problem.own[v])
        if not new:
            return True
        holding = tuple(h for h, _ in state.open)
        on = tuple(arms for _, arms in state.open)
        return self.serial.is_safe(SerialState(state.done, state.ready, holding, on), new)

    def _any(self, beam: list[_BeamState]) -> list[_BeamState]:
        """Fallback if no tried stage is safe: try all ready nodes, one at a time."""
        for kept in beam:
            for v in bits(kept.state.ready):
                for work in self.moves.of(kept.state, [v]):
                    next = self.moves.do(kept.state, work)
                    if self._safe(next, work):
                        return [self._keep(next, kept, work)]
        return []

    def _look(self, state: ScheduleState) -> list[int]:
        """Return the most urgent ready nodes that need free arms."""
        free = self.arms - sum(self.problem.holds[h].arms for h, _ in state.open)
        if not free:
            return []
        ready = [v for v in bits(state.ready & self.moves.loose) if self.problem.need[v] <= free]
        most = self.effort.looked
        if len(ready) <= most:
            return ready
        tail, need = self.bounds.tail, self.problem.need
        groups: tuple[list[tuple[int, int, int]], ...] = ([], [], [])
        for v in ready:
            outside = self._outside(state.done | 1 << v, v)
            groups[1 if outside else 2 if need[v] > 1 else 0].append((outside, -tail[v], v))
        plain, waiting, wide = (sorted(group) for group in groups)
        part = round(most * self.effort.share)
        chosen = [*wide[: most // 6], *waiting[:part]]
        chosen += plain[: most - len(chosen)]
        chosen += waiting[part : part + most - len(chosen)]
        return [v for _, _, v in chosen]

    def _outside(self, done: int, v: int) -> int:
        """Count the unfinished nodes outside a hold that it would wait for."""
        problem = self.problem
        if problem.types[v] != "occupy":
            return 0
        return sum(
            self._missing(h, done, self.arms - problem.holds[h].arms)
            + (self.inherent[h] & ~done).bit_count()
            for h in problem.own[v]
        )

    def _missing(self, h: int, done: int, free: int) -> int:
        """Count the avoidable nodes outside a hold that it would wait for, given free arms."""
        missing = (self.avoidable[h] & ~done).bit_count()
        if missing and self.effort.meanwhile:
            own = (self.later[h] & ~done).bit_count()
            return max(0, missing - free * (own - 1))
        return missing

    def _waits(self, done: int, open_: tuple[tuple[int, int], ...]) -> float:
        """Return the cost of what the open holds wait for outside themselves."""
        waits = 0.0
        for (h, _), free in zip(open_, self._free_beside(open_), strict=True):
            avoidable = self._missing(h, done, free)
            inherent = (self.inherent[h] & ~done).bit_count()
            if avoidable or inherent:
                cost = self.effort.waiting * avoidable + self.effort.nested * inherent
                waits += self.problem.holds[h].arms * cost
        return waits / self.arms

    def _free_beside(self, open_: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        """Open hold → the arms that can work for it: not its own, nor those of unrelated holds."""
        key = tuple(h for h, _ in open_)
        if key not in self._free:
            holds = self.problem.holds
            self._free[key] = tuple(
                self.arms
                - sum(holds[g].arms for g in key if not self.avoidable[h] >> holds[g].release & 1)
                for h in key
            )
        return self._free[key]


def _path(kept: _BeamState) -> tuple[Work, ...]:
    found: list[Work] = []
    at: _BeamState | None = kept
    while at is not None and at.before is not None:
        found.append(at.work)
        at = at.before
    return tuple(reversed(found))
