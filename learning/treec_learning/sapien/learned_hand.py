"""An arm in a kitchen of SAPIEN that is moved by a policy at a hand's target.

What it sees and does are the numbers of the kinematic simulator (`learning/hand`). A motion is made
by the arm's joints within their limits and speeds, past whoever guards the robot, once no other arm
is in the way, and only if the motion planner's model says that it touches nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treec_learning.hand.simulator import ACTIONS, ARM, MOST, STEP, TURN, observe
from treec_sapien.motion import ik
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, compose, rotation_vector, twist
from treec_sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec_learning.sapien.targets import HandTarget
    from treec_sapien.motion.arm import Arm, Steps
    from treec_sapien.motion.reach import ReachSolution

Numbers = npt.NDArray[np.float32]
Actions = Callable[[Numbers], Numbers]
"""Gives actions (n, 7) for observations (n, 21)."""

_TICKS = 6  # control steps (1/60 s) of a step, at least
_AHEAD, _TURNED = 0.03, 0.3  # how far the commanded pose may be ahead of the hand (m, rad)
_OFF = 0.02  # m and rad that a joint solution may be off
_SHARES = (1.0, 0.4, 0.15)  # of a motion, tried in turn while it is not free
_STUCK = 8  # motions one after the other of which not even a part was free
_SAME, _PAUSE = 0.02, 3  # change of what is seen that counts as none; so many steps: a standstill
_NOISE = 0.2  # of the actions from then on: what the policies were trained with
_NEAR, _STILL = 0.5, 20  # such a change is a way on; steps without one after which there is none
_DRAWN = 0.5  # share of the way to the joints that were planned for a place, before solving for it
_SQUEEZE = 0.03  # m beyond shut that closing fingers are driven to


class LearnedHand:
    """An arm whose hand a policy moves.

    ``found`` is the planned way: it says whether the base moves along, and the arm is kept near its
    joints, so that it can go on from there. ``rng`` draws the noise of a hand that stands still.
    """

    def __init__(
        self,
        arm: Arm,
        target: HandTarget,
        solution: ReachSolution | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.arm, self.target = arm, target
        self.closing = arm.width < 0.5 * arm.about.gripper.opening[1] or arm.holding is not None
        self.steps = 0
        self._planned = solution
        self._refused = 0
        self._seen: Numbers | None = None
        self._still = 0
        self._rng = np.random.default_rng(0) if rng is None else rng
        q = arm.robot.targets()
        problem = arm.problem(q, rides=solution is not None and solution.rides)
        self._free, self._weights = problem.free, problem.weights
        self._joints = np.asarray(arm.robot.indices(arm.chain.names))
        self._commanded = np.asarray(q[self._joints], dtype=float)
        about_robot = arm.robot.description
        speeds = dict(zip(arm.about.joints, arm.about.velocity, strict=True))
        base = zip(arm.robot.base_joints, about_robot.base_velocity, strict=False)
        speeds.update(base)
        self._speeds = np.array([speeds[arm.chain.names[i]] for i in self._free])

    def seen(self) -> Numbers:
        """Return the observation (1, 21)."""
        frame, (tangent, spin, left) = self.target.frame, self.target.way
        turn, tcp = frame[:3, :3], self.arm.tcp
        down = np.array([0.0, 0.0, -1.0]) if self.target.puts else np.zeros(3)
        return observe(
            (turn.T @ (tcp[:3, 3] - frame[:3, 3]))[None],
            rotation_vector(turn.T @ tcp[:3, :3])[None],
            np.array([self.arm.width - self.target.thick]),
            np.array([self.closing]),
            np.array([self.closing and self.target.is_held(self.arm)]),
            (turn.T @ tangent)[None],
            (turn.T @ spin)[None],
            np.array([left]),
            (turn.T @ down)[None],
            np.array([self.target.thick]),
        )

    def follow(self, actions: Actions, done: Callable[[], bool]) -> Steps[int]:
        """Act until it is ``done``, or until the hand lets go of what it puts down.

        Return the number of steps. Fails as "would touch THING", "does not get nearer" (after 100
        steps, or where it stands still and noise does not help), or as motions do.
        """
        while self.steps < MOST:
            if done():
                return self.steps
            seen = self.seen()
            self._count_still(seen)
            action = actions(seen)[0]
            if self._still > _PAUSE:
                action = action + self._rng.normal(0.0, _NOISE, ACTIONS).astype(np.float32)
            if self.target.puts and action[6] <= 0.0:
                return self.steps
            self.steps += 1
            yield from self.execute(action)
        raise MotionFailure("does not get nearer", f"after {MOST} steps")

    def _count_still(self, seen: Numbers) -> None:
        """Count the steps in which nothing changes. Raises MotionFailure if noise does not help.

        A policy was trained with noise in its actions. Without, it may come to rest where it would
        let go or move on with some: it sees the same, and does the same.
        """
        change = np.inf if self._seen is None else float(np.max(np.abs(seen - self._seen)))
        if change > (_SAME if self._still <= _PAUSE else _NEAR):
            self._seen, self._still = seen, 0
            return
        self._still += 1
        if self._still > _PAUSE + _STILL:
            raise MotionFailure("does not get nearer", f"{_STILL} steps of noise did not help")

    def execute(self, action: Numbers) -> Steps[None]:
        """Move hand and fingers for a step of 0.1 s, or longer where a joint is slow."""
        self._move_fingers(bool(action[6] > 0.0))
        share = np.clip(np.asarray(action[:6], dtype=float), -1.0, 1.0)
        self.arm.motion.space.update()
        for part in _SHARES:
            to = self._solve(part * share)
            if to is not None and self._is_free(to):
                self._refused = 0
                break
        else:
            self._refused += 1
            if self._refused > _STUCK:
                raise MotionFailure(*self._reason(share))
            to = self._commanded
        move = to[self._free] - self._commanded[self._free]
        ticks = max(_TICKS, int(np.ceil(np.max(np.abs(move) / self._speeds) / CONTROL)))
        rows = self._commanded[self._free] + np.linspace(0, 1, ticks + 1)[1:, None] * move
        self._commanded = to
        yield from self.arm.follow(self._joints[self._free], rows)

    def _move_fingers(self, close: bool) -> None:
        if close == self.closing:
            return
        self.closing = close
        gripper = self.arm.about.gripper
        if not close:
            self.arm.spread()
            return
        shut = zip(gripper.shut, gripper.travel, strict=True)
        aims = [at - _SQUEEZE * travel for at, travel in shut]
        self.arm.robot.drive_to(gripper.joints, aims)

    def _solve(self, share: Array) -> Array | None:
        """The chain's joints after a motion; None where the joints' limits do not allow it."""
        chain = self.arm.chain
        turn = self.target.frame[:3, :3]
        here, real = chain.poses(self._commanded), self.arm.tcp
        spin = turn @ (TURN * share[3:])
        angle = float(np.linalg.norm(spin))
        turned = np.eye(3) if angle < 1e-9 else about(spin / angle, angle)
        to = compose(turned @ here[:3, :3], here[:3, 3] + turn @ (STEP * share[:3]))
        ahead = twist(real, to)
        for part, most in ((slice(0, 3), _AHEAD), (slice(3, 6), _TURNED)):
            ahead[part] *= min(1.0, most / max(float(np.linalg.norm(ahead[part])), 1e-9))
        angle = float(np.linalg.norm(ahead[3:]))
        turned = np.eye(3) if angle < 1e-9 else about(ahead[3:] / angle, angle)
        to = compose(turned @ real[:3, :3], real[:3, 3] + ahead[:3])
        q, _ = ik.solve(
            chain,
            to[None],
            self._near_plan(to)[None],
            free=self._free,
            weights=self._weights,
            iterations=12,
        )
        off = twist(chain.poses(q[0]), to)
        jump = np.max(np.abs(q[0] - self._commanded))
        if np.linalg.norm(off[:3]) > _OFF or np.linalg.norm(off[3:]) > 4 * _OFF or jump > 0.4:
            return None
        return np.asarray(q[0])

    def _near_plan(self, to: Array) -> Array:
        """Return the commanded joints (chain), drawn to those that were planned near a pose (4, 4).

        A hand's pose leaves an arm of seven joints a freedom, and near a stretched wrist it wanders
        off: to where the planned way, which it has to go on from, cannot be followed any more.
        """
        joints = self._commanded.copy()
        if self._planned is not None:
            way, last = self._planned.reach.way, self._planned.reach.marks[-2]
            far = np.linalg.norm(way[: last + 1, :3, 3] - to[:3, 3], axis=1)
            far += ARM * np.linalg.norm(way[: last + 1, :3, :3] - to[:3, :3], axis=(1, 2))
            planned = self._planned.q[int(np.argmin(far))]
            joints[self._free] += _DRAWN * (planned - joints)[self._free]
        return joints

    def _is_free(self, to: Array) -> bool:
        arm, space = self.arm, self.arm.motion.space
        q = arm.motion.traffic.with_others_at_rest(arm.side, arm.robot.qpos)
        touch = arm.holding if self.target.built is None else self.target.touch
        with arm.may_touch(touch), space.ignore_contacts(q):
            return space.all_free(arm.whole(q, to)[None])

    def _reason(self, share: Array) -> tuple[str, str]:
        to = self._solve(share)
        if to is None:
            return "not reached", "every motion leads beyond the limits of a joint"
        arm, space = self.arm, self.arm.motion.space
        with arm.may_touch(self.target.touch):
            hits = space.contacts(arm.whole(arm.robot.qpos, to))
        pair = " and ".join(hits[0]) if hits else "something"
        return "blocked", f"would touch: {pair}"
