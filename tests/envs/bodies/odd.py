"""A kind whose parameters may be what no body can be."""

from __future__ import annotations

from treec_sapien.bodies.spec import Body, BodyLink, Joint, Shape


def build(
    size: float = 0.1,
    radius: float = 0.1,
    mass: float = 1.0,
    low: float = 0.0,
    high: float = 1.0,
    material: str = "wood",
) -> Body:
    """A box with a ball that slides on it."""
    box = Shape("box", half_size=(0.1, size, 0.1), material=material)
    ball = BodyLink("ball", (Shape("sphere", radius=radius),), mass)
    turn = (1.0, 0.0, 0.0, 0.0)
    slide = Joint("slide", "slide", "body", "ball", (0.0, 0.0, 0.0), turn, (low, high))
    return Body("odd", (BodyLink("body", (box,)), ball), (slide,))
