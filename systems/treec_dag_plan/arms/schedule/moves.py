"""Enumerate the possible next stages, without dominated ones.

A state consists of finished nodes, open holds with their arms, and ready nodes. Stages to which a
node that keeps no arm could be added are omitted: delaying it never helps. Identical nodes and
holds are done in one order only. Without a layout arms are identical, and the first free one is
used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits

Work = tuple[tuple[int, int], ...]
"""The nodes of a stage, each with its arms as bits."""


class ScheduleState(NamedTuple):
    """Finished and ready nodes (bits), and the open holds with their arms (bits)."""

    done: int
    ready: int
    open: tuple[tuple[int, int], ...]


class Moves:
    """The moves of a problem."""

    def __init__(self, problem: SchedulingProblem, geometry: Geometry | None = None) -> None:
        self.problem = problem
        self.geometry = geometry
        self.all_arms = (1 << len(problem.arms)) - 1
        self.alike = geometry is None and problem.alike
        self.twin = _twins(problem) if self.alike else [-1] * problem.size
        self.takes = sum(1 << v for v, type in enumerate(problem.types) if type == "occupy")
        self.loose = self.takes | sum(
            1 << v for v, type in enumerate(problem.types) if type == "operate"
        )
        self.inside = ~self.loose
        self.plain = [len(own) <= 1 for own in problem.own]
        for v, type in enumerate(problem.types):
            self.plain[v] &= type in ("occupy", "operate") or not problem.need[v]

    def start(self) -> ScheduleState:
        """Return the initial state."""
        problem = self.problem
        ready = sum(1 << v for v, mask in enumerate(problem.pred) if not mask)
        return ScheduleState(0, ready, ())

    def key(self, state: ScheduleState) -> object:
        """Return a key that is equal for states with the same future."""
        return state.done if self.alike else (state.done, state.open)

    def holding(self, state: ScheduleState, work: Work) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the finished nodes and open holds after a stage, which identify a state."""
        problem = self.problem
        done = state.done
        opened: list[tuple[int, int]] | None = None
        for v, arms in work:
            done |= 1 << v
            type = problem.types[v]
            if type == "occupy":
                opened = [*(state.open if opened is None else opened)]
                opened += [(h, arms) for h in problem.own[v]]
            elif type == "release":
                before = state.open if opened is None else opened
                opened = [item for item in before if problem.holds[item[0]].release != v]
        return done, state.open if opened is None else tuple(sorted(opened))

    def do(self, state: ScheduleState, work: Work) -> ScheduleState:
        """Return the state after a stage."""
        problem = self.problem
        done, open_ = self.holding(state, work)
        ready = state.ready & ~done
        for v, _ in work:
            for w in problem.succ[v]:
                if not problem.pred[w] & ~done:
                    ready |= 1 << w
        return ScheduleState(done, ready, open_)

    def arms_for(self, state: ScheduleState, v: int) -> int:
        """Return the first arms that can do a node alone. Raises StopIteration if none can."""
        held = dict(state.open)
        free = self.all_arms
        for arms in held.values():
            free &= ~arms
        return next(iter(self._arms(v, (), free, 0, held)))

    def of(self, state: ScheduleState, looked: Sequence[int] | None = None) -> Iterator[Work]:
        """Yield the next stages; of the nodes that need free arms only those in `looked`."""
        problem = self.problem
        held = dict(state.open)
        free = self.all_arms
        for arms in held.values():
            free &= ~arms
        inside = [
            v for v in bits(state.ready & self.inside) if all(h in held for h in problem.own[v])
        ]
        if looked is None:
            looked = bits(state.ready & self.loose)
        things = {problem.holds[h].thing for h in held} if any(problem.rivals) else None
        room = free.bit_count()
        loose = [v for v in looked if problem.need[v] <= room and not self._rival(v, things)]
        if self.alike and all(self.plain[v] for v in inside):
            return self._alike(state, inside, loose, free, held)
        return self._extend(state, [*inside, *loose], 0, (), free, 0, held)

    def _alike(
        self,
        state: ScheduleState,
        inside: Sequence[int],
        loose: Sequence[int],
        free: int,
        held: dict[int, int],
    ) -> Iterator[Work]:
        """Fast path for identical arms and nodes of at most one hold.

        A hold continues whenever it can, and free arms are distributed among the other nodes.
        """
        own = self.problem.own
        by_hold: dict[int, list[tuple[int, int]]] = {}
        for v in inside:
            if self.twin[v] < 0 or state.done >> self.twin[v] & 1:
                h = own[v][0]
                by_hold.setdefault(h, []).append((v, held[h]))
        rests = list(self._shares(state, loose, free))
        for base in product(*by_hold.values()):
            for rest in rests:
                if base or rest:
                    yield (*base, *rest)

    def _shares(self, state: ScheduleState, loose: Sequence[int], free: int) -> Iterator[Work]:
        """Yield the assignments of free arms; no arm idles that could do a node that keeps none."""
        need, takes = self.problem.need, self.takes
        room = free.bit_count()
        rivals = any(self.problem.rivals)
        least = min((need[v] for v in loose if not takes >> v & 1), default=room + 1)

        def extend(start: int, chosen: int, work: Work, free: int, room: int) -> Iterator[Work]:
            if room < least or all(
                takes >> v & 1 or chosen >> v & 1 or need[v] > room for v in loose
            ):
                yield work
            if not room:
                return
            for place in range(start, len(loose)):
                v = loose[place]
                if need[v] > room:
                    continue
                before = self.twin[v]
                if before >= 0 and not (state.done | chosen) >> before & 1:
                    continue
                if rivals and self._same_thing(v, work):
                    continue
                left, arms = free, 0
                for _ in range(need[v]):
                    low = left & -left
                    arms |= low
                    left ^= low
                yield from extend(
                    place + 1, chosen | 1 << v, (*work, (v, arms)), left, room - need[v]
                )

        return extend(0, 0, (), free, room)

    def _rival(self, v: int, things: set[str] | None) -> bool:
        if not things or self.problem.types[v] != "occupy":
            return False
        return any(self.problem.holds[h].thing in things for h in self.problem.own[v])

    def _extend(
        self,
        state: ScheduleState,
        items: Sequence[int],
        start: int,
        work: Work,
        free: int,
        busy: int,
        held: dict[int, int],
    ) -> Iterator[Work]:
        chosen = 0
        for v, _ in work:
            chosen |= 1 << v
        if work and not self._could_add(items, chosen, work, free, busy, held):
            yield work
        for place in range(start, len(items)):
            v = items[place]
            before = self.twin[v]
            if before >= 0 and not (state.done | chosen) >> before & 1:
                continue
            for arms in self._arms(v, work, free, busy, held):
                own = self._busy(v)
                left = free & ~arms
                yield from self._extend(
                    state, items, place + 1, (*work, (v, arms)), left, busy | own, held
                )

    def _busy(self, v: int) -> int:
        mask = 0
        if self.problem.types[v] != "operate":
            for h in self.problem.own[v]:
                mask |= 1 << h
        return mask

    def _arms(
        self, v: int, work: Work, free: int, busy: int, held: dict[int, int]
    ) -> Iterable[int]:
        """Yield the arms that can do a node beside the chosen ones; one choice if identical."""
        problem = self.problem
        base = 0
        if problem.types[v] in ("tool use", "release"):
            if self._busy(v) & busy:
                return
            for h in problem.own[v]:
                base |= held[h]
        elif problem.types[v] == "occupy" and self._same_thing(v, work):
            return
        for extra in problem.extra_arms(v, free, self.alike):
            arms = base | extra
            if self.geometry is None or all(self._beside(v, arms, u, o) for u, o in work):
                yield arms

    def _same_thing(self, v: int, work: Work) -> bool:
        problem = self.problem
        rivals = {g for h in problem.own[v] for g in problem.rivals[h]}
        return bool(rivals) and any(
            problem.types[u] == "occupy" and rivals.intersection(problem.own[u]) for u, _ in work
        )

    def _beside(self, v: int, arms: int, u: int, others: int) -> bool:
        assert self.geometry is not None
        right, left = self.geometry.right_of[v] >> u & 1, self.geometry.left_of[v] >> u & 1
        if right and left:
            return True
        for a in bits(arms):
            for b in bits(others):
                if not (right if a < b else left):
                    return False
        return True

    def _could_add(
        self,
        items: Sequence[int],
        chosen: int,
        work: Work,
        free: int,
        busy: int,
        held: dict[int, int],
    ) -> bool:
        """Whether a node that keeps no arm fits beside the chosen ones."""
        for v in items:
            if chosen >> v & 1 or self.takes >> v & 1:
                continue
            for _ in self._arms(v, work, free, busy, held):
                return True
        return False


