"""Random small displacements and rotations of the movable things in a scene, from a seed.

Jitter makes repeated trials differ. Only movable things are jittered. A displaced thing overlaps
nothing, keeps room for fingers beside its neighbours, stays supported and stays in its place. What
stands in or on another movable thing stays with it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from treec_sapien.bodies.pose import Pose, Vector, multiply, yaw
from treec_sapien.bodies.scene import PlacedBody, SceneLayout
from treec_sapien.bodies.solid import WorldSolid, solid

TRIES = 16
"""Samples for each thing, each displaced less than the last, before it is left where it is."""

CLEAR = 0.03
"""Clearance (m) to movable things, unless there was less at the start."""

WALL = 0.012
"""Clearance (m) to fixed things, unless there was less at the start."""

_ON = 0.006  # faces within this distance of a thing's base support it
_RING = tuple((math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8))


@dataclass(frozen=True, slots=True)
class _JitteredBody:
    """A body in the world with its solids and their bounding box."""

    name: str
    fixed: bool
    solids: tuple[WorldSolid, ...]
    low: Vector
    high: Vector


def jitter_layout(layout: SceneLayout, seed: int, metres: float, degrees: float) -> SceneLayout:
    """Return the layout with every movable thing moved by at most ``metres`` and ``degrees``."""
    bodies = dict(layout.bodies)
    stood = {name: _standing_body(name, body) for name, body in bodies.items()}
    for name, body in layout.bodies.items():
        it = stood[name]
        others = [other for other in stood.values() if other is not it]
        if it.fixed or any(_bears(it, o) or _bears(o, it) for o in others if not o.fixed):
            continue
        rng = random.Random(f"{seed} jitter {name}")
        for number in range(TRIES):
            share = 1.0 - number / TRIES
            moved = replace(body, pose=_displace(body.pose, rng, metres * share, degrees * share))
            there = _standing_body(name, moved)
            if _clear(it, there, others) and _borne(it, there, others):
                bodies[name], stood[name] = moved, there
                break
    return replace(layout, bodies=bodies)


def _displace(pose: Pose, rng: random.Random, metres: float, degrees: float) -> Pose:
    far, angle = metres * math.sqrt(rng.random()), rng.uniform(-math.pi, math.pi)
    x, y, z = pose.p
    p = (x + far * math.cos(angle), y + far * math.sin(angle), z)
    return Pose(p, multiply(yaw(rng.uniform(-degrees, degrees)), pose.q))


def _standing_body(name: str, placed: PlacedBody) -> _JitteredBody:
    solids = tuple(solid(shape, pose) for link, pose in placed.solids() for shape in link.shapes)
    low, high = _box(solids)
    return _JitteredBody(name, placed.body.fixed, solids, low, high)


def _box(solids: Sequence[WorldSolid]) -> tuple[Vector, Vector]:
    x, y, z = (min(it.low[axis] for it in solids) for axis in range(3))
    a, b, c = (max(it.high[axis] for it in solids) for axis in range(3))
    return (x, y, z), (a, b, c)


def _bears(it: _JitteredBody, other: _JitteredBody) -> bool:
    """Whether the other stands in or on it."""
    return _gap(it.low, it.high, other.low, other.high) < 0.0 and (
        it.low[2] - _ON <= other.low[2] <= it.high[2] + _ON
    )


def _gap(low: Vector, high: Vector, other_low: Vector, other_high: Vector) -> float:
    """Horizontal distance between two upright boxes; negative where they overlap."""
    x = max(other_low[0] - high[0], low[0] - other_high[0])
    y = max(other_low[1] - high[1], low[1] - other_high[1])
    return math.hypot(x, y) if x > 0.0 and y > 0.0 else max(x, y)


def _clear(before: _JitteredBody, it: _JitteredBody, others: Iterable[_JitteredBody]) -> bool:
    for other in others:
        room = WALL if other.fixed else CLEAR
        for piece in other.solids:
            if piece.high[2] <= it.low[2] + _ON or piece.low[2] >= it.high[2]:
                continue
            gap = _gap(it.low, it.high, piece.low, piece.high)
            if gap < room and gap < _gap(before.low, before.high, piece.low, piece.high) - 1e-9:
                return False
    return True


def _borne(before: _JitteredBody, it: _JitteredBody, others: Sequence[_JitteredBody]) -> bool:
    """Whether at least as much of it is supported as before, with its middle on the same thing."""
    tops = [(other.name, piece) for other in others for piece in other.solids]
    under, was = _under(it, tops), _under(before, tops)
    held, was_held = (sum(name is not None for name in names) for names in (under, was))
    return under[0] == was[0] and held >= was_held


def _under(it: _JitteredBody, tops: Sequence[tuple[str, WorldSolid]]) -> list[str | None]:
    """What is under the middle of a thing's base and under points around it."""
    x, y = ((it.low[axis] + it.high[axis]) / 2 for axis in (0, 1))
    radius = 0.75 * max(it.high[0] - it.low[0], it.high[1] - it.low[1]) / 2
    near = [
        (name, piece)
        for name, piece in tops
        if abs(piece.high[2] - it.low[2]) <= _ON and _over(piece, x, y, radius)
    ]
    points = [(x, y), *((x + radius * a, y + radius * b) for a, b in _RING)]
    return [next((n for n, piece in near if _over(piece, *p, 0.0)), None) for p in points]


def _over(piece: WorldSolid, x: float, y: float, by: float) -> bool:
    return (
        piece.low[0] - by <= x <= piece.high[0] + by
        and piece.low[1] - by <= y <= piece.high[1] + by
    )
