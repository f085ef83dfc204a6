"""A robot from a file that does not ship: a torso on a base, an arm, a gripper mounted on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sapien
import trimesh

from treec_sapien.agent_arms import crew
from treec_sapien.build import ground
from treec_sapien.motion.motion import Motion
from treec_sapien.motion.reach import ReachSolution, through
from treec_sapien.robots.definition import RobotDefinition
from treec_sapien.robots.describe import describe, load
from treec_sapien.robots.files import RobotFile
from treec_sapien.robots.reach import reach_of
from treec_sapien.robots.robot import Robot

_LIMIT = '<limit lower="-2" upper="2"/>'
ARM = f"""<robot name="arm">
  <link name="foot"><collision><geometry><box size="0.3 0.3 0.2"/></geometry></collision></link>
  <link name="torso"/><link name="upper"/><link name="lower"/>
  <link name="wrist"><collision><geometry>
    <mesh filename="wedge.stl" scale="1 -1 2"/></geometry></collision></link>
  <joint name="lift" type="prismatic"><parent link="foot"/><child link="torso"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/><limit lower="0" upper="0.5"/></joint>
  <joint name="pan" type="continuous"><parent link="torso"/><child link="upper"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>{_LIMIT}</joint>
  <joint name="bend" type="revolute"><parent link="lower"/><child link="wrist"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>{_LIMIT}</joint>
  <joint name="wheel" type="continuous"><parent link="foot"/><child link="wheel"/></joint>
  <link name="wheel"/>
</robot>"""
GRIPPER = """<robot name="gripper"><link name="palm"/>
  <link name="l"><collision><geometry><box size="0.02 0.01 0.04"/></geometry></collision></link>
  <link name="r"><collision><geometry><box size="0.02 0.01 0.04"/></geometry></collision></link>
  <joint name="l" type="prismatic"><parent link="palm"/><child link="l"/>
    <origin xyz="0 0.005 0.1"/><axis xyz="0 1 0"/><limit lower="0" upper="0.03"/></joint>
  <joint name="r" type="prismatic"><parent link="palm"/><child link="r"/>
    <origin xyz="0 -0.005 0.1"/><axis xyz="0 -1 0"/><limit lower="0" upper="0.03"/></joint>
