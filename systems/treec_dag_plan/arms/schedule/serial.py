"""Deadlock avoidance: decide whether all open holds of a state can be closed again.

A deadlock is a state in which every arm holds an object whose next node waits for an arm. From a
state without open holds everything can be done if it could be done initially: the same order,
without the finished nodes. So a state is safe if some sequence of nodes closes all open holds. Only
the predecessors of their releases matter, and those of holds opened on the way. Nodes that keep no
arm are done at once, which never hurts; the search branches over the next occupy node.

Two shortcuts make holds around many others cheap. A state that differs from a safe one by new holds
is safe if these can be closed while the others stay open. A hold that can be closed from the state
right after its predecessors can be closed from any state with more done in which it is alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treec_dag_plan.arms.schedule.problem import SchedulingProblem, bits

Holding = tuple[int, ...]
"""The holds that are open, ascending."""


class SerialState(NamedTuple):
    """Finished and ready nodes (bits), the open holds, and each hold's arms (bits)."""

    done: int
    ready: int
    holding: Holding
    on: tuple[int, ...] = ()


class Serial:
    """Searches sequences of nodes of one problem; `most` limits the occupy nodes tried in vain."""

    def __init__(self, problem: SchedulingProblem, most: int = 20_000) -> None:
        self.problem = problem
        self.all_arms = (1 << len(problem.arms)) - 1
        self.alike = problem.alike
        self.most = most
        self.left = most
        self.takes = sum(1 << v for v, type in enumerate(problem.types) if type == "occupy")
        self.safe: dict[tuple[int, Holding, Holding], bool] = {}
        self._alone: dict[int, bool] = {}
        self._has_rivals = any(problem.rivals)

    def at(self, done: int, holding: Holding, on: tuple[int, ...] = ()) -> SerialState:
        """Return the state with these nodes finished and these holds open.

        Which arm holds what matters only if arms are not identical.
        """
        pred = self.problem.pred
        left = self.problem.everything & ~done
        free = self.all_arms
        taken = list(on)
        for h in holding[len(on) :]:
            own = 0
            for _ in range(self.problem.holds[h].arms):
                own |= free & -free
                free &= free - 1
            taken.append(own)
        ready = sum(1 << v for v in bits(left) if not pred[v] & ~done)
        return SerialState(done, ready, holding, tuple(taken))

    def is_safe(self, at: SerialState, new: Holding = ()) -> bool:
        """Whether all open holds can be closed; False also if the search gave up.

        `new` are those that a stage has opened in a safe state.
        """
        if not at.holding:
            return True
        key = (at.done, at.holding, () if self.alike else at.on)
        if key not in self.safe:
            self.safe[key] = self._new_close(at, new) or self._within(at, self.most) is not None
        return self.safe[key]

    def _new_close(self, at: SerialState, new: Holding) -> bool:
        """Whether new holds can be closed one after the other while the others stay open."""
        for h in sorted(new, key=lambda h: self._needed(at.done, (h,)).bit_count()):
            if at.holding == (h,) and self._closes_alone(h):
                return True
            found = self._within(at, self.most, (h,))
            if found is None:
                return False
            at = found[0]
        return bool(new)

    def _closes_alone(self, h: int) -> bool:
        """Whether a hold can be closed right after its predecessors, with nothing else held."""
        if h not in self._alone:
            occupy = self.problem.holds[h].occupy
            done = self.problem.before[occupy] | 1 << occupy
            alone = self.alike and self.problem.open_holds(done) == [h]
            at = self.at(done, (h,)) if alone else None
            self._alone[h] = at is not None and self._within(at, self.most) is not None
        return self._alone[h]

    def order(self) -> list[int] | None:
        """Return all nodes in a feasible sequence, or None."""
        path, at = self._all()
        return None if at.done != self.problem.everything else path

    def stuck(self) -> tuple[list[int], list[int]]:
        """Return the longest feasible sequence found, and the nodes that are ready after it."""
        path, at = self._all()
        return path, bits(at.ready)

    def concurrent_holds(self, done: int, holding: Holding) -> list[int]:
        """Return the holds that must be opened before these can be closed."""
        needed = self._needed(done, holding)
        return [
            h
            for h, hold in enumerate(self.problem.holds)
            if h not in holding and needed >> hold.occupy & 1
        ]

    def _all(self) -> tuple[list[int], SerialState]:
        """Return the longest feasible sequence and its state."""
        problem = self.problem
        found: list[int] = []
        at = self.at(0, ())
        while True:
            at, path = self._run(at, problem.everything)
            found += path
            burst = None if at.done == problem.everything else self._burst(at)
            if burst is None:
                return found, at
            at, path = burst
            found += path

    def _burst(self, at: SerialState) -> tuple[SerialState, list[int]] | None:
        """Open a hold and do all that closes it again, cheap holds first."""
        takes = self._easiest(at, at.ready)
        for most in (10, 300, self.most):
            for v in takes:
                if self._needed(at.done, self.problem.own[v]).bit_count() > 4 * most:
                    continue
                for arms in self._choices(at, v):
                    rest = self._within(self._do(at, v, arms), most)
                    if rest is not None:
                        return rest[0], [v, *rest[1]]
        return None

    def _choices(self, at: SerialState, v: int) -> Iterator[int]:
        """Yield the arms that could do a node, beyond those of its hold."""
        return self.problem.extra_arms(v, self._free(at), self.alike)

    def _free(self, at: SerialState) -> int:
        free = self.all_arms
        for arms in at.on:
            free &= ~arms
        return free

    def _fits(self, v: int, free: int) -> bool:
        if self.alike:
            return self.problem.need[v] <= free.bit_count()
        return next(self.problem.extra_arms(v, free, True), None) is not None

    def _within(
        self, at: SerialState, most: int, target: Holding | None = None
    ) -> tuple[SerialState, list[int]] | None:
        self.left = most
        kept = () if target is None else tuple(h for h in at.holding if h not in target)
        return self._close(at, frozenset(kept))

    def _easiest(self, at: SerialState, among: int) -> list[int]:
        """Return the possible next occupy nodes, those whose holds need the fewest nodes first."""
        problem = self.problem
        things = {problem.holds[h].thing for h in at.holding} if self._has_rivals else set()
        free = self._free(at)
        found = []
        for v in bits(among & at.ready & self.takes):
            if not self._fits(v, free):
                continue
            if things and any(problem.holds[h].thing in things for h in problem.own[v]):
                continue
            found.append((self._needed(at.done, problem.own[v]).bit_count(), v))
        return [v for _, v in sorted(found)]

    def _needed(self, done: int, holding: Holding) -> int:
        needed = 0
        for h in holding:
            needed |= self.problem.closing[h]
        return needed & ~done

    def _do(self, at: SerialState, v: int, arms: int = 0) -> SerialState:
        problem = self.problem
        done, ready = at.done | 1 << v, at.ready & ~(1 << v)
        held = list(zip(at.holding, at.on, strict=True))
        for w in problem.succ[v]:
            if not problem.pred[w] & ~done:
                ready |= 1 << w
        if problem.types[v] == "occupy":
            held = sorted((*held, *((h, arms) for h in problem.own[v])))
        elif problem.types[v] == "release":
            held = [item for item in held if problem.holds[item[0]].release != v]
        return SerialState(done, ready, tuple(h for h, _ in held), tuple(arms for _, arms in held))

    def _run(self, at: SerialState, among: int) -> tuple[SerialState, list[int]]:
        """Do all possible nodes of `among` that keep no arm."""
        problem = self.problem
        among &= ~self.takes
        path: list[int] = []
        while True:
            before, free = len(path), self._free(at)
            for v in bits(at.ready & among):
                if problem.types[v] != "operate" and any(
                    h not in at.holding for h in problem.own[v]
                ):
                    continue
                if not self._fits(v, free):
                    continue
                at = self._do(at, v)
                free = self._free(at)
                path.append(v)
            if len(path) == before:
                return at, path

    def _close(self, at: SerialState, kept: frozenset[int]) -> tuple[SerialState, list[int]] | None:
        """Close all open holds but those `kept`: the state afterwards, and the nodes on the way."""
        visited: set[tuple[int, Holding, Holding]] = set()
        path: list[int] = []
        frames: list[tuple[Iterator[tuple[int, SerialState]], int]] = []
        while True:
            closing = tuple(h for h in at.holding if h not in kept)
            at, steps = self._run(at, self._needed(at.done, closing))
            path += steps
            closing = tuple(h for h in at.holding if h not in kept)
            if not closing:
                return at, path
            key = (at.done, at.holding, () if self.alike else at.on)
            if key not in visited:
                visited.add(key)
                frames.append((self._openings(at, closing), len(path)))
            while frames:
                openings, length = frames[-1]
                step = next(openings, None)
                if step is not None:
                    del path[length:]
                    path.append(step[0])
                    at = step[1]
                    break
                frames.pop()
                self.left -= 1
                if self.left <= 0:
                    return None
            else:
                return None

    def _openings(self, at: SerialState, closing: Holding) -> Iterator[tuple[int, SerialState]]:
        """Yield the occupy nodes that could be next to close holds, with the states after them."""
        for v in self._easiest(at, self._needed(at.done, closing)):
            for arms in self._choices(at, v):
                yield v, self._do(at, v, arms)
