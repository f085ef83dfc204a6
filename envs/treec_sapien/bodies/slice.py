"""A thick slice of bread standing on its edge, as it goes into a toaster."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, size: Sequence[float] = (0.09, 0.03, 0.085), mass: float = 0.06) -> Body:
    """Build a slice of ``size``: width, thickness, height."""
    width, thick, height = size
    shape = box((width, thick, height), (0.0, 0.0, 0.0), "crumb")
    at = (0.0, 0.0, 0.75 * height)
    return Body(
        "slice",
        (BodyLink("body", (shape,), mass=mass),),
        grasps=(
            *from_above("above", at, thick, (90.0, -90.0)),
            *from_beside("end", at, thick, (90.0, -90.0), 45.0),
        ),
    )
