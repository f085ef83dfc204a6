"""The stage of a scene in SAPIEN: its bodies, its robots' collision shapes, their poses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.build import from_sapien
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import DepthImage
from treec_sapien.view.people import ALONG_X, UPRIGHT, UprightPart, with_people
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import Colour, SolidStage, StageSolid, as_array, stage_of

if TYPE_CHECKING:
    from treec_sapien.robots.robot import Robot
    from treec_sapien.things import Things

_LIGHT: Colour = (0.88, 0.88, 0.86, 1.0)
_DARK: Colour = (0.40, 0.42, 0.46, 1.0)
"""Every third link of a robot is dark so that joints are visible."""

_FINGERS: Colour = (0.20, 0.21, 0.23, 1.0)


class SceneView:
    """A view of a scene: its stage, and the pieces' poses on request."""

    def __init__(self, things: Things) -> None:
        bodies, _ = stage_of(things.layout)
        self.stage = with_people(
            with_robots(bodies, things.robots.values()), things.people.values()
        )
        self._entities: list[Any] = []
        for thing, link in self.stage.pieces[1:]:
            if thing in things.bodies:
                self._entities.append(things.bodies[thing].links[link].entity)
            elif thing in things.people:
                person = things.people[thing]
                upright = link in UPRIGHT
                part = UprightPart(person, link) if upright else person.links[link].entity
                self._entities.append(part)
            else:
                self._entities.append(things.robots[thing].link(link).entity)

    def poses(self) -> Floats:
        """Return the pieces' poses (pieces, 7): x, y, z and the quaternion w, x, y, z."""
        return np.concatenate([as_array([Pose()]), poses_of(self._entities)])

    def depth_and_segmentation(self, camera: Camera) -> DepthImage:
        """Return what a camera sees of the scene now, by ray casting."""
        return self._rays.depth_and_segmentation(camera, self.poses())

    def picture(self, camera: Camera, *, smooth: bool = True) -> DepthImage:
        """Return the same with a shaded picture."""
        return self._rays.picture(camera, self.poses(), smooth=smooth)

    @cached_property
    def _rays(self) -> RayView:
        return RayView(self.stage)


def with_robots(stage: SolidStage, robots: Iterable[Robot]) -> SolidStage:
    """Return a stage with the collision shapes of robots added."""
    pieces, solids = list(stage.pieces), list(stage.solids)
    for robot in robots:
        for number, link in enumerate(robot.articulation.links):
            solids += _of_robot(robot, link, len(pieces), _LIGHT if number % 3 else _DARK)
            pieces.append((robot.name, link.name))
    return SolidStage(tuple(pieces), tuple(solids), stage.parts)


def poses_of(entities: Sequence[Any]) -> Floats:
    """Return the poses of SAPIEN's entities (n, 7)."""
    rows = np.zeros((len(entities), 7))
    for row, entity in zip(rows, entities, strict=True):
        pose = entity.pose
        row[:3], row[3:] = pose.p, pose.q
    return rows


def _of_robot(robot: Robot, link: Any, piece: int, colour: Colour) -> list[StageSolid]:
    fingers = {name for arm in robot.arms.values() for names in arm.gripper.links for name in names}
    colour = _FINGERS if link.name in fingers else colour
    return [_solid(shape, piece, colour) for shape in link.collision_shapes]


def _solid(shape: Any, piece: int, colour: Colour) -> StageSolid:
    kind = type(shape).__name__.removeprefix("PhysxCollisionShape")
    pose = from_sapien(shape.local_pose)
    if kind == "Box":
        x, y, z = (float(half) for half in shape.half_size)
        return StageSolid("box", piece, colour, pose, (x, y, z))
    if kind == "Sphere":
        r = float(shape.radius)
        return StageSolid("sphere", piece, colour, pose, (r, r, r))
    if kind == "Cylinder":
        r = float(shape.radius)
        return StageSolid(
            "cylinder", piece, colour, pose @ ALONG_X, (r, r, float(shape.half_length))
        )
    if kind == "ConvexMesh":
        corners = np.asarray(shape.vertices, np.float64) * np.asarray(shape.scale, np.float64)
        faces = tuple((int(a), int(b), int(c)) for a, b, c in shape.triangles)
        return StageSolid("hull", piece, colour, pose, corners=_rows(corners), faces=faces)
    raise ValueError(f"a robot's shape is a {kind}: not supported by views")


def _rows(points: Floats) -> tuple[Vector, ...]:
    return tuple((round(x, 6), round(y, 6), round(z, 6)) for x, y, z in points.tolist())
