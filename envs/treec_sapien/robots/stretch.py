"""Hello Robot's Stretch 3: a lift and a telescoping arm on a base that moves in the plane.

Changes to the package's model: the planar base; wheels and head fixed; markers, microphones and
cameras removed; and the gripper. Its real fingers are spring-steel bows that keep the rubber pads
nearly parallel; here each is a strip with a flat pad on a slide, opening from 7 to 95 mm. The
package has no SRDF: pairs that may overlap are found by sampling (:mod:`.overlaps`) once, and
cached.

The arm's four segments extend equally; :mod:`.stretch_arm` uses their sum, the extension.
"""

from __future__ import annotations

import math
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

from treec import write_atomic
from treec_sapien.robots import adapt, overlaps
from treec_sapien.robots.description import ArmDescription, Description, Drive, Gripper

LIFT = "joint_lift"
SEGMENTS = ("joint_arm_l3", "joint_arm_l2", "joint_arm_l1", "joint_arm_l0")
WRIST = ("joint_wrist_yaw", "joint_wrist_pitch", "joint_wrist_roll")
FINGERS = ("stretch_finger_left_joint", "stretch_finger_right_joint")
_KEPT_APART = (  # by a joint's own limits; only the boxes that approximate them overlap
    ("link_lift", "link_head"),
    ("link_lift", "base_link"),
    ("link_lift", "laser"),
    *(("link_wrist_yaw_bottom", f"link_arm_l{n}") for n in (1, 2, 3, 4)),
)
_MODEL = ("stretch_urdf", "SE3", "stretch_description_SE3_eoa_wrist_dw3_tool_sg3.urdf")
_REMOVED_LINKS = (
    "aruco",
    "camera",
    "respeaker",
    "base_imu",
    "nav_cam",
    "grasp_center",
    "gripper_finger",
)
_SHUT, _TRAVEL = 0.007, 0.044  # the free width when shut, and the travel of each finger (m)
_ROOT = 0.0372  # root of the fingers along the hand (m)
_REACH = 0.178  # from there to the middle of the pads
_PAD = 0.034  # side of the pads: same area as the real round ones of 40 mm
_THICK = 0.017


@cache
def describe() -> Description:
    """Return the Stretch 3 with its dexterous wrist, as adapted from hello-robot-stretch-urdf."""
    source = adapt.site_packages().joinpath(*_MODEL)
    if not source.is_file():
        raise FileNotFoundError(
            f"{source} is missing: install treec's extra 'sapien' (hello-robot-stretch-urdf)"
        )
    code = [adapt, sys.modules[__name__]]
    urdf = adapt.cache_path("stretch", "urdf", [source], code)
    if not urdf.is_file():
        write_atomic(urdf, adapt.text_of(_adapt_model()))
    base = ("base_x", "base_y", "base_yaw")
    arm = ArmDescription(
        side="arm",
        joints=(LIFT, *SEGMENTS, *WRIST),
        tcp="stretch_tcp",
        hand="link_gripper_s3_body",
        gripper=Gripper(
            joints=FINGERS,
            links=(("stretch_finger_left",), ("stretch_finger_right",)),
            opening=(_SHUT, _SHUT + 2 * _TRAVEL),
            depth=_PAD / 2,
        ),
        velocity=(0.25,) + (0.075,) * 4 + (2.0,) * 3,
        acceleration=(0.6,) + (0.15,) * 4 + (4.0,) * 3,
    )
    drives = dict.fromkeys(base, Drive(2e4, 4e3, 2e3)) | {LIFT: Drive(2e4, 2e3, 500.0)}
    drives |= dict.fromkeys(SEGMENTS, Drive(8000.0, 800.0, 300.0))
    drives |= dict.fromkeys(WRIST, Drive(1000.0, 100.0, 60.0))
    drives |= dict.fromkeys(FINGERS, Drive(2000.0, 100.0, 40.0, armature=0.01))
    home = {LIFT: 0.75, WRIST[0]: 3.0} | dict.fromkeys(FINGERS, 0.03)
    described = Description(
        kind="stretch",
        urdf=urdf,
        disabled=frozenset(),
        arms={"arm": arm},
        home=home,
        drives=drives,
        base=base,
        base_velocity=(0.4, 0.4, 1.0),
        base_acceleration=(0.6, 0.6, 2.0),
        lift=0.012,
    )
    srdf = adapt.cache_path("stretch", "srdf", [urdf], [*code, overlaps])
    sampled = overlaps.add_sampled_overlaps(described, srdf)
    return replace(sampled, disabled=sampled.disabled | set(map(frozenset, _KEPT_APART)))


def _adapt_model() -> ET.Element:
    source = adapt.site_packages().joinpath(*_MODEL)
    model = adapt.read_model(source, adapt.site_packages())
    names = [str(link.get("name")) for link in model.findall("link")]
    adapt.drop_links(
        model, *(name for name in names if any(part in name for part in _REMOVED_LINKS))
    )
    adapt.prepend_base(model)
    adapt.add_footing(model)
    adapt.fix(model, "joint_left_wheel", "joint_right_wheel", "joint_head_pan", "joint_head_tilt")
    for side, outward in (("left", 1), ("right", -1)):
        _finger(model, side, outward)
    ET.SubElement(model, "link", {"name": "stretch_tcp"})
    adapt.add_joint(
        model,
        "stretch_tcp_joint",
        "fixed",
        "link_gripper_s3_body",
        "stretch_tcp",
        xyz=f"0 0 {_ROOT + _REACH}",
        rpy=f"0 0 {-math.pi / 2}",
    )
    return model


def _finger(model: ET.Element, side: str, outward: int) -> None:
    """A strip and a pad on a slide along the hand's x axis; ``outward`` is the sign of opening."""
    link = ET.SubElement(model, "link", {"name": f"stretch_finger_{side}"})
    face = outward * _SHUT / 2
    boxes = (
        ((face + outward * 0.014, 0.0, _REACH / 2), (0.012, 0.022, _REACH)),
        ((face + outward * _THICK / 2, 0.0, _REACH), (_THICK, _PAD, _PAD)),
    )
    for place, size in boxes:
        collision = ET.SubElement(link, "collision")
        ET.SubElement(collision, "origin", {"xyz": " ".join(map(repr, place)), "rpy": "0 0 0"})
        shape = ET.SubElement(collision, "geometry")
        ET.SubElement(shape, "box", {"size": " ".join(map(repr, size))})
    adapt.add_joint(
        model,
        f"stretch_finger_{side}_joint",
        "prismatic",
        "link_gripper_s3_body",
        f"stretch_finger_{side}",
        xyz=f"0 0 {_ROOT}",
        axis=f"{outward} 0 0",
        limits=(0.0, _TRAVEL),
    )
