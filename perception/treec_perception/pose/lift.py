"""From landmarks in a picture to joints in the scene, through the depth picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from treec_perception.picture import Picture
from treec_perception.pose.joints import BONES, JOINTS, BodyJoint, JointState
from treec_perception.pose.landmarker import Landmark
from treec_perception.stages import LiftStage
from treec_sapien.bodies.pose import Vector

BENEATH = {"shoulder": 0.05, "elbow": 0.045, "wrist": 0.03}
"""How far (m) a joint is beneath the skin, seen from anywhere: half of a limb's thickness."""


def in_picture(
    landmarks: Mapping[str, Landmark], picture: Picture, visible: float
) -> dict[str, BodyJoint]:
    """Return the joints as they are in a picture: seen, occluded or out of view; no points yet.

    ``visible`` is the least visibility of a joint that counts as seen. The neck is the middle of
    the shoulders, and is seen if both are.
    """
    height, width, _ = picture.colour.shape
    joints: dict[str, BodyJoint] = {}
    for name, mark in landmarks.items():
        pixel = (mark.x, mark.y)
        if not (0 <= mark.x < width and 0 <= mark.y < height):
            joints[name] = BodyJoint(JointState.out_of_view, visibility=mark.visibility)
        elif mark.visibility < visible:
            joints[name] = BodyJoint(JointState.occluded, None, pixel, mark.visibility)
        else:
            joints[name] = BodyJoint(JointState.seen, None, pixel, mark.visibility)
    joints["neck"] = _neck(joints["left_shoulder"], joints["right_shoulder"])
    return {name: joints[name] for name in JOINTS}


def _neck(left: BodyJoint, right: BodyJoint) -> BodyJoint:
    for state in (JointState.out_of_view, JointState.outlier, JointState.occluded):
        if state in (left.state, right.state):
            return BodyJoint(state, visibility=min(left.visibility, right.visibility))
    assert left.pixel is not None
    assert right.pixel is not None
    middle = ((left.pixel[0] + right.pixel[0]) / 2, (left.pixel[1] + right.pixel[1]) / 2)
    return BodyJoint(left.state, None, middle, min(left.visibility, right.visibility))


def lift(
    joints: Mapping[str, BodyJoint], picture: Picture, params: LiftStage
) -> dict[str, BodyJoint]:
    """Give each joint that is seen its point: what depth shows at its pixel.

    The depth is the median of a square of ``params.window`` pixels, of those that have any. It is
    that of the skin, some centimetres before the joint's centre; with ``params.to_bone`` the point
    is moved on along the ray by these. A joint without depth is occluded.
    A joint farther than ``params.reach`` (m) from the one that it hangs on is an outlier: what is
    seen there is something else. Raises ValueError for a picture without depth.
    """
    if picture.depth is None or picture.camera is None:
        raise ValueError(f"the picture '{picture.name}' has no depth")
    lifted = dict(joints)
    for name, joint in joints.items():
        if name == "neck" or joint.state is not JointState.seen:
            continue
        assert joint.pixel is not None
        beneath = BENEATH[name.split("_")[1]] if params.to_bone else 0.0
        point = _point(picture, joint.pixel, params.window, beneath)
        if point is None:
            lifted[name] = replace(joint, state=JointState.occluded)
        else:
            lifted[name] = replace(joint, point=point)
    left, right = lifted["left_shoulder"], lifted["right_shoulder"]
    if left.point is not None and right.point is not None:
        neck = tuple(float((a + b) / 2) for a, b in zip(left.point, right.point, strict=True))
        lifted["neck"] = replace(joints["neck"], point=(neck[0], neck[1], neck[2]))
    else:
        lifted["neck"] = _neck(left, right)
    for near, far in BONES:
        a, b = lifted[near].point, lifted[far].point
        if a is not None and b is not None and apart(a, b) > params.reach:
            lifted[far] = replace(lifted[far], state=JointState.outlier, point=None)
    return {name: lifted[name] for name in JOINTS}


def apart(a: Vector, b: Vector) -> float:
    """Return the distance of two points (m)."""
    return float(np.linalg.norm(np.subtract(a, b)))


def _point(
    picture: Picture, pixel: tuple[float, float], window: int, beneath: float
) -> Vector | None:
    depth, camera = picture.depth, picture.camera
    assert depth is not None
    assert camera is not None
    column, row = int(pixel[0]), int(pixel[1])
    half = window // 2
    part = depth[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1]
    there = part[part > 0]
    if not len(there):
        return None
    ray = camera.towards(np.array(pixel[0]), np.array(pixel[1]))
    far = float(np.median(there)) + beneath / float(np.linalg.norm(ray))
    x, y, z = camera.eye + ray * far
    return (float(x), float(y), float(z))
