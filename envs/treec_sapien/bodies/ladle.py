"""A ladle, lying: handle to the front, scoop to the back."""

from __future__ import annotations

from treec_sapien.bodies.make import LOW, box, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyHandle, BodyLink


def build(*, length: float = 0.28, thick: float = 0.028, scoop: float = 0.06) -> Body:
    """Build a ladle. ``thick`` is the thickness of the handle (m)."""
    handle = length - scoop
    front = -length / 2
    shapes = (
        box((thick, handle, thick), (0.0, front + handle / 2, 0.0), "grip", 700.0),
        box((scoop, scoop, 0.03), (0.0, length / 2 - scoop / 2, 0.0), "steel", 1500.0),
    )
    hold = (0.0, front + 0.35 * handle, LOW)
    grasps = (
        *from_above("handle", hold, thick, (0.0, 180.0)),
        *from_beside("handle", hold, thick, (0.0,), 60.0),
        *from_beside("handle", hold, thick, (0.0,), 45.0),
    )
    return Body(
        "ladle",
        (BodyLink("body", shapes, mass=0.12),),
        handles=(BodyHandle("handle", "body", None, grasps),),
        grasps=grasps,
    )
