"""A table on legs or on a wall-to-wall frame, optionally with a cutout for a sink."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box, on
from treec_sapien.bodies.spec import Body, BodyLink, Shape

LEG = 0.05


def build(
    *,
    size: Sequence[float] = (1.4, 0.8, 0.75),
    top: float = 0.04,
    hole: Sequence[float] | None = None,
    legs: bool = True,
    material: str = "wood",
) -> Body:
    """Build a table of ``size`` (width, depth, height) whose top is ``top`` thick.

    ``hole`` (x, y, width, depth) is the cutout, its middle relative to the table's.
    """
    width, depth, height = size
    shapes = list(_board(width, depth, height, top, hole, material))
    if legs:
        for x in (-1, 1):
            for y in (-1, 1):
                at = (x * (width - LEG) / 2, y * (depth - LEG) / 2, 0.0)
                shapes.append(box((LEG, LEG, height - top), at, "dark wood"))
    return Body(
        "table",
        (BodyLink("body", tuple(shapes)),),
        fixed=True,
        regions=(on("top", (width, depth), (0.0, 0.0, height)),),
    )


def _board(
    width: float,
    depth: float,
    height: float,
    top: float,
    hole: Sequence[float] | None,
    material: str,
) -> tuple[Shape, ...]:
    z = height - top
    if hole is None:
        return (box((width, depth, top), (0.0, 0.0, z), material),)
    x, y, w, d = hole
    left, right = x - w / 2 + width / 2, width / 2 - x - w / 2
    front, back = y - d / 2 + depth / 2, depth / 2 - y - d / 2
    return (
        box((left, depth, top), (-width / 2 + left / 2, 0.0, z), material),
        box((right, depth, top), (width / 2 - right / 2, 0.0, z), material),
        box((w, front, top), (x, -depth / 2 + front / 2, z), material),
        box((w, back, top), (x, depth / 2 - back / 2, z), material),
    )
