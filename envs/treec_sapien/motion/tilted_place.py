"""Setting a thing down on its far edge first, with the hand pointing down a little or steeply.

A thing held level by a lug at its rim brings the hand itself too low for a table or a sink. Into
something with walls, a thing that holds no liquid may come in steeply: an apple taken from the side
goes into a sink like one taken from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.fits import size
from treec_sapien.motion.frames import Array, about, inverse

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.place import Spot

TIPS = (0.2, 0.38)
"""Tilts at release (rad)."""

STEEP = (0.7, 1.1)
"""Tilts for what comes in steeply (rad)."""

_STABLE = 0.8  # share of the angle at which a thing is on the brink that it may lean at release
_LEVEL = 0.6  # largest z component of the approach of a nearly level hand
_Z = np.array([0.0, 0.0, 1.0])


def tilt_spots(
    built: BuiltBody, held: Array, spots: Sequence[Spot], tips: Sequence[float] = TIPS
) -> list[Spot]:
    """Return the spots for a thing (``held`` in the tool's frame) tilted away from a level hand.

    Its lowest edge is as high above the surface there as its base would be. Where no walls are
    around it, it leans less than would make it fall over.
    """
    out = []
    extent = size(built.body)
    tipping = _STABLE * float(np.arctan2(min(extent[:2]), extent[2]))
    for spot in spots:
        hand = (spot.pose @ inverse(held))[:3, 2]
        if abs(hand[2]) > _LEVEL:
            continue
        axis = np.cross(hand, -_Z)
        for angle in tips:
            if spot.room is None and angle > tipping:
                continue
            lift = max(size(built.body)[:2]) / 2 * float(np.sin(angle))
            pose = np.eye(4)
            pose[:3, :3] = about(axis / np.linalg.norm(axis), angle) @ spot.pose[:3, :3]
            pose[:3, 3] = spot.pose[:3, 3] + lift * _Z
            out.append(replace(spot, pose=pose, foot=-lift * _Z, cost=spot.cost + angle))
    return out
