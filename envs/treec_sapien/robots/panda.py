"""Franka Emika's Panda: seven joints, a gripper that opens 80 mm, on a fixed base."""

from __future__ import annotations

import sys
from functools import cache

from treec import write_atomic
from treec_sapien.robots import adapt
from treec_sapien.robots.description import ArmDescription, Description, Drive, Gripper

JOINTS = tuple(f"panda_joint{n}" for n in range(1, 8))
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
_HOME = (0.0, -0.45, 0.0, -2.35, 0.0, 1.9, 0.785)
_PLATE = 0.03  # thickness (m) of its mounting plate: planners then see no contact with the table
_ARM = Drive(2000.0, 200.0, 100.0)
_FINGER = Drive(2000.0, 100.0, 60.0, armature=0.01)


@cache
def describe() -> Description:
    """Return the Panda as adapted from example-robot-data (Apache-2.0)."""
    source = adapt.example_robot("panda_description", "urdf", "panda.urdf")
    srdf = adapt.example_robot("panda_description", "srdf", "panda.srdf")
    urdf = adapt.cache_path("panda", "urdf", [source], [adapt, sys.modules[__name__]])
    model = adapt.read_model(source, source.parents[4])
    adapt.add_footing(model)
    if not urdf.is_file():
        write_atomic(urdf, adapt.text_of(model))
    links = [link.get("name", "") for link in model.findall("link")]
    gripper = Gripper(
        joints=FINGERS,
        links=(("panda_leftfinger",), ("panda_rightfinger",)),
        opening=(0.0, 0.08),
        depth=0.0095,
    )
    arm = ArmDescription(
        side="arm",
        joints=JOINTS,
        tcp="panda_hand_tcp",
        hand="panda_hand",
        gripper=gripper,
        velocity=(1.5,) * 7,
        acceleration=(3.0,) * 7,
    )
    return Description(
        kind="panda",
        urdf=urdf,
        disabled=adapt.overlaps_of(srdf, links),
        arms={"arm": arm},
        home=dict(zip(JOINTS, _HOME, strict=True)) | dict.fromkeys(FINGERS, 0.04),
        drives=dict.fromkeys(JOINTS, _ARM) | dict.fromkeys(FINGERS, _FINGER),
        lift=_PLATE,
    )
