"""Base poses to work from: also when the robot is turned away from what it needs next."""

from __future__ import annotations

import numpy as np

from tests.envs.dual_kitchen.room import room
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.base_poses import places_for
from treec_sapien.motion.frames import Array, compose, matrix
from treec_sapien.motion.reach import through

TURN = 2.1  # rad: nearly away from it


def test_a_robot_that_is_turned_away_finds_places_that_face_as_the_hand_comes() -> None:
    kitchen = room({"bowl": {"pose": [0.0, 0.6, 0.8], "body": {"kind": "bowl"}}})
    arm = kitchen.arm("left")
    robot = arm.robot
    pose = compose(_facing(np.array([0.0, 1.0, 0.0])), np.array([0.0, 0.6, 0.8]))
    wish = ReachWish(arm, [through([pose, pose], [1])])
    faces = 0
    for seed in range(4):
        qpos = robot.qpos
        qpos[robot.indices(robot.base_joints)] = [0.0, 0.0, TURN]
        robot.articulation.qpos = qpos
        arm.motion.space.update()
        for place in places_for(arm.motion, [wish], np.random.default_rng(seed)):
            heading = (place[2] + np.pi) % (2 * np.pi) - np.pi  # the robot's x is the scene's y
            faces += abs(heading) < 0.7
    assert faces > 4 * 24 / 4


def test_places_for_two_arms_stand_before_both_targets() -> None:
    kitchen = room({"bowl": {"pose": [0.0, 0.6, 0.8], "body": {"kind": "bowl"}}})
    arms = {side: kitchen.arm(side) for side in ("left", "right")}
    motion = arms["left"].motion
    spots = {"left": np.array([-0.35, 0.6, 0.8]), "right": np.array([0.35, 0.6, 0.8])}
    poses = {side: compose(_facing(np.array([0.0, 1.0, 0.0])), spots[side]) for side in arms}
    wishes = [ReachWish(arm, [through([poses[s], poses[s]], [1])]) for s, arm in arms.items()]
    root = np.linalg.inv(matrix(motion.robot.pose))
    sides = near = 0
    for place in (found := places_for(motion, wishes, np.random.default_rng(0))):
        turn = np.array(
            [[np.cos(place[2]), np.sin(place[2])], [-np.sin(place[2]), np.cos(place[2])]]
        )
        seen = {s: turn @ ((root @ [*spots[s], 1.0])[:2] - place[:2]) for s in spots}
        near += all(
            np.hypot(*(seen[s] - [0.0, 0.25 if s == "left" else -0.25])) < 1.1 + 1e-6 for s in spots
        )
        sides += seen["left"][1] > seen["right"][1]  # none has to cross the other
    assert near == len(found) == 24
    assert sides > 24 / 2


def _facing(forward: Array) -> Array:
    """The rotation of a level hand that points there."""
    closing = np.cross(np.array([0.0, 0.0, 1.0]), forward)
    return np.stack([np.cross(closing, forward), closing, forward], axis=1)
