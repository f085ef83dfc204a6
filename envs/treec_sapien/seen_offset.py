"""From the point at which a thing was seen to where a hand believes it to be.

What is seen is the middle of a thing. Its heading is not: it is taken from the simulator.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treec_sapien.bodies.solid import solid
from treec_sapien.build import BuiltBody
from treec_sapien.motion.frames import Array


def offset_of(built: BuiltBody, point: Sequence[float]) -> Array:
    """Return how far (3; metres) a seen middle is from the body's own."""
    solids = [
        solid(shape, built.pose(link.name)) for link in built.body.links for shape in link.shapes
    ]
    low = np.min([it.low for it in solids], axis=0)
    high = np.max([it.high for it in solids], axis=0)
    return np.asarray(np.array(point) - (low + high) / 2)
