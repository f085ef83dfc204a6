"""Robots in pictures: the collision geometry of the agents' robots at rest.

SAPIEN reads the robot models; without it, pictures have no robots.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from treec_sapien.bodies.picture.mesh import Mesh, from_triangles, triangles
from treec_sapien.bodies.spec import Shape

_LIGHT, _DARK = (0.88, 0.88, 0.86, 1.0), (0.40, 0.42, 0.46, 1.0)
"""Every third link is dark so that joints are visible."""


def robots(agents: Mapping[str, Mapping[str, Any]]) -> list[Mesh]:
    """Return the meshes of the agents' robots; none without SAPIEN."""
    if not agents or find_spec("sapien") is None:
        return []
    from treec_sapien.agent_arms import (
        crew,  # imported first: it silences SAPIEN's warning about a missing display
    )

    sapien = import_module("sapien")

    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    hands = crew(scene, {name: {"body": body} for name, body in agents.items()})
    once = {id(hand.robot): hand.robot for hand in hands.values()}
    return [mesh for robot in once.values() for mesh in _robot(robot)]


def _robot(robot: Any) -> list[Mesh]:
    meshes = []
    for number, link in enumerate(robot.articulation.links):
        pose = link.entity.pose
        for shape in link.collision_shapes:
            at = (pose * shape.local_pose).to_transformation_matrix()
            vertices, faces = _triangles(shape)
            placed = vertices @ at[:3, :3].T + at[:3, 3]
            colour = _LIGHT if number % 3 else _DARK
            meshes.append(from_triangles(robot.name, placed, faces, colour))
    return meshes


def _triangles(shape: Any) -> tuple[Any, Any]:
    kind = type(shape).__name__
    if kind.endswith("ConvexMesh") or kind.endswith("TriangleMesh"):
        return np.asarray(shape.vertices) * np.asarray(shape.scale), np.asarray(shape.triangles)
    if kind.endswith("Box"):
        x, y, z = (float(it) for it in shape.half_size)
        corners = triangles(Shape("box", half_size=(x, y, z)))
    elif kind.endswith("Sphere"):
        corners = triangles(Shape("sphere", radius=float(shape.radius)))
    else:  # SAPIEN's cylinders and capsules are aligned with x
        size = Shape("cylinder", radius=float(shape.radius), half_length=float(shape.half_length))
        vertices, _, faces = triangles(size)
        return vertices[:, [2, 1, 0]], faces[:, ::-1]
    return corners[0], corners[2]
