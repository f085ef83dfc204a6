"""A rack that holds knives on their edges between low walls, handles to the front."""

from __future__ import annotations

from treec_sapien.bodies.make import box, inside
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, slots: int = 3, length: float = 0.26, slot: float = 0.035) -> Body:
    """Build a rack with ``slots`` slots, each ``slot`` metres wide."""
    floor, wall, tall = 0.02, 0.012, 0.02
    width = slots * slot + (slots + 1) * wall
    blade = 0.55 * length
    shapes = [box((width, length, floor), (0.0, 0.0, 0.0), "dark wood")]
    for index in range(slots + 1):
        x = -width / 2 + wall / 2 + index * (slot + wall)
        at = (x, (length - blade) / 2, floor)
        shapes.append(box((wall, blade, tall), at, "dark wood"))
    room = inside("slots", (width, length, 0.08), (0.0, 0.0, floor))
    return Body("knife_rack", (BodyLink("body", tuple(shapes)),), fixed=True, regions=(room,))
