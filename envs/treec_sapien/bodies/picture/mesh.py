"""Triangle meshes of shapes, in the colours of their materials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_sapien.bodies.materials import COLOURS, MATERIALS
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.scene import PlacedBody
from treec_sapien.bodies.spec import Body, Shape

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_KEEP = frozenset(
    ("wood", "light wood", "dark wood", "steel", "dark steel", "handle", "grip", "signal", "window")
)
"""Materials that an object's `colour:` does not paint."""

_ROUND = 28


@dataclass(frozen=True)
class Mesh:
    """Triangles of one thing in one colour.

    ``vertices`` (n, 3) in the world, their ``normals`` (n, 3), ``faces`` (m, 3) anticlockwise seen
    from outside; ``colour`` is red, green, blue and opacity, 0 to 1.
    """

    name: str
    vertices: Array
    normals: Array
    faces: Indices
    colour: tuple[float, float, float, float]


def meshes(name: str, placed: PlacedBody) -> list[Mesh]:
    """Return all shapes of a body placed in the world."""
    made = []
    for link, pose in placed.solids():
        for shape in link.shapes:
            vertices, normals, faces = triangles(shape)
            at = matrix(pose @ shape.pose)
            made.append(
                Mesh(
                    name,
                    vertices @ at[:3, :3].T + at[:3, 3],
                    normals @ at[:3, :3].T,
                    faces,
                    colour_of(placed.body, shape),
                )
            )
    return made


def colour_of(body: Body, shape: Shape) -> tuple[float, float, float, float]:
    """Return a shape's colour: the object's where it paints this material, else the material's."""
    plain = MATERIALS[shape.material].colour
    if body.colour is None or shape.material in _KEEP:
        return plain
    return (*COLOURS[body.colour], plain[3])


def matrix(pose: Pose) -> Array:
    """Return the 4×4 matrix of a pose."""
    out = np.eye(4)
    for column in range(3):
        out[:3, column] = pose.axis(column)
    out[:3, 3] = pose.p
    return out


def triangles(shape: Shape) -> tuple[Array, Array, Indices]:
    """Return vertices, normals and faces of a shape in its own frame."""
    if shape.kind == "box":
        return _box(shape.half_size)
    if shape.kind == "sphere":
        return _sphere(shape.radius)
    return _cylinder(shape.radius, shape.half_length)


def from_triangles(
    name: str, vertices: Array, faces: Indices, colour: tuple[float, float, float, float]
) -> Mesh:
    """Return a flat-shaded mesh: every face has its own vertices and normal."""
    corners = vertices[faces].reshape(-1, 3)
    first, second, third = corners[0::3], corners[1::3], corners[2::3]
    across = np.cross(second - first, third - first)
    length = np.linalg.norm(across, axis=1, keepdims=True)
    normals = np.repeat(across / np.maximum(length, 1e-12), 3, axis=0)
    return Mesh(name, corners, normals, np.arange(len(corners)).reshape(-1, 3), colour)


def bounds(meshes_: Iterable[Mesh]) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the meshes."""
    everything = np.concatenate([mesh.vertices for mesh in meshes_])
    return everything.min(axis=0), everything.max(axis=0)


def _box(half: Vector) -> tuple[Array, Array, Indices]:
    vertices: list[Array] = []
    normals: list[Array] = []
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            u, v = np.roll(np.eye(3), 1, axis=0)[axis], np.roll(np.eye(3), 2, axis=0)[axis]
            if np.dot(np.cross(u, v), normal) < 0:
                u, v = v, u
            start = len(vertices)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertices.append((normal + a * u + b * v) * np.asarray(half))
                normals.append(normal)
            faces += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
    return np.array(vertices), np.array(normals), np.array(faces)


def _cylinder(radius: float, half: float) -> tuple[Array, Array, Indices]:
    angle = np.arange(_ROUND) * 2 * np.pi / _ROUND
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(_ROUND)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    low, high = ring * radius - half * up, ring * radius + half * up
    after = np.roll(np.arange(_ROUND), -1)
    here = np.arange(_ROUND)
    sides = np.concatenate(
        [
            np.stack([here, after, after + _ROUND], axis=1),
            np.stack([here, after + _ROUND, here + _ROUND], axis=1),
        ]
    )
    fan = np.stack([np.zeros(_ROUND - 2, int), here[1:-1], here[2:]], axis=1)
    vertices = np.concatenate([low, high, low, high])
    normals = np.concatenate([ring, ring, np.tile(-up, (_ROUND, 1)), np.tile(up, (_ROUND, 1))])
    caps = [fan[:, ::-1] + 2 * _ROUND, fan + 3 * _ROUND]
    return vertices, normals, np.concatenate([sides, *caps])


def _sphere(radius: float) -> tuple[Array, Array, Indices]:
    rows, columns = 12, 20
    tilt = np.linspace(0, np.pi, rows + 1)
    angle = np.arange(columns) * 2 * np.pi / columns
    points = np.array(
        [(np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t)) for t in tilt for a in angle]
    )
    faces = []
    last = rows * columns
    for row in range(rows):
        for column in range(columns):
            a, b = row * columns + column, row * columns + (column + 1) % columns
            c, d = a + columns, b + columns
            if row == 0:
                faces.append((0, c, d))  # one vertex at each pole
            elif row == rows - 1:
                faces.append((a, last, b))
            else:
                faces += [(a, c, d), (a, d, b)]
    return points * radius, points, np.array(faces)
