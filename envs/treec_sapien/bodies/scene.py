"""A scene's objects as bodies in the world: from plain data to `Layout`.

An object has a body if it declares one:

    apple: {…, pose: [-0.25, 0.3, 0.75], body: {kind: round_food, diameter: 0.05}}

or is a part of another's:

    left_door: {…, body: {of: cabinet, part: left_door}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treec_sapien.bodies.kinds import make, packages_of
from treec_sapien.bodies.pose import Pose, Vector, multiply, unit, yaw
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart, Region


@dataclass(frozen=True, slots=True)
class PlacedBody:
    """A body and its pose: the middle of its base in the world."""

    body: Body
    pose: Pose

    def links(self) -> dict[str, Pose]:
        """Return each link's pose in the world with the joints at their start positions."""
        return {name: self.pose @ pose for name, pose in self.body.at_start().items()}

    def solids(self) -> list[tuple[BodyLink, Pose]]:
        """Return each link's solids in the world with the joints at their start positions."""
        poses = self.links()
        return [(link, poses[link.name]) for link in self.body.links]


@dataclass(frozen=True, slots=True)
class PartOf:
    """An object that is a part of another object's body."""

    owner: str
    part: BodyPart


@dataclass(frozen=True)
class SceneLayout:
    """All bodies of a scene by object name, and the objects that are parts."""

    bodies: dict[str, PlacedBody] = field(default_factory=dict)
    parts: dict[str, PartOf] = field(default_factory=dict)

    def where(self, name: str) -> Vector:
        """Return a point of an object in the world, with all joints at their start positions.

        For a part it is the middle of its region or its handle, otherwise the middle of the base.
        """
        it = self.parts.get(name)
        if it is None:
            return self.bodies[name].pose.p
        owner = self.bodies[it.owner]
        link, point = it.part.link, (0.0, 0.0, 0.0)
        if it.part.regions:
            region = owner.body.region(it.part.regions[0])
            link, point = region.link, region.p
        elif it.part.handle is not None:
            handle = owner.body.handle(it.part.handle)
            if handle.grasps:
                link, point = handle.link, handle.grasps[0].p
        return owner.links()[link].apply(point)

    def regions(self) -> Iterator[tuple[str, str, Region]]:
        """Yield all regions: the object, a body or a part of one, whose it is, the body, itself."""
        claimed = {
            (part.owner, region): name
            for name, part in self.parts.items()
            for region in part.part.regions
        }
        for name, placed in self.bodies.items():
            for region in placed.body.regions:
                yield claimed.get((name, region.name), name), name, region


def read(
    objects: Mapping[str, Mapping[str, Any]], bodies: str | Sequence[str] = "treec_sapien.bodies"
) -> SceneLayout:
    """Return the bodies of a scene's objects; their kinds are modules of the packages ``bodies``.

    Raises `WrongBody` (a ValueError) for an unknown kind, part or parameter.
    """
    layout = SceneLayout()
    packages = packages_of(bodies)
    for name, spec in objects.items():
        body = spec.get("body")
        if body is not None and "of" not in body:
            layout.bodies[name] = PlacedBody(body_of(body, packages), pose_of(spec))
    for name, spec in objects.items():
        body = spec.get("body")
        if body is not None and "of" in body:
            owner = str(body["of"])
            part = layout.bodies[owner].body.part(str(body["part"]))
            layout.parts[name] = PartOf(owner, part)
    return layout


def body_of(spec: Mapping[str, Any], packages: Sequence[str]) -> Body:
    """Return the body described by ``{kind: …, parameters…}``."""
    options = {key: value for key, value in spec.items() if key not in ("kind", "colour")}
    body = make(str(spec["kind"]), options, packages)
    colour = spec.get("colour")
    return body if colour is None else replace(body, colour=str(colour))


def pose_of(spec: Mapping[str, Any]) -> Pose:
    """Return the pose of an object or an agent's body from its ``pose`` and ``yaw``.

    A quaternion is scaled to length one. Raises ValueError if it is zero.
    """
    numbers = [float(number) for number in spec.get("pose") or (0.0, 0.0, 0.0)]
    p = (numbers[0], numbers[1], numbers[2])
    q = yaw(float(spec.get("yaw") or 0.0))
    if len(numbers) == 7:
        q = multiply(q, unit((numbers[3], numbers[4], numbers[5], numbers[6])))
    return Pose(p, q)
