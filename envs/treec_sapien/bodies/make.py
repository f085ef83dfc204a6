"""Helpers for building shapes, handles and grasps, in full sizes measured from the base upwards."""

from __future__ import annotations

import math
from collections.abc import Sequence

from treec_sapien.bodies.pose import Pose, Quaternion, Vector, frame, turn
from treec_sapien.bodies.spec import GraspPoint, Region, Shape

LEFT: Vector = (-1.0, 0.0, 0.0)
RIGHT: Vector = (1.0, 0.0, 0.0)
FRONT: Vector = (0.0, -1.0, 0.0)
BACK: Vector = (0.0, 1.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)
DOWN: Vector = (0.0, 0.0, -1.0)

BAR = 0.02
"""Thickness of all handle bars (m), a width that every gripper can close on."""

LOW = 0.022
"""Lowest height (m) of a tool point above a table: fingers extend below it."""


def box(size: Vector, base: Vector, material: str = "wood", density: float = 500.0) -> Shape:
    """Return a box of this full size whose base's middle is at ``base``."""
    half = (size[0] / 2, size[1] / 2, size[2] / 2)
    p = (base[0], base[1], base[2] + half[2])
    return Shape("box", p, half_size=half, density=density, material=material)


def rotate_shape(shape: Shape, q: Quaternion) -> Shape:
    """Return the shape rotated about its middle."""
    return Shape(
        shape.kind,
        shape.p,
        q,
        shape.half_size,
        shape.radius,
        shape.half_length,
        shape.density,
        shape.material,
    )


def cylinder(
    diameter: float, height: float, base: Vector, material: str = "steel", density: float = 500.0
) -> Shape:
    """Return an upright cylinder whose base's middle is at ``base``."""
    p = (base[0], base[1], base[2] + height / 2)
    return Shape(
        "cylinder",
        p,
        radius=diameter / 2,
        half_length=height / 2,
        density=density,
        material=material,
    )


def sphere(
    diameter: float, centre: Vector, material: str = "skin", density: float = 500.0
) -> Shape:
    """Return a sphere."""
    return Shape("sphere", centre, radius=diameter / 2, density=density, material=material)


def ring(
    diameter: float,
    wall: float,
    height: float,
    base: float,
    material: str,
    density: float = 500.0,
    pieces: int = 12,
) -> tuple[Shape, ...]:
    """Return a tube of straight pieces: outer ``diameter`` across flats, lower edge at ``base``."""
    middle = diameter / 2 - wall / 2
    length = diameter * math.tan(math.pi / pieces)
    shapes = []
    for index in range(pieces):
        angle = 360.0 * index / pieces
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        piece = box((wall, length, height), (middle * x, middle * y, base), material, density)
        shapes.append(rotate_shape(piece, turn(UP, angle)))
    return tuple(shapes)


def bar_handle(
    centre: Vector, along: Vector, out: Vector, length: float, gap: float = 0.045
) -> tuple[Shape, ...]:
    """Return a bar on two posts: ``centre`` on the face it is mounted to, ``out`` away from it."""

    def span(amount_along: float, amount_out: float, across: float) -> Vector:
        size = [across] * 3
        for axis in range(3):
            if abs(along[axis]) > 0.5:
                size[axis] = amount_along
            elif abs(out[axis]) > 0.5:
                size[axis] = amount_out
        return (size[0], size[1], size[2])

    def block(size: Vector, up: float, off: float) -> Shape:
        p = tuple(c + up * a + off * o for c, a, o in zip(centre, along, out, strict=True))
        half = (size[0] / 2, size[1] / 2, size[2] / 2)
        return Shape("box", (p[0], p[1], p[2]), half_size=half, density=800.0, material="handle")

    post = span(BAR, gap, BAR)
    ends = length / 2 - BAR / 2
    return (
        block(span(length, BAR, BAR), 0.0, gap + BAR / 2),
        block(post, ends, gap / 2),
        block(post, -ends, gap / 2),
    )


def bar_grasps(
    centre: Vector, along: Vector, out: Vector, link: str, gap: float = 0.045
) -> tuple[GraspPoint, ...]:
    """Return grasps of such a bar: from the front, in both hand orientations."""
    p = tuple(c + (gap + BAR / 2) * o for c, o in zip(centre, out, strict=True))
    towards = (-out[0], -out[1], -out[2])
    across = _cross(along, out)
    point = (p[0], p[1], p[2])
    return (
        GraspPoint("handle", point, frame(towards, across), BAR, link),
        GraspPoint("handle", point, frame(towards, _minus(across)), BAR, link),
    )


def from_above(
    name: str, top: Vector, width: float, turns: Sequence[float], link: str = "body"
) -> tuple[GraspPoint, ...]:
    """Return grasps straight down, closing along x, rotated by each of ``turns`` (degrees)."""
    return tuple(GraspPoint(name, top, frame(DOWN, _round(angle)), width, link) for angle in turns)


def from_beside(
    name: str,
    at: Vector,
    width: float,
    turns: Sequence[float],
    pitch: float = 0.0,
    link: str = "body",
) -> tuple[GraspPoint, ...]:
    """Return grasps from the front, rotated by each of ``turns``, approaching at ``pitch`` degrees.

    The fingers close horizontally, across the approach direction.
    """
    level, down = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
    grasps = []
    for angle in turns:
        x, y, _ = _round(angle + 90.0)
        towards = (x * level, y * level, -down)
        grasps.append(GraspPoint(name, at, frame(towards, _round(angle)), width, link))
    return tuple(grasps)


def rim(
    diameter: float, wall: float, height: float, pieces: int, depth: float
) -> tuple[GraspPoint, ...]:
    """Return grasps of a vessel's wall from above, one for each piece of its ring, front first.

    The tool point is ``depth`` below the rim.
    """
    middle = diameter / 2 - wall / 2
    turns = sorted((360.0 * i / pieces for i in range(pieces)), key=_from_front)
    grasps = []
    for angle in turns:
        x, y, _ = _round(angle)
        p = (middle * x, middle * y, height - depth)
        grasps.append(GraspPoint("rim", p, frame(DOWN, _round(angle)), wall, depth=depth))
    return tuple(grasps)


def push(at: Vector, along: Vector) -> Pose:
    """Return the pose at which a closed hand pushes: a point and a direction."""
    other = UP if abs(along[2]) < 0.9 else RIGHT
    return Pose(at, frame(along, other))


def axis(along: Vector) -> Quaternion:
    """Return the frame of a joint that rotates about, or slides along, ``along`` (its +x)."""
    up = UP if abs(along[2]) < 0.9 else FRONT
    return frame(up, _cross(up, along))


def on(name: str, size: tuple[float, float], at: Vector, tall: float = 0.3) -> Region:
    """Return a surface of this size at ``at`` for things up to ``tall`` high."""
    return Region(
        name, "on", (at[0], at[1], at[2] + tall / 2), (size[0] / 2, size[1] / 2, tall / 2)
    )


def inside(name: str, size: Vector, base: Vector, link: str = "body") -> Region:
    """Return an interior region of this size above ``base``."""
    half = (size[0] / 2, size[1] / 2, size[2] / 2)
    return Region(name, "in", (base[0], base[1], base[2] + half[2]), half, link)


def _from_front(angle: float) -> float:
    return abs((angle - 270.0 + 180.0) % 360.0 - 180.0)


def _round(angle: float) -> Vector:
    return (math.cos(math.radians(angle)), math.sin(math.radians(angle)), 0.0)


def _cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _minus(v: Vector) -> Vector:
    return (-v[0], -v[1], -v[2])
