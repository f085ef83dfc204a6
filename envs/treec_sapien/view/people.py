"""People as cameras see them: a dressed body with a face, in the poses of its capsules.

Physics knows a person as capsules (:mod:`treec_sapien.person.figure`). Cameras see arms and
hands where these are, and around head and trunk what pose estimators know people by: a face, which
tells front from back, hair, a neck, a chest, legs. Only the capsules can be touched.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from treec_sapien.bodies.pose import Pose, Vector, turn
from treec_sapien.person.figure import TRUNK
from treec_sapien.view.solids import Colour, SolidStage, StageSolid

if TYPE_CHECKING:
    from treec_sapien.person.person import Person

SKIN: Colour = (0.85, 0.66, 0.54, 1.0)
SHIRT: Colour = (0.35, 0.45, 0.62, 1.0)
TROUSERS: Colour = (0.22, 0.22, 0.26, 1.0)
HAIR: Colour = (0.20, 0.13, 0.08, 1.0)
LIPS: Colour = (0.68, 0.36, 0.33, 1.0)
WHITE: Colour = (0.95, 0.95, 0.93, 1.0)
BLACK: Colour = (0.10, 0.08, 0.08, 1.0)

ALONG_X = Pose(q=turn((0.0, 1.0, 0.0), 90.0))
"""From our cylinder, aligned with z, to SAPIEN's, aligned with x."""

UPRIGHT = ("head", "trunk")
"""The parts that stay upright and face where the shoulders do, however their capsules are turned.

Their solids are in a frame with x ahead, y to the left and z up.
"""

_FACE: tuple[tuple[Vector, Vector, Colour], ...] = (
    ((0.0, 0.0, 0.0), (0.095, 0.076, 0.120), SKIN),
    ((0.020, 0.0, -0.060), (0.070, 0.055, 0.060), SKIN),  # the jaw
    ((-0.022, 0.0, 0.030), (0.090, 0.083, 0.106), HAIR),
    ((0.098, 0.0, -0.016), (0.020, 0.013, 0.026), SKIN),  # the nose
    ((0.084, 0.0, -0.062), (0.010, 0.026, 0.008), LIPS),
)
"""Centre (m, from the middle of the head), half axes (m) and colour of each ellipsoid."""

_BESIDE: tuple[tuple[Vector, Vector, Colour], ...] = (
    ((0.078, 0.032, 0.012), (0.014, 0.016, 0.009), WHITE),
    ((0.088, 0.032, 0.012), (0.006, 0.007, 0.007), BLACK),
    ((0.084, 0.032, 0.034), (0.009, 0.020, 0.004), HAIR),
    ((-0.005, 0.078, 0.0), (0.018, 0.010, 0.030), SKIN),  # an ear
)
"""The same on the left of the face; it is mirrored to the right."""

_HEAD = 0.10
"""Metres from the middle of the head's capsule up to that of the head."""


def with_people(stage: SolidStage, people: Iterable[Person]) -> SolidStage:
    """Return a stage with the bodies of people added: a piece for each part of the body."""
    pieces, solids = list(stage.pieces), list(stage.solids)
    for person in people:
        for name, part in person.links.items():
            (shape,) = part.collision_shapes
            size = float(shape.radius), float(shape.half_length)
            solids += _part(name, len(pieces), *size, _height_of(person))
            pieces.append((person.name, name))
    return SolidStage(tuple(pieces), tuple(solids), stage.parts)


class UprightPart:
    """Head or trunk of a person: like an entity, it has a pose (`sapien.Pose`)."""

    def __init__(self, person: Person, name: str) -> None:
        self._part = person.links[name].entity
        self._shoulders = person.links["shoulders"].entity

    @property
    def pose(self) -> Any:
        """Where its capsule is, turned to where the person faces."""
        import sapien

        own = self._shoulders.pose.to_transformation_matrix()
        x, y = -float(own[0, 0]), -float(own[1, 0])  # from the right shoulder to the left one
        half = math.atan2(-x, y) / 2
        return sapien.Pose(p=self._part.pose.p, q=[math.cos(half), 0.0, 0.0, math.sin(half)])


def _height_of(person: Person) -> float:
    """Height (m) of the neck when the motion begins."""
    return float(person.motion.joints[0, 0, 2])


def _part(name: str, piece: int, radius: float, long: float, height: float) -> list[StageSolid]:
    if name == "head":
        return _head(piece)
    if name == "trunk":
        return _trunk(piece, height)
    if name.endswith("hand"):
        return [StageSolid("ellipsoid", piece, SKIN, Pose((-0.01, 0.0, 0.0)), (long, 0.042, 0.022))]
    sleeve = name == "shoulders" or name.endswith("upper_arm")
    thin = 0.85 if name == "shoulders" else 0.95
    return _capsule(piece, thin * radius, long, SHIRT if sleeve else SKIN)


def _capsule(piece: int, radius: float, long: float, colour: Colour) -> list[StageSolid]:
    ends = (Pose((-long, 0.0, 0.0)), Pose((long, 0.0, 0.0)))
    return [
        StageSolid("cylinder", piece, colour, ALONG_X, (radius, radius, long)),
        *(StageSolid("sphere", piece, colour, end, (radius, radius, radius)) for end in ends),
    ]


def _head(piece: int) -> list[StageSolid]:
    mirrored = [((x, -y, z), half, colour) for (x, y, z), half, colour in _BESIDE]
    solids = [
        _ellipsoid(piece, (x + 0.02, y, z + _HEAD), half, colour)
        for (x, y, z), half, colour in (*_FACE, *_BESIDE, *mirrored)
    ]
    neck = StageSolid("cylinder", piece, SKIN, Pose((0.0, 0.0, -0.04)), (0.05, 0.05, 0.09))
    return [*solids, neck]


def _trunk(piece: int, height: float) -> list[StageSolid]:
    """Chest, belly and hips about the middle between neck and hips; legs down to the floor."""
    half = TRUNK / 2
    solids = [
        _ellipsoid(piece, (0.0, 0.0, half - 0.16), (0.115, 0.170, 0.190), SHIRT),
        _ellipsoid(piece, (0.0, 0.0, half - 0.34), (0.110, 0.150, 0.200), SHIRT),
        _ellipsoid(piece, (0.0, 0.0, -half - 0.04), (0.118, 0.168, 0.120), TROUSERS),
    ]
    long = (height - TRUNK) / 2
    for y in (-0.085, 0.085) if long > 0.1 else ():
        leg = Pose((0.0, y, -half - long))
        solids.append(StageSolid("cylinder", piece, TROUSERS, leg, (0.075, 0.075, long)))
        shoe = (0.06, y, -half - 2 * long + 0.04)
        solids.append(_ellipsoid(piece, shoe, (0.13, 0.048, 0.045), BLACK))
    return solids


def _ellipsoid(piece: int, centre: Vector, half: Vector, colour: Colour) -> StageSolid:
    return StageSolid("ellipsoid", piece, colour, Pose(centre), half)
