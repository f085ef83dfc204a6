"""Base poses from which wishes are within reach, and driving there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion import rrt
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.motion.timing import CONTROL, time_parametrize

if TYPE_CHECKING:
    from treec_sapien.motion.arm import Steps
    from treec_sapien.motion.base import ReachWish
    from treec_sapien.motion.motion import Motion

_MAX_PLACES = 24  # base poses for which arms are solved
_MAX_SAMPLES = 600  # samples drawn to find those
_SAME = (0.15, 0.2)  # base poses nearer than this (m, rad) count as the same
_LONG, _STEP = 360, 12  # control steps that the base may wait for arms, and between two tries
_SLOWLY = 0.4  # pace of a careful drive in narrow space
_LEVEL = 0.3  # horizontal part of a hand's approach below which it comes from above
_ASIDE = 0.25  # distance (m) of a shoulder from the robot's middle
_REACH = 1.1  # distance (m) of a target from a shoulder beyond which no arm reaches


def places_for(motion: Motion, wishes: Sequence[ReachWish], rng: np.random.Generator) -> Array:
    """Return base poses (n, 3) from which the wishes may be in reach and the resting robot is free.

    A third keeps nearly the present heading, a third faces the way in which the hand comes, and a
    third faces anywhere: the robot may stand turned away from what it needs next. For two arms half
    of them stand in front of both targets, each target on the side of its arm; all are near enough
    for both.
    """
    space, robot = motion.space, motion.robot
    base = robot.indices(robot.base_joints)
    q = motion.rest_configuration()
    now = q[base].copy()
    root = inverse(matrix(robot.pose))
    tools = np.stack(
        [root @ reach.way[reach.marks[reach.pivot]] for wish in wishes for reach in wish.reaches]
    )
    own = _tools_by_side(root, wishes)
    sides = set(own)
    aside = 0.0 if len(sides) > 1 else {"left": _ASIDE, "right": -_ASIDE}.get(min(sides), 0.0)
    out: list[Array] = []
    for number in range(_MAX_SAMPLES):
        if len(sides) > 1 and number % 2:
            one = _before_both(own, now[2], rng)
        else:
            tool = tools[rng.integers(len(tools))]
            yaw = _heading(tool, now[2], number // len(sides), rng)
            ahead = rng.uniform(0.45, 1.1)
            left = aside * rng.uniform(0.0, 2.0) + rng.normal(0.0, 0.12)
            one = base_pose_facing(tool[:2, 3], yaw, ahead, left)
        if len(sides) > 1 and not _are_near(one, own):
            continue
        q[base] = one
        if space.free(q, roomy=True):
            out.append(one)
            if len(out) >= _MAX_PLACES:
                break
    return np.array(out).reshape(-1, 3)


def _tools_by_side(root: Array, wishes: Sequence[ReachWish]) -> dict[str, Array]:
    """Side of an arm → where its tool may go (n, x and y), in the frame of the base's joints."""
    by_side: dict[str, list[Array]] = {}
    for wish in wishes:
        for reach in wish.reaches:
            place = (root @ reach.way[reach.marks[reach.pivot]])[:2, 3]
            by_side.setdefault(wish.arm.side, []).append(place)
    return {side: np.stack(places) for side, places in by_side.items()}


def _before_both(own: Mapping[str, Array], now: float, rng: np.random.Generator) -> Array:
    """Return a base pose in front of a target of the left arm and one of the right arm."""
    left, right = (own[side][rng.integers(len(own[side]))] for side in ("left", "right"))
    across = left - right
    yaw = float(np.arctan2(-across[0], across[1]) + rng.normal(0.0, 0.35))
    yaw = now + float(np.arctan2(np.sin(yaw - now), np.cos(yaw - now)))  # the shorter turn
    ahead, aside = rng.uniform(0.4, 1.0), rng.normal(0.0, 0.12)
    return base_pose_facing((left + right) / 2, yaw, ahead, aside)


