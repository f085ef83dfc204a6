"""A juicer: an open container on a motor with a button at the front."""

from __future__ import annotations

from treec_sapien.bodies.buttons import button
from treec_sapien.bodies.make import box, inside, ring
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart


def build(*, diameter: float = 0.16, height: float = 0.09, motor: float = 0.12) -> Body:
    """Build a juicer: a container (``diameter``, ``height``) on a motor ``motor`` metres high."""
    wall = 0.008
    shapes = (
        box((diameter + 0.02, diameter + 0.02, motor), (0.0, 0.0, 0.0), "dark steel"),
        *ring(diameter, wall, height, motor, "glass"),
    )
    link, joint, handle, control = button("button", (0.0, -diameter / 2 - 0.01, motor - 0.04))
    room = diameter - 2 * wall
    return Body(
        "juicer",
        (BodyLink("body", shapes), link),
        (joint,),
        fixed=True,
        regions=(inside("container", (room, room, height + 0.02), (0.0, 0.0, motor)),),
        handles=(handle,),
        controls=(control,),
        parts=(BodyPart("container", regions=("container",)),),
    )
