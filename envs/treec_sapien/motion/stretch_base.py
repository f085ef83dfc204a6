"""Stretch's base: it drives to where the arm reaches, around obstacles on the floor.

It turns on the spot and drives straight, ahead or back, as wheels do; only for the last bit to a
table, and the first away from it, it slides sideways, which the simulated base can and the real one
cannot. It drives with the arm folded. Everything is planned before it sets out: the base's path,
how the arm folds and unfolds, and the reach.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion.base import MobileBase, Options, ReachWish
from treec_sapien.motion.base_poses import is_near_any
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.floor import Floor
from treec_sapien.motion.frames import Array
from treec_sapien.motion.reach import ReachSolution
from treec_sapien.motion.refusal import most_in_the_way, obstacle
from treec_sapien.motion.stretch_solutions import BODY, arm_frame, scene_spot, ways

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Arm, Steps
    from treec_sapien.motion.motion import Motion
    from treec_sapien.motion.stretch import StretchMover

_LIKELY, _MANY = (60, 40), (500, 500)
"""Solutions that are sought, and of those that are tested for collisions: the likeliest at first,
and many more where none of them is clear."""
_BESIDE = 0.03  # m that fingers are open beyond the width of a thing that neighbours stand close to
_MAX_DRIVES = 12  # solutions for which a drive is planned, at most
_STEP = 0.1  # m and rad between two tested poses of the base
_ASIDE = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
_TURN_ONLY = 0.02  # m: nearer than this the base only turns


class StretchBase(MobileBase):
    """Stretch's base; see the module. Its single arm never waits for another."""

    heading = math.pi / 2
    radius = BODY

    def __init__(self, motion: Motion, mover: StretchMover) -> None:
        super().__init__(motion)
        self.mover = mover
        self.ik = mover.ik

    def release(self, *arms: Arm) -> None:
        """Do nothing: no other arm could want to move the base."""

    def ask(
        self, rng: np.random.Generator, *wishes: ReachWish, avoid: Sequence[Array] = ()
    ) -> Steps[Options]:
        """Drive to where the one wish can be granted; see :meth:`MobileBase.ask`.

        Fails as "blocked" by a person without whom there would be a way.
        """
        (wish,) = wishes
        try:
            return (yield from self._ask(rng, wish, avoid))
        except MotionFailure as failure:
            if failure.name != "blocked" or failure.person:
                raise
            person = self.person_in_the_way(lambda: self._has_way(wish, avoid))
            if not person:
                raise
            why = f"{person} stands where {self.mover.name} would reach it from"
            raise MotionFailure("blocked", why, person=person) from None

    def _ask(
        self, rng: np.random.Generator, wish: ReachWish, avoid: Sequence[Array]
    ) -> Steps[Options]:
        grasps = self.mover.holding is None and wish.touch is not None
        narrow = wish.width + _BESIDE if grasps and wish.width else None
        stages = [(None, _LIKELY), *([(narrow, _LIKELY)] if narrow else []), (narrow, _MANY)]
        for opens_to, tests in stages:
            self.mover.opens_to = opens_to
            if grasps:  # before planning, since the fingers open wide
                yield from self.mover.open_gripper()
            else:
                yield
            try:
                return (yield from self._go_for(wish, tests, rng, avoid))
            except MotionFailure as failure:
                if failure.name != "not reached":
                    raise
        raise MotionFailure(
            "not reached", f"the arm cannot reach it from anywhere: {self._why_not(wish)}"
        )

    def _go_for(
        self,
        wish: ReachWish,
        tests: tuple[int, int],
        rng: np.random.Generator,
        avoid: Sequence[Array],
    ) -> Steps[Options]:
        """Drive to where one of the solutions begins."""
        solution, fold, legs = self._plan(wish, tests, rng, avoid)
        if fold is not None:
            yield from self.mover.fold_along(fold)
        yield from self.drive(legs)
        return [[solution if fold is None else self._unwrap_yaw(solution)]]

    def _has_way(self, wish: ReachWish, avoid: Sequence[Array]) -> bool:
        """Whether it could drive to where a wish can be granted; its random choices are its own."""
        try:
            self._plan(wish, _LIKELY, np.random.default_rng(0), avoid)
        except MotionFailure:
            return False
        return True

    def _plan(
        self,
        wish: ReachWish,
        tests: tuple[int, int],
        rng: np.random.Generator,
        avoid: Sequence[Array],
    ) -> tuple[ReachSolution, Array | None, list[Array]]:
        """A solution, how the arm is folded for the drive if it has to be, and the base's legs."""
        self.motion.space.update()
        q = self.mover.within(self.motion.robot.qpos)
        floor, *_ = floors = self._floors()
        reason = MotionFailure("not reached")
        fold: Array | None = None
        for number, solution in enumerate(self._clear(q, wish, floor, tests)):
            if number >= _MAX_DRIVES:
                break
            reason = MotionFailure("blocked", "no path to where the arm would reach it")
            start = self.mover.whole(q, solution.q[0])
            if is_near_any(start[self.ik.base], avoid):
                continue
            if solution.base is None:
                legs = [np.stack([q, start])[:, self.ik.base]]
                if self._free(q, legs) and self._unfolds(q, start, rng):
                    return solution, None, legs
                continue
            if fold is None:
                fold = self.mover.fold_path(q, rng)
                if fold is None:
                    raise MotionFailure("blocked", "the arm cannot be retracted")
            tries = (self._legs(fold[-1], solution.base, it) for it in reversed(floors))
            there = next((it for it in tries if it is not None), None)
            if there is not None and self._unfolds(fold[-1], start, rng):
                return solution, fold, there
        raise reason

    def _why_not(self, wish: ReachWish) -> str:
        """Say whether it is out of reach, or what is most often in the way where it is not."""
        self.motion.space.update()
        q = self.mover.within(self.motion.robot.qpos)
        found = ways(self.ik, q, wish.reaches, self.floor(), _LIKELY[0])
        if not found:
            return "out of reach wherever the base has room"
        space, whole = self.motion.space, self.mover.whole
        with self.mover.may_touch(wish.touch):
            return most_in_the_way(obstacle(space, one.reach, whole(q, one.q)) for one in found)

    def drive_to_one(self, spots: Sequence[Array], rng: np.random.Generator) -> Steps[None]:
        """Fold the arm and drive to the nearest of these places (x, y, yaw in the scene)."""
        self.motion.space.update()
        q = self.mover.within(self.motion.robot.qpos)
        fold = self.mover.fold_path(q, rng)
        if fold is None:
            raise MotionFailure("blocked", "the arm cannot be retracted")
        legs = self._legs_to_one(spots, fold[-1])
        if legs is None:
            raise MotionFailure("blocked", "no path for the base")
        yield from self.mover.fold_along(fold)
        yield from self.drive(legs)

    def has_path(self, spots: Sequence[Array], rng: np.random.Generator) -> bool:
        """Whether it could drive to one of these places (x, y, yaw in the scene)."""
        fold = self.mover.fold_path(self.mover.within(self.motion.robot.qpos), rng)
        return fold is not None and self._legs_to_one(spots, fold[-1]) is not None

    def _legs_to_one(self, spots: Sequence[Array], folded: Array) -> list[Array] | None:
        """The legs to the nearest of these places to which there is a path."""
        here = scene_spot(self.ik, folded[self.ik.base])
        near = sorted(spots, key=lambda one: float(np.linalg.norm((one - here)[:2])))
        for floor, spot in itertools.product(reversed(self._floors()), near):
            legs = self._legs(folded, arm_frame(self.ik, spot), floor)
            if legs is not None:
                return legs
        return None

    def _floors(self) -> list[Floor]:
        """The floor, and as it is if people are to be passed without being stopped by them."""
        guard = self.motion.guard
        if guard is None:
            return [self.floor()]
        margins = guard.margins()
        wider = {one: margins[name] for name, its in guard.bodies.items() for one in its}
        return [self.floor(), self.floor(wider)]

    def spot(self) -> Array:
        """Return where it stands (x, y, yaw in the scene)."""
        return scene_spot(self.ik, self.motion.robot.qpos[self.ik.base])

    def drive(self, legs: Sequence[Array]) -> Steps[None]:
        """Drive along legs (2, 3), stopping between them; the arm stays."""
        for leg in legs:
            if np.max(np.abs(leg[1] - leg[0])) < 1e-4:
                continue
            now = self.motion.robot.targets()
            rows = np.stack([now, now])
            rows[1, self.ik.base] = leg[1]
            yield from self.mover.follow_all(rows[:, self.mover.all_joints])

    def _clear(
        self, q: Array, wish: ReachWish, floor: Floor, tests: tuple[int, int]
    ) -> Iterator[ReachSolution]:
        """The solutions whose whole row is collision-free."""
        space = self.motion.space
        found = ways(self.ik, q, wish.reaches, floor, tests[0])
        for solution in self.motion.away_from_people(self.mover, found, q)[: tests[1]]:
            whole = self.mover.whole(q, solution.q)
            with self.mover.may_touch(wish.touch):
                pivot = whole[solution.reach.marks[solution.reach.pivot]]
                fine = space.free(pivot) and space.all_free(whole)
            if fine:
                yield solution

    def _unfolds(self, q: Array, start: Array, rng: np.random.Generator) -> bool:
        """Whether the arm can move to the start of the reach with the base there."""
        there = q.copy()
        there[self.ik.base] = start[self.ik.base]
        path = self.mover.bend_path(there, self.ik.bend(start), rng)
        return path is not None

    def _legs(self, folded: Array, goal: Array, floor: Floor) -> list[Array] | None:
        """The base's legs (2, 3) to ``goal`` (its joints), or None if there is no path."""
        start = folded[self.ik.base]
        out, before = self._aside(start, floor), self._aside(goal, floor)
        spots = [scene_spot(self.ik, joints)[:2] for joints in (out, before)]
        first, last = ((float(x), float(y)) for x, y in spots)
        way = floor.way(first, last, BODY)
        if way is None:
            return None
        corners = [arm_frame(self.ik, np.array([*spot, 0.0]))[:2] for spot in way]
        corners[0], corners[-1] = out[:2], before[:2]
        legs = [np.stack([start, out])]
        yaw = float(start[2])
        for here, there in itertools.pairwise(corners):
            step = there - here
            if np.linalg.norm(step) < _TURN_ONLY:
                continue
            ahead = _nearest(math.atan2(step[1], step[0]), yaw)
            back = _nearest(ahead + math.pi, yaw)
            best = ahead if abs(ahead - yaw) <= abs(back - yaw) else back
            legs.append(np.array([[*here, yaw], [*here, best]]))
            legs.append(np.array([[*here, best], [*there, best]]))
            yaw = best
        end = legs[-1][-1][:2]
        facing = _nearest(float(goal[2]), yaw)
        legs.append(np.array([[*end, yaw], [*end, facing]]))
        legs.append(np.array([[*end, facing], [*goal[:2], facing]]))
        return legs if self._free(folded, legs) else None

    def _aside(self, place: Array, floor: Floor) -> Array:
        """The nearest place on its left, away from what it reaches, with enough room to turn."""
        left = np.array([-math.sin(place[2]), math.cos(place[2])])
        for away in _ASIDE:
            there = np.array([*(place[:2] + away * left), place[2]])
            if floor.space_at(scene_spot(self.ik, there)[:2]) >= BODY:
                return there
        return place

    def _free(self, q: Array, legs: Sequence[Array]) -> bool:
        for start, end in legs:
            count = max(1, math.ceil(float(np.max(np.abs(end - start))) / _STEP))
            whole = np.repeat(q[None], count, axis=0)
            share = np.arange(1, count + 1)[:, None] / count
            whole[:, self.ik.base] = start + (end - start) * share
            if not self.motion.space.all_free(whole):
                return False
        return True

    def _unwrap_yaw(self, solution: ReachSolution) -> ReachSolution:
        """The solution with the base's yaw counted continuously as the base has turned."""
        rows = solution.q.copy()
        yaw = list(self.mover.chain.names).index(self.motion.robot.base_joints[2])
        shift = self.motion.robot.targets()[self.ik.base[2]] - rows[0, yaw]
        rows[:, yaw] += 2 * math.pi * round(float(shift) / (2 * math.pi))
        return ReachSolution(solution.reach, rows, solution.base, solution.margin, solution.score)


def _nearest(angle: float, to: float) -> float:
    """The same direction as the angle, nearest to ``to``."""
    return to + math.remainder(angle - to, 2 * math.pi)
