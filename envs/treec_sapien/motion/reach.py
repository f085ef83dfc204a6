"""Choosing how to reach: among grasps, arm configurations and base poses, those with margin.

A :class:`Reach` is one way to do something with a hand: a row of tool poses followed in small
straight steps. All reaches, base poses and seeds are solved in one batch at each reach's tightest
pose; the best are then followed along the whole row, in both directions, before anything moves.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from treec_sapien.motion import ik
from treec_sapien.motion.chain import Chain
from treec_sapien.motion.frames import Array, Index, between
from treec_sapien.motion.space import Space

_MAX_FOLLOWED = 40  # solutions followed along their whole row
_LONG, _MAX_SKIMMED, _SKIM = 24, 400, 4  # solutions of a long row; at every fourth pose
_MAX_PROBLEMS = 1600  # problems in one batch, at most
_LEAST_MARGIN = 0.03
_CATCH_UP = 0.8  # rad that a joint may turn between two poses: a stretched wrist turns far
_RIDE = 0.6  # weight of the base's joints relative to the arm's


@dataclass(frozen=True)
class ReachRow:
    """A row of tool poses (n, 4, 4) and where in it the segments begin and end.

    ``marks`` are the indices of the key poses (the first is 0, the last n-1); ``pivot`` is the key
    pose that is hardest to reach. ``show(space, i)`` puts the planning world into its state when
    the hand is at pose i (a door half open). A higher ``cost`` makes it less preferred.
    """

    way: Array
    marks: tuple[int, ...]
    pivot: int = 1
    name: str = ""
    cost: float = 0.0
    show: Callable[[Space, int], None] | None = None


@dataclass(frozen=True)
class ReachSolution:
    """A reach that works: the base pose (3,) or None, and the joints (n, chain) along its row."""

    reach: ReachRow
    q: Array
    base: Array | None
    margin: float
    score: float = 0.0
    rides: bool = False
    """Whether the base moves along with the hand."""

    def part(self, index: int) -> Array:
        """Return the joints from key pose ``index`` to the next, inclusive."""
        first, last = self.reach.marks[index], self.reach.marks[index + 1]
        return self.q[first : last + 1]


def through(
    keys: Sequence[Array],
    counts: Sequence[int],
    *,
    pivot: int = 1,
    name: str = "",
    cost: float = 0.0,
) -> ReachRow:
    """Return straight lines through key poses, each divided into ``counts`` steps."""
    way, marks = [keys[0]], [0]
    for (start, end), count in zip(itertools.pairwise(keys), counts, strict=True):
        way += list(between(start, end, np.arange(1, count + 1) / count))
        marks.append(len(way) - 1)
    return ReachRow(np.stack(way), tuple(marks), pivot, name, cost)


@dataclass(frozen=True)
class ReachProblem:
    """What to choose for: the chain, the arm's joints, their present and resting positions."""

    chain: Chain
    arm: Index  # indices of the arm's joints in the chain
    now: Array  # the chain's joints, including the base
    rest: Array  # the arm's joints at rest
    bases: Array = field(default_factory=lambda: np.zeros((0, 3)))
    base: Index = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    rides: bool = False
    gentle: bool = False
    """Whether something is carried upright: prefer configurations near the present one."""

    @property
    def free(self) -> Index:
        """The joints that may move while a row is followed; with ``rides`` also the base's."""
        return np.concatenate([self.base, self.arm]) if self.rides else self.arm

    @property
    def weights(self) -> Array:
        """The weights of those joints."""
        return np.array([_RIDE if i in self.base else 1.0 for i in self.free])


