"""A tap behind a sink: a spout, and a lever on top that opens when turned to the front."""

from __future__ import annotations

import math

from treec_sapien.bodies.make import UP, axis, box, cylinder, from_above, from_beside, push
from treec_sapien.bodies.spec import ApplianceControl, Body, BodyHandle, BodyLink, BodyPart, Joint


def build(*, height: float = 0.24, reach: float = 0.16) -> Body:
    """Build a tap from its height and the reach of its spout to the front (m)."""
    shapes = (
        cylinder(0.05, height - 0.03, (0.0, 0.0, 0.0), "steel"),
        box((0.025, reach, 0.025), (0.0, -reach / 2, height - 0.07), "steel"),
    )
    # at rest the lever points left, clear of the spout
    length, thick = 0.11, 0.022
    z = height - 0.03
    tip = (-length + 0.02, 0.0, z + 0.02)
    lever = BodyLink(
        "lever",
        (
            cylinder(0.045, 0.03, (0.0, 0.0, z), "handle", 800.0),
            box((length, thick, thick), (-length / 2, 0.0, z + 0.009), "handle", 800.0),
        ),
        mass=0.2,
    )
    joint = Joint(
        "lever",
        "hinge",
        "body",
        "lever",
        (0.0, 0.0, z),
        axis(UP),
        (0.0, math.pi / 2),
        friction=0.05,
        damping=0.05,
    )
    grasps = (
        *from_above("lever", tip, thick, (90.0, -90.0), "lever"),
        *from_beside("lever", tip, thick, (-90.0,), 45.0, "lever"),
    )
    front = (tip[0], -thick / 2, tip[2])
    rear = (tip[0], thick / 2, tip[2])
    handle = BodyHandle(
        "lever",
        "lever",
        "lever",
        grasps,
        push=push(rear, (0.0, -1.0, 0.0)),
        back=push(front, (0.0, 1.0, 0.0)),
    )
    return Body(
        "faucet",
        (BodyLink("body", shapes), lever),
        (joint,),
        fixed=True,
        handles=(handle,),
        controls=(ApplianceControl("lever", "turn", "lever", "lever", 0.7),),
        parts=(BodyPart("lever", "lever", "lever", "lever"),),
    )
