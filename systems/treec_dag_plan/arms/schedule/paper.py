"""DAG-Plan's scheduling rule: greedy, stage by stage, for two arms (section 3.2).

An arm has priority candidates (nodes of the hold that it has begun, ready now) or, when it is free,
the common candidates (every other ready node). All combinations of a left and a right candidate are
checked; the first that passes is done or, with a layout, the one of the lowest cost J. When none
passes, one arm works alone.

The paper leaves points open. Each is a field of `PaperVariant`, whose defaults give the nine stage
counts of the paper's Table 2 for any order of the nodes; docs/schedules.md compares the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from treec.frozen import frozen
from treec_dag_plan.arms.plan import PlanStage, stage
from treec_dag_plan.arms.schedule.deadlock import DeadlockReport as DeadlockReport
from treec_dag_plan.arms.schedule.geometry import Geometry
from treec_dag_plan.arms.schedule.problem import ScheduleError, SchedulingProblem, bits

Check = Literal["pair-any", "pair-closure", "off"]


@frozen
class PaperVariant:
    """A choice for each point that the paper leaves open.

    `check`: which nodes check 1 looks at when an occupy node is a candidate: its direct successors
    inside its own pair (`pair-any`), everything of the pair up to its release (`pair-closure`), or
    nothing (`off`). `within`: only successors of the same pair count; else all direct successors.
    `every`: refuse only when every successor waits, rather than any. `partner`: what the other arm
    does in the same stage counts as done. `queue`: common candidates in the order in which they
    became ready; else in the order of writing. `waits`: an arm that holds something and has no
    priority candidate does nothing; else it is taken to be free, as the text has it, and may take
    what needs an empty hand. `alone`: check 1 holds for a node alone, too.
    """

    check: Check = "pair-any"
    within: bool = True
    every: bool = False
    partner: bool = False
    queue: bool = True
    waits: bool = True
    alone: bool = True


Choice = tuple[int | None, int | None]


class PaperRule:
    """Applies the rule to one problem."""

    def __init__(
        self,
        problem: SchedulingProblem,
        reading: PaperVariant | None = None,
        geometry: Geometry | None = None,
    ) -> None:
        if len(problem.arms) != 2:
            raise ScheduleError(
                problem.ids[0] if problem.ids else "", "the paper's rule is for two arms"
            )
        self.problem = problem
        self.reading = reading or PaperVariant()
        self.geometry = geometry
        self.done = 0
        self.holding: list[list[int]] = [[], []]  # arm → the open holds that it is part of
        self.common = [v for v in range(problem.size) if not problem.pred[v]]
        self.priority: list[list[int]] = [[], []]
        self.inside: list[int] = []  # ready nodes of holds
        self.hands = geometry.hands if geometry else ()
        self._answers: dict[tuple[int, int], bool] = {}

    def run(self) -> tuple[PlanStage, ...] | DeadlockReport:
        """Return all stages, or the deadlock."""
        arms = self.problem.arms
        stages: list[PlanStage] = []
        while self.done != self.problem.everything:
            choice = self.choose()
            if choice is None:
                held = tuple(
                    (arms[arm], self.problem.holds[h].thing)
                    for arm in (0, 1)
                    for h in self.holding[arm]
                )
                done = self.done.bit_count()
                return DeadlockReport(
                    tuple(stages), done, self.problem.size, held, tuple(self._reasons())
                )
            ids = self.problem.ids
            stages.append(
                stage(arms, {arms[a]: ids[v] for a, v in enumerate(choice) if v is not None})
            )
            self._do(choice)
        return tuple(stages)

    def choose(self) -> Choice | None:
        """Return the combination for the next stage: for both arms if possible, else for one."""
        left, right = (self._candidates(arm) for arm in (0, 1))
        pairs = ((u, v) for u in left for v in right if self._feasible(u, v))
        pair = self._pick(pairs)
        if pair is not None:
            return pair
        return self._pick(self._singles(left, right))

    def _pick(self, choices: Iterator[Choice]) -> Choice | None:
        """Return the first choice, or with a layout the cheapest."""
        if self.geometry is None:
            return next(choices, None)
        return min(choices, key=self._cost, default=None)

    def _singles(self, left: Sequence[int], right: Sequence[int]) -> Iterator[Choice]:
        for arm in sorted((0, 1), key=lambda arm: not self.priority[arm]):
            for v in (left, right)[arm]:
                if self.problem.used[v] == 1 and not (self.reading.alone and self._is_refused(v)):
                    yield (v, None) if arm == 0 else (None, v)

    def _candidates(self, arm: int) -> list[int]:
        """Return an arm's candidates: its hold's nodes, else common ones and the other's hold's."""
        if self.priority[arm]:
            return self.priority[arm]
        if self.holding[arm] and self.reading.waits:
            return []
        helps = [v for v in self.priority[1 - arm] if self.problem.need[v]]
        return [v for v in (*self.common, *helps) if self.problem.can[v] >> arm & 1]

    def _feasible(self, u: int, v: int) -> bool:
        used = self.problem.used
        if u == v:
            return used[u] == 2 and self._together(u) and not self._is_refused(u)
        if used[u] != 1 or used[v] != 1:
            return False
        both = ((u, 1 << v), (v, 1 << u)) if self.reading.partner else ((u, 0), (v, 0))
        if any(self._is_refused(*of) for of in both):
            return False
        return self.geometry is None or self.geometry.beside(u, v)

    def _together(self, v: int) -> bool:
        """Whether the free arms that a node for both arms needs are of one body."""
        return self.problem.need[v] < 2 or any(body == 0b11 for body in self.problem.bodies)

    def _is_refused(self, v: int, besides: int = 0) -> bool:
        """Check 1: whether the arm would have to wait after occupying now."""
        if self.problem.types[v] != "occupy" or self.reading.check == "off":
            return False
        key = (v, besides)
        if key not in self._answers:
            self._answers[key] = self._would_wait(v, besides)
        return self._answers[key]

    def _would_wait(self, v: int, besides: int) -> bool:
        problem, reading = self.problem, self.reading
        done = self.done | besides | 1 << v
        inside = 0
        for h in problem.own[v]:
            inside |= problem.holds[h].members
        if reading.check == "pair-closure":
            return any(problem.pred[w] & ~done & ~inside for w in bits(inside & ~(1 << v)))
        successors = [w for w in problem.succ[v] if not reading.within or inside >> w & 1]
        outside = ~inside if reading.within else -1
        waits = [bool(problem.pred[w] & ~done & outside) for w in successors]
        return all(waits) if reading.every and waits else any(waits)

    def _cost(self, choice: Choice) -> float:
        """Cost J (section 3.2): the targets' distance plus half of their distances to the hands."""
        assert self.geometry is not None
        distance, where = self.geometry.distance, self.geometry.where
        u, v = choice
        apart = distance(where[u], where[v]) if u is not None and v is not None else 0.0
        ways = [distance(where[w], self.hands[a]) for a, w in enumerate(choice) if w is not None]
        return apart + sum(ways) / 2

    def _do(self, choice: Choice) -> None:
        problem = self.problem
        nodes = list(dict.fromkeys(v for v in choice if v is not None))
        for v in nodes:
            self.done |= 1 << v
        for arm, node in enumerate(choice):
            if node is None:
                continue
            if self.geometry is not None:
                hands = list(self.hands)
                hands[arm] = self.geometry.where[node]
                self.hands = tuple(hands)
            if problem.types[node] == "occupy":
                self.holding[arm] += problem.own[node]
            elif problem.types[node] == "release":
                for held in self.holding:
                    held[:] = [h for h in held if problem.holds[h].release != node]
        following = {w for v in nodes for w in problem.succ[v]}
        fresh = sorted(w for w in following if not problem.pred[w] & ~self.done)
        self.inside += [w for w in fresh if self._of_a_hold(w)]
        self.inside = sorted(v for v in self.inside if not self.done >> v & 1)
        self.common = [v for v in self.common if not self.done >> v & 1]
        self.common += [w for w in fresh if not self._of_a_hold(w)]
        if not self.reading.queue:
            self.common.sort()
        for arm in (0, 1):
            held = self.holding[arm]
            self.priority[arm] = [v for v in self.inside if any(h in held for h in problem.own[v])]
        self._answers.clear()

    def _of_a_hold(self, v: int) -> bool:
        return self.problem.types[v] in ("tool use", "release")

    def _reasons(self) -> Sequence[tuple[str, str]]:
        problem = self.problem
        found = [
            (problem.ids[v], f"waits for {', '.join(problem.ids[u] for u in bits(missing))}")
            for held in self.holding
            for h in held
            for v in bits(problem.holds[h].members & ~self.done)
            if (missing := problem.pred[v] & ~self.done & ~problem.holds[h].members)
        ]
        ready = [*self.common, *(v for held in self.priority for v in held)]
        for v in dict.fromkeys(ready):
            free = sum(not held for held in self.holding)
            able = [arm for a, arm in enumerate(problem.arms) if problem.can[v] >> a & 1]
            if problem.need[v] > free:
                why = f"needs {_arms(problem.need[v])}, and {free or 'none'} is free"
            elif len(able) < problem.need[v] or not self._together(v):
                why = f"needs {_arms(problem.need[v])} of one body, and {', '.join(able)} can do it"
            elif self._is_refused(v):
                why = f"check 1 refuses it: {self._waiting_for(v)}"
            elif len(able) < len(problem.arms):
                why = f"can be done by {able[0]} only"
            else:
                why = "no free arm may take it"
            found.append((problem.ids[v], why))
        return found

    def _waiting_for(self, v: int) -> str:
        problem = self.problem
        inside = 0
        for h in problem.own[v]:
            inside |= problem.holds[h].members
        successors = (
            bits(inside & ~(1 << v))
            if self.reading.check == "pair-closure"
            else [w for w in problem.succ[v] if not self.reading.within or inside >> w & 1]
        )
        outside = ~inside if self.reading.within or self.reading.check == "pair-closure" else -1
        for w in successors:
            missing = problem.pred[w] & ~(self.done | 1 << v) & outside
            if missing:
                return f"{problem.ids[w]} waits for {problem.ids[bits(missing)[0]]}"
        return "it would wait"


def _arms(number: int) -> str:
    return "one arm" if number == 1 else f"{number} arms"
