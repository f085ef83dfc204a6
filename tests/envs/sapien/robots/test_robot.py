from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sapien
from mplib.sapien_utils import SapienPlanningWorld

from treec_sapien.check.robots import SHIPPED
from treec_sapien.motion.frames import inverse, matrix
from treec_sapien.robots.describe import load
from treec_sapien.robots.robot import Robot, enable_self_collision

FOLDED = {  # a pose in which links of the robot go through one another
    "panda": {"panda_joint2": 1.7, "panda_joint4": -3.0, "panda_joint6": 3.7},
    "baxter": {"left_s0": -1.6, "left_e1": 1.2, "right_s0": 1.6, "right_e1": 1.2},
    "stretch": {"joint_lift": 0.0, "joint_wrist_yaw": 3.0},
}


def empty_scene() -> Any:
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    scene.set_timestep(1 / 240)
    return scene


def at(robot: Robot, joints: dict[str, float]) -> np.ndarray:
    q = robot.home
    q[robot.indices(joints)] = list(joints.values())
    return q


def planning_world(scene: Any, robot: Robot) -> Any:
    with enable_self_collision([robot]):
        world = SapienPlanningWorld(scene, [robot.articulation])
    robot.allow_overlaps(world.get_allowed_collision_matrix())
    return world


def touching(scene: Any, robot: Robot) -> list[tuple[str, str]]:
    own = {link.entity for link in robot.articulation.links}
    found = []
    for contact in scene.get_contacts():
        one, two = (body.entity for body in contact.bodies)
        pushes = any(np.any(point.impulse) for point in contact.points)
        if pushes and (one in own or two in own):
            found.append((one.name, two.name))
    return found


@pytest.mark.parametrize("kind", SHIPPED)
def test_a_robot_stands_still_where_it_is_put(kind: str) -> None:
    scene = empty_scene()
    robot = load(scene, kind, "R", (1.0, -0.5, 0.2), 90)
    for _ in range(240):
        scene.step()
    assert np.max(np.abs(robot.qpos - robot.home)) < 1e-3
    assert np.allclose(robot.pose.p[:2], [1.0, -0.5])
    first = robot.link(robot.articulation.links[1].name).entity_pose
    assert np.allclose(first.p[:2], [1.0, -0.5], atol=1e-5)
    assert np.isclose(abs(first.q[3]), np.sqrt(0.5), atol=1e-4)


@pytest.mark.parametrize("kind", SHIPPED)
def test_links_pass_through_one_another_in_physics_and_not_in_the_planner(kind: str) -> None:
    scene = empty_scene()
    robot = load(scene, kind, "R")
    world = planning_world(scene, robot)
    model = world.get_planned_articulations()[0]
    assert not world.check_self_collision()
    folded = at(robot, FOLDED[kind])
    model.set_qpos(folded, full=True)
    assert world.check_self_collision()

    robot.put(folded)
    for _ in range(60):
        scene.step()
    assert not touching(scene, robot)
    assert np.max(np.abs(robot.qpos - folded)) < 1e-3


def test_a_planner_that_does_not_know_the_srdf_finds_neighbours_colliding() -> None:
    scene = empty_scene()
    robot = load(scene, "baxter", "R")
    with enable_self_collision([robot]):
        world = SapienPlanningWorld(scene, [robot.articulation])
    assert len(world.check_self_collision()) > 5
    robot.allow_overlaps(world.get_allowed_collision_matrix())
    assert not world.check_self_collision()


def test_two_robots_do_meet_in_physics() -> None:
    scene = empty_scene()
    load(scene, "panda", "one")
    other = load(scene, "panda", "two", (0.05, 0.0, 0.0))
    scene.step()
    assert touching(scene, other)


@pytest.mark.parametrize("kind", SHIPPED)
def test_pads_are_as_far_apart_as_the_gripper_says_and_the_tool_point_is_between_them(
    kind: str,
) -> None:
    scene = empty_scene()
    robot = load(scene, kind, "R")
    for arm in robot.arms.values():
        for width in (arm.gripper.opening[0], 0.03, arm.gripper.opening[1]):
            targets = arm.gripper.targets(width)
            assert arm.gripper.width(*targets) == pytest.approx(width)
            robot.put(at(robot, dict(zip(arm.gripper.joints, targets, strict=True))))
            tool = inverse(matrix(robot.link(arm.tcp).entity_pose))
            faces = [_face(robot, links, tool) for links in arm.gripper.links]
            assert faces[0] == pytest.approx(width / 2, abs=6e-4)
            assert faces[1] == pytest.approx(-width / 2, abs=6e-4)


def _face(robot: Robot, links: tuple[str, ...], tool: np.ndarray) -> float:
    """Where a finger's face is on the line on which the fingers close, in the tool's frame."""
    sides = []
    for name in links:
        link = robot.link(name)
        for shape in link.collision_shapes:
            pose = tool @ matrix(link.entity_pose) @ matrix(shape.local_pose)
            if abs(pose[2, 3]) > 0.03:
                continue  # not beside the tool point
            half = np.abs(pose[1, :3]) @ shape.half_size
            sides.append((pose[1, 3] - half, pose[1, 3] + half))
    low, high = min(s[0] for s in sides), max(s[1] for s in sides)
    return low if low + high > 0 else high


@pytest.mark.parametrize("kind", SHIPPED)
def test_fingers_rub_well(kind: str) -> None:
    scene = empty_scene()
    robot = load(scene, kind, "R")
    for arm in robot.arms.values():
        for name in (name for links in arm.gripper.links for name in links):
            for shape in robot.link(name).collision_shapes:
                assert shape.physical_material.static_friction == pytest.approx(2.0)
                assert shape.patch_radius == pytest.approx(0.1)


@pytest.mark.parametrize("kind", ["baxter", "stretch"])
def test_a_base_drives_in_the_plane_and_clears_the_floor(kind: str) -> None:
    scene = empty_scene()
    scene.add_ground(0.0, render=False)
    robot = load(scene, kind, "R")
    robot.drive_to(robot.base_joints, [0.2, -0.1, 0.5])
    for _ in range(480):
        scene.step()
    base = robot.qpos[robot.indices(robot.base_joints)]
    assert np.allclose(base, [0.2, -0.1, 0.5], atol=0.01)
    assert not touching(scene, robot)


def test_held_joints_stay_where_they_are() -> None:
    scene = empty_scene()
    robot = load(scene, "panda", "R")
    robot.drive_to(["panda_joint1"], [1.0])
    for _ in range(48):
        scene.step()
    robot.hold()
    here = robot.qpos
    for _ in range(120):
        scene.step()
    assert 0.05 < here[0] < 0.95
    assert np.max(np.abs(robot.qpos - here)) < 0.05


def test_there_is_no_other_robot() -> None:
    with pytest.raises(ValueError, match="unknown robot 'pander'; known: baxter, panda, stretch"):
        load(empty_scene(), "pander", "R")
