"""Bodies in SAPIEN: collision shapes, masses, joints and friction, without visuals.

A free body without joints becomes a dynamic actor, a fixed one a static actor, and one with joints
an articulation. Collision shapes alone need no rendering device.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sapien

from treec_sapien.bodies.materials import MATERIALS
from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.bodies.spec import Body, BodyLink, Joint, Shape

PATCH = 0.02
"""Radius (m) of the contact patch that resists twisting; a point contact would not resist."""

FASTEST_OUT = 3.0
"""Largest speed (m/s) at which overlapping bodies are pushed apart.

PhysX has no limit of its own and occasionally finds an overlap where there is none: a pot at rest
was 36 cm away a 60th of a second later.
"""

ROLLING, ROCKING, SLENDER = 0.5, 8.0, 2.5
"""Angular damping (1/s): it stops what rolls, as with real apples; and what stands on its rim and
is so many times as high as wide. PhysX gives a bottle energy that rocks on its rim, which a real
one loses: of 16 that leaned by 0.5° to 6°, 8 fell within 5 s at 0.5/s, and none at 8/s.
"""

_UPRIGHT = Pose(q=turn((0.0, 1.0, 0.0), -90.0))
"""From SAPIEN's cylinder, aligned with x, to ours, aligned with z."""

_LOAD = 1.15 * 9.81
"""Load on a joint (N) for each kg on it; measured at our doors, 15 % above the weight."""

_TYPES = {"hinge": "revolute", "slide": "prismatic"}


@dataclass
class BuiltBody:
    """A body in a scene: its links and joints by name, and its articulation if it has joints."""

    name: str
    body: Body
    entity: Any
    """The root's `sapien.Entity`."""
    articulation: Any = None
    links: dict[str, Any] = field(default_factory=dict)
    """The physical component of each link."""
    joints: dict[str, Any] = field(default_factory=dict)

    def position(self, joint: str) -> float:
        """Return a joint's position: rad or m."""
        index = list(self.joints).index(joint)
        return float(self.articulation.qpos[index])

    def pose(self, link: str = "body") -> Pose:
        """Return a link's pose in the world."""
        return from_sapien(self.links[link].entity.pose)


def to_sapien(pose: Pose) -> sapien.Pose:
    """Convert our pose to SAPIEN's."""
    return sapien.Pose(p=list(pose.p), q=list(pose.q))


def from_sapien(pose: sapien.Pose) -> Pose:
    """Convert SAPIEN's pose to ours."""
    px, py, pz = (float(x) for x in pose.p)
    qw, qx, qy, qz = (float(x) for x in pose.q)
    return Pose((px, py, pz), (qw, qx, qy, qz))


def build(scene: sapien.Scene, body: Body, name: str, pose: Pose) -> BuiltBody:
    """Add a body to a scene, its base's middle at ``pose``."""
    if body.joints:
        return _articulation(scene, body, name, pose)
    builder = scene.create_actor_builder()
    _shapes(builder, body.links[0])
    builder.initial_pose = to_sapien(pose)
    entity = builder.build_static(name) if body.fixed else builder.build(name)
    kind = (
        sapien.physx.PhysxRigidStaticComponent
        if body.fixed
        else sapien.physx.PhysxRigidDynamicComponent
    )
    component = entity.find_component_by_type(kind)
    if not body.fixed:
        component.linear_damping = 0.1
        component.angular_damping = ROCKING if _is_slender(body.links[0]) else ROLLING
        component.max_depenetration_velocity = FASTEST_OUT
    return BuiltBody(name, body, entity, links={body.links[0].name: component})


def build_all(scene: sapien.Scene, placed: Mapping[str, Any]) -> dict[str, BuiltBody]:
    """Add all bodies of a layout (`envs.bodies.scene.Layout.bodies`) to a scene, in order."""
    return {name: build(scene, it.body, name, it.pose) for name, it in placed.items()}


def ground(scene: sapien.Scene) -> None:
    """Add the floor at z = 0."""
    scene.add_ground(0.0, render=False, material=_material("stone"))


def _articulation(scene: sapien.Scene, body: Body, name: str, pose: Pose) -> BuiltBody:
    builder = scene.create_articulation_builder()
    made: dict[str, Any] = {}
    by_child = {joint.child: joint for joint in body.joints}
    for link in body.links:
        joint = by_child.get(link.name)
        one = builder.create_link_builder(made[joint.parent] if joint else None)
        one.set_name(link.name)
        _shapes(one, link)
        if joint is not None:
            one.set_joint_name(joint.name)
            frame = to_sapien(joint.pose)
            one.set_joint_properties(_TYPES[joint.kind], [list(joint.limits)], frame, frame)
        made[link.name] = one
    builder.initial_pose = to_sapien(pose)
    articulation = builder.build(fix_root_link=body.fixed)
    articulation.name = name
    links = {link.name: link for link in articulation.links}
    joints = {joint.name: joint for joint in articulation.active_joints}
    for joint in body.joints:
        _resist(joints[joint.name], joint, float(links[joint.child].mass))
    start = {joint.name: joint.start for joint in body.joints}
    articulation.qpos = [start[name] for name in joints]
    return BuiltBody(name, body, articulation.root.entity, articulation, links, joints)


def _resist(drive_joint: Any, joint: Joint, mass: float) -> None:
    # PhysX takes friction as a fraction of the joint's load: the weight and a door's moment.
    drive_joint.set_friction(joint.friction / (_LOAD * mass))
    drive_joint.set_drive_properties(joint.spring, joint.damping)
    drive_joint.set_drive_target(joint.rest)
    drive_joint.set_armature(
        [0.001]
    )  # without some inertia, rounding makes light doors unstable in PhysX


def _shapes(builder: Any, link: BodyLink) -> None:
    scale = 1.0
    if link.mass is not None:
        scale = link.mass / sum(volume(shape) * shape.density for shape in link.shapes)
    for shape in link.shapes:
        options = {
            "material": _material(shape.material),
            "density": shape.density * scale,
            "patch_radius": PATCH,
        }
        pose = shape.pose
        if shape.kind == "box":
            builder.add_box_collision(to_sapien(pose), list(shape.half_size), **options)
        elif shape.kind == "sphere":
            builder.add_sphere_collision(to_sapien(pose), shape.radius, **options)
        else:
            pose = pose @ _UPRIGHT
            builder.add_cylinder_collision(
                to_sapien(pose), shape.radius, shape.half_length, **options
            )


def _is_slender(link: BodyLink) -> bool:
    """Whether a round thing is so high, as it stands, that it rocks on its rim for long."""
    round_ones = [it for it in link.shapes if it.kind == "cylinder"]
    if len(round_ones) < len(link.shapes) or any(it.pose.q[0] ** 2 < 0.99 for it in round_ones):
        return False
    high = max(it.pose.p[2] + it.half_length for it in round_ones)
    return high > SLENDER * 2.0 * max(it.radius for it in round_ones)


def volume(shape: Shape) -> float:
    """Return the volume of a shape, m³."""
    if shape.kind == "box":
        x, y, z = shape.half_size
        return 8.0 * x * y * z
    if shape.kind == "sphere":
        return 4.0 / 3.0 * math.pi * shape.radius**3
    return 2.0 * math.pi * shape.radius**2 * shape.half_length


def _material(name: str) -> Any:
    """A material for each shape: SAPIEN does not share equal ones."""
    it = MATERIALS[name]
    return sapien.physx.PhysxMaterial(it.static, it.dynamic, it.restitution)
