"""A robot in a physics scene, and :func:`place`, which puts one there.

In physics a robot does not collide with itself: the hulls of neighbouring links overlap in every
one of these models and would blow it apart. All its shapes share one bit in ``collision_groups[2]``
and an id of their own in ``collision_groups[3]`` (so that two robots do collide). A planning world
is built inside :func:`enable_self_collision`, where that bit is off; :meth:`Robot.allow_overlaps`
then tells it which of the robot's links may overlap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import sapien
from sapien.wrapper.urdf_loader import URDFLoader

from treec_sapien.robots.description import ArmDescription, Description

Vector = npt.NDArray[np.float64]

_OWN_BIT = 1 << 31  # in collision_groups[2]: shapes that share it do not collide
_FINGER_FRICTION = 2.0
_FINGER_PATCH = 0.1  # radius of the contact patch (m): fingers resist twisting, not only sliding
_base_ids = 1000  # robots' ids in collision_groups[3] begin above all others


@dataclass(frozen=True)
class Robot:
    """A loaded robot: its articulation, whose root is the scene's origin, and its description.

    ``articulation.qpos`` is in the order of :attr:`joints`. ``base`` is empty or the names of the
    planar base's joints x, y and yaw, which are measured from ``pose``.
    """

    name: str
    kind: str
    articulation: Any  # sapien.physx.PhysxArticulation
    description: Description
    pose: Any  # sapien.Pose: where it stands, that is where its base joints are 0

    @property
    def arms(self) -> Mapping[str, ArmDescription]:
        """The arms by side: ``arm``, or ``left`` and ``right``."""
        return self.description.arms

    @property
    def base_joints(self) -> tuple[str, ...]:
        """The planar base's joints x, y and yaw; empty for a fixed base."""
        return self.description.base

    @property
    def srdf_pairs(self) -> frozenset[frozenset[str]]:
        """Pairs of links that may overlap."""
        return self.description.disabled

    @property
    def urdf(self) -> Path:
        """The adapted model file."""
        return self.description.urdf

    @cached_property
    def active(self) -> tuple[Any, ...]:
        """The movable joints themselves, in the order of qpos."""
        return tuple(self.articulation.active_joints)

    @cached_property
    def links(self) -> tuple[Any, ...]:
        """All of its links (PhysxArticulationLinkComponent)."""
        return tuple(self.articulation.links)

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """The movable joints' names, in the order of qpos."""
        return tuple(joint.name for joint in self.active)

    @cached_property
    def _order(self) -> Mapping[str, int]:
        """The index in qpos of each movable joint."""
        return {name: at for at, name in enumerate(self.joints)}

    @property
    def home(self) -> Vector:
        """The resting configuration as a whole qpos: base as placed, fingers open."""
        rest = self.description.home
        return np.array([rest.get(name, 0.0) for name in self.joints])

    @property
    def qpos(self) -> Vector:
        """The present joint positions."""
        return np.asarray(self.articulation.qpos, dtype=np.float64)

    def indices(self, joints: Iterable[str]) -> npt.NDArray[np.intp]:
        """Return the indices of these joints in qpos."""
        return np.array([self._order[name] for name in joints], dtype=np.intp)

    def link(self, name: str) -> Any:
        """Return the link of that name (a PhysxArticulationLinkComponent)."""
        return self.articulation.find_link_by_name(name)

    def joint(self, name: str) -> Any:
        """Return the joint of that name (a PhysxArticulationJoint)."""
        at = self._order.get(name)
        return self.articulation.find_joint_by_name(name) if at is None else self.active[at]

    def drive_to(self, joints: Sequence[str], targets: Sequence[float] | Vector) -> None:
        """Set the drive targets of these joints."""
        for name, target in zip(joints, targets, strict=True):
            self.joint(name).set_drive_target(float(target))

    def targets(self) -> Vector:
        """Return the drive targets, in the order of qpos."""
        return np.array([joint.drive_target[0] for joint in self.active])

    def hold(self, joints: Iterable[str] | None = None) -> None:
        """Hold the present positions: set them as drive targets."""
        at = self.qpos
        names = set(self.joints if joints is None else joints)
        for value, joint in zip(at, self.active, strict=True):
            if joint.name in names:
                joint.set_drive_target(float(value))
                joint.set_drive_velocity_target(0.0)

    def put(self, qpos: Sequence[float] | Vector) -> None:
        """Set ``qpos`` at once, at rest, and drive targets to stay there."""
        value = np.asarray(qpos, dtype=np.float64)
        self.articulation.set_qpos(value.astype(np.float32))
        self.articulation.set_qvel(np.zeros(len(value), dtype=np.float32))
        self.drive_to(self.joints, value)

    def allow_overlaps(self, matrix: Any) -> None:
        """Mark the links that may overlap in a planning world's allowed-collision matrix."""
        for pair in self.srdf_pairs:
            first, second = sorted(pair)
            matrix.set_entry(first, second, True)

    def set_self_collision(self, on: bool) -> None:
        """Set whether its shapes collide with each other: never in physics, always in a planner."""
        for link in self.articulation.links:
            for shape in link.collision_shapes:
                groups = list(shape.collision_groups)
                groups[2] = groups[2] & ~_OWN_BIT if on else groups[2] | _OWN_BIT
                shape.set_collision_groups(groups)


@contextmanager
def enable_self_collision(robots: Iterable[Robot]) -> Iterator[None]:
    """Enable self-collision of robots while a planning world is built."""
    all_robots = tuple(robots)
    for robot in all_robots:
        robot.set_self_collision(True)
    try:
        yield
    finally:
        for robot in all_robots:
            robot.set_self_collision(False)


def place(
    scene: Any,
    known: Description,
    name: str,
    pose: Sequence[float] = (0.0, 0.0, 0.0),
    yaw: float = 0.0,
) -> Robot:
    """Add a robot with this description to ``scene``."""
    loader = URDFLoader()
    loader.fix_root_link = True
    loader.set_scene(scene)
    for arm in known.arms.values():
        for link in (link for links in arm.gripper.links for link in links):
            loader.set_link_material(link, _FINGER_FRICTION, _FINGER_FRICTION, 0.0)
            loader.set_link_patch_radius(link, _FINGER_PATCH)
            loader.set_link_min_patch_radius(link, _FINGER_PATCH)
    half = math.radians(yaw) / 2
    stands = sapien.Pose(
        [pose[0], pose[1], pose[2] + known.lift], [math.cos(half), 0.0, 0.0, math.sin(half)]
    )
    builder = loader.load_file_as_articulation_builder(str(known.urdf))
    footing = next(link for link in builder.link_builders if link.parent is not None)
    footing.joint_record.pose_in_parent = stands * footing.joint_record.pose_in_parent
    articulation = builder.build()
    articulation.name = name
    number = _base_ids + len(scene.get_all_articulations())
    for link in articulation.links:
        link.disable_gravity = True
        for shape in link.collision_shapes:
            groups = list(shape.collision_groups)
            shape.set_collision_groups([groups[0], groups[1], _OWN_BIT, number])
    for joint in articulation.active_joints:
        drive = known.drives[joint.name]
        joint.set_drive_properties(drive.stiffness, drive.damping, drive.force)
        joint.set_armature([drive.armature])
        joint.set_friction(0.0)
    robot = Robot(name, known.kind, articulation, known, stands)
    robot.put(robot.home)
    return robot
