"""Stretch's arm: lift, extension and wrist, with the base driving along straight segments.

It has the interface of every other :class:`treec_sapien.motion.arm.Arm`. Between two poses of
a reach the base drives straight ahead or back while the arm extends; to retract is to fold the
wrist over the base, which moves a little, too, if that is impossible where it stands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import rrt
from treec_sapien.motion.arm import Arm, Steps, Touch
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array
from treec_sapien.motion.reach import ReachSolution
from treec_sapien.motion.stretch_ik import REACH, StretchIk
from treec_sapien.motion.timing import time_parametrize

if TYPE_CHECKING:
    from treec_sapien.motion.motion import Motion

_FOLD_YAWS = (3.0, 2.3, 1.57, -1.2, 0.0)  # folded positions of the wrist, best first
_FOLD_LIFTS = (0.75, 0.6, 0.9, 0.45)
_FOLD_TOLERANCE = 0.02  # rad or m
_WAYS_OUT = ((0.0, 0.2), (0.25, 0.2), (-0.25, 0.2), (0.0, 0.45))  # (m) ahead and to the left
_LEAST_WAY, _MOST_WAY = (-0.4, -0.05), (0.4, 0.5)  # m, in a search
_DRAWING = 0.5  # pace of base and arm together
_SETTLE = 40  # control steps
_PATIENCE = 20  # half seconds
_REST = 0.004  # rad or m: at rest
_MAX_STRAY = 0.15
_STEEP = 0.02  # steeper than this, neither side is up


class StretchMover(Arm):
    """Stretch's arm; see the module."""

    loose = 0.03

    def __init__(self, motion: Motion, side: str) -> None:
        super().__init__(motion, side)
        self.ik = StretchIk(motion.robot)
        about = motion.robot.description
        self.all_joints = self.robot.indices((*about.base, *self.about.joints))
        self._velocity = np.array([*about.base_velocity, *self.about.velocity])
        self._acceleration = np.array([*about.base_acceleration, *self.about.acceleration])

    def upright_grasp(self, grasp: Array) -> Array:
        """Return the grasp with the camera on top of the hand: below it, it would hit the table."""
        approach, closing = grasp[:3, 2], grasp[:3, 1]
        level = np.array([-approach[1], approach[0], 0.0])
        if np.linalg.norm(level) < _STEEP or level @ closing >= 0:
            return grasp
        return np.asarray(grasp @ np.diag([-1.0, -1.0, 1.0, 1.0]))

    # planning ---------------------------------------------------------------------------------

    def path_to(
        self,
        goals: Sequence[Array],
        rng: np.random.Generator,
        *,
        touch: Touch = None,
        spread: bool = False,
    ) -> Array | None:
        """Return a path (n, arm joints) to the first reachable goal; its fingers open before."""
        q = self.within(self.robot.qpos)
        for goal in goals:
            whole = q.copy()
            whole[self.joints] = goal
            bends = self.bend_path(q, self.ik.bend(whole), rng, touch=touch)
            if bends is not None:
                rows = [self.ik.bent(q, bend)[self.joints] for bend in bends]
                return np.asarray(np.stack(rows), dtype=np.float64)
        return None

    def bend_path(
        self, q: Array, goal: Array, rng: np.random.Generator, *, touch: Touch = None
    ) -> Array | None:
        """Return arm configurations (n, 5) from ``q`` to ``goal``, or None; the base stays.

        What is held keeps its tilt between those at the ends.
        """
        return self._bend_to(q, [goal], rng, touch)

    def _bend_to(
        self, q: Array, goals: Sequence[Array], rng: np.random.Generator, touch: Touch = None
    ) -> Array | None:
        """The same to one of the goals: the first that needs no search, if there is one."""
        with self.may_touch(touch):
            path = self._in_order_to(q, goals)
            return self._search(q, self._bend(q), goals, rng) if path is None else path

    def _in_order_to(self, q: Array, goals: Sequence[Array]) -> Array | None:
        """A path (n, 5) from ``q`` to the first goal that needs no search, or None."""
        start = self._bend(q)
        for goal in goals:
            for roomy in (True, False):
                with self._room(q, np.stack([start, goal]), roomy=roomy) as free:
                    path = _in_order(free, start, goal)
                if path is not None:
                    return path
        return None

    @contextmanager
    def _room(self, q: Array, ends: Array, *, roomy: bool) -> Iterator[rrt.Free]:
        """Give a test of bends, for the context: ``roomy``, only what is close to the ends may be.

        Else whether they are collision-free.
        """
        space = self.motion.space
        with space.may_be_close(self._whole(q, ends if roomy else ends[:0])):
            yield lambda bends: space.all_free(self._whole(q, bends), roomy=roomy)

    def _search(
        self, q: Array, start: Array, goals: Sequence[Array], rng: np.random.Generator
    ) -> Array | None:
        """A path (n, 5) from ``start`` to one of the goals, or (n, 7) if the base moves, too."""
        ik, moves = self.ik, len(start) - 5
        low = np.array([*_LEAST_WAY[:moves], ik.low[ik.lift], 0.0, *ik.low[ik.wrist]])
        high = np.array([*_MOST_WAY[:moves], ik.high[ik.lift], REACH, *ik.high[ik.wrist]])
        if self.holding is not None:
            tilts = np.stack([start, *goals])[:, -2:]
            low[-2:], high[-2:] = np.min(tilts, axis=0), np.max(tilts, axis=0)
        for roomy in (True, False):
            with self._room(q, np.stack([start, *goals]), roomy=roomy) as free:
                path = rrt.connect(free, start, goals, lambda g: g.uniform(low, high), rng)
            if path is not None:
                return path
        return None

    def _bend(self, q: Array) -> Array:
        return self.ik.bend(self.within(q))

    def _whole(self, q: Array, bends: Array) -> Array:
        """Configurations (n, qpos) with these bends (n, 5), or (n, 7): with the base moved, too.

        The base's way (m) comes first: ahead, and to its left.
        """
        out = self.ik.bent(q, bends[..., -5:])
        if bends.shape[-1] > 5:
            yaw = float(q[self.ik.base[2]])
            ahead = np.array([math.cos(yaw), math.sin(yaw)])
            left = np.array([-ahead[1], ahead[0]])
            out[..., self.ik.base[:2]] += bends[..., :1] * ahead + bends[..., 1:2] * left
        return out

    def fold_path(self, q: Array, rng: np.random.Generator) -> Array | None:
        """Return configurations (n, qpos) from ``q`` to a reachable folded one, or None.

        Where the arm cannot be folded as the base stands, the base moves a little, too: away from
        what the arm reaches, which draws it out.

        What touches it already does not count: something between its fingers, another robot's arm.
        """
        space, now = self.motion.space, self._bend(q)
        tilt = now[3:] if self.holding is not None else np.zeros(2)
        folded = [np.array([lift, 0.0, yaw, *tilt]) for yaw in _FOLD_YAWS for lift in _FOLD_LIFTS]
        with space.ignore_contacts(q):
            fine = [goal for goal in folded if space.free(self.ik.bent(q, goal))]
            path = self._in_order_to(q, fine)
            if path is not None:
                if np.max(np.abs(path - now)) < _FOLD_TOLERANCE:
                    return q[None].copy()
                return self._whole(q, path)
            path = self._search(q, now, fine, rng) if fine else None
            if path is None:
                out = [np.array([*way, *goal]) for way in _WAYS_OUT for goal in folded]
                path = self._search(q, np.array([0.0, 0.0, *now]), out, rng)
        return None if path is None else self._whole(q, path)

    def within(self, q: Array) -> Array:
        """Return ``q`` inside the joints' limits, which drives overshoot slightly."""
        return self.ik.clip_to_limits(q)

    # moving -----------------------------------------------------------------------------------

    def fold_along(self, rows: Array) -> Steps[None]:
        """Follow what `fold_path` returned (n, qpos)."""
        if len(rows) < 2:
            return
        rows = np.concatenate([self.within(self.robot.qpos)[None], rows[1:]])
        if np.max(np.ptp(rows[:, self.ik.base], axis=0)) > _FOLD_TOLERANCE:
            yield from self.follow_all(rows[:, self.all_joints], _DRAWING)
        else:
            yield from self.move(rows[:, self.joints])

    def bend_along(self, bends: Array) -> Steps[None]:
        """Follow arm configurations (n, 5); the base stays."""
        now = self.robot.targets()
        rows = np.stack([self.ik.bent(now, bend)[self.joints] for bend in bends])
        rows[0] = self.within(self.robot.qpos)[self.joints]
        yield from self.move(rows)

    def along(
        self, solution: ReachSolution, part: int, *, pace: float = 0.6, touch: Touch = None
    ) -> Steps[None]:
        """Follow a straight segment of a reach, the base driving along."""
        yield from self._drive_along(solution.part(part), pace)

    def back(
        self, solution: ReachSolution, part: int, *, pace: float = 0.6, touch: Touch = None
    ) -> Steps[None]:
        """Follow a straight segment of a reach in reverse."""
        yield from self._drive_along(solution.part(part)[::-1], pace)

    def back_off(self, by: float, *, touch: Touch = None, pace: float = 0.6) -> Steps[bool]:
        """Retreat straight along the approach from wherever the hand is; whether it could.

        Where the joints cannot follow that way it stays where it is.
        """
        q = self.within(self.robot.qpos)
        end = self.ik.straight(q, -by * self.tcp[:3, 2])
        if end is None:
            return False
        yield from self.follow_all(np.stack([q, end])[:, self.all_joints], pace)
        return True

    def rest(self, rng: np.random.Generator) -> Steps[bool]:
        """Fold the arm over the base, keeping the tilt of what it holds; whether it could.

        Another robot's arm may be in the way, or touch it, for a while.
        """
        for _ in range(_PATIENCE):
            self.motion.space.update()
            q = self.within(self.robot.qpos)
            path = self.fold_path(q, rng)
            if path is not None:
                yield from self.fold_along(path)
                return True
            yield from self.motion.pause(0.5)
        return False

    def follow_all(self, path: Array, pace: float = 1.0) -> Steps[None]:
        """Follow a path of base and arm together (n, joints in the order of ``all_joints``)."""
        yield from self.go_along(path, pace)
        for _ in range(_SETTLE):
            if np.max(np.abs(self.robot.qpos[self.all_joints] - path[-1])) < _REST:
                return
            yield

    def go_along(self, path: Array, pace: float = 1.0) -> Steps[None]:
        """Do the same without waiting until the joints are at rest."""
        rows = time_parametrize(path, self._velocity, self._acceleration, pace=pace)
        yield from self.while_holding(self.motion.follow(self.side, self.all_joints, rows))

    def _drive_along(self, chain: Array, pace: float) -> Steps[None]:
        now = self.within(self.robot.qpos)
        rows = np.stack([self.whole(now, row) for row in chain])
        off = np.abs(rows[0] - now)
        if np.max(off) > _MAX_STRAY:
            joint = self.robot.joints[int(np.argmax(off))]
            raise MotionFailure("not reached", f"{joint} is not where the path begins")
        rows[0] = now
        yield from self.follow_all(rows[:, self.all_joints], pace)


def _in_order(free: rrt.Free, start: Array, goal: Array) -> Array | None:
    """Retract, turn and lift, then extend, in turn, as far as collision-free; or None."""
    drawn, ready = start.copy(), goal.copy()
    drawn[1] = ready[1] = 0.0
    lifted, turned = drawn.copy(), drawn.copy()
    lifted[0], turned[2:] = ready[0], ready[2:]
    for between in ((drawn, ready), (drawn, lifted, ready), (drawn, turned, ready)):
        path = np.stack([start, *between, goal])
        keep = [
            0,
            *(i for i in range(1, len(path)) if np.any(np.abs(path[i] - path[i - 1]) > 1e-6)),
        ]
        path = path[keep]
        if free(path) and all(rrt.clear(free, a, b) for a, b in pairwise(path)):
            return np.asarray(path)
    return None
