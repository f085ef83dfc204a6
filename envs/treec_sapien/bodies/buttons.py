"""Buttons and knobs that switch appliances."""

from __future__ import annotations

import math

from treec_sapien.bodies.make import BACK, UP, axis, box, cylinder, from_above, push
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.spec import ApplianceControl, BodyHandle, BodyLink, Joint

TRAVEL = 0.008
"""Travel of a button (m)."""


def button(
    name: str, face: Vector, size: float = 0.045
) -> tuple[BodyLink, Joint, BodyHandle, ApplianceControl]:
    """Return a button on a front panel: pressed inwards it springs back and toggles the appliance.

    ``face`` is the middle of its place on the panel; the button stands out by 2 cm.
    """
    out = 0.02
    x, y, z = face
    shape = box((size, out, size), (x, y - out / 2, z - size / 2), "signal", 800.0)
    joint = Joint(
        name,
        "slide",
        "body",
        name,
        face,
        axis(BACK),
        (0.0, TRAVEL),
        damping=15.0,
        spring=600.0,
    )
    handle = BodyHandle(name, name, name, (), push((x, y - out, z), BACK))
    control = ApplianceControl(name, "press", name, name, 0.6 * TRAVEL)
    return BodyLink(name, (shape,), mass=0.05), joint, handle, control


def knob(name: str, top: Vector) -> tuple[BodyLink, Joint, BodyHandle, ApplianceControl]:
    """Return a knob on a top: a wing on a disc that turns a quarter anticlockwise, on from half."""
    x, y, z = top
    shapes = (
        cylinder(0.05, 0.012, (x, y, z), "signal", 800.0),
        box((0.022, 0.05, 0.035), (x, y, z + 0.012), "signal", 800.0),
    )
    joint = Joint(
        name,
        "hinge",
        "body",
        name,
        top,
        axis(UP),
        (0.0, math.pi / 2),
        friction=0.05,
        damping=0.02,
    )
    grasps = from_above("knob", (x, y, z + 0.03), 0.022, (0.0, 180.0), name)
    handle = BodyHandle(name, name, name, grasps)
    return (
        BodyLink(name, shapes, mass=0.1),
        joint,
        handle,
        ApplianceControl(name, "turn", name, name, 0.7),
    )
