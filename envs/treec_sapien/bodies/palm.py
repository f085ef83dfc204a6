"""A person's open hand, held out: a flat board in the air that things are laid on."""

from __future__ import annotations

from treec_sapien.bodies.make import box, on
from treec_sapien.bodies.spec import Body, BodyLink

THICK = 0.02


def build(*, height: float = 0.95, size: float = 0.14) -> Body:
    """Build a palm whose upper face is ``height`` above the floor (m)."""
    shape = box((size, size, THICK), (0.0, 0.0, height - THICK), "skin")
    return Body(
        "palm",
        (BodyLink("body", (shape,)),),
        fixed=True,
        hangs=True,
        colour="pink",
        regions=(on("palm", (size, size), (0.0, 0.0, height)),),
    )
