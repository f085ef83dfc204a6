"""One arm: it plans in its robot's configuration space and moves in generators.

Each ``yield`` is one control step. Planning takes no simulated time. When a generator is closed
half way (the skill was cancelled), the arm stops where it is and keeps its grip.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from treec_sapien.motion import rrt
from treec_sapien.motion.activity import Activity
from treec_sapien.motion.chain import Chain
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index, line, matrix, translate
from treec_sapien.motion.hand import GripperMotion
from treec_sapien.motion.ik import margin, track
from treec_sapien.motion.reach import (
    ReachProblem,
    ReachSolution,
    follow_from_start,
    is_collision_free,
)
from treec_sapien.motion.timing import CONTROL, resample, time_parametrize

if TYPE_CHECKING:
    from treec_sapien.motion.motion import Motion

T = TypeVar("T")
Steps = Generator[None, None, T]

Touch = Any | tuple[Any, str] | tuple[Any, str, frozenset[int] | None] | None
"""What a hand may touch: an entity, an articulation and one link of it (or some pieces of that
link, by number), or nothing.
"""

_IDLE = 6  # half seconds that an arm waits for one in its way that does not move
_SETTLE = 24  # control steps that an arm may take to come to rest at the end of a path
_LOCAL = 0.4  # fraction of a path search's samples drawn around its ends
_NEAR = 0.012  # rad: at rest
_END = 0.3  # rad: clearance is small where something is taken or put
_SLOWLY = 0.4  # pace at which something is carried through narrow space
_SEARCHES, _ROUNDABOUT = 4, 1.3
"""Paths that are sought, at most, and how much longer than straight a path may be."""

_WAYS_HOME = 4
"""Searches for a path on which an arm is retracted: a narrow way out of a shelf is found by chance.
"""

_SPEED, _NEVER = 1.5, 10.0
"""Speed (rad/s) at which a delay counts as long as a path; the longest delay (s) to wait for."""

_GAPS = (rrt.CHECK, rrt.CHECK / 2, rrt.CHECK / 4)
"""Resolution at which a path is tested: the next one when the last missed something thin."""


class Arm(GripperMotion):
    """An arm of a robot."""

    def __init__(self, motion: Motion, side: str) -> None:
        self.motion = motion
        self.side = side
        self.robot = motion.robot
        self.about = motion.robot.arms[side]
        root = matrix(motion.robot.articulation.root_pose)
        self.chain = Chain(motion.robot.articulation, self.about.tcp, root)
        self.joints = self.robot.indices(self.about.joints)
        self.fingers = self.robot.indices(self.about.gripper.joints)
        self._chain_joints = self.robot.indices(self.chain.names)
        self._arm_in_chain = self.chain.where(self.about.joints)
        self._base_in_chain = self.chain.where(self.robot.base_joints)
        self.home = self.robot.home[self.joints]

    # state -------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Its name in messages: "the left arm", or "the arm" of a robot with one."""
        return "the arm" if self.side == "arm" else f"the {self.side} arm"

    @property
    def tcp(self) -> Array:
        """The tool point's current pose."""
        return matrix(self.robot.link(self.about.tcp).entity_pose)

    def problem(self, q: Array, bases: Array | None = None, *, rides: bool = False) -> ReachProblem:
        """Return what :mod:`.reach` needs to choose for this arm."""
        return ReachProblem(
            chain=self.chain,
            arm=self._arm_in_chain,
            now=q[self._chain_joints],
            rest=self.home,
            bases=np.zeros((0, 3)) if bases is None else bases,
            base=self._base_in_chain,
            rides=rides,
            gentle=self.upright is not None,
        )

    def whole(self, q: Array, chain: Array) -> Array:
        """Return ``q`` with the chain's joints replaced; many rows for many (n, chain)."""
        out = np.broadcast_to(q, (*chain.shape[:-1], len(q))).copy()
        out[..., self._chain_joints] = chain
        return out

    def upright_grasp(self, grasp: Array) -> Array:
        """Return a grasp, or the same with the fingers swapped, whichever suits the hand."""
        return grasp

    # planning ---------------------------------------------------------------------------------

    def path_to(
        self,
        goals: Sequence[Array],
        rng: np.random.Generator,
        *,
        touch: Touch = None,
        spread: bool = False,
    ) -> Array | None:
        """Return a path (n, arm joints) to one of the goals, clear of the others' end positions.

        With ``spread``, the fingers will open on the way: it is clear with open fingers.

        What was found at random may be a long way round, or have to wait for another arm to pass:
        if so, more are sought, and the one on which it arrives first is taken.
        """
        best, least = None, np.inf
        for _ in range(_SEARCHES):
            path = self._path_to(goals, rng, touch, spread)
            if path is None:
                break
            arrives = _length(path) + self._delay(path, touch) * _SPEED
            if arrives < least:
                best, least = path, arrives
            if least < _ROUNDABOUT * _length(path[[0, -1]]):
                break
        return best

    def _delay(self, path: Array, touch: Touch) -> float:
        """Seconds until the arm may follow a path, for those who are under way."""
        traffic, q = self.motion.traffic, self.robot.qpos
        if not traffic.others(self.side):
            return 0.0
        rows = self.times(path, touch=touch)
        with self.motion.space.ignore_contacts(q):
            wait = traffic.wait(
                self.side, q, self.joints, rows, lambda r: self.motion.is_apart(r, self.joints)
            )
        return _NEVER if wait is None else wait * CONTROL

    def _path_to(
        self, goals: Sequence[Array], rng: np.random.Generator, touch: Touch, spread: bool
    ) -> Array | None:
        space = self.motion.space
        q = self.motion.traffic.with_others_at_rest(self.side, self.robot.qpos)
        if spread:
            q[self.fingers] = self.widest
        start = self._inside(q[self.joints])
        low, high = self.chain.low[self._arm_in_chain], self.chain.high[self._arm_in_chain]
        upright = self.upright
        bound = upright.bind(self, q) if upright is not None else None
        sample = bound.sampler(start, goals, rng) if bound is not None else None

        def draw(generator: np.random.Generator) -> Array:
            if sample is not None:
                return sample(generator)
            if generator.random() < _LOCAL:  # near the start or near a goal
                near = [start, *goals][generator.integers(len(goals) + 1)]
                return np.clip(near + generator.normal(0.0, 0.5, len(start)), low, high)
            return np.asarray(generator.uniform(low, high))

        ends = self._with(q, np.stack([start, *goals]))
        with self.may_touch(touch), space.ignore_contacts(ends[0], self.joints):
            for roomy, near in ((True, ends[:0]), (True, ends), (False, ends[:0])):

                def free(arms: Array, roomy: bool = roomy) -> bool:
                    if bound is not None and not bound.holds(arms):
                        return False
                    return space.all_free(self._with(q, arms), roomy=roomy)

                with space.may_be_close(near) as close:
                    if len(near) and not close:
                        continue  # as before
                    if not free(start[None]):
                        continue
                    if roomy and not any(free(goal[None]) for goal in goals):
                        continue
                    for gap in _GAPS:
                        path = rrt.connect(free, start, list(goals), draw, rng, gap=gap)
                        if path is None:
                            break
                        if space.all_free(self._with(q, resample(path, _GAPS[-1]))):
                            return path
                        # something thin stood between two tested configurations
        return None

    def straight_to(self, solution: ReachSolution) -> tuple[Array, ReachSolution] | None:
        """Return a level path to the start of a reach, and the reach followed from where it ends.

        What is carried upright goes straight there, or up first; this needs no search.
        """
        space, q = (
            self.motion.space,
            self.motion.traffic.with_others_at_rest(self.side, self.robot.qpos),
        )
        problem = self.problem(q)
        for rise in (0.0, 0.1, 0.2):
            over = translate(self.tcp, world=np.array([0.0, 0.0, rise]))
            target = translate(solution.reach.way[0], world=np.array([0.0, 0.0, rise]))
            way = np.stack(
                [*line(self.tcp, over), *line(over, target), *line(target, solution.reach.way[0])]
            )
            rows, fine = track(self.chain, way[None], problem.now[None], free=problem.arm)
            if not fine[0] or not space.all_free(self.whole(q, rows[0][::2])):
                continue
            again = follow_from_start(problem, solution, rows[0][-1])
            if again is not None and is_collision_free(space, again, lambda r: self.whole(q, r)):
                path = np.concatenate([problem.now[None], rows[0]])[:, self._arm_in_chain]
                return path, again
        return None

    def may_touch(self, touch: Touch) -> AbstractContextManager[None]:
        """Allow the hand and what it holds to touch that within the context."""
        thing, link, pieces = (
            (*touch, None, None)[:3] if isinstance(touch, tuple) else (touch, None, None)
        )
        return self.motion.space.allow_contact(self.hand_links, thing, link, pieces)

    def times(self, path: Array, pace: float = 1.0, *, touch: Touch = None) -> Array:
        """Return the positions for each control step on a path (n, arm joints).

        Corners are rounded where there is room. Where there is little, what is held is carried
        slowly.
        """
        velocity, acceleration = np.array(self.about.velocity), np.array(self.about.acceleration)
        q, space = (
            self.motion.traffic.with_others_at_rest(self.side, self.robot.qpos),
            self.motion.space,
        )
        if self.holding is None:
            q[self.fingers] = self.robot.targets()[self.fingers]  # they may be opening
        with self.may_touch(touch), space.ignore_contacts(self._with(q, path[0]), self.joints):
            if self.holding is not None:
                middle = _without_ends(resample(path, _GAPS[0]))
                if self.careful or not space.all_free(self._with(q, middle), roomy=True):
                    pace = min(pace, _SLOWLY)
            rows = time_parametrize(path, velocity, acceleration, pace=pace)
            if len(path) < 3:
                return rows
            if space.all_free(self._with(q, rows)):
                return rows
        return time_parametrize(path, velocity, acceleration, pace=pace, exact=True)

    # moving -----------------------------------------------------------------------------------

    def move(self, path: Array, *, pace: float = 1.0, touch: Touch = None) -> Steps[None]:
        """Follow a path of the arm's joints, waiting for other arms as long as necessary."""
        rows = self.times(path, pace, touch=touch)
        yield from self._wait_for_others(rows, self.joints, fresh=True)
        yield from self.while_holding(self.motion.follow(self.side, self.joints, rows))
        yield from self._settle()

    def move_to(self, goals: Sequence[Array], rng: np.random.Generator) -> Steps[None]:
        """Plan to one of the goals (the arm's joints) and go there. Raises Failed("blocked")."""
        for _ in range(6):
            self.motion.space.update()
            path = self.path_to(goals, rng)
            if path is not None:
                yield from self.move(path)
                return
            if not self.motion.traffic.others(self.side):
                break
            yield from self.motion.pause(0.5, Activity.PATH, self.side)
        hits = self.motion.space.contacts(self.robot.qpos)
        raise MotionFailure("blocked", f"no path for {self.name}{_format_contacts(hits)}")

    def along(
        self, solution: ReachSolution, part: int, *, pace: float = 0.6, touch: Touch = None
    ) -> Steps[None]:
        """Follow a straight segment of a reach, from one of its key poses to the next."""
        yield from self.go_row(solution, solution.part(part), pace=pace, touch=touch)

    def back(
        self, solution: ReachSolution, part: int, *, pace: float = 0.6, touch: Touch = None
    ) -> Steps[None]:
        """Follow a straight segment of a reach in reverse."""
        yield from self.go_row(solution, solution.part(part)[::-1], pace=pace, touch=touch)

    def go_row(
        self, solution: ReachSolution, row: Array, *, pace: float = 0.6, touch: Touch = None
    ) -> Steps[None]:
        """Follow joints of the chain (n, chain) from where it is; the base may ride along."""
        own = self._arm_in_chain
        if solution.rides:  # the chain may have other joints, which stay: a torso's
            own = np.concatenate([self._base_in_chain, own])
        joints = self._chain_joints[own]
        now = np.clip(
            self.robot.qpos[joints], self.chain.low[own] + 1e-6, self.chain.high[own] - 1e-6
        )
        if np.max(np.abs(row[0][own] - now)) > 0.2:
            raise MotionFailure("not reached", f"{self.name} is not where its path begins")
        about = self.robot.description
        velocity, acceleration = self.about.velocity, self.about.acceleration
        if solution.rides:
            velocity = (*about.base_velocity, *velocity)
            acceleration = (*about.base_acceleration, *acceleration)
        path = np.concatenate([now[None], row[1:, own]])
        rows = time_parametrize(path, np.array(velocity), np.array(acceleration), pace=pace)
        yield from self.follow(joints, rows)
        yield from self._settle()

    def follow(self, joints: Index, rows: Array) -> Steps[None]:
        """Follow rows (n, joints), one per control step, once no other arm is in the way."""
        yield from self._wait_for_others(rows, joints)
        yield from self.while_holding(self.motion.follow(self.side, joints, rows))

    def back_off(self, by: float, *, touch: Touch = None, pace: float = 0.6) -> Steps[bool]:
        """Retreat straight along the approach from wherever the hand is; whether it could.

        Where the joints cannot follow that way it stays where it is.
        """
        q = self.robot.qpos[self._chain_joints]
        way = np.stack(line(self.tcp, translate(self.tcp, own=np.array([0.0, 0.0, -by]))))
        rows, fine = track(self.chain, way[None], q[None], free=self._arm_in_chain)
        if not fine[0]:
            return False
        path = np.concatenate([q[None], rows[0]])[:, self._arm_in_chain]
        yield from self.move(path, pace=pace, touch=touch)
        return True

    def rest(self, rng: np.random.Generator) -> Steps[bool]:
        """Retract the arm, keeping upright what must be; whether it could."""
        q = self.robot.qpos
        self.motion.space.update()
        goals = [self.home]
        if self.upright is not None:
            limit = self.upright.bind(self, q)
            if limit.is_carried(q[self.joints]) and self._lets_others_rest(q):
                return True
            goals = self._considerate(q, limit.carries(rng))
        elif not self.motion.space.free(self._with(q, self.home)):
            goals = self._considerate(q, self._near_home(q, rng))
        if any(np.max(np.abs(q[self.joints] - goal)) < 0.05 for goal in goals):
            return True
        for _ in range(_WAYS_HOME if goals else 0):
            path = self.path_to(goals, rng)
            if path is not None:
                yield from self.move(path)
                return True
        return False

    def _lets_others_rest(self, q: Array) -> bool:
        """Whether the other arms have room to retract with this one where it is."""
        return self.motion.space.is_self_collision_free(self.motion.retract(q, but=self))

    def _considerate(self, q: Array, goals: Sequence[Array]) -> list[Array]:
        """The goals that also leave the other arms room to retract; all if none does."""
        if not len(goals):
            return []
        rows = self.motion.retract(self._with(q, np.stack(goals)), but=self)
        leave = [self.motion.space.is_self_collision_free(row) for row in rows]
        return [goal for goal, fine in zip(goals, leave, strict=True) if fine] or list(goals)

    def _near_home(self, q: Array, rng: np.random.Generator, count: int = 200) -> list[Array]:
        """Free configurations near the one at rest, for when something is in the way there."""
        low, high = self.chain.low[self._arm_in_chain], self.chain.high[self._arm_in_chain]
        out: list[Array] = []
        for number in range(count):
            bend = self.home + rng.normal(0.0, 0.15 + 0.6 * number / count, len(self.home))
            bend = np.clip(bend, low + 0.02, high - 0.02)
            if self.motion.space.free(self._with(q, bend), roomy=True):
                out.append(bend)
                if len(out) >= 5:
                    break
        return out

    def _with(self, q: Array, arm: Array) -> Array:
        out = np.broadcast_to(q, (*arm.shape[:-1], len(q))).copy()
        out[..., self.joints] = arm
        return out

    # helpers ----------------------------------------------------------------------------------

    def margin(self) -> float:
        """Return how far the nearest joint is from a limit, as a fraction of half its range."""
        q = self.robot.qpos[self._chain_joints]
        return float(margin(self.chain, q[None], self._arm_in_chain)[0])

    def chain_rows(self, rows: Iterable[Array]) -> Array:
        """Return the arm's joints from rows of the chain's."""
        return np.stack([row[self._arm_in_chain] for row in rows])

    def _inside(self, q: Array) -> Array:
        low, high = self.chain.low[self._arm_in_chain], self.chain.high[self._arm_in_chain]
        return np.clip(q, low + 1e-6, high - 1e-6)

    def stays_apart(self, solution: ReachSolution) -> bool:
        """Whether neither this arm nor another, waiting where its reach begins, is in the way.

        The others are where they are, or about to come to rest. Else each would wait for the other.
        """
        if solution.rides or len(self.motion.arms) == 1:
            return True
        q = self.motion.traffic.with_others_at_rest(self.side, self.robot.qpos)
        rows = [self.whole(q, solution.q[::2])]
        start = self.whole(q, solution.q[0])
        rows += [
            arm.whole(start, one.q[::2])
            for arm, one in self.motion.begun.items()
            if arm is not self and not one.rides
        ]
        with self.motion.space.ignore_contacts(q):
            return self.motion.is_apart(np.concatenate(rows), self.joints)

    def _wait_for_others(self, rows: Array, joints: Index, *, fresh: bool = False) -> Steps[None]:
        """Wait until the way is clear; a ``fresh`` path is planned around where the others stop."""
        traffic = self.motion.traffic
        idle = 0
        while idle < _IDLE:
            idle = 0 if traffic.others(self.side) else idle + 1
            if fresh and idle:
                return
            q = self.robot.qpos
            with self.motion.space.ignore_contacts(q):
                wait = traffic.wait(
                    self.side, q, joints, rows, lambda r: self.motion.is_apart(r, joints)
                )
            if wait is not None:
                break
            yield from self.motion.pause(0.5, Activity.PASSING, self.side)
        else:
            raise MotionFailure("blocked", "the other arm is in the way")
        if wait:
            traffic.set_out(self.side, joints, rows, wait)  # others plan around it from now on
            try:
                yield from self.motion.pause(wait * CONTROL, Activity.PASSING, self.side)
            finally:
                traffic.stop(self.side)

    def _settle(self) -> Steps[None]:
        target = self.robot.targets()[self.joints]
        for _ in range(_SETTLE):
            if np.max(np.abs(self.robot.qpos[self.joints] - target)) < _NEAR:
                return
            yield


def _length(path: Array) -> float:
    """The length of a path (n, joints): the greatest travel of a joint (rad), piece by piece."""
    return float(np.sum(np.max(np.abs(np.diff(path, axis=0)), axis=1)))


def _without_ends(rows: Array) -> Array:
    """Rows of joints (n, joints) some distance from the first and the last one."""
    far = [np.max(np.abs(rows - end), axis=1) for end in (rows[0], rows[-1])]
    return np.asarray(rows[(far[0] > _END) & (far[1] > _END)])


def _format_contacts(hits: Sequence[tuple[str, str]]) -> str:
    return "".join(f"; {one} touches {other}" for one, other in hits[:2])
