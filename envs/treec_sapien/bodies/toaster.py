"""A toaster with one wide slot in its top and a button at the front."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.buttons import button
from treec_sapien.bodies.make import box, inside
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart


def build(
    *,
    size: Sequence[float] = (0.26, 0.18, 0.19),
    slot: Sequence[float] = (0.13, 0.05, 0.06),
) -> Body:
    """Build a toaster with a ``slot`` (width, depth, how far down)."""
    width, depth, height = size
    wide, deep, down = slot
    floor = height - down
    side, lip = (width - wide) / 2, (depth - deep) / 2
    shapes = (
        box((width, depth, floor), (0.0, 0.0, 0.0), "steel"),
        *(box((side, depth, down), (s * (width - side) / 2, 0.0, floor), "steel") for s in (-1, 1)),
        *(box((wide, lip, down), (0.0, s * (depth - lip) / 2, floor), "steel") for s in (-1, 1)),
    )
    link, joint, handle, control = button("button", (width / 2 - 0.05, -depth / 2, 0.1))
    return Body(
        "toaster",
        (BodyLink("body", shapes), link),
        (joint,),
        fixed=True,
        regions=(inside("body", (wide, deep, down + 0.04), (0.0, 0.0, floor)),),
        handles=(handle,),
        controls=(control,),
        parts=(BodyPart("body", regions=("body",)),),
    )