def _twins(problem: SchedulingProblem) -> list[int]:
    """Node → an identical node that is done first to break the symmetry, or -1."""
    twin = [-1] * problem.size
    last: dict[object, int] = {}
    for v in range(problem.size):
        if problem.types[v] in ("operate", "tool use"):
            alike = (
                problem.types[v],
                problem.need[v],
                problem.own[v],
                problem.pred[v],
                problem.succ[v],
            )
            twin[v] = last.get(alike, -1)
            last[alike] = v
    place = {v: number for number, v in enumerate(problem.order)}
    forms: dict[object, int] = {}
    for h, hold in enumerate(problem.holds):
        if problem.rivals[h] or any(len(problem.own[v]) > 1 for v in bits(hold.members)):
            continue
        members = sorted(bits(hold.members), key=place.__getitem__)
        number = {v: n for n, v in enumerate(members)}
        form = tuple(
            (
                problem.types[v],
                problem.need[v],
                problem.pred[v] & ~hold.members,
                tuple(sorted(number[u] for u in bits(problem.pred[v] & hold.members))),
                tuple(w for w in problem.succ[v] if w not in number),
            )
            for v in members
        )
        if form in forms:
            twin[hold.occupy] = problem.holds[forms[form]].occupy
        forms[form] = h
    return twin
