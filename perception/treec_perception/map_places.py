"""Places of the scene's map: at which one a seen point is, and where to look for what is at one."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from treec_perception.pipeline.centre import Size
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.scene import SceneLayout
from treec_sapien.bodies.spec import Region

SLACK = 0.03
"""Metres by which a thing may seem to be outside a place, since what is seen is not exact."""

KEPT = 0.08
"""The same for the place at which it was believed to be: at an edge it does not go to and fro."""

STEP = 0.6
"""Metres between two points of a wide place at which a camera that turns looks."""


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A surface or an inside of furniture: whose it is, and where."""

    name: str
    region: Region
    pose: Pose

    @property
    def floor(self) -> float:
        """The height (m) of what things stand on."""
        x, y, _ = self.region.p
        return self.pose.apply((x, y, self.region.floor))[2]

    def contains(self, point: Vector, slack: float) -> bool:
        """Whether a point is in it, or no farther outside than ``slack`` (m)."""
        near = self.pose.inverse().apply(point)
        off = [abs(a - b) for a, b in zip(near, self.region.p, strict=True)]
        return all(
            far <= half + slack for far, half in zip(off, self.region.half_size, strict=True)
        )

    def points(self) -> list[Vector]:
        """Return points just above its floor, its middle first, then along it."""
        (x, y, _), (long, deep, _) = self.region.p, self.region.half_size
        steps = math.floor(max(long, deep) / STEP)
        along = sorted((n * STEP for n in range(-steps, steps + 1)), key=abs)
        z = self.region.floor + 0.05
        return [
            self.pose.apply((x + far, y, z) if long >= deep else (x, y + far, z)) for far in along
        ]


def map_places(layout: SceneLayout, names: Collection[str]) -> list[MapPlace]:
    """Return the places among these names that stay where they are, the highest first."""
    found = [
        MapPlace(name, region, layout.bodies[body].links()[region.link])
        for name, body, region in layout.regions()
        if name in names and layout.bodies[body].body.fixed
    ]
    return sorted(found, key=lambda it: (-round(it.floor, 3), it.name))


def place_at(
    places: Collection[MapPlace], middle: Vector, size: Size, believed: str | None
) -> MapPlace | None:
    """Return the place at which a thing is whose middle was seen; None if it is at none.

    Of several it is the one where it is believed to be, else the highest.
    """
    x, y, z = middle
    base = (x, y, z - size[2] / 2)
    own = [it for it in places if it.name == believed and it.contains(base, KEPT)]
    return next(iter(own or (it for it in places if it.contains(base, SLACK))), None)