def candidates(
    problem: ReachProblem, reaches: Sequence[ReachRow], rng: np.random.Generator, *, seeds: int = 14
) -> list[ReachSolution]:
    """Return all kinematically feasible reaches, best first; collisions are not tested.

    With ``problem.bases`` every base pose is tried (with fewer seeds each), else the present one.
    """
    chain, arm = problem.chain, problem.arm
    bases = problem.bases if len(problem.bases) else None
    each = 4 if bases is not None else seeds
    places = bases if bases is not None else problem.now[problem.base][None]
    rows: list[tuple[int, int]] = [(r, b) for r in range(len(reaches)) for b in range(len(places))]
    if len(rows) * each > _MAX_PROBLEMS:
        rows = [rows[i] for i in np.sort(rng.permutation(len(rows))[: _MAX_PROBLEMS // each])]
    q = np.repeat(problem.now[None], len(rows) * each, axis=0)
    q[:, arm] = _seeds(problem, each, len(rows), rng)
    which = np.repeat(np.arange(len(rows)), each)
    if len(problem.base):
        q[:, problem.base] = places[[b for _, b in rows]][which]
    goals = np.stack([reaches[r].way[reaches[r].marks[reaches[r].pivot]] for r, _ in rows])[which]
    q, converged = ik.solve(chain, goals, q, free=arm, iterations=40)
    q, which = q[converged], which[converged]
    if not len(q):
        return []
    margins = ik.margin(chain, q, arm)
    likes = rating(problem, q, margins) - np.array([reaches[rows[w][0]].cost for w in which])
    order = [i for i in np.argsort(-likes, kind="stable") if margins[i] > _LEAST_MARGIN]
    long = max(len(reach.way) for reach in reaches) > _LONG
    order = interleave(
        order, [rows[w][0] for w in which], max(3, 3 * _MAX_FOLLOWED // len(reaches))
    )
    distinct = _different(q, order, _MAX_SKIMMED if long else _MAX_FOLLOWED)
    out: list[ReachSolution] = []
    for alike in _batches(reaches):
        index = np.array([i for i in distinct if rows[which[i]][0] in alike], dtype=np.intp)
        own = [reaches[rows[which[i]][0]] for i in index]
        if long and len(index):
            best = _prefilter(problem, own, q[index])
            index, own = index[best], [own[i] for i in best]
        if len(index):
            out += follow(problem, own, q[index], bases is not None)
    return sorted(out, key=lambda solution: -solution.score)


def solve_from_base(problem: ReachProblem, solution: ReachSolution) -> ReachSolution | None:
    """Return the same solution from where the base really stands now."""
    pivot = solution.reach.marks[solution.reach.pivot]
    start = problem.now.copy()
    start[problem.arm] = solution.q[pivot][problem.arm]
    q, converged = ik.solve(
        problem.chain, solution.reach.way[pivot][None], start[None], free=problem.arm, iterations=20
    )
    again = follow(problem, [solution.reach], q, moved=False) if converged[0] else []
    return again[0] if again else None


def follow_from_start(
    problem: ReachProblem, solution: ReachSolution, start: Array
) -> ReachSolution | None:
    """Return the same solution, its row followed from a configuration (chain) at its start."""
    rest = solution.reach.way[1:]
    rows, fine = ik.track(problem.chain, rest[None], start[None], free=problem.arm)
    if not fine[0]:
        return None
    q = np.concatenate([start[None], rows[0]])
    least = float(np.min(ik.margin(problem.chain, q, problem.arm)))
    return replace(solution, q=q, margin=least) if least > 0 else None


def go_on_from(
    problem: ReachProblem, solution: ReachSolution, key: int, start: Array
) -> ReachSolution:
    """Return the same solution with its row from key pose ``key`` on followed from ``start``.

    ``start`` (chain) is a configuration near there. What cannot be followed is left as it is.
    """
    at = solution.reach.marks[key]
    rest = solution.reach.way[at + 1 :]
    rows, fine = ik.track(
        problem.chain, rest[None], start[None], free=problem.arm, iterations=12, jump=_CATCH_UP
    )
    if not fine[0]:
        return solution
    return replace(solution, q=np.concatenate([solution.q[:at], start[None], rows[0]]))


def collision_free_reaches(
    space: Space, solutions: Sequence[ReachSolution], whole: Callable[[Array], Array]
) -> Iterator[ReachSolution]:
    """Return those that are collision-free along their row; ``whole`` completes a chain's qpos."""
    for one in solutions:
        if is_collision_free(space, one, whole):
            yield one


def is_collision_free(space: Space, one: ReachSolution, whole: Callable[[Array], Array]) -> bool:
    """Whether the whole row is collision-free, the ends and the pivot tested first."""
    marks = list(one.reach.marks)
    first = [marks[one.reach.pivot], *marks]
    order = first + [i for i in range(len(one.q)) if i not in first]
    show = one.reach.show
    if show is None:
        return space.all_free(whole(one.q[order]))
    try:
        for i in order:
            show(space, i)
            if not space.free(whole(one.q[i])):
                return False
    finally:
        space.update()
    return True


def _seeds(problem: ReachProblem, each: int, rows: int, rng: np.random.Generator) -> Array:
    """Where solving starts (rows * each, arm): the present, the resting and random ones."""
    low, high = problem.chain.low[problem.arm], problem.chain.high[problem.arm]
    out = rng.uniform(low, high, (rows, each, len(low)))
    if problem.gentle:
        near = problem.now[problem.arm] + rng.normal(0.0, 0.4, out.shape)
        out[:, : each // 2 + 1] = np.clip(near, low, high)[:, : each // 2 + 1]
    out[:, 0] = problem.now[problem.arm]
    if each > 6:
        out[:, 1] = problem.rest
    return np.asarray(out.reshape(rows * each, len(low)))


def rating(problem: ReachProblem, q: Array, margins: Array) -> Array:
    """Rating: margin up to a fifth of the range, then closeness to the present joints and base."""
    arm = problem.arm
    far = np.linalg.norm(q[:, arm] - problem.now[arm], axis=1)
    bent = np.linalg.norm(q[:, arm] - problem.rest, axis=1)
    score = 2.0 * np.minimum(margins, 0.2) - (0.12 if problem.gentle else 0.02) * far - 0.01 * bent
    if len(problem.base):
        shift = q[:, problem.base] - problem.now[problem.base]
        score = score - 0.25 * np.linalg.norm(shift[:, :2], axis=1) - 0.1 * np.abs(shift[:, 2])
    return np.asarray(score)


def interleave(order: Sequence[int], whose: Sequence[Hashable], most: int) -> list[int]:
    """Return the same order, but what one has beyond ``most`` comes after the others."""
    first: list[int] = []
    rest: list[int] = []
    counts: Counter[Hashable] = Counter()
    for i in order:
        counts[whose[i]] += 1
        (first if counts[whose[i]] <= most else rest).append(i)
    return first + rest


def _different(q: Array, order: Sequence[int], most: int) -> list[int]:
    distinct: list[int] = []
    for i in order:
        if not distinct or np.all(np.max(np.abs(q[distinct] - q[i]), axis=1) > 0.05):
            distinct.append(i)
        if len(distinct) >= most:
            break
    return distinct


def _batches(reaches: Sequence[ReachRow]) -> list[set[int]]:
    """Indices of reaches whose rows have the same marks and pivot: each makes one batch."""
    groups: dict[tuple[tuple[int, ...], int], set[int]] = {}
    for number, reach in enumerate(reaches):
        groups.setdefault((reach.marks, reach.pivot), set()).add(number)
    return list(groups.values())


def _prefilter(problem: ReachProblem, own: list[ReachRow], starts: Array) -> npt.NDArray[np.intp]:
    """The starts that can be followed along every fourth pose, those with most margin first."""
    pivot = own[0].marks[own[0].pivot]
    first, last = own[0].marks[0], own[0].marks[-1]
    rows = np.stack([reach.way for reach in own])
    fine: npt.NDArray[np.bool_] = np.ones(len(starts), dtype=bool)
    least = np.full(len(starts), np.inf)
    ahead = [*range(pivot + _SKIM, last, _SKIM), last]
    back = [*range(pivot - _SKIM, first, -_SKIM), first]
    for picked in (ahead, back):
        index = np.flatnonzero(fine)
        if not len(index) or (pivot in (first, last) and picked[0] == pivot):
            continue
        ways = rows[index][:, picked]
        q, tracked = ik.track(
            problem.chain,
            ways,
            starts[index],
            free=problem.free,
            weights=problem.weights,
            iterations=12,
            jump=1.0,
        )
        margins = np.min(ik.margin(problem.chain, q, problem.arm), axis=1)
        least[index] = np.minimum(least[index], margins)
        fine[index[~tracked]] = False
    best = np.flatnonzero(fine & (least > 0))
    return np.asarray(best[np.argsort(-least[best], kind="stable")][:_MAX_FOLLOWED], dtype=np.intp)


def follow(
    problem: ReachProblem, own: list[ReachRow], starts: Array, moved: bool
) -> list[ReachSolution]:
    """Return the reaches (of equal marks and pivot) that can be followed from their pivots.

    ``starts`` are the chain's joints (n, chain) at the pivot; ``moved`` says that the base is not
    where it was.
    """
    chain, arm = problem.chain, problem.arm
    pivot = own[0].marks[own[0].pivot]
    count = len(starts)
    rows = np.stack([reach.way for reach in own])
    row = np.zeros((count, rows.shape[1], len(chain)))
    row[:, pivot] = starts
    fine: npt.NDArray[np.bool_] = np.ones(count, dtype=bool)
    for side, ways in ((1, rows[:, pivot + 1 :]), (-1, rows[:, :pivot][:, ::-1])):
        if not ways.shape[1]:
            continue
        q, tracked = ik.track(chain, ways, starts, free=problem.free, weights=problem.weights)
        fine &= tracked
        if side > 0:
            row[:, pivot + 1 :] = q
        else:
            row[:, :pivot] = q[:, ::-1]
    out = []
    for i in np.flatnonzero(fine):
        least = float(np.min(ik.margin(chain, row[i], arm)))
        if least < _LEAST_MARGIN / 2:
            continue
        score = float(rating(problem, row[i][pivot][None], np.array([least]))[0]) - own[i].cost
        base = row[i][0][problem.base].copy() if moved else None
        out.append(ReachSolution(own[i], row[i], base, least, score, problem.rides))
    return out