</robot>"""
FILE: dict[str, Any] = {
    "robot": "lifter",
    "about": "A torso on wheels with an arm.",
    "urdf": "arm.urdf",
    "mounts": [{"urdf": "gripper.urdf", "link": "wrist", "prefix": "my_"}],
    "base": {"stands": [{"radius": 0.2, "high": 0.2}]},
    "home": {"lift": 0.1},
    "arms": {
        "arm": {
            "joints": ["pan", "elbow", "bend"],
            "home": [0.0, 0.5, 1.0],
            "tool": {"link": "my_palm", "xyz": [0, 0, 0.1]},
            "gripper": {
                "fingers": [{"joint": "my_l", "open": 0.03}, {"joint": "my_r", "open": 0.03}],
                "opening": [0.0, 0.06],
            },
        }
    },
}


@pytest.fixture(scope="module")
def definition(tmp_path_factory: pytest.TempPathFactory) -> RobotDefinition:
    folder = tmp_path_factory.mktemp("robot")
    (folder / "arm.urdf").write_text(ARM, "utf-8")
    (folder / "gripper.urdf").write_text(GRIPPER, "utf-8")
    corners = [[0, 0, 0], [0.05, 0, 0], [0, 0.03, 0], [0, 0, 0.02]]
    hull = trimesh.Trimesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    (folder / "wedge.stl").write_bytes(hull.export(file_type="stl"))
    return RobotDefinition(RobotFile.model_validate(FILE), folder)


@pytest.fixture
def scene() -> Any:
    made = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    made.set_timestep(1 / 240)
    return made


@pytest.fixture
def robot(scene: Any, definition: RobotDefinition) -> Robot:
    return load(scene, definition, "lifter")


def test_what_nothing_names_is_fixed_and_what_home_names_stays(robot: Robot) -> None:
    moving = {"base_x", "base_y", "base_yaw", "lift", "pan", "elbow", "bend", "my_l", "my_r"}
    assert set(robot.joints) == moving
    assert dict(zip(robot.joints, robot.home, strict=True))["lift"] == pytest.approx(0.1)
    assert robot.arms["arm"].hand == "my_palm"


def test_a_mirrored_mesh_is_a_scaled_hull(robot: Robot) -> None:
    (shape,) = robot.link("wrist").collision_shapes
    vertices = np.asarray(shape.vertices) * np.asarray(shape.scale)
    assert np.allclose(vertices.min(axis=0), [0.0, -0.03, 0.0], atol=1e-5)
    assert np.allclose(vertices.max(axis=0), [0.05, 0.0, 0.04], atol=1e-5)


def test_its_reach_comes_from_the_model(definition: RobotDefinition) -> None:
    reach = reach_of(definition)
    assert reach is not None
    assert reach.shoulder == pytest.approx(0.6)
    assert reach.far == pytest.approx(0.6)  # straight up: 0.1 to the elbow, 0.4, and the hand
    assert reach.moves


def test_the_base_rides_along_below_a_torso_that_stays(scene: Any, robot: Robot) -> None:
    arm = Motion(scene, robot, lambda: 0.0).arms["arm"]
    now = robot.home[robot.indices(arm.chain.names)]
    rows = np.repeat(now[None], 4, axis=0)
    rows[:, arm.chain.names.index("base_x")] = [0.0, 0.01, 0.02, 0.03]
    way = through([np.eye(4), np.eye(4)], [3])
    for _ in arm.go_row(ReachSolution(way, rows, None, 1.0, 0.0, rides=True), rows):
        for _ in range(4):
            scene.step()
    at = dict(zip(robot.joints, robot.qpos, strict=True))
    assert at["base_x"] == pytest.approx(0.03, abs=2e-3)
    assert at["lift"] == pytest.approx(0.1, abs=2e-3)


def test_it_drives_to_a_spot_of_the_scene(scene: Any, definition: RobotDefinition) -> None:
    robot = load(scene, definition, "lifter", (1.0, 0.5, 0.0), 90)
    base = Motion(scene, robot, lambda: 0.0).base
    assert base.radius == 0.2
    spot = np.array([1.3, 0.2, np.radians(-150)])
    for _ in base.drive_to_one([spot], np.random.default_rng(1)):
        for _ in range(4):
            scene.step()
    assert np.allclose(base.spot()[:2], spot[:2], atol=0.01)
    assert np.isclose(np.cos(base.spot()[2] - spot[2]), 1.0, atol=1e-3)


def test_wheels_may_touch_the_floor_and_hands_may_not(
    scene: Any, definition: RobotDefinition
) -> None:
    ground(scene)
    robot = load(scene, definition, "lifter", (0.0, 0.0, -0.5))
    space = Motion(scene, robot, lambda: 0.0).space
    q = robot.home.copy()
    q[robot.indices(["base_x", "elbow", "bend"])] = [0.4, 0.0, 0.0]
    assert space.free(q)
    q[robot.indices(["elbow", "bend"])] = [2.0, 1.0]
    assert {pair.partition("/")[2] for pair, _ in space.contacts(q)} >= {"my_l", "my_r"}


def test_two_robots_of_one_file_have_names_of_their_own(
    scene: Any, definition: RobotDefinition
) -> None:
    body = {"robot": definition, "side": "arm", "pose": [0, 0, 0]}
    hands = crew(scene, {"A": {"body": body}, "B": {"body": {**body, "pose": [2, 0, 0]}}})
    assert {name: it.robot.name for name, it in hands.items()} == {"A": "lifter", "B": "B"}


def test_a_model_that_was_changed_is_described_anew(definition: RobotDefinition) -> None:
    first = describe(definition)
    assert describe(definition) is first
    file = definition.folder / "gripper.urdf"
    file.write_text(GRIPPER.replace('upper="0.03"', 'upper="0.031"'), "utf-8")
    assert describe(definition).urdf != first.urdf
    file.write_text(GRIPPER.replace('upper="0.03"', 'upper="0.01"'), "utf-8")
    with pytest.raises(ValueError, match=r"gripper.fingers.0.open: 'my_l' cannot be at 0.03"):
        describe(definition)
    (definition.folder / "gripper.urdf").write_text(GRIPPER, "utf-8")
