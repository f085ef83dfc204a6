"""Base poses to work from: also when the robot is turned away from what it needs next."""

from __future__ import annotations

import numpy as np

from tests.envs.dual_kitchen.room import room
from treec.envs.sapien.motion.base import ReachWish
from treec.envs.sapien.motion.frames import Array, compose
from treec.envs.sapien.motion.places import places_for
from treec.envs.sapien.motion.reach import through

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


def _facing(forward: Array) -> Array:
    """The rotation of a level hand that points there."""
    closing = np.cross(np.array([0.0, 0.0, 1.0]), forward)
    return np.stack([np.cross(closing, forward), closing, forward], axis=1)