def _are_near(place: Array, own: Mapping[str, Array]) -> bool:
    """Whether each arm has a target near its shoulder if the base is there."""
    cosine, sine = np.cos(place[2]), np.sin(place[2])
    for side, targets in own.items():
        aside = _ASIDE if side == "left" else -_ASIDE
        shoulder = place[:2] + np.array([-sine * aside, cosine * aside])
        if np.min(np.linalg.norm(targets - shoulder, axis=1)) > _REACH:
            return False
    return True


def _heading(tool: Array, now: float, number: int, rng: np.random.Generator) -> float:
    """A base's heading to try: in turn near ``now``, as the hand approaches, and anywhere."""
    level = tool[:2, 2]
    if number % 3 == 0:
        return now + float(rng.normal(0.0, 0.3))
    if number % 3 == 1 and np.linalg.norm(level) > _LEVEL:
        yaw = float(np.arctan2(level[1], level[0]) + rng.normal(0.0, 0.5))
        return now + float(np.arctan2(np.sin(yaw - now), np.cos(yaw - now)))  # the shorter turn
    return now + float(rng.uniform(-np.pi, np.pi))


def base_pose_facing(target: Array, yaw: float, ahead: float, left: float) -> Array:
    """Return the base pose (x, y, yaw) with a target (x, y; m) this far ahead and to the left."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    spot = target - np.array([cosine * ahead - sine * left, sine * ahead + cosine * left])
    return np.array([*spot, yaw])


def is_near_any(place: Array, others: Sequence[Array]) -> bool:
    """Whether a base pose is close to one of the others."""
    gaps = [np.abs(place - one) for one in others]
    return any(np.hypot(*gap[:2]) < _SAME[0] and gap[2] < _SAME[1] for gap in gaps)


def find_path(
    motion: Motion, place: Array, rng: np.random.Generator, *, careful: bool = False
) -> Array | None:
    """Return the base's rows on its way to a base pose, one a control step; None without a way."""
    robot = motion.robot
    base = robot.indices(robot.base_joints)
    q = motion.traffic.with_others_at_rest("base", robot.qpos)
    now = q[base].copy()
    margin = np.array([1.0, 1.0, 0.8])
    low, high = np.minimum(now, place) - margin, np.maximum(now, place) + margin
    about = robot.description
    limits = np.array(about.base_velocity), np.array(about.base_acceleration)
    for roomy in (True, False):

        def free(at: Array, roomy: bool = roomy) -> bool:
            whole = np.repeat(q[None], len(at), axis=0)
            whole[:, base] = at
            return motion.space.all_free(whole, roomy=roomy)

        with motion.space.ignore_contacts(robot.qpos):
            gap = rrt.CHECK / 2 if careful else rrt.CHECK
            path = rrt.connect(
                free, now, [place], lambda g: np.asarray(g.uniform(low, high)), rng, gap=gap
            )
            if path is None:
                continue
            pace = _SLOWLY if careful and not roomy else 1.0
            rows = time_parametrize(path, *limits, pace=pace)
            if careful and not free(rows):
                rows = time_parametrize(path, *limits, pace=pace, exact=True)
            return rows
    return None


def drive(
    motion: Motion, place: Array, rng: np.random.Generator, *, careful: bool = False
) -> Steps[None]:
    """Drive to a base pose around obstacles, turning on the way. Raises Failed("blocked").

    Arms that are under way by themselves go on; the base sets out when all will be free.

    A ``careful`` drive, with something wide between two hands, is tested twice as finely, including
    its rounded corners, and goes slowly in narrow space.
    """
    robot = motion.robot
    motion.space.update()
    base = robot.indices(robot.base_joints)
    traffic = motion.traffic
    rows = find_path(motion, place, rng, careful=careful)
    if rows is None:
        raise MotionFailure("blocked", "no path for the base")
    if traffic.others("base"):
        with motion.space.ignore_contacts(robot.qpos):
            wait = traffic.wait(
                "base", robot.qpos, base, rows, motion.space.all_free, range(0, _LONG, _STEP)
            )
        if wait is None:
            wait = max(course.until for course in traffic.others("base")) - traffic.step
        yield from motion.pause(wait * CONTROL)
    yield from motion.follow("base", base, rows)
    for _ in range(30):
        if np.max(np.abs(robot.qpos[base] - place)) < 0.005:
            return
        yield
