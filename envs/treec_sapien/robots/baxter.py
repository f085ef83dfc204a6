"""Rethink's Baxter: two seven-joint arms on a base that moves in the plane.

Changes to the package's model: the planar base; the pedestal as a foot and a column (one hull of
both would fill the space between them); the left hand's flat paddles, 24 mm wide and opening from
16 to 57 mm, on both hands; a tool point midway between them; the head fixed.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from functools import cache

from treec import write_atomic
from treec_sapien.robots import adapt
from treec_sapien.robots.description import ArmDescription, Description, Drive, Gripper

SIDES = ("left", "right")
_JOINTS = ("s0", "s1", "e0", "e1", "w0", "w1", "w2")
_HOME = {
    "s0": -0.1,
    "s1": -1.22,
    "e0": -1.68,
    "e1": 2.45,
    "w0": 0.63,
    "w1": 1.3,
    "w2": -0.6,
}  # folded close to the body
_MIRRORED = {"s0", "e0", "w0", "w2"}  # the right arm mirrors the left one
_FOOT = 0.924  # height of the model's origin above the pedestal's lower face (m)
_CLEARANCE = 0.015
_PAD = (0.024, 0.0065, 0.037)
_PAD_AT = -0.015  # the paddles' middle, along the hand's z from the package's tool point (m)
_SHUT, _TRAVEL = 0.016, 0.020833
_ARM = Drive(2000.0, 200.0, 150.0)
_BASE = Drive(2e4, 4e3, 5e3)
_FINGER = Drive(2000.0, 100.0, 50.0, armature=0.01)


@cache
def describe() -> Description:
    """Return Baxter as adapted from example-robot-data (BSD)."""
    source = adapt.example_robot("baxter_description", "urdf", "baxter.urdf")
    srdf = adapt.example_robot("baxter_description", "srdf", "baxter_manipulation.srdf")
    urdf = adapt.cache_path("baxter", "urdf", [source], [adapt, sys.modules[__name__]])
    model = adapt.read_model(source, source.parents[4])
    base = adapt.prepend_base(model)
    adapt.add_footing(model)
    adapt.fix(model, "head_pan")
    for link in model.findall("link"):
        if link.get("name") == "pedestal":
            _stand(link)
        if str(link.get("name")).endswith("_finger_tip"):
            _pad(link)
    for side in SIDES:
        ET.SubElement(model, "link", {"name": f"{side}_tcp"})
        hand, tool = f"{side}_gripper", f"{side}_tcp"
        adapt.add_joint(model, f"{tool}_joint", "fixed", hand, tool, xyz=f"0 0 {_PAD_AT}")
    if not urdf.is_file():
        write_atomic(urdf, adapt.text_of(model))
    links = [link.get("name", "") for link in model.findall("link")]
    arms = {side: _arm(side) for side in SIDES}
    home: dict[str, float] = {}
    drives = dict.fromkeys(base, _BASE)
    for side, arm in arms.items():
        for joint, name in zip(_JOINTS, arm.joints, strict=True):
            mirrored = side == "right" and joint in _MIRRORED
            home[name] = -_HOME[joint] if mirrored else _HOME[joint]
        home |= dict(zip(arm.gripper.joints, arm.gripper.targets(1.0), strict=True))
        drives |= dict.fromkeys(arm.joints, _ARM) | dict.fromkeys(arm.gripper.joints, _FINGER)
    return Description(
        kind="baxter",
        urdf=urdf,
        disabled=adapt.overlaps_of(srdf, links),
        arms=arms,
        home=home,
        drives=drives,
        base=base,
        lift=_FOOT + _CLEARANCE,
    )


def _arm(side: str) -> ArmDescription:
    letter = side[0]
    fingers = [f"{letter}_gripper_{which}_finger" for which in ("l", "r")]
    return ArmDescription(
        side=side,
        joints=tuple(f"{side}_{joint}" for joint in _JOINTS),
        tcp=f"{side}_tcp",
        hand=f"{side}_hand_link",
        gripper=Gripper(
            joints=(f"{fingers[0]}_joint", f"{fingers[1]}_joint"),
            links=((fingers[0], f"{fingers[0]}_tip"), (fingers[1], f"{fingers[1]}_tip")),
            opening=(_SHUT, _SHUT + 2 * _TRAVEL),
            travel=(0.5, -0.5),
            depth=0.0185,
        ),
        velocity=(1.5,) * 4 + (2.0,) * 3,
        acceleration=(3.0,) * 4 + (4.0,) * 3,
    )


def _stand(pedestal: ET.Element) -> None:
    """The pedestal's measured outline: a foot 0.92 by 0.83 m, 0.28 m high, and a round column."""
    for mesh in pedestal.findall("collision"):
        pedestal.remove(mesh)
    foot = _shape(pedestal, "-0.0425 0 -0.784")
    ET.SubElement(foot, "box", {"size": "0.919 0.831 0.28"})
    column = _shape(pedestal, "0 0 -0.353")
    ET.SubElement(column, "cylinder", {"radius": "0.162", "length": "0.582"})


def _pad(tip: ET.Element) -> None:
    """A paddle in place of the tip's shape, its face 8 mm from the middle when the hand is shut."""
    inward = -0.0045 if str(tip.get("name")).endswith("l_finger_tip") else 0.0045
    for old in tip.findall("collision"):
        tip.remove(old)
    box = _shape(tip, f"0 {inward} {_PAD_AT}")
    ET.SubElement(box, "box", {"size": " ".join(map(repr, _PAD))})


def _shape(link: ET.Element, xyz: str) -> ET.Element:
    collision = ET.SubElement(link, "collision")
    ET.SubElement(collision, "origin", {"xyz": xyz, "rpy": "0 0 0"})
    return ET.SubElement(collision, "geometry")
