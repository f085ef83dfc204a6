"""Shaded pictures by ray casting: material colours, a sun with shadows, ambient light.

Edges are antialiased by casting more rays where neighbouring pixels differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.depth_image import Image
from treec_sapien.view.raycast import LIFT, Caster, PlacedSolids, RayHits


@dataclass(frozen=True, slots=True)
class Light:
    """A sun with shadows, and light from the sky and the floor: brightness of a white surface."""

    towards: tuple[float, float, float] = (-0.35, -0.55, 0.76)
    """Direction to the sun; the default is front, left, above."""
    sun: float = 0.56
    sky: float = 0.57
    floor: float = 0.34

    @property
    def direction(self) -> Floats:
        """The unit vector towards the sun."""
        unit: Floats = np.array(self.towards) / np.linalg.norm(self.towards)
        return unit


DAY = Light()
SUN = DAY.direction

_TOP, _HORIZON = np.array([0.80, 0.86, 0.93]), np.array([0.95, 0.96, 0.97])
_TILE, _JOINT = 0.5, 0.012
_FAR = 9.0
"""Distance (m) over which the floor fades into the background."""

_STEP = 0.05
"""Difference between neighbouring pixels (of 1) from which they are refined."""

_SUB = np.array([(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)])


def look_at_pixels(camera: Camera, caster: Caster, poses: Floats) -> RayHits:
    """Cast a ray through the middle of each pixel, row by row."""
    y, x = (np.mgrid[0 : camera.height, 0 : camera.width] + 0.5).reshape(2, -1)
    return caster.place(poses).look(camera, x, y)


def paint(
    camera: Camera,
    caster: Caster,
    poses: Floats,
    *,
    smooth: bool = True,
    light: Light = DAY,
    looked: RayHits | None = None,
) -> Image:
    """Return the picture (height, width, 3) as bytes: red, green, blue.

    ``looked`` is what `look_at_pixels` returned, if that is known.
    """
    if looked is None:
        looked = look_at_pixels(camera, caster, poses)
    placed = looked.placed
    colour = _colours(placed, looked, light)
    if smooth:
        at = _edges(colour.reshape(camera.height, camera.width, 3))
        row, column = np.divmod(at, camera.width)
        px = (column + 0.5 + _SUB[:, :1]).ravel()
        py = (row + 0.5 + _SUB[:, 1:]).ravel()
        finer = _colours(placed, placed.look(camera, px, py), light)
        colour[at] = finer.reshape(len(_SUB), -1, 3).mean(axis=0)
    picture = colour.reshape(camera.height, camera.width, 3)
    out: Image = np.clip(picture * 255.0 + 0.5, 0, 255).astype(np.uint8)
    return out


def _colours(placed: PlacedSolids, looked: RayHits, light: Light) -> Floats:
    """Each ray's colour: the solid, and what is seen through before it."""
    length = np.sqrt(np.einsum("ij,ij->i", looked.rays, looked.rays))
    up = (looked.rays[:, 2] / length)[:, None]
    colour = _HORIZON + np.clip(up, 0.0, 1.0) ** 0.6 * (_TOP - _HORIZON)
    clear = placed.caster.clear
    behind = looked.first(~clear)
    hit, points = looked.points(behind)
    colour[hit] = _lit(placed, behind.solid[hit], points, colour[hit], light)
    if clear.any():
        before = looked.first(clear)
        veiled = (before.solid >= 0) & (before.far < behind.far)
        before.solid[~veiled] = -1
        hit, points = looked.points(before)
        if len(hit):
            share = placed.caster.paint[before.solid[hit], 3:]
            own = _lit(placed, before.solid[hit], points, colour[hit], light)
            colour[hit] = share * own + (1 - share) * colour[hit]
    out: Floats = colour
    return out


def _lit(
    placed: PlacedSolids,
    solid: npt.NDArray[np.int64],
    points: Floats,
    sky: Floats,
    light: Light,
) -> Floats:
    if not len(points):
        return np.zeros((0, 3))
    paint = placed.caster.paint[solid, :3]
    normals = placed.normals(points, solid)
    floor = placed.caster.kinds["plane"][solid]
    east, north = np.abs((points[:, :2] / _TILE + 0.5) % 1.0 - 0.5).T
    off = np.minimum(east, north) * _TILE
    paint[floor & (off < _JOINT / 2)] *= 0.95
    sun = light.direction
    facing = np.clip(normals @ sun, 0.0, None)
    lit = np.flatnonzero(facing > 0)
    dark = placed.in_shadow(points[lit] + normals[lit] * LIFT, sun)
    facing[lit[dark]] = 0.0
    over = (normals[:, 2] + 1) / 2
    bright = light.sun * facing + light.sky * over + light.floor * (1 - over)
    shown = paint * bright[:, None] ** 0.9
    away = np.clip(np.hypot(points[:, 0], points[:, 1]) / _FAR, 0.0, 1.0)[:, None] ** 3
    return np.where(floor[:, None], shown * (1 - away) + sky * away, shown)


def _edges(picture: Floats) -> npt.NDArray[np.int64]:
    """The pixels that differ much from a neighbour."""
    edge = np.zeros(picture.shape[:2], np.bool_)
    across = (np.abs(picture[:, 1:] - picture[:, :-1]) > _STEP).any(axis=2)
    down = (np.abs(picture[1:] - picture[:-1]) > _STEP).any(axis=2)
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    edge[1:] |= down
    edge[:-1] |= down
    return np.flatnonzero(edge)
