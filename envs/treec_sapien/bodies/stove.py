"""A table-top stove with one hob and a knob on its top."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.buttons import knob
from treec_sapien.bodies.make import box, cylinder, on
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart


def build(
    *,
    size: Sequence[float] = (0.46, 0.44, 0.05),
    hob: Sequence[float] = (-0.03, 0.06, 0.2),
) -> Body:
    """Build a stove with a ``hob`` (x, y from the middle, diameter)."""
    width, depth, height = size
    x, y, diameter = hob
    shapes = (
        box((width, depth, height), (0.0, 0.0, 0.0), "dark steel"),
        cylinder(diameter, 0.004, (x, y, height), "black"),
    )
    top = (width / 2 - 0.06, -depth / 2 + 0.06, height)
    link, joint, handle, control = knob("knob", top)
    return Body(
        "stove",
        (BodyLink("body", shapes), link),
        (joint,),
        fixed=True,
        regions=(on("hob", (diameter, diameter), (x, y, height + 0.004)),),
        handles=(handle,),
        controls=(control,),
        parts=(BodyPart("body", regions=("hob",)), BodyPart("knob", "knob", "knob", "knob")),
    )
