"""A shelf: boards between two sides, open at the front."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart, Region

BOARD = 0.018


def build(
    *,
    size: Sequence[float] = (0.5, 0.26, 0.5),
    boards: Sequence[float] = (0.09, 0.29),
    names: Sequence[str] = (),
    back: bool = True,
    roof: bool = False,
    material: str = "light wood",
    kind: str = "shelf",
) -> Body:
    """Build a shelf with boards whose upper faces are at the heights ``boards`` (m).

    ``names`` names the boards from the lowest up; a scene may declare them as objects.
    """
    width, depth, height = size
    inner = width - 2 * BOARD
    shapes = [
        box((BOARD, depth, height), (side * (width - BOARD) / 2, 0.0, 0.0), material)
        for side in (-1, 1)
    ]
    if back:
        shapes.append(box((inner, BOARD, height), (0.0, (depth - BOARD) / 2, 0.0), material))
    if roof:
        shapes.append(box((inner, depth - BOARD, BOARD), (0, -BOARD / 2, height - BOARD), material))
    ceiling = height - BOARD if roof else height + 0.3
    regions = []
    for index, at in enumerate(boards):
        shapes.append(box((inner, depth - BOARD, BOARD), (0.0, -BOARD / 2, at - BOARD), material))
        above = boards[index + 1] - BOARD if index + 1 < len(boards) else ceiling
        half = (above - at) / 2
        name = names[index] if index < len(names) else f"board_{index + 1}"
        middle = (0.0, -BOARD / 2, at + half)
        regions.append(Region(name, "on", middle, (inner / 2, (depth - BOARD) / 2, half)))
    parts = tuple(BodyPart(region.name, regions=(region.name,)) for region in regions)
    link = BodyLink("body", tuple(shapes))
    return Body(kind, (link,), fixed=True, regions=tuple(regions), parts=parts)
