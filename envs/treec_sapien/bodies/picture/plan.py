"""A plan as SVG: the scene from above, to scale, with names."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from treec_sapien.bodies.picture.mesh import Mesh, bounds, meshes
from treec_sapien.bodies.scene import SceneLayout

SCALE = 260.0
"""Pixels per metre."""

_MARGIN = 0.25


def plan(layout: SceneLayout, robots: list[Mesh], agents: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the plan of a layout with the robots' outlines."""
    triangles = [mesh for name, placed in layout.bodies.items() for mesh in meshes(name, placed)]
    low, high = bounds([*triangles, *robots])
    width, height = ((high - low)[:2] + 2 * _MARGIN) * SCALE

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - low[0] + _MARGIN) * SCALE, (high[1] - y + _MARGIN) * SCALE

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif">',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#f7f7f8"/>',
        *_grid(low, high, at),
    ]
    for mesh in sorted([*triangles, *robots], key=lambda it: float(it.vertices[:, 2].max())):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*it) for it in _outline(mesh)))
        red, green, blue = (round(255 * it) for it in mesh.colour[:3])
        lines.append(
            f'<polygon points="{points}" fill="rgb({red},{green},{blue})" stroke="#333" '
            f'stroke-width="0.7"><title>{escape(mesh.name)}</title></polygon>'
        )
    for name, placed in layout.bodies.items():
        mine = [mesh for mesh in triangles if mesh.name == name]
        x, y, _ = placed.pose.p
        size, least = 8, bounds(mine)[1][2]
        if placed.body.fixed:  # at the lower edge, clear of the names of what stands on it
            size, least = 12, np.inf
            y = float(bounds(mine)[0][1]) + 0.04
        if any(_covers(mesh, x, y, least) for mesh in triangles if mesh.name != name):
            continue
        left, top = at(x, y)
        lines.append(
            f'<text x="{left:.1f}" y="{top + size / 3:.1f}" font-size="{size}" '
            f'text-anchor="middle" fill="#111" stroke="#fff" stroke-width="2.5" '
            f'paint-order="stroke">{escape(name)}</text>'
        )
    for name, body in agents.items():
        if "of" not in body:
            x, y = at(float(body["pose"][0]), float(body["pose"][1]))
            lines.append(
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="14" font-weight="bold" '
                f'text-anchor="middle" fill="#b03020" stroke="#fff" stroke-width="3" '
                f'paint-order="stroke">{escape(name)}</text>'
            )
    return "\n".join([*lines, "</svg>", ""])


def _covers(mesh: Mesh, x: float, y: float, least: float) -> bool:
    """Whether a mesh covers a point at a height above ``least``."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return bool(low[0] <= x <= high[0] and low[1] <= y <= high[1] and high[2] > least)


def _grid(low: Any, high: Any, at: Any) -> list[str]:
    """Grid lines at whole metres, labelled with their distance from the origin."""
    lines = []
    for x in range(int(np.ceil(low[0] - _MARGIN)), int(np.floor(high[0] + _MARGIN)) + 1):
        (x0, y0), (_, y1) = at(x, low[1] - _MARGIN), at(x, high[1] + _MARGIN)
        lines.append(f'<path d="M{x0:.1f} {y0:.1f}V{y1:.1f}" stroke="#dcdce0"/>')
        lines.append(
            f'<text x="{x0 + 3:.1f}" y="{y0 - 4:.1f}" font-size="9" fill="#888">{x} m</text>'
        )
    for y in range(int(np.ceil(low[1] - _MARGIN)), int(np.floor(high[1] + _MARGIN)) + 1):
        (x0, y0), (x1, _) = at(low[0] - _MARGIN, y), at(high[0] + _MARGIN, y)
        lines.append(f'<path d="M{x0:.1f} {y0:.1f}H{x1:.1f}" stroke="#dcdce0"/>')
        lines.append(
            f'<text x="{x0 + 3:.1f}" y="{y0 - 4:.1f}" font-size="9" fill="#888">{y} m</text>'
        )
    return lines


def _outline(mesh: Mesh) -> list[tuple[float, float]]:
    """The convex hull of a mesh seen from above."""
    points = sorted({(round(x, 4), round(y, 4)) for x, y in mesh.vertices[:, :2].tolist()})
    halves = []
    for side in (points, points[::-1]):
        half: list[tuple[float, float]] = []
        for point in side:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
