"""Grasping and putting down things that lie: a carton that fell over, a tin on its side.

A body declares the grasps of a thing that stands. For a leaning thing, grasps are computed from its
present pose: the hand comes from above, or at a slant, and closes across it wherever along its
length it is thin enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.solid import WorldSolid, solid
from treec_sapien.bodies.spec import Body, GraspPoint
from treec_sapien.motion.frames import Array, about, inverse, matrix, quaternion

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.place import Spot

LEANS = 20.0
"""Degrees from upright up to which a thing counts as standing and its body's grasps apply."""

_PITCHES = (0.0, 30.0, -30.0, 60.0, -60.0)  # degrees from straight down, along the thing
_PLACES = (0.0, 0.25, -0.25)  # grasp positions: fractions of its length from its middle
_DEEP = 0.03  # largest depth of the tool point below its top (m)
_LEAST = 0.02  # clearance of the tool point above the supporting surface (m)
_LEVEL = 0.35  # an axis with a smaller z component is level
_WIDEST = 0.12  # wider than any hand opens (m)
_SLANTS = (
    0.0,
    0.6,
    -0.6,
)  # rad from straight down, of a hand that puts a thing down as it holds it
_Z = np.array([0.0, 0.0, 1.0])


def lean_degrees(built: BuiltBody) -> float:
    """Return how far a thing leans from its built orientation, in degrees."""
    return float(np.degrees(np.arccos(np.clip(matrix(built.pose())[2, 2], -1.0, 1.0))))


def grasps_of(built: BuiltBody) -> tuple[GraspPoint, ...]:
    """Return how to grasp a thing as it is now: its own grasps, or first those of a lying thing."""
    if lean_degrees(built) < LEANS:
        return built.body.grasps
    return (*lying_grasps(built.body, built.pose()), *built.body.grasps)


def lying_grasps(body: Body, pose: Pose) -> tuple[GraspPoint, ...]:
    """Return grasps across a body at ``pose``, from above and slanted, in the frame of the body."""
    root, back = body.links[0].name, inverse(matrix(pose))
    solids = _world_solids(body, pose)
    grasps: list[GraspPoint] = []
    for across in _across(matrix(pose)[:3, :3]):
        along = np.cross(_Z, across)
        low, high = _span(solids, along)
        for place in _PLACES:
            there = (low + high) / 2 + place * (high - low)
            here = [it for it in solids if _spans(it, along, there)]
            if not here:
                continue
            left, right = _span(here, across)
            if right - left > _WIDEST:
                continue
            floor, top = _span(here, _Z)
            height = max((floor + top) / 2, top - _DEEP, floor + _LEAST)
            point = there * along + (left + right) / 2 * across + height * _Z
            for pitch in _PITCHES:
                down = about(across, np.radians(pitch)) @ -_Z
                tool = np.eye(4)
                tool[:3, :3] = np.stack([np.cross(across, down), across, down], axis=1)
                tool[:3, 3] = point
                own = _pose(back @ tool)
                name = f"lying, {place:+.0%} along"
                grasps.append(GraspPoint(name, own.p, own.q, float(right - left), root))
    return tuple(grasps)


def lying_spots(built: BuiltBody, spots: Sequence[Spot]) -> list[Spot]:
    """Return the same spots for a thing that lies there, on each of its sides."""
    out: list[Spot] = []
    for spot in spots:
        for axis in (np.eye(3)[0], np.eye(3)[1]):
            for angle in (np.pi / 2, -np.pi / 2):
                out.append(_laid(built, spot, spot.pose[:3, :3] @ about(axis, angle)))
    return out


def as_held_spots(built: BuiltBody, held: Array, spots: Sequence[Spot]) -> list[Spot]:
    """Return the same spots for a thing that is put down as the hand holds it, from above.

    ``held`` is its pose in the tool's frame. A fruit may have turned so far between the fingers
    that no hand could set it down the right way up.
    """
    down = np.diag([1.0, -1.0, -1.0])
    return [
        _laid(built, spot, spot.pose[:3, :3] @ about(np.eye(3)[1], slant) @ down @ held[:3, :3])
        for spot in spots
        for slant in _SLANTS
    ]


def _laid(built: BuiltBody, spot: Spot, turn: Array) -> Spot:
    """The spot for a thing rotated so, with the middle of its underside where the spot is."""
    lies = np.eye(4)
    lies[:3, :3] = turn
    solids = _world_solids(built.body, _pose(lies))
    low, high = np.array([_span(solids, one) for one in np.eye(3)]).T
    foot = np.array([*((low + high) / 2)[:2], low[2]])
    lies[:3, 3] = spot.pose[:3, 3] - foot
    return replace(spot, pose=lies, foot=foot)


def _across(turn: Array) -> list[Array]:
    """Horizontal directions across a rotated body: its level axes, and across each of them."""
    out: list[Array] = []
    for axis in turn.T:
        level = axis * np.array([1.0, 1.0, 0.0])
        far = float(np.linalg.norm(level))
        if far < _LEVEL:
            continue
        level /= far
        for one in (np.cross(_Z, level), *([level] if abs(axis[2]) < _LEVEL else [])):
            if all(abs(float(one @ other)) < 0.98 for other in out):
                out.append(one)
    return out


def _world_solids(body: Body, pose: Pose) -> list[WorldSolid]:
    poses = body.at_start()
    return [solid(shape, pose @ poses[link.name]) for link in body.links for shape in link.shapes]


def _pose(frame: Array) -> Pose:
    x, y, z = (float(part) for part in frame[:3, 3])
    a, b, c, d = (float(part) for part in quaternion(frame[:3, :3]))
    return Pose((x, y, z), (a, b, c, d))


def _span(solids: Sequence[WorldSolid], along: Array) -> tuple[float, float]:
    """The extent of solids along a unit vector."""
    x, y, z = (float(part) for part in along)
    middles = [float(np.dot(it.centre, along)) for it in solids]
    halves = [it.extent((x, y, z)) for it in solids]
    low = min(middle - half for middle, half in zip(middles, halves, strict=True))
    return low, max(middle + half for middle, half in zip(middles, halves, strict=True))


def _spans(it: WorldSolid, along: Array, place: float) -> bool:
    low, high = _span([it], along)
    return low - 1e-3 <= place <= high + 1e-3
