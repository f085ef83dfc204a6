"""The convex pieces of bodies for collision tests, and their bounding boxes.

FCL, from mplib, tests whether two pieces touch. It is asked only about pairs whose boxes overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from mplib import Pose
from mplib.collision_detection.fcl import (
    Box,
    Capsule,
    CollisionObject,
    Cylinder,
    Sphere,
    collide,
)
from mplib.sapien_utils import SapienPlanningWorld
from sapien.physx import (
    PhysxCollisionShapeBox,
    PhysxCollisionShapeCapsule,
    PhysxCollisionShapeConvexMesh,
    PhysxCollisionShapeCylinder,
    PhysxCollisionShapePlane,
    PhysxCollisionShapeSphere,
)

from treec_sapien.motion.frames import Array, rotation

_FAR = 1e3  # extent of the ground (m)


@dataclass(eq=False)
class ConvexPiece:
    """A convex piece: its body and link, its shape, and its pose on the link.

    ``middle`` and ``half`` are its bounding box in its own frame; ``number`` is its index among the
    link's pieces, in the order in which they were built. The floor ``is_plane``.
    """

    body: str
    link: str
    number: int
    shape: CollisionObject
    local: Array
    middle: Array
    half: Array
    is_plane: bool = False

    def put(self, pose: Array) -> None:
        """Move it to a pose (4, 4)."""
        self.shape.set_pose(Pose(pose))


def solids_of(component: Any, body: str, link: str, padding: float = 0.0) -> list[ConvexPiece]:
    """Return the pieces of a component, enlarged by a padding; meshes and planes stay as they are.

    The axis of a capsule and a cylinder is z here.
    """
    plain = SapienPlanningWorld.convert_physx_component(component)
    if plain is None:
        return []
    out = []
    for number, (shape, object_and_box, pose) in enumerate(
        zip(component.collision_shapes, plain.shapes, plain.shape_poses, strict=True)
    ):
        at = np.array(pose.to_transformation_matrix(), dtype=float)
        solid, middle, half = _pad(shape, at, padding)
        plane = isinstance(shape, PhysxCollisionShapePlane)
        piece = solid or object_and_box
        out.append(ConvexPiece(body, link, number, piece, at, middle, half, plane))
    return out


def touch(one: ConvexPiece, other: ConvexPiece) -> bool:
    """Whether two pieces overlap."""
    return bool(collide(one.shape, other.shape).is_collision())


def boxes(poses: Array, middles: Array, halves: Array) -> tuple[Array, Array]:
    """Return the corners (…, 3) of axis-aligned boxes around boxes at poses (…, 4, 4)."""
    turn = poses[..., :3, :3]
    centre = poses[..., :3, 3] + np.einsum("...ij,...j->...i", turn, middles)
    reach = np.einsum("...ij,...j->...i", np.abs(turn), halves)
    return centre - reach, centre + reach


def _pad(shape: Any, at: Array, by: float) -> tuple[CollisionObject | None, Array, Array]:
    """The padded piece, or None if it stays as it is, and its bounding box."""
    none = np.zeros(3)
    if isinstance(shape, PhysxCollisionShapeBox):
        half = np.asarray(shape.half_size, dtype=float) + by
        return (CollisionObject(Box(side=half * 2)) if by else None), none, half
    if isinstance(shape, PhysxCollisionShapeCylinder):
        radius, length = float(shape.radius) + by, float(shape.half_length) + by
        padded = CollisionObject(Cylinder(radius=radius, lz=length * 2)) if by else None
        return padded, none, np.array([radius, radius, length])
    if isinstance(shape, PhysxCollisionShapeSphere):
        radius = float(shape.radius) + by
        return (CollisionObject(Sphere(radius=radius)) if by else None), none, np.full(3, radius)
    if isinstance(shape, PhysxCollisionShapeCapsule):
        radius, length = float(shape.radius) + by, float(shape.half_length)
        padded = CollisionObject(Capsule(radius=radius, lz=length * 2)) if by else None
        return padded, none, np.array([radius, radius, length + radius])
    if isinstance(shape, PhysxCollisionShapeConvexMesh):
        points = np.asarray(shape.vertices, dtype=float)
        low, high = points.min(axis=0), points.max(axis=0)
        return None, (low + high) / 2, (high - low) / 2
    if isinstance(shape, PhysxCollisionShapePlane):
        return None, *_below(shape)
    return None, none, np.full(3, _FAR)


def _below(plane: Any) -> tuple[Array, Array]:
    """A box for everything below a level plane; for everything, if the plane is tilted."""
    turn = rotation(np.asarray(plane.local_pose.q, dtype=float))
    normal, height = turn[:, 0], float(turn[:, 0] @ np.asarray(plane.local_pose.p, dtype=float))
    if normal[2] < 1 - 1e-6:
        return np.zeros(3), np.full(3, _FAR)
    return np.array([0.0, 0.0, height - _FAR]), np.full(3, _FAR)
