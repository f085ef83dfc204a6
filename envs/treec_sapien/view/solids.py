"""What is visible: convex solids, each fixed to a moving piece, each piece part of a thing.

Plain data: a film's file stores it, and a picture needs only this and the pieces' poses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from treec_sapien.bodies.picture.mesh import colour_of
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.scene import SceneLayout
from treec_sapien.bodies.spec import Body, BodyLink, Shape

Colour = tuple[float, float, float, float]
Kind = Literal["box", "cylinder", "sphere", "ellipsoid", "hull", "plane"]

GROUND = "ground"
"""The name of the floor in a segmentation."""


HERE = Pose()


@dataclass(frozen=True, slots=True)
class StageSolid:
    """A convex solid; ``piece`` is the index of the piece it is fixed to, ``pose`` is in its frame.

    ``half`` are the half sizes of its bounding box in its own frame: a cylinder is aligned with z,
    a plane is z = 0 and has none. ``corners`` and ``faces`` (triangles) belong to a hull.
    """

    kind: Kind
    piece: int
    colour: Colour
    pose: Pose = HERE
    half: Vector = (0.0, 0.0, 0.0)
    corners: tuple[Vector, ...] = ()
    faces: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class SolidStage:
    """All solids and the pieces they are fixed to.

    ``pieces`` are the thing and the link of each. ``things`` numbers the things in a segmentation:
    0 is nothing, 1 the ground.
    """

    pieces: tuple[tuple[str, str], ...]
    solids: tuple[StageSolid, ...]
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Things that are a link of another: name → thing and link."""

    @property
    def things(self) -> tuple[str, ...]:
        """The names by number; the first is empty."""
        owners = dict.fromkeys(thing for thing, _ in self.pieces)
        return ("", *owners, *self.parts)

    def numbers(self) -> npt.NDArray[np.int32]:
        """Return each solid's thing's number."""
        number = {name: at for at, name in enumerate(self.things)}
        own = {where: name for name, where in self.parts.items()}
        of_piece = [number[own.get(piece, piece[0])] for piece in self.pieces]
        return np.array([of_piece[solid.piece] for solid in self.solids], np.int32)

    def pieces_of(self, thing: str) -> list[int]:
        """Return the indices of a thing's pieces; of a part, its one piece."""
        where = self.parts.get(thing)
        return [
            at
            for at, piece in enumerate(self.pieces)
            if (piece == where if where is not None else piece[0] == thing)
        ]


def ground() -> tuple[tuple[str, str], StageSolid]:
    """The floor: always the first piece."""
    return (GROUND, "floor"), StageSolid("plane", 0, (0.86, 0.85, 0.83, 1.0))


def stage_of(layout: SceneLayout) -> tuple[SolidStage, npt.NDArray[np.float64]]:
    """Return a scene's bodies at their start and the poses of their pieces; no robots."""
    piece, solid = ground()
    pieces, solids = [piece], [solid]
    poses = [Pose()]
    for name, placed in layout.bodies.items():
        for link, pose in placed.solids():
            solids += solids_of(link, placed.body, len(pieces))
            pieces.append((name, link.name))
            poses.append(pose)
    return SolidStage(tuple(pieces), tuple(solids), parts_of(layout)), as_array(poses)


def parts_of(layout: SceneLayout) -> dict[str, tuple[str, str]]:
    """Return the things that are a moving link of another body: a door, not a fixed shelf."""
    links: dict[str, tuple[str, str]] = {}
    for name, part in layout.parts.items():
        where = (part.owner, part.part.link)
        root = layout.bodies[part.owner].body.links[0].name
        if part.part.link != root and where not in links.values():
            links[name] = where
    return links


def solids_of(link: BodyLink, body: Body, piece: int) -> Iterator[StageSolid]:
    """Return the solids of a body's link."""
    for shape in link.shapes:
        yield StageSolid(shape.kind, piece, colour_of(body, shape), shape.pose, half_of(shape))


def half_of(shape: Shape) -> Vector:
    """Return half the size of a shape's bounding box in its frame."""
    if shape.kind == "box":
        return shape.half_size
    high = shape.half_length if shape.kind == "cylinder" else shape.radius
    return (shape.radius, shape.radius, high)


def as_array(poses: Sequence[Pose]) -> npt.NDArray[np.float64]:
    """Return poses as rows of x, y, z and the quaternion w, x, y, z."""
    return np.array([(*pose.p, *pose.q) for pose in poses], np.float64).reshape(-1, 7)
